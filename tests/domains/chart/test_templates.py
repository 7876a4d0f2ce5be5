"""Templates: typed programs, and questions that ask for exactly what a program reads."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.templates import TEMPLATES, draw, template_of, wordings
from answerable.domains.chart.world import grid
from answerable.logic import direct, sql
from answerable.logic.program import Extreme, Lookup, Row, Undefined
from answerable.logic.types import cells, schema_of, type_of
from tests.domains.chart.make import world

PROGRAM = Lookup(series="Łódź", position="2021")


def test_with_several_series_both_names_stand_in_quotation_marks() -> None:
    texts = wordings(world(rows=2), PROGRAM)
    assert len(texts) == 4
    assert all("“Łódź”" in text and "“2021”" in text for text in texts)


def test_with_one_series_the_position_alone_is_named() -> None:
    texts = wordings(world(rows=1), PROGRAM)
    assert len(texts) == 3
    assert all("“2021”" in text and "Łódź" not in text for text in texts)


def test_a_scaled_axis_asks_for_the_full_amount() -> None:
    for text in wordings(world(scale=10**6, unit="USD"), PROGRAM):
        assert text.endswith(
            "Give the full amount in USD: write out the zeros, or the word thousand, million or billion."
        )
    for text in wordings(world(unit="mm"), PROGRAM):
        assert text.endswith("? Give it in mm.")
    for text in wordings(world(), PROGRAM):
        assert text.endswith("?")


@pytest.mark.parametrize("name", ["a {series} b", "50 %", "“quoted”", "{0}", "x\\y", "Visitors”"])
def test_names_are_put_in_as_they_are(name: str) -> None:
    made = world(rows=2, series=(name, "other"))
    assert all(f"“{name}”" in text for text in wordings(made, Lookup(series=name, position="2021")))


@pytest.mark.parametrize("name", TEMPLATES)
@given(number=st.integers(0, 10**6))
def test_a_drawn_program_types_has_an_answer_and_is_asked_for(name: str, number: int) -> None:
    stream = Stream("template", name, number)
    made = sample_world(stream)
    program = draw(name, made, stream)
    if program is None:
        # Only where the chart is too small for the family, or every draw ends in a tie.
        assert len(made.positions) < 4 or name in ("extreme", "extreme-label")
        return
    assert type_of(program, schema_of(grid(made)))
    outcome = direct.execute(program, grid(made))
    assert not isinstance(outcome, Undefined)
    assert sql.execute(program, grid(made)) == outcome
    assert cells(program, grid(made))
    texts = wordings(made, program)
    assert texts
    assert len(set(texts)) == len(texts)
    assert template_of(made, program) == name
    for text in texts:
        assert not any(word in text.lower() for word in ("hidden", "masked", "missing", "answerable", "abstain"))


@given(first=st.integers(0, 10**5), second=st.integers(0, 10**5))
def test_two_programs_with_other_answers_never_share_a_question(first: int, second: int) -> None:
    made = sample_world(Stream("shared", first))
    drawn = [draw(name, made, Stream("a", name, number)) for name in TEMPLATES for number in (first, second)]
    programs = [program for program in drawn if program is not None]
    asked: dict[str, object] = {}
    for program in programs:
        for text in wordings(made, program):
            outcome = direct.execute(program, grid(made))
            assert asked.setdefault(text, outcome) == outcome


def test_a_program_of_no_family_has_no_wording() -> None:
    odd = Extreme(rank="second lowest", over=Row(series="nobody"))
    assert template_of(world(), PROGRAM) == "look-up"
    assert all("lowest" in text for text in wordings(world(), odd))


def test_thresholds_are_round_and_meet_no_value() -> None:
    for number in range(40):
        stream = Stream("threshold", number)
        made = sample_world(stream)
        program = draw("count", made, stream)
        assert program is not None
        limits = _numbers(program)
        assert limits
        assert not {value for line in made.values for value in line} & set(limits)


def _numbers(program: object) -> list[Fraction]:
    from answerable.logic.program import Aggregate, Number

    assert isinstance(program, Aggregate)
    assert program.where is not None
    assert isinstance(program.where.than, Number)
    return [program.where.than.value]
