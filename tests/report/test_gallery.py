"""The choice of groups shows every kind of result, and is always the same."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from answerable.report.gallery import MOST_REASONS, choose, cover, kinds, spread
from answerable.report.verdicts import Mark, VerdictTable
from tests.report.conftest import Scored

_GROUPS = st.lists(st.sets(st.integers(0, 30), max_size=6), max_size=40).map(
    lambda sets: {f"g{place}": sorted(found) for place, found in enumerate(sets)}
)


def union(groups: dict[str, list[int]], names: Iterable[str]) -> set[int]:
    """Every kind of these groups."""
    return {kind for name in names for kind in groups[name]}


@given(_GROUPS)
def test_the_cover_shows_every_kind_and_no_group_in_vain(groups: dict[str, list[int]]) -> None:
    chosen = cover(groups)
    assert union(groups, chosen) == union(groups, groups)
    shown: set[int] = set()
    for name in chosen:
        assert set(groups[name]) - shown
        shown |= set(groups[name])


@given(_GROUPS)
def test_the_cover_is_the_plain_greedy_one(groups: dict[str, list[int]]) -> None:
    missing, plain = union(groups, groups), []
    while missing:
        best = max(groups, key=lambda name: len(set(groups[name]) & missing))
        plain.append(best)
        missing -= set(groups[best])
    assert cover(groups) == plain


@given(st.lists(st.integers(), unique=True, max_size=50), st.integers(0, 50))
def test_spread_keeps_every_group_once(numbers: list[int], taken: int) -> None:
    names = [str(number) for number in numbers]
    assert sorted(spread(names, names[:taken])) == sorted(names[taken:])


def test_the_first_part_of_a_spread_lies_all_over() -> None:
    names = [str(number) for number in range(64)]
    assert [int(name) for name in spread(names, [])[:4]] == [0, 32, 16, 48]


def test_the_choice_is_filled_up_and_in_benchmark_order() -> None:
    groups = {f"g{place}": [place % 3] for place in range(20)}
    chosen = choose(groups, 6, lambda _: True)
    assert len(chosen) == 6
    assert {"g0", "g1", "g2"} <= set(chosen)
    assert chosen == sorted(chosen, key=list(groups).index)


def test_what_does_not_fit_is_left_out_but_never_a_kind() -> None:
    groups = {f"g{place}": [place % 3] for place in range(20)}
    assert choose(groups, 6, lambda _: False) == ["g0", "g1", "g2"]
    assert choose(groups, 1, lambda _: True) == ["g0", "g1", "g2"]


def test_kinds_are_outcome_state_run_status_and_reason() -> None:
    base = Mark(run="a", state="F", outcome="invalid", status="complete", why="no JSON")
    other_state = Mark(run="a", state="M", outcome="invalid", status="complete", why="no JSON")
    other_run = Mark(run="b", state="F", outcome="invalid", status="complete", why="no JSON")
    found = kinds([base, other_state, other_run])
    assert [len(one) for one in found] == [3, 3, 3]
    assert len(set(found[0]) & set(found[1])) == 2
    assert len(set(found[0]) & set(found[2])) == 1


def test_endless_reasons_are_not_each_a_kind() -> None:
    marks = [Mark(run="a", state="F", outcome="invalid", status="", why=f"bad {place}") for place in range(500)]
    assert len({kind for found in kinds(marks) for kind in found}) == MOST_REASONS + 1


def test_every_failure_of_every_run_is_in_the_choice(scored: Scored) -> None:
    table = VerdictTable(scored.folder)
    found = kinds(table.marks())
    groups = {name: [kind for mark in table.marks_of(name) for kind in found[mark]] for name in table.groups()}
    chosen = set(choose(groups, 1, lambda _: True))
    assert len(chosen) < len(groups)
    for fields in (("run", "state", "outcome"), ("run", "status"), ("why",)):
        everything = {tuple(row[field] for field in fields) for row in scored.rows}
        shown = {tuple(row[field] for field in fields) for row in scored.rows if row["group"] in chosen}
        assert shown == everything
