"""Both solvers agree with running every completion."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from answerable.logic import direct, smt
from answerable.logic.domains import Domain, Visible, listed
from answerable.logic.program import Cell, Expression
from tests.logic.expressions import all_worlds, any_program, hidden_grids

Hidden = tuple[Visible, dict[Cell, Domain]]


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@settings(max_examples=150, deadline=None)
@given(any_program, hidden_grids())
def test_a_solver_finds_another_answer_exactly_where_there_is_one(
    solver: smt.Name, program: Expression, hidden: Hidden
) -> None:
    visible, domains = hidden
    worlds = all_worlds(visible, domains)
    first = direct.execute(program, worlds[0])
    answers = {direct.execute(program, world) for world in worlds}
    found = smt.another(program, visible, domains, first, solver)
    if isinstance(found, smt.Varies):
        spare = dict(zip(visible.hidden(), (next(iter(_values(domains[c]))) for c in visible.hidden()), strict=True))
        world = visible.completed({**spare, **found.world})
        assert world in worlds and direct.execute(program, world) != first
    elif isinstance(found, smt.Constant):
        assert answers == {first}
    assert not isinstance(found, smt.Unsure) or answers


def _values(domain: Domain) -> list[Fraction]:
    return list(listed(domain))
