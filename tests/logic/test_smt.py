"""The solvers: wide and endless domains, bounds, and what stays unknown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.logic import smt
from answerable.logic.decide import Ambiguous, Unknown, decide
from answerable.logic.domains import Between, Domain, Integers, Values, Visible
from answerable.logic.program import (
    Cell,
    Compare,
    Defined,
    Difference,
    Expression,
    Lookup,
    Number,
    Product,
    Result,
    Sum,
    Truth,
    Undefined,
)

HIDDEN = Visible(series=("A",), positions=("x", "y", "z"), values=((None, None, None),))
X, Y, Z = (Lookup("A", name) for name in "xyz")
SOLVERS: tuple[smt.Name, ...] = ("z3", "cvc5")
BINOMIAL = Difference(
    Product((Sum((X, Y)), Sum((X, Y)))),
    Sum((Product((X, X)), Product((Number(Fraction(2)), X, Y)), Product((Y, Y)))),
)


def everywhere(domain: Domain) -> dict[Cell, Domain]:
    return {("A", name): domain for name in "xyz"}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("program", "domain", "reference", "kind"),
    [
        (BINOMIAL, Between(None, None), Defined(Fraction(0)), smt.Constant),
        (BINOMIAL, Integers(0, 10**12), Defined(Fraction(0)), smt.Constant),
        (BINOMIAL, Integers(0, 10**12), Undefined("tie"), smt.Varies),
        (Compare("==", X, Number(Fraction(1, 2))), Integers(0, 10**12), Truth(False), smt.Constant),
        (Compare("==", X, Number(Fraction(1, 2))), Between(Fraction(0), Fraction(1)), Truth(False), smt.Varies),
        (Compare("==", X, Number(Fraction(7))), Values((Fraction(5), Fraction(7))), Truth(False), smt.Varies),
    ],
)
def test_wide_domains(
    solver: smt.Name, program: Expression, domain: Domain, reference: Result, kind: type[smt.Finding]
) -> None:
    assert isinstance(smt.another(program, HIDDEN, everywhere(domain), reference, solver), kind)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_completion_that_is_needed_is_found(solver: smt.Name) -> None:
    needle = Compare("==", X, Number(Fraction(123_456_789)))
    found = smt.another(needle, HIDDEN, everywhere(Integers(0, 10**12)), Truth(False), solver)
    assert isinstance(found, smt.Varies) and found.world[("A", "x")] == 123_456_789
    decision = decide(needle, HIDDEN, everywhere(Integers(0, 10**12)))
    assert isinstance(decision, Ambiguous) and decision.how == "smt"


def test_unknown_stays_unknown_and_ends() -> None:
    cubes = Compare("==", Sum((Product((X, X, X)), Product((Y, Y, Y)))), Product((Z, Z, Z)))
    decision = decide(cubes, HIDDEN, everywhere(Integers(1, 10**6)))
    assert isinstance(decision, Unknown) and "bound of steps" in decision.why


def test_a_solution_that_is_no_rational_is_no_world() -> None:
    root = Compare("==", Product((X, X)), Number(Fraction(2)))
    decision = decide(root, HIDDEN, everywhere(Between(Fraction(1), Fraction(10))))
    assert isinstance(decision, Unknown) and "not rational" in decision.why


@pytest.mark.parametrize("solver", SOLVERS)
def test_numbers_too_long_for_a_solver(solver: smt.Name) -> None:
    found = smt.another(X, HIDDEN, everywhere(Integers(0, 1 << 5000)), Defined(Fraction(0)), solver)
    assert found == smt.Unsure("numbers of more than 4096 bits")


def test_without_the_solvers_decide_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "find_spec", lambda name: None)
    decision = decide(BINOMIAL, HIDDEN, everywhere(Between(None, None)))
    assert isinstance(decision, Unknown)
    assert "z3 is not installed (pip install 'answerable[smt]')" in decision.why


def test_one_solver_alone_attests_nothing() -> None:
    decision = decide(BINOMIAL, HIDDEN, everywhere(Between(None, None)), solvers=("z3",))
    assert isinstance(decision, Unknown) and "only 1 of the two solvers" in decision.why


def test_an_answer_that_no_file_holds() -> None:
    power = Product((Number(Fraction(10**50)), Number(Fraction(10**50))))
    decision = decide(power, HIDDEN, everywhere(Integers(0, 1)))
    assert decision == Unknown(why="the answer has more than 60 digits a side, which no file holds")


@pytest.mark.parametrize("solver", SOLVERS)
def test_only_irrational_solutions_end_at_once(solver: smt.Name) -> None:
    root = Compare("==", Product((X, X)), Number(Fraction(2)))
    found = smt.another(root, HIDDEN, everywhere(Between(Fraction(1), Fraction(10))), Truth(False), solver)
    assert found == smt.Unsure(f"{solver} has a completion that is not rational")
