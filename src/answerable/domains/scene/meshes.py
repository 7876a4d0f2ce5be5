"""The shapes of things as triangles: a cube and a cylinder with rounded edges, a sphere, a slab, and the backdrop.

Unit shapes reach from -1 to 1 along each axis. Their roundings were measured on CLEVR's own shapes.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from answerable.domains.scene.stage import BACKDROP_AT, BACKDROP_TURN, BACKDROP_WIDTH, Form

Floats = NDArray[np.float64]
Faces = NDArray[np.uint32]
#: Vertices (N, 3), normals (N, 3), triangles (M, 3).
Mesh = tuple[Floats, Floats, Faces]

#: Radius of the rounded edges of a unit cube, of a unit cylinder and of a slab.
CUBE_ROUNDING, CYLINDER_ROUNDING = 0.175, 0.09
#: Steps of a quarter turn along a rounded edge, and of a whole turn around.
_EDGE, _AROUND = 8, 96
#: Section of the backdrop: how far along, how high. The floor begins below the camera and bends up behind the things.
_BACKDROP = (
    (-23.556, 0.0), (-16.554, 0.001), (-13.654, 0.006), (-11.11, 0.019), (-8.889, 0.048), (-7.891, 0.07),
    (-6.963, 0.099), (-6.1, 0.136), (-5.3, 0.183), (-4.559, 0.241), (-3.873, 0.312), (-3.24, 0.397), (-2.656, 0.499),
    (-2.119, 0.62), (-1.624, 0.761), (-1.17, 0.925), (-0.753, 1.114), (-0.371, 1.331), (-0.021, 1.578), (0.3, 1.858),
    (0.595, 2.174), (0.864, 2.528), (1.112, 2.924), (1.34, 3.365), (1.55, 3.854), (1.744, 4.394), (1.924, 4.989),
    (2.252, 6.358), (2.547, 7.991), (2.821, 9.92), (3.087, 12.179), (3.354, 14.804), (3.631, 17.831), (4.081, 23.215),
)  # fmt: skip


def mesh(form: Form) -> Mesh:
    """The triangles of a unit shape, with outward normals."""
    return {"cube": _cube, "slab": _slab, "cylinder": _cylinder, "sphere": _sphere}[form]()


@cache
def _cube() -> Mesh:
    return _rounded_box(CUBE_ROUNDING)


@cache
def _slab() -> Mesh:
    return _rounded_box(0.0)


def _rounded_box(rounding: float) -> Mesh:
    """A box as six grids of points on a small ball, moved out to its eight corners; flat between them."""
    steps = _EDGE + 1 if rounding else 1
    arc = np.tan(np.linspace(0, math.pi / 4, steps)) if rounding else np.zeros(1)
    # Along each of a face's two axes: where on the ball, and towards which corner.
    ball_line, corner_line = np.concatenate([-arc[::-1], arc]), np.repeat([-1.0, 1.0], steps)
    count = 2 * steps
    i, j = (part.ravel() for part in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    inner = (i < count - 1) & (j < count - 1)
    first = (i * count + j)[inner]
    quads = np.stack([first, first + count, first + count + 1, first + 1], axis=1)
    vertices: list[Floats] = []
    normals: list[Floats] = []
    faces: list[NDArray[np.int64]] = []
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1.0, 1.0):
            ball, corner = np.empty((len(i), 3)), np.empty((len(i), 3))
            ball[:, axis], ball[:, one], ball[:, other] = side, ball_line[i], ball_line[j]
            corner[:, axis], corner[:, one], corner[:, other] = side, corner_line[i], corner_line[j]
            normal = ball / np.linalg.norm(ball, axis=1, keepdims=True)
            order = (0, 1, 2, 0, 2, 3) if side > 0 else (0, 2, 1, 0, 3, 2)
            faces.append(quads[:, order].reshape(-1, 3) + len(vertices) * len(i))
            vertices.append(corner * (1 - rounding) + normal * rounding)
            normals.append(normal)
    return np.concatenate(vertices), np.concatenate(normals), np.concatenate(faces).astype(np.uint32)


@cache
def _cylinder() -> Mesh:
    """A profile turned about the vertical; the flat ends have normals of their own."""
    arc = np.linspace(0, math.pi / 2, _EDGE + 1)
    r, z = (
        1 - CYLINDER_ROUNDING + CYLINDER_ROUNDING * np.cos(arc),
        1 - CYLINDER_ROUNDING + CYLINDER_ROUNDING * np.sin(arc),
    )
    profile = [(r_, z_, math.cos(a), math.sin(a)) for r_, z_, a in zip(r, z, arc, strict=True)]
    profile = [*((p[0], -p[1], p[2], -p[3]) for p in reversed(profile)), *profile]
    profile = [(0.0, -1.0, 0.0, -1.0), *profile, (0.0, 1.0, 0.0, 1.0)]
    return _turned(profile)


@cache
def _sphere() -> Mesh:
    arcs = np.linspace(-math.pi / 2, math.pi / 2, _AROUND // 2 + 1)
    return _turned([(math.cos(a), math.sin(a), math.cos(a), math.sin(a)) for a in arcs])


def _turned(profile: list[tuple[float, float, float, float]]) -> Mesh:
    """A surface of revolution from radius, height and the normal's two parts, from bottom to top."""
    angles = np.linspace(0, 2 * math.pi, _AROUND, endpoint=False)
    rows = np.array(profile)
    cos, sin = np.cos(angles), np.sin(angles)
    vertices = np.stack(
        [np.outer(rows[:, 0], cos), np.outer(rows[:, 0], sin), np.repeat(rows[:, 1:2], _AROUND, axis=1)], axis=-1
    ).reshape(-1, 3)
    normals = np.stack(
        [np.outer(rows[:, 2], cos), np.outer(rows[:, 2], sin), np.repeat(rows[:, 3:4], _AROUND, axis=1)], axis=-1
    ).reshape(-1, 3)
    faces = []
    for row in range(len(rows) - 1):
        for k in range(_AROUND):
            a, b = row * _AROUND + k, row * _AROUND + (k + 1) % _AROUND
            c, d = a + _AROUND, b + _AROUND
            # At a pole one of the two triangles has no area.
            if rows[row, 0] > 1e-12:
                faces.append((a, b, d))
            if rows[row + 1, 0] > 1e-12:
                faces.append((a, d, c))
    return vertices, normals, np.array(faces, dtype=np.uint32)


@cache
def backdrop() -> Mesh:
    """The backdrop where it stands."""
    section = np.array(_BACKDROP)
    slope = np.gradient(section[:, 1], section[:, 0])
    count = len(section)
    along, across = np.tile(section[:, 0], 2), np.repeat([-BACKDROP_WIDTH, 0.0], count)
    cos, sin = math.cos(BACKDROP_TURN), math.sin(BACKDROP_TURN)
    vertices = np.stack([along * cos - across * sin, along * sin + across * cos, np.tile(section[:, 1], 2)], axis=1)
    normal = np.stack([-slope * cos, -slope * sin, np.ones_like(slope)], axis=1)
    normal = np.tile(normal / np.linalg.norm(normal, axis=1, keepdims=True), (2, 1))
    faces = [face for i in range(count - 1) for face in ((i, i + 1, count + i + 1), (i, count + i + 1, count + i))]
    return vertices + np.array(BACKDROP_AT), normal, np.array(faces, dtype=np.uint32)
