"""The words a report uses: one place, so that a table, a plot and the gallery say the same thing."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.codec import parse_rational
from answerable.core.records import Abstain, Obligation
from answerable.core.scores import Figure

#: Narrow no-break space, between a number and its sign.
THIN = "\u202f"
#: Printed for an interval without width: every draw gave the same, which is not certainty.
NO_SPREAD = "no spread"

#: Short names of states, for column heads; the letter is always beside them.
STATE_NAMES = {
    "F": "full", "S": "same answer", "K": "masked, irrelevant", "C": "changed answer",
    "D": "hidden, determined", "M": "missing", "I": "invalid reference",
    "AAD": "absent answer",
    "IASD": "incompatible answers",
    "IVQD": "incompatible image",
}  # fmt: skip

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
REASON_WORDS = {
    "missing": "the evidence is hidden",
    "invalid_reference": "what it asks about is not there",
    "absent_answer": "the right answer is not offered",
    "incompatible_answers": "no offered answer fits the question",
    "incompatible_image": "the picture does not fit the question",
    "indeterminate": "the picture does not determine it",
}
LEVEL_WORDS = {
    "proved": "proved: a small kernel re-checks it",
    "attested": "attested: independent solvers agree",
    "derived": "derived: a program and a recorded edit",
    "annotated": "annotated: people, with a strategy",
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


def target_text(target: str, kind: str) -> str:
    """A target for people: ``25/2`` -> ``12.5``; a fraction without a finite decimal stays one."""
    if kind not in ("number", "integer"):
        return target
    try:
        value = parse_rational(target)
    except ValueError:
        return target
    return decimal_text(value)


def decimal_text(value: Fraction) -> str:
    """Exact decimal text of a rational, or ``p/q`` when it has none (or a very long one)."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 12:
        return str(value)
    if places == 0:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def duty_text(duty: Obligation) -> str:
    """The obligation in a few words."""
    if isinstance(duty, Abstain):
        return f"abstain: {REASON_WORDS[duty.reason]}"
    return f"answer {target_text(duty.target, duty.type)}"
