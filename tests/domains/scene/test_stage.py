"""The studio: where the camera looks, and where it sees things."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.domains.scene.stage import CAMERA, HEIGHT, LAMPS, SUN, WIDTH, Vector, basis, project
from answerable.domains.scene.world import DIRECTIONS

near = st.floats(-0.75, 0.75)
cameras = st.builds(lambda x, y, z: (CAMERA[0] + x, CAMERA[1] + y, CAMERA[2] + z), near, near, near)
points = st.builds(lambda x, y, z: (x, y, z), st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 1.4))


def dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@given(cameras)
def test_the_camera_has_three_axes_at_right_angles(camera: Vector) -> None:
    right, up, forward = basis(camera)
    for axis in (right, up, forward):
        assert math.hypot(*axis) == pytest.approx(1)
    assert dot(right, up) == pytest.approx(0, abs=1e-12)
    assert dot(right, forward) == pytest.approx(0, abs=1e-12)
    assert dot(up, forward) == pytest.approx(0, abs=1e-12)
    assert right[2] == 0
    assert up[2] > 0


def test_its_right_is_what_questions_call_right() -> None:
    right, _, forward = basis(CAMERA)
    assert right == pytest.approx(DIRECTIONS.right, abs=1e-6)
    flat = math.hypot(forward[0], forward[1])
    assert (forward[0] / flat, forward[1] / flat, 0) == pytest.approx(DIRECTIONS.behind, abs=1e-6)


@given(cameras)
def test_it_looks_at_the_origin(camera: Vector) -> None:
    column, row, depth = project(camera, (0, 0, 0))
    assert (column, row) == pytest.approx((WIDTH / 2, HEIGHT / 2))
    assert depth == pytest.approx(math.hypot(*camera))


@given(cameras, points)
def test_right_is_farther_right_and_up_is_farther_up(camera: Vector, point: Vector) -> None:
    right, up, _ = basis(camera)
    column, row, depth = project(camera, point)
    moved = project(camera, (point[0] + right[0], point[1] + right[1], point[2] + right[2]))
    assert moved[0] > column + 20
    assert moved[1:] == pytest.approx((row, depth))
    raised = project(camera, (point[0] + up[0], point[1] + up[1], point[2] + up[2]))
    assert raised[1] < row - 20
    assert (raised[0], raised[2]) == pytest.approx((column, depth))


def test_a_unit_across_is_as_wide_as_the_lens_makes_it() -> None:
    right, *_ = basis(CAMERA)
    column, _, depth = project(CAMERA, right)
    # 35 millimetres over a sensor of 32, across 480 pixels.
    assert column - WIDTH / 2 == pytest.approx(35 / 32 * 480 / depth)


def test_lamps_face_the_scene() -> None:
    for lamp in LAMPS:
        assert math.hypot(*lamp.facing) == pytest.approx(1)
        far = math.hypot(*lamp.at)
        assert dot(lamp.facing, lamp.at) / far < -0.8
    assert math.hypot(*SUN.facing) == pytest.approx(1)
    assert SUN.facing[2] < 0
