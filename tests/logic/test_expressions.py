"""What each operation means, under both executors, case by case."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from answerable.core.errors import InputError
from answerable.logic import direct, sql
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Everything,
    Expression,
    Extreme,
    ExtremeLabel,
    Grid,
    If,
    Label,
    Lookup,
    Mean,
    Named,
    Not,
    Number,
    Or,
    Product,
    Rank,
    Ratio,
    Result,
    Row,
    Sum,
    Trend,
    Truth,
    Undefined,
    Where,
)

Execute = Callable[[Expression, Grid], Result]
EXECUTE = [pytest.param(direct.execute, id="direct"), pytest.param(sql.execute, id="sql")]


def grid(*lines: tuple[int | Fraction, ...]) -> Grid:
    """Series A, B, ... at positions w, x, ..."""
    return Grid(
        series=tuple("ABCD"[: len(lines)]),
        positions=tuple("wxyz"[: len(lines[0])]),
        values=tuple(tuple(Fraction(value) for value in line) for line in lines),
    )


GRID = grid((1, 5, 3), (4, 4, 0))
A, B = Row("A"), Row("B")
AW, AX, BY = Lookup("A", "w"), Lookup("A", "x"), Lookup("B", "y")
NOTHING = Ratio(AW, BY)
GONE = Lookup("C", "w")


def number(value: int | Fraction) -> Number:
    return Number(Fraction(value))


def defined(value: int | Fraction) -> Defined:
    return Defined(Fraction(value))


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("program", "result"),
    [
        (Sum((AW, AX, number(Fraction(1, 2)))), defined(Fraction(13, 2))),
        (Sum((AW,)), defined(1)),
        (Difference(AW, AX), defined(-4)),
        (Product((AX, AX, number(-1))), defined(-25)),
        (Mean((AW, AX, BY)), defined(2)),
        (Ratio(AW, number(-3)), defined(Fraction(-1, 3))),
        (NOTHING, Undefined("division by zero")),
        (Sum((NOTHING, GONE)), Undefined("division by zero")),
        (Sum((GONE, NOTHING)), Undefined("no such series")),
        (Ratio(GONE, BY), Undefined("no such series")),
        (Lookup("A", "q"), Undefined("no such position")),
    ],
)
def test_arithmetic(execute: Execute, program: Expression, result: Result) -> None:
    assert execute(program, GRID) == result


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("program", "result"),
    [
        (Aggregate("sum", A), defined(9)),
        (Aggregate("mean", Column("x")), defined(Fraction(9, 2))),
        (Aggregate("min", Everything()), defined(0)),
        (Aggregate("max", Cells((("A", "w"), ("B", "x")))), defined(4)),
        (Aggregate("count", Everything()), defined(6)),
        (Aggregate("count", Everything(), Where(">=", number(4))), defined(3)),
        (Aggregate("count", A, Where(">", number(99))), defined(0)),
        (Aggregate("sum", A, Where(">", number(99))), defined(0)),
        (Aggregate("sum", B, Where("==", number(4))), defined(8)),
        (Aggregate("mean", A, Where("!=", number(5))), defined(2)),
        (Aggregate("mean", A, Where(">", number(99))), Undefined("nothing selected")),
        (Aggregate("min", A, Where("<", number(-1))), Undefined("nothing selected")),
        (Aggregate("max", A, Where("<=", AW)), defined(1)),
        (Aggregate("count", A, Where("<", NOTHING)), Undefined("division by zero")),
        (Aggregate("count", Row("C"), Where("<", NOTHING)), Undefined("no such series")),
        (Aggregate("sum", Column("q")), Undefined("no such position")),
        (Aggregate("sum", Cells((("A", "w"), ("A", "q"), ("C", "w")))), Undefined("no such position")),
    ],
)
def test_figures_over_selected_cells(execute: Execute, program: Expression, result: Result) -> None:
    assert execute(program, GRID) == result


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("line", "rank", "value", "label"),
    [
        ((1, 5, 3), "highest", defined(5), Named("x")),
        ((1, 5, 3), "lowest", defined(1), Named("w")),
        ((1, 5, 3), "second highest", defined(3), Named("y")),
        ((1, 5, 3), "second lowest", defined(3), Named("y")),
        ((5, 5, 3), "highest", defined(5), Undefined("tie")),
        ((5, 5, 3), "second highest", Undefined("tie"), Undefined("tie")),
        ((5, 3, 3), "highest", defined(5), Named("w")),
        ((5, 3, 3), "second highest", defined(3), Undefined("tie")),
        ((5, 3, 3), "lowest", defined(3), Undefined("tie")),
        ((5, 3, 3), "second lowest", Undefined("tie"), Undefined("tie")),
        ((7,), "highest", defined(7), Named("w")),
        ((7,), "second highest", Undefined("too few"), Undefined("too few")),
    ],
)
def test_extremes_never_guess_at_a_tie(
    execute: Execute, line: tuple[int, ...], rank: Rank, value: Result, label: Result
) -> None:
    assert execute(Extreme(rank, A), grid(line)) == value
    assert execute(ExtremeLabel(rank, A), grid(line)) == label


@pytest.mark.parametrize("execute", EXECUTE)
def test_the_label_of_a_column_is_a_series(execute: Execute) -> None:
    assert execute(ExtremeLabel("highest", Column("w")), GRID) == Named("B")
    assert execute(ExtremeLabel("highest", Row("C")), GRID) == Undefined("no such series")


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("line", "trend"),
    [
        ((1, 2, 3), Named("increasing")),
        ((3, 2, 1), Named("decreasing")),
        ((1, 2, 2), Named("neither")),
        ((1, 3, 2), Named("neither")),
        ((2, 2, 2), Named("neither")),
        ((1,), Undefined("too few")),
    ],
)
def test_a_trend_is_strict(execute: Execute, line: tuple[int, ...], trend: Result) -> None:
    assert execute(Trend(A), grid(line)) == trend


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    ("program", "result"),
    [
        (Compare("<", AW, AX), Truth(True)),
        (Compare(">=", AW, AX), Truth(False)),
        (Compare("==", Ratio(AW, number(3)), number(Fraction(2, 6))), Truth(True)),
        (Compare("!=", Label("A"), Label("A")), Truth(False)),
        (Compare("==", Label("1"), Label("01")), Truth(False)),
        (Compare("==", Boolean(True), Boolean(False)), Truth(False)),
        (Compare("<", NOTHING, GONE), Undefined("division by zero")),
        (And((Boolean(True), Compare("<", AW, AX))), Truth(True)),
        (And((Boolean(False), Boolean(True))), Truth(False)),
        (Or((Boolean(False), Boolean(True))), Truth(True)),
        (Not(Boolean(True)), Truth(False)),
        (If(Boolean(True), AW, NOTHING), defined(1)),
        (If(Boolean(False), AW, NOTHING), Undefined("division by zero")),
        (If(Compare("<", NOTHING, AW), AW, AW), Undefined("division by zero")),
        (If(Boolean(True), Label("a"), Label("b")), Named("a")),
    ],
)
def test_comparing_and_choosing(execute: Execute, program: Expression, result: Result) -> None:
    assert execute(program, GRID) == result


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize("connective", [And, Or])
def test_connectives_look_at_every_operand(execute: Execute, connective: type[And] | type[Or]) -> None:
    broken = Compare("<", NOTHING, AW)
    assert execute(connective((Boolean(connective is Or), broken)), GRID) == Undefined("division by zero")


@pytest.mark.parametrize("execute", EXECUTE)
@pytest.mark.parametrize(
    "program", [Sum((Label("a"), AW)), Not(AW), Compare("<", Label("a"), Label("b")), If(AW, AW, AW)]
)
def test_an_operand_of_the_wrong_type_is_an_error_not_a_result(execute: Execute, program: Expression) -> None:
    with pytest.raises(InputError, match="expected"):
        execute(program, GRID)


@pytest.mark.parametrize("execute", EXECUTE)
def test_numbers_of_many_thousand_digits_stay_exact(execute: Execute) -> None:
    huge = Fraction(10**3000 + 1, 7**2000)
    program = Product((Lookup("A", "w"), Lookup("A", "w"), Ratio(number(1), Lookup("A", "w"))))
    assert execute(program, grid((huge,))) == Defined(huge)


@pytest.mark.parametrize("execute", EXECUTE)
def test_a_grid_without_cells(execute: Execute) -> None:
    empty = Grid(series=(), positions=(), values=())
    assert execute(Aggregate("count", Everything()), empty) == defined(0)
    assert execute(Aggregate("sum", Everything()), empty) == defined(0)
    assert execute(Extreme("highest", Everything()), empty) == Undefined("nothing selected")
    assert execute(Aggregate("mean", Everything()), empty) == Undefined("nothing selected")
    no_columns = Grid(series=("A",), positions=(), values=((),))
    assert execute(Lookup("A", "w"), no_columns) == Undefined("no such position")
    assert execute(Trend(A), no_columns) == Undefined("too few")
