"""Who is asked for what: open items, conflicts, and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.review.queue import Queue, queue_for, tally
from answerable.review.store import Store
from tests.review.make import EXPLAIN, PROJECT, cast, items, opened, vote_all


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "r.sqlite", PROJECT, items(6))


def queue(store: Store, who: str) -> Queue:
    return queue_for(store, who, store.standing())


def test_an_item_is_open_until_two_others_voted_and_conflicts_go_to_a_third(store: Store) -> None:
    vote_all(store, {"Ann": "kkdk..", "Bo": "kdd.k."})
    assert queue(store, "Cy") == Queue(closed=(0, 2), conflicts=(1,))
    # Those who voted are not asked again, and learn nothing.
    assert queue(store, "Ann") == queue(store, "Bo") == Queue((), ())
    vote_all(store, {"Cy": ".k"})
    assert queue(store, "Di") == Queue(closed=(0, 1, 2), conflicts=())


def test_a_tie_of_four_goes_to_a_fifth(store: Store) -> None:
    vote_all(store, {"A": "k", "B": "d", "C": "k"})
    assert queue(store, "E").conflicts == ()
    vote_all(store, {"D": "d"})
    assert queue(store, "E") == Queue(closed=(), conflicts=(0,))


def test_with_one_vote_wanted_nothing_is_a_conflict(tmp_path: Path) -> None:
    store = opened(tmp_path / "one.sqlite", PROJECT, items(2), wanted=1)
    vote_all(store, {"Ann": "kd"})
    assert queue(store, "Bo") == Queue(closed=(0, 1), conflicts=())


def test_with_three_votes_wanted_more_than_half_settle(tmp_path: Path) -> None:
    store = opened(tmp_path / "three.sqlite", PROJECT, items(2), wanted=3)
    vote_all(store, {"Ann": "kd", "Bo": "dd"})
    assert queue(store, "Cy") == Queue((), ())
    vote_all(store, {"Cy": "kd"})
    assert queue(store, "Di") == Queue(closed=(0, 1), conflicts=())


def test_counts(store: Store) -> None:
    vote_all(store, {"Ann": "kkdk..", "Bo": "kdd.k."})
    found = tally(store, store.standing())
    assert found.votes == {"2": 3, "1": 2, "0": 1}
    assert found.settled == {"keep": 3, "drop": 1}
    assert found.disputed == ("g01",)
    assert found.reviewers == {"Ann": 4, "Bo": 4}
    assert sum(found.votes.values()) == found.items == 6


def test_explanations_differ_when_a_grade_does(tmp_path: Path) -> None:
    store = opened(tmp_path / "e.sqlite", EXPLAIN, items(2))
    for who, grade in (("Ann", "correct"), ("Bo", "partial")):
        cast(store, who, 0, {"answer": "correct", "explanation": grade})
        cast(store, who, 1, {"answer": "none", "explanation": "none", "note": who})
    found = tally(store, store.standing())
    assert (found.settled, found.disputed) == ({"settled": 1}, ("g00",))
    assert queue(store, "Cy") == Queue(closed=(1,), conflicts=(0,))
