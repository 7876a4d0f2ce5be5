"""Every way of looking at all completions agrees with running each of them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from answerable.logic import direct
from answerable.logic.domains import Domain, Visible, listed
from answerable.logic.enumeration import Completions, enumerate_all
from answerable.logic.intervals import propagate
from answerable.logic.program import Cell, Expression
from tests.logic.expressions import all_worlds, any_program, hidden_grids

Hidden = tuple[Visible, dict[Cell, Domain]]


@settings(max_examples=300, deadline=None)
@given(any_program, hidden_grids())
def test_intervals_hold_the_answer_of_every_completion(program: Expression, hidden: Hidden) -> None:
    possible = propagate(program, *hidden)
    answers = {direct.execute(program, world) for world in all_worlds(*hidden)}
    for answer in answers:
        assert possible.contains(answer)
    only = possible.only()
    assert only is None or answers == {only}


@settings(max_examples=300, deadline=None)
@given(any_program, hidden_grids())
def test_enumeration_is_running_every_completion(program: Expression, hidden: Hidden) -> None:
    visible, domains = hidden
    every = Completions(program, visible, domains)
    part = every.block(0, every.total)
    spare = {cell: next(iter(values)) for cell, values in _listed(visible, domains).items()}
    for number in range(every.total):
        world = visible.completed({**spare, **every.world(number)})
        assert every.result(part, number) == direct.execute(program, world)


@settings(max_examples=200, deadline=None)
@given(any_program, hidden_grids())
def test_enumeration_finds_two_answers_exactly_where_there_are_two(program: Expression, hidden: Hidden) -> None:
    found = enumerate_all(program, *hidden)
    answers = {direct.execute(program, world) for world in all_worlds(*hidden)}
    assert found.first in answers
    assert (found.other is None) == (len(answers) == 1)
    assert found.other is None or (found.other in answers and found.other != found.first)


def _listed(visible: Visible, domains: dict[Cell, Domain]) -> dict[Cell, list[Fraction]]:
    return {cell: list(listed(domains[cell])) for cell in visible.hidden()}
