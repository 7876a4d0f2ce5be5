"""A stage in Mitsuba's terms: what can be held without drawing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.domains.scene.renderers.light_scene import Window, placed, told_apart, told_together
from tests.domains.scene.drawn import solid

PART = st.integers(0, 255).map(lambda step: step / 255)
SLOPE = st.floats(-1, 1)
SEEN = st.lists(
    st.tuples(st.tuples(PART, PART, PART), st.tuples(SLOPE, SLOPE, SLOPE)), min_size=8, max_size=8
)  # fmt: skip


@given(SEEN)
def test_colours_and_normals_of_a_mean_are_told_apart(seen: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> None:
    # What a film does: single precision, and the mean of eight samples.
    values = np.concatenate([told_together((a, b, c), np.array([slope])) for (a, b, c), slope in seen])
    mean = values.astype(np.float32).sum(axis=0, dtype=np.float32) / np.float32(8)
    color, normal = told_apart(mean.astype(float))
    assert color == pytest.approx(np.mean([color for color, _ in seen], axis=0), abs=1e-6)
    assert normal == pytest.approx(np.mean([slope for _, slope in seen], axis=0), abs=0.004)


def test_where_nothing_is_met_there_is_no_colour_and_no_slope() -> None:
    color, normal = told_apart(np.zeros(3))
    assert color.tolist() == normal.tolist() == [0, 0, 0]


def test_a_window_cuts_rows_and_columns() -> None:
    grid = np.arange(20).reshape(4, 5)
    assert grid[Window(1, 2, 3, 2).slices].tolist() == [[11, 12, 13], [16, 17, 18]]


def test_solids_are_put_where_they_stand() -> None:
    one = solid("slab", (1.0, 2.0, 0.5), (0.1, 0.8, 0.5), np.pi / 2)
    vertices, normals, faces = placed(one)
    assert vertices.min(axis=0) == pytest.approx([0.2, 1.9, 0.0])
    assert vertices.max(axis=0) == pytest.approx([1.8, 2.1, 1.0])
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert float((a * np.cross(b, c)).sum() / 6) == pytest.approx(8 * 0.1 * 0.8 * 0.5)
