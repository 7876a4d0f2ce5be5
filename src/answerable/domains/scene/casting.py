"""Which solid is met by the ray through each pixel, where and at what slope: no light, and the same on every machine.

Shapes are taken without their rounded edges. Sums are written out, so that no library orders them otherwise.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from answerable.domains.scene.stage import FOCAL, HEIGHT, WIDTH, Solid, Stage, basis

Floats = NDArray[np.float64]
#: The parts of many vectors: three arrays of one shape, or three numbers.
Parts = tuple[Floats, Floats, Floats]
_FAR = 1e30
#: What is met where no solid is.
GROUND, SKY = -1, -2


class Cast(msgspec.Struct, frozen=True):
    """What the rays met; every array has the shape of the grid of rays."""

    which: NDArray[np.int64]
    """Number of the solid in the stage, ``GROUND`` or ``SKY``."""
    normal: Parts
    """Unit vectors out of the surface; upwards where nothing is met."""


def seen(stage: Stage, step: int = 2) -> tuple[int, ...]:
    """In how many pixels each solid is seen, in the order of the stage.

    Args:
        step: one ray for a square of so many pixels a side; it stands for all of them.
    """
    which = cast(stage, step, slopes=False).which
    return tuple(int((which == number).sum()) * step * step for number in range(len(stage.solids)))


def cast(stage: Stage, step: int, *, slopes: bool = True) -> Cast:
    """Cast a ray through the middle of every square of ``step`` pixels a side.

    Args:
        slopes: False leaves the normals upright, which is quicker.
    """
    rays = _rays(stage, step)
    shape = rays[0].shape
    with np.errstate(divide="ignore"):
        nearest = np.where(rays[2] < 0, -stage.camera[2] / rays[2], _FAR)
    which = np.where(nearest < _FAR, GROUND, SKY)
    normal: list[Floats] = [np.zeros(shape), np.zeros(shape), np.ones(shape)]
    for number, solid in enumerate(stage.solids):
        start, ways = _own(solid, stage.camera, rays)
        hit = _meets(solid, start, ways)
        closer = hit < nearest
        nearest, which = np.where(closer, hit, nearest), np.where(closer, number, which)
        if not slopes:
            continue
        for axis, part in enumerate(_slope(solid, start, ways, np.where(closer, hit, 0.0))):
            normal[axis] = np.where(closer, part, normal[axis])
    return Cast(which, (normal[0], normal[1], normal[2]))


def _rays(stage: Stage, step: int) -> Parts:
    right, up, forward = basis(stage.camera)
    across = (np.arange(0, WIDTH, step) + step / 2 - WIDTH / 2) / (FOCAL * WIDTH)
    above = (HEIGHT / 2 - np.arange(0, HEIGHT, step) - step / 2) / (FOCAL * WIDTH)
    x, y, z = (
        forward[axis] + above[:, None] * up[axis] + across[None, :] * right[axis] for axis in range(3)
    )  # fmt: skip
    return x, y, z


def _own(solid: Solid, origin: tuple[float, float, float], rays: Parts) -> tuple[tuple[float, ...], Parts]:
    """The camera and the rays in the axes of a solid, of which each half is 1."""
    cos, sin = math.cos(solid.turn), math.sin(solid.turn)
    x, y, z = (a - b for a, b in zip(origin, solid.at, strict=True))
    one, other, up = solid.half
    start = ((x * cos + y * sin) / one, (y * cos - x * sin) / other, z / up)
    ways = ((rays[0] * cos + rays[1] * sin) / one, (rays[1] * cos - rays[0] * sin) / other, rays[2] / up)
    return start, ways


def _meets(solid: Solid, start: tuple[float, ...], ways: Parts) -> Floats:
    """How far along each ray a solid is met; far away where it is not."""
    if solid.form == "sphere":
        return _first(*_round(start, ways))
    if solid.form == "cylinder":
        low, high = _round(start[:2], ways[:2])
        bottom, top = _between(start[2:], ways[2:])
        return _first(np.maximum(low, bottom), np.minimum(high, top))
    return _first(*_between(start, ways))


def _first(low: Floats, high: Floats) -> Floats:
    return np.where((low <= high) & (low > 0), low, _FAR)


def _between(start: tuple[float, ...], ways: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Where rays enter and leave what lies between -1 and 1 along every axis given."""
    low, high = np.full(ways[0].shape, -_FAR), np.full(ways[0].shape, _FAR)
    for at, part in zip(start, ways, strict=True):
        way = np.where(part == 0, 1e-300, part)
        one, other = (-1 - at) / way, (1 - at) / way
        low, high = np.maximum(low, np.minimum(one, other)), np.minimum(high, np.maximum(one, other))
    return low, high


def _round(start: tuple[float, ...], ways: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Where rays enter and leave the ball, or the endless tube, of radius 1."""
    a, b, c = np.zeros(ways[0].shape), np.zeros(ways[0].shape), -1.0
    for at, part in zip(start, ways, strict=True):
        a, b, c = a + part * part, b + at * part, c + at * at
    inside = b * b - a * c
    root = np.sqrt(np.maximum(inside, 0))
    missed = inside < 0
    return np.where(missed, _FAR, (-b - root) / a), np.where(missed, -_FAR, (-b + root) / a)


def _slope(solid: Solid, start: tuple[float, ...], ways: Parts, far: Floats) -> Parts:
    """Unit normals of a solid where rays meet it."""
    x, y, z = (at + part * far for at, part in zip(start, ways, strict=True))
    zero = np.zeros(x.shape)
    if solid.form == "cylinder":
        flat = np.abs(z) > 1 - 1e-9
        x, y, z = np.where(flat, zero, x), np.where(flat, zero, y), np.where(flat, z, zero)
    elif solid.form != "sphere":
        most = np.maximum(np.maximum(np.abs(x), np.abs(y)), np.abs(z))
        x, y, z = (np.where(np.abs(part) == most, part, zero) for part in (x, y, z))
    x, y, z = x / solid.half[0], y / solid.half[1], z / solid.half[2]
    length = np.maximum(np.sqrt(x * x + y * y + z * z), 1e-300)
    x, y, z = x / length, y / length, z / length
    cos, sin = math.cos(solid.turn), math.sin(solid.turn)
    return x * cos - y * sin, x * sin + y * cos, z
