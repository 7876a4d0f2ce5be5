"""A radar: one axis an ability, one closed line a run, from 0 at the centre to 1 at the rim."""

from __future__ import annotations

import math

from markupsafe import Markup

from answerable.report.plots.svg import element
from answerable.report.unsolvable import Radar

_WIDE, _HIGH, _RADIUS = 560.0, 400.0, 130.0
#: Text on an axis longer than this is cut; the heat map has it whole.
_LONGEST = 24


def _at(index: int, count: int, part: float) -> tuple[float, float]:
    """A place on an axis; the first axis points up, the others follow clockwise."""
    angle = 2 * math.pi * index / count - math.pi / 2
    return _WIDE / 2 + _RADIUS * part * math.cos(angle), _HIGH / 2 + _RADIUS * part * math.sin(angle)


def radar(plot: Radar) -> Markup:
    """Rings at a quarter, half, three quarters and one; an undefined value leaves a gap in its line."""
    count = len(plot.axes)
    drawn: list[Markup] = []
    for ring in (0.25, 0.5, 0.75, 1.0):
        corners = " ".join(_point(_at(index, count, ring)) for index in range(count))
        drawn.append(element("polygon", {"class": "ring", "points": corners}))
    for index, name in enumerate(plot.axes):
        x, y = _at(index, count, 1.0)
        drawn.append(element("line", {"class": "ring", "x1": _WIDE / 2, "y1": _HIGH / 2, "x2": x, "y2": y}))
        drawn.append(_label(index, count, name))
    for number, line in enumerate(plot.lines):
        places = [None if v is None else _at(i, count, v) for i, v in enumerate(line.values)]
        whole = [_point(place) for place in places if place is not None]
        kind = f"run run-{number}"
        if len(whole) == count:
            drawn.append(element("polygon", {"class": kind, "points": " ".join(whole)}))
        else:
            drawn += [
                element("line", {"class": kind, "x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]})
                for a, b in zip(places, places[1:] + places[:1], strict=True)
                if a is not None and b is not None
            ]
        drawn += [
            element("circle", {"class": f"dot-{number}", "cx": place[0], "cy": place[1], "r": 3})
            for place in places
            if place is not None
        ]
    words = "; ".join(
        f"{line.name}: " + ", ".join(f"{axis} {_words(v)}" for axis, v in zip(plot.axes, line.values, strict=True))
        for line in plot.lines
    )
    box: dict[str, str | float] = {"class": "radar", "viewBox": f"0 0 {int(_WIDE)} {int(_HIGH)}", "role": "img"}
    return element("svg", {**box, "aria-label": f"Dual accuracy by ability, {plot.setting}: {words}"}, *drawn)


def _point(place: tuple[float, float]) -> str:
    return f"{place[0]:.1f},{place[1]:.1f}"


def _words(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f} %"


def _label(index: int, count: int, name: str) -> Markup:
    x, y = _at(index, count, 1.08)
    anchor = "middle" if abs(x - _WIDE / 2) < 8 else "start" if x > _WIDE / 2 else "end"
    text = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return element("text", {"class": "tick", "x": x, "y": y + 4, "text-anchor": anchor}, text)
