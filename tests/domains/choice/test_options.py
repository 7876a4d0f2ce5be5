"""Options: the answer and others, none of which could be it or one another."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.seeds import Stream
from answerable.domains.choice.options import choose, grouped, near, numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3_990_000), "3,990,000"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(1234567, 100), "12,345.67"),
        (Fraction(10, 3), "10/3"),
        (Fraction(0), "0"),
        (Fraction(999), "999"),
    ],
)
def test_numbers_are_written_out(value: Fraction, text: str) -> None:
    assert grouped(value) == text


def test_the_most_wanted_others_are_taken_and_none_that_is_alike() -> None:
    chosen = choose("25", ["25.0", "25,000", "15", "A", "15.00", "None", "20", "30", "40"], Stream("x"))
    assert sorted(chosen) == ["15", "20", "25", "30"]
    assert choose("25", [], Stream("x")) == ("25",)


def test_the_right_option_is_not_always_in_the_same_place() -> None:
    places = {choose("25", ["15", "20", "30"], Stream("x", seed)).index("25") for seed in range(40)}
    assert places == {0, 1, 2, 3}


def test_near_misses_are_on_both_sides_and_not_below_zero_unasked() -> None:
    found = near(Fraction(5), Fraction(1), Stream("x"), negative=False)
    assert min(found) >= 0
    assert {4, 6} <= set(found)
    assert 5 not in found
    assert min(near(Fraction(5), Fraction(1), Stream("x"), negative=True)) == -15


def wanted(seed: int) -> tuple[Fraction, ...]:
    return numbers(Fraction(500), [Fraction(100), Fraction(900)], Fraction(1), Stream("x", seed), negative=False)


def test_two_of_the_picture_come_first_then_one_close_by() -> None:
    for seed in range(20):
        found = wanted(seed)
        assert set(found[:2]) == {100, 900}
        assert min(abs(found[2] - one) for one in (100, 500, 900)) <= 20


def test_what_is_close_by_is_as_often_beside_a_wrong_number() -> None:
    beside_the_answer = sum(abs(wanted(seed)[2] - 500) <= 20 for seed in range(200))
    assert 70 <= beside_the_answer <= 130
    alone = numbers(Fraction(500), [], Fraction(1), Stream("x"), negative=False)
    assert all(abs(number - 500) <= 20 for number in alone)
