"""Enumeration where 64 bits do not do, over more than one block, and the number of completions that matter."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.errors import InputError
from answerable.logic import direct
from answerable.logic.domains import Between, Domain, Integers, Values, Visible
from answerable.logic.enumeration import BLOCK, Completions, completions, enumerate_all
from answerable.logic.program import (
    Aggregate,
    Cell,
    Compare,
    Defined,
    Difference,
    Everything,
    Expression,
    Lookup,
    Number,
    Product,
    Ratio,
    Row,
    Sum,
    Undefined,
)
from tests.logic.expressions import all_worlds, any_program, hidden_grids

X, Y = Lookup("A", "x"), Lookup("A", "y")
HIDDEN = Visible(series=("A",), positions=("x", "y"), values=((None, None),))


def domains(one: Domain, other: Domain) -> dict[Cell, Domain]:
    return {("A", "x"): one, ("A", "y"): other}


# Sixty-bit numbers and odd denominators: products and sums of fractions leave 64 bits at once.
large = st.integers(-(1 << 62), 1 << 62).map(Fraction) | st.fractions(max_denominator=10**12) | st.integers(
    -(10**40), 10**40
).map(Fraction)  # fmt: skip
large_domains = st.builds(Values, st.lists(large, min_size=1, max_size=3, unique=True).map(tuple))


@settings(max_examples=300)
@given(any_program, hidden_grids(large, large_domains))
def test_numbers_beyond_64_bits_stay_exact(program: Expression, hidden: tuple[Visible, dict[Cell, Domain]]) -> None:
    found = enumerate_all(program, *hidden)
    answers = {direct.execute(program, world) for world in all_worlds(*hidden)}
    assert found.first in answers
    assert (found.other is None) == (len(answers) == 1)


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (Product((X, X, X, X, X)), Defined(Fraction(10**95))),
        (Ratio(Number(Fraction(1)), Product((X, X, X))), Defined(Fraction(1, 10**57))),
        (Aggregate("sum", Row("A")), Defined(Fraction(10**19 + 7))),
        (Aggregate("mean", Everything()), Defined(Fraction(10**19 + 7, 2))),
    ],
)
def test_a_power_of_ten(program: Expression, answer: Defined) -> None:
    one = domains(Values((Fraction(10**19),)), Values((Fraction(7),)))
    assert enumerate_all(program, HIDDEN, one).first == answer


def test_more_completions_than_one_block_holds() -> None:
    wide = domains(Integers(1, 300), Integers(1, 300))
    assert 2 * BLOCK < 300 * 300
    constant = enumerate_all(Ratio(Product((X, Y)), Product((Y, X))), HIDDEN, wide)
    assert (constant.first, constant.other, constant.completions) == (Defined(Fraction(1)), None, 90_000)
    # Only the very last completion gives another answer.
    last = Compare("==", Sum((X, Y)), Number(Fraction(600)))
    found = enumerate_all(last, HIDDEN, wide)
    assert found.worlds is not None
    assert found.worlds[1] == {("A", "x"): Fraction(300), ("A", "y"): Fraction(300)}
    assert found.completions == 90_000


def test_only_hidden_cells_that_the_program_names_count() -> None:
    wide = domains(Integers(0, 9), Integers(0, 10**30))
    assert completions(X, HIDDEN, wide) == 10
    assert completions(Sum((X, Y)), HIDDEN, wide) == 10 * (10**30 + 1)
    assert completions(Y, HIDDEN, domains(Integers(0, 9), Between(Fraction(0), Fraction(1)))) is None
    assert completions(Y, HIDDEN, domains(Integers(0, 9), Between(Fraction(2), Fraction(2)))) == 1
    assert enumerate_all(Difference(X, X), HIDDEN, wide).completions == 10


def test_an_interval_cannot_be_enumerated() -> None:
    with pytest.raises(InputError, match="a finite domain"):
        enumerate_all(X, HIDDEN, domains(Between(Fraction(0), Fraction(1)), Integers(0, 1)))


def test_undefined_somewhere_is_another_outcome() -> None:
    found = enumerate_all(Ratio(X, Y), HIDDEN, domains(Values((Fraction(0),)), Integers(0, 3)))
    assert {found.first, found.other} == {Undefined("division by zero"), Defined(Fraction(0))}


def test_every_completion_has_its_number() -> None:
    every = Completions(Sum((X, Y)), HIDDEN, domains(Integers(0, 2), Integers(5, 6)))
    assert [tuple(map(int, every.world(number).values())) for number in range(every.total)] == [
        (5, 0), (6, 0), (5, 1), (6, 1), (5, 2), (6, 2)
    ]  # fmt: skip
