"""A table's world: every fact the picture shows, as exact rationals and text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from unicodedata import normalize

import msgspec

from answerable.core.records import Record
from answerable.domains.table.cells import Field, field_problems, shown
from answerable.logic.program import Cell, Grid

#: More fit on no picture.
MAX_ROWS, MAX_FIELDS = 28, 10
MAX_TEXT = 200


class TableWorld(Record, frozen=True):
    """A complete table: a header, a label in each row, and typed cells."""

    style: str
    """A key of ``styles.STYLES``."""
    title: str
    """Empty for none."""
    corner: str
    """Above the row labels; may be empty."""
    fields: tuple[Field, ...]
    """The columns after the one with the labels. None of them left is a table of labels."""
    rows: tuple[str, ...]
    """Row labels, each once."""
    values: tuple[tuple[Fraction, ...], ...]
    """``values[i][j]``: row ``i`` in column ``j``; see ``cells`` for how types are coded."""
    header: bool = True
    """Whether the header row is drawn; a price list has none."""


def numeric(world: TableWorld) -> tuple[Field, ...]:
    """The columns that programs may read."""
    return tuple(field for field in world.fields if field.numeric)


def grid(world: TableWorld) -> Grid:
    """What programs run over: series are rows, positions are the columns of numbers."""
    chosen = [place for place, field in enumerate(world.fields) if field.numeric]
    return Grid(
        series=world.rows,
        positions=tuple(world.fields[place].name for place in chosen),
        values=tuple(tuple(line[place] for place in chosen) for line in world.values),
    )


def field_of(world: TableWorld, name: str) -> Field | None:
    """The column of this name."""
    return next((field for field in world.fields if field.name == name), None)


def place_of(world: TableWorld, cell: Cell) -> tuple[int, int] | None:
    """Row and column number of a cell; None when the table has none such."""
    names = [field.name for field in world.fields]
    if cell[0] not in world.rows or cell[1] not in names:
        return None
    return world.rows.index(cell[0]), names.index(cell[1])


def facts(world: TableWorld) -> dict[Cell, str]:
    """Every cell with the text it shows (its exact value where it could show none)."""
    return {
        (row, field.name): shown(field, value) or str(value)
        for row, line in zip(world.rows, world.values, strict=True)
        for field, value in zip(world.fields, line, strict=True)
    }


def value_at(world: TableWorld, cell: Cell) -> Fraction:
    """One value; the cell must exist."""
    row, column = _place(world, cell)
    return world.values[row][column]


def with_values(world: TableWorld, changes: Iterable[tuple[Cell, Fraction]]) -> TableWorld:
    """The world with some cells changed; they must exist."""
    lines = [list(line) for line in world.values]
    for cell, value in changes:
        row, column = _place(world, cell)
        lines[row][column] = value
    return msgspec.structs.replace(world, values=tuple(map(tuple, lines)))


def _place(world: TableWorld, cell: Cell) -> tuple[int, int]:
    found = place_of(world, cell)
    if found is None:
        raise KeyError(cell)
    return found


def without_row(world: TableWorld, row: str) -> TableWorld:
    """The world without one row."""
    keep = [place for place, name in enumerate(world.rows) if name != row]
    return msgspec.structs.replace(
        world, rows=tuple(world.rows[place] for place in keep), values=tuple(world.values[place] for place in keep)
    )


def without_field(world: TableWorld, name: str) -> TableWorld:
    """The world without one column."""
    keep = [place for place, field in enumerate(world.fields) if field.name != name]
    return msgspec.structs.replace(
        world,
        fields=tuple(world.fields[place] for place in keep),
        values=tuple(tuple(line[place] for place in keep) for line in world.values),
    )


def shape_problems(world: TableWorld) -> tuple[str, ...]:
    """What makes a world malformed, whatever its picture: sizes, duplicates, declarations."""
    rows, columns = len(world.rows), len(world.fields)
    if not 1 <= rows <= MAX_ROWS:
        return (f"expected 1 to {MAX_ROWS} rows; got {rows}",)
    if columns > MAX_FIELDS:
        return (f"expected at most {MAX_FIELDS} columns beside the labels; got {columns}",)
    found = []
    if len(world.values) != rows or any(len(line) != columns for line in world.values):
        found.append(f"expected values for {rows} rows x {columns} columns")
    names = [field.name for field in world.fields]
    if len(set(map(_plain, world.rows))) != rows or len(set(map(_plain, names))) != columns:
        found.append("expected different names for rows and for columns, whatever their case and white space")
    if any(not name.strip() for name in (*world.rows, *names)):
        found.append("expected a name for every row and column")
    for field in world.fields:
        found += field_problems(field)
    texts = [world.title, world.corner, *world.rows, *names]
    texts += [text for field in world.fields for text in (*field.words, field.prefix, field.suffix, field.measure)]
    if any(len(text) > MAX_TEXT for text in texts):
        found.append(f"expected texts of at most {MAX_TEXT} signs")
    if any("\ud800" <= sign <= "\udfff" for text in texts for sign in text[:MAX_TEXT]):
        found.append("expected whole characters; got half of a surrogate pair")
    return tuple(found)


def _plain(name: str) -> str:
    """What is left of a name when answers are compared: two of one plain form would be one answer."""
    return " ".join(normalize("NFKC", name[: MAX_TEXT + 1]).casefold().split())


def alike(fields: Iterable[Field]) -> bool:
    """Whether the columns hold the same sort of thing, so that a row of them can be added up or compared."""
    return len({(field.kind, field.prefix, field.suffix, field.measure) for field in fields}) == 1
