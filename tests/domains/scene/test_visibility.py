"""Hiding: the stage that is drawn depends on the hidden place, and on nothing that stands there."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from answerable.core.codec import decode, encode
from answerable.core.seeds import Stream
from answerable.domains.scene.casting import seen
from answerable.domains.scene.dependencies import admissible_values
from answerable.domains.scene.sampler import free_place
from answerable.domains.scene.stage import CAMERA, LAMPS, Form, Solid, Stage
from answerable.domains.scene.states import hide_thing
from answerable.domains.scene.visibility import (
    BLACK,
    COVERS,
    MOST_CAMERA,
    Cover,
    Hide,
    camera_of,
    covers,
    hides,
    largest_cube,
    seen_at,
    stage_of,
    studio_faults,
    turn_of,
)
from answerable.domains.scene.vocabulary import ATTRIBUTES, RADIUS, SHAPES
from answerable.domains.scene.world import DIRECTIONS, Directions, Jitter, Scene, Thing, changed, with_thing
from tests.domains.scene.make import row, sampled, thing

SCENES = 30
COVER = st.sampled_from(COVERS)


def another(scene: Scene, place: int, data: st.DataObject) -> Thing:
    """Any other thing that may stand at the same place."""
    made = scene.things[place]
    for attribute in ATTRIBUTES:
        made = changed(made, attribute, data.draw(st.sampled_from(admissible_values(scene, place, attribute))))
    return made


@given(st.integers(0, SCENES - 1), COVER, st.data())
def test_scenes_that_differ_at_the_hidden_place_only_give_one_stage(number: int, cover: Cover, data: Any) -> None:
    scene = sampled(number)
    place = data.draw(st.integers(0, len(scene.things) - 1))
    hide = hide_thing(scene, place, cover)
    other = with_thing(scene, place, another(scene, place, data))
    assert stage_of(other, hide) == stage_of(scene, hide)
    # A place in the list means nothing, and neither does a thing that is not there.
    assert stage_of(with_thing(scene, place, None), hide) == stage_of(scene, hide)
    last = replace(scene, things=(*scene.things[:place], *scene.things[place + 1 :], other.things[place]))
    assert stage_of(last, hide) == stage_of(scene, hide)
    assert encode(stage_of(last, hide)) == encode(stage_of(scene, hide))


@given(st.integers(0, SCENES - 1), COVER, st.data())
def test_scenes_that_differ_elsewhere_give_other_stages(number: int, cover: Cover, data: Any) -> None:
    scene = sampled(number)
    place = data.draw(st.integers(0, len(scene.things) - 1))
    hide = hide_thing(scene, (place + 1) % len(scene.things), cover)
    other = another(scene, place, data)
    assume(other != scene.things[place])
    assert stage_of(with_thing(scene, place, other), hide) != stage_of(scene, hide)


@given(st.integers(0, SCENES - 1), COVER)
def test_a_thing_put_at_a_free_hidden_place_leaves_no_trace(number: int, cover: Cover) -> None:
    scene = sampled(number)
    place = free_place(scene, Stream("free", number))
    assume(place is not None)
    assert place is not None
    made = thing("small red metal cube", *place)
    more = replace(scene, things=(*scene.things, made))
    hide = hide_thing(more, len(scene.things), cover)
    assert stage_of(more, hide) == stage_of(scene, hide)
    assert stage_of(more) != stage_of(scene)


def test_a_scene_is_drawn_as_it_is_without_a_cover() -> None:
    scene = row("large red rubber cube", "small cyan metal sphere")
    first, second = sorted(stage_of(scene).solids, key=lambda one: one.form)
    assert (first.form, first.finish, first.half, first.turn) == ("cube", "rubber", (0.7, 0.7, 0.7), 0.0)
    assert first.color == (173 / 255, 35 / 255, 35 / 255)
    assert (second.form, second.finish, second.half) == ("sphere", "metal", (0.35, 0.35, 0.35))
    assert (stage_of(scene).camera, stage_of(scene).lamps) == (CAMERA, LAMPS)


def test_what_is_hidden_can_be_left_in() -> None:
    scene = row("large red rubber cube", "small cyan metal sphere")
    for cover in COVERS:
        hide = hide_thing(scene, 0, cover)
        kept = stage_of(scene, hide, take_away=False)
        assert {one.form for one in kept.solids if one.finish != "matte"} == {"cube", "sphere"}
        assert [one for one in kept.solids if one.finish == "matte"] == covers(hide, CAMERA)
        gone = stage_of(scene, hide)
        assert {one.form for one in gone.solids if one.finish != "matte"} == {"sphere"}
        # Behind a panel something plain stands instead, so that its shadow and its reflection say nothing.
        stand_in = [one for one in gone.solids if one.finish == "matte" and one not in covers(hide, CAMERA)]
        assert len(stand_in) == (1 if cover == "panel" else 0)
        assert all((one.form, one.color) == ("slab", BLACK) for one in (*stand_in, *covers(hide, CAMERA)))


PLACES = st.floats(-3, 3)


@given(PLACES, PLACES, st.floats(0, 360), st.sampled_from(("large", "small")), COVER, st.integers(0, SCENES - 1))
@settings(max_examples=60)
def test_the_largest_cube_is_never_seen(x: float, y: float, rotation: float, size: Any, cover: Cover, of: int) -> None:
    hide = Hide(x, y, rotation, size, cover)
    camera = camera_of(sampled(of))
    cube = largest_cube(hide)
    alone = Stage((cube, *covers(hide, camera)), camera, LAMPS, stage_of(sampled(of)).sun)
    assert seen(alone, step=1)[0] == 0
    # So is nothing else that may stand there: every shape lies within that cube.
    for form in SHAPES:
        inside = Solid(form, cube.at, cube.half, cube.turn, "rubber", (1.0, 0.0, 0.0))
        assert seen(replace(alone, solids=(inside, *alone.solids[1:])), step=2)[0] == 0


@given(PLACES, PLACES, st.floats(0, 360))
def test_a_box_stands_around_what_is_hidden(x: float, y: float, rotation: float) -> None:
    (box,) = covers(Hide(x, y, rotation, "large", "box"), CAMERA)
    assert box.at == (x, y, box.half[2])
    assert min(box.half) > RADIUS["large"]
    assert box.turn == turn_of(rotation)


@given(PLACES, PLACES, st.floats(0, 360))
def test_a_panel_stands_on_the_ground_between_the_place_and_the_camera(x: float, y: float, rotation: float) -> None:
    (panel,) = covers(Hide(x, y, rotation, "small", "panel"), CAMERA)
    assert panel.at[2] == panel.half[2]
    away = math.dist((x, y), CAMERA[:2])
    assert RADIUS["small"] < math.dist(panel.at[:2], (x, y)) < 1.0
    assert math.dist(panel.at[:2], CAMERA[:2]) < away


@pytest.mark.parametrize("cover", COVERS)
def test_a_smaller_cover_for_what_may_only_be_small(cover: Cover) -> None:
    large, small = (
        covers(Hide(0.0, 0.0, 0.0, size, cover), CAMERA)[0] for size in ("large", "small")
    )  # fmt: skip
    assert large.half[2] > 1.5 * small.half[2]


def test_things_turn_as_published_pictures_show_it() -> None:
    assert turn_of(3.0) == 3.0
    assert turn_of(100.0) == pytest.approx(100 - 15 * 2 * math.pi)
    scene = Scene(things=(replace(thing("large red rubber cube"), rotation=100.0),))
    assert stage_of(scene).solids[0].turn == turn_of(100.0)


def test_hidden_is_what_stands_at_that_very_place() -> None:
    hide = Hide(1.5, -0.25, 0.0, "large", "box")
    assert hides(hide, thing("small red metal cube", 1.5, -0.25))
    assert not hides(hide, thing("small red metal cube", 1.5, -0.2500001))


def test_the_camera_and_the_lamps_are_moved() -> None:
    moved = Jitter(camera=(0.5, 0.0, -0.25), key=(0.0, 1.0, 0.0), fill=(0.0, 0.0, 0.0), back=(0.0, 0.0, -1.0))
    scene = replace(row("large red rubber cube"), jitter=moved)
    made = stage_of(scene)
    assert made.camera == pytest.approx((CAMERA[0] + 0.5, CAMERA[1], CAMERA[2] - 0.25))
    assert made.lamps[0].at == pytest.approx((LAMPS[0].at[0], LAMPS[0].at[1] + 1, LAMPS[0].at[2]))
    assert made.lamps[1] == LAMPS[1]
    assert [lamp.facing for lamp in made.lamps] == [lamp.facing for lamp in LAMPS]
    assert seen_at(scene, scene.things[0]) != seen_at(row("large red rubber cube"), scene.things[0])


def test_sampled_scenes_stand_in_the_studio() -> None:
    assert all(studio_faults(sampled(number)) == () for number in range(SCENES))
    assert studio_faults(row("large red rubber cube")) == ()


STILL = (0.0, 0.0, 0.0)
#: What the camera shows on its right is called left.
MIRRORED = Directions(
    left=DIRECTIONS.right, right=DIRECTIONS.left, behind=DIRECTIONS.behind, front=DIRECTIONS.front,
    above=DIRECTIONS.above, below=DIRECTIONS.below,
)  # fmt: skip
TURNED = Directions(
    left=(-1.0, 0.0, 0.0), right=(1.0, 0.0, 0.0), behind=(0.0, 1.0, 0.0), front=(0.0, -1.0, 0.0),
    above=DIRECTIONS.above, below=DIRECTIONS.below,
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"jitter": Jitter(camera=(0.0, 0.8, 0.0), key=STILL, fill=STILL, back=STILL)}, "camera is moved by 0.8"),
        # Into the middle of the scene, where there is no direction to look in.
        ({"jitter": Jitter(camera=(-CAMERA[0], -CAMERA[1], -CAMERA[2]), key=STILL, fill=STILL, back=STILL)}, "camera"),
        ({"jitter": Jitter(camera=STILL, key=STILL, fill=(0.0, 0.0, 9.0), back=STILL)}, "fill is moved by 9, more"),
        ({"directions": MIRRORED}, "right is not the camera's own"),
        ({"directions": TURNED}, "behind is not the camera's own"),
    ],
)  # fmt: skip
def test_another_studio_is_said(changes: Any, words: str) -> None:
    found = studio_faults(replace(row("large red rubber cube"), **changes))
    assert words in " ".join(found)


def test_the_farthest_camera_still_sees_left_where_left_is() -> None:
    for x in (-MOST_CAMERA, MOST_CAMERA):
        for y in (-MOST_CAMERA, MOST_CAMERA):
            moved = Jitter(camera=(x, y, 0.0), key=STILL, fill=STILL, back=STILL)
            assert studio_faults(replace(row("large red rubber cube"), jitter=moved)) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"x":1e9,"y":0,"rotation":0}', "expected a finite x of at most 100 either way; got x=1000000000.0"),
        ('{"x":0,"y":-101,"rotation":0}', "y=-101.0"),
        ('{"x":0,"y":0,"rotation":4000}', "rotation=4000.0"),
    ],
)
def test_places_out_of_this_world_are_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode(text.replace("}", ',"largest":"large","cover":"box"}'), Hide)


def test_a_place_has_one_name() -> None:
    hide = decode('{"x":-0.0,"y":0,"rotation":-0.0,"largest":"large","cover":"box"}', Hide)
    assert (repr(hide.x), repr(hide.y), repr(hide.rotation)) == ("0.0", "0.0", "0.0")


@pytest.mark.parametrize("form", ["cube", "sphere", "cylinder"])
def test_every_shape_is_drawn_as_itself(form: Form) -> None:
    assert stage_of(row(f"small blue metal {form}")).solids[0].form == form
