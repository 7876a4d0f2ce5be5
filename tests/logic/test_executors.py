"""Both executors, case by case: the value, and the reason where there is none."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

from answerable.logic import direct, sql
from answerable.logic.program import Defined, Grid, Lookup, Outcome, Undefined
from tests.logic.grids import GRID, NASTY

EXECUTE = [pytest.param(direct.execute, id="direct"), pytest.param(sql.execute, id="sql")]
Execute = Callable[[Lookup, Grid], Outcome]


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize("row", range(2))
@pytest.mark.parametrize("column", range(3))
def test_a_look_up_gives_the_cell(execute: Execute, row: int, column: int) -> None:
    program = Lookup(series=GRID.series[row], position=GRID.positions[column])
    assert execute(program, GRID) == Defined(value=GRID.values[row][column])


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("series", "position", "reason"),
    [
        ("West", "2020", "no such series"),
        ("North", "2030", "no such position"),
        ("West", "2030", "no such series"),
        ("north", "2020", "no such series"),
        ("North ", "2020", "no such series"),
        ("2020", "North", "no such series"),
        ("", "", "no such series"),
    ],
)
def test_what_is_not_there_is_undefined_with_its_reason(
    execute: Execute, series: str, position: str, reason: str
) -> None:
    outcome = execute(Lookup(series=series, position=position), GRID)
    assert isinstance(outcome, Undefined)
    assert outcome.reason == reason


@pytest.mark.parametrize("execute", EXECUTE)
def test_names_are_data_never_code(execute: Execute) -> None:
    values = tuple(tuple(Fraction(i * 100 + j) for j in range(len(NASTY))) for i in range(len(NASTY)))
    grid = Grid(series=NASTY, positions=NASTY, values=values)
    for i, series in enumerate(NASTY):
        for j, position in enumerate(NASTY):
            assert execute(Lookup(series=series, position=position), grid) == Defined(value=Fraction(i * 100 + j))


@pytest.mark.parametrize("execute", EXECUTE)
def test_numbers_beyond_64_bits_stay_exact(execute: Execute) -> None:
    value = Fraction(-(2**200) - 1, 2**190 + 1)
    grid = Grid(series=("a",), positions=("b",), values=((value,),))
    assert execute(Lookup(series="a", position="b"), grid) == Defined(value=value)


@pytest.mark.parametrize("execute", EXECUTE)
def test_nothing_stays_from_one_grid_to_the_next(execute: Execute) -> None:
    one = Grid(series=("a",), positions=("x",), values=((Fraction(1),),))
    other = Grid(series=("b",), positions=("x",), values=((Fraction(2),),))
    assert execute(Lookup(series="a", position="x"), one) == Defined(value=Fraction(1))
    assert execute(Lookup(series="a", position="x"), other) == Undefined(reason="no such series")
    assert execute(Lookup(series="b", position="x"), other) == Defined(value=Fraction(2))


def test_the_database_forgets_a_grid_that_could_not_be_loaded() -> None:
    twice = Grid(series=("a", "a"), positions=("x",), values=((Fraction(1),), (Fraction(2),)))
    with pytest.raises(Exception, match="UNIQUE constraint"):
        sql.execute(Lookup(series="a", position="x"), twice)
    assert sql.execute(Lookup(series="North", position="2020"), GRID) == Defined(value=Fraction(1))


def test_threads_do_not_share_a_database() -> None:
    results: list[Outcome] = []

    def work() -> None:
        results.extend(sql.execute(Lookup(series="South", position="2021"), GRID) for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [Defined(value=Fraction(10**40 + 1, 3))] * 200
