"""Every prompt is data with a digest, and says what the protocol needs."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from answerable.run.prompts import PROMPTS, QUESTION, prompt_text
from answerable.score.readers.options import READER
from answerable.score.readers.reading import Abstained, Answered, Item


@pytest.mark.parametrize("name", PROMPTS.names())
def test_every_prompt_has_one_place_for_the_question_and_a_digest(name: str) -> None:
    prompt = PROMPTS.load(name)
    assert prompt.text.name == name
    text = prompt.text
    assert text == prompt_text(name, text.system, text.user, text.second, instead=text.instead)
    for ending in [f"\n{known.instruction}" for known in text.instead] or [""]:
        assert prompt.user(f"What {{x}} is 3%?{ending}").count("What {x} is 3%?") == 1
        assert QUESTION not in prompt.user(f"x{ending}")


def test_the_documentation_has_every_prompt() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "prompts.md").read_text(encoding="utf-8")
    listed = [line.split("`")[1] for line in page.split("\n") if line.startswith("| `")]
    assert listed == list(PROMPTS.names())


def test_the_digest_depends_on_every_word() -> None:
    base = prompt_text("p", "system", "{question} now")
    assert prompt_text("p", "system", "{question} then").sha256 != base.sha256
    assert prompt_text("p", "systems", "{question} now").sha256 != base.sha256


@pytest.mark.parametrize("user", ["no place", "{question} {question}"])
def test_a_prompt_without_one_place_is_refused(user: str) -> None:
    with pytest.raises(ValueError, match=r"one \{question\}"):
        prompt_text("p", "", user)


def test_the_json_prompt_tells_hard_to_read_from_not_there() -> None:
    text = PROMPTS.load("json-answerability").text.user
    for word in ("faint", "covered", "cut off", "removed", "does not contain", "guess", "null"):
        assert word in text
    for key in ('"answerable"', '"answer"', '"reason"'):
        assert key in text


def test_schema_and_replies_agree() -> None:
    prompt = PROMPTS.load("json-answerability")
    assert prompt.schema is not None
    schema = msgspec.json.decode(prompt.schema)
    assert schema["required"] == ["answerable", "answer", "reason"]
    assert schema["additionalProperties"] is False
    assert json.loads(prompt.reply("1/2", "why")) == {"answerable": True, "answer": "1/2", "reason": "why"}
    assert json.loads(prompt.reply(None, "why")) == {"answerable": False, "answer": None, "reason": "why"}


def test_as_asked_adds_nothing_and_its_abstention_is_read_as_one() -> None:
    prompt = PROMPTS.load("as-asked")
    assert (prompt.text.system, prompt.text.user, prompt.schema) == ("", "{question}", None)
    assert prompt.user("Which?\nA. {x}\nAnswer.") == "Which?\nA. {x}\nAnswer."
    assert prompt.reply("B", "it is shown, but A too") == "B"
    plain = {"A": "red", "B": "blue"}
    settings = [
        Item(plain),
        Item(plain, withheld="None of these"),
        Item(plain | {"E": "None of the above"}, "E", abstain_instructed=True),
        Item(plain | {"F": "The image and question are irrelevant."}, "F", abstain_instructed=True),
    ]
    for item in settings:
        said = prompt.reply(None, "but the answer is B")
        assert isinstance(READER.read(said, "complete", item), Abstained)
        assert READER.read(prompt.reply("B", "why"), "complete", item) == Answered("B", "whole_letter")
