"""Identities of the metrics and of the bootstrap, on any outcomes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.score.metrics import METRICS, Term, measure
from answerable.score.metrics.spec import exact
from answerable.score.resample import intervals, resampled, wilson
from answerable.score.stratum import Layout, Stratum
from tests.score.fake import group_of

SETS = (
    ("F", "S", "C", "M", "I"),
    ("F", "S", "K", "C", "M", "I"),
    ("F", "S", "M"),
    ("F", "K", "D", "M"),
    ("F",),
    ("M",),
)
SUPPORTED_CODES, UNSUPPORTED_CODES = (0, 1, 2, 4, 5, 6), (0, 3, 4, 5, 6)


def outcomes(layout: Layout, picks: list[int], repeats: int) -> npt.NDArray[np.int64]:
    codes = [
        (SUPPORTED_CODES if supported else UNSUPPORTED_CODES)[picks[place % len(picks)] % (6 if supported else 5)]
        for place, supported in enumerate(np.repeat(layout.supported, repeats))
    ]
    return np.array(codes, dtype=np.int64).reshape(-1, repeats)


@st.composite
def strata(draw: st.DrawFn) -> Stratum:
    states = draw(st.lists(st.sampled_from(SETS), min_size=1, max_size=8))
    layout = Layout("s", "derived", [group_of(f"g{place:02d}", states=one) for place, one in enumerate(states)])
    repeats = draw(st.integers(1, 3))
    return Stratum(layout, outcomes(layout, draw(st.lists(st.integers(0, 59), min_size=1, max_size=80)), repeats))


def values(run: Stratum) -> dict[str, Fraction | None]:
    return {name: exact(terms) for name, terms in measure(run, METRICS).items()}


@given(strata())
def test_identities(run: Stratum) -> None:
    found = values(run)
    for name, value in found.items():
        assert value is None or 0 <= value <= 1, name
    assert (found["J"] or 0) <= (found["B"] or 0)
    paper = len(run.layout.paper_states)
    if paper:
        joint, decisions = found[f"J_{paper}"], found[f"B_{paper}"]
        assert joint is None or decisions is None or joint <= decisions
    losses = run.losses()
    instances = len(run.layout.ids) * run.repeats
    assert sum(losses.values()) == instances
    assert found["J"] == Fraction(losses["success"], instances)
    assert found["B"] == Fraction(losses["success"] + losses["wrong_answer"], instances)
    histogram = run.failed_views()
    assert sum(histogram) == instances
    first = sum(histogram[1:])
    failed = sum(count * groups for count, groups in enumerate(histogram))
    assert failed == int(run.decision_failed.sum()) and first <= failed
    assert histogram[0] == losses["success"] + losses["wrong_answer"]


@given(strata())
def test_classes_and_states_add_up(run: Stratum) -> None:
    terms = measure(run, METRICS)

    def total(*names: str) -> tuple[int, int]:
        return (
            sum(int(terms[name][0].numerator.sum()) for name in names if name in terms),
            sum(int(terms[name][0].denominator.sum()) for name in names if name in terms),
        )

    assert total("E") == total("E_A", "E_M", "E_I")
    assert total("E_A") == total(*(f"E_{state}" for state in "FSKCD"))
    assert total("A") == total(*(f"A_{state}" for state in "FSKCD"))
    failed = total("disagreement")[0] + total("invalid")[0]
    assert total("E")[0] == failed
    assert total("disagreement")[1] + total("invalid")[0] == total("E")[1]


@given(strata(), st.data())
def test_the_order_of_groups_changes_nothing(run: Stratum, data: st.DataObject) -> None:
    layout = Layout("s", "derived", data.draw(st.permutations(run.layout.groups)))
    rows = [run.layout.view_ids.index(view) for view in layout.view_ids]
    again = Stratum(layout, run.outcomes[rows])
    assert values(again) == values(run)
    one, other = (resampled([measure(part, METRICS)], 50, 3)[0] for part in (run, again))
    assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)


@given(strata(), st.integers(2, 3))
def test_a_list_of_groups_given_several_times_has_the_same_values(run: Stratum, times: int) -> None:
    groups = [
        group_of(f"{group.id}-{copy}", states=[view.state for view in group.views])
        for group in run.layout.groups
        for copy in range(times)
    ]
    layout = Layout("s", "derived", groups)
    sizes = [len(group.views) for group in run.layout.groups]
    parts = np.split(run.outcomes, np.cumsum(sizes)[:-1])
    again = Stratum(layout, np.concatenate([part for part in parts for _ in range(times)]))
    assert values(again) == values(run)
    for name, terms in measure(run, METRICS).items():
        more = measure(again, METRICS)[name]
        assert [int(term.denominator.sum()) for term in more] == [times * int(term.denominator.sum()) for term in terms]


@given(strata(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_draws_stay_within_what_groups_can_give(run: Stratum, seed: int) -> None:
    terms = measure(run, METRICS)
    drawn = resampled([terms], 60, seed)[0]
    for name, draws in drawn.items():
        defined = draws[~np.isnan(draws)]
        assert ((defined >= 0) & (defined <= 1)).all(), name
        [interval] = intervals([draws])
        if interval is not None:
            assert 0 <= interval[0] <= interval[1] <= 1
        shares = [Fraction(int(n), int(d)) for n, d in zip(*_columns(terms[name]), strict=True) if d]
        if len(terms[name]) == 1 and shares and interval is not None:
            assert float(min(shares)) <= interval[0] and interval[1] <= float(max(shares))


def _columns(terms: tuple[Term, ...]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return terms[0].numerator, terms[0].denominator


@given(strata())
@settings(max_examples=40)
def test_equal_groups_leave_no_doubt_and_wilson_still_does(run: Stratum) -> None:
    [draws] = resampled([measure(run, METRICS)], 40, 1)
    joint = values(run)["J"]
    [interval] = intervals([draws["J"]])
    if joint in (0, 1):
        assert interval == (float(joint), float(joint))
        low, high = wilson(int(joint) * len(run.layout.ids), len(run.layout.ids))
        assert low < high


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_the_share(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high
