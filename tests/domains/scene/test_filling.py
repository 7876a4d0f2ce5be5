"""Fillings: everything that may stand at a hidden place, each once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.scene.dependencies import HiddenPlace, HiddenThing
from answerable.domains.scene.filling import fillings
from answerable.domains.scene.sampler import free_place
from answerable.domains.scene.vocabulary import COLORS, MATERIALS, RADIUS, SHAPES, SIZES
from answerable.domains.scene.world import Scene, placement_faults, with_thing
from tests.domains.scene.make import row, sampled, thing

KINDS = len(COLORS) * len(MATERIALS) * len(SHAPES)
APART = row("large red rubber cube", "small cyan metal sphere")
#: A large thing in the place of the small one would be nearer to the other than a quarter of a unit.
NEAR = Scene(things=(thing("large red rubber cube", 0.0, 0.0), thing("small cyan metal sphere", 0.0, 1.35)))


def test_a_hidden_thing_may_be_any_of_every_kind() -> None:
    found = list(fillings(APART, HiddenThing(0)))
    assert len(found) == len(set(found)) == KINDS * len(SIZES) == 96
    assert APART in found
    assert {(one.things[1], len(one.things)) for one in found} == {(APART.things[1], 2)}
    hidden = [one.things[0] for one in found]
    assert {(one.x, one.y, one.rotation) for one in hidden} == {(APART.things[0].x, APART.things[0].y, 0.0)}
    assert all(one.z == RADIUS[one.size] for one in hidden)


def test_sizes_without_room_are_left_out() -> None:
    found = list(fillings(NEAR, HiddenThing(1)))
    assert len(found) == KINDS
    assert {one.things[1].size for one in found} == {"small"}
    # The other thing's own size is admissible, as it stands there.
    assert {one.things[0].size for one in fillings(NEAR, HiddenThing(0))} == {"large", "small"}


def test_a_place_may_also_be_empty() -> None:
    first = APART.things[0]
    found = list(fillings(APART, HiddenPlace(first.x, first.y, 0)))
    assert len(found) == len(set(found)) == 97
    assert found[0] == with_thing(APART, 0, None)
    assert APART in found


def test_a_free_place_may_hold_anything() -> None:
    found = list(fillings(APART, HiddenPlace(-2.0, 2.0)))
    assert len(found) == len(set(found)) == 97
    assert found[0] == APART
    for filled in found[1:]:
        assert filled.things[:2] == APART.things
        assert (filled.things[2].x, filled.things[2].y) == (-2.0, 2.0)


def test_a_place_without_room_is_empty() -> None:
    assert list(fillings(APART, HiddenPlace(APART.things[0].x, APART.things[0].y + 0.1))) == [APART]


@given(st.integers(0, 19), st.booleans(), st.data())
def test_every_filling_may_stand_there(number: int, place: bool, data: st.DataObject) -> None:
    scene = sampled(number)
    at = data.draw(st.integers(0, len(scene.things) - 1))
    thing_there = scene.things[at]
    found = list(fillings(scene, HiddenPlace(thing_there.x, thing_there.y, at) if place else HiddenThing(at)))
    assert len(found) == len(set(found))
    assert scene in found
    assert len(found) in ((KINDS + place), (2 * KINDS + place))
    assert all(placement_faults(filled) == () for filled in found)


@pytest.mark.parametrize("number", range(8))
def test_sampled_scenes_have_free_places(number: int) -> None:
    place = free_place(sampled(number), Stream("filling", number))
    if place is not None:
        found = list(fillings(sampled(number), HiddenPlace(*place)))
        assert len(found) in (KINDS + 1, 2 * KINDS + 1)
        assert all(placement_faults(filled) == () for filled in found)
