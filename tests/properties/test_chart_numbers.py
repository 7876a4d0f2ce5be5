"""Axes, scales and labels on any number."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from answerable.domains.chart.numbers import axis_for, decimals_of, nice_step, scale_for
from answerable.domains.chart.world import SCALES, number_text

sizes = st.fractions(min_value=Fraction(1, 10**12), max_value=10**15, max_denominator=10**12)
values = st.fractions(min_value=-(10**13), max_value=10**13, max_denominator=10**6)


@given(sizes, st.integers(1, 12))
def test_a_step_is_the_smallest_round_one_that_fits(span: Fraction, ticks: int) -> None:
    step = nice_step(span, ticks)
    assert step * ticks >= span
    assert step <= span / ticks * Fraction(5, 2)
    while step >= 10:
        step /= 10
    while step < 1:
        step *= 10
    assert step in (1, 2, Fraction(5, 2), 5)


@given(values, values, st.booleans())
def test_an_axis_holds_its_values_between_ticks(one: Fraction, other: Fraction, from_zero: bool) -> None:
    low, high = min(one, other), max(one, other)
    axis = axis_for(low, high, from_zero=from_zero)
    assert axis.lower <= low <= high <= axis.upper
    assert axis.lower < axis.upper
    assert (axis.lower / axis.step).denominator == (axis.upper / axis.step).denominator == 1
    assert 1 <= (axis.upper - axis.lower) / axis.step <= 8
    if from_zero:
        assert axis.lower <= 0 <= axis.upper


@given(values, st.sampled_from(list(SCALES)), st.integers(0, 6))
def test_a_label_reads_back_as_the_value(value: Fraction, scale: int, decimals: int) -> None:
    text = number_text(value, scale, decimals)
    shown = value / scale
    if text is None:
        assert (shown * 10**decimals).denominator != 1
    else:
        assert Fraction(text.replace(",", "").replace("\u2212", "-")) == shown


@given(st.fractions(min_value=0, max_value=10**18, max_denominator=1000))
def test_a_scale_never_hides_a_value(largest: Fraction) -> None:
    scale = scale_for(largest)
    assert scale in SCALES
    assert scale == 1 or largest / scale >= 100


@given(st.integers(-(10**20), 10**20), st.integers(0, 30))
def test_decimals_are_the_fewest(whole: int, places: int) -> None:
    value = Fraction(whole, 10**places)
    digits = decimals_of(value)
    assert digits is not None
    assert digits <= places
    assert (value * 10**digits).denominator == 1
    assert digits == 0 or (value * 10 ** (digits - 1)).denominator != 1
