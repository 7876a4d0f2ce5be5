"""Other words for questions about scenes: all ask for the same, in good English, and there are some for every sort."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from answerable.domains.scene.asking import asks
from answerable.domains.scene.rewording import wordings
from answerable.domains.scene.templates import FAMILIES
from tests.domains.scene.posed import posed

EVERY = pytest.mark.parametrize("family", FAMILIES)


@EVERY
def test_all_ask_for_the_same(family: str) -> None:
    for _, question in posed(family):
        found = wordings(question.wording)
        assert len(found) >= 2 and len(set(found)) == len(found) and question.wording not in found
        for text in found:
            assert asks(text, question.program), (question.wording, text)


@EVERY
def test_the_first_two_are_sentences_of_another_form(family: str) -> None:
    for _, question in posed(family):
        forms = {re.sub(r"\W.*", "", text) for text in (question.wording, *wordings(question.wording)[:2])}
        assert len(forms) >= 2, forms


@EVERY
def test_articles_fit(family: str) -> None:
    for _, question in posed(family):
        for text in wordings(question.wording):
            assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", text), text


def test_the_hint_stays() -> None:
    asked = "How many red cubes stand behind the thing? Answer with a number in digits."
    assert wordings(asked) == (
        "Count the red cubes behind the thing. What is the total? Answer with a number in digits.",
        "Give the number of red cubes that stand behind the thing. Answer with a number in digits.",
        "Count the red cubes behind the object. What is the total? Answer with a number in digits.",
        "Give the number of red cubes that stand behind the object. Answer with a number in digits.",
        "How many red cubes stand behind the object? Answer with a number in digits.",
    )
    assert [text.partition(" Answer")[0] for text in wordings(asked)] == list(wordings(asked.partition(" Answer")[0]))


def test_the_noun_of_a_fixed_phrase_stays() -> None:
    for text in wordings("How many things in the scene are a red object, a cube, or both at once?"):
        assert "objects in the scene" not in text


@given(some.text(max_size=80))
def test_what_is_no_question_has_none(text: str) -> None:
    assert wordings(text) == ()
    assert wordings(f"How many {text} stand in the scene") == ()
