"""Paired differences as points with intervals around a zero line."""

from __future__ import annotations

from markupsafe import Markup

from answerable.report.data import Difference, Forest
from answerable.report.plots.svg import element, share

_HEIGHT = 26
#: Kept free at both ends, so that a whole point is seen there.
_MARGIN = 0.02


def place(value: float, limit: float) -> str:
    """Where a difference lies on an axis from ``-limit`` to ``limit``, as a share of the width."""
    inside = (min(limit, max(-limit, value)) / limit + 1) / 2
    return share(_MARGIN + inside * (1 - 2 * _MARGIN))


def difference(row: Difference, plot: Forest) -> Markup:
    """One row of the plot, as high as its label needs: the zero line runs on from row to row."""
    low, middle, high = (place(value, plot.limit) for value in (row.low, row.value, row.high))
    zero, half = place(0, plot.limit), "50%"
    kind = "difference sure" if row.excludes_zero else "difference unsure"
    parts = [element("line", {"class": "zero", "x1": zero, "x2": zero, "y1": 0, "y2": "100%"})]
    parts.append(element("line", {"class": "spread", "x1": low, "x2": high, "y1": half, "y2": half}))
    parts.append(element("circle", {"class": "point", "cx": middle, "cy": half, "r": 5}))
    verdict = "excludes zero" if row.excludes_zero else "includes zero"
    words = f"{row.a} minus {row.b}: {row.text} percentage points; the interval {verdict}"
    return element(
        "svg", {"class": kind, "width": "100%", "height": _HEIGHT, "role": "img", "aria-label": words}, *parts
    )


def axis(plot: Forest) -> Markup:
    """The axis under the rows, in percentage points."""
    parts = []
    for value in (-plot.limit, -plot.limit / 2, 0.0, plot.limit / 2, plot.limit):
        at = place(value, plot.limit)
        anchor = "start" if value == -plot.limit else "end" if value == plot.limit else "middle"
        text = f"{100 * value:+g}".replace("-", "−") if value else "0"
        parts.append(element("line", {"class": "axis", "x1": at, "x2": at, "y1": 0, "y2": 5}))
        parts.append(element("text", {"class": "tick", "x": at, "y": 17, "text-anchor": anchor}, text))
    return element("svg", {"class": "forestaxis", "width": "100%", "height": 20, "aria-hidden": "true"}, *parts)
