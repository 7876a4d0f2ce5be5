"""Numbers of data files, never through a float."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.build.sources.decimals import parse_decimal, rounded


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1234.5", Fraction(2469, 2)),
        ("1,234,567.25", Fraction(4938269, 4)),
        ("-3", Fraction(-3)),
        ("+3", Fraction(3)),
        ("\u22123", Fraction(-3)),
        (" 7 ", Fraction(7)),
        ("1e3", Fraction(1000)),
        ("2.5E-2", Fraction(1, 40)),
        ("0.1234567890123456", Fraction(1234567890123456, 10**16)),
        ("12345678901234567890", Fraction(12345678901234567890)),
        ("007", Fraction(7)),
    ],
)
def test_decimals(text: str, value: Fraction) -> None:
    assert parse_decimal(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "abc", "nan", "NaN", "inf", "-Infinity", "1e999999999", "1e100", "1_000", "1,23", "12,34,567", ",5", "5.",
     ".5", "1.2.3", "1 000", "$5", "5%", "0x10", "٣", "１", "½", "1/2", "--1", "1e", "9" * 31, "0." + "1" * 31,
     "9" * 10_000_000, "True"],
)  # fmt: skip
def test_anything_else_is_no_number(text: str) -> None:
    assert parse_decimal(text) is None


@pytest.mark.parametrize(
    ("value", "unit", "result"),
    [
        (Fraction("2.345"), Fraction("0.01"), Fraction("2.34")),
        (Fraction("2.355"), Fraction("0.01"), Fraction("2.36")),
        (Fraction("-2.345"), Fraction("0.01"), Fraction("-2.34")),
        (Fraction(1499), Fraction(1000), Fraction(1000)),
        (Fraction(1500), Fraction(1000), Fraction(2000)),
        (Fraction(2500), Fraction(1000), Fraction(2000)),
    ],
)
def test_rounding_is_half_to_even_and_exact(value: Fraction, unit: Fraction, result: Fraction) -> None:
    assert rounded(value, unit) == result
