"""The number grammar: invented fields, bounds, and comparison."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.errors import InputError
from answerable.score.readers.number import CURRENCIES, READER, SCALES, VULGAR, compare_numbers, parse, parse_number
from answerable.score.readers.reading import Answered, Invalid, Item

NUMBERS = {
    ".5": "1/2", "+5": "5", "+ 5": "5", "−5": "-5", "1,234": "1234", "1,000.": "1000", "1,000!": "1000", "5.0.": "5",
    "-1,000.25": "-4001/4", "1\u00a0234": "1234", "1\u2009234.5": "2469/2", "5 000 000": "5000000", "1’000": "1000",
    "1'000'000": "1000000", "1e3": "1000", "1E+3": "1000", "1e−3": "1/1000", "2.5e2": "250", "1e0003": "1000",
    "1 2/3": "5/3", "-1 2/3": "-5/3", "½": "1/2", "-½": "-1/2", "3 ½": "7/2", "1⁄2": "1/2", "6 / 8": "3/4",
    "1/3.": "1/3",
    "$2.5bn": "2500000000", "US$5": "5", "£5": "5", "-$1,200.50": "-2401/2", "$-5": "-5", "￥5": "5",
    "3K": "3000", "3 k": "3000", "3 Thousand": "3000", "2BN": "2000000000", "1/2 million": "500000",
    "½ billion": "500000000",
    "5 %": "5", "5 per cent": "5", "5 Percent": "5", "１２．５％": "25/2", "1/2%": "1/2",
    "*42*": "42", "__42__": "42", "`42`": "42", "$$42$$": "42", "\\(42\\)": "42", "$\\boxed{42}$": "42", "\t5\r\n": "5",
    "\u30005\u3000": "5",
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_numbers(text: str, value: str) -> None:
    assert parse_number(text) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "5..", "..5", "5.!", "1.2.3", "0,123", "1,2345", "1234,567", "1 234,5", "12 34", "5 5", "1,000'000",
        "1\u00a0000\u202f000", "1 234/567", "1 3/2", "1/3/5", "1.5/2", "1/0", "0/0", "1e", "e5", "1e3K", "1 e3", "++5",
        "+-5", "-$-5", "-", "5£", "€ 5", "%5", "5%%", "5K%", "2b", "2m", "3kk", "5T", "5 trillion", "3 thousands",
        "**42", "42**", '"42"', "42?", "42,", "= 42", "[42]", "{42}", "(42)", "$5$ or $6$", "$$", "5²", "²", "٣", "५",
        "五", "①", "5\u200b", "\u200b5", "True", "None", "1__0", "0b11", "1d5", "5L", "5f", "5\n6", "5;6", "#5", "5th",
        "1:2", "5x", "x5", "1+1", "1*2", "5 or so", "½½", "1½/2",
    ],
)  # fmt: skip
def test_not_numbers(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    "text",
    ["9" * 401, "9" * 1_000_000, "1e309", "1e-309", "1e" + "9" * 300, "1," + "000," * 300, " " * 10**6, "(" * 10**5],
)
def test_bounds_come_before_any_big_number(text: str) -> None:
    assert parse_number(text) is None


def test_long_numbers_within_the_bound_are_exact() -> None:
    assert parse_number("9" * 400) == Fraction(10**400 - 1)
    assert parse_number("1e308") == Fraction(10) ** 308
    assert parse_number("0.1") == Fraction(1, 10)
    assert parse_number("100000") != parse_number("100001")


def test_every_entry_of_the_tables_is_reachable() -> None:
    for mark in CURRENCIES:
        assert parse_number(f"{mark}5") == 5, mark
    for suffix, scale in SCALES.items():
        assert parse_number(f"2{suffix}") == 2 * scale, suffix
    for char, (numerator, denominator) in VULGAR.items():
        assert parse_number(f"2{char}") == 2 + Fraction(numerator, denominator), char


def test_percent_is_remembered_and_not_rescaled() -> None:
    number = parse("45 %")
    assert number is not None
    assert number.percent
    assert number.value == Fraction(45)


@pytest.mark.parametrize(
    ("gold", "prediction", "unit", "expected"),
    [
        ("2", "2%", "percent", True), ("2", "2%", "%", True), ("2", "2%", "USD", False), ("2", "3%", None, False),
        ("2%", "2", None, True), ("2%", "2 percent", None, True), ("2", "2", "percent", True), ("0.02",
        "2%", None, False),
        ("12.5", "12,5", None, None), ("12.5", "12,6", None, False), ("1234.5", "1.234,5", None, None),
        ("1,000", "1 000", None, True), ("1/3", "2/6", None, True), ("5", "five", None, False), ("x", "5", None, False),
        ("5", "25", None, False), ("104.9", "100", None, False), ("0", "-0.0", None, True),
    ],
)  # fmt: skip
def test_comparison(gold: str, prediction: str, unit: str | None, expected: bool | None) -> None:
    assert compare_numbers(gold, prediction, unit) is expected


def test_the_reader_keeps_the_field_and_the_status() -> None:
    assert READER.read(" 1,000 ", "complete", Item()) == Answered("1,000", "number_grammar")
    assert READER.read("about 5", "complete", Item()) == Invalid("not_a_number", "number_grammar")
    assert READER.read("5", "truncated", Item()) == Invalid("truncated", "status")
    assert READER.read("007", "complete", Item()) == Answered("007", "number_grammar")


def test_a_case_of_neither_shape_is_an_input_error() -> None:
    with pytest.raises(InputError, match="fields text"):
        READER.read_case({"number": "5"})
    with pytest.raises(InputError, match="fields gold, pred, unit"):
        READER.read_case({"gold": "5", "pred": 5})
