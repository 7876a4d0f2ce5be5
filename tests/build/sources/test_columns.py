"""Columns from their texts: kind, format, bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.build.sources.columns import Format, bounds, declare, format_of, minutes
from answerable.domains.table.cells import admits, field_problems, shown


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["1", "20", "300"], Format(kind="integer")),
        (["1,200", "20"], Format(kind="integer")),
        (["1200", "20"], Format(kind="integer", grouped=False)),
        (["1.5", "2"], Format(kind="decimal", decimals=1)),
        (["-4", "\u22125", "5"], Format(kind="integer")),
        (["$1,605.00", "$3.50"], Format(kind="money", decimals=2, prefix="$")),
        (["-$75", "$60"], Format(kind="money", prefix="$")),
        (["\u20ac9", "\u20ac10"], Format(kind="money", prefix="\u20ac")),
        (["$3 per pound", "$6 per pound"], Format(kind="money", prefix="$", suffix=" per pound")),
        (["$2.91/kilogram"], Format(kind="money", decimals=2, prefix="$", suffix="/kilogram")),
        (["12%", "7.5%"], Format(kind="percent", decimals=1, suffix="%")),
        (["12 kg", "7 kg"], Format(kind="integer", suffix=" kg")),
        (["8:30 A.M.", "2:35 P.M."], Format(kind="time", clock="12")),
        (["8:30 am", "12:05 pm"], Format(kind="time", clock="12")),
        (["08:30", "23:59"], Format(kind="time", clock="24")),
        (["1.1234567890"], Format(kind="text")),
        (["1.5000000000"], Format(kind="decimal", decimals=1)),
        (["8:30 A.M.", "14:30"], Format(kind="text")),
        (["24:00"], Format(kind="text")),
        (["13:00 P.M."], Format(kind="text")),
        (["8:75"], Format(kind="text")),
        (["$3", "3"], Format(kind="text")),
        (["3 kg", "3 lb"], Format(kind="text")),
        (["1", "two"], Format(kind="text")),
        (["2, 4, 4"], Format(kind="text")),
        (["1,20"], Format(kind="text")),
        (["nan"], Format(kind="text")),
        (["1e5"], Format(kind="integer", suffix="e5")),
        ([], Format(kind="text")),
        (["9" * 40], Format(kind="text")),
    ],
)
def test_formats(texts: list[str], form: Format) -> None:
    assert format_of(texts) == form


@pytest.mark.parametrize(
    "texts",
    [
        ["310", "767", "1,224"], ["$10.39", "$46.99"], ["8:30 A.M.", "2:35 P.M."], ["23:30", "00:05"], ["-4", "5"],
        ["12%", "100%"], ["north", "south", "north"], ["0"], ["2019", "2020"], ["-0.5", "0.25"],
    ],
)  # fmt: skip
def test_declarations_admit_their_own_texts_and_show_them(texts: list[str]) -> None:
    field, values = declare("Column", format_of(texts), texts)
    assert list(field_problems(field)) == []
    assert all(admits(field, value) for value in values)
    for text, value in zip(texts, values, strict=True):
        found = shown(field, value)
        assert found is not None
        same = found.replace("\u2212", "-").rstrip("0").rstrip(".") == text.rstrip("0").rstrip(".")
        assert same or Fraction(found.replace("\u2212", "-")) == Fraction(text)


def test_bounds_are_round_and_leave_room() -> None:
    low, high = bounds([Fraction(81), Fraction(89)], Fraction(1))
    assert low < 81
    assert high > 89
    assert low >= 0
    assert bounds([Fraction(1)], Fraction(1))[0] == 0
    low, high = bounds([Fraction(-6), Fraction(4)], Fraction(1))
    assert low < -6 < 4 < high
    assert declare("Share", format_of(["40%", "95%"]), ["40%", "95%"])[0].upper == 100


def test_times() -> None:
    assert minutes("12:00 A.M.") == (Fraction(0), "12")
    assert minutes("12:30 P.M.") == (Fraction(750), "12")
    assert minutes("noon") is None
