"""A user's own numbers: CSV, TSV or Parquet, wide or long.

Wide: the first column names the positions, every other column is a series. Long: one row a value, in columns
named ``series``, ``position`` and ``value``. Numbers are read as decimal text. Large tables are cut into windows
that fit a picture, each a figure of its own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerable.build.sources import Figure
from answerable.build.sources.decimals import parse_decimal
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.parquet import check, readable
from answerable.core.records import Record, Refusal
from answerable.domains.chart.numbers import axis_for, decimals_of, scale_for
from answerable.domains.chart.vocabulary import PALETTES
from answerable.domains.chart.world import SCALES, ChartWorld, Kind

if TYPE_CHECKING:
    import pyarrow as pa

MAX_BYTES = 64 * 1024 * 1024
#: Cells of a Parquet table, which may be far larger than its file.
MAX_CELLS = 2_000_000
#: A window of a large table.
WINDOW_POSITIONS, WINDOW_SERIES = 8, 4
LONG_COLUMNS = ("series", "position", "value")


class TableOptions(Record, frozen=True):
    """What a table cannot say itself."""

    title: str = ""
    """Empty: the file's name."""
    value_title: str = "Value"
    position_title: str = ""
    """Empty: the name of the first column, or nothing."""
    unit: str = ""
    scale: int = 0
    """One of 1, 1000, 10**6, 10**9; 0 chooses by the size of the values."""
    shape: str = "auto"
    """``wide``, ``long`` or ``auto``: long when the columns are series, position and value."""


class Sheet(Record, frozen=True):
    """A table of exact numbers."""

    positions: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]
    corner: str
    """Name of the positions."""


class TableSource:
    """Figures of one table file or of every table in a folder."""

    name = "chart-table"
    licence = "as the user's data"
    per_figure = 0

    def __init__(
        self, paths: tuple[Path, ...], kinds: tuple[Kind, ...], options: TableOptions, *, value_labels: bool
    ) -> None:
        self._paths, self._kinds, self._options, self._labels = paths, kinds, options, value_labels
        if options.scale not in (0, *SCALES):
            raise SourceError(f"a scale of {', '.join(map(str, SCALES))}", f"scale={options.scale}", where="--scale")

    def describe(self) -> tuple[str, ...]:
        """See ``Source.describe``."""
        return tuple(f"{path.name} sha256={digest_bytes(path.read_bytes())}" for path in self._paths)

    def figures(self) -> Iterator[Figure | Refusal]:
        """See ``Source.figures``."""
        number = 0
        for path in self._paths:
            sheet = read_sheet(path, self._options.shape)
            for window in _windows(sheet):
                kinds = [kind for kind in self._kinds if kind in _fitting(window)] or list(self._kinds)
                world = self._world(path, window, kinds[number % len(kinds)], number)
                cells = len(window.series) * len(window.positions)
                yield Figure(id=f"{path.name}#{number}", worlds=(world,), cells=cells)
                number += 1

    def _world(self, path: Path, sheet: Sheet, kind: Kind, number: int) -> ChartWorld:
        options = self._options
        flat = [value for line in sheet.values for value in line]
        low, high = min(flat), max(flat)
        scale = options.scale or scale_for(max(abs(low), abs(high)))
        digits = [decimals_of(value / scale) for value in flat]
        return ChartWorld(
            kind=kind,
            title=options.title or path.stem.replace("_", " "),
            position_title=options.position_title or sheet.corner,
            value_title=options.value_title,
            unit=options.unit,
            scale=scale,
            decimals=min(6, max((digit for digit in digits if digit is not None), default=0)),
            series=sheet.series,
            positions=sheet.positions,
            values=sheet.values,
            colours=PALETTES[number % len(PALETTES)][: len(sheet.series)],
            axis=axis_for(low, high, from_zero=kind in ("vbar", "hbar")),
            value_labels=self._labels,
        )


def _fitting(sheet: Sheet) -> tuple[Kind, ...]:
    """Lines join positions, so they need an order: numbers that rise."""
    numbers = [parse_decimal(name) for name in sheet.positions]
    rising = all(a is not None and b is not None and a < b for a, b in pairwise(numbers))
    return ("vbar", "hbar", "line", "dot_line") if rising and len(numbers) > 2 else ("vbar", "hbar")


def _windows(sheet: Sheet) -> Iterator[Sheet]:
    for row in range(0, len(sheet.series), WINDOW_SERIES):
        for column in range(0, len(sheet.positions), WINDOW_POSITIONS):
            yield Sheet(
                positions=sheet.positions[column : column + WINDOW_POSITIONS],
                series=sheet.series[row : row + WINDOW_SERIES],
                values=tuple(
                    line[column : column + WINDOW_POSITIONS] for line in sheet.values[row : row + WINDOW_SERIES]
                ),
                corner=sheet.corner,
            )


def read_rows(path: Path) -> list[Row]:
    """The lines of a table file as texts: the names first, one different name a column, then at least one line.

    Raises:
        SourceError: it is not a table; the message names file and line.
    """
    if path.stat().st_size > MAX_BYTES:
        raise SourceError(f"a table of at most {MAX_BYTES} bytes", f"{path.stat().st_size}", where=str(path))
    rows = _parquet_rows(path) if path.suffix.lower() == ".parquet" else _csv_rows(path)
    header, body = [name.strip() for name in rows[0].cells], rows[1:]
    if len(set(header)) != len(header) or "" in header[1:]:
        raise SourceError("a different name in every column of the first line", f"{header!r}", where=rows[0].place)
    if len(header) < 2 or not body:
        raise SourceError(
            "at least two columns and one line of data", f"{len(header)} columns, {len(body)} lines", where=str(path)
        )
    return rows


def read_sheet(path: Path, shape: str = "auto") -> Sheet:
    """Read a table file.

    Raises:
        SourceError: it is not a table of numbers of the given shape; the message names file, line and column.
    """
    rows = read_rows(path)
    header, body = [name.strip() for name in rows[0].cells], rows[1:]
    lowered = [name.lower() for name in header]
    is_long = all(lowered.count(name) == 1 for name in LONG_COLUMNS)
    if shape == "long" and not is_long:
        raise SourceError(
            f"one column each named {', '.join(LONG_COLUMNS)}", f"{', '.join(header)}", where=rows[0].place
        )
    if shape == "long" or (shape == "auto" and is_long):
        return _long(path, [lowered.index(name) for name in LONG_COLUMNS], body)
    return _wide(header, body)


def _wide(header: list[str], body: list[Row]) -> Sheet:
    _distinct(body)
    columns = [tuple(_number(row, header[index], row.cells[index]) for row in body) for index in range(1, len(header))]
    return Sheet(
        positions=tuple(row.cells[0].strip() for row in body),
        series=tuple(header[1:]),
        values=tuple(columns),
        corner=header[0],
    )


def _long(path: Path, places: list[int], body: list[Row]) -> Sheet:
    found: dict[tuple[str, str], Fraction] = {}
    for row in body:
        series, position = row.cells[places[0]].strip(), row.cells[places[1]].strip()
        if not series or not position:
            raise SourceError("a series and a position", f"{row.cells!r}", where=row.place)
        if (series, position) in found:
            raise SourceError("one value a series and position", f"two for {series!r} at {position!r}", where=row.place)
        found[(series, position)] = _number(row, "value", row.cells[places[2]])
    names = tuple(dict.fromkeys(series for series, _ in found))
    positions = tuple(dict.fromkeys(position for _, position in found))
    for series in names:
        for position in positions:
            if (series, position) not in found:
                raise SourceError(
                    "a value for every series at every position",
                    f"none for {series!r} at {position!r}",
                    where=str(path),
                    fix="add the line, or leave the series or the position out",
                )
    values = tuple(tuple(found[(series, position)] for position in positions) for series in names)
    return Sheet(positions=positions, series=names, values=values, corner="")


def _distinct(body: list[Row]) -> None:
    seen: set[str] = set()
    for row in body:
        name = row.cells[0].strip()
        if not name:
            raise SourceError("a name in the first column", "an empty cell", where=row.place)
        if name in seen:
            raise SourceError(
                "a different name in every line of the first column",
                f"{name!r} again",
                where=row.place,
                fix="for one row a value, name the columns series, position and value",
            )
        seen.add(name)


def _number(row: Row, column: str, text: str) -> Fraction:
    value = parse_decimal(text)
    if value is None:
        got = f"{text[:60]!r}" if text.strip() else "an empty cell"
        raise SourceError(
            "a finite decimal number such as 1234.5 or 1,234.5",
            got,
            where=f"{row.place}, column {column!r}",
            fix="put units in --unit and words in the first column; leave out lines without a value",
        )
    return value


class Row(Record, frozen=True):
    """A line of a table."""

    cells: tuple[str, ...]
    place: str
    """File and line, for messages."""


def _csv_rows(path: Path) -> list[Row]:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            "a table in UTF-8",
            f"byte {data[error.start]:#x} at place {error.start}",
            where=str(path),
            fix="save it as UTF-8 (in a spreadsheet: 'CSV UTF-8')",
        ) from error
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        rows = [Row(tuple(cells), f"{path}, line {reader.line_num}") for cells in reader if "".join(cells).strip()]
    except csv.Error as error:
        raise SourceError("a well-formed CSV file", str(error), where=str(path)) from error
    if not rows:
        raise SourceError("a table with a first line of names", "an empty file", where=str(path))
    for row in rows:
        if len(row.cells) != len(rows[0].cells):
            raise SourceError(f"{len(rows[0].cells)} cells", f"{len(row.cells)}", where=row.place)
    return rows


def _parquet_rows(path: Path) -> list[Row]:
    import pyarrow.parquet as pq

    with readable(path, SourceError):
        facts = pq.read_metadata(path)
        if facts.num_rows * facts.num_columns > MAX_CELLS:
            raise SourceError(
                f"a table of at most {MAX_CELLS} cells", f"{facts.num_rows}x{facts.num_columns}", where=str(path)
            )
        table = pq.read_table(path)
        check(table)
    columns = [_cell_texts(column) for column in table.columns]
    body = (Row(cells, f"{path}, row {number}") for number, cells in enumerate(zip(*columns, strict=True), start=1))
    return [Row(tuple(table.column_names), f"{path}, column names"), *body]


def _cell_texts(column: pa.ChunkedArray[Any]) -> list[str]:
    """A float's shortest decimal text, in its own precision; everything else as it is written."""
    import numpy as np
    import pyarrow as pa

    cells = column.to_pylist()
    if pa.types.is_float32(column.type):
        cells = [None if cell is None else np.float32(cell) for cell in cells]
    return ["" if cell is None else str(cell) for cell in cells]
