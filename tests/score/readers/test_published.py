"""The published way of matching letters: the five forms of the paper, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.runlog import ReplyStatus
from answerable.score.readers import READERS
from answerable.score.readers.published import READER, strict_letter
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item

ITEM = Item({"A": "red", "B": "a blue car", "C": "green"})
INSTRUCTED = Item(ITEM.options | {"F": "None of the above"}, "F", abstain_instructed=True)


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("A", "A", "letter"), (" B\n", "B", "letter"), ("A) red", "A", "letter_with_text"),
        ("A. red", "A", "letter_with_text"), ("A, red", "A", "letter_with_text"),
        ("(A) red", "A", "letter_in_brackets"), ("B. a blue car", "B", "letter_with_text"),
        ("A.", "A", "letter_with_text"), ("(C)", "C", "letter_in_brackets"), ("A. blue", "A", "letter_with_text"),
        ("C. It is Dark And Big", "C", "letter_with_text"), ("B)\nbecause of D", "B", "letter_with_text"),
        ("A. none of the above", "A", "letter_with_text"), ("A.red", "A", "letter_with_text"),
        ("A)red", "A", "letter_with_text"), ("A, B", "A", "letter_with_text"),
        ("A. red, not B", "A", "letter_with_text"), ("B. A blue car", "B", "letter_with_text"),
        ("A. vitamin C", "A", "letter_with_text"), ("(A) or B", "A", "letter_in_brackets"),
    ],
)  # fmt: skip
def test_the_forms_of_the_paper(text: str, letter: str, rule: str) -> None:
    assert READER.read(text, "complete", ITEM) == Answered(letter, rule)


@pytest.mark.parametrize(
    "text",
    [
        "a", "b) blue", "Answer: A", "The answer is A.", "A red", "A: red", "A - red", "**A**", "[A] red",
        "\\boxed{A}", "red", "a blue car", "None of the above", "I cannot answer", "D", "D. black",
        "(D) black",
        "A. red, not B.", "A) red or (C) green", "(A) or (B)", "AB", "A and B", "Ａ", "A. see D, there",
        "A. In the USE, no",
        "<think>x</think>A", '{"answer": "A"}', "1", "Option A", "A.B. is written there", "F", "(A red)", "()", "(",
    ],
)  # fmt: skip
def test_everything_else_is_unread(text: str) -> None:
    assert READER.read(text, "complete", ITEM) == Invalid("no_choice", "no_form")
    assert strict_letter(text, ITEM) is None


def test_a_letter_before_a_mark_is_another_choice_though_it_was_not_offered() -> None:
    """As the authors' evaluator has it: D is not offered, and ``D,`` stands in the reply."""
    assert READER.read("A. vitamin D", "complete", ITEM) == Answered("A", "letter_with_text")
    assert READER.read("A. vitamin D, of course", "complete", ITEM) == Invalid("no_choice", "no_form")
    assert READER.read("A. vitamin K, of course", "complete", ITEM) == Answered("A", "letter_with_text")


def test_the_instructed_letter_abstains_and_is_another_choice() -> None:
    assert READER.read("F", "complete", INSTRUCTED) == Abstained("letter")
    assert READER.read("F. None of the above", "complete", INSTRUCTED) == Abstained("letter_with_text")
    assert READER.read("A. red, or F.", "complete", INSTRUCTED) == Invalid("no_choice", "no_form")


@pytest.mark.parametrize(
    ("text", "status", "why"),
    [
        ("A", "truncated", "truncated"), ("A", "refused", "refused"), (None, "empty", "empty"),
        ("  ", "complete", "empty"),
    ],
)  # fmt: skip
def test_status_comes_first(text: str | None, status: ReplyStatus, why: str) -> None:
    found = READER.read(text, status, ITEM)
    assert isinstance(found, Invalid) and found.why == why


@given(
    st.text() | st.lists(st.sampled_from("ABCDF().,: x"), max_size=8).map("".join), st.sampled_from([ITEM, INSTRUCTED])
)
def test_what_it_reads_is_an_offered_letter(text: str, item: Item) -> None:
    found = READER.read(text, "complete", item)
    if isinstance(found, Answered):
        assert found.text in item.options and found.text in text
    elif isinstance(found, Abstained):
        assert item.abstain_letter is not None and item.abstain_letter in text
    else:
        assert found.why in ("no_choice", "empty")


@given(
    st.sampled_from("ABC"),
    st.text("abcdefgh xyz", max_size=20),
    st.sampled_from(["{}) {}", "{}. {}", "{}, {}", "({}) {}"]),
)
def test_every_form_is_read(letter: str, text: str, form: str) -> None:
    found = READER.read(form.format(letter, text), "complete", ITEM)
    assert isinstance(found, Answered) and found.text == letter


def test_it_is_in_the_table_and_says_its_rules() -> None:
    assert READERS.load("mcq-published") is READER
    assert "Without the inclusion of other choices".lower() in READER.rules.lower()
    assert READER.read_case({"response": "A", "options": ITEM.options}).reading == "A"
