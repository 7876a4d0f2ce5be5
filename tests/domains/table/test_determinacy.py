"""Determined whatever is hidden: no bound that the picture does not show may settle an answer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.domains.table.determinacy import undetermined
from answerable.domains.table.visibility import Hide
from answerable.logic.program import (
    Aggregate,
    And,
    Column,
    Compare,
    Expression,
    Extreme,
    If,
    Lookup,
    Number,
    Where,
)  # fmt: skip
from tests.domains.table.make import lookup, world


def hide(*cells: tuple[str, str]) -> Hide:
    return Hide(cells=cells, appearance="patch")


def more(row: str, limit: int, column: str = "Units") -> Compare:
    return Compare(operator=">", left=lookup(row, column), right=Number(value=Fraction(limit)))


def anything(sign: str, limit: int, column: str = "Units") -> Compare:
    where = Where(operator=">" if sign == ">" else "<", than=Number(value=Fraction(limit)))
    count = Aggregate(function="count", over=Column(position=column), where=where)
    return Compare(operator=">", left=count, right=Number(value=Fraction(0)))


@pytest.mark.parametrize(
    ("program", "cells"),
    [
        (anything(">", 50), (("Zürich", "Units"),)),
        (anything(">", 1600), (("Zürich", "Units"), ("Oslo", "Units"))),
        (And(items=(more("Oslo", 100), more("Zürich", 5))), (("Zürich", "Units"),)),
        (If(condition=more("Oslo", 100), then=lookup("Cork"), otherwise=lookup("Zürich")), (("Cork", "Units"),)),
        # A time of day lies between midnight and midnight, which everybody knows.
        (anything(">", -1, "Opens"), tuple((row, "Opens") for row in world().rows)),
    ],
)
def test_settled_by_what_is_visible(program: Expression, cells: tuple[tuple[str, str], ...]) -> None:
    assert undetermined(world(), program, hide(*cells)) == ""


@pytest.mark.parametrize(
    ("program", "cells"),
    [
        (lookup(), (("Zürich", "Units"),)),
        (anything(">", 1600), (("Cork", "Units"),)),
        (anything(">", 1990), (("Oslo", "Units"),)),
        # The column's bounds are 0 and 2,000, but nobody who looks at the picture can know that.
        (anything("<", 0), (("Oslo", "Units"),)),
        (anything(">", 2000), (("Oslo", "Units"),)),
        (Extreme(rank="highest", over=Column(position="Units")), (("Oslo", "Units"),)),
        (And(items=(more("Oslo", 10), more("Zürich", 5))), (("Zürich", "Units"),)),
    ],
)
def test_not_settled(program: Expression, cells: tuple[tuple[str, str], ...]) -> None:
    assert "intervals allow" in undetermined(world(), program, hide(*cells))


def test_without_an_answer_nothing_is_determined() -> None:
    program = Lookup(series="Nowhere", position="Units")
    assert "no such series" in undetermined(world(), program, hide(("Oslo", "Units")))


def test_hiding_a_text_leaves_every_answer_as_it_is() -> None:
    assert undetermined(world(), lookup(), hide(("Zürich", "Section"))) == ""
