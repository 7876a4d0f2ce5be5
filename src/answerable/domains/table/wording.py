"""Words that all question templates share: names in quotation marks, amounts, and how to give the answer."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.codec import answer_text
from answerable.core.seeds import Stream
from answerable.domains.table.cells import Field, shown
from answerable.domains.table.world import TableWorld, field_of, numeric, place_of
from answerable.logic.program import Cell, Number

LABEL = "Answer with the row's label."
COLUMN = "Answer with the column's name."
YES_NO = "Answer yes or no."
SIGN = "A negative result has a minus sign."
EXACT = "Give it exactly; a fraction such as 10/3 will do."


def quoted(name: str) -> str:
    """A name inside a question."""
    return f"\u201c{name}\u201d"


def names_in(question: str) -> frozenset[str]:
    """The names a question quotes."""
    return frozenset(part.split("\u201d", 1)[0] for part in question.split("\u201c")[1:])


def under(world: TableWorld, name: str) -> str:
    """`` under "Price"``; nothing where the table has no header to look under."""
    return f" under {quoted(name)}" if world.header else ""


def amount(field: Field) -> str:
    """How to give a value of a column."""
    said = field.kind == "integer" or field.prefix or field.suffix
    return f" Give it in {field.measure}." if field.measure and not said else ""


def limit_text(field: Field, value: Fraction) -> str:
    """A threshold as the column would show it."""
    return shown(field, value) or answer_text(value)


def beyond(field: Field, sign: str) -> str:
    """What ``>`` or ``<`` means for a column."""
    if field.kind == "time":
        return "later than" if sign == ">" else "earlier than"
    return "above" if sign == ">" else "below"


def numbers(world: TableWorld, *, times: bool = False) -> list[Field]:
    """Columns of numbers, with or without times of day."""
    return [field for field in numeric(world) if times or field.kind != "time"]


def threshold(world: TableWorld, field: Field, stream: Stream, beyond_all: str = "") -> Number | None:
    """A round value inside the column's bounds that no cell of it has; None when there is none.

    Args:
        beyond_all: ``>`` or ``<`` for a value that no cell is above (below), if there is one.
    """
    span = field.upper - field.lower
    step = field.step if field.kind != "time" else Fraction(15)
    for size in (50, 20, 10, 5, 2, 1):
        if span / (step * size) >= 6:
            step *= size
            break
    low, high = field.lower // step + 1, -(-field.upper // step) - 1
    place = world.fields.index(field)
    seen = sorted(line[place] for line in world.values)
    taken = set(seen)
    free = [step * index for index in range(int(low), min(int(high), int(low) + 400) + 1) if step * index not in taken]
    if beyond_all:
        chosen = [value for value in free if (value > seen[-1] if beyond_all == ">" else value < seen[0])]
    else:
        # Between the least and the greatest cell, so that the count is not known beforehand.
        chosen = [value for value in free if seen[0] < value < seen[-1]]
    return Number(value=stream.pick(chosen or free)) if free else None


def cell_field(world: TableWorld, cell: Cell) -> Field | None:
    """The column of a cell of numbers, if the table has the cell."""
    field = field_of(world, cell[1]) if place_of(world, cell) is not None else None
    return field if field is not None and field.numeric else None
