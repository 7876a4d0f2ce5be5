"""Choices: computed from the table, the right answers among them, each once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.table.choices import choices_problem, make_choices, with_choices
from answerable.logic.program import Aggregate, Column, Compare, Everything, Expression, Number, Ratio, Where
from tests.domains.table.make import UNITS, lookup, world

MADE = world(UNITS)


def number(*targets: str) -> list[Answer]:
    return [Answer(target=target, type="number") for target in targets]


def label(*targets: str) -> list[Answer]:
    return [Answer(target=target, type="text") for target in targets]


def test_the_question_carries_its_choices() -> None:
    assert with_choices("Which?", ("a", "b")) == "Which? Choose one of: a | b"
    assert with_choices("Which?", ()) == "Which?"


def test_values_of_the_column_are_offered() -> None:
    found = make_choices(MADE, lookup(), number("767", "12"), Stream("c"))
    assert len(found) == 4
    assert {"767", "12"} < set(found)
    assert set(found) < {"767", "12", "310", "1224", "45", "1681"}
    assert choices_problem(found, number("767", "12")) == ""


def test_counts_are_offered_counts() -> None:
    where = Where(operator=">", than=Number(value=Fraction(100)))
    count = Aggregate(function="count", over=Column(position="Units"), where=where)
    found = make_choices(MADE, count, number("4", "3"), Stream("c"))
    assert set(found) <= {"0", "1", "2", "3", "4", "5"}
    assert {"4", "3"} < set(found)


def test_shares_are_offered_shares() -> None:
    share = Ratio(left=lookup(), right=Aggregate(function="sum", over=Everything()))
    found = make_choices(MADE, share, number("767/4027", "1/9"), Stream("c"))
    assert all(0 < Fraction(text) < 1 for text in found)


def test_labels_are_offered_labels() -> None:
    found = make_choices(MADE, lookup(), label("Oslo", "Cork"), Stream("c"))
    assert {"Oslo", "Cork"} < set(found) <= set(MADE.rows)
    assert make_choices(MADE, lookup(), label("shortage", "surplus"), Stream("c")) in (
        ("shortage", "surplus"), ("surplus", "shortage"),
    )  # fmt: skip


def test_yes_and_no_are_all_there_is() -> None:
    yes = [Answer(target="yes", type="boolean"), Answer(target="no", type="boolean")]
    program: Expression = Compare(operator=">", left=lookup(), right=lookup("Oslo"))
    assert make_choices(MADE, program, yes, Stream("c")) == ("yes", "no")
    assert choices_problem(("yes", "no"), yes) == ""


def test_a_table_with_too_few_values_is_helped_out() -> None:
    found = make_choices(world(UNITS, rows=1), lookup("Łódź"), number("310", "900"), Stream("c"))
    assert len(found) == 4
    assert choices_problem(found, number("310", "900")) == ""


def test_order_is_drawn() -> None:
    orders = {make_choices(MADE, lookup(), number("767", "12"), Stream("o", seed)).index("767") for seed in range(40)}
    assert orders == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("choices", "answers", "message"),
    [
        (("1",), number("1"), "expected 2 to 6 different choices; got 1"),
        (("1", "1"), number("1"), "different choices"),
        (tuple("1234567"), number("1"), "expected 2 to 6 different choices; got 7"),
        (("1", "2"), number("1", "3"), "the choices lack the answer '3'"),
        (("14.8", "14.80"), number("14.8"), "the choice '14.80' is not a number in its plain form"),
        (("1", "2/4"), number("1"), "'2/4' is not a number"),
        (("1", "1/0"), number("1"), "'1/0' is not a number"),
        (("1", "1e999999999"), number("1"), "is not a number"),
        (("1", "two"), number("1"), "'two' is not a number"),
        (("Oslo", "oslo"), label("Oslo"), "differ in case"),
    ],
)
def test_unfit_choices_are_named(choices: tuple[str, ...], answers: list[Answer], message: str) -> None:
    assert message in choices_problem(choices, answers)


def test_a_free_answer_has_no_choices() -> None:
    assert choices_problem((), number("1")) == ""
