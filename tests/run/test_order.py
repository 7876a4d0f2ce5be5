"""The order of requests."""

from __future__ import annotations

import itertools

from hypothesis import assume, given
from hypothesis import strategies as st

from answerable.run.order import shuffled


def groups_of(sizes: list[int]) -> list[int]:
    """Group numbers in stored order."""
    return [group for group, size in enumerate(sizes) for _ in range(size)]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=40), st.integers(1, 3), st.integers(0, 5))
def test_every_job_once_and_the_same_each_time(sizes: list[int], repeats: int, seed: int) -> None:
    groups = groups_of(sizes)
    order = shuffled(groups, repeats, seed)
    assert sorted(order) == list(range(len(groups) * repeats))
    assert order == shuffled(groups, repeats, seed)


@given(st.lists(st.integers(1, 6), min_size=8, max_size=60), st.integers(1, 3), st.integers(0, 5))
def test_no_two_neighbours_of_one_group(sizes: list[int], repeats: int, seed: int) -> None:
    assume(2 * max(sizes) < sum(sizes))
    groups = groups_of(sizes)
    jobs = [groups[job // repeats] for job in shuffled(groups, repeats, seed)]
    assert all(a != b for a, b in itertools.pairwise(jobs))


def test_seeds_differ_and_reach_over_everything() -> None:
    groups = groups_of([6] * 500)
    order = shuffled(groups, 1, 1)
    assert order != shuffled(groups, 1, 2)
    # Positions of a group's views are spread over the whole run, not over a window.
    places = {job: place for place, job in enumerate(order)}
    spread = [max(places[6 * g + k] for k in range(6)) - min(places[6 * g + k] for k in range(6)) for g in range(500)]
    assert sum(spread) / len(spread) > 0.5 * len(groups)


def test_one_group_alone_cannot_be_parted() -> None:
    assert sorted(shuffled([0] * 5, 1, 0)) == [0, 1, 2, 3, 4]
