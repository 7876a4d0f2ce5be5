"""Correlations against their exact formula, against scipy, and where they are undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.score.correlation import pearson, ranks, spearman

#: Points whose coordinates often tie.
POINTS = st.lists(st.tuples(st.integers(-6, 6), st.integers(-1000, 1000)), min_size=2, max_size=30)


def exact(x: Sequence[Fraction], y: Sequence[Fraction]) -> float | None:
    """The definition in exact arithmetic up to its last square root."""
    n = len(x)
    cross = sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) - sum(x) * sum(y) / Fraction(n)
    squares = [sum((a * a for a in side), Fraction(0)) - sum(side) ** 2 / Fraction(n) for side in (x, y)]
    product = squares[0] * squares[1]
    return None if product == 0 else math.copysign(math.sqrt(cross * cross / product), cross)


def exact_ranks(values: Sequence[int]) -> list[Fraction]:
    """One more than the values below, and half of the other equal ones."""
    return [
        1 + sum(other < value for other in values) + Fraction(sum(other == value for other in values) - 1, 2)
        for value in values
    ]


def same(ours: float | None, theirs: float | None) -> bool:
    return ours is theirs is None or (ours is not None and theirs is not None and abs(ours - theirs) < 1e-12)


@given(POINTS)
def test_both_follow_their_formula(points: list[tuple[int, int]]) -> None:
    x, y = [point[0] for point in points], [point[1] for point in points]
    assert same(pearson(x, y), exact([Fraction(a) for a in x], [Fraction(b) for b in y]))
    assert ranks(x).tolist() == [float(rank) for rank in exact_ranks(x)]
    assert same(spearman(x, y), exact(exact_ranks(x), exact_ranks(y)))


@given(POINTS)
def test_both_agree_with_scipy(points: list[tuple[int, int]]) -> None:
    from scipy import stats

    x, y = [point[0] for point in points], [point[1] for point in points]
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert pearson(x, y) is None and spearman(x, y) is None
        return
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


@given(POINTS)
def test_order_of_the_sides_and_of_the_points_does_not_matter(points: list[tuple[int, int]]) -> None:
    x, y = [point[0] for point in points], [point[1] for point in points]
    for measure in (pearson, spearman):
        assert same(measure(x, y), measure(y, x))
        assert same(measure(x, y), measure(x[::-1], y[::-1]))
        value = measure(x, [-b for b in y])
        assert same(measure(x, y), None if value is None else -value)


def test_known_values() -> None:
    assert pearson([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)
    assert pearson([1, 2, 3, 4], [1, 4, 9, 16]) == pytest.approx(25 / math.sqrt(645))
    assert spearman([1, 2, 3, 4], [1, 4, 9, 16]) == 1
    # Two equal values share the ranks 1 and 2: the formula without ties would give another figure.
    assert ranks([5, 5, 7]).tolist() == [1.5, 1.5, 3]
    assert spearman([5, 5, 7], [1, 2, 3]) == pytest.approx(math.sqrt(3) / 2)


@pytest.mark.parametrize("measure", [pearson, spearman])
def test_undefined_is_none_and_not_zero(measure: object) -> None:
    assert callable(measure)
    assert measure([], []) is None
    assert measure([1], [2]) is None
    assert measure([1, 2, 3], [4, 4, 4]) is None
    # The mean of three times 0.1 is not 0.1 in floats; equal values have no variance all the same.
    assert measure([0.1, 0.1, 0.1], [1, 2, 3]) is None
    assert measure([1, 2], [2, 1]) == -1


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_no_scale_over_or_underflows(scale: float) -> None:
    x = np.array([1.0, 2.0, 3.0, 5.0])
    y = np.array([2.0, 1.0, 4.0, 3.0])
    assert pearson(x * scale, y / scale) == pytest.approx(pearson(x, y), abs=1e-12)
    assert pearson([-1.7e308, 1.7e308, 0.0], [0.0, 1.0, 0.5]) == pytest.approx(1)


def test_a_small_spread_on_a_large_value_keeps_its_digits() -> None:
    base = 2.0**53
    assert pearson([base, base + 2, base + 4], [1, 3, 2]) == pytest.approx(0.5, abs=1e-12)


def test_it_stays_within_one() -> None:
    values = [0.1 * k for k in range(50)]
    assert pearson(values, [3 * value for value in values]) == pytest.approx(1, abs=1e-15)
    assert abs(pearson(values, [3 * value + 0.7 for value in values]) or 0) <= 1


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match=r"expected two lists of equal length; got shapes \(2,\) and \(3,\)"):
        pearson([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"got shapes \(1, 2\) and \(1, 2\)"):
        spearman([[1, 2]], [[1, 2]])
    with pytest.raises(ValueError, match="expected finite numbers; got infinity or NaN"):
        spearman([1, math.nan], [1, 2])
    with pytest.raises(ValueError, match="finite"):
        pearson([1, 2], [1, math.inf])
