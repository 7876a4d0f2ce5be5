"""The right option that was taken away: naming it in words abstains; an offered option of the same text is chosen."""

from __future__ import annotations

import pytest

from answerable.score.readers.options import READER
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.withheld import removed_answer

#: Blue was the right option.
ITEM = Item({"A": "red", "B": "green", "C": "black"}, withheld="blue")
INSTRUCTED = Item({"A": "red", "B": "green", "F": "None of the above"}, "F", abstain_instructed=True, withheld="blue")


def read(text: str, item: Item = ITEM) -> Reading:
    return READER.read(text, "complete", item)


@pytest.mark.parametrize(
    "text",
    [
        "blue", "Blue.", "**blue**", '"Blue"', "D. blue", "(D) blue", "E) Blue.", "D: blue", "The answer is blue.",
        "Answer: blue", "Answer: D. blue", "The correct answer is (E) blue.", "So the final answer is: **Blue**",
        "\\boxed{blue}", "<think>It is A?</think>blue", "答案：blue",
    ],
)  # fmt: skip
def test_naming_the_removed_answer_abstains(text: str) -> None:
    assert read(text) == Abstained("removed_answer")
    assert read(text, INSTRUCTED) == Abstained("removed_answer")


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("B", Answered("B", "whole_letter")), ("red", Answered("A", "option_text")),
        ("A. blue", Invalid("contradiction", "leading_label")),
        ("The answer is A. blue", Invalid("contradiction", "declared_english")),
        ("D", Invalid("outside_options", "whole_letter")), ("D. yellow", Invalid("outside_options", "leading_label")),
        ("The ball is blue and round.", Invalid("no_choice", "no_rule")), ("bluebell", Invalid("no_choice", "no_rule")),
        ("The answer is not blue.", Invalid("no_choice", "no_rule")),
        ("If it were offered, the answer is blue.", Invalid("no_choice", "no_rule")),
        ("blue is wrong", Invalid("no_choice", "no_rule")),
    ],
)  # fmt: skip
def test_anything_else_is_read_as_before(text: str, reading: Reading) -> None:
    assert read(text) == reading


def test_an_offered_option_of_the_same_text_is_chosen() -> None:
    item = Item({"A": "red", "B": "Blue"}, withheld="blue")
    assert read("blue", item) == Answered("B", "option_text")
    assert read("The answer is blue.", item) == Answered("B", "declared_english_text")
    assert read("E. blue", item) == Invalid("contradiction", "leading_label")
    assert removed_answer("blue", item) is None


def test_a_removed_answer_of_one_letter_is_not_a_label() -> None:
    item = Item({"A": "y", "B": "z"}, withheld="x")
    assert read("x", item) == Abstained("removed_answer")
    assert read("The answer is x.", item) == Abstained("removed_answer")
    assert read("B", Item({"A": "y", "B": "z"}, withheld="B")) == Answered("B", "whole_letter")


def test_without_a_removed_answer_the_rule_never_fires() -> None:
    assert removed_answer("blue", Item(ITEM.options)) is None
    assert removed_answer("", Item(ITEM.options)) is None
    assert read("blue", Item(ITEM.options)) == Invalid("no_choice", "no_rule")
    assert removed_answer("blue " * 1000, ITEM) is None


def test_a_cut_reply_names_nothing() -> None:
    assert READER.read("The answer is blue", "truncated", ITEM) == Invalid("truncated", "status")
    assert READER.read("blue", "truncated", ITEM) == Invalid("truncated", "status")


@pytest.mark.parametrize("text", ["F", "F.", "(F)", "F. None of the above", "The answer is F.", "None of the above"])
def test_the_instructed_letter_abstains(text: str) -> None:
    assert isinstance(read(text, INSTRUCTED), Abstained)
    assert read("F") == Invalid("outside_options", "whole_letter")


def test_a_case_may_name_the_removed_answer() -> None:
    case = {"response": "blue", "options": {"A": "red"}, "withheld": "blue"}
    assert (READER.read_case(case).reading, READER.read_case(case).rule) == ("none", "removed_answer")
