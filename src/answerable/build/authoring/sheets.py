"""A sheet of rows that somebody wrote: CSV, TSV, JSON or plain YAML. Every cell stays the text it was.

Nothing in a file is trusted: sizes are bounded, and of YAML no more is read than a list of texts needs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from answerable.build.authoring.plain_yaml import read_list
from answerable.build.importers.items import Folder
from answerable.build.sources.mcq import UnusableError, parse_json
from answerable.core.errors import SourceError
from answerable.core.records import Record

#: Rows of a sheet, and characters of a YAML file.
MAX_ROWS, MAX_YAML = 100_000, 1 << 24


class Row(Record, frozen=True):
    """One row."""

    number: int
    """Of its line in a CSV or TSV file, of its place from 1 elsewhere."""
    cells: Mapping[str, str]
    """By column in small letters, without space around; empty ones too."""


def read_rows(folder: Folder, name: str, needed: tuple[str, ...], known: tuple[str, ...]) -> tuple[Row, ...]:
    """The rows of a sheet.

    Args:
        folder: where the sheet lies.
        name: of its file; the ending says what it is.
        needed: columns that must be there.
        known: columns that may be.

    Raises:
        SourceError: it cannot be read, or its columns are not these.
    """
    where = f"{folder.root}/{name}"
    ending = name.rpartition(".")[2].casefold()
    if ending not in _READ:
        raise SourceError(f"a sheet: {', '.join(f'.{one}' for one in _READ)}", name, where=where)
    try:
        text = folder.text(name)
    except UnusableError as error:
        raise SourceError("a sheet that can be read", f"{error.reason}: {error.detail}", where=where) from error
    found = tuple(_READ[ending](text, where))
    if not found:
        raise SourceError("at least one row", "none", where=where)
    columns = dict.fromkeys(column for row in found for column in row.cells)
    missing = [column for column in needed if column not in columns]
    odd = [column for column in columns if column not in (*needed, *known)]
    if missing or odd:
        got = [f"no {', '.join(missing)}"] if missing else []
        got += [f"the unknown {', '.join(column[:40] for column in odd[:8])}"] if odd else []
        raise SourceError(
            f"the columns {', '.join(needed)} and, if you like, {', '.join(known)}", " and ".join(got), where=where,
            fix="the first line of a table names its columns",
        )  # fmt: skip
    return found


def _table(text: str, where: str, delimiter: str) -> Iterator[Row]:
    # The limit of a cell belongs to the process, and the file is bounded already.
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        heads = [head.strip().casefold() for head in next(lines, [])]
        _no_twice(heads, where)
        for cells in _bounded(lines, where):
            number = lines.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(heads) and any(cell.strip() for cell in cells[len(heads) :]):
                raise SourceError(
                    f"at most {len(heads)} cells in a row", f"{len(cells)}", where=f"{where}, line {number}",
                    fix='put a text with the separator in it between quotation marks: "Yes, or no?"',
                )  # fmt: skip
            padded = [*cells, *[""] * (len(heads) - len(cells))]
            yield Row(number, {head: cell.strip() for head, cell in zip(heads, padded, strict=False) if head})
    except csv.Error as error:
        raise SourceError("a table", str(error)[:160], where=f"{where}, line {lines.line_num}") from error


def _no_twice(heads: list[str], where: str) -> None:
    twice = sorted({head for head in heads if head and heads.count(head) > 1})
    if twice:
        raise SourceError("every column once", f"more than one {', '.join(twice[:5])}", where=where)


def _bounded(lines: Iterable[Any], where: str) -> Iterator[Any]:
    for number, line in enumerate(lines):
        if number >= MAX_ROWS:
            raise SourceError(f"at most {MAX_ROWS} rows", "more", where=where)
        yield line


def _json(text: str, where: str) -> Iterator[Row]:
    yield from _listed(parse_json(text, where), where)


def _yaml(text: str, where: str) -> Iterator[Row]:
    if len(text) > MAX_YAML:
        raise SourceError(f"a YAML file of at most {MAX_YAML} characters", f"{len(text)}", where=where)
    yield from _listed(read_list(text, where), where)


def _listed(found: Any, where: str) -> Iterator[Row]:
    """Rows of a list of mappings, or of the list under ``questions``."""
    if isinstance(found, dict) and set(found) == {"questions"}:
        found = found["questions"]
    if not isinstance(found, list):
        raise SourceError("a list of questions", type(found).__name__, where=where)
    for number, entry in enumerate(_bounded(found, where), start=1):
        place = f"{where}, question {number}"
        if not isinstance(entry, dict):
            raise SourceError("a mapping of columns to texts", type(entry).__name__, where=place)
        cells: dict[str, str] = {}
        for column, cell in entry.items():
            if not isinstance(column, str) or not isinstance(cell, str | None):
                raise SourceError("a text", f"{str(column)[:40]} is {type(cell).__name__}", where=place)
            head = column.strip().casefold()
            if head in cells:
                raise SourceError("every column once", f"more than one {head[:40]}", where=place)
            cells[head] = (cell or "").strip()
        yield Row(number, cells)


_READ: dict[str, Callable[[str, str], Iterator[Row]]] = {
    "csv": lambda text, where: _table(text, where, ","),
    "tsv": lambda text, where: _table(text, where, "\t"),
    "json": _json,
    "yaml": _yaml,
    "yml": _yaml,
}
