"""Horizontal bars that fill whatever width they are given: a rate with its interval, the loss decomposition,
and the standard form of a question against its unsolvable one.
"""

from __future__ import annotations

from markupsafe import Markup

from answerable.report.cells import Cell
from answerable.report.data import LossBar
from answerable.report.plots.svg import element, share
from answerable.report.unsolvable import Against


def rate_bar(cell: Cell) -> Markup:
    """A rate from 0 to 1 as a bar, its interval as a line with ends. Empty track when undefined."""
    parts = [element("rect", {"class": "track", "x": 0, "y": 3, "width": "100%", "height": 6, "rx": 3})]
    if cell.value is not None and cell.value > 0:
        parts.append(
            element("rect", {"class": "rate", "x": 0, "y": 3, "width": share(cell.value), "height": 6, "rx": 3})
        )
    if cell.low is not None and cell.high is not None:
        low, high = share(cell.low), share(cell.high)
        parts.append(element("line", {"class": "spread", "x1": low, "x2": high, "y1": 6, "y2": 6}))
        ends = (element("line", {"class": "spread", "x1": end, "x2": end, "y1": 2, "y2": 10}) for end in (low, high))
        parts.extend(ends)
    return element("svg", {"class": "ratebar", "width": "100%", "height": 12, "aria-hidden": "true"}, *parts)


def loss_bar(bar: LossBar) -> Markup:
    """The groups of one run as a stacked bar; a number stands in every segment that has room for it."""
    drawn, start = [], 0.0
    for part in bar.parts:
        width = part.count / bar.groups if bar.groups else 0.0
        if part.count:
            title = element("title", {}, f"{part.words}: {part.count} of {bar.groups}")
            drawn.append(
                element(
                    "rect",
                    {"class": f"loss-{part.kind}", "x": share(start), "y": 0, "width": share(width), "height": 26},
                    title,
                )
            )
            if width >= 0.05:
                place: dict[str, str | float] = {"class": f"on-{part.kind}", "x": share(start + width / 2), "y": 17.5}
                drawn.append(element("text", {**place, "text-anchor": "middle"}, str(part.count)))
        start += width
    words = f"{bar.name}, {bar.groups} groups: " + "; ".join(f"{part.words} {part.count}" for part in bar.parts)
    return element(
        "svg", {"class": "lossbar", "width": "100%", "height": 26, "role": "img", "aria-label": words}, *drawn
    )


def against_bar(row: Against) -> Markup:
    """Standard above unsolvable, and a mark where both are right."""
    drawn = []
    for place, (kind, cell) in enumerate((("standard", row.standard), ("upd", row.upd))):
        y = 2 + 12 * place
        drawn.append(element("rect", {"class": "track", "x": 0, "y": y, "width": "100%", "height": 9, "rx": 2}))
        if cell.value:
            title = element("title", {}, cell.note)
            size: dict[str, str | float] = {"x": 0, "y": y, "width": share(cell.value), "height": 9, "rx": 2}
            drawn.append(element("rect", {"class": kind, **size}, title))
    if row.dual.value is not None:
        x = share(row.dual.value)
        title = element("title", {}, row.dual.note)
        drawn.append(element("line", {"class": "dual", "x1": x, "x2": x, "y1": 0, "y2": 25}, title))
    words = f"{row.name}, {row.setting}: standard {row.standard.text}, unsolvable {row.upd.text}, both {row.dual.text}"
    return element(
        "svg", {"class": "against", "width": "100%", "height": 25, "role": "img", "aria-label": words}, *drawn
    )
