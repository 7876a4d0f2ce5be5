"""The group bootstrap: whole groups drawn with replacement, the same draws for every run (paper, appendix B).

One matrix says how often every draw takes every group; its product with the integer columns of all metrics and runs
gives every resampled count at once. Counts are exact: a product in float32 is used only where no sum can reach 2^24.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from answerable.score.metrics.spec import Term
from answerable.score.stratum import Ints

Floats = npt.NDArray[np.float64]

DRAWS, SEED = 10_000, 20260915
#: Entries of the weight matrix in memory at once.
BLOCK = 4_000_000
#: Entries of a whole weight matrix that is kept (four bytes each).
KEPT = 16_000_000
#: Whole numbers up to here are exact in float32, and up to the second in float64.
EXACT_32, EXACT_64 = 1 << 24, 1 << 53
#: Two-sided 95 %.
LOW, HIGH = 2.5, 97.5
_Z = 1.959963984540054


def indices(groups: int, draws: int, seed: int) -> Iterator[Ints]:
    """The groups that every draw takes, in blocks of draws; each of shape (draws in the block, groups).

    Uses the raw 64-bit stream of PCG64, which does not change between versions of NumPy; a draw of a group is the
    upper half of the product of 32 random bits with the number of groups, low halves of the stream first.
    """
    stream = np.random.PCG64(seed)
    rows = max(1, BLOCK // max(1, groups))
    # Whole rows of 64-bit words, so that the size of a block never changes what is drawn.
    words = (groups + 1) // 2
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        raw = np.asarray(stream.random_raw(count * words), dtype="<u8")
        bits = raw.view("<u4").reshape(count, 2 * words)[:, :groups]
        yield (np.multiply(bits, groups, dtype=np.uint64) >> np.uint64(32)).view(np.int64)


def weights(groups: int, draws: int, seed: int) -> Iterator[Ints]:
    """How often every draw takes every group, in blocks; each of shape (draws in the block, groups)."""
    for chosen in indices(groups, draws, seed):
        count = len(chosen)
        flat = np.add(chosen, np.arange(count, dtype=np.int64)[:, None] * groups, out=chosen)
        yield np.bincount(flat.ravel(), minlength=count * groups).reshape(count, groups)


@lru_cache(maxsize=1)
def _kept(groups: int, draws: int, seed: int) -> tuple[npt.NDArray[np.float32], ...]:
    """The last weight matrix: sources of equal size draw alike, so it is made once for all of them."""
    return tuple(block.astype(np.float32) for block in weights(groups, draws, seed))


def _blocks(groups: int, draws: int, seed: int) -> Iterable[npt.NDArray[Any]]:
    """Blocks of the weight matrix; one of up to ``KEPT`` entries is kept for the next source."""
    return _kept(groups, draws, seed) if groups * draws <= KEPT else weights(groups, draws, seed)


def resampled_sums(columns: Ints, draws: int, seed: int) -> Floats:
    """The sum of every column in every draw; exact.

    Args:
        columns: nonnegative integers of shape (groups, columns).

    Returns:
        Whole numbers as float64, of shape (draws, columns).

    Raises:
        OverflowError: a sum could pass 2^53.
    """
    groups, width = columns.shape
    largest = groups * int(columns.max(initial=0))
    if largest >= EXACT_64:
        raise OverflowError(f"expected resampled sums below 2^53; got up to {largest}")
    exact: type[np.float32] | type[np.float64] = np.float32 if largest < EXACT_32 else np.float64
    matrix: npt.NDArray[np.float32 | np.float64] = np.ascontiguousarray(columns, dtype=exact)
    sums = np.empty((draws, width), dtype=np.float64)
    start = 0
    for block in _blocks(groups, draws, seed) if groups else ():
        sums[start : start + len(block)] = np.matmul(block.astype(exact, copy=False), matrix)
        start += len(block)
    if not groups:
        sums[:] = 0
    return sums


def resampled(metrics: Sequence[Mapping[str, tuple[Term, ...]]], draws: int, seed: int) -> list[dict[str, Floats]]:
    """Every metric of every run in every draw, all runs on the same groups; NaN where a draw leaves it undefined.

    Args:
        metrics: for every run, metric name -> shares whose mean it is.

    Returns:
        For every run, metric name -> values of shape (draws,).
    """
    places: dict[bytes, int] = {}
    columns: list[Ints] = []

    def place(column: Ints) -> int:
        key = column.tobytes()
        if key not in places:
            places[key] = len(columns)
            columns.append(column)
        return places[key]

    plan = [
        {name: [(place(term.numerator), place(term.denominator)) for term in terms] for name, terms in run.items()}
        for run in metrics
    ]
    if not columns:
        return [{} for _ in metrics]
    sums = np.ascontiguousarray(resampled_sums(np.stack(columns, axis=1), draws, seed).T)
    return [{name: _mean_share(sums, terms) for name, terms in run.items()} for run in plan]


def _mean_share(sums: Floats, terms: list[tuple[int, int]]) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [sums[numerator] / sums[denominator] for numerator, denominator in terms]
    total = shares[0]
    for share in shares[1:]:
        total = total + share
    return np.asarray(total / len(shares), dtype=np.float64)


def intervals(values: Sequence[Floats]) -> list[tuple[float, float] | None]:
    """95 % percentile interval of each array of draws; None where no draw is defined.

    Draws that leave a value undefined (no group with the state was taken) are left out of its interval.
    """
    if not values:
        return []
    table = np.stack(values)
    undefined = np.isnan(table).any(axis=1)
    found: list[tuple[float, float] | None] = [None] * len(values)
    whole = np.flatnonzero(~undefined)
    if len(whole) and table.shape[1]:
        low, high = np.percentile(table[whole], (LOW, HIGH), axis=1)
        for row, one, other in zip(whole, low, high, strict=True):
            found[int(row)] = (float(one), float(other))
    for row in np.flatnonzero(undefined):
        defined = table[row][~np.isnan(table[row])]
        if len(defined):
            low, high = np.percentile(defined, (LOW, HIGH))
            found[int(row)] = (float(low), float(high))
    return found


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """95 % Wilson score interval of a share (Wilson 1927).

    Raises:
        ValueError: no trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"expected 0 <= successes <= trials and trials >= 1; got {successes} of {trials}")
    share, z2 = successes / trials, _Z * _Z
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high


def independent_groups(terms: tuple[Term, ...]) -> int:
    """Groups that a metric rests on: what counts as a trial, since views and repeats of a group are not independent."""
    return min(int(np.count_nonzero(term.denominator)) for term in terms)
