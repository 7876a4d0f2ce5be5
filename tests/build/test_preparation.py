"""The steps of the preparation: what each refuses, edits or leaves out, and what the text-only run takes away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.build.preparation import (
    CLARIFIED,
    STEPS,
    Prepared,
    TextOnly,
    both_or_all,
    cannot_judge,
    check_steps,
    may_lend_options,
    none_of_these,
    prepare,
    suits_most,
)
from answerable.build.sources.mcq import Question
from answerable.core.codec import encode_pretty
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Problem, Refusal
from answerable.core.scores import SCORES, VERDICTS, RunScores, Scores
from tests.build.sources.test_mcq import question

EVERY = tuple(STEPS)


def done(asked: Question, problem: Problem = "AAD", steps: tuple[str, ...] = EVERY) -> Prepared:
    found = prepare(asked, problem, steps)
    assert isinstance(found, Prepared)
    return found


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("None of the above", True), ("none of these.", True), ("None of these options are correct.", True),
        ("All above are not right", True), ("Neither of them", True), ("No correct answer", True), ("以上都不是", True),
        ("None", False), ("neither; their concentrations are the same", False), ("None of the men", False),
        ("none of your business", False),
    ],
)  # fmt: skip
def test_none_of_these(text: str, yes: bool) -> None:
    assert none_of_these(text) is yes


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("Can't judge", True), ("Can\u2019t judge", True), ("It cannot be determined.", True), ("无法确定。", True),
        ("Cannot tell from the image", True), ("Not enough information", True), (CLARIFIED, True),
        ("Cannot say no to cake", False), ("It can be determined", False), ("A judge", False),
    ],
)  # fmt: skip
def test_cannot_judge(text: str, yes: bool) -> None:
    assert cannot_judge(text) is yes


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("both A,B, and C", True), ("All of these options are correct", True), ("Both", True), ("Both of them", True),
        ("All of the above", True), ("all", True), ("Both cats and dogs", False), ("Allow it", False), ("alley", False),
    ],
)  # fmt: skip
def test_both_or_all(text: str, yes: bool) -> None:
    assert both_or_all(text) is yes


def test_an_option_that_none_is_right_is_deleted_and_refuses_as_the_answer() -> None:
    asked = question(options=("None of the above", "cat", "dog", "cow"), answer=2)
    found = done(asked)
    assert (found.question.options, found.question.answer) == (("cat", "dog", "cow"), 1)
    assert found.edits == ("none-of-these: an option was deleted",)
    assert prepare(question(options=asked.options, answer=0), "IASD", EVERY) == Refusal(
        "the answer is none of these", "q1"
    )
    assert done(asked, steps=()).question == asked
    two = question(options=("None of the above", "cat"), answer=1)
    assert prepare(two, "IVQD", EVERY) == Refusal("fewer than two options left", "q1")


def test_cannot_judge_says_why_or_goes() -> None:
    asked = question(options=("cat", "Can't judge", "cow", "hen"), answer=0)
    for problem in ("AAD", "IASD"):
        found = done(asked, problem)
        assert found.question.options == ("cat", CLARIFIED, "cow", "hen")
        assert found.edits == ("cannot-judge: an option was reworded",)
    found = done(asked, "IVQD", ("cannot-judge",))
    assert (found.question.options, found.question.answer) == (("cat", "cow", "hen"), 0)
    right = question(options=asked.options, answer=1)
    assert prepare(right, "IVQD", EVERY) == Refusal("the answer is that one can't judge", "q1")
    assert done(right, "AAD").question.answer == 1
    assert done(question(options=("猫", "无法确定", "牛")), "AAD").question.options[1].startswith("由于")
    twice = question(options=("Can't judge", "It cannot be determined", "cat"), answer=2)
    assert done(twice).question.options == twice.options


@pytest.mark.parametrize(
    ("changes", "problem", "step", "reason"),
    [
        ({"ability": "image_quality"}, "AAD", "image-quality", "ability Image Quality"),
        ({"ability": "Image Quality"}, "IVQD", "image-quality", "ability Image Quality"),
        ({"options": ("cat", "dog")}, "AAD", "two-options", "two options only"),
        ({"options": ("cat", "both", "dog")}, "AAD", "both-all", "the answer is both or all"),
    ],
)
def test_questions_that_are_refused(changes: dict[str, Any], problem: Problem, step: str, reason: str) -> None:
    asked = question(**changes)
    assert prepare(asked, problem, EVERY) == Refusal(reason, "q1")
    assert done(asked, problem, tuple(name for name in EVERY if name != step)).question == asked


def test_steps_that_are_for_one_problem_only() -> None:
    assert done(question(options=("cat", "dog")), "IASD").edits == ()
    assert done(question(options=("cat", "both", "dog")), "IVQD").doubts == ()
    assert done(question(text="How many dogs are there?"), "AAD").doubts == ()


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"text": "How many dogs are in this picture?"}, ["how many"]),
        ({"text": "What's the profession of the people in this picture?"}, ["profession"]),
        ({"text": "Which one is the correct caption of this image?"}, ["caption"]),
        ({"text": "Which mood does this image convey?"}, ["mood"]),
        ({"text": "What will happen next?"}, ["what happens next"]),
        ({"text": "Which Python code can generate the content of the image?"}, ["code"]),
        ({"text": "Which style is represented in this image?"}, ["style"]),
        ({"text": "这张图片最符合哪个主题？"}, ["topic"]),
        ({"ability": "image_emotion"}, ["its ability"]),
        ({"text": "Is the stylist somehow many-handed?"}, []),
    ],
)
def test_questions_that_suit_most_pictures(changes: dict[str, Any], names: list[str]) -> None:
    found = suits_most(question(**changes))
    assert len(found) == len(names)
    assert all(name in why for name, why in zip(names, found, strict=True))
    assert done(question(**changes), "IVQD").doubts == found
    assert done(question(**changes), "IVQD", ()).doubts == ()


def test_who_may_lend_options() -> None:
    assert may_lend_options(question())
    assert not may_lend_options(question(options=("cat", "Can't judge")))
    assert not may_lend_options(question(options=("cat", "None of these")))
    assert not may_lend_options(question(options=tuple(f"word {n}" for n in range(26))))


def test_unknown_steps_are_named() -> None:
    assert check_steps(()) == EVERY
    assert "both-all" not in check_steps(["both-all"])
    with pytest.raises(SettingsError) as caught:
        check_steps(["both"])
    assert "expected steps among none-of-these, cannot-judge, image-quality" in str(caught.value)
    assert caught.value.where == "--without"


def scores_folder(folder: Path, verdicts: list[tuple[str, str, str]], controls: dict[str, str]) -> Path:
    """A scores folder: (run, view, outcome) of each reply, and each run's control."""
    runs = tuple(
        RunScores(name=name, model="m", provider="p", prompt="as-asked", control=control, repeats=1, expected=1,
                  replied=1, failed=0, not_run=0, sources={})
        for name, control in controls.items()
    )  # fmt: skip
    scores = Scores(format=1, benchmark="b", benchmark_fingerprint="f", split="test", draws=1, seed=1, reader="mcq",
                    rules="", definitions={}, runs=runs, pairs=())  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / SCORES).write_bytes(encode_pretty(scores))
    columns = ("run", "view", "outcome")
    rows = [dict(zip(columns, line, strict=True)) for line in verdicts]
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema([(name, pa.string()) for name in columns])),
                   folder / VERDICTS)  # fmt: skip
    return folder


def test_what_was_answered_without_the_image(tmp_path: Path) -> None:
    verdicts = [
        ("blind", "a0", "correct"), ("blind", "a1", "correct"), ("blind", "b0", "correct"), ("blind", "b1", "invalid"),
        ("blind", "c0", "correct"), ("sighted", "d0", "correct"), ("blind", "a0", "correct"),
        ("blind", "e0", "wrong_answer"), ("blind", "e0", "correct"),
    ]  # fmt: skip
    found = TextOnly(scores_folder(tmp_path / "s", verdicts, {"blind": "text-only", "sighted": "none"}))
    assert found.answered(("a0", "a1")) is True
    assert found.answered(("b0", "b1")) is False
    # A rotation that was not asked is not right.
    assert found.answered(("c0", "c1")) is False
    # Only text-only runs count, and every repeat must be right.
    assert found.answered(("d0",)) is None
    assert found.answered(("e0",)) is False
    assert "a0" in found
    assert "d0" not in found


def test_scores_that_are_of_no_text_only_run(tmp_path: Path) -> None:
    folder = scores_folder(tmp_path / "s", [], {"sighted": "none"})
    with pytest.raises(SourceError) as caught:
        TextOnly(folder)
    assert "expected a run with the control text-only; got sighted (none)" in str(caught.value)
    assert "next:  run the questions with 'answerable run --control text-only' first" in str(caught.value)
    with pytest.raises(SourceError, match=r"expected a scores folder with scores\.json and verdicts\.parquet"):
        TextOnly(tmp_path / "nowhere")
    (folder / VERDICTS).write_bytes(b"no")
    with pytest.raises(SourceError, match="expected a scores folder"):
        TextOnly(folder)
