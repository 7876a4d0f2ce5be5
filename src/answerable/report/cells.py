"""One figure as it is printed."""

from __future__ import annotations

from answerable.core.records import Record
from answerable.core.scores import Figure
from answerable.report.words import interval_text, percent, shown_interval


class Cell(Record, frozen=True):
    """One figure as it is printed."""

    text: str
    """``53.3 %``, or an en dash when undefined."""
    interval: str
    """``36.7–70.0``, or empty."""
    counts: str
    """``16/30``."""
    note: str
    """All of it in words, for a tool tip and for a screen reader."""
    value: float | None
    low: float | None
    high: float | None


def cell(figure: Figure, metric: str = "") -> Cell:
    """A figure as it is printed."""
    interval, kind = shown_interval(figure)
    counts = f"{figure.numerator}/{figure.denominator}"
    words = [f"{metric} = {percent(figure.value)}" if metric else percent(figure.value), f"{counts}"]
    if figure.value is None:
        words = [f"{metric} is undefined: nothing to count" if metric else "undefined: nothing to count"]
    elif interval is not None:
        words.append(f"95 % {kind} interval {interval_text(interval)}")
    return Cell(
        text=percent(figure.value), interval=interval_text(interval), counts=counts, note="; ".join(words),
        value=figure.value, low=interval[0] if interval else None, high=interval[1] if interval else None,
    )  # fmt: skip


def maybe_cell(figure: Figure | None, metric: str) -> Cell | None:
    """A figure as it is printed, if there is one."""
    return None if figure is None else cell(figure, metric)


def heat_step(rate: float | None) -> int:
    """How hot a share of failures is drawn: 0 (none, or undefined) to 10 (all).

    Any failure at all is visible, and only a full share gets the last step.
    """
    return 0 if not rate else min(10, max(1, int(rate * 10)))
