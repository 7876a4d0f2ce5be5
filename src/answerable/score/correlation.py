"""Correlation of two figures over the same runs: Pearson's of the values, Spearman's of their ranks.

    r = sum((x - mean x) (y - mean y)) / sqrt(sum((x - mean x)^2) sum((y - mean y)^2))

Both are undefined (None, never 0) for fewer than two points and where one side does not vary.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> float | None:
    """Pearson's product-moment correlation, in [-1, 1] (Pearson 1895).

    Args:
        x, y: finite numbers of shape (points,), the same points in the same order.

    Raises:
        ValueError: different lengths, another shape, or a number that is not finite.
    """
    one, other = _columns(x, y)
    first, second = _centred(one), _centred(other)
    if first is None or second is None:
        return None
    scale = np.sqrt(np.dot(first, first) * np.dot(second, second))
    # Rounding may lead out of the interval by a last digit.
    return float(np.clip(np.dot(first, second) / scale, -1.0, 1.0))


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float | None:
    """Spearman's rank correlation: Pearson's of the ranks, equal values sharing their mean rank (Spearman 1904).

    Raises:
        ValueError: as above.
    """
    one, other = _columns(x, y)
    return pearson(ranks(one), ranks(other))


def ranks(values: npt.ArrayLike) -> Floats:
    """The place of every value among all, from 1; equal values share the mean of their places; shape (points,)."""
    _, place, size = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    last = np.cumsum(size)
    return np.asarray(last - (size - 1) / 2, dtype=np.float64)[place]


def _columns(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(f"expected two lists of equal length; got shapes {one.shape} and {other.shape}")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("expected finite numbers; got infinity or NaN")
    return one, other


def _centred(values: Floats) -> Floats | None:
    """Deviations from the mean, scaled so that no square over- or underflows; None without variation."""
    if len(values) < 2 or values.max() == values.min():
        return None
    # Differences from one value first: near each other they are exact, and so is a power of two.
    shifted = _scaled(values)
    shifted = _scaled(shifted - shifted[0])
    return np.asarray(shifted - shifted.mean(), dtype=np.float64)


def _scaled(values: Floats) -> Floats:
    _, exponent = np.frexp(np.abs(values).max())
    return np.asarray(np.ldexp(values, -exponent), dtype=np.float64)
