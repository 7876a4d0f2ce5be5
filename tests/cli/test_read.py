"""``answerable read`` as a user calls it: lines in, lines out."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from answerable.cli.main import run_command
from answerable.cli.read import MAX_LINE
from tests.shared import cases

Captured = pytest.CaptureFixture[str]


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def read(monkeypatch: pytest.MonkeyPatch, reader: str, data: bytes) -> int:
    monkeypatch.setattr(sys, "stdin", _Stdin(data))
    return run_command(["read", "--reader", reader])


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def printed(capsys: Captured) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.rstrip("\n").split("\n")]


@pytest.mark.parametrize(
    ("reader", "case", "reading", "rule"),
    [
        (
            "json", {"raw": '{"answerable":false,"answer":null,"reason":"x"}'},
            {"valid": True, "fields": {"answerable": False, "answer": None, "reason": "x"}}, "object",
        ),
        ("mcq", {"response": "(B)", "options": {"A": "x", "B": "y"}}, "B", "whole_letter"),
        ("mcq", {"response": "None of these", "options": {"A": "x"}}, "none", "abstain_none_of_bare"),
        ("yes-no", {"response": "no."}, "No", "whole_label"),
        ("number", {"text": "1,000"}, "1000/1", "number_grammar"),
        ("number", {"gold": "2", "pred": "2%"}, None, "exact_value"),
        ("number", {"gold": "2", "pred": "2%", "unit": "percent"}, True, "exact_value"),
        ("text", {"a": "X", "b": "x"}, True, "normal_form"),
        ("text", {"text": " X  y"}, "x y", "normal_form"),
    ],
)  # fmt: skip
def test_bare_inputs_and_whole_case_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, reader: str, case: object, reading: object, rule: str
) -> None:
    whole = {"id": "x-1", "kind": "x", "input": case, "expected": None}
    assert read(monkeypatch, reader, lines(case, whole)) == 0
    assert printed(capsys) == [{"reading": reading, "rule": rule}] * 2


@pytest.mark.parametrize(
    ("kind", "reader"),
    [
        ("json_response", "json"), ("number_parse", "number"), ("number_compare", "number"), ("normalise_text", "text"),
        ("mcq_extract", "mcq"), ("ynu_extract", "yes-no"),
    ],
)  # fmt: skip
def test_the_shared_cases_in_one_go(monkeypatch: pytest.MonkeyPatch, capsys: Captured, kind: str, reader: str) -> None:
    rows = cases(kind)
    assert read(monkeypatch, reader, lines(*rows)) == 0
    out = capsys.readouterr().out
    assert [json.loads(line)["reading"] for line in out.split("\n") if line] == [row["expected"] for row in rows]
    assert out.isascii()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"not json\n", "one JSON object a line; got b'not json"), (b"\n", "one JSON object a line"),
        (b"[1]\n", "one JSON object a line; got a list"), (b'{"text": 5}\n', "an input object with the fields text"),
        (b'{"input": {"x": 1}}\n', "an input object with the fields text"), (b"\xff\n", "one JSON object a line"),
        (b"[" * 100_000 + b"\n", "one JSON object a line"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_nothing_before_it_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, line: bytes, message: str
) -> None:
    assert read(monkeypatch, "number", lines({"text": "1"}, {"text": "x"}) + line + lines({"text": "2"})) == 2
    captured = capsys.readouterr()
    assert [json.loads(row)["reading"] for row in captured.out.rstrip("\n").split("\n")] == ["1/1", None]
    assert message in captured.err
    assert "standard input, line 3" in captured.err


def test_a_line_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert read(monkeypatch, "text", b"x" * (MAX_LINE + 2)) == 2
    assert f"lines of at most {MAX_LINE} bytes" in capsys.readouterr().err


def test_other_line_separators_stay_inside_a_reply(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    row = '{"text": "a\u2028b\u0085c"}\n'.encode()
    assert read(monkeypatch, "text", row) == 0
    assert printed(capsys)[0]["reading"] == "a b c"


def test_a_lone_surrogate_does_not_break_the_output(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert read(monkeypatch, "text", b'{"text": "\\ud800"}\n') == 0
    assert capsys.readouterr().out == '{"reading": "\\ud800", "rule": "normal_form"}\n'


def test_no_input_gives_no_output(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert read(monkeypatch, "json", b"") == 0
    assert capsys.readouterr().out == ""


def test_an_unknown_reader_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert read(monkeypatch, "guess", b"") == 2
    known = "json, mcq, mcq-published, choice-published, yes-no, yes-no-published, number, text"
    assert f"a reader, one of {known}; got 'guess'" in capsys.readouterr().err
