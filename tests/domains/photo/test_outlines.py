"""Outlines as pixels, against the even-odd rule pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import SourceError
from answerable.domains.photo.outlines import Polygons, RunLengths, hidden_share, mask_of
from tests.domains.photo.make import box

NUMBERS = st.integers(-8, 40).map(lambda value: value / 2)
LINES = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=7)


def inside(x: float, y: float, points: list[tuple[float, float]]) -> bool:
    """Whether a ray to the left crosses the line an odd number of times."""
    odd = False
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        if (y0 <= y) != (y1 <= y):
            odd ^= x0 + (y - y0) * (x1 - x0) / (y1 - y0) <= x
    return odd


@given(LINES)
def test_a_pixel_is_inside_when_its_middle_is(points: list[tuple[float, float]]) -> None:
    found = mask_of(Polygons(lines=(tuple(number for point in points for number in point),)), 15, 12)
    due = [[inside(column + 0.5, row + 0.5, points) for column in range(15)] for row in range(12)]
    assert found.tolist() == due


def test_a_rectangle_holds_its_pixels_and_is_cut_at_the_edge() -> None:
    found = mask_of(Polygons(lines=((2, 1, 8, 1, 8, 4, 2, 4),)), 6, 10)
    assert found[1:4, 2:6].all() and found.sum() == 12


def test_polygons_of_one_thing_are_joined() -> None:
    square = (1.0, 1.0, 4.0, 1.0, 4.0, 4.0, 1.0, 4.0)
    assert mask_of(Polygons(lines=(square, square)), 6, 6).sum() == 9
    assert mask_of(Polygons(lines=(square, (4, 4, 6, 4, 6, 6, 4, 6))), 6, 6).sum() == 13


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 5))
def test_runs_go_down_the_columns(counts: list[int], height: int) -> None:
    counts[-1] += -sum(counts) % height + height
    width = sum(counts) // height
    found = mask_of(RunLengths(width=width, height=height, counts=tuple(counts)), width, height)
    flat = [place % 2 == 1 for place, count in enumerate(counts) for _ in range(count)]
    assert found.T.ravel().tolist() == flat


@pytest.mark.parametrize(
    ("outline", "message"),
    [
        (Polygons(lines=((1, 2, 3, 4),)), "a polygon of three points or more"),
        (Polygons(lines=((1, 2, 3, 4, 5, 6, 7),)), "a polygon of three points or more"),
        (Polygons(lines=((1, 2, 3, float("inf"), 5, 6),)), "finite points"),
        (RunLengths(width=4, height=4, counts=(3, 4)), "runs of 4x4 pixels, 16 in all"),
        (RunLengths(width=2, height=8, counts=(16,)), "runs of 4x4 pixels, 16 in all"),
        (RunLengths(width=4, height=4, counts=(10**12,)), "runs of 4x4 pixels"),
    ],
)
def test_an_outline_of_another_form_is_an_error(outline: Polygons | RunLengths, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        mask_of(outline, 4, 4, "annotation 7")
    assert message in str(caught.value) and "annotation 7" in str(caught.value)


def test_sizes_are_bounded() -> None:
    with pytest.raises(SourceError, match="1 to 40000000 pixels"):
        mask_of(Polygons(lines=()), 100_000, 100_000)


def test_the_hidden_share_counts_pixels() -> None:
    mask = np.zeros((10, 10), np.bool_)
    mask[2:6, 2:7] = True
    assert hidden_share(mask, [box(0, 0, 4, 10)]) == pytest.approx(8 / 20)
    assert hidden_share(mask, [box(-5, -5, 30, 30)]) == 1.0
    assert hidden_share(mask, []) == 0.0
    assert hidden_share(np.zeros((3, 3), np.bool_), []) == 1.0
