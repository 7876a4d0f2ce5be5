"""Reading a paper's folder: ``sources.json`` says what its CSV files are, and every cell is checked against it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable

import msgspec

from answerable.core.codec import decode
from answerable.core.errors import SourceError
from answerable.score.published.tables import About, Paper, Sheet, Table

_FIGURE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", re.ASCII)


def read_paper(folder: Traversable) -> Paper:
    """A paper and its tables.

    Raises:
        SourceError: a file is missing or is not what ``sources.json`` says; the message has file and line.
    """
    about = _about(folder)
    return Paper(about, {sheet.name: read_table(folder, sheet) for sheet in about.tables})


def _about(folder: Traversable) -> About:
    where = f"{folder.name}/sources.json"
    try:
        about = decode(_text(folder, "sources.json"), About)
    except msgspec.DecodeError as error:
        raise SourceError("a description of a paper and its tables", str(error), where) from error
    names = [sheet.name for sheet in about.tables]
    if not names or len(set(names)) < len(names):
        raise SourceError("at least one table, each with a name of its own", f"names={names}", where)
    for sheet in about.tables:
        shown = (*sheet.down, *sheet.across, *sheet.pages)
        if not set(shown) <= set(sheet.fields) or len(set(shown)) < len(shown):
            raise SourceError("rows, columns and pages made of different keys", f"{sheet.name}: {shown}", where)
    return about


def _text(folder: Traversable, name: str) -> str:
    try:
        return folder.joinpath(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError("a readable file of published figures", str(error), f"{folder.name}/{name}") from error


def read_table(folder: Traversable, sheet: Sheet) -> Table:
    """One table, a row for every figure that the paper prints.

    Raises:
        SourceError: as above.
    """
    where = f"{folder.name}/{sheet.file}"
    lines = list(csv.reader(io.StringIO(_text(folder, sheet.file), newline="")))
    header = [*sheet.keys, *sheet.columns]
    if not lines or lines[0] != header:
        raise SourceError(f"the header {','.join(header)}", repr(",".join(lines[0]) if lines else ""), f"{where}:1")
    rows: list[tuple[str, ...]] = []
    known: set[tuple[str, ...]] = set()
    for number, cells in enumerate(lines[1:], 2):
        keys = _keys(cells, sheet, f"{where}:{number}")
        if keys in known:
            raise SourceError("every row once", f"{','.join(keys)} again", f"{where}:{number}")
        known.add(keys)
        rows.extend(_figures(keys, cells[len(keys) :], sheet))
    return Table(sheet, tuple(rows))


def _keys(cells: Sequence[str], sheet: Sheet, where: str) -> tuple[str, ...]:
    width = len(sheet.keys)
    if len(cells) != width + len(sheet.columns):
        raise SourceError(f"{width + len(sheet.columns)} cells", f"{len(cells)}", where)
    if not all(cells[:width]):
        raise SourceError(f"a value for each of {', '.join(sheet.keys)}", repr(",".join(cells)), where)
    for name, cell in zip(sheet.columns, cells[width:], strict=True):
        if cell and not _FIGURE.fullmatch(cell):
            raise SourceError("a figure such as 37.1, or nothing", f"{name}={cell!r}", where)
    return tuple(cells[:width])


def _figures(keys: tuple[str, ...], cells: Sequence[str], sheet: Sheet) -> Iterator[tuple[str, ...]]:
    if not sheet.spread:
        yield (*keys, *cells)
        return
    yield from ((*keys, name, cell) for name, cell in zip(sheet.columns, cells, strict=True) if cell)
