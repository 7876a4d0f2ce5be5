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

from answerable.build.sources import Figure
from answerable.build.sources.decimals import parse_decimal
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Record, Refusal
from answerable.domains.chart.numbers import axis_for, decimals_of, scale_for
from answerable.domains.chart.vocabulary import PALETTES
from answerable.domains.chart.world import SCALES, ChartWorld, Kind

MAX_BYTES = 64 * 1024 * 1024
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


def read_sheet(path: Path, shape: str = "auto") -> Sheet:
    """Read a table file.

    Raises:
        SourceError: it is not a table of numbers of the given shape; the message names file, line and column.
    """
    if path.stat().st_size > MAX_BYTES:
        raise SourceError(f"a table of at most {MAX_BYTES} bytes", f"{path.stat().st_size}", where=str(path))
    rows = _parquet_rows(path) if path.suffix.lower() == ".parquet" else _csv_rows(path)
    header, body = rows[0], rows[1:]
    if len(set(header)) != len(header) or "" in header[1:]:
        raise SourceError("a different name in every column of the first line", f"{header!r}", where=f"{path}, line 1")
    if len(header) < 2 or not body:
        raise SourceError(
            "at least two columns and one line of data", f"{len(header)} columns, {len(body)} lines", where=str(path)
        )
    lowered = [name.strip().lower() for name in header]
    is_long = set(LONG_COLUMNS) <= set(lowered)
    if shape == "long" and not is_long:
        raise SourceError(f"columns named {', '.join(LONG_COLUMNS)}", f"{', '.join(header)}", where=f"{path}, line 1")
    if shape == "long" or (shape == "auto" and is_long):
        return _long(path, [lowered.index(name) for name in LONG_COLUMNS], body)
    return _wide(path, header, body)


def _wide(path: Path, header: list[str], body: list[list[str]]) -> Sheet:
    positions = [line[0].strip() for line in body]
    _distinct(path, positions)
    columns = [
        tuple(_number(path, line, header[index], body[line][index]) for line in range(len(body)))
        for index in range(1, len(header))
    ]
    return Sheet(
        positions=tuple(positions),
        series=tuple(name.strip() for name in header[1:]),
        values=tuple(columns),
        corner=header[0].strip(),
    )


def _long(path: Path, places: list[int], body: list[list[str]]) -> Sheet:
    found: dict[tuple[str, str], Fraction] = {}
    for line, row in enumerate(body):
        series, position = row[places[0]].strip(), row[places[1]].strip()
        if not series or not position:
            raise SourceError("a series and a position", f"{row!r}", where=f"{path}, line {line + 2}")
        if (series, position) in found:
            raise SourceError(
                "one value a series and position",
                f"two for {series!r} at {position!r}",
                where=f"{path}, line {line + 2}",
            )
        found[(series, position)] = _number(path, line, "value", row[places[2]])
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


def _distinct(path: Path, positions: list[str]) -> None:
    for line, name in enumerate(positions):
        if not name:
            raise SourceError("a name in the first column", "an empty cell", where=f"{path}, line {line + 2}")
        if name in positions[:line]:
            raise SourceError(
                "a different name in every line of the first column",
                f"{name!r} again",
                where=f"{path}, line {line + 2}",
                fix="for one row a value, name the columns series, position and value",
            )


def _number(path: Path, line: int, column: str, text: str) -> Fraction:
    value = parse_decimal(text)
    if value is None:
        got = f"{text[:60]!r}" if text.strip() else "an empty cell"
        raise SourceError(
            "a finite decimal number such as 1234.5 or 1,234.5",
            got,
            where=f"{path}, line {line + 2}, column {column!r}",
            fix="put units in --unit and words in the first column; leave out lines without a value",
        )
    return value


def _csv_rows(path: Path) -> list[list[str]]:
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
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True) if any(row)]
    except csv.Error as error:
        raise SourceError("a well-formed CSV file", str(error), where=str(path)) from error
    if not rows:
        raise SourceError("a table with a first line of names", "an empty file", where=str(path))
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise SourceError(f"{len(rows[0])} cells", f"{len(row)}", where=f"{path}, line {number}")
    return rows


def _parquet_rows(path: Path) -> list[list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise SourceError("a readable Parquet file", str(error), where=str(path)) from error
    columns = [["" if cell is None else _cell_text(cell) for cell in column.to_pylist()] for column in table.columns]
    return [list(table.column_names), *(list(row) for row in zip(*columns, strict=True))]


def _cell_text(cell: object) -> str:
    """A float's shortest decimal text; everything else as it is written."""
    return repr(cell) if isinstance(cell, float) else str(cell)
