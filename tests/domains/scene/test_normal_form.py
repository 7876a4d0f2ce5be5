"""Two programs are one exactly where their trees are, and finding out takes no time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.scene import objects
from answerable.domains.scene.normal_form import alike
from answerable.domains.scene.outcomes import IllPosed
from answerable.domains.scene.program import Program
from answerable.domains.scene.world import Scene
from tests.domains.scene.make import program, programs, scenes
from tests.domains.scene.posed import disguised, doubling, mutants, unfolded


@settings(max_examples=300, deadline=None)
@given(programs(), programs())
def test_programs_are_one_where_their_trees_are(one: Program, other: Program) -> None:
    assert alike((one, other)) == (unfolded(one) == unfolded(other))


@settings(max_examples=200, deadline=None)
@given(programs(), st.integers(0, 999))
def test_order_and_sharing_do_not_matter(one: Program, seed: int) -> None:
    other = disguised(one, Stream("disguise", seed))
    assert alike((one, other))
    assert alike((other, one, other))


@settings(max_examples=100, deadline=None)
@given(programs(), st.integers(0, 999), scenes())
def test_what_is_one_gives_one_outcome(one: Program, seed: int, scene: Scene) -> None:
    found = [objects.execute(each, scene) for each in (one, disguised(one, Stream("disguise", seed)))]
    wellposed = [each for each in found if not isinstance(each, IllPosed)]
    assert found[0] == found[1] or not wellposed


@settings(max_examples=100, deadline=None)
@given(programs())
def test_a_changed_program_is_one_only_where_its_tree_is(one: Program) -> None:
    for _, other in mutants(one):
        assert alike((one, other)) == (unfolded(one) == unfolded(other))


def test_what_order_means() -> None:
    reds, cubes = ("scene", "filter_color red 0", "count 1"), ("scene", "filter_shape cube 3", "count 4")
    assert alike((program(*reds, *cubes, "equal_integer 2 5"), program(*reds, *cubes, "equal_integer 5 2")))
    assert not alike((program(*reds, *cubes, "less_than 2 5"), program(*reds, *cubes, "less_than 5 2")))
    assert not alike((program(*reds, *cubes, "less_than 2 5"), program(*reds, *cubes, "greater_than 5 2")))
    twice = program("scene", "filter_color red 0", "filter_color red 1", "count 2")
    assert not alike((twice, program(*reds)))
    assert not alike(())
    assert alike((twice,))


def test_a_tree_beyond_any_bound_takes_no_time() -> None:
    assert alike((doubling(95), doubling(95)))
    assert not alike((doubling(95), doubling(94)))
