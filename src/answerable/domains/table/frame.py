"""The fixed part of a table: its size, lines, header, labels, and the box of every cell.

It is computed from the world's fixed facts only. No content of a cell moves it, hidden or not, so it can tell
nothing: a column is as wide as the widest text that its declaration admits.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import msgspec

from answerable.core.records import Refusal
from answerable.domains.chart.shapes import Box, Rect, Shape, Text
from answerable.domains.chart.text import CAP, missing_glyphs, width, wrapped
from answerable.domains.table.cells import extreme_texts
from answerable.domains.table.styles import GUTTER_FILL, GUTTER_INK, STYLES, TableStyle
from answerable.domains.table.world import TableWorld

#: Pixels a column may take, a header before it is broken into lines, and a picture.
MOST_CELL, MOST_HEADER, MOST_TITLE = 300, 150, 560
MOST_WIDTH, MOST_HEIGHT = 1400, 1100
Align = Literal["left", "center", "right"]
#: Lines of a header cell or title.
MOST_LINES = 3


class Frame(msgspec.Struct, frozen=True):
    """Where everything goes."""

    width: int
    height: int
    cells: tuple[tuple[Box, ...], ...]
    """The inside of each cell, between its lines, whole pixels: by row, then by column (labels left out)."""
    shapes: tuple[Shape, ...]
    problems: tuple[Refusal, ...]


@lru_cache(maxsize=64)
def frame(world: TableWorld) -> Frame:
    """Lay out the fixed part.

    Args:
        world: with ``values`` emptied (see ``visibility.show``); of a known style.
    """
    return _Builder(world, STYLES[world.style]).build()


class _Builder:
    """Measures columns and rows first, then draws from back to front."""

    def __init__(self, world: TableWorld, style: TableStyle) -> None:
        self.world, self.style = world, style
        self.problems: list[Refusal] = []
        self.shapes: list[Shape] = []
        self.rows_numbered = 0
        names = [world.corner, *(field.name for field in world.fields)] if world.header else []
        self.headers = [self.lines(name, MOST_HEADER, style.size, bold=style.bold_header) for name in names]
        self.widths = self.column_widths()
        self.title = self.title_lines()
        self.widen()

    def refuse(self, reason: str, detail: str) -> None:
        self.problems.append(Refusal(reason=reason, detail=detail))

    def lines(self, text: str, limit: float, size: float, *, bold: bool) -> tuple[str, ...]:
        """A text broken into lines; refused where it does not fit or cannot be drawn."""
        missing = missing_glyphs(text, bold)
        if missing:
            self.refuse("no glyph", f"{missing!a} in {text[:60]!r}")
        found = wrapped(text, size, limit, bold=bold)
        if len(found) > MOST_LINES or any(width(line, size, bold) > limit for line in found):
            self.refuse("text does not fit its cell", f"{text[:60]!r} in {limit:.0f} pixels and {MOST_LINES} lines")
        return found[:MOST_LINES]

    def column_widths(self) -> list[int]:
        """Pixels between the lines of each column, the labels' first."""
        style, world = self.style, self.world
        texts = [world.rows, *(extreme_texts(field) for field in world.fields)]
        found = []
        for place, some in enumerate(texts):
            widest = max((self.measured(text) for text in some), default=0.0)
            if world.header:
                lines = self.headers[place]
                widest = max([widest, *(width(line, style.size, style.bold_header) for line in lines)])
            found.append(math.ceil(widest) + 2 * style.pad)
        return found

    def measured(self, text: str) -> float:
        """Width of a cell's text; refused where it does not fit or cannot be drawn."""
        missing = missing_glyphs(text)
        if missing:
            self.refuse("no glyph", f"{missing!a} in {text[:60]!r}")
        found = width(text, self.style.size)
        if found > MOST_CELL:
            self.refuse("text does not fit its cell", f"{text[:60]!r}: {found:.0f} pixels of {MOST_CELL}")
        return min(found, MOST_CELL)

    def title_lines(self) -> tuple[str, ...]:
        if not self.world.title:
            return ()
        limit = max(MOST_TITLE, sum(self.widths))
        return self.lines(self.world.title, min(limit, MOST_WIDTH), self.style.title_size, bold=self.title_bold())

    def title_bold(self) -> bool:
        return self.style.bold_header

    def widen(self) -> None:
        """The label column takes the room that the title needs beyond the table."""
        measured = [width(line, self.style.title_size, self.title_bold()) for line in self.title]
        pad = 2 * self.style.pad if self.style.title_bar else 0
        missing = math.ceil(max(measured, default=0.0)) + pad - (sum(self.widths) + len(self.widths) + 1)
        self.widths[0] += max(0, missing)

    def build(self) -> Frame:
        """All parts, from back to front."""
        style = self.style
        self.left = style.edge + style.gutter
        self.lefts = [self.left + 1]
        for span in self.widths[:-1]:
            self.lefts.append(self.lefts[-1] + span + 1)
        self.right = self.lefts[-1] + self.widths[-1]
        self.tops: list[int] = []
        y = style.edge
        if style.gutter:
            y = self.letters(y)
        start, ends = y, []
        for part in (self.draw_title, self.draw_header):
            bottom = part(y)
            if bottom > y:
                ends.append(bottom)
            y = bottom
        if not style.title_bar and self.title:
            start = ends[0] if ends else start
        cells = []
        for row in range(len(self.world.rows)):
            self.tops.append(y)
            cells.append(self.draw_row(row, y))
            y += style.height + 1
            ends.append(y)
        self.rule(start, ends, y)
        picture = (self.right + 1 + style.edge, y + 1 + style.edge)
        if picture[0] > MOST_WIDTH or picture[1] > MOST_HEIGHT:
            self.refuse(
                "table does not fit the picture", f"{picture[0]}x{picture[1]} pixels of {MOST_WIDTH}x{MOST_HEIGHT}"
            )
        return Frame(*picture, tuple(cells), tuple(self.shapes), tuple(self.problems))

    def letters(self, y: int) -> int:
        """The strip of column letters that spreadsheets have."""
        style, bottom = self.style, y + 21
        self.shapes.append(Rect(style.edge, y, self.right + 1, bottom, GUTTER_FILL))
        for place, (left, span) in enumerate(zip(self.lefts, self.widths, strict=True)):
            letter = chr(ord("A") + place)
            self.shapes.append(Text(left + span / 2, y + 10 + 11 * CAP / 2, letter, 11.0, GUTTER_INK, "center"))
            self.shapes.append(Rect(left - 1, y, left, bottom, style.line))
        return bottom

    def gutter(self, y: int, bottom: int) -> None:
        """The next row number."""
        style = self.style
        if not style.gutter:
            return
        self.rows_numbered += 1
        self.shapes.append(Rect(style.edge, y, self.left, bottom, GUTTER_FILL))
        self.shapes.append(
            Text(
                style.edge + style.gutter / 2, (y + bottom) / 2 + 11 * CAP / 2, str(self.rows_numbered), 11.0,
                GUTTER_INK, "center",
            )
        )  # fmt: skip

    def draw_title(self, y: int) -> int:
        """The title: a bar of the table, or a heading above it."""
        style = self.style
        if not self.title:
            return y
        tall = round(style.title_size * 1.3)
        bottom = y + tall * len(self.title) + (style.height - tall + 1 if style.title_bar else 8)
        if style.title_bar:
            self.shapes.append(Rect(self.left, y, self.right + 1, bottom, style.title_fill))
        centred = style.title_bar and not style.gutter
        x = (self.left + self.right) / 2 if centred else self.lefts[0] + (style.pad if style.title_bar else 0)
        middle = (y + bottom) / 2 if style.title_bar else y + tall * len(self.title) / 2
        first = middle - tall * (len(self.title) - 1) / 2 + style.title_size * CAP / 2
        for place, line in enumerate(self.title):
            self.shapes.append(
                Text(
                    x, round(first + place * tall), line, style.title_size, style.title_ink,
                    "center" if centred else "left", bold=self.title_bold(),
                )
            )  # fmt: skip
        self.gutter(y, bottom)
        return bottom

    def draw_header(self, y: int) -> int:
        style = self.style
        if not self.world.header:
            return y
        tall = round(style.size * 1.25)
        bottom = y + style.height + 1 + tall * (max(map(len, self.headers)) - 1)
        self.shapes.append(Rect(self.left, y, self.right + 1, bottom, style.header_fill))
        for place, lines in enumerate(self.headers):
            numbers = place > 0 and self.world.fields[place - 1].numeric
            first = (y + bottom) / 2 - tall * (len(lines) - 1) / 2 + style.size * CAP / 2
            for number, line in enumerate(lines):
                self.write(place, round(first + number * tall), line, numbers=numbers, header=True)
        self.gutter(y, bottom)
        return bottom

    def draw_row(self, row: int, y: int) -> tuple[Box, ...]:
        """Background and label of a row; gives the boxes of its cells."""
        style, bottom = self.style, y + self.style.height + 1
        fill = style.fills[row % 2]
        self.shapes.append(Rect(self.left, y, self.right + 1, bottom, fill))
        self.write(0, baseline(y, style), self.world.rows[row], numbers=False)
        self.gutter(y, bottom)
        return tuple(
            (float(left), float(y + 1), float(left + span), float(bottom))
            for left, span in zip(self.lefts[1:], self.widths[1:], strict=True)
        )

    def write(self, place: int, y: int, text: str, *, numbers: bool, header: bool = False) -> None:
        """A text in a column."""
        style = self.style
        x, align = anchor(self.lefts[place], self.widths[place], style, numbers=numbers)
        ink = style.header_ink if header else style.ink
        self.shapes.append(Text(x, y, text, style.size, ink, align, bold=header and style.bold_header))

    def rule(self, top: int, ends: list[int], bottom: int) -> None:
        """Lines between rows and columns, one pixel each, and a frame."""
        style = self.style
        left = style.edge if style.gutter else self.left
        inner = [end for end in ends if end > top]
        kept = inner if style.rows_ruled else [end for end in inner if end in (self.tops[0], bottom)]
        for y in (top, *kept):
            self.shapes.append(Rect(left, y, self.right + 1, y + 1, style.line))
        first = ends[0] if style.title_bar and self.title else top
        if style.columns_ruled:
            for x in self.lefts[1:]:
                self.shapes.append(Rect(x - 1, first, x, bottom + 1, style.line))
        if style.columns_ruled or style.title_bar:
            for x in (self.left, self.right):
                self.shapes.append(Rect(x, top, x + 1, bottom + 1, style.line))


def baseline(top: float, style: TableStyle) -> int:
    """Where a cell's text stands, from the line above its row."""
    return round(top + (style.height + 1) / 2 + style.size * CAP / 2)


def anchor(left: float, span: float, style: TableStyle, *, numbers: bool) -> tuple[float, Align]:
    """Where a text of a column stands: a place that no content moves."""
    if not numbers or style.numbers == "left":
        return left + style.pad, "left"
    return (left + span / 2, "center") if style.numbers == "center" else (left + span - style.pad, "right")
