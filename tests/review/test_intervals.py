"""Kappas of a review against hand computations, and their intervals against a plain bootstrap."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.agreement import Measured, cohen, fleiss
from answerable.review import intervals
from answerable.review.intervals import Said, exact_of, measured


def column(*letters: str, groups: int | None = None) -> list[Said]:
    """Items from one string of answers a reviewer, called A, B, C ...; ``.`` says nothing."""
    count = len(letters[0])
    return [
        Said(
            f"g{place % (groups or count)}",
            {name: {"q": said[place]} for name, said in zip("ABCD", letters, strict=False) if said[place] != "."},
        )
        for place in range(count)
    ]


def only(said: list[Said], wanted: int = 2, draws: int = 300) -> list[Measured]:
    return measured(said, ["q"], wanted, draws=draws, seed=7)


def test_two_reviewers_by_hand() -> None:
    # 20 both yes, 5 and 10 apart, 15 both no: observed 35/50; Cohen expects 1/2, so 2/5.
    # Fleiss' (two ratings): 55 yes and 45 no of 100; expects (55^2 + 45^2) / 100^2 = 101/200, so
    # (7/10 - 101/200) / (99/200).
    said = column("y" * 20 + "y" * 5 + "n" * 10 + "n" * 15, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15)
    both, pair = only(said, draws=2000)
    assert (pair.measure, pair.reviewers, pair.items) == ("Cohen's kappa", ("A", "B"), 50)
    assert (pair.exact, pair.kappa) == (Fraction(2, 5), 0.4)
    assert (both.measure, both.exact) == ("Fleiss' kappa", Fraction(13, 33))
    assert (both.agreement.numerator, both.agreement.denominator, both.agreement.value) == (35, 50, 0.7)
    for figure in (both, pair):
        assert figure.interval is not None
        low, high = figure.interval
        assert 0.08 < low < 0.2
        assert 0.58 < high < 0.7
        assert figure.undefined == 0


def test_three_reviewers_by_hand() -> None:
    # Pairs alike: 3 + 1 + 3 + 1 of 12; words: 7 y and 5 n of 12; expected (49 + 25) / 144.
    said = column("yynn", "yyny", "ynny")
    every, *pairs = only(said, wanted=3)
    observed, expected = Fraction(8, 12), Fraction(74, 144)
    assert every.exact == (observed - expected) / (1 - expected) == Fraction(11, 35)
    assert [figure.reviewers for figure in pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert every.reviewers == ("A", "B", "C")


def test_fleiss_takes_items_with_as_many_answers_as_were_wanted() -> None:
    said = column("yyn.y", "yn.ny", "...n.")
    every, *pairs = only(said)
    # Of the five items, those with two answers: yy, yn, nn (by B and C), yy.
    assert (every.items, every.ratings, every.reviewers) == (4, 2, ("A", "B", "C"))
    assert [(figure.reviewers, figure.items) for figure in pairs] == [(("A", "B"), 3), (("B", "C"), 1)]


def test_a_question_left_open_is_no_answer() -> None:
    said = [Said("g", {"A": {"q": "yes"}, "B": {"q": None}}), Said("h", {"A": {"q": "yes"}, "B": {"q": "no"}})]
    every, pair = only(said)
    assert (every.items, pair.items) == (1, 1)
    assert pair.exact == 0


def test_what_is_undefined_is_none_and_its_draws_are_counted() -> None:
    every, pair = only(column("yyyy", "yyyy"), draws=50)
    for figure in (every, pair):
        assert (figure.kappa, figure.exact, figure.interval, figure.undefined) == (None, None, None, 50)
        assert (figure.agreement.value, figure.agreement.interval) == (1.0, (1.0, 1.0))
    (nothing,) = only(column("y.", ".n"), draws=50)
    assert (nothing.items, nothing.kappa, nothing.undefined, nothing.agreement.value) == (0, None, 50, None)


def test_some_draws_may_be_undefined() -> None:
    # One of three groups says n: a draw without it has one word only.
    _, pair = only(column("yyn", "yyn"), draws=3000)
    assert pair.exact == 1
    assert pair.interval == (1.0, 1.0)
    # All three from two of three groups, or the third one alone: 8/27 + 1/27.
    assert abs(pair.undefined / 3000 - 9 / 27) < 0.03


def test_one_vote_wanted_gives_no_fleiss() -> None:
    assert only(column("yn"), wanted=1) == []
    assert measured([], ["q"], 2, draws=10, seed=1)[0].kappa is None


def test_intervals_draw_whole_groups() -> None:
    # The same answers in two groups instead of forty: every draw is a multiple of one of three mixtures.
    said = column("yn" * 20, "yy" * 20, groups=40)
    whole = column("yn" * 20, "yy" * 20, groups=2)
    assert only(said)[0].exact == only(whole)[0].exact
    wide, narrow = only(whole)[0].agreement.interval, only(said)[0].agreement.interval
    assert wide == (0.0, 1.0)
    assert narrow is not None
    assert narrow[0] > 0.3


def test_the_same_votes_give_the_same_figures_and_the_seed_decides() -> None:
    said = column("yynnynyynn", "ynnnyyyynn")
    assert only(said) == only(said)
    assert only(said)[0].agreement != measured(said, ["q"], 2, draws=300, seed=8)[0].agreement


def test_blocks_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    said = column("yynnynyynn", "ynnnyyyynn")
    whole = only(said)
    monkeypatch.setattr(intervals, "BLOCK", 70)
    assert only(said) == whole


WORDS = st.sampled_from(["yes", "no", "n/a"])


@given(
    st.lists(st.tuples(st.integers(0, 3), WORDS, WORDS), min_size=1, max_size=12),
    st.sampled_from(["Cohen's kappa", "Fleiss' kappa"]),
)
def test_every_draw_is_the_kappa_of_what_it_takes(items: list[tuple[int, str, str]], measure: str) -> None:
    """The sums over groups give, draw by draw, what the plain formula gives on the items that the draw takes."""
    said = [Said(f"g{group}", {"A": {"q": one}, "B": {"q": other}}) for group, one, other in items]
    names = list(dict.fromkeys(item.group for item in said))
    places = {name: place for place, name in enumerate(names)}
    plans = [plan for plan in intervals._plans(said, "q", 2, places) if plan.measure == measure]
    kappas, shares = intervals._resampled(plans, len(names), 20, 3)[0]
    matrix = np.concatenate(list(intervals._weights(len(names), 20, 3))).astype(int)
    assert (matrix.sum(axis=1) == len(names)).all()
    for draw, kappa, share in zip(matrix, kappas, shares, strict=True):
        taken = [(one, other) for group, one, other in items for _ in range(draw[places[f"g{group}"]])]
        exact = cohen(taken) if measure == "Cohen's kappa" else fleiss(taken)
        assert np.isnan(kappa) if exact is None else abs(kappa - float(exact)) < 1e-12
        assert abs(share - sum(one == other for one, other in taken) / len(taken)) < 1e-12


def test_exact_counts_pairs() -> None:
    assert exact_of("Fleiss' kappa", [("a", "a", "b"), ("b", "b", "b")]) == (fleiss([["a", "a", "b"], ["b"] * 3]), 4)
