"""Text answers."""

from __future__ import annotations

import pytest

from answerable.core.errors import InputError
from answerable.score.readers.reading import Answered, Invalid, Item
from answerable.score.readers.text import READER, normalise, same_text


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Two  Words", "two words", True), ("\tred\n", "red", True), ("Ｒｅｄ", "red", True), ("ﬁn", "fin", True),
        ("É", "é", True), ("e\u0301", "é", True), ("red", "re d", False), ("red-", "red", False), ("naïve",
        "naive", False),
        ("１０", "10", True), ("a\u2028b", "a b", True), ("", "\u3000", True), ("Σ", "σ", True),
    ],
)  # fmt: skip
def test_normal_form(one: str, other: str, equal: bool) -> None:
    assert same_text(one, other) is equal


def test_normalising_twice_changes_nothing() -> None:
    for text in ("Ⅳ  X™", "½", "ẞ", "İ"):
        assert normalise(normalise(text)) == normalise(text)


def test_the_reader_keeps_words_that_look_like_missing_data() -> None:
    for word in ("None", "N/A", "null", "nan", "NA", "007", "=1+1"):
        assert READER.read(f" {word} ", "complete", Item()) == Answered(word, "whole_text")


def test_a_cut_or_refused_text_is_no_answer() -> None:
    assert READER.read("red", "truncated", Item()) == Invalid("truncated", "status")
    assert READER.read("red", "refused", Item()) == Invalid("refused", "status")
    assert READER.read("", "complete", Item()) == Invalid("empty", "no_text")


def test_cases_of_both_shapes() -> None:
    assert READER.read_case({"a": "X", "b": "x"}).reading is True
    assert READER.read_case({"text": " X  y"}).reading == "x y"
    with pytest.raises(InputError, match="fields a, b"):
        READER.read_case({"a": "x"})
