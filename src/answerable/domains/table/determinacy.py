"""When hiding leaves a table's answer determined.

The bounds of a column are not on the picture, so they settle nothing here: a hidden number may be any rational
whatever, a hidden time any minute of the day. An answer that is the same for all of them is the same in every
admissible table, and nobody who sees the picture needs to know the bounds.
"""

from __future__ import annotations

from answerable.domains.table.cells import DAY, Field
from answerable.domains.table.visibility import Hide, hidden_cells
from answerable.domains.table.world import TableWorld, field_of, grid
from answerable.logic import direct, sql
from answerable.logic.domains import Between, Domain, Integers, hide
from answerable.logic.program import Expression, Undefined
from answerable.logic.recheck import recheck_determined

_ANYTHING = Between(low=None, high=None)
_ANYTIME = Integers(low=0, high=DAY - 1)


def _domain(field: Field | None) -> Domain:
    return _ANYTIME if field is not None and field.kind == "time" else _ANYTHING


def undetermined(world: TableWorld, program: Expression, operation: Hide) -> str:
    """Why the answer is not shown to be the same whatever the hidden cells hold; empty when it is.

    Intervals are propagated anew, and both executors confirm the answer at the ends.
    """
    full = grid(world)
    numbers = set(full.positions)
    cells = sorted(cell for cell in hidden_cells(world, operation) if cell[1] in numbers)
    answer = direct.execute(program, full)
    if isinstance(answer, Undefined):
        return f"the program has no answer: {answer.reason}"
    domains = {cell: _domain(field_of(world, cell[1])) for cell in cells}
    found = recheck_determined(
        program, hide(full, cells), domains, answer, "interval", (direct.execute, sql.execute)
    )  # fmt: skip
    return "" if found.status == "holds" else found.detail
