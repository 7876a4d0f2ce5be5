"""Scenes of our own: placed by the rules, drawn evenly, the same for the same names."""

from __future__ import annotations

from collections import Counter

import pytest

from answerable.core.codec import digest
from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.scene.sampler import CAMERA_JITTER, LAMP_JITTER, LEAST, MOST, free_place, sample_scene
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from answerable.domains.scene.world import Scene, fits, placement_faults
from tests.domains.scene.make import row, sampled, thing

MANY = 150


def test_sampled_scenes_obey_the_rules() -> None:
    for number in range(MANY):
        assert placement_faults(sampled(number)) == ()


def test_every_number_of_objects_and_every_value_occurs() -> None:
    sizes = Counter(len(sampled(number).things) for number in range(MANY))
    assert set(sizes) == set(range(LEAST, MOST + 1))
    every = [one for number in range(MANY) for one in sampled(number).things]
    for attribute in ATTRIBUTES:
        counts = Counter(one.value(attribute) for one in every)
        assert set(counts) == set(VALUES[attribute])
        # Sizes are skewed a little: large objects fit less often.
        assert min(counts.values()) > len(every) / len(VALUES[attribute]) * 0.6
    turns = sorted(one.rotation for one in every)
    assert 0 <= turns[0] < 10
    assert 350 < turns[-1] < 360


def test_cameras_and_lamps_are_moved_a_little() -> None:
    moved = [sampled(number).jitter for number in range(MANY)]
    cameras = [abs(number) for one in moved if one is not None for number in one.camera]
    lamps = [
        abs(number) for one in moved if one is not None for line in (one.key, one.fill, one.back) for number in line
    ]
    assert len(cameras) == 3 * MANY
    assert 0.9 * CAMERA_JITTER < max(cameras) <= CAMERA_JITTER
    assert 0.9 * LAMP_JITTER < max(lamps) <= LAMP_JITTER


def test_the_same_names_give_the_same_bytes() -> None:
    again = sample_scene(Stream("test-scene", 7))
    assert digest(again) == digest(sampled(7)) == "5fc79eb799f208fe35aef3c26deed814f733991e037c54d366bc8db631abf32c"
    assert digest(sampled(8)) != digest(sampled(7))


def test_a_crowd_finds_no_room() -> None:
    found = sample_scene(Stream("crowd"), 20, 20)
    assert isinstance(found, Refusal)
    assert found.reason == "no room"
    assert found.detail.startswith("20 objects were placed")


def test_bounds_must_leave_a_number() -> None:
    for least, most in ((0, 3), (4, 3), (3, 21)):
        with pytest.raises(SettingsError, match=r"expected 1 <= least <= most <= 20 objects"):
            sample_scene(Stream("x"), least, most)


def test_free_places_are_free() -> None:
    for number in range(20):
        place = free_place(sampled(number), Stream("free", number))
        if place is not None:
            assert fits(sampled(number), thing("small red metal cube", *place))
    assert free_place(row("large red metal cube"), Stream("free")) is not None
    full = Scene(
        things=tuple(thing("small red metal cube", 1.4 * x, 1.4 * y) for x in range(-2, 3) for y in range(-2, 2))
    )
    assert free_place(full, Stream("free", "full")) is None
