"""Rewordings: what is kept, why others are not, and files that cannot be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.variations.rephrase import (
    REASONS,
    Rephrasing,
    Rewording,
    keep,
    kind_of,
    problem,
    read_rewordings,
    tally,
)
from answerable.core.codec import encode
from answerable.core.errors import LogError, SettingsError, SourceError
from answerable.core.records import Answer
from answerable.core.rewordings import Put
from tests.core.test_rewordings import ASKED, JUDGE, said

QUESTION = "Which of the two dogs beside Maria Olsen in this picture is wearing the red collar?"
DUE = Answer("the left one", "text")


@pytest.mark.parametrize(
    "wording",
    [
        "In this picture, which of the two dogs next to Maria Olsen wears the red collar?",
        "Of the 2 dogs near Maria Olsen, which one has the red collar on?",
        "  Looking at the two dogs beside Maria Olsen, which has a red collar?  ",
        "Name which of the two dogs beside Maria Olsen wears the red collar.",
    ],
)
def test_kept(wording: str) -> None:
    assert problem(QUESTION, wording, DUE) == ""


@pytest.mark.parametrize(
    ("wording", "reason"),
    [
        ("", "nothing"),
        (" \n ", "nothing"),
        ("Which of the two dogs beside Maria Olsen?\nWhich wears the red collar?", "two lines"),
        ("Which of the two dogs\u2028beside Maria Olsen has it?", "two lines"),
        ("Which of the two dogs\x00 beside Maria Olsen has it?", "two lines"),
        (QUESTION + " So which one is it?" * 12, "too long"),
        ("Which dog?", "too short"),
        ("The two dogs beside Maria Olsen, one in a red collar", "no question"),
        ("Is one of the two dogs beside Maria Olsen wearing a red collar?", "asks for another kind of answer"),
        ("How many of the two dogs beside Maria Olsen wear a red collar?", "asks for another kind of answer"),
        ("Which of the two dogs beside Maria Olsen, such as the left one, wears red?", "answers the question"),
        ("The answer is clear: which of the two dogs beside Maria Olsen wears it?", "answers the question"),
        ("Yes, which of the two dogs beside Maria Olsen wears it?", "answers the question"),
        ("Which of the three dogs beside Maria Olsen wears the red collar?", "changes a number"),
        ("1. Which of the two dogs beside Maria Olsen wears the red collar?", "changes a number"),
        ("Which of the dogs beside Maria Olsen wears the red collar?", "changes a number"),
        ("Which of the two dogs beside Maria in this picture wears the red collar?", "drops a name"),
        ("Which of the two dogs beside the woman wears the red collar?", "drops a name"),
        ("Which of the two dogs beside Maria Olsen and Bello wears the red collar?", "adds a name"),
    ],
)
def test_refused(wording: str, reason: str) -> None:
    assert problem(QUESTION, wording, DUE) == reason
    assert reason in REASONS


@pytest.mark.parametrize(
    ("question", "wording", "reason"),
    [
        ("What does the sign “Main Street 12” point at?", "At what does “Main Street 12” point?", ""),
        ("What does the sign “Main Street 12” point at?", "At what does the sign Main Street 12 point?", ""),
        ("What does the sign “no entry” point at?", "At what does the sign point?", "drops a name"),
        ("In 1,250 cases, what is 3.5 of it?", "What is 3.5 of it in 1250 cases?", ""),
        ("In 1,250 cases, what is 3.5 of it?", "What is 35 of it in 1250 cases?", "changes a number"),
        ("Is the McDonald's open?", "Does the McDonald's have opened its doors?", ""),
        ("Is the McDonald's open?", "Is the restaurant open now?", "drops a name"),
        ("Is there no dog?", "Are there no dogs here?", ""),
        ("¿Cuántos perros hay en Madrid?", "¿Qué número de perros hay en Madrid?", ""),
        ("图中有多少只狗？", "图片里一共有几只狗？", ""),
        ("图中有多少只狗？", "图片里有狗。", "no question"),
    ],
)
def test_names_numbers_and_other_languages(question: str, wording: str, reason: str) -> None:
    assert problem(question, wording) == reason


def test_an_answer_that_the_question_has_gives_nothing_away() -> None:
    question = "Is the dog on the left or on the right of the two red chairs?"
    wording = "On which side of the two red chairs is the dog, left or right?"
    assert problem(question, wording, Answer("left", "text")) == ""
    assert problem("Where is the dog that sits?", "Where is the dog that sits left?", Answer("left", "text"))
    assert (
        problem("What is this called?", "What is this thing, a dog, called?", None, ["dog"]) == "answers the question"
    )
    # A word within another is not the answer.
    assert problem("What is this thing called?", "What is this dogma called?", Answer("dog", "text")) == ""


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Is the dog red?", "yes or no"),
        ("In the picture, is the dog red?", "yes or no"),
        ("Look at the sign. Does it say stop?", "yes or no"),
        ("Say whether the dog is red.", "yes or no"),
        ("Is the dog red or blue?", "other"),
        ("Is it red or not?", "yes or no"),
        ("Do you know what this is?", "other"),
        ("How many dogs are there?", "a count"),
        ("What is the number of dogs?", "a count"),
        ("Count the dogs.", "a count"),
        ("Which dog is it?", "other"),
        ("", "other"),
    ],
)
def test_what_a_question_asks_for(question: str, kind: str) -> None:
    assert kind_of(question) == kind


def test_a_number_may_be_asked_for_in_any_open_form() -> None:
    number = Answer("7", "number")
    assert problem("How many dogs are in this picture?", "What is shown as the dogs' count?", number) == ""
    assert problem("How many dogs are in this picture?", "Are there many dogs in this?", number) != ""


def test_the_original_and_repeats_are_found() -> None:
    texts = [QUESTION.upper(), QUESTION + "  ", "Of the two dogs near Maria Olsen, which has the red collar?"]
    texts += [texts[2].rstrip("?") + " ?", "Which of the two dogs by Maria Olsen has a red collar on?"]
    found = keep(QUESTION, [Rewording(text, "m") for text in texts[1:]], DUE, (), 3)
    assert [one.text for one in found.kept] == [texts[2], texts[4]]
    assert [reason for reason, _ in found.refused] == ["the original again", "twice"]


def test_no_more_than_asked_for_and_the_judge_has_the_last_word() -> None:
    texts = [f"Which of the two dogs {where} Maria Olsen has a red collar?" for where in ("by", "near", "at", "behind")]
    verdicts: tuple[Literal["kept", "changed", "unread", ""], ...] = ("kept", "changed", "unread", "")
    found = keep(QUESTION, [Rewording(t, "m", v) for t, v in zip(texts, verdicts, strict=True)], DUE, (), 3)
    assert [one.text for one in found.kept] == [texts[0], texts[3]]
    assert tally(found.refused) == "a judge finds another meaning 1, no verdict on the meaning 1"
    assert [r for r, _ in keep(QUESTION, [Rewording(t, "m") for t in texts], DUE, (), 2).refused] == [
        "more than asked for", "more than asked for",
    ]  # fmt: skip
    assert tally(()) == "none"


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_rules(question: str, wording: str) -> None:
    why = problem(question, wording, Answer("left", "text"), ["right"])
    assert why == "" or why in REASONS


def test_a_file_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    good = said(Put(QUESTION), '```json\n{"wordings": ["One?", " Two? ", "Three?"]}\n```')
    other = said(Put("Why is it so?"), "Because.")
    path.write_bytes(b"".join(encode(line) + b"\n" for line in (ASKED, good, other)))
    found = read_rewordings(path)
    assert [one.text for one in found.found[QUESTION]] == ["One?", "Two?", "Three?"]
    assert {one.by for one in found.found[QUESTION]} == {"m-1"}
    assert found.unread == {"Why is it so?"} and found.found["Why is it so?"] == ()
    assert found.notes[0].startswith("rewordings: r.jsonl sha256=") and found.notes[0].endswith("give none: 1")
    verdicts = tmp_path / "m.jsonl"
    lines = [JUDGE, said(Put(QUESTION, "One?"), " SAME\n", JUDGE), said(Put(QUESTION, "Two?"), "different", JUDGE)]
    verdicts.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    judged = read_rewordings(path, verdicts)
    assert [one.meaning for one in judged.found[QUESTION]] == ["kept", "unread", "unread"]
    assert judged.notes[1].endswith("by m-1, 2 verdicts")
    with pytest.raises(LogError, match="one model asked for 'reword'"):
        read_rewordings(verdicts)


def test_a_sheet_by_hand(tmp_path: Path) -> None:
    sheet = tmp_path / "w.csv"
    sheet.write_text('question,wording,by\n"What, then?",What else?,Ada\n"What, then?",And what?,\n', encoding="utf-8")
    found = read_rewordings(sheet)
    assert found.found == {"What, then?": (Rewording("What else?", "Ada"), Rewording("And what?", "hand"))}
    sheet.write_text("question,wording\n,x\n", encoding="utf-8")
    with pytest.raises(SourceError, match="a question in every row"):
        read_rewordings(sheet)


@pytest.mark.parametrize("name", ["no.jsonl", "no.csv"])
def test_files_that_are_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match=r"a file of rewordings; got .*which is not there"):
        read_rewordings(tmp_path / name)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Rephrasing(words=-1), "at least 0; got words=-1"),
        (Rephrasing(least=0), "1 to 16 rewordings"),
        (Rephrasing(least=4), "got at least 4, at most 3"),
    ],
)
def test_settings_that_cannot_be_met(settings: Rephrasing, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        settings.check()
