"""Boxes in whole pixels, and how much of one others cover. Exact: no figure here depends on rounding."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from answerable.core.records import Record


class Box(Record, frozen=True):
    """A rectangle of pixels; its right and lower edges are the first pixels outside it."""

    left: int
    """Of the first column, from 0."""
    top: int
    """Of the first row, from 0."""
    width: int
    """Pixels; below 1 for a box that holds none."""
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.top + self.height

    @property
    def area(self) -> int:
        """Pixels; 0 for a box that holds none."""
        return max(self.width, 0) * max(self.height, 0)


def meet(one: Box, other: Box) -> Box:
    """What two boxes share; of area 0 when that is nothing."""
    left, top = max(one.left, other.left), max(one.top, other.top)
    return Box(left=left, top=top, width=min(one.right, other.right) - left, height=min(one.bottom, other.bottom) - top)


def within(box: Box, width: int, height: int) -> Fraction:
    """The share of a box that lies on a picture of this size; 0 for a box that holds no pixel."""
    if not box.area:
        return Fraction(0)
    return Fraction(meet(box, Box(left=0, top=0, width=width, height=height)).area, box.area)


def clipped(box: Box, width: int, height: int) -> Box:
    """The part of a box that lies on a picture of this size."""
    return meet(box, Box(left=0, top=0, width=width, height=height))


def union_area(boxes: Sequence[Box]) -> int:
    """Pixels that at least one of the boxes holds."""
    whole = [box for box in boxes if box.area]
    columns = sorted({edge for box in whole for edge in (box.left, box.right)})
    total = 0
    for left, right in pairwise(columns):
        reach, covered = None, 0
        for box in sorted((box for box in whole if box.left <= left < box.right), key=lambda box: box.top):
            start = box.top if reach is None else max(box.top, reach)
            if box.bottom > start:
                covered += box.bottom - start
                reach = box.bottom
        total += covered * (right - left)
    return total


def covered(box: Box, masks: Sequence[Box]) -> Fraction:
    """The share of a box that the masks hide together; 0 for a box that holds no pixel."""
    if not box.area:
        return Fraction(0)
    return Fraction(union_area([meet(box, mask) for mask in masks]), box.area)
