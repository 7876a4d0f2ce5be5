"""Questions name what the program reads, and say how to write the answer."""

from __future__ import annotations

import pytest

from answerable.core.seeds import Stream
from answerable.domains.chart.questions import ask, asks_for
from answerable.domains.chart.world import ChartWorld
from answerable.logic.program import Lookup
from tests.domains.chart.make import world

PROGRAM = Lookup(series="Łódź", position="2021")


def every(made: ChartWorld) -> set[str]:
    return {ask(made, PROGRAM, Stream("question", index)) for index in range(60)}


def test_with_several_series_both_names_stand_in_quotation_marks() -> None:
    texts = every(world(rows=2))
    assert len(texts) == 4
    assert all("“Łódź”" in text and "“2021”" in text for text in texts)
    assert all(asks_for(text, world(rows=2), PROGRAM) for text in texts)


def test_with_one_series_the_position_alone_is_named() -> None:
    texts = every(world(rows=1))
    assert len(texts) == 3
    assert all("“2021”" in text and "Łódź" not in text for text in texts)
    assert all(asks_for(text, world(rows=1), PROGRAM) for text in texts)


def test_a_scaled_axis_asks_for_the_full_amount() -> None:
    for text in every(world(scale=10**6, unit="USD")):
        assert text.endswith(
            "Give the full amount in USD: write out the zeros, or the word thousand, million or billion."
        )
    for text in every(world(unit="mm")):
        assert text.endswith("? Give it in mm.")
    for text in every(world()):
        assert text.endswith("?")


def test_a_question_never_says_the_answer_or_the_state() -> None:
    for text in every(world(rows=2)):
        assert not any(word in text.lower() for word in ("hidden", "masked", "missing", "answerable", "abstain"))


@pytest.mark.parametrize("name", ["a {series} b", "50 %", "“quoted”", "{0}", "x\\y", "Visitors”"])
def test_names_are_put_in_as_they_are(name: str) -> None:
    made = world(rows=2, series=(name, "other"))
    program = Lookup(series=name, position="2021")
    text = ask(made, program, Stream("q"))
    assert f"“{name}”" in text
    assert asks_for(text, made, program)


@pytest.mark.parametrize(
    "text",
    [
        "What is the value of “Zürich” at “2021”?",
        "What is the value of “Łódź” at “2020”?",
        "What is the value of “Łódź”?",
        "What is the value of Łódź at 2021?",
        "What is the value of “Łódź” at “2021”, not “Zürich”?",
        "",
    ],
)
def test_another_question_is_told_apart(text: str) -> None:
    assert not asks_for(text, world(rows=2), PROGRAM)
