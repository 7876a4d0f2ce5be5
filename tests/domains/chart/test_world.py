"""Worlds: edits, malformed ones, and numbers as labels show them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from answerable.domains.chart.world import (
    Axis,
    grid,
    number_text,
    shape_problems,
    shown_unit,
    value_at,
    with_value,
    without_position,
    without_series,
)
from tests.domains.chart.make import world


def test_one_value_is_changed_and_no_other() -> None:
    before = world(rows=3)
    after = with_value(before, "Zürich", "2021", Fraction(77))
    assert value_at(after, "Zürich", "2021") == 77
    cells = [(s, p) for s in before.series for p in before.positions if (s, p) != ("Zürich", "2021")]
    assert all(value_at(before, *cell) == value_at(after, *cell) for cell in cells)
    assert msgspec.structs.replace(after, values=before.values) == before


def test_a_series_goes_with_its_colour_and_values() -> None:
    before = world(rows=3)
    after = without_series(before, "Zürich")
    assert after.series == ("Łódź", "Αθήνα")
    assert after.colours == (before.colours[0], before.colours[2])
    assert after.values == (before.values[0], before.values[2])
    assert (after.axis, after.title, after.positions) == (before.axis, before.title, before.positions)


def test_a_position_goes_with_its_column() -> None:
    after = without_position(world(rows=2), "2021")
    assert after.positions == ("2019", "2020", "2022", "2023")
    assert [len(line) for line in after.values] == [4, 4]
    assert value_at(after, "Zürich", "2022") == value_at(world(rows=2), "Zürich", "2022")


def test_programs_run_over_names_and_values_only() -> None:
    made = world()
    assert (grid(made).series, grid(made).positions, grid(made).values) == (made.series, made.positions, made.values)


def test_a_whole_world_has_no_problems() -> None:
    assert shape_problems(world(rows=3)) == ()


def axis(**changes: Any) -> Axis:
    return msgspec.structs.replace(world().axis, **changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"series": (), "values": (), "colours": ()}, "1 to 12 series; got 0"),
        ({"series": tuple(map(str, range(100_000)))}, "1 to 12 series; got 100000"),
        ({"positions": (), "values": ((), ())}, "1 to 40 positions; got 0"),
        ({"positions": tuple(map(str, range(41)))}, "1 to 40 positions; got 41"),
        ({"values": ((Fraction(1),),)}, "values for 2 series x 5 positions"),
        ({"values": world().values + world().values}, "values for 2 series x 5 positions"),
        ({"series": ("a", "a")}, "different names"),
        ({"positions": ("1", "2", "3", "4", "4")}, "different names"),
        ({"colours": ("#2f6db5",)}, "2 colours"),
        ({"colours": ("#2f6db5", "red")}, "2 colours"),
        ({"colours": ("#2f6db5", "#GGGGGG")}, "2 colours"),
        ({"colours": ("#2f6db5", "#2F6DB5")}, "small letters"),
        ({"colours": ("#2f6db5", "#2f6db5\n")}, "2 colours"),
        ({"scale": 10}, "a scale of 1, 1000, 1000000, 1000000000; got 10"),
        ({"decimals": 7}, "0 to 6 decimals; got 7"),
        ({"decimals": -1}, "0 to 6 decimals; got -1"),
        ({"axis": axis(upper=Fraction(0))}, "lower < upper"),
        ({"axis": axis(step=Fraction(0))}, "positive step"),
        ({"axis": axis(step=Fraction(-1))}, "positive step"),
        ({"axis": axis(minor=0)}, "1 to 20 gridlines"),
        ({"axis": axis(minor=10**18)}, "1 to 20 gridlines"),
        ({"axis": axis(step=Fraction(1, 10**50))}, "at most 40 ticks"),
        ({"axis": axis(lower=Fraction(10**59), upper=Fraction(10**59 + 1), step=Fraction(1))}, "a billionth"),
        ({"title": "x" * 301}, "at most 300 signs"),
        ({"series": ("a", "b" * 10**6)}, "at most 300 signs"),
        ({"unit": "\ud800"}, "half of a surrogate pair"),
    ],
)
def test_malformed_worlds_are_described(changes: dict[str, Any], words: str) -> None:
    problems = shape_problems(world(**changes))
    assert any(words in text for text in problems), problems
    assert all(len(text) < 200 for text in problems)


@pytest.mark.parametrize(
    ("value", "scale", "decimals", "text"),
    [
        (Fraction(3_990_000), 10**6, 2, "3.99"),
        (Fraction(1_234_567), 1, 0, "1,234,567"),
        (Fraction(-5, 2), 1, 1, "\u22122.5"),
        (Fraction(-5, 1000), 1, 3, "\u22120.005"),
        (Fraction(0), 1, 2, "0.00"),
        (Fraction(1, 20), 1, 2, "0.05"),
        (Fraction(10**12), 10**9, 0, "1,000"),
        (Fraction(1, 3), 1, 6, None),
        (Fraction(5, 4), 1, 1, None),
        (Fraction(3_990_001), 10**6, 2, None),
    ],
)
def test_labels_show_a_value_exactly_or_not_at_all(
    value: Fraction, scale: int, decimals: int, text: str | None
) -> None:
    assert number_text(value, scale, decimals) == text


@pytest.mark.parametrize(
    ("unit", "scale", "text"),
    [("USD", 10**6, "million USD"), ("USD", 1, "USD"), ("", 10**9, "billion"), ("", 1, "")],
)
def test_the_unit_beside_the_axis(unit: str, scale: int, text: str) -> None:
    assert shown_unit(world(unit=unit, scale=scale)) == text
