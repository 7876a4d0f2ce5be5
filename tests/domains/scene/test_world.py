"""Scenes: what is admitted, who stands where to whom, and the rules for placing."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace

from answerable.core.codec import decode, encode
from answerable.domains.scene.vocabulary import EPSILON, RADIUS, Relation
from answerable.domains.scene.world import (
    DIRECTIONS,
    MAX_THINGS,
    Directions,
    Jitter,
    Scene,
    changed,
    fits,
    placement_faults,
    relations,
    with_thing,
    with_value,
)
from tests.domains.scene.make import row, scenes, thing

CUBE = "large red rubber cube"


@given(scenes())
def test_scenes_survive_writing_and_reading(scene: Scene) -> None:
    assert decode(encode(scene), Scene) == scene
    assert encode(decode(encode(scene), Scene)) == encode(scene)


def test_equal_numbers_are_written_alike() -> None:
    whole: Any = 1
    assert encode(thing(CUBE, whole, -0.0)) == encode(thing(CUBE, 1.0, 0.0))
    turned = msgspec.structs.replace(DIRECTIONS, right=(0.6563112735748291, 0.7544902563095093, 0.0))
    assert encode(turned) == encode(DIRECTIONS)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("shape", "cone", "expected a shape out of cube, sphere, cylinder; got 'cone'"),
        ("color", "pink", "expected a color out of gray"),
        ("size", "medium", "expected a size out of large, small; got 'medium'"),
        ("material", "", "expected a material out of rubber, metal; got ''"),
        ("x", math.nan, "expected a finite x of at most 100 either way; got x=nan"),
        ("y", -math.inf, "expected a finite y"),
        ("z", 1e9, "expected a finite z"),
        ("rotation", math.inf, "expected a finite rotation of at most 3600"),
        ("pixel", (10**9, 0, 1.0), "expected a pixel of at most 100000 either way"),
        ("pixel", (1, 2, math.nan), "expected a finite depth"),
    ],
)
def test_bad_objects_are_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        replace(thing(CUBE), **{field: value})


def test_bad_objects_are_refused_when_read() -> None:
    for bad in (b'"cone"', b"3", b"null"):
        with pytest.raises(msgspec.ValidationError, match=r"shape|str"):
            decode(encode(thing(CUBE)).replace(b'"cube"', bad), type(thing(CUBE)))


def test_too_many_objects_are_refused() -> None:
    with pytest.raises(ValueError, match=f"expected at most {MAX_THINGS} objects; got 21"):
        Scene(things=(thing(CUBE),) * (MAX_THINGS + 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": (2.0, 0.0, 0.0)}, "expected a finite left of at most 1.001"),
        ({"left": (0.5, 0.0, 0.0)}, "expected a direction of length 1; got left"),
        ({"front": (0.6, 0.0, 0.8)}, "expected a direction in the ground plane; got front"),
        ({"left": (1.0, 0.0, 0.0)}, "expected right to be opposite to left"),
        ({"below": (0.0, 0.0, 1.0)}, "expected below to be opposite to above"),
        ({"left": DIRECTIONS.front, "right": DIRECTIONS.behind}, "expected behind at a right angle to left"),
    ],
)
def test_bad_directions_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(DIRECTIONS, **changes)


def test_jitter_is_finite() -> None:
    still = (0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="expected a finite fill"):
        Jitter(camera=still, key=still, fill=(0.0, math.nan, 0.0), back=still)


def test_a_row_stands_from_left_to_right() -> None:
    found = relations(row(CUBE, "small blue metal sphere", "small red metal cube"))
    assert found["right"] == ((1, 2), (2,), ())
    assert found["left"] == ((), (0,), (0, 1))
    assert (found["front"], found["behind"]) == (found["right"], found["left"])


def test_nearly_level_is_neither_left_nor_right() -> None:
    level = Directions(
        left=(-1.0, 0.0, 0.0), right=(1.0, 0.0, 0.0), behind=(0.0, 1.0, 0.0), front=(0.0, -1.0, 0.0),
        above=(0.0, 0.0, 1.0), below=(0.0, 0.0, -1.0),
    )  # fmt: skip
    for step, expected in ((EPSILON, ()), (EPSILON + 1e-6, (1,))):
        scene = Scene(things=(thing(CUBE), thing(CUBE, step, 2.0)), directions=level)
        assert relations(scene)["right"][0] == expected
        assert relations(scene)["behind"][0] == (1,)


@given(scenes())
def test_relations_turn_round(scene: Scene) -> None:
    found = relations(scene)
    pairs: tuple[tuple[Relation, Relation], ...] = (("left", "right"), ("behind", "front"))
    for one, opposite in pairs:
        for place in range(len(scene.things)):
            for other in found[one][place]:
                assert place in found[opposite][other]
                assert other not in found[opposite][place]


def test_sound_scenes_have_no_faults() -> None:
    assert placement_faults(row(CUBE, "small blue metal sphere", "small red metal cube")) == ()


def test_faults_say_what_and_where() -> None:
    near = Scene(things=(thing(CUBE, -1.0, 0.0), thing(CUBE, 0.5, 0.0), thing("small gray metal cube", -1.0, 0.5)))
    faults = placement_faults(near)
    assert "object 1 is 0.100 from object 0, nearer than 0.25" in faults
    assert "object 2 overlaps object 0 by 0.550" in faults
    assert any(
        fault.startswith("object 2 is 0.377 apart from object 0 along left, nearer than 0.4") for fault in faults
    )
    far = Scene(things=(replace(thing(CUBE, 3.2, 0.0), z=1.5, pixel=(480, 10, 1.0)),))
    assert placement_faults(far) == (
        "object 0 is placed beyond 3 units",
        "object 0 does not rest on the ground: z=1.5",
        "object 0 is off the picture: pixel=(480, 10)",
    )


def test_an_object_fits_where_another_made_room() -> None:
    scene = row(CUBE, "small blue metal sphere")
    assert not fits(scene, scene.things[0])
    assert fits(scene, scene.things[0], without=0)


def test_another_size_rests_on_the_ground() -> None:
    small = changed(thing(CUBE, 1.0, pixel=(1, 2, 3.0)), "size", "small")
    assert (small.size, small.z, small.pixel) == ("small", RADIUS["small"], None)
    scene = row(CUBE)
    assert with_value(scene, 0, "color", "cyan").things[0] == replace(scene.things[0], color="cyan")
    assert with_value(scene, 0, "size", "large") == scene
    assert with_thing(scene, 0, None).things == ()
    with pytest.raises(ValueError, match="expected a size out of large, small; got 'huge'"):
        with_value(scene, 0, "size", "huge")
