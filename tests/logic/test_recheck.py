"""The check of evidence: what it refuses, and that it trusts nothing it is given."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.logic import direct, sql
from answerable.logic.domains import Domain, Integers, hide
from answerable.logic.program import (
    Boolean,
    Cell,
    Compare,
    Defined,
    Difference,
    Expression,
    Grid,
    Lookup,
    Not,
    Number,
    Result,
    Sum,
    Truth,
)
from answerable.logic.recheck import recheck_ambiguous, recheck_determined

GRID = Grid(series=("A",), positions=("x", "y", "z"), values=((Fraction(1), Fraction(2), Fraction(3)),))
HIDDEN = hide(GRID, [("A", "x"), ("A", "y")])
DOMAINS: dict[Cell, Domain] = {("A", "x"): Integers(0, 9), ("A", "y"): Integers(0, 9)}
X, Y, Z = (Lookup("A", name) for name in "xyz")
SAME, OTHER = Difference(X, X), Difference(X, Y)
BELOW = Compare("<", X, Number(Fraction(10)))
ZERO: Result = Defined(Fraction(0))
EXECUTORS = (direct.execute, sql.execute)


@pytest.mark.parametrize(
    ("program", "answer", "how", "status", "detail"),
    [
        (SAME, ZERO, "enumeration", "holds", ""),
        (BELOW, Truth(True), "interval", "holds", ""),
        (Z, Defined(Fraction(3)), "interval", "holds", ""),
        (SAME, ZERO, "attested", "nothing to redo", "two solvers agree"),
        (SAME, ZERO, "interval", "refuted", "more than one answer"),
        (SAME, Defined(Fraction(1)), "enumeration", "refuted", "a completion gives 0, not 1"),
        (OTHER, ZERO, "enumeration", "refuted", "a completion gives -1, not 0"),
        (BELOW, Truth(False), "interval", "refuted", "intervals allow true, not only false"),
        (SAME, ZERO, "trust me", "refuted", "no such evidence"),
        (Lookup("B", "x"), ZERO, "enumeration", "refuted", "series='B'"),
        (Not(X), ZERO, "enumeration", "refuted", "operand of not"),
    ],
)
def test_determined(program: Expression, answer: Result, how: str, status: str, detail: str) -> None:
    found = recheck_determined(program, HIDDEN, DOMAINS, answer, how, EXECUTORS)
    assert found.status == status
    assert detail in found.detail


def test_too_many_completions_are_refused_not_run() -> None:
    huge: dict[Cell, Domain] = dict.fromkeys(DOMAINS, Integers(0, 10**30))
    found = recheck_determined(SAME, HIDDEN, huge, ZERO, "enumeration", EXECUTORS)
    assert (found.status, found.detail) == ("refuted", "more than 100000 completions: nothing to enumerate")


def test_an_executor_that_differs_refutes() -> None:
    def lying(program: Expression, grid: Grid) -> Result:
        return ZERO if grid.values[0][0] < 9 else Truth(True)

    assert recheck_determined(SAME, HIDDEN, DOMAINS, ZERO, "enumeration", (direct.execute, lying)).status == "refuted"


def world(*values: int) -> Grid:
    return Grid(series=GRID.series, positions=GRID.positions, values=(tuple(map(Fraction, values)),))


@pytest.mark.parametrize(
    ("one", "other", "status", "detail"),
    [
        (world(0, 1, 3), world(0, 2, 3), "holds", ""),
        (world(0, 1, 3), world(1, 2, 3), "refuted", "both worlds give -1"),
        (world(0, 1, 3), world(0, 2, 4), "refuted", "differs from what is visible at 'A', 'z'"),
        (world(0, 1, 3), world(0, 10, 3), "refuted", "leaves the domain at 'A', 'y'"),
        (world(0, 1, 3), world(0, 1), "refuted", "other rows or columns"),
        (world(0, 1, 3), Grid(("B",), GRID.positions, GRID.values), "refuted", "other rows or columns"),
    ],
)
def test_ambiguous(one: Grid, other: Grid, status: str, detail: str) -> None:
    found = recheck_ambiguous(OTHER, HIDDEN, DOMAINS, (one, other), EXECUTORS)
    assert found.status == status
    assert detail in found.detail


def test_ambiguous_needs_a_program_that_types() -> None:
    found = recheck_ambiguous(Sum((Boolean(True),)), HIDDEN, DOMAINS, (GRID, GRID), EXECUTORS)
    assert found.status == "refuted" and "operand of sum" in found.detail
