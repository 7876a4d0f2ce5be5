"""Small columns: how many groups have 0, 1, ... k failed views."""

from __future__ import annotations

from markupsafe import Markup

from answerable.report.data import Histogram
from answerable.report.plots.svg import element

_WIDTH, _HEIGHT, _TOP, _FOOT = 240.0, 130.0, 18.0, 20.0
#: So many columns have room for a number each below and above.
_ROOM = 14


def histogram(plot: Histogram, top: int) -> Markup:
    """Columns with their counts above.

    Args:
        plot: counts for 0, 1, ... k failed views.
        top: the count at full height, the same for every run beside it.
    """
    bins = len(plot.counts)
    step = _WIDTH / max(1, bins)
    room = _HEIGHT - _TOP - _FOOT
    drawn = [element("line", {"class": "axis", "x1": 0, "x2": _WIDTH, "y1": _HEIGHT - _FOOT, "y2": _HEIGHT - _FOOT})]
    for index, count in enumerate(plot.counts):
        height = room * count / top if top else 0.0
        middle = step * (index + 0.5)
        kind = "column none" if index == 0 else "column"
        if count:
            column: dict[str, str | float] = {"class": kind, "x": step * index + step * 0.14, "width": step * 0.72}
            drawn.append(element("rect", {**column, "y": _HEIGHT - _FOOT - height, "height": height, "rx": 1.5}))
        label: dict[str, str | float] = {"x": middle, "text-anchor": "middle"}
        if count:
            drawn.append(element("text", {**label, "y": _HEIGHT - _FOOT - height - 5, "class": "count"}, str(count)))
        elif bins <= _ROOM:
            drawn.append(element("text", {**label, "y": _HEIGHT - _FOOT - 5, "class": "count zero"}, "0"))
        if index % (1 + (bins - 1) // _ROOM) == 0:
            drawn.append(element("text", {**label, "y": _HEIGHT - 5, "class": "tick"}, str(index)))
    words = ", ".join(f"{count} groups with {index}" for index, count in enumerate(plot.counts))
    box: dict[str, str | float] = {"class": "histogram", "viewBox": f"0 0 {int(_WIDTH)} {int(_HEIGHT)}", "role": "img"}
    return element("svg", {**box, "aria-label": f"{plot.name}, failed views a group: {words}"}, *drawn)
