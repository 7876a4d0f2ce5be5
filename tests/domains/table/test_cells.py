"""Columns: what their cells may hold, how they show it, and their widest text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from answerable.domains.chart.text import width
from answerable.domains.table.cells import Field, admits, extreme_texts, field_problems, shown
from tests.domains.table.make import CLOSES, GROWTH, OPENS, PRICE, SECTION, UNITS, WEIGHT

COUNT = msgspec.structs.replace(UNITS, grouped=False)


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (UNITS, Fraction(1234), "1,234"), (COUNT, Fraction(1234), "1234"), (UNITS, Fraction(0), "0"),
        (PRICE, Fraction(25, 2), "$12.50"), (PRICE, Fraction(1, 100), "$0.01"),
        (GROWTH, Fraction(-17, 2), "\u22128.5%"), (GROWTH, Fraction(0), "0.0%"),
        (msgspec.structs.replace(PRICE, lower=Fraction(-90)), Fraction(-75), "\u2212$75.00"),
        (msgspec.structs.replace(PRICE, decimals=0, suffix=" per lb"), Fraction(9), "$9 per lb"),
        (OPENS, Fraction(0), "12:00 A.M."), (OPENS, Fraction(720), "12:00 P.M."), (OPENS, Fraction(875), "2:35 P.M."),
        (msgspec.structs.replace(OPENS, clock="24"), Fraction(875), "14:35"),
        (SECTION, Fraction(2), "harbour front"), (WEIGHT, Fraction(1, 2), "0.5"),
    ],
)  # fmt: skip
def test_a_cell_shows_its_value(field: Field, value: Fraction, text: str) -> None:
    assert shown(field, value) == text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (UNITS, Fraction(1, 2)), (PRICE, Fraction(1, 3)), (PRICE, Fraction(1, 1000)), (SECTION, Fraction(3)),
        (SECTION, Fraction(-1)), (OPENS, Fraction(1440)), (OPENS, Fraction(1, 2)),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_exactly_is_not_admitted(field: Field, value: Fraction) -> None:
    assert shown(field, value) is None
    assert not admits(field, value)


def test_bounds_decide_what_is_admitted() -> None:
    assert admits(GROWTH, Fraction(-20))
    assert admits(GROWTH, Fraction(20))
    assert not admits(GROWTH, Fraction(-201, 10))
    assert not admits(GROWTH, Fraction(201, 10))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decimals": 7}, "expected 0 to 6 decimals; got 7"),
        ({"lower": Fraction(5), "upper": Fraction(4)}, "lower <= upper"),
        ({"upper": Fraction(10**16)}, "10^15"),
        ({"decimals": 1}, "expected no decimals in a column of kind integer"),
        ({"kind": "time"}, "expected times from 0 to 1439"),
        ({"kind": "text"}, "expected words for a column of texts"),
        ({"words": ("a",)}, "expected words for a column of texts, and for no other"),
        ({"kind": "text", "words": ("a", "b"), "upper": Fraction(2)}, "expected the places 0 to 1"),
        ({"kind": "text", "words": ("a", "a"), "upper": Fraction(1)}, "different words"),
    ],
)
def test_a_malformed_declaration_is_named(changes: dict[str, Any], message: str) -> None:
    found = list(field_problems(msgspec.structs.replace(UNITS, **changes)))
    assert any(message in problem for problem in found), found


def test_a_sound_declaration_has_no_problems() -> None:
    for field in (SECTION, UNITS, PRICE, GROWTH, OPENS, CLOSES, WEIGHT):
        assert list(field_problems(field)) == []


def test_the_digits_of_the_font_are_of_one_width() -> None:
    assert len({width(digit, 14.0) for digit in "0123456789"}) == 1


@pytest.mark.parametrize("field", [UNITS, PRICE, GROWTH, OPENS, SECTION, msgspec.structs.replace(OPENS, clock="24")])
def test_no_admissible_value_is_wider_than_the_extreme_texts(field: Field) -> None:
    widest = max(width(text, 14.0) for text in extreme_texts(field))
    step, value = field.step, field.lower
    reached = 0.0
    while value <= field.upper:
        text = shown(field, value)
        assert text is not None
        reached = max(reached, width(text, 14.0))
        value += step
    assert reached == widest
