"""What every shape of response means."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.runlog import Usage
from answerable.run.providers.base import Failed, Replied
from answerable.run.providers.response import MAX_WORDS, Incoming, classify, retry_after
from answerable.run.providers.secrets import REMOVED, Secrets
from tests.run.helpers import GOOD, completion

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEY = "sk-0123456789abcdef"


def read(
    body: object, status: int = 200, kind: str = "application/json", after: str | None = None, to: str | None = None
) -> Replied | Failed:
    """Classify a response."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    incoming = Incoming(status, kind, after, to, data)
    return classify(incoming, Secrets([KEY]), NOW, "http://h/v1/chat/completions")


def reply(body: object) -> Replied:
    """A response that is a reply."""
    outcome = read(body)
    assert isinstance(outcome, Replied)
    return outcome


def failed(body: object, status: int = 200, **rest: str | None) -> Failed:
    """A response that is none."""
    outcome = read(body, status, rest.get("kind") or "application/json", rest.get("after"), rest.get("to"))
    assert isinstance(outcome, Failed)
    return outcome


def test_a_plain_reply() -> None:
    assert reply(completion()) == Replied("complete", GOOD, None, None, "stop", Usage(900, 20, None))


def test_text_is_kept_as_it_is() -> None:
    assert reply(completion(" 007\n")).text == " 007\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        (["a", {"text": "b"}], "ab"),
        ([{"type": "output_text", "text": "a"}], "a"),
        ([{"type": "thinking", "thinking": "x", "text": "y"}, {"type": "text", "text": "b"}], "b"),
    ],
)
def test_content_in_parts(content: object, text: str) -> None:
    assert reply(completion(content)).text == text
    assert reply(completion(content)).status == "complete"


@pytest.mark.parametrize("content", [None, "", " \n", [], [{"type": "text"}], [{"type": "tool", "x": 1}]])
@pytest.mark.parametrize("finish", ["stop", "length", "tool_calls", None])
def test_no_text_is_empty(content: object, finish: str | None) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 512, "completion_tokens_details": {"reasoning_tokens": 512}}
    outcome = reply(completion(content, finish=finish, usage=usage))
    assert outcome.status == "empty"
    assert outcome.finish_reason == finish
    assert outcome.usage == Usage(5, 512, 512)


def test_no_message_is_empty() -> None:
    assert reply({"choices": [{"finish_reason": "stop", "message": None}]}).status == "empty"


def test_cut_at_the_limit() -> None:
    outcome = reply(completion('{"answerable": tr', finish="length"))
    assert (outcome.status, outcome.text, outcome.finish_reason) == ("truncated", '{"answerable": tr', "length")


@pytest.mark.parametrize("finish", ["content_filter", "CONTENT_FILTER", "refusal", "safety"])
def test_filtered(finish: str) -> None:
    assert reply(completion("part", finish=finish)).status == "refused"


def test_a_refusal_field_is_not_text() -> None:
    outcome = reply(completion(None, refusal="I will not."))
    assert (outcome.status, outcome.text, outcome.refusal) == ("refused", None, "I will not.")
    assert reply(completion(GOOD, refusal="")).status == "complete"


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_filter_that_answers_400_or_200_is_the_same_status(code: str) -> None:
    body = {"error": {"code": code, "message": "filtered"}}
    for status in (400, 200):
        outcome = read(body, status)
        assert isinstance(outcome, Replied)
        assert (outcome.status, outcome.text, outcome.finish_reason) == ("refused", None, code)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_stored_apart(field: str) -> None:
    outcome = reply(completion(None, **{field: GOOD}))
    assert (outcome.status, outcome.text, outcome.reasoning) == ("empty", None, GOOD)
    assert reply(completion(GOOD, **{field: "so"})).text == GOOD
    steps: dict[str, Any] = {field: {"steps": 1}}
    assert reply(completion(GOOD, **steps)).reasoning == '{"steps":1}'


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "9", "completion_tokens": -1}, {"prompt_tokens": True}])
def test_usage_that_is_none(usage: object) -> None:
    assert reply(completion(usage=usage)).usage == Usage()


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", "application/json", "the server sent nothing"),
        (b" \n", "text/plain", "the server sent nothing"),
        (b"<!DOCTYPE html><h1>Hi</h1>", "text/html", "the server sent HTML, is --base-url right"),
        (b"<html>", "application/json", "the server sent HTML"),
        (b"null", "application/json", "no chat completion"),
        (b"[]", "application/json", "no chat completion"),
        (b'{"choices": "x"}', "application/json", "no chat completion"),
        (b'{"choices": [{"message": {"content": 5}}]}', "application/json", "no chat completion"),
        (b'{"choices": [{"message"', "application/json", "no chat completion"),
        (b"\xff\xfe{}", "application/json", "no chat completion"),
        (b"[" * 100_000, "application/json", "no chat completion"),
        (b'{"choices": []}', "application/json", "an empty list of choices"),
        (b"{}", "application/json", "an empty list of choices"),
        (b'data: {"choices": []}\n\n', "text/plain", "a stream although none was asked for"),
        (b"{}", "text/event-stream; charset=utf-8", "a stream although none was asked for"),
        (b'{"choices": [{}, {}]}', "application/json", "expected one choice; got 2"),
    ],
)
def test_malformed(body: bytes, kind: str, words: str) -> None:
    outcome = failed(body, kind=kind)
    assert outcome.kind == "malformed"
    assert words in outcome.message
    assert not outcome.fatal
    assert outcome.tries <= 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "error", "code", "usage", "refusal", "finish_reason", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON | st.binary(), st.sampled_from([200, 204, 302, 400, 401, 429, 500, 599]))
def test_no_body_ever_raises(body: object, status: int) -> None:
    outcome = read(body, status)
    if isinstance(outcome, Replied):
        assert (outcome.status in ("empty", "refused")) or outcome.text
    else:
        assert outcome.message


@pytest.mark.parametrize(
    ("status", "kind", "retried", "slow", "fatal"),
    [
        (400, "rejected", False, False, False), (401, "unauthorised", False, False, True),
        (402, "unauthorised", False, False, True), (403, "unauthorised", False, False, True),
        (404, "rejected", False, False, False), (408, "timeout", True, True, False),
        (413, "too_large", False, False, False), (422, "rejected", False, False, False),
        (429, "rate_limited", True, True, False), (500, "server_error", True, False, False),
        (502, "server_error", True, False, False), (503, "server_error", True, True, False),
        (504, "server_error", True, True, False), (529, "server_error", True, True, False),
        (301, "rejected", False, False, False), (204, "rejected", False, False, False),
    ],
)  # fmt: skip
def test_statuses(status: int, kind: str, retried: bool, slow: bool, fatal: bool) -> None:
    outcome = failed({"error": {"message": "server's words"}}, status)
    assert (outcome.kind, outcome.tries > 1, outcome.slow_down, outcome.fatal) == (kind, retried, slow, fatal)
    assert outcome.http_status == status
    assert f"HTTP {status}" in outcome.message
    assert "server's words" in outcome.message


def test_no_credit_left_stops_the_run() -> None:
    assert failed({"error": {"code": "insufficient_quota"}}, 429).fatal
    assert failed({"error": {"code": None, "type": "insufficient_quota"}}, 429).fatal
    assert not failed({"error": {"code": "rate_limit_exceeded"}}, 429).fatal


@pytest.mark.parametrize(
    ("code", "kind", "fatal"),
    [(429, "rate_limited", False), (401, "unauthorised", True), (400, "rejected", False), (500, "server_error", False),
     ("odd", "server_error", False)],
)  # fmt: skip
def test_an_error_inside_a_200(code: object, kind: str, fatal: bool) -> None:
    outcome = failed({"error": {"code": code, "message": "no"}})
    assert (outcome.kind, outcome.fatal) == (kind, fatal)
    assert "inside a 200" in outcome.message


def test_the_other_token_field_is_named() -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    assert "--max-tokens-field max_completion_tokens" in failed({"error": {"message": words}}, 400).message


def test_the_wrong_address_and_redirects_are_explained() -> None:
    assert "check --base-url and --model; asked was http://h/v1/chat/completions" in failed(b"", 404).message
    moved = failed(b"", 308, to=f"https://elsewhere/x?key={KEY}")
    assert "a redirect to https://elsewhere/x: not followed" in moved.message


def test_context_overflow_keeps_the_servers_words() -> None:
    words = "This model's maximum context length is 4096 tokens, you asked for 9000."
    outcome = failed({"error": {"message": words}}, 400)
    assert (outcome.kind, outcome.tries) == ("rejected", 1)
    assert words in outcome.message


def test_words_are_shortened_after_secrets_are_out() -> None:
    body = b"x" * (MAX_WORDS - 8) + KEY.encode() + b"y" * 5000
    outcome = failed(body, 500)
    assert len(outcome.message) < MAX_WORDS + 50
    assert KEY[:6] not in outcome.message
    assert f"bad key {REMOVED}" in failed(f"bad key {KEY}".encode(), 401).message


def test_secrets_leave_replies_too() -> None:
    outcome = reply(completion(f"echo {KEY}", reasoning=f"r {KEY}", refusal=f"n {KEY}", finish=KEY))
    assert KEY not in repr(outcome)
    assert outcome.text == f"echo {REMOVED}"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None), ("", None), ("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None), ("nan", None), ("inf", None),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
        ("Fri, 99 Foo 2026", None),
    ],
)  # fmt: skip
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds
    for status in (429, 503):
        assert failed(b"", status, after=value).wait == seconds
    assert failed(b"", 400, after=value).wait is None
