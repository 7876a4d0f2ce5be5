"""A page on which shapes, text of any kind and pictures are put from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from answerable.certify.lettering import BOX, folded
from answerable.domains.chart.families.skia_raster import SkiaFamily
from answerable.domains.chart.shapes import Drawing, Rect, Shape, Text
from answerable.domains.raster import png

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

#: Pixels: of the sheet, of its margin, between columns, around a text in a box.
WIDTH, MARGIN, GAP, PAD = 1600, 48, 24, 14
INNER = WIDTH - 2 * MARGIN
PAPER, LINE = "#ffffff", "#cfd4dc"
Align = Literal["left", "center", "right"]


class Canvas:
    """Shapes and pictures, from top to bottom."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.pictures: list[tuple[int, int, Pixels]] = []
        self.boxed = False
        """Whether some sign had no glyph."""
        self.y = MARGIN

    def lines(self, text: str, size: float, limit: float, *, bold: bool = False, most: int = 100) -> tuple[str, ...]:
        """See ``folded``."""
        found = folded(text, size, limit, bold=bold, most=most)
        self.boxed |= any(BOX in line for line in found)
        return found

    def write(
        self, x: float, y: int, lines: Sequence[str], size: float, colour: str,
        *, bold: bool = False, align: Align = "left",
    ) -> int:  # fmt: skip
        """Lines under one another from ``y`` on; gives where the next would begin."""
        for place, line in enumerate(lines):
            base = y + place * tall(size) + round(size)
            self.shapes.append(Text(x, base, line, size, colour, align, bold=bold))
        return y + tall(size) * len(lines)

    def paragraph(self, text: str, size: float, colour: str, *, bold: bool = False, most: int = 100) -> None:
        """Text over the whole width."""
        lines = self.lines(text, size, INNER, bold=bold, most=most)
        self.y = self.write(MARGIN, self.y, lines, size, colour, bold=bold) + round(size / 2)

    def box(self, x: float, y: float, wide: float, high: float, fill: str, edge: str = LINE) -> None:
        """A filled rectangle with an edge of one pixel."""
        self.shapes += [Rect(x, y, x + wide, y + high, edge), Rect(x + 1, y + 1, x + wide - 1, y + high - 1, fill)]

    def place(self, pixels: Pixels, x: int, y: int, wide: int) -> None:
        """A picture in the middle of a column, with a hairline around it."""
        left = x + (wide - pixels.shape[1]) // 2
        high, across = pixels.shape[:2]
        self.box(left - 1, y - 1, across + 2, high + 2, PAPER)
        self.pictures.append((left, y, pixels))

    def rule(self) -> None:
        """A line between parts."""
        self.y += 20
        self.shapes.append(Rect(MARGIN, self.y, WIDTH - MARGIN, self.y + 1, LINE))
        self.y += 24

    def finish(self) -> bytes:
        """All of it as a PNG file."""
        drawing = Drawing(WIDTH, self.y + MARGIN, PAPER, (), tuple(self.shapes))
        pixels = SkiaFamily().render(drawing).copy()
        for x, y, picture in self.pictures:
            pixels[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
        return png.encode(pixels)


def tall(size: float) -> int:
    """Height of a line of text."""
    return round(size * 1.4)


def fitted(pixels: Pixels, wide: int, high: int) -> Pixels:
    """The picture itself where it fits, else scaled down until it does."""
    height, across = pixels.shape[:2]
    share = min(1.0, wide / across, high / height)
    if share == 1.0:
        return pixels
    from PIL import Image

    size = (max(1, round(across * share)), max(1, round(height * share)))
    return np.array(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))
