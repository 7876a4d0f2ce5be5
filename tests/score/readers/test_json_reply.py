"""One strict JSON object: invented replies, and the kinds of unreadable by name."""

from __future__ import annotations

import json

import pytest

from answerable.score.readers.json_reply import READER, strict_object
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item

OK = '{"answerable": true, "answer": "42", "reason": "r"}'
NO = '{"answerable": false, "answer": null, "reason": "hidden"}'

READ = {
    OK: "object", "\n\n " + OK + "\n": "object", "\u00a0" + OK: "object",
    "```json\n" + OK + "\n```": "object_in_fence", "~~~\n" + OK + "\n~~~": "object_in_fence",
    "````\n" + OK + "\n````": "object_in_fence", "```" + OK + "```": "object_in_fence",
    "<think>x</think>" + OK: "object_after_reasoning", "x</think>\n" + OK: "object_after_reasoning",
    "<THINK>x</THINK><think>y</think>" + OK: "object_after_reasoning",
    "[THINK]{}[/THINK]" + OK: "object_after_reasoning", "<think>{</think>" + OK: "object_after_reasoning",
    "<think>x</think>\n```json\n" + OK + "\n```": "object_in_fence_after_reasoning",
    OK.replace('"42"', '"</think>"'): "object",
    "<think>q</think>" + OK.replace('"42"', '"</think>"'): "object_after_reasoning",
    "q</think>" + OK.replace('"42"', '"</think>"'): "object_after_reasoning",
    OK[:-1] + ',"more":{"deep":[1,2.5e3,true,null]}}': "object", OK[:-1] + ',"n":' + "9" * 10_000 + "}": "object",
}  # fmt: skip


@pytest.mark.parametrize(("reply", "rule"), READ.items())
def test_readable(reply: str, rule: str) -> None:
    found = READER.read(reply, "complete", Item())
    assert isinstance(found, Answered)
    assert found.rule == rule


UNREADABLE = {
    "": "empty", " \n": "empty", "null": "not_an_object", "[" + OK + "]": "not_an_object", '"x"': "not_an_object",
    "5": "not_an_object", "{'answerable': true}": "not_json", OK.replace("true", "True"): "not_json",
    OK[:-1] + ",}": "not_json", OK[:-1]: "not_json", OK.replace('"r"', "NaN"): "not_json",
    OK[:-1] + ',"x":-Infinity}': "not_json", OK.replace("r", "a\tb"): "not_json", OK.replace(" ", "\u00a0"): "not_json",
    "\ufeff" + OK: "prose_around", OK + "\x00": "prose_around", "/* c */" + OK: "prose_around",
    "`" + OK + "`": "prose_around",
    "Sure! <think>x</think>" + OK: "prose_around", OK + OK: "several_objects", OK + ",\n" + OK: "several_objects",
    "```\n" + OK + "\n```\n```\n" + OK + "\n```": "several_fences", "```json\n" + OK + "\n```\nHope": "prose_around",
    "Here:\n```json\n" + OK + "\n```": "prose_around", "```json\n" + OK: "unclosed_fence",
    "<think>x" + OK: "unclosed_reasoning", "<think>a</think><think>b" + OK: "unclosed_reasoning",
    "{}": "missing_key", '{"answerable": true, "reason": "r"}': "missing_key", OK.replace('"42"', "42"): "wrong_type",
    OK.replace('"42"', '["42"]'): "wrong_type", OK.replace('"r"', "5"): "wrong_type",
    OK.replace('"r"', "null"): "wrong_type",
    OK.replace("true", "1"): "wrong_type", OK.replace("true", '"true"'): "wrong_type",
    OK.replace('"r"', '""'): "blank_reason",
    OK.replace('"r"', '"\\u00a0"'): "blank_reason", NO.replace("null", '"5"'): "contradiction",
    OK.replace('"answer"', '"\\u0061nswer": "1", "answer"'): "duplicate_key",
    OK[:-1] + ',"x":{"a":1,"a":2}}': "duplicate_key",
    OK.replace('"r"', '"\\udfff"'): "lone_surrogate", OK[:-1] + ',"\\ud800":1}': "lone_surrogate",
    OK[:-1] + ',"x":' + "[" * 200 + "]" * 200 + "}": "too_deep", "[" * 100_000: "too_deep", "{" * 100_000: "too_deep",
    "x" * 1_000_001: "too_long", "I think answerable is false.": "not_json", "undefined": "not_json",
}  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "why"), UNREADABLE.items(), ids=[f"{n}-{why}" for n, why in enumerate(UNREADABLE.values())]
)
def test_unreadable_by_kind(reply: str, why: str) -> None:
    found = READER.read(reply, "complete", Item())
    assert isinstance(found, Invalid)
    assert found.why == why
    assert found.rule


def test_null_answers() -> None:
    assert READER.read(NO, "complete", Item()) == Abstained("object")
    assert READER.read(OK.replace('"42"', "null"), "complete", Item()) == Answered(None, "object")
    assert READER.read(OK.replace('"42"', '""'), "complete", Item()) == Answered("", "object")


def test_status_keeps_its_own_kind() -> None:
    assert READER.read(OK, "refused", Item()) == Invalid("refused", "status")
    assert READER.read(None, "empty", Item()) == Invalid("empty", "status")
    assert READER.read(OK + "  ", "truncated", Item()) == Answered("42", "object")
    for cut in (OK[:-1], OK + "\nAlso", "```json\n" + OK, "<think>x", OK[:20]):
        assert READER.read(cut, "truncated", Item()) == Invalid("truncated", "status")


def test_a_strict_object_keeps_its_own_numbers_as_text() -> None:
    found = strict_object('{"a": 1e999999999}')
    assert found == {"a": "1e999999999"}


def test_every_prefix_of_an_object_is_unreadable() -> None:
    for text in (OK, NO, json.dumps({"answerable": True, "answer": "}{", "reason": "```{}```"})):
        assert not isinstance(READER.read(text, "complete", Item()), Invalid)
        for end in range(len(text)):
            assert isinstance(READER.read(text[:end], "complete", Item()), Invalid)
            assert isinstance(READER.read(text[:end], "truncated", Item()), Invalid)


def test_the_case_form_gives_the_three_fields_only() -> None:
    found = READER.read_case({"raw": OK[:-1] + ',"confidence":0.9}'})
    assert found.reading == {"valid": True, "fields": {"answerable": True, "answer": "42", "reason": "r"}}
    assert READER.read_case({"raw": "x"}).rule == "not_json: strict_json"
