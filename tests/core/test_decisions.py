"""Files of decisions: what is read, what is refused, and what holds where reviewers differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.decisions import Decisions, settled
from answerable.core.errors import SourceError
from answerable.core.records import Refusal


def decisions(tmp_path: Path, *lines: str) -> Decisions:
    path = tmp_path / "decisions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return Decisions((path,))


def said(group: str, decision: str, reviewer: str, reason: str = "") -> str:
    return f'{{"group":"{group}","decision":"{decision}","reviewer":"{reviewer}","reason":"{reason}"}}'


def test_what_reviewers_decided(tmp_path: Path) -> None:
    found = decisions(
        tmp_path, said("a", "keep", "Ann"), said("a", "keep", "Bo"), "", said("b", "drop", "Bo", "fits  all the same"),
        said("b", "drop", "Ann", "it fits"), said("c", "keep", "Ann"), said("c", "drop", "Bo", "no"),
    )  # fmt: skip
    assert found.on("a") == "keep"
    assert found.on("b") == Refusal("dropped in review: it fits", "b (Ann: drop, Bo: drop)")
    assert found.on("c") == Refusal("reviewers disagree", "c (Ann: keep, Bo: drop)")
    assert found.on("d") is None
    assert found.unknown({"a", "b"}) == ("c",)
    assert found.said["c"] == {"Ann": "keep", "Bo": "drop"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", 'expected a decision: {"group", "decision": "keep" or "drop", "reviewer", "reason"}'),
        ('{"group":"a","decision":"maybe","reviewer":"x"}', "'maybe'"),
        ('{"group":"a","decision":"keep","reviewer":"x","more":1}', "unknown field `more`"),
        (said("a", "keep", " "), "expected a decision with a group and a reviewer"),
        (said("a", "drop", "x"), "expected a reason to drop; got none for group=a"),
        (said("a", "keep", "Ann"), "expected one decision of a reviewer on a group; got a second of 'Ann' on group=a"),
        ("\ud800", "got"),
    ],
)
def test_lines_that_are_no_decision(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes((said("a", "keep", "Ann") + "\n" + line).encode("utf-8", "surrogatepass"))
    with pytest.raises(SourceError) as caught:
        Decisions((path,))
    assert message in str(caught.value)
    assert "line 2" in caught.value.where


def test_a_file_of_decisions_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a file of decisions; got No such file"):
        Decisions((tmp_path / "no",))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", None), ("k", "k"), ("kk", "k"), ("kd", None), ("kkd", "k"), ("dkd", "d"), ("kdkd", None), ("kkkd", "k"),
        ("kkddx", None), ("kkkdx", "k"),
    ],
)  # fmt: skip
def test_what_holds(words: str, wanted: str | None) -> None:
    assert settled(tuple(words)) == wanted


@given(st.lists(st.sampled_from("kd"), max_size=9))
def test_the_order_of_votes_does_not_matter(words: list[str]) -> None:
    assert settled(words) == settled(words[::-1]) == settled(sorted(words))


def test_more_than_half_of_three_decide(tmp_path: Path) -> None:
    found = decisions(
        tmp_path, said("a", "keep", "Ann"), said("a", "drop", "Bo", "blurred"), said("a", "keep", "Cy"),
        said("b", "drop", "Cy", "third"), said("b", "keep", "Ann"), said("b", "drop", "Bo", "second"),
        said("c", "drop", "Ann", "x"), said("c", "keep", "Bo"), said("c", "drop", "Cy", "y"), said("c", "keep", "Di"),
    )  # fmt: skip
    assert found.on("a") == "keep"
    assert found.on("b") == Refusal("dropped in review: second", "b (Ann: keep, Bo: drop, Cy: drop)")
    assert found.on("c") == Refusal("reviewers disagree", "c (Ann: drop, Bo: keep, Cy: drop, Di: keep)")
