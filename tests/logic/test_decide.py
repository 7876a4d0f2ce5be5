"""Deciding whether what is visible determines the answer, with evidence that can be checked again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from answerable.core.errors import InputError, MissingExtraError
from answerable.logic import direct, smt, sql
from answerable.logic.decide import Ambiguous, Determined, Unknown, decide
from answerable.logic.domains import Between, Domain, Integers, Values, Visible
from answerable.logic.program import Cell, Compare, Defined, Difference, Expression, Lookup, Number, Product, Sum, Truth
from answerable.logic.recheck import recheck_ambiguous, recheck_determined
from tests.logic.expressions import all_worlds, any_program, hidden_grids

EXECUTORS = (direct.execute, sql.execute)
X, Y = Lookup(series="A", position="x"), Lookup(series="A", position="y")
HIDDEN = Visible(series=("A",), positions=("x", "y"), values=((None, None),))
DIGITS: dict[Cell, Domain] = {("A", "x"): Integers(low=0, high=9), ("A", "y"): Integers(low=0, high=9)}


def test_x_minus_x_is_determined_although_it_mentions_something_hidden() -> None:
    found = decide(Difference(left=X, right=X), HIDDEN, DIGITS)
    assert found == Determined(answer=Defined(value=Fraction(0)), how="enumeration")
    held = recheck_determined(Difference(left=X, right=X), HIDDEN, DIGITS, found.answer, found.how, EXECUTORS)
    assert held.status == "holds"
    wrong = recheck_determined(Difference(left=X, right=Y), HIDDEN, DIGITS, found.answer, "enumeration", EXECUTORS)
    assert wrong.status == "refuted"


def test_x_minus_y_is_ambiguous_although_both_ends_agree() -> None:
    found = decide(Difference(left=X, right=Y), HIDDEN, DIGITS)
    assert isinstance(found, Ambiguous)
    assert recheck_ambiguous(Difference(left=X, right=Y), HIDDEN, DIGITS, found.worlds, EXECUTORS).status == "holds"
    twice = (found.worlds[0], found.worlds[0])
    assert recheck_ambiguous(Difference(left=X, right=Y), HIDDEN, DIGITS, twice, EXECUTORS).status == "refuted"


def test_over_the_rationals_two_solvers_attest() -> None:
    line: dict[Cell, Domain] = {cell: Between(low=Fraction(0), high=Fraction(9)) for cell in DIGITS}
    square = Product(items=(Sum(items=(X, Y)), Difference(left=X, right=X)))
    found = decide(square, HIDDEN, line)
    assert found == Determined(answer=Defined(value=Fraction(0)), how="attested")
    assert isinstance(decide(square, HIDDEN, line, solvers=()), Unknown)


@pytest.mark.parametrize(
    "domain", [Integers(low=3, high=2), Values(values=()), Between(low=Fraction(1), high=Fraction(0))]
)
def test_empty_domains_are_an_error(domain: Domain) -> None:
    with pytest.raises(InputError, match="expected"):
        decide(X, HIDDEN, DIGITS | {("A", "x"): domain})


def test_a_huge_domain_is_never_enumerated() -> None:
    huge: dict[Cell, Domain] = {cell: Integers(low=0, high=10**30) for cell in DIGITS}
    assert isinstance(decide(Difference(left=X, right=Y), HIDDEN, huge, solvers=()), Ambiguous)
    assert isinstance(decide(Difference(left=X, right=X), HIDDEN, huge, solvers=()), Unknown)


@settings(max_examples=80)
@given(any_program, hidden_grids())
def test_decisions_are_right(program: Expression, case: tuple[Visible, dict[Cell, Domain]]) -> None:
    visible, domains = case
    every = {direct.execute(program, world) for world in all_worlds(visible, domains)}
    try:
        found = decide(program, visible, domains, solvers=())
    except InputError as error:
        # Only where the program names something that the grid lacks: then it must say so.
        assert "refers to what is there" in str(error)
        return
    if isinstance(found, Determined):
        assert every == {found.answer}
        held = recheck_determined(program, visible, domains, found.answer, found.how, EXECUTORS)
        assert held.status == "holds"
    else:
        assert isinstance(found, Ambiguous)
        assert len(every) > 1
        assert recheck_ambiguous(program, visible, domains, found.worlds, EXECUTORS).status == "holds"


@settings(max_examples=60)
@given(any_program, hidden_grids())
def test_solvers_agree_with_enumeration(program: Expression, case: tuple[Visible, dict[Cell, Domain]]) -> None:
    visible, domains = case
    worlds = all_worlds(visible, domains)
    results = [direct.execute(program, world) for world in worlds]
    solvers: tuple[smt.Name, ...] = ("z3", "cvc5")
    for solver in solvers:
        said = smt.another(program, visible, domains, results[0], solver)
        assert isinstance(said, smt.Unsure) or isinstance(said, smt.Varies) == (len(set(results)) > 1)


def test_a_missing_solver_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as caught:
        smt.require("z3")
    assert 'pip install "answerable[smt]"' in str(caught.value)


def test_a_boolean_answer_is_decided_too() -> None:
    above = Compare(operator=">", left=X, right=Number(value=Fraction(-1)))
    assert decide(above, HIDDEN, DIGITS) == Determined(answer=Truth(value=True), how="interval")
