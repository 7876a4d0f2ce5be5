"""The looks of tables. A family of styles may be held out of training; its members differ in colours only."""

from __future__ import annotations

from typing import Literal

import msgspec

from answerable.core.records import Record
from answerable.domains.chart.styles import INK, MASK_EDGE, MASK_FILL, PAPER
from answerable.domains.table.visibility import Appearance

FAMILIES: tuple[str, ...] = ("ruled", "zebra", "sheet", "book")


class TableStyle(Record, frozen=True):
    """Sizes in pixels, and colours."""

    family: str
    size: float = 14.0
    """Of all text but the title."""
    title_size: float = 15.0
    pad: int = 10
    """Empty room left and right of the widest text of a cell."""
    height: int = 28
    """Of a row of one line."""
    edge: int = 14
    """Empty margin of the picture."""
    numbers: Literal["left", "center", "right"] = "right"
    """Where numbers stand in their cell; texts and labels stand left."""
    bold_header: bool = True
    title_bar: bool = False
    """The title has a bar of its own in the table; else it stands above it."""
    title_fill: str = PAPER
    title_ink: str = INK
    header_fill: str = PAPER
    header_ink: str = INK
    ink: str = INK
    fills: tuple[str, str] = (PAPER, PAPER)
    """Of rows in turn."""
    line: str = "#000000"
    """Between cells."""
    columns_ruled: bool = True
    """Lines between columns, not only between rows."""
    rows_ruled: bool = True
    gutter: int = 0
    """Width of row numbers beside the table, as in a spreadsheet; 0 for none."""


GUTTER_FILL, GUTTER_INK = "#eceff3", "#5b6470"

_RULED = TableStyle(family="ruled", line="#30343b", numbers="right")
_ZEBRA = TableStyle(
    family="zebra", size=14.0, height=30, pad=14, columns_ruled=False, rows_ruled=False, line="#9aa3b2", title_size=17.0
)
_SHEET = TableStyle(
    family="sheet", size=13.0, height=24, pad=7, edge=0, line="#d5d9df", gutter=30, title_bar=True, title_size=13.0,
    numbers="right",
)  # fmt: skip
_BOOK = TableStyle(
    family="book", height=31, pad=9, edge=6, numbers="center", title_bar=True, bold_header=False, header_ink="#ffffff",
    title_ink="#ffffff",
)  # fmt: skip


def _zebra(fill: str, header: str, header_ink: str) -> TableStyle:
    return msgspec.structs.replace(_ZEBRA, fills=(PAPER, fill), header_fill=header, header_ink=header_ink)


def _book(title: str, header: str, line: str) -> TableStyle:
    return msgspec.structs.replace(_BOOK, title_fill=title, header_fill=header, line=line)


def _list(first: str, second: str, line: str) -> TableStyle:
    """A book's tinted list: dark on light in all parts."""
    return msgspec.structs.replace(
        _BOOK, fills=(first, second), title_fill=line, header_fill=line, line=line, columns_ruled=False,
        rows_ruled=False, header_ink=INK, title_ink=INK, bold_header=True,
    )  # fmt: skip


STYLES: dict[str, TableStyle] = {
    "ruled-plain": _RULED,
    "ruled-grey": msgspec.structs.replace(_RULED, header_fill="#e4e7ec", line="#8d95a1"),
    "ruled-open": msgspec.structs.replace(_RULED, columns_ruled=False, line="#4a505a", pad=16),
    "zebra-grey": _zebra("#f1f3f6", PAPER, INK),
    "zebra-blue": _zebra("#e8f1fb", "#2b5c9e", "#ffffff"),
    "zebra-sand": _zebra("#f8f2e4", "#e9dcbc", INK),
    "sheet-plain": _SHEET,
    "sheet-green": msgspec.structs.replace(_SHEET, header_fill="#d9ead3"),
    "book-blue": _book("#0d78c9", "#2f9be6", "#a9b1bb"),
    "book-orange": _book("#c9640a", "#e88424", "#b3b3b3"),
    "book-green": _book("#2e7d32", "#4f9e53", "#86a888"),
    "book-violet": _book("#5e4fae", "#8173d0", "#b4b0c8"),
    "book-mint": _list("#bfead0", "#def5e6", "#8fd3ab"),
    "book-sky": _list("#cde4fd", "#e9f3fe", "#9cc6f2"),
}

#: What a hidden cell is covered with: fill and edge.
MASKS: dict[Appearance, tuple[str, str]] = {"patch": (MASK_FILL, MASK_EDGE), "ink": ("#23272e", "#23272e")}


def styles_of(families: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the styles of some families."""
    return tuple(name for name, style in STYLES.items() if style.family in families)
