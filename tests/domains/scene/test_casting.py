"""Rays: silhouettes as large as geometry says, what stands in front hides, and the same numbers everywhere."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.domains.scene import casting
from answerable.domains.scene.casting import GROUND, SKY, cast, seen
from answerable.domains.scene.stage import CAMERA, FOCAL, HEIGHT, WIDTH, Form, Solid, Vector, basis, project
from answerable.domains.scene.visibility import stage_of
from tests.domains.scene.drawn import solid, stage, whole

FORMS: tuple[Form, ...] = ("cube", "sphere", "cylinder", "slab")


def test_a_ball_is_as_large_as_its_cone() -> None:
    # Half way to the camera, well above the ground.
    radius, middle = 0.7, (CAMERA[0] / 2, CAMERA[1] / 2, CAMERA[2] / 2)
    far = math.hypot(*CAMERA) / 2
    # A ball in the middle of the picture is a disc: of the tangent of half the angle that it fills.
    disc = math.pi * (FOCAL * WIDTH * math.tan(math.asin(radius / far))) ** 2
    (count,) = seen(stage(solid("sphere", middle, radius)), step=1)
    assert count == pytest.approx(disc, rel=0.01)


def shadow(points: list[Vector]) -> float:
    """Pixels of the outline of points: of a convex shape, their hull."""
    flat = sorted({project(CAMERA, point)[:2] for point in points})

    def side(line: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in line:
            while len(kept) > 1:
                (a, b), (c, d) = kept[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    hull = side(flat) + side(flat[::-1])
    turned = [*hull[1:], hull[0]]
    return abs(sum(a * d - b * c for (a, b), (c, d) in zip(hull, turned, strict=True))) / 2


def turned_about(one: Solid, x: float, y: float, z: float) -> Vector:
    cos, sin = math.cos(one.turn), math.sin(one.turn)
    x, y, z = x * one.half[0], y * one.half[1], z * one.half[2]
    return (one.at[0] + x * cos - y * sin, one.at[1] + x * sin + y * cos, one.at[2] + z)


@pytest.mark.parametrize("turn", [0.0, 0.4, 2.1])
@pytest.mark.parametrize(("form", "half"), [("cube", 0.7), ("slab", (0.1, 0.9, 0.6)), ("slab", (1.0, 0.3, 0.2))])
def test_a_box_is_as_large_as_the_outline_of_its_corners(form: Form, half: Vector | float, turn: float) -> None:
    one = solid(form, (0.8, -0.5, 0.9), half, turn)
    corners = [turned_about(one, a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    (count,) = seen(stage(one), step=1)
    assert count == pytest.approx(shadow(corners), rel=0.01)


def test_a_cylinder_is_as_large_as_the_outline_of_its_rims() -> None:
    one = solid("cylinder", (-1.2, 0.6, 0.35), 0.35)
    angles = [k * math.pi / 180 for k in range(360)]
    rims = [turned_about(one, math.cos(a), math.sin(a), z) for a in angles for z in (-1.0, 1.0)]
    (count,) = seen(stage(one), step=1)
    assert count == pytest.approx(shadow(rims), rel=0.015)


@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.floats(-2, 2), st.floats(-2, 2), st.floats(0, 6.3))
@settings(max_examples=40)
def test_what_stands_in_front_hides(form: Form, cover: Form, x: float, y: float, turn: float) -> None:
    behind = solid(form, (x, y, 0.3), 0.3, turn)
    # Half way to the camera, so that a solid larger than half as large covers the whole of it.
    half_way = ((x + CAMERA[0]) / 2, (y + CAMERA[1]) / 2, (0.3 + CAMERA[2]) / 2)
    before = solid(cover, half_way, 1.0, turn)
    free, _ = seen(stage(behind, solid(cover, (x, y, -40.0), 1.0)), step=2)
    hidden, covering = seen(stage(behind, before), step=2)
    assert free > 200
    assert hidden == 0
    assert covering > free
    # The order in which solids are listed says nothing of which is nearer.
    assert seen(stage(before, behind), step=2) == (covering, hidden)


def test_solids_behind_the_camera_and_below_the_ground_are_not_seen() -> None:
    _, _, forward = basis(CAMERA)
    back = (CAMERA[0] - 3 * forward[0], CAMERA[1] - 3 * forward[1], CAMERA[2] - 3 * forward[2])
    assert seen(stage(solid("sphere", back, 1.0), solid("cube", (0, 0, -2), 0.7))) == (0, 0)


@pytest.mark.parametrize("number", range(6))
def test_a_ray_for_four_pixels_counts_about_as_many(number: int) -> None:
    made = stage_of(whole(number))
    for fine, coarse in zip(seen(made, step=1), seen(made, step=2), strict=True):
        assert coarse == pytest.approx(fine, rel=0.1, abs=40)


@pytest.mark.parametrize("form", FORMS)
def test_normals_have_length_one_and_face_the_camera(form: Form) -> None:
    found = cast(stage(solid(form, (0.5, 0.5, 0.7), 0.7, 0.3)), 1)
    here = found.which == 0
    assert here.sum() > 1000
    x, y, z = (part[here] for part in found.normal)
    assert np.sqrt(x * x + y * y + z * z) == pytest.approx(1)
    row, column = np.nonzero(here)
    right, up, forward = basis(CAMERA)
    across, above = (column + 0.5 - WIDTH / 2) / (FOCAL * WIDTH), (HEIGHT / 2 - row - 0.5) / (FOCAL * WIDTH)
    ray = [forward[k] + above * up[k] + across * right[k] for k in range(3)]
    assert (x * ray[0] + y * ray[1] + z * ray[2]).max() < 1e-6


def test_without_slopes_the_same_is_met() -> None:
    made = stage_of(whole(0))
    one, other = cast(made, 2), cast(made, 2, slopes=False)
    assert (one.which == other.which).all()
    assert (other.normal[2] == 1).all()
    assert not (one.normal[2] == 1).all()


def test_ground_and_sky_are_told_apart() -> None:
    assert set(np.unique(cast(stage(), 2).which)) == {GROUND}
    level = stage(camera=(9.0, 0.0, 0.5))
    found = cast(level, 2).which
    assert set(np.unique(found)) == {GROUND, SKY}
    assert found[0, 0] == SKY
    assert found[-1, 0] == GROUND


def test_sums_are_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of matrices go to a library that sums in another order on another machine."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a product of matrices")

    before = cast(stage_of(whole(1)), 2)
    for name in ("dot", "matmul", "einsum", "tensordot", "inner", "vdot"):
        monkeypatch.setattr(np, name, forbidden)
    for name in ("norm", "lstsq", "solve", "inv"):
        monkeypatch.setattr(np.linalg, name, forbidden)
    after = cast(stage_of(whole(1)), 2)
    assert (before.which == after.which).all()
    assert " @ " not in inspect.getsource(casting)
