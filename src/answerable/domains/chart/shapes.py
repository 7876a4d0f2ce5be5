"""What a chart is drawn with: a few shapes in pixel coordinates, origin at the top left."""

from __future__ import annotations

from typing import Literal

import msgspec

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1."""


class Rect(msgspec.Struct, frozen=True, gc=False):
    """A filled rectangle; whole coordinates give whole pixels."""

    x0: float
    y0: float
    x1: float
    y1: float
    fill: str


class Line(msgspec.Struct, frozen=True):
    """A polyline with round joins."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float


class Dot(msgspec.Struct, frozen=True, gc=False):
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: str


class Text(msgspec.Struct, frozen=True, gc=False):
    """One line of text at a baseline."""

    x: float
    """Anchor: where ``align`` says, on the baseline."""
    y: float
    text: str
    size: float
    """Pixels an em."""
    colour: str
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False
    upright: bool = True
    """False: turned 90 degrees, read from bottom to top; ``x`` is then the baseline and ``y`` the anchor."""
    halo: bool = False
    """White edge that keeps it legible over lines."""


Shape = Rect | Line | Dot | Text


class Drawing(msgspec.Struct, frozen=True):
    """A whole picture in two layers; the first is the same for every value the chart could show."""

    width: int
    height: int
    background: str
    fixed: tuple[Shape, ...]
    moving: tuple[Shape, ...]


def text_box(shape: Text, measured: float) -> Box:
    """The box a text covers; ``measured`` is its width in pixels."""
    from answerable.domains.chart.text import CAP, DEPTH

    start = {"left": 0.0, "center": -measured / 2, "right": -measured}[shape.align]
    up, down = CAP * shape.size, DEPTH * shape.size
    if shape.upright:
        return (shape.x + start, shape.y - up, shape.x + start + measured, shape.y + down)
    return (shape.x - up, shape.y - start - measured, shape.x + down, shape.y - start)


def overlap(a: Box, b: Box, slack: float = 0.0) -> bool:
    """Whether two boxes come closer than ``slack`` pixels."""
    return a[0] < b[2] + slack and b[0] < a[2] + slack and a[1] < b[3] + slack and b[1] < a[3] + slack
