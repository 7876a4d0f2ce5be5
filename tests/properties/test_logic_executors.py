"""Direct evaluation and SQL are equal on every typed program and every grid."""

from __future__ import annotations

from hypothesis import given, settings

from answerable.logic import direct, sql
from answerable.logic.program import Expression, Grid
from tests.logic.expressions import any_program, small_grids


@settings(max_examples=400, deadline=None)
@given(any_program, small_grids())
def test_direct_and_sql_give_the_same(program: Expression, grid: Grid) -> None:
    assert sql.execute(program, grid) == direct.execute(program, grid)
