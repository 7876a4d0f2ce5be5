"""Groups that must be whole; the shared group cases by id."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from answerable.core.errors import InputError
from answerable.score.completeness import (
    Consistency,
    consistency,
    content_rotations,
    coverage,
    group_share,
    judge_group,
    unique,
)
from tests.shared import cases, needs_shared

CASES: dict[str, dict[str, Any]] = {row["id"]: row for row in cases("group_score")}
COVERED = {
    "grp-002", "grp-003", "grp-004", "grp-005", "grp-007", "grp-008", "grp-009", "grp-011", "grp-015", "grp-016",
    "grp-019", "grp-020",
}  # fmt: skip


def verdicts(words: list[str]) -> dict[str, bool | None]:
    return {str(place): word == "right" for place, word in enumerate(words) if word != "MISSING"}


@needs_shared
def test_every_shared_case_is_covered_here() -> None:
    assert set(CASES) == COVERED


@pytest.mark.parametrize("rows", [["right", "right", "right", "MISSING"], ["MISSING", "right", "right", "right"]])
def test_a_missing_rotation_is_incomplete_and_stays_in_the_denominator(rows: list[str]) -> None:
    """grp-002, grp-003."""
    found = judge_group(["0", "1", "2", "3"], verdicts(rows))
    assert (found.status, found.hit) == ("incomplete", False)
    assert found.missing == (str(rows.index("MISSING")),)
    assert group_share([found]) == 0


def test_a_duplicate_id_is_an_error() -> None:
    """grp-004."""
    with pytest.raises(InputError, match="duplicate id 7"):
        unique([(7, True), (7, False)], "row")
    assert unique([(7, True), (8, False)], "row") == {7: True, 8: False}


def test_a_missing_partner_keeps_the_pair_in_the_denominator() -> None:
    """grp-005."""
    pairs = [judge_group(["s", "u"], {"s": True, "u": True}), judge_group(["s", "u"], {"s": True})]
    assert group_share(pairs) == Fraction(1, 2)
    assert [pair.status for pair in pairs] == ["complete", "incomplete"]


def test_pairs_are_counted_as_pairs() -> None:
    """grp-007."""
    assert group_share([judge_group(["a", "b"], {"a": True, "b": True})]) == 1


def test_the_denominator_is_what_was_asked() -> None:
    """grp-008."""
    assert coverage([place < 50 for place in range(100)]).over_all == Fraction(50, 100)


def test_errors_are_shown_both_ways() -> None:
    """grp-009."""
    found = coverage([True] * 2 + [False] * 4 + [None] * 2)
    assert (found.over_all, found.over_scored, found.coverage) == (Fraction(2, 8), Fraction(2, 6), Fraction(6, 8))


def test_a_failed_judge_leaves_its_row_unscored() -> None:
    """grp-011: nothing is carried over from the row before."""
    judged: dict[str, bool | None] = {"first": True, "second": None}
    assert coverage(judged.values()).scored == 1
    assert judge_group(["first", "second"], judged).missing == ("second",)


def test_unreadable_is_never_agreement() -> None:
    """grp-015, grp-016."""
    assert consistency(["B", "B", None]) == Consistency(consistent=False, unreadable=1)
    assert consistency([None, None, None]) == Consistency(consistent=False, unreadable=3)
    assert consistency(["B", "B", "B"]) == Consistency(consistent=True, unreadable=0)
    assert consistency(["B", "A"]) == Consistency(consistent=False, unreadable=0)
    assert consistency([]) == Consistency(consistent=None, unreadable=0)


def test_a_fixed_last_option_does_not_rotate() -> None:
    """grp-019."""
    found = content_rotations(("red", "blue", "None of the above"), fixed=1)
    assert found == (("red", "blue", "None of the above"), ("blue", "red", "None of the above"))
    with pytest.raises(InputError, match="at least one option that may move"):
        content_rotations(("None of the above",), fixed=1)


def test_an_empty_group_is_undefined() -> None:
    """grp-020."""
    empty = judge_group([], {})
    assert (empty.status, empty.hit) == ("empty", None)
    assert group_share([empty]) is None
    assert coverage([]).over_all is None
    assert coverage([None]).over_scored is None
