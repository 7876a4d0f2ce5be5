"""A measure by kind (style, colour, lines ...): a row a kind, a dot with its interval for every run."""

from __future__ import annotations

from markupsafe import Markup

from answerable.core.records import Record
from answerable.report.plots.scatter import colour
from answerable.report.plots.svg import element

_WIDE, _LEFT, _RIGHT, _TOP, _FOOT = 330.0, 92.0, 14.0, 6.0, 22.0
#: Between two runs of a kind, and between two kinds.
_STEP, _GAP = 9.0, 11.0
#: Text on an axis longer than this is cut; the table has it whole.
_LONGEST = 13


class Dot(Record, frozen=True):
    """One run on one kind."""

    run: int
    value: float | None
    low: float | None
    high: float | None
    words: str


class Dots(Record, frozen=True):
    """One measure by one kind."""

    source: str
    kind: str
    measure: str
    rows: tuple[tuple[str, tuple[Dot, ...]], ...]
    """Each kind with its dots."""


def _x(value: float) -> float:
    return _LEFT + min(1.0, max(0.0, value)) * (_WIDE - _LEFT - _RIGHT)


def dots(plot: Dots) -> Markup:
    """Rows over one axis from 0 to 100; an undefined value leaves its place empty."""
    drawn: list[Markup] = []
    y = _TOP
    for name, row in plot.rows:
        high = _STEP * max(1, len(row))
        text = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        place: dict[str, str | float] = {"class": "tick", "x": _LEFT - 8, "y": y + high / 2 + 4, "text-anchor": "end"}
        drawn.append(element("text", place, text))
        drawn += [_dot(one, y + _STEP * (number + 0.5)) for number, one in enumerate(row) if one.value is not None]
        y += high + _GAP
    foot = y - _GAP / 2
    axis: list[Markup] = []
    for step in range(6):
        x = _x(step / 5)
        axis.append(element("line", {"class": "ring", "x1": x, "x2": x, "y1": _TOP - 4, "y2": foot}))
        label: dict[str, str | float] = {"class": "tick", "x": x, "y": foot + 14, "text-anchor": "middle"}
        axis.append(element("text", label, str(20 * step)))
    words = "; ".join(f"{name}: {', '.join(one.words for one in row)}" for name, row in plot.rows)
    box: dict[str, str | float] = {"class": "dots", "viewBox": f"0 0 {int(_WIDE)} {int(foot + _FOOT)}", "role": "img"}
    return element("svg", {**box, "aria-label": f"{plot.measure} by {plot.kind}: {words}"}, *axis, *drawn)


def _dot(one: Dot, y: float) -> Markup:
    parts = [element("title", {}, one.words)]
    if one.low is not None and one.high is not None:
        parts.append(element("line", {"class": "spread", "x1": _x(one.low), "x2": _x(one.high), "y1": y, "y2": y}))
    parts.append(element("circle", {"class": "point", "cx": _x(one.value or 0.0), "cy": y, "r": 4}))
    return element("g", {"class": colour(one.run)}, *parts)
