"""Questions, their wordings and their answers from each executor's result."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.code.answers import of_runs, of_states
from answerable.domains.code.questions import WORDINGS, Asking, Query, Scope, ask, chance_text, wordings
from answerable.domains.code.visibility import Above, End
from answerable.logic.outcomes import Several
from answerable.logic.program import Defined, Truth, Undefined
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


PRINTS = Query("number", "output", "shop.py")


@pytest.mark.parametrize(
    ("found", "file", "expected"),
    [
        ({("12",): Fraction(1)}, "shop.py", Defined(Fraction(12))),
        ({("-3",): Fraction(1)}, "shop.py", Defined(Fraction(-3))),
        ({("0",): Fraction(1)}, "shop.py", Defined(Fraction(0))),
        ({("12",): Fraction(1)}, "game.py", Undefined("no such file")),
        ({("12",): Fraction(1)}, "", Undefined("nothing selected")),
        ({("012",): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({("1.5",): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({("12", "12"): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({("total 12",): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({(): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({("1" * 31,): Fraction(1)}, "shop.py", Undefined("nothing selected")),
        ({("1",): Fraction(1, 2), ("2",): Fraction(1, 2)}, "shop.py", Several(("another output", "one output"))),
    ],
)  # fmt: skip
def test_numbers_that_a_named_file_prints(found: dict[tuple[str, ...], Fraction], file: str, expected: object) -> None:
    assert of_states(PRINTS, found, file) == expected
    assert of_runs(PRINTS, found, file) == expected


@given(
    st.dictionaries(
        st.lists(st.text("0123-. a", max_size=4), max_size=3).map(tuple), st.just(Fraction(1)), min_size=1, max_size=3
    ),
    st.sampled_from(["shop.py", "game.py", ""]),
)
def test_both_readings_of_numbers_agree(found: dict[tuple[str, ...], Fraction], file: str) -> None:
    distinct = {"\n".join(printed): printed for printed in found}
    if len(distinct) == len(found):
        assert of_states(PRINTS, found, file) == of_runs(PRINTS, found, file)


def test_a_file_is_asked_for_only_where_the_picture_names_it() -> None:
    shown = world(file="shop.py", frame="tab")
    assert all("\u201cshop.py\u201d" in text and "yes or no" not in text for text in wordings(PRINTS, shown, None))
    assert len(wordings(PRINTS, shown, None)) == 2
    for other in (world(file="game.py", frame="tab"), world(file="shop.py", frame="none")):
        assert wordings(PRINTS, other, None) == ()
    assert wordings(PRINTS, shown, Above(1)) == ()


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
    shown = world(file="hi.py", frame="tab")
    query = Query(form[0], form[1], "hi.py", ">", Fraction(1, 2))
    assert {ask(query, shown, None, Stream(number)) for number in range(40)} == set(wordings(query, shown, None))
