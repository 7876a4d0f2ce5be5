"""Shapes as triangles: closed, outward, as large as they should be, with normals that fit."""

from __future__ import annotations

import math
from collections import Counter
from typing import get_args

import numpy as np
import pytest

from answerable.domains.scene.meshes import (
    CUBE_ROUNDING,
    CYLINDER_ROUNDING,
    Faces,
    Floats,
    Mesh,
    backdrop,
    mesh,
)
from answerable.domains.scene.stage import Form, project

FORMS: tuple[Form, ...] = get_args(Form)


def rounded_cube(r: float) -> float:
    """A box of half ``h`` grown by ``r``: the box, six plates, twelve quarter rods, eight eighths of a ball."""
    side = 2 * (1 - r)
    return side**3 + 6 * side**2 * r + 3 * math.pi * r**2 * side + 4 / 3 * math.pi * r**3


def rounded_cylinder(r: float) -> float:
    """By Pappus: a straight core, a plain rim, and the two halves of a rounded edge turned about the axis."""
    core, height = 1 - r, 2 * (1 - r)
    edge = math.pi * r**2 / 2
    middle = core + 4 * r / (3 * math.pi)
    return math.pi * core**2 * 2 + math.pi * (1 - core**2) * height + 2 * math.pi * middle * edge


VOLUMES: dict[Form, float] = {
    "cube": rounded_cube(CUBE_ROUNDING), "slab": 8.0, "sphere": 4 / 3 * math.pi,
    "cylinder": rounded_cylinder(CYLINDER_ROUNDING),
}  # fmt: skip


def corners(found: Mesh) -> tuple[Floats, Floats, Floats]:
    vertices, _, faces = found
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return a, b, c


def volume(found: Mesh) -> float:
    """By the divergence theorem: right only for a closed surface whose triangles all turn the same way."""
    a, b, c = corners(found)
    return float((a * np.cross(b, c)).sum() / 6)


def welded(found: Mesh) -> Faces:
    """Triangles over points, so that edges between parts with normals of their own are shared."""
    vertices, _, faces = found
    _, same = np.unique(np.round(vertices, 9), axis=0, return_inverse=True)
    merged = np.asarray(same).reshape(-1)[faces].astype(np.uint32)
    # Quads that bend around an edge of the rounding may shrink to lines.
    whole = (merged[:, 0] != merged[:, 1]) & (merged[:, 1] != merged[:, 2]) & (merged[:, 0] != merged[:, 2])
    kept: Faces = merged[whole]
    return kept


@pytest.mark.parametrize("form", FORMS)
def test_every_surface_is_closed_and_turned_one_way(form: Form) -> None:
    edges: Counter[tuple[int, int]] = Counter()
    for face in welded(mesh(form)).tolist():
        for k in range(3):
            edges[face[k], face[(k + 1) % 3]] += 1
    assert len(edges) > 30
    # Every edge is walked once each way.
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)


@pytest.mark.parametrize("form", FORMS)
def test_volumes_are_those_of_the_shapes(form: Form) -> None:
    assert volume(mesh(form)) == pytest.approx(VOLUMES[form], rel=0.004)


@pytest.mark.parametrize("form", FORMS)
def test_shapes_reach_from_minus_one_to_one(form: Form) -> None:
    vertices, *_ = mesh(form)
    assert vertices.min(axis=0) == pytest.approx([-1, -1, -1], abs=1e-9)
    assert vertices.max(axis=0) == pytest.approx([1, 1, 1], abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_normals_have_length_one_and_point_out(form: Form) -> None:
    found = mesh(form)
    vertices, normals, faces = found
    assert normals.shape == vertices.shape
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)
    a, b, c = corners(found)
    flat = np.cross(b - a, c - a)
    size = np.linalg.norm(flat, axis=1)
    sound = size > 1e-12
    assert sound.mean() > 0.9
    straight = flat[sound] / size[sound][:, None]
    middle = normals[faces[sound]].mean(axis=1)
    middle /= np.linalg.norm(middle, axis=1)[:, None]
    # A triangle is turned as its corners' normals are, up to the steps of the rounding.
    assert (straight * middle).sum(axis=1).min() > 0.99


def test_the_faces_of_a_rounded_cube_are_flat_in_the_middle() -> None:
    vertices, normals, _ = mesh("cube")
    inner = 1 - CUBE_ROUNDING
    for axis in range(3):
        for side in (-1.0, 1.0):
            others = np.delete(vertices, axis, axis=1)
            face = (vertices[:, axis] == side) & (np.abs(others) <= inner + 1e-12).all(axis=1)
            assert face.sum() >= 4
            straight = np.zeros(3)
            straight[axis] = side
            assert (normals[face] == straight).all()


def test_the_ends_of_a_cylinder_are_flat() -> None:
    vertices, normals, _ = mesh("cylinder")
    inner = 1 - CYLINDER_ROUNDING
    ends = (np.abs(vertices[:, 2]) == 1) & (np.hypot(vertices[:, 0], vertices[:, 1]) <= inner + 1e-12)
    assert ends.sum() > 100
    assert np.abs(normals[ends][:, 2]) == pytest.approx(1)


def test_a_sphere_is_round() -> None:
    vertices, normals, _ = mesh("sphere")
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(1)
    assert normals == pytest.approx(vertices)


def test_a_slab_has_sharp_edges() -> None:
    vertices, _, faces = mesh("slab")
    assert set(map(abs, vertices.ravel().tolist())) == {1.0}
    assert len(faces) == 12


def test_the_backdrop_begins_flat_and_fills_the_picture() -> None:
    vertices, normals, faces = backdrop()
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)
    assert (normals[:, 2] > 0).all()
    assert int(faces.max()) == len(vertices) - 1
    assert vertices[:, 2].min() == 0
    # It rises above the picture's upper edge behind the things, and reaches beyond its sides there.
    count = len(vertices) // 2
    left, right = vertices[count - 1], vertices[-1]
    ends = [project((7.48, -6.51, 5.34), (float(p[0]), float(p[1]), float(p[2]))) for p in (left, right)]
    assert min(end[1] for end in ends) < 0
    assert min(end[0] for end in ends) < 0
    assert max(end[0] for end in ends) > 480


def test_the_ground_that_things_stand_on_is_level() -> None:
    a, b, c = corners(backdrop())
    lowest = np.concatenate([a, b, c])
    placed = lowest[(np.abs(lowest[:, 0]) < 3.7) & (np.abs(lowest[:, 1]) < 3.7)]
    assert (placed[:, 2] < 0.05).all()
