"""Where tables come from: made up, a user's CSV or Parquet file, or the problems of TabMWP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Protocol

from answerable.build.sources.columns import declare, format_of
from answerable.build.sources.table import Row, read_rows
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Record, Refusal
from answerable.core.registry import Registry
from answerable.core.seeds import Stream
from answerable.domains.table.cells import Field
from answerable.domains.table.styles import styles_of
from answerable.domains.table.world import TableWorld, numeric

#: A window of a large table.
WINDOW_ROWS, WINDOW_COLUMNS = 9, 5


class TableFigure(Record, frozen=True):
    """A table of a source."""

    id: str
    """The same every time; splits are made by it."""
    world: TableWorld | None = None
    """In a style that whoever draws it may change; None for the sampler, whose tables are drawn where the work is
    done."""
    questions: int = 1
    """How many questions it can be asked at most."""
    wording: str = ""
    """The question that comes with the table; empty to ask our own."""
    answer: str = ""
    """The answer that comes with the question."""
    choices: tuple[str, ...] = ()
    """The choices that come with the question."""


class TableSource(Protocol):
    """A source of tables."""

    name: str
    """Of the groups it gives, for example ``table-sampler``."""
    licence: str
    per_figure: int
    """Groups to make of one table at most, unless the user says otherwise; 0 means as many as it has questions."""
    controls: bool
    """Whether a group must have a cell that its question does not read, so that S and K exist."""

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests."""
        ...

    def figures(self) -> Iterator[TableFigure | Refusal]:
        """Tables in a fixed order; a refusal for each thing looked at that is none."""
        ...


TABLE_SOURCES: Registry[Callable[..., TableSource]] = Registry(
    "source of tables",
    "answerable.table_sources",
    {
        "sampler": "answerable.build.sources.table_worlds:TableSamplerSource",
        "sheet": "answerable.build.sources.table_worlds:SheetSource",
        "tabmwp": "answerable.build.sources.tabmwp:ProblemSource",
    },
)


class TableSamplerSource:
    """The endless source: made-up tables, drawn from their number by whoever does the work."""

    name = "table-sampler"
    licence = "CC0-1.0"
    per_figure = 1
    controls = True

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def describe(self) -> tuple[str, ...]:
        """See ``TableSource.describe``."""
        return (f"made-up tables from seed {self._seed}",)

    def figures(self) -> Iterator[TableFigure | Refusal]:
        """See ``TableSource.figures``."""
        return (TableFigure(id=f"table-{self._seed}-{index}") for index in count())


class SheetSource:
    """Windows of one table file, or of every table file in a folder. The first column names the rows.

    Args:
        title: of every table; empty takes the file's name.
    """

    name = "table-sheet"
    licence = "as the user's data"
    per_figure = 0
    controls = True

    def __init__(self, paths: tuple[Path, ...], title: str = "") -> None:
        self._paths, self._title = paths, title

    def describe(self) -> tuple[str, ...]:
        """See ``TableSource.describe``."""
        return tuple(f"{path.name} sha256={digest_bytes(path.read_bytes())}" for path in self._paths)

    def figures(self) -> Iterator[TableFigure | Refusal]:
        """See ``TableSource.figures``.

        Raises:
            SourceError: a file is not a table, or none of its columns holds numbers or times.
        """
        for path in self._paths:
            yield from self._windows(path)

    def _windows(self, path: Path) -> Iterator[TableFigure | Refusal]:
        rows = read_rows(path)
        header, body = [name.strip() for name in rows[0].cells], rows[1:]
        formats = [format_of([row.cells[place] for row in body if row.cells[place].strip()])
                   for place in range(len(header))]  # fmt: skip
        if all(form.kind == "text" for form in formats[1:]):
            raise SourceError(
                "a column of numbers or times beside the first",
                f"texts only: {', '.join(header[1:6])}",
                where=str(path),
                fix="the cells of a column must be written alike, such as $1,250.00 or 14:35, with one unit",
            )
        title, number = self._title or path.stem.replace("_", " "), 0
        for start in range(0, len(body), WINDOW_ROWS):
            lines = body[start : start + WINDOW_ROWS]
            for first in range(1, len(header), WINDOW_COLUMNS):
                places = range(first, min(first + WINDOW_COLUMNS, len(header)))
                name = f"{path.name}#{number}"
                problem = _window_problem(lines, places, header)
                if problem is not None:
                    yield problem
                else:
                    columns = [declare(header[place], formats[place], [row.cells[place] for row in lines])
                               for place in places]  # fmt: skip
                    yield _figure(name, title, header[0], lines, columns)
                number += 1


def _window_problem(lines: list[Row], places: range, header: list[str]) -> Refusal | None:
    labels = [row.cells[0].strip() for row in lines]
    for row, label in zip(lines, labels, strict=True):
        if not label:
            return Refusal(reason="row without a label", detail=row.place)
        if [other.casefold() for other in labels].count(label.casefold()) > 1:
            return Refusal(reason="rows share a label", detail=f"{label[:60]!r} ({row.place})")
        for place in places:
            if not row.cells[place].strip():
                return Refusal(reason="empty cell", detail=f"{row.place}, column {header[place][:60]!r}")
    return None


def _figure(
    name: str, title: str, corner: str, lines: list[Row], columns: list[tuple[Field, tuple[Fraction, ...]]]
) -> TableFigure | Refusal:
    world = TableWorld(
        style=Stream("style", name).pick(styles_of(("ruled", "zebra", "sheet", "book"))),
        title=title,
        corner=corner,
        fields=tuple(field for field, _ in columns),
        rows=tuple(row.cells[0].strip() for row in lines),
        values=tuple(zip(*(values for _, values in columns), strict=True)),
    )
    if not numeric(world):
        return Refusal(reason="no column of numbers", detail=name)
    return TableFigure(id=name, world=world, questions=len(world.rows) * len(numeric(world)))
