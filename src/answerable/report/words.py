"""The words a report uses: one place, so that a table, a plot and the gallery say the same thing."""

from __future__ import annotations

from answerable.core.scores import Figure

#: Narrow no-break space, between a number and its sign.
THIN = "\u202f"
#: Printed for an interval without width: every draw gave the same, which is not certainty.
NO_SPREAD = "no spread"

OUTCOME_WORDS = {
    "correct": "correct",
    "wrong_answer": "wrong answer",
    "false_rejection": "abstained, though the picture answers",
    "false_acceptance": "answered, though nothing in the picture can",
    "invalid": "reply cannot be read",
    "failed": "request failed",
    "not_run": "not asked",
}
OUTCOME_SHORT = {
    "correct": "correct", "wrong_answer": "wrong answer", "false_rejection": "false rejection",
    "false_acceptance": "false acceptance", "invalid": "invalid", "failed": "failed", "not_run": "not run",
}  # fmt: skip

LOSS_WORDS = {
    "success": "success: every decision and answer right",
    "wrong_answer": "wrong answer after right decisions",
    "other_decision": "another decision failed",
    "missing_failure": "missing information not noticed",
}


def percent(value: float | None, digits: int = 1) -> str:
    """``0.5333`` -> ``53.3 %``; None -> an en dash, for undefined."""
    return "–" if value is None else f"{100 * value:.{digits}f}{THIN}%"


def interval_text(interval: tuple[float, float] | None) -> str:
    """``(0.4, 0.61)`` -> ``40.0–61.0``; empty when there is none. One without width would read as certainty."""
    if interval is None:
        return ""
    return NO_SPREAD if interval[0] == interval[1] else f"{100 * interval[0]:.1f}–{100 * interval[1]:.1f}"


def points(value: float | None) -> str:
    """A difference in percentage points, with its sign unless it rounds to nothing."""
    if value is None:
        return "–"
    if abs(100 * value) < 0.05:
        return "0.0"
    sign = "−" if value < 0 else "+"
    return f"{sign}{abs(100 * value):.1f}"


def difference_text(value: float, interval: tuple[float, float]) -> str:
    """A difference and its interval in percentage points."""
    low, high = interval
    return f"{points(value)} ({NO_SPREAD if low == high else f'{points(low)} to {points(high)}'})"


def shown_interval(figure: Figure) -> tuple[tuple[float, float] | None, str]:
    """The interval to print and its kind: Wilson's where the bootstrap one has no width."""
    if figure.wilson is not None:
        return figure.wilson, "Wilson"
    return figure.interval, "bootstrap" if figure.interval is not None else ""
