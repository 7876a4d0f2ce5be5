"""Whether a given answer is the target."""

from __future__ import annotations

import pytest

from answerable.core.errors import BenchmarkError
from answerable.core.records import Answer, AnswerType
from answerable.score.compare_answers import answer_key, same_answer


@pytest.mark.parametrize(
    ("kind", "target", "given", "equal"),
    [
        ("number", "1000", "1,000", True), ("number", "3/4", "0.75", True), ("number", "3990000", "3.99 million", True),
        ("number", "45", "45%", True), ("number", "0", "0.0", True), ("number", "5", "25", False),
        ("number", "100", "104.9", False), ("number", "2010", "2008", False), ("number", "5", "five", False),
        ("number", "5", "", False), ("text", "Red", " red ", True), ("text", "10", "10.0", True),
        ("text", "102", "10²", True), ("text", "red", "red.", False), ("text", "1/2", "0.5", True),
        ("boolean", "yes", "Yes", True), ("boolean", "yes", "true", False), ("integer", "3", "3.0", True),
        ("integer", "3", "three", False), ("integer", "3", "4", False),
    ],
)  # fmt: skip
def test_same_answer(kind: AnswerType, target: str, given: str, equal: bool) -> None:
    assert same_answer(Answer(target, kind), given) is equal


def test_a_number_never_matches_by_its_normal_form() -> None:
    assert not same_answer(Answer("102", "number"), "10²")


@pytest.mark.parametrize("target", ["nan", "inf", "about 5", ""])
def test_a_target_that_is_no_number_is_an_error_not_a_wrong_answer(target: str) -> None:
    with pytest.raises(BenchmarkError, match="a number as the target of a number question"):
        same_answer(Answer(target, "number"), target)


def test_repeats_agree_by_value() -> None:
    assert answer_key("1,000") == answer_key("1000.0")
    assert answer_key("red  ball") == answer_key("red ball")
    assert answer_key("1") != answer_key("one")
    assert answer_key(None) is None
