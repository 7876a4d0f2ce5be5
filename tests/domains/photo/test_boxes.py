"""Boxes, and what covers them, against counting pixels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from answerable.domains.photo.boxes import Box, clipped, covered, meet, union_area, within
from tests.domains.photo.make import box

BOXES = st.builds(
    box, st.integers(-10, 40), st.integers(-10, 40), st.integers(-2, 30), st.integers(-2, 30)
)  # fmt: skip


def painted(*boxes: Box) -> NDArray[np.bool_]:
    """The pixels from -20 to 79 each way that a box holds."""
    grid = np.zeros((100, 100), np.bool_)
    for each in boxes:
        if each.area:
            grid[each.top + 20 : each.bottom + 20, each.left + 20 : each.right + 20] = True
    return grid


@given(st.lists(BOXES, max_size=6))
def test_the_union_is_counted_as_pixels_are(boxes: list[Box]) -> None:
    assert union_area(boxes) == painted(*boxes).sum()


@given(BOXES, BOXES)
def test_what_two_share_is_what_both_hold(one: Box, other: Box) -> None:
    assert meet(one, other).area == (painted(one) & painted(other)).sum()


@given(BOXES, st.lists(BOXES, max_size=5))
def test_the_covered_share_is_of_pixels(one: Box, masks: list[Box]) -> None:
    due = Fraction(int((painted(one) & painted(*masks)).sum()), one.area) if one.area else 0
    assert covered(one, masks) == due


def test_a_box_over_the_edge_is_cut() -> None:
    assert clipped(box(-5, 70, 20, 20), 100, 80) == box(0, 70, 15, 10)
    assert within(box(-5, 70, 20, 20), 100, 80) == Fraction(150, 400)


def test_a_box_without_pixels_lies_nowhere() -> None:
    assert box(3, 3, 0, 7).area == box(3, 3, -2, -2).area == 0
    assert within(box(3, 3, 0, 7), 100, 80) == covered(box(3, 3, 0, 7), [box(0, 0, 50, 50)]) == 0
