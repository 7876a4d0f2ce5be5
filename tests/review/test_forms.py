"""What the two forms take and refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import ReviewError
from answerable.review.forms import FORMS, ExplanationVote, GroupVote, clean, clean_name

GROUP, EXPLANATION = FORMS["group"], FORMS["explanation"]


def body(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_votes_on_groups() -> None:
    kept = GROUP.read(body(decision="keep", image="yes", answer="no", strategy="not_applicable", reason=" a\n b "))
    assert kept == GroupVote("keep", "yes", "no", "not_applicable", "a b")
    assert GROUP.answers(kept) == {"image": "yes", "answer": "no", "strategy": "not_applicable", "decision": "keep"}
    dropped = GROUP.read(body(decision="drop", reason="blurred"))
    assert GROUP.answers(dropped) == {"image": None, "answer": None, "strategy": None, "decision": "drop"}
    assert (GROUP.verdict(kept), GROUP.verdict(dropped)) == ("keep", "drop")


def test_votes_on_explanations() -> None:
    vote = EXPLANATION.read(body(answer="correct", explanation="partial", kinds=["other", "hallucination", "other"]))
    assert vote == ExplanationVote("correct", "partial", ("hallucination", "other"))
    assert EXPLANATION.answers(vote) == {
        "answer": "correct", "explanation": "partial", "hallucination": "yes", "calculation": "no", "other": "yes",
    }  # fmt: skip
    assert EXPLANATION.verdict(vote) == ("correct", "partial")
    assert set(EXPLANATION.answers(vote)) == set(EXPLANATION.questions)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (body(decision="drop"), "expected a reason to drop; got none"),
        (body(decision="drop", reason=" \t\u200b "), "expected a reason to drop; got none"),
        (body(decision="keep", image="yes", answer="yes"), "expected all three questions answered to keep"),
        (body(decision="keep", image="yes", answer="yes", strategy="perhaps"), "expected a vote of this form"),
        (body(decision="keep", image="yes", answer="yes", strategy="yes", more=1), "unknown field `more`"),
        (body(decision="drop", reason="x" * 501), "expected at most 500 characters; got 501"),
        (b"[]", "expected a vote of this form"),
        (b"{", "expected a vote of this form"),
        (b'"\xff"', "expected a vote of this form"),
        (b'{"decision":"drop","reason":"\\ud800"}', "expected"),
        (b"[" * 100_000, "expected a vote of this form"),
    ],
)
def test_what_is_no_vote_on_a_group(data: bytes, message: str) -> None:
    with pytest.raises(ReviewError) as caught:
        GROUP.read(data)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"answer": "correct", "explanation": "wrong"}, "expected what is wrong with the explanation; got nothing"),
        ({"answer": "correct", "explanation": "none", "kinds": ["other"]}, "got explanation=none"),
        ({"answer": "correct", "explanation": "correct", "kinds": ["calculation"]}, "got explanation=correct"),
        ({"answer": "right", "explanation": "correct"}, "expected a vote of this form"),
        ({"answer": "none", "explanation": "wrong", "kinds": ["lie"]}, "expected a vote of this form"),
    ],
)
def test_what_is_no_vote_on_an_explanation(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ReviewError) as caught:
        EXPLANATION.read(body(**fields))
    assert message in str(caught.value)


def test_a_form_takes_its_own_votes_only() -> None:
    with pytest.raises(TypeError):
        EXPLANATION.answers(GroupVote("drop", reason="x"))
    with pytest.raises(TypeError):
        GROUP.answers(ExplanationVote("none", "none"))


@given(st.text(max_size=80))
def test_cleaned_text_is_one_line_that_stays_as_it_is(text: str) -> None:
    found = clean(text)
    assert clean(found) == found
    assert found == found.strip()
    assert not set(found) & set("\n\r\t\x00\u202e\u200b\u2028\ud800")


@pytest.mark.parametrize(
    ("typed", "name"), [("  Ann  B ", "Ann B"), ("Zoe\u0301", "Zoé"), ("a\u202eb", "ab"), ("李", "李")]
)
def test_names(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize("typed", ["", "  ", "\u200b", "\n", "x" * 61])
def test_what_is_no_name(typed: str) -> None:
    with pytest.raises(ReviewError):
        clean_name(typed)
