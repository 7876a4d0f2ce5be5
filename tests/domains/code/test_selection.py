"""What is asked: worlds differ in the answer, whichever answer is wanted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.seeds import Stream
from answerable.domains.code.answers import of_states
from answerable.domains.code.language import Int, Print, Str
from answerable.domains.code.selection import by_chance, by_hiding, outputs, share
from answerable.domains.code.world import CodeWorld
from answerable.logic.outcomes import Several
from answerable.logic.program import Truth
from tests.domains.code.make import dice, program, sums, world

TWICE = program(Print((Str("a"),)), Print((Str("b"),)))


def answers(query: object, *worlds: CodeWorld) -> list[object]:
    from answerable.domains.code.questions import Query

    assert isinstance(query, Query)
    return [of_states(query, outputs(made) or {}) for made in worlds]


@pytest.mark.parametrize("wants", [True, False])
@pytest.mark.parametrize("make", [sums, dice])
def test_the_other_world_answers_the_other_way(make: object, wants: bool) -> None:
    assert callable(make)
    full, kinds = world(make(3)), set()
    for number in range(30):
        found = by_hiding(full, [world(make(value)) for value in (3, 6, 8)], wants, Stream(number))
        assert found is not None
        query, other = found
        kinds.add((query.kind, query.than))
        assert answers(query, full, other) == [Truth(wants), Truth(not wants)]
    assert ("prints", "=") in kinds if make is sums else len(kinds) > 1


def test_chance_needs_three_kinds_of_worlds() -> None:
    candidates = [world(dice(value)) for value in (0, 3, 9)]
    for wants in (True, False):
        found = by_chance(candidates, candidates, wants, Stream(1))
        assert found is not None
        query, *three = found
        assert answers(query, *three) == [Truth(wants), Truth(not wants), Several(values=("no", "yes"))]
    assert by_chance(candidates[:2], candidates, True, Stream(1)) is None
    assert by_chance(candidates[::2], candidates[::2], True, Stream(1)) is None


def test_nothing_to_ask_is_none() -> None:
    assert by_hiding(world(), [world(), world(program(Print((Int(1), Str("x" * 59)))))], False, Stream(1)) is None
    assert by_hiding(world(), [world()], True, Stream(1)) is None


def test_shares() -> None:
    found = outputs(world(dice(4))) or {}
    assert share(found, "output", "high") == Fraction(1, 3)
    both = outputs(world(TWICE)) or {}
    assert [share(both, "line", "a"), share(both, "output", "a"), share(both, "line", "c")] == [1, 0, 0]


def test_what_cannot_be_run_has_no_outputs() -> None:
    from answerable.domains.code.language import Binary

    assert outputs(world(program(Print((Binary("//", Int(1), Int(0)),))))) is None
