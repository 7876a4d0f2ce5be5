"""Whether a question's words ask for what a program reads, and what can be removed so that they refer to nothing."""

from __future__ import annotations

from answerable.domains.table.problems import mentions, read_problem
from answerable.domains.table.templates import wordings
from answerable.domains.table.wording import names_in
from answerable.domains.table.world import TableWorld, grid, without_field, without_row
from answerable.logic.direct import execute
from answerable.logic.program import Expression, Undefined
from answerable.logic.types import cells


def asks(wording: str, world: TableWorld, program: Expression) -> bool:
    """Whether the words are one of our templates' for the program, or a word problem that reads as the program."""
    return wording in wordings(world, program) or read_problem(wording, world) == program


def removals(world: TableWorld, wording: str, program: Expression) -> tuple[TableWorld, ...]:
    """Tables without one row or column that the words refer to, over which the program has no answer.

    A row is referred to by its label. A column is referred to where the table has a header and the program reads it.
    """
    read = cells(program, grid(world))
    rows = sorted({row for row, _ in read if _named(wording, row)}) if len(world.rows) > 1 else []
    smaller = [without_row(world, row) for row in rows]
    if world.header:
        smaller += [without_field(world, column) for column in sorted({column for _, column in read})]
    return tuple(found for found in smaller if isinstance(execute(program, grid(found)), Undefined))


def _named(wording: str, row: str) -> bool:
    quoted = names_in(wording)
    return row in quoted if quoted else mentions(wording, row)
