"""Files of what a model said: strict reading, replies bound to their texts, one writer at a time."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from answerable.core.codec import encode
from answerable.core.errors import LogError
from answerable.core.rewordings import (
    FORMAT,
    Asked,
    Put,
    Said,
    meaning_of,
    read_said,
    text_key,
    wordings_of,
)
from answerable.core.runlog import PromptText, Sampling

PROMPT = PromptText(name="rephrase", system="s", user="{question}", sha256="ab" * 32)
ASKED = Asked(FORMAT, "reword", "m-1", "openai-chat", "http://h/v1", PROMPT, Sampling(), "cd" * 32)
JUDGE = msgspec.structs.replace(ASKED, task="meaning")


def said(put: Put, text: str | None, asked: Asked = ASKED, status: str = "complete") -> Said:
    made = Said(text_key(asked, put), put.question, put.wording, "complete", text)
    return msgspec.convert(encode_fields(made) | {"status": status}, Said)


def encode_fields(made: Said) -> dict[str, object]:
    return msgspec.json.decode(encode(made), type=dict[str, object])


def write(path: Path, *lines: object) -> Path:
    path.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"wordings": ["a", "b"]}', ("a", "b")),
        (' {"wordings": []}\n', ()),
        ('```json\n{"wordings": ["a"]}\n```', ("a",)),
        ('```\n{"wordings": ["a"]}\n```', ("a",)),
        ('Sure! {"wordings": ["a"]}', None),
        ('{"wordings": "a"}', None),
        ('{"wordings": [1]}', None),
        ('{"wordings": ["a"], "answer": "b"}', None),
        ('["a"]', None),
        ("1. a\n2. b", None),
        ("", None),
        ("```", None),
        ("[" * 5000, None),
        ('{"wordings": [' + '"a",' * 40 + '"a"]}', None),
    ],
)
def test_rewordings_are_one_object(text: str, found: tuple[str, ...] | None) -> None:
    assert wordings_of(said(Put("q"), text)) == found


@pytest.mark.parametrize(
    ("text", "found"), [("SAME", True), (" DIFFERENT\n", False), ("same", None), ("SAME.", None), ("", None)]
)
def test_verdicts_are_one_word(text: str, found: bool | None) -> None:
    assert meaning_of(said(Put("q", "w"), text)) is found


@pytest.mark.parametrize("status", ["truncated", "refused", "empty"])
def test_only_whole_replies_say_anything(status: str) -> None:
    assert wordings_of(said(Put("q"), '{"wordings": ["a"]}', status=status)) is None
    assert meaning_of(said(Put("q", "w"), "SAME", status=status)) is None
    assert meaning_of(said(Put("q", "w"), None)) is None


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", ASKED, said(Put("q"), "x"))
    path.write_bytes(path.read_bytes() + b'{"line": "said", "ke')
    found = read_said(path, "reword")
    assert found is not None and set(found.said) == {("q", "")}
    assert read_said(tmp_path / "no.jsonl", "reword") is None
    path.write_bytes(b'{"line')
    assert read_said(path, "reword") is None


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    one = said(Put("q"), "x")
    for lines, message in (
        ((one,), "who was asked, in line 1; got another line"),
        ((ASKED, ASKED), "one model asked for 'reword'"),
        ((JUDGE,), "got task='meaning'"),
        ((msgspec.structs.replace(ASKED, format=9),), "got task='reword' format=9"),
        ((ASKED, one, one), "one reply a text; got two on 'q'"),
        ((ASKED, msgspec.structs.replace(one, question="other")), "a reply to the text beside it"),
        ((ASKED, {"line": "said"}), "who was asked, a reply or a failure a line"),
        ((ASKED, ["x"]), "who was asked, a reply or a failure a line"),
    ):
        with pytest.raises(LogError, match=message):
            read_said(write(path, *lines), "reword")
