"""Two turns read together: "false" withdraws, and what cannot be read settles nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.records import Answer, View
from answerable.core.runlog import Reply, ReplyStatus, RunFolder, RunLog
from answerable.score.pipeline import score_runs
from answerable.score.readers.reading import Abstained, Answered, Invalid
from answerable.score.readers.reflection import first_turn, reflected, stands
from tests.score.choices import choice_group
from tests.score.fake import manifest_of, reply_of, write_benchmark

FIRST = Answered("B", "whole_letter")


def reply(text: str | None, status: ReplyStatus = "complete", earlier: str | None = "B") -> Reply:
    return Reply("v", 0, prompt="p", model="m", sampling="s", status=status, text=text, earlier=earlier)


@pytest.mark.parametrize(
    "text", ["1", "1.", "(1)", "1. True", "1) True.", "True", "true.", "**1**", "Answer: 1", "Option 1", "1: True"]
)
def test_true_lets_the_answer_stand(text: str) -> None:
    assert stands(text) is True
    assert reflected(FIRST, reply(text), published=False) == FIRST


@pytest.mark.parametrize("text", ["2", "2.", "(2)", "2. False", "False", "**2. False**", "Answer: 2", "`2`"])
def test_false_withdraws_it(text: str) -> None:
    assert stands(text) is False
    for published in (True, False):
        assert reflected(FIRST, reply(text), published=published) == Abstained("withdrawn")
        assert reflected(Invalid("no_choice", "x"), reply(text), published=published) == Abstained("withdrawn")


@pytest.mark.parametrize(
    "text", ["1. False", "2. True", "1 or 2", "True or False", "12", "B", "I am not sure", "3", "The answer 1 is false"]
)
def test_neither_or_both_settle_nothing(text: str) -> None:
    assert stands(text) is None
    assert reflected(FIRST, reply(text), published=False) == Invalid("no_choice", "reflection")
    assert reflected(FIRST, reply(text), published=True) == FIRST, "the paper keeps the answer"


@pytest.mark.parametrize(
    ("text", "status", "why"),
    [("", "empty", "empty"), ("2", "refused", "refused"), ("2", "truncated", "truncated"), (None, "complete", "empty")],
)
def test_a_second_turn_without_a_reply_is_unread(text: str | None, status: ReplyStatus, why: str) -> None:
    assert reflected(FIRST, reply(text, status), published=False) == Invalid(why, "reflection")  # type: ignore[arg-type]
    assert reflected(FIRST, reply(text, status), published=True) == FIRST


def test_one_turn_is_left_alone() -> None:
    plain = reply("2", earlier=None)
    assert first_turn(plain) is plain and reflected(FIRST, plain, published=False) == FIRST


def test_the_first_turn_is_what_the_model_said_first() -> None:
    found = first_turn(reply("2", "truncated", earlier="(B) red"))
    assert (found.text, found.status, found.earlier) == ("(B) red", "complete", None)


@given(st.text(max_size=40))
def test_whatever_is_said_withdraws_only_with_a_two_or_a_false(text: str) -> None:
    if stands(text) is False:
        assert "2" in text or "false" in text.lower()


def test_a_run_of_two_turns_is_scored(tmp_path: Path) -> None:
    """Eager in its first turn; withdraws on the unsolvable questions of the base setting."""
    bench = write_benchmark(tmp_path / "b", [choice_group("g", settings=("base", "original"))], reader="mcq")
    manifest = manifest_of(bench)

    def said(view: View) -> Reply:
        supported = isinstance(view.obligation, Answer)
        first = view.obligation.target if isinstance(view.obligation, Answer) else "A"
        second = "1. True" if supported else "2. False"
        return msgspec.structs.replace(reply_of(manifest, view.id, second), earlier=first)

    with RunLog(tmp_path / "r", manifest) as log:
        for view in bench.views("test"):
            log.reply(said(view))
    scored = score_runs(bench, [RunFolder(tmp_path / "r")], draws=10)
    source = scored.scores.runs[0].sources["mc-aad"]
    assert source.metrics["Dual_base"].value == 1.0 and source.rules == {"whole_letter": 6, "withdrawn": 2}
    shown = [text for text in scored.verdicts["reply"] if isinstance(text, str)]
    assert any(text.startswith("A\n\n[asked whether that is true:]\n2. False") for text in shown)
