"""Axes and scales."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.domains.chart.numbers import axis_for, decimals_of, nice_step, scale_for
from answerable.domains.chart.world import Axis


@pytest.mark.parametrize(
    ("span", "ticks", "step"),
    [
        (Fraction(100), 5, Fraction(20)),
        (Fraction(101), 5, Fraction(25)),
        (Fraction(1), 6, Fraction(1, 5)),
        (Fraction(7), 6, Fraction(2)),
        (Fraction(60), 6, Fraction(10)),
        (Fraction(1, 1000), 4, Fraction(1, 4000)),
        (Fraction(10**12), 1, Fraction(10**12)),
    ],
)
def test_steps_are_round(span: Fraction, ticks: int, step: Fraction) -> None:
    assert nice_step(span, ticks) == step


def test_an_axis_for_bars_holds_zero() -> None:
    assert axis_for(Fraction(50), Fraction(97)).lower == 0
    assert axis_for(Fraction(-97), Fraction(-50)).upper == 0
    both = axis_for(Fraction(-7), Fraction(12))
    assert both == Axis(Fraction(-10), Fraction(15), Fraction(5))


def test_an_axis_for_lines_may_start_elsewhere() -> None:
    found = axis_for(Fraction(50), Fraction(97), from_zero=False)
    assert found == Axis(Fraction(50), Fraction(100), Fraction(10))


@pytest.mark.parametrize("value", [Fraction(0), Fraction(5), Fraction(-5), Fraction(1, 3)])
def test_an_axis_for_one_value_has_room(value: Fraction) -> None:
    found = axis_for(value, value, from_zero=False)
    assert found.lower <= value < found.upper


@pytest.mark.parametrize(
    ("largest", "scale"),
    [
        (Fraction(0), 1),
        (Fraction(99_999), 1),
        (Fraction(100_000), 1000),
        (Fraction(99_999_999), 1000),
        (Fraction(100_000_000), 10**6),
        (Fraction(10**11), 10**9),
        (Fraction(10**20), 10**9),
    ],
)
def test_scales_keep_labels_short(largest: Fraction, scale: int) -> None:
    assert scale_for(largest) == scale


@pytest.mark.parametrize(
    ("value", "digits"),
    [
        (Fraction(5), 0), (Fraction(1, 2), 1), (Fraction(1, 8), 3), (Fraction(1, 3), None), (Fraction(-7, 25), 2),
        (Fraction(1, 10**40), 40), (Fraction(1, 10**41), None),
    ],
)  # fmt: skip
def test_decimals_that_write_a_value(value: Fraction, digits: int | None) -> None:
    assert decimals_of(value) == digits
