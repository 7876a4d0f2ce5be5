"""What of a reply is compared, and whether it holds the ground truth."""

from __future__ import annotations

import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.records import Abstain, Answer, Option
from answerable.score.consistency.text import (
    LONGEST,
    STRIPPED,
    bounded,
    given_text,
    holds,
    is_right,
    plain,
    truth_text,
    without_repeats,
)
from answerable.score.readers.text import normalise
from tests.score.consistency.fake import view


@pytest.mark.parametrize(
    ("text", "words", "held"),
    [
        ("a black cat.", "cat", True), ("category", "cat", False), ("concat", "cat", False), ("cat", "cat", True),
        ("the north face jacket", "north face", True), ("(cat)", "cat", True), ("wildcat and cat", "cat", True),
        ("17", "7", False), ("7.5", "7", False), ("1,7", "7", False), ("7,5", "7", False), ("it is 7.", "7", True),
        ("-7", "7", False), ("x −7", "7", False), ("mid-7", "7", True), ("7, or 8", "7", True), (".7", "7", False),
        ("7%", "7", True), ("", "cat", False), ("cat", "", False), ("gate_7", "7", False),
        ("这是一只猫。", "猫", True), ("これは猫です", "猫", True), ("แมวดำ", "แมว", True),
        ("की", "क", False), ("café", "cafe", False), ("cafe\u0301", "cafe", False), ("naïve cat", "cat", True),
    ],
)  # fmt: skip
def test_whole_words(text: str, words: str, held: bool) -> None:
    assert holds(text, words) is held


def test_the_paper_finds_the_ground_truth_anywhere() -> None:
    one = view("g", "F")
    assert is_right(one, "A CAT, I think") is is_right(one, "A CAT", published=True) is True
    assert is_right(one, "a category") is False
    assert is_right(one, "a category", published=True) is True
    assert is_right(one, "", published=True) is False


def test_numbers_are_equal_by_value_but_not_as_published() -> None:
    one = msgspec.structs.replace(view("g", "F"), obligation=Answer("1000", "number"))
    assert is_right(one, "1,000") is True
    assert is_right(one, "1,000", published=True) is False
    half = msgspec.structs.replace(one, obligation=Answer("25/2", "number"))
    assert truth_text(half) == "12.5"
    assert is_right(half, "about 12.5 in all") is True


def test_a_letter_stands_for_its_option() -> None:
    options = (Option("A", "north face"), Option("B", "columbia"))
    one = msgspec.structs.replace(view("g", "F"), obligation=Answer("A", "text"), options=options)
    assert (truth_text(one), given_text(one, "B"), given_text(one, "neither")) == ("north face", "columbia", "neither")
    assert is_right(one, "A") is True
    assert is_right(one, "B") is False


def test_where_nothing_is_due_nothing_is_right_or_wrong() -> None:
    one = msgspec.structs.replace(view("g", "F"), obligation=Abstain("missing"))
    assert truth_text(one) is None
    assert is_right(one, "cat") is None


def test_repeated_words_go_from_replies_to_masks_only() -> None:
    reply = "There is a cat in the masked region of the image."
    assert without_repeats(reply, "occlude") == "cat"
    assert without_repeats("The Masked  Region is an orange", "occlude") == "orange"
    assert without_repeats(reply, "rephrase") == reply
    assert without_repeats(reply, "") == reply
    # Whole words only.
    assert without_repeats("island theatre", "occlude") == "island theatre"
    assert without_repeats("It is the masked region.", "occlude") == ""


def test_the_words_taken_out_are_data() -> None:
    assert {"there", "is", "of", "in", "the"} <= set(STRIPPED.words)
    assert {"masked region", "image"} <= set(STRIPPED.phrases)
    assert STRIPPED.variations == ("occlude",)


@given(st.text(max_size=60))
def test_what_is_left_is_stable(text: str) -> None:
    once = without_repeats(text, "occlude")
    assert len(once) <= len(text)
    assert plain(once) == plain(plain(once))


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=8), st.text(max_size=10))
def test_a_word_between_spaces_is_held(word: str, around: str) -> None:
    form = normalise(word)
    # What normalises to several words, or to a mark, is not one.
    if form and form.isalnum() and not unicodedata.category(form[0]).startswith("M"):
        assert holds(f"{around} {form} {around}", form)


def test_only_the_beginning_of_a_very_long_text_is_compared() -> None:
    assert len(bounded("x" * 1_000_000)) == LONGEST
    assert bounded("\ud800cat") == "?cat"
