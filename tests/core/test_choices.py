"""How a multiple-choice question is put, and what the text of an option says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.choices import (
    addition,
    akin,
    alike,
    fits,
    instructed_letter,
    is_option,
    lettered,
    may_answer,
    may_be_number,
    may_be_truth,
    mistakable,
    number_of,
    overlap,
    rotated,
    says,
)
from answerable.core.records import Answer, Option


def test_rotation_moves_every_option_to_the_front() -> None:
    assert rotated("ABCD", 1) == ("B", "C", "D", "A")
    assert rotated("ABCD", 0) == rotated("ABCD", 4) == ("A", "B", "C", "D")


def test_what_each_setting_adds() -> None:
    letter = "Answer with the option's letter from the given choices directly."
    assert addition("AAD", "base", 3, 4) == ((), "")
    assert addition("AAD", "original", 4, 4) == ((), letter)
    assert addition("IASD", "option", 3, 4) == ((Option("D", "None of the above", "abstain"),), letter)
    assert addition("IVQD", "instruction", 4, 4) == (
        (Option("F", "The image and question are irrelevant.", "instructed"),),
        "If the given image is irrelevant to the question, answer F. The image and question are irrelevant.",
    )
    assert lettered(("x", "y")) == (Option("A", "x"), Option("B", "y"))


def test_the_instruction_takes_the_next_letter_where_an_option_has_f() -> None:
    assert [instructed_letter(count) for count in (2, 5, 6, 25)] == ["F", "F", "G", "Z"]
    with pytest.raises(ValueError, match="at most 25 options; got 26"):
        instructed_letter(26)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3,990,000", Fraction(3_990_000)), ("-2.5", Fraction(-5, 2)), ("\u22122.5%", Fraction(-5, 2)),
        ("$12.50", Fraction(25, 2)), ("\u20ac1,000", Fraction(1000)), ("10/3", Fraction(10, 3)), ("007", Fraction(7)),
        ("1,00", None), ("1,0000", None), ("12 km", None), ("", None), ("3.99 million", None), ("1/0", None),
        ("\u0663", None), ("1e5", None), ("--1", None), ("NaN", None), ("9" * 41, None),
    ],
)  # fmt: skip
def test_numbers_are_read_exactly_or_not_at_all(text: str, value: Fraction | None) -> None:
    assert number_of(text) == value


@pytest.mark.parametrize("text", ["7 ships", "a dozen", "Q1", "IV", "ten", "½", "三", "None", "No", "2019", "several"])
def test_what_may_be_read_as_a_number(text: str) -> None:
    assert may_be_number(text)


@pytest.mark.parametrize("text", ["Herring", "Sugar beet", "Île Verte", "Москва", "+", "Monday"])
def test_what_has_no_number_in_it(text: str) -> None:
    assert not may_be_number(text)


def test_what_may_be_read_as_a_yes_or_a_no() -> None:
    assert all(map(may_be_truth, ("YES", "no way", "I agree", "That is right.", "Undecided", "isn\u2019t it")))
    assert not any(map(may_be_truth, ("Herring", "Norway", "Isère", "Trueman", "")))


def test_numbers_that_a_scale_or_a_per_cent_sign_could_confuse() -> None:
    thousand = Fraction(4000)
    assert mistakable(thousand, thousand)
    assert mistakable(thousand, Fraction(4))
    assert mistakable(Fraction(1, 4), Fraction(25))
    assert not mistakable(thousand, Fraction(400))
    assert not mistakable(Fraction(0), thousand)


def test_options_that_could_be_one_answer() -> None:
    assert alike("1,398", "1398.0")
    assert alike("$1,398", "1398")
    assert alike("Île  Verte", "île verte.")
    assert not alike("1,398", "1,399")
    assert not alike("Yes", "No")


def test_words_are_compared_whole() -> None:
    assert overlap("Line A", "a")
    assert overlap("8", "8 am")
    assert not overlap("Cod", "Codfish")
    assert not overlap("", "Cod")


def test_akin_knows_short_forms() -> None:
    assert akin("Jan", "January 5")
    assert akin("Monday", "Mon")
    assert akin("2019", "Sales, 2019")
    assert not akin("2019", "20191")
    assert not akin("Oslo", "Ostmark")


def test_what_an_option_says() -> None:
    number, truth, label = (
        Answer("1398", "number"), Answer("no", "boolean"), Answer("Line A", "text")
    )  # fmt: skip
    assert says("1,398.0", number) and not says("1,399", number) and not says("Line A", number)
    assert says("No", truth) and not says("Yes", truth)
    assert says("Line A", label) and not says("line a", label)
    assert fits("12%", number) and not fits("many", number)
    assert fits("yes", truth) and not fits("true", truth)
    assert fits("anything", label)


@pytest.mark.parametrize("text", ["", " x", "x\ny", "A", "b", "None", "none.", "None of the above", "x" * 201])
def test_what_stands_for_no_answer(text: str) -> None:
    assert not is_option(text)


@pytest.mark.parametrize(
    ("text", "type_", "words"),
    [
        ("Cod", "number", ""), ("Cod", "boolean", ""), ("1,250", "text", ""), ("0.5", "text", ""), ("Yes", "text", ""),
        ("Sole", "number", "names 'Sole'"), ("sole, fried", "boolean", "names 'Sole'"), ("Q1", "number", "a number"),
        ("5", "boolean", "a number"), ("True", "boolean", "a yes or a no"), ("Cod", "text", "in other words"),
        ("12", "text", "count what is there"), ("1987", "text", "part of a label"), ("1,987.0", "text", "part of"),
    ],
)  # fmt: skip
def test_what_could_be_an_answer_in_a_world(text: str, type_: str, words: str) -> None:
    right = Answer("Sole" if type_ == "text" else "1", type_)  # type: ignore[arg-type]
    found = may_answer(text, right, ("Sole", "FY1987"))
    assert words in found if words else found == ""
