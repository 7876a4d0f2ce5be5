"""What a chat server's response means: every shape has one name, and none is guessed.

The classification sees a status, the headers that matter and the bytes; it opens no connection.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import msgspec

from answerable.core.runlog import FailureKind, ReplyStatus, Usage
from answerable.run.providers.base import AGAIN, Failed, Replied
from answerable.run.providers.secrets import Secrets

#: The server's own words are kept up to this many characters.
MAX_WORDS: Final = 500
#: Attempts worth making when a response cannot be read: a page of a proxy may pass, a wrong URL will not.
_MALFORMED_TRIES: Final = 3
_FILTERED: Final = frozenset({"content_filter", "refusal", "safety"})
#: Error codes with which servers refuse a prompt instead of replying (seen beside HTTP 400).
_FILTER_CODES: Final = frozenset({"content_filter", "content_policy_violation", "responsibleaipolicyviolation"})
#: What a status means: kind, attempts worth making, whether to slow down. Others: 5xx pass with time, the rest do not.
_STATUSES: Final[dict[int, tuple[FailureKind, int, bool]]] = {
    401: ("unauthorised", 1, False),
    402: ("unauthorised", 1, False),
    403: ("unauthorised", 1, False),
    408: ("timeout", AGAIN, True),
    413: ("too_large", 1, False),
    425: ("server_error", AGAIN, False),
    429: ("rate_limited", AGAIN, True),
    503: ("server_error", AGAIN, True),
    504: ("server_error", AGAIN, True),
    529: ("server_error", AGAIN, True),
}
_WANTS_OTHER_FIELD: Final = re.compile(r"max_completion_tokens", re.ASCII)


class _Part(msgspec.Struct):
    type: str = "text"
    text: str | None = None


class _Message(msgspec.Struct):
    content: str | list[_Part | str] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    finish_reason: str | None = None


class _Response(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Any = None
    error: Any = None


_DECODER: Final = msgspec.json.Decoder(_Response)


class Incoming(msgspec.Struct, frozen=True):
    """A response as it came."""

    status: int
    content_type: str
    retry_after: str | None
    location: str | None
    body: bytes


def classify(incoming: Incoming, secrets: Secrets, now: datetime, url: str) -> Replied | Failed:
    """A reply or a failure; never an exception.

    Args:
        incoming: the response.
        secrets: removed from every text.
        now: for ``Retry-After`` given as a date.
        url: what was asked, without secrets, for messages.
    """
    if incoming.status == 200:
        return _read(incoming, secrets, url)
    return _error(incoming, secrets, now, url)


def _read(incoming: Incoming, secrets: Secrets, url: str) -> Replied | Failed:
    response = _decoded(incoming, secrets, url)
    if isinstance(response, Failed):
        return response
    if response.error is not None and not response.choices:
        return _error_in_200(response.error, incoming.body, secrets)
    if not response.choices:
        words = f"the server sent an empty list of choices: {_words(incoming.body, secrets)}"
        return Failed("malformed", words, 200, _MALFORMED_TRIES)
    if len(response.choices) > 1:
        return Failed("malformed", f"expected one choice; got {len(response.choices)}", 200)
    return _reply(response.choices[0], _usage(response.usage), secrets)


def _decoded(incoming: Incoming, secrets: Secrets, url: str) -> _Response | Failed:
    body = incoming.body
    if not body.strip():
        return Failed("malformed", "the server sent nothing (an empty body)", 200, _MALFORMED_TRIES)
    if "text/event-stream" in incoming.content_type or body.startswith((b"data:", b"event:")):
        return Failed("malformed", "the server sent a stream although none was asked for", 200)
    try:
        return _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = "HTML" if _is_html(incoming) else "no chat completion"
        why = secrets.in_message(str(error))
        words = f"the server sent {what}, is --base-url right? ({url}; {why}): {_words(body, secrets)}"
        return Failed("malformed", words, 200, _MALFORMED_TRIES)


def _reply(choice: _Choice, usage: Usage, secrets: Secrets) -> Replied:
    message = choice.message or _Message()
    text = message.content
    if isinstance(text, list):
        parts = [part if isinstance(part, str) else (part.text or "") for part in text if _is_text(part)]
        text = "".join(parts) if parts else None
    refusal = message.refusal or None
    finish = (choice.finish_reason or "").lower()
    status: ReplyStatus = "complete"
    if finish in _FILTERED or refusal is not None:
        status = "refused"
    elif text is None or not text.strip():
        status = "empty"
    elif finish == "length":
        status = "truncated"
    return Replied(
        status=status,
        text=secrets.in_reply(text),
        reasoning=secrets.in_reply(_reasoning(message)),
        refusal=secrets.in_reply(refusal),
        finish_reason=secrets.in_reply(choice.finish_reason),
        usage=usage,
    )


def _is_text(part: _Part | str) -> bool:
    # Some servers send their thinking as a part of its own; only text and output_text are the reply.
    return isinstance(part, str) or part.type in ("text", "output_text")


def _reasoning(message: _Message) -> str | None:
    for value in (message.reasoning_content, message.reasoning):
        if value is not None and value != "":
            return value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return None


def _usage(value: Any) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    details = value.get("completion_tokens_details")
    reasoning = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return Usage(
        prompt=_count(value.get("prompt_tokens")),
        completion=_count(value.get("completion_tokens")),
        reasoning=_count(reasoning),
    )


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53
    return value if is_count else None


def _error_in_200(error: Any, body: bytes, secrets: Secrets) -> Replied | Failed:
    """Some gateways answer 200 and put the error inside."""
    code = error.get("code") if isinstance(error, dict) else None
    if _code(code) in _FILTER_CODES:
        return Replied("refused", None, finish_reason=str(code))
    words = f"the server sent an error inside a 200: {_words(body, secrets)}"
    if code == 429:
        return Failed("rate_limited", words, 200, AGAIN, slow_down=True)
    if code in (401, 402, 403):
        return Failed("unauthorised", words, 200, fatal=True)
    if isinstance(code, int) and 400 <= code < 500:
        return Failed("rejected", words, 200)
    return Failed("server_error", words, 200, AGAIN)


def _error(incoming: Incoming, secrets: Secrets, now: datetime, url: str) -> Replied | Failed:
    status, words = incoming.status, _words(incoming.body, secrets)
    code = _error_code(incoming.body)
    if status == 400 and code in _FILTER_CODES:
        return Replied("refused", None, finish_reason=code)
    if status == 429 and code == "insufficient_quota":
        return Failed("unauthorised", f"HTTP 429 from {url}: {words}", status, fatal=True)
    kind, tries, slow = _STATUSES.get(
        status, ("server_error", AGAIN, False) if status >= 500 else ("rejected", 1, False)
    )
    return Failed(
        kind,
        f"HTTP {status}: {words}{_advice(incoming, words, secrets, url)}",
        status,
        tries,
        slow_down=slow,
        wait=retry_after(incoming.retry_after, now) if tries > 1 else None,
        fatal=kind == "unauthorised",
    )


def _advice(incoming: Incoming, words: str, secrets: Secrets, url: str) -> str:
    if incoming.status == 400 and _WANTS_OTHER_FIELD.search(words):
        return " (next: repeat with --max-tokens-field max_completion_tokens and another --out)"
    if incoming.status in (401, 403):
        return f" (asked was {url})"
    if incoming.status in (404, 405):
        return f" (next: check --base-url and --model; asked was {url})"
    if 300 <= incoming.status < 400:
        to = secrets.in_message((incoming.location or "nowhere").split("?")[0])[:200]
        return f" (a redirect to {to}: not followed; give the final address as --base-url)"
    return ""


def _error_code(body: bytes) -> str:
    """``error.code`` of an error body, in lower case; empty when there is none."""
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    error = value.get("error") if isinstance(value, dict) else None
    if not isinstance(error, dict):
        return ""
    inner = error.get("innererror")
    codes = [error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, dict) else None]
    known = [_code(code) for code in codes]
    return next((code for code in known if code in _FILTER_CODES or code == "insufficient_quota"), known[0])


def _code(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def _is_html(incoming: Incoming) -> bool:
    start = incoming.body[:200].lstrip().lower()
    return "html" in incoming.content_type or start.startswith((b"<!doctype", b"<html"))


def _words(body: bytes, secrets: Secrets) -> str:
    """The server's words on one line: secrets out first, then shortened, so that no half of a secret stays."""
    text = " ".join(secrets.in_message(body.decode("utf-8", "replace")).split())
    if not text:
        return "(no text)"
    return text if len(text) <= MAX_WORDS else text[:MAX_WORDS] + "..."


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from seconds or an HTTP date; None when absent or unreadable."""
    if value is None or not value.strip():
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError):
            return None
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        seconds = (when - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
