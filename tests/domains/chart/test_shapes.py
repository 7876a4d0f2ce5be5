"""Boxes of texts."""

from __future__ import annotations

from typing import Literal

import pytest

from answerable.domains.chart.shapes import Text, overlap, text_box
from answerable.domains.chart.text import CAP, DEPTH


@pytest.mark.parametrize(("align", "start"), [("left", 100.0), ("center", 80.0), ("right", 60.0)])
def test_an_upright_text_lies_along_x(align: Literal["left", "center", "right"], start: float) -> None:
    shape = Text(100, 50, "x", 10.0, "#000000", align)
    assert text_box(shape, 40.0) == (start, 50 - 10 * CAP, start + 40, 50 + 10 * DEPTH)


def test_a_turned_text_reads_upwards() -> None:
    shape = Text(100, 50, "x", 10.0, "#000000", "left", upright=False)
    assert text_box(shape, 40.0) == (100 - 10 * CAP, 10, 100 + 10 * DEPTH, 50)
    right = Text(100, 50, "x", 10.0, "#000000", "right", upright=False)
    assert text_box(right, 40.0) == (100 - 10 * CAP, 50, 100 + 10 * DEPTH, 90)


@pytest.mark.parametrize(
    ("other", "slack", "touch"),
    [
        ((5, 5, 15, 15), 0.0, True),
        ((10, 0, 20, 10), 0.0, False),
        ((10, 0, 20, 10), 1.0, True),
        ((2, 2, 3, 3), 0.0, True),
        ((0, 11, 10, 20), 0.5, False),
    ],
)
def test_overlap(other: tuple[float, float, float, float], slack: float, touch: bool) -> None:
    box = (0.0, 0.0, 10.0, 10.0)
    assert overlap(box, other, slack) is touch
    assert overlap(other, box, slack) is touch
