"""What intervals know, case by case; that they never leave anything out is a property test."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.logic.domains import Between, Domain, Integers, Visible
from answerable.logic.intervals import Possible, propagate
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cell,
    Compare,
    Defined,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    If,
    Lookup,
    Named,
    Number,
    Or,
    Product,
    Ratio,
    Row,
    Trend,
    Truth,
    Undefined,
    Where,
)
from answerable.logic.spans import Span, inverse, times

# A: x hidden in [0, 9], y = 20, z hidden in [30, 39].
GRID = Visible(series=("A",), positions=("x", "y", "z"), values=((None, Fraction(20), None),))
DOMAINS: dict[Cell, Domain] = {("A", "x"): Integers(0, 9), ("A", "z"): Integers(30, 39)}
X, Y, Z = (Lookup("A", name) for name in "xyz")
A = Row("A")


def number(value: int) -> Number:
    return Number(Fraction(value))


def span(low: int | None, high: int | None) -> Span:
    return Span(None if low is None else Fraction(low), None if high is None else Fraction(high))


@pytest.mark.parametrize(
    ("program", "possible"),
    [
        (X, Possible(span(0, 9))),
        (Difference(X, X), Possible(span(-9, 9))),
        (Product((Difference(X, Y), Z)), Possible(span(-780, -330))),
        (Ratio(Z, Y), Possible(Span(Fraction(3, 2), Fraction(39, 20)))),
        (Ratio(Y, X), Possible(Span(Fraction(20, 9), None), reasons=frozenset({"division by zero"}))),
        (Aggregate("sum", A), Possible(span(50, 68))),
        (Aggregate("count", A, Where(">", number(5))), Possible(span(2, 3))),
        (Aggregate("sum", A, Where("<", number(5))), Possible(span(0, 9))),
        (Aggregate("max", A, Where("<", number(5))), Possible(span(0, 9), reasons=frozenset({"nothing selected"}))),
        (Aggregate("min", A, Where(">", number(5))), Possible(span(0, 20))),
        (Extreme("second highest", A), Possible(span(20, 20))),
        (Trend(A), Possible(names=frozenset({"increasing"}))),
        (ExtremeLabel("lowest", A), Possible(names=frozenset({"x"}))),
        (Compare("<", X, number(5)), Possible(names=frozenset({True, False}))),
        (If(Compare("<", X, Y), number(1), X), Possible(span(1, 1))),
        (And((Boolean(False), Compare("<", X, number(5)))), Possible(names=frozenset({False}))),
        (Or((Boolean(False), Compare("<", X, number(5)))), Possible(names=frozenset({True, False}))),
    ],
)
def test_what_is_possible(program: Expression, possible: Possible) -> None:
    assert propagate(program, GRID, DOMAINS) == possible


@pytest.mark.parametrize(
    ("program", "only"),
    [
        (Extreme("second highest", A), Defined(Fraction(20))),
        (Compare("<", X, Z), Truth(True)),
        (Trend(A), Named("increasing")),
        (Ratio(X, number(0)), Undefined("division by zero")),
        (X, None),
        (Compare("<", X, number(5)), None),
    ],
)
def test_one_answer_or_none(program: Expression, only: object) -> None:
    assert propagate(program, GRID, DOMAINS).only() == only


def test_domains_without_end() -> None:
    free: dict[Cell, Domain] = {("A", "x"): Between(None, None), ("A", "z"): Between(Fraction(0), None)}
    assert propagate(Product((X, Z)), GRID, free) == Possible(Span(None, None))
    assert propagate(Product((X, number(0))), GRID, free).only() == Defined(Fraction(0))
    assert propagate(Ratio(Y, Difference(Z, number(-1))), GRID, free) == Possible(span(0, 20))
    assert propagate(ExtremeLabel("highest", A), GRID, free).names == {"x", "y", "z"}


def test_ends_that_are_missing_count_as_signs() -> None:
    assert times(span(0, None), span(1, None)) == span(0, None)
    assert times(span(None, -1), span(None, -2)) == span(2, None)
    assert times(span(None, None), span(0, 0)) == span(0, 0)
    assert times(span(-1, None), span(-1, None)) == span(None, None)
    assert inverse(span(2, None)) == Span(Fraction(0), Fraction(1, 2))
