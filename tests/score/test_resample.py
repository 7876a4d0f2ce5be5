"""The bootstrap against a slow reference, and its guards; the shared statistics cases by id."""

from __future__ import annotations

import numpy as np
import pytest

from answerable.score import resample
from answerable.score.metrics import METRICS, Term, measure
from answerable.score.metrics.spec import exact
from answerable.score.resample import independent_groups, indices, intervals, resampled, resampled_sums, wilson
from answerable.score.stratum import Layout, Stratum
from tests.score.fake import groups_of


def stratum(count: int, seed: int, repeats: int = 1) -> Stratum:
    layout = Layout("chart", "derived", groups_of(count))
    random = np.random.default_rng(seed)
    codes = np.where(layout.supported[:, None], random.choice([0, 0, 1, 2, 4, 5], (len(layout.view_ids), repeats)), 0)
    flips = random.choice([0, 3, 4], (len(layout.view_ids), repeats))
    return Stratum(layout, np.where(layout.supported[:, None], codes, flips).astype(np.int64))


def slow(run: Stratum, draws: int, seed: int) -> dict[str, list[float]]:
    """Take every group of every draw by hand, measure the longer list anew."""
    found: dict[str, list[float]] = {}
    terms = measure(run, METRICS)
    for block in indices(len(run.layout.ids), draws, seed):
        for chosen in block:
            for name, shares in terms.items():
                drawn = tuple(Term(term.numerator[chosen], term.denominator[chosen]) for term in shares)
                value = exact(drawn)
                found.setdefault(name, []).append(float("nan") if value is None else float(value))
    return found


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_product_equals_resampling_by_hand(repeats: int) -> None:
    run = stratum(17, 3, repeats)
    fast = resampled([measure(run, METRICS)], 200, 11)[0]
    for name, values in slow(run, 200, 11).items():
        np.testing.assert_allclose(fast[name], values, rtol=1e-14, atol=0, err_msg=name)


def test_runs_share_their_draws_and_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = measure(stratum(9, 1), METRICS), measure(stratum(9, 2), METRICS)
    together = resampled([one, other], 300, 5)
    assert all(np.array_equal(together[1][name], resampled([other], 300, 5)[0][name], equal_nan=True) for name in other)
    monkeypatch.setattr(resample, "BLOCK", 20)
    assert all(np.array_equal(together[0][name], resampled([one], 300, 5)[0][name], equal_nan=True) for name in one)


def test_every_draw_takes_as_many_groups_as_there_are() -> None:
    for groups in (1, 2, 7):
        blocks = list(indices(groups, 50, 1))
        assert sum(len(block) for block in blocks) == 50
        assert all(block.shape[1] == groups and block.min() >= 0 and block.max() < groups for block in blocks)
        assert (resampled_sums(np.ones((groups, 1), dtype=np.int64), 50, 1) == groups).all()


def test_the_draws_are_fixed_for_ever() -> None:
    first = next(indices(1000, 2, 20260915))
    assert first[0, :6].tolist() == [555, 743, 916, 590, 185, 191]
    assert len(set(first.ravel().tolist())) > 800


def test_counts_beyond_float32_are_still_exact_and_beyond_float64_refused() -> None:
    big = np.full((4, 1), (1 << 24) + 1, dtype=np.int64)
    assert (resampled_sums(big, 10, 0) == 4 * ((1 << 24) + 1)).all()
    with pytest.raises(OverflowError, match="below 2\\^53"):
        resampled_sums(np.full((4, 1), 1 << 52, dtype=np.int64), 10, 0)


def test_undefined_draws_are_left_out_and_never_zero() -> None:
    half = np.array([0.0, 1.0, np.nan, np.nan])
    assert intervals([half, np.full(4, np.nan)]) == [(0.025, 0.975), None]
    assert intervals([]) == []


def test_an_undefined_metric_has_no_interval() -> None:
    term = Term(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    assert intervals([resampled([{"x": (term,)}], 20, 1)[0]["x"]]) == [None]


def test_nothing_to_resample() -> None:
    assert resampled([{}], 10, 1) == [{}]
    assert resampled_sums(np.zeros((0, 2), dtype=np.int64), 3, 1).tolist() == [[0, 0]] * 3


def test_wilson_never_has_zero_width() -> None:
    """stat-002: 0 of 50."""
    low, high = wilson(0, 50)
    assert low == 0
    assert high == pytest.approx(0.0713, abs=1e-4)
    assert list(wilson(50, 50)) == pytest.approx([1 - 0.0713, 1.0], abs=1e-4)
    assert list(wilson(5, 10)) == pytest.approx([0.2366, 0.7634], abs=1e-4)
    for bad in ((0, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="trials >= 1"):
            wilson(*bad)


def test_groups_are_resampled_not_rows() -> None:
    """stat-003: 5 groups of 20 rows that agree within a group: the interval is that of 5 units, not of 100."""
    numerator = np.array([20, 20, 0, 0, 20], dtype=np.int64)
    term = Term(numerator, np.full(5, 20, dtype=np.int64))
    [interval] = intervals([resampled([{"x": (term,)}], 4000, 1)[0]["x"]])
    assert interval is not None
    assert list(interval) == pytest.approx([0.2, 1.0])
    assert independent_groups((term,)) == 5


def test_intervals_equal_those_of_scipy_on_the_same_draws() -> None:
    values = resampled([measure(stratum(40, 8), METRICS)], 500, 2)[0]["E"]
    low, high = np.percentile(values, [2.5, 97.5])
    assert intervals([values]) == [(low, high)]
