"""Questions, their wordings and their answers from each executor's result."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.seeds import Stream
from answerable.domains.code.answers import of_runs, of_states
from answerable.domains.code.questions import WORDINGS, Asking, Query, Scope, ask, chance_text, wordings
from answerable.domains.code.visibility import Above, End
from answerable.logic.outcomes import Several
from answerable.logic.program import Truth
from tests.domains.code.make import world

QUARTER = {("a",): Fraction(1, 4), ("b",): Fraction(3, 4)}
CERTAIN = {("a", "b"): Fraction(1)}
OPEN = Several(values=("no", "yes"))


@pytest.mark.parametrize(
    ("query", "found", "expected"),
    [
        (Query("prints", "output", "a"), QUARTER, OPEN),
        (Query("prints", "output", "c"), QUARTER, Truth(False)),
        (Query("prints", "output", "a"), CERTAIN, Truth(False)),
        (Query("prints", "line", "a"), CERTAIN, Truth(True)),
        (Query("prints", "line", "A"), CERTAIN, Truth(False)),
        (Query("prints", "line", "a b"), CERTAIN, Truth(False)),
        (Query("can", "output", "a"), QUARTER, Truth(True)),
        (Query("can", "output", "c"), QUARTER, Truth(False)),
        (Query("chance", "output", "a", "=", Fraction(1, 4)), QUARTER, Truth(True)),
        (Query("chance", "output", "a", "=", Fraction(1, 2)), QUARTER, Truth(False)),
        (Query("chance", "output", "b", ">", Fraction(3, 4)), QUARTER, Truth(False)),
        (Query("chance", "output", "b", ">", Fraction(1, 2)), QUARTER, Truth(True)),
        (Query("chance", "output", "b", "<", Fraction(1, 2)), QUARTER, Truth(False)),
        (Query("chance", "output", "a", "<", Fraction(1, 2)), QUARTER, Truth(True)),
        (Query("chance", "output", "c", "=", Fraction(0)), QUARTER, Truth(True)),
        (Query("chance", "line", "b"), CERTAIN, Truth(False)),
    ],
)
def test_answers(query: Query, found: dict[tuple[str, ...], Fraction], expected: object) -> None:
    assert of_states(query, found) == expected
    assert of_runs(query, found) == expected


@pytest.mark.parametrize("text", ["", " a", "a ", "x" * 61, "\u201ca\u201d", "a\nb"])
def test_texts_that_cannot_be_quoted_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        Query("prints", "output", text)


@pytest.mark.parametrize("chance", [Fraction(-1), Fraction(3, 2), Fraction(1, 10**7)])
def test_chances_are_probabilities(chance: Fraction) -> None:
    with pytest.raises(ValueError, match="expected a probability from 0 to 1"):
        Query("chance", "output", "a", "=", chance)


def test_chances_are_written_as_people_do() -> None:
    assert [chance_text(Fraction(*pair)) for pair in ((9, 10), (1, 3), (0, 1), (1, 1))] == ["90%", "1/3", "0%", "100%"]


def test_what_may_be_out_of_sight_is_said() -> None:
    query = Query("prints", "output", "Hello")
    plain, above, end = (wordings(query, world(), hide) for hide in (None, Above(2), End(1, 4)))
    assert len(set(plain) | set(above) | set(end)) == 3 * len(plain)
    assert all("whole number from 0 to 9" in text for text in (*above, *end))
    assert not any("whole number" in text for text in plain)
    assert all("\u201cHello\u201d" in text and "Answer yes or no." in text for text in plain)
    # Where something is hidden does not show in the words.
    assert wordings(query, world(), Above(1)) == above


@pytest.mark.parametrize("form", WORDINGS)
def test_every_wording_is_asked(form: tuple[Asking, Scope]) -> None:
    query = Query(form[0], form[1], "Hi", ">", Fraction(1, 2))
    assert {ask(query, world(), None, Stream(number)) for number in range(40)} == set(wordings(query, world(), None))
