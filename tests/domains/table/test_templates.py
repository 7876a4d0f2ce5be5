"""Question templates: programs with answers, wordings that ask for exactly them, and names in quotation marks."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from answerable.core.seeds import Stream
from answerable.domains.table.conditions import search, searched
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.styles import STYLES
from answerable.domains.table.templates import TEMPLATES, draw, template_of, wordings
from answerable.domains.table.wording import names_in
from answerable.domains.table.world import TableWorld, grid
from answerable.logic import direct, sql
from answerable.logic.program import (
    Aggregate,
    Column,
    Defined,
    Difference,
    Expression,
    ExtremeLabel,
    Lookup,
    Named,
    Number,
    Product,
    Row,
    Sum,
    Truth,
    Undefined,
)  # fmt: skip
from answerable.logic.types import cells, schema_of, type_of
from tests.domains.table.make import CLOSES, GROWTH, OPENS, PRICE, UNITS, WEIGHT, lookup, world

ACROSS = tuple(msgspec.structs.replace(WEIGHT, name=name) for name in ("Mon", "Tue", "Wed"))
WEEK = msgspec.structs.replace(
    world(),
    fields=ACROSS,
    values=tuple(tuple(Fraction(10 * row + 3 * day * day, 10) for day in range(3)) for row in range(5)),
)
SCHEDULE = world(OPENS, CLOSES)
LIST = world(PRICE, header=False)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_family_draws_programs_that_its_wordings_ask_for(name: str) -> None:
    asked = 0
    for seed in range(60):
        stream = Stream("templates", name, seed)
        made = sample_world(stream, tuple(STYLES))
        program = draw(name, made, stream)
        if program is None:
            continue
        asked += 1
        type_of(program, schema_of(grid(made)))
        outcome = direct.execute(program, grid(made))
        assert not isinstance(outcome, Undefined)
        assert outcome == sql.execute(program, grid(made))
        texts = wordings(made, program)
        assert texts
        assert template_of(made, program) == name
        assert len(set(texts)) == len(texts)
        known = {*made.rows, *(field.name for field in made.fields), made.corner}
        for text in texts:
            assert names_in(text) <= known
            # Everything quoted is a row or column that the program reads, except in a search, which reads all rows.
            read = cells(program, grid(made))
            rows, columns = {row for row, _ in read}, {column for _, column in read}
            assert names_in(text) <= rows | columns | {made.corner}
            # A program about whole rows or columns names those, one about cells names the cells.
            assert names_in(text) & (rows | columns)
    assert asked >= 20


def test_no_wording_asks_for_two_programs() -> None:
    seen: dict[str, object] = {}
    for seed in range(80):
        stream = Stream("twice", seed)
        made = msgspec.structs.replace(world(), title=f"{seed % 2}")
        for name in TEMPLATES:
            program = draw(name, made, stream)
            for text in wordings(made, program) if program is not None else ():
                assert seen.setdefault(text, program) == program


@pytest.mark.parametrize(
    ("made", "program"),
    [
        (world(), Lookup(series="Nowhere", position="Units")),
        (world(), Lookup(series="Oslo", position="Section")),
        (world(), Lookup(series="Oslo", position="Opens")),
        (world(), Number(value=Fraction(3))),
        (world(), Sum(items=(lookup(), lookup("Oslo")))),
        (world(), Product(items=(lookup(), lookup("Oslo")))),
        (world(), Difference(left=lookup(), right=lookup("Oslo", "Price"))),
        (world(), Difference(left=lookup(), right=Number(value=Fraction(1)))),
        (world(), Aggregate(function="sum", over=Row(series="Oslo"))),
        (world(), ExtremeLabel(rank="highest", over=Row(series="Oslo"))),
        (world(), Aggregate(function="sum", over=Column(position="Opens"))),
        (world(), ExtremeLabel(rank="highest", over=Column(position="Section"))),
    ],
)
def test_programs_that_no_template_draws_have_no_wording(made: TableWorld, program: Expression) -> None:
    assert wordings(made, program) == ()


def test_rows_are_summed_up_only_where_all_columns_are_alike() -> None:
    found = [draw(name, WEEK, Stream("rows", name, seed)) for name in ("sum", "mean") for seed in range(20)]
    assert any(isinstance(program, Aggregate) and isinstance(program.over, Row) for program in found)
    mixed = [draw("sum", world(), Stream("rows", seed)) for seed in range(20)]
    assert all(isinstance(program, Aggregate) and isinstance(program.over, Column) for program in mixed if program)


def test_times_are_compared_and_subtracted_never_added_up() -> None:
    for name in ("look-up", "sum", "mean", "extreme", "conditional"):
        assert all(draw(name, SCHEDULE, Stream("times", name, seed)) is None for seed in range(10))
    program = draw("difference", SCHEDULE, Stream("times", 1))
    assert isinstance(program, Difference)
    assert isinstance(direct.execute(program, grid(SCHEDULE)), Defined)
    assert "minutes" in wordings(SCHEDULE, program)[0]
    for name in ("comparison", "count", "any", "trend", "both", "find", "extreme-label"):
        asked = draw(name, SCHEDULE, Stream("times", name))
        assert asked is not None
        text = wordings(SCHEDULE, asked)[0]
        assert any(word in text for word in ("later", "earlier", "latest", "earliest", "A.M.", "P.M.")), text


def test_a_list_without_a_header_is_asked_without_column_names() -> None:
    for name in TEMPLATES:
        program = draw(name, LIST, Stream("list", name))
        assert program is not None
        for text in wordings(LIST, program):
            assert "\u201cPrice\u201d" not in text


def test_percentages_are_not_added_up() -> None:
    assert all(draw("sum", world(GROWTH), Stream("share", seed)) is None for seed in range(10))
    assert draw("mean", world(GROWTH), Stream("share")) is not None


def test_units_are_said_where_the_cells_do_not_show_them() -> None:
    made = world(WEIGHT, UNITS, PRICE)
    assert wordings(made, lookup("Oslo", "Weight"))[0].endswith(" Give it in kg.")
    assert not any(
        "Give it" in text for column in ("Units", "Price") for text in wordings(made, lookup("Oslo", column))
    )


def test_a_search_finds_the_one_row_and_says_none_otherwise() -> None:
    made = world(UNITS)
    assert direct.execute(search(made, "Units", Fraction(45)), grid(made)) == Named(value="Oslo")
    assert direct.execute(search(made, "Units", Fraction(46)), grid(made)) == Named(value="none")
    twice = msgspec.structs.replace(made, values=((Fraction(7),), (Fraction(7),), *made.values[2:]))
    assert direct.execute(search(twice, "Units", Fraction(7)), grid(twice)) == Named(value="none")
    assert sql.execute(search(twice, "Units", Fraction(7)), grid(twice)) == Named(value="none")
    found = searched(made, search(made, "Units", Fraction(45)))
    assert found is not None
    assert found[1] == 45
    # A search over other rows than the table's is none of ours.
    assert searched(made, search(world(UNITS, rows=4), "Units", Fraction(45))) is None


def test_thresholds_lie_between_the_cells() -> None:
    for seed in range(20):
        program = draw("any", world(UNITS), Stream("limit", seed))
        assert isinstance(direct.execute(program, grid(world(UNITS))), Truth) if program else False
