"""Executor one: walk the grid with exact rationals."""

from __future__ import annotations

from answerable.logic.program import Defined, Grid, Outcome, Program, Undefined


def execute(program: Program, grid: Grid) -> Outcome:
    """Run ``program`` over ``grid``."""
    if program.series not in grid.series:
        return Undefined(reason="no such series")
    if program.position not in grid.positions:
        return Undefined(reason="no such position")
    row = grid.values[grid.series.index(program.series)]
    return Defined(value=row[grid.positions.index(program.position)])
