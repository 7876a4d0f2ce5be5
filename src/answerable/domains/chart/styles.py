"""The look of each rendering family, and the colours that every style shares.

Gridlines, axis lines and masks have the same exact colours in all styles and are drawn on whole pixels, so that
a mask can be recognised from pixels alone.
"""

from __future__ import annotations

from typing import Literal

from answerable.core.records import Record

PAPER = "#ffffff"
GRID = "#dfe2e7"
AXIS = "#5a616d"
MASK_FILL = "#b9bec8"
MASK_EDGE = "#8b92a0"
INK = "#1d2129"


class Style(Record, frozen=True):
    """Places and sizes, in pixels."""

    name: str
    width: int = 650
    height: int = 450
    legend: Literal["top", "right"] = "top"
    title_align: Literal["left", "center"] = "center"
    title_bold: bool = False
    title_size: float = 15.0
    label_size: float = 11.0
    value_size: float = 9.0
    frame: bool = False
    """A box around the data region, with outward ticks."""
    bar_share: float = 0.8
    """Part of a position's room that its bars take."""
    line_width: float = 2.0
    dot_radius: float = 4.0
    edge: int = 12
    """Empty margin of the picture."""


STYLES = {
    "matplotlib": Style(name="matplotlib", frame=True),
    "vega": Style(name="vega", legend="right", title_align="left", title_bold=True, title_size=14.0, bar_share=0.86),
    "skia": Style(name="skia", title_align="left", title_size=16.0, bar_share=0.76, line_width=2.5, dot_radius=4.5),
}
