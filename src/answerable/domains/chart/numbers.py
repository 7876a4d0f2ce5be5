"""Value axes: round steps, and enough digits."""

from __future__ import annotations

from fractions import Fraction

from answerable.domains.chart.world import SCALES, Axis

_STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5), Fraction(10))


def nice_step(span: Fraction, ticks: int) -> Fraction:
    """The smallest of 1, 2, 2.5, 5 times a power of ten with at most ``ticks`` steps in ``span`` (positive)."""
    rough = span / ticks
    power = Fraction(1)
    while power * 10 <= rough:
        power *= 10
    while power > rough:
        power /= 10
    return next(step * power for step in _STEPS if step * power >= rough)


def axis_for(low: Fraction, high: Fraction, *, ticks: int = 6, from_zero: bool = True) -> Axis:
    """An axis from one round tick to another that holds ``low`` and ``high`` with a little room.

    Args:
        from_zero: whether zero must be on it, as for bars.
    """
    if from_zero:
        low, high = min(low, Fraction(0)), max(high, Fraction(0))
    if low == high:
        high = low + max(abs(low), Fraction(1))
    step = nice_step(high - low, ticks)
    lower, upper = low // step * step, -(-high // step) * step
    return Axis(lower=lower, upper=upper, step=step, minor=1)


def scale_for(largest: Fraction) -> int:
    """The scale that keeps labels short: from a hundred thousand on, thousands; and so on."""
    fitting = [scale for scale in SCALES if largest / scale >= 100]
    return max([scale for scale in fitting if scale > 1 and largest >= 100_000], default=1)


def decimals_of(value: Fraction) -> int | None:
    """Digits after the point that write ``value`` exactly; None when no number of digits up to 40 does."""
    denominator, digits = value.denominator, 0
    while denominator != 1:
        if digits == 40:
            return None
        value *= 10
        digits += 1
        denominator = value.denominator
    return digits
