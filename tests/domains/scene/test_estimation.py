"""The camera of a published scene, found from whole pixels."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from answerable.domains.scene.estimation import DECIMALS, NOWHERE, with_camera
from answerable.domains.scene.visibility import camera_of, seen_at, studio_faults
from answerable.domains.scene.world import Scene
from tests.domains.scene.make import sampled


def published(scene: Scene) -> Scene:
    """As a file has it: whole pixels, and no word of where the camera stood."""

    def pixel(thing: Any) -> tuple[int, int, float]:
        column, row, depth = seen_at(scene, thing)
        return round(column), round(row), depth

    return Scene(things=tuple(replace(one, pixel=pixel(one)) for one in scene.things))


@given(st.integers(0, 199))
@settings(max_examples=100)
def test_the_camera_is_found_to_a_few_hundredths(number: int) -> None:
    scene = sampled(number)
    found = with_camera(published(scene))
    assert found.jitter is not None
    assert scene.jitter is not None
    # Few things that stand together leave more open.
    allowed = 0.06 if len(scene.things) > 5 else 0.2
    assert math.dist(camera_of(found), camera_of(scene)) < allowed
    assert all(abs(part) < 1 for part in found.jitter.camera)


def test_on_average_it_is_found_to_two_hundredths() -> None:
    errors = sorted(
        math.dist(camera_of(with_camera(published(sampled(number)))), camera_of(sampled(number)))
        for number in range(100)
    )
    assert errors[50] < 0.03


@pytest.mark.parametrize("number", range(20))
def test_things_are_seen_where_the_file_says(number: int) -> None:
    given_scene = published(sampled(number))
    found = with_camera(given_scene)
    for thing, known in zip(found.things, given_scene.things, strict=True):
        assert known.pixel is not None
        column, row, _ = seen_at(found, thing)
        assert abs(column - known.pixel[0]) < 1
        assert abs(row - known.pixel[1]) < 1


def test_the_rest_of_the_scene_stays() -> None:
    given_scene = published(sampled(3))
    found = with_camera(given_scene)
    assert found.directions == given_scene.directions
    assert [replace(one, pixel=None) for one in given_scene.things] == list(found.things)
    assert found.jitter is not None
    assert (found.jitter.key, found.jitter.fill, found.jitter.back) == (NOWHERE, NOWHERE, NOWHERE)
    assert all(round(part, DECIMALS) == part for part in found.jitter.camera)
    assert studio_faults(found) == ()
    assert with_camera(given_scene) == found


def test_a_camera_that_is_known_is_kept() -> None:
    assert with_camera(sampled(1)) is sampled(1)


@pytest.mark.parametrize("known", [0, 1])
def test_without_pixels_the_camera_stands_in_its_usual_place(known: int) -> None:
    things = published(sampled(2)).things
    bare = Scene(things=(*things[:known], *(replace(one, pixel=None) for one in things[known:])))
    found = with_camera(bare)
    assert found.jitter is not None
    assert found.jitter.camera == NOWHERE


def test_pixels_of_no_camera_of_ours_leave_it_in_its_usual_place() -> None:
    things = published(sampled(2)).things
    wild = Scene(things=tuple(replace(one, pixel=(900 * n, -400 * n, 5.0)) for n, one in enumerate(things)))
    found = with_camera(wild)
    assert found.jitter is not None
    assert found.jitter.camera == NOWHERE
