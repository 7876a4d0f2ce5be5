"""The flat renderer: the same pixels every time, and every attribute shows."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from msgspec.structs import replace

from answerable.domains.scene.casting import GROUND, SKY, cast
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.renderers.flat import FlatRenderer
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.visibility import stage_of
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from answerable.domains.scene.world import Scene, with_value
from tests.domains.scene.drawn import stage, whole
from tests.domains.scene.make import thing

ONE = Scene(things=(thing("large red rubber cube", 0.5, 0.5),))


def test_pictures_have_the_published_size() -> None:
    pixels = FlatRenderer().render(stage_of(whole(0)))
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8


def test_the_same_stage_gives_the_same_pixels() -> None:
    one, other = (FlatRenderer().render(stage_of(whole(0))) for _ in range(2))
    assert (one == other).all()
    assert not (one == FlatRenderer().render(stage_of(whole(1)))).all()


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_every_value_of_every_attribute_looks_another_way(attribute: str) -> None:
    name = next(one for one in ATTRIBUTES if one == attribute)
    marks = {
        hashlib.sha256(FlatRenderer().render(stage_of(with_value(ONE, 0, name, value))).tobytes()).hexdigest()
        for value in VALUES[name]
    }
    assert len(marks) == len(VALUES[name])


def test_a_turned_cube_looks_turned() -> None:
    turned = Scene(things=(replace(ONE.things[0], rotation=0.4),))
    assert not (FlatRenderer().render(stage_of(turned)) == FlatRenderer().render(stage_of(ONE))).all()


def test_colour_is_only_where_the_solid_is() -> None:
    found, pixels = cast(stage_of(ONE), 1), FlatRenderer().render(stage_of(ONE)).astype(int)
    red = pixels[..., 0] - pixels[..., 1] > 20
    assert (red == (found.which == 0)).all()
    plain = pixels[found.which == GROUND]
    assert (plain == plain[0]).all()


def test_the_ground_and_what_is_behind_it_differ() -> None:
    level = stage(camera=(9.0, 0.0, 0.5))
    found, pixels = cast(level, 1), FlatRenderer().render(level)
    assert {tuple(color) for color in pixels[found.which == SKY].tolist()}.isdisjoint(
        tuple(color) for color in pixels[found.which == GROUND].tolist()
    )


def test_a_renderer_is_opened_once() -> None:
    assert renderer("flat") is renderer("flat")
    assert renderer("flat").version == "flat 1"
