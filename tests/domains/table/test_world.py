"""Worlds of tables: edits, grids, and what makes one malformed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.domains.table.world import (
    TableWorld,
    alike,
    facts,
    grid,
    place_of,
    shape_problems,
    value_at,
    with_values,
    without_field,
    without_row,
)  # fmt: skip
from tests.domains.table.make import PRICE, ROWS, UNITS, WEIGHT, world


def test_a_world_is_read_back_as_it_was_written() -> None:
    assert decode(encode(world()), TableWorld) == world()


def test_the_grid_holds_the_columns_of_numbers() -> None:
    found = grid(world())
    assert found.series == ROWS
    assert found.positions == ("Units", "Price", "Growth", "Opens")
    assert found.values[1] == (Fraction(767), Fraction(1583, 100), Fraction(-9, 2), Fraction(575))


def test_facts_are_what_cells_show() -> None:
    found = facts(world())
    assert len(found) == 25
    assert found[("Αθήνα", "Section")] == "harbour front"
    assert found[("Zürich", "Price")] == "$15.83"
    assert found[("Zürich", "Opens")] == "9:35 A.M."


def test_edits_touch_what_they_say() -> None:
    made = world()
    edited = with_values(made, [(("Oslo", "Units"), Fraction(7)), (("Cork", "Price"), Fraction(1))])
    assert value_at(edited, ("Oslo", "Units")) == 7
    changed = {cell for cell in facts(made) if facts(made)[cell] != facts(edited)[cell]}
    assert changed == {("Oslo", "Units"), ("Cork", "Price")}
    assert without_row(made, "Oslo").rows == ("Łódź", "Zürich", "Αθήνα", "Cork")
    assert [field.name for field in without_field(made, "Price").fields] == ["Section", "Units", "Growth", "Opens"]
    assert facts(without_field(made, "Price")).items() < facts(made).items()
    assert place_of(made, ("Oslo", "Nothing")) is None
    with pytest.raises(KeyError):
        value_at(made, ("Nowhere", "Units"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": (), "values": ()}, "expected 1 to 28 rows; got 0"),
        ({"rows": tuple(map(str, range(100_000)))}, "expected 1 to 28 rows; got 100000"),
        ({"fields": tuple(msgspec.structs.replace(UNITS, name=f"c{i}") for i in range(11))}, "at most 10 columns"),
        ({"values": ((Fraction(1),),)}, "expected values for 5 rows x 5 columns"),
        ({"rows": ("a", "a", "b", "c", "d")}, "different names"),
        ({"rows": ("a", "A", "b", "c", "d")}, "whatever their case and white space"),
        ({"rows": ("a b", "a  b", "b", "c", "d")}, "whatever their case and white space"),
        ({"rows": ("x\u00b2", "x2", "b", "c", "d")}, "different names"),
        ({"rows": ("a", " ", "b", "c", "d")}, "a name for every row"),
        ({"title": "t" * 201}, "at most 200 signs"),
        ({"title": "\ud800"}, "half of a surrogate pair"),
        ({"fields": (msgspec.structs.replace(UNITS, decimals=9),) * 5}, "expected 0 to 6 decimals"),
    ],
)
def test_a_malformed_world_is_named(changes: dict[str, Any], message: str) -> None:
    found = shape_problems(msgspec.structs.replace(world(), **changes))
    assert any(message in problem for problem in found), found


def test_a_sound_world_has_no_problems() -> None:
    assert shape_problems(world()) == ()
    assert shape_problems(without_field(world(UNITS), "Units")) == ()


def test_columns_of_one_sort_are_alike() -> None:
    assert alike([UNITS, msgspec.structs.replace(UNITS, name="More", upper=Fraction(5))])
    assert not alike([UNITS, PRICE])
    assert not alike([WEIGHT, msgspec.structs.replace(WEIGHT, measure="t")])
