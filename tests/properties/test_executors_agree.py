"""The two executors are equal on every grid and every look-up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from answerable.logic import direct, sql
from answerable.logic.program import Defined, Grid, Lookup
from tests.logic.grids import grids, names


@given(grids(), st.data())
def test_inside_the_grid(grid: Grid, data: st.DataObject) -> None:
    program = Lookup(
        series=data.draw(st.sampled_from(grid.series)), position=data.draw(st.sampled_from(grid.positions))
    )
    outcome = direct.execute(program, grid)
    assert isinstance(outcome, Defined)
    assert sql.execute(program, grid) == outcome


@given(grids(), names, names)
def test_anywhere(grid: Grid, series: str, position: str) -> None:
    program = Lookup(series=series, position=position)
    assert sql.execute(program, grid) == direct.execute(program, grid)
