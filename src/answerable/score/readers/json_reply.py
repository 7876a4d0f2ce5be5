"""The reply of the answerability protocol: one strict JSON object, nothing else.

``{"answerable": bool, "answer": string|null, "reason": nonempty string}``; keys are unique, unanswerable needs a
null answer, further keys are left alone. Nothing is repaired. Allowed around it, and counted apart by the rule's
name: white space, closed reasoning blocks before it, one code fence around all that remains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.reading import (
    Abstained,
    Answered,
    CaseReading,
    Invalid,
    Item,
    Reading,
    Why,
    case_input,
    status_of,
    unreadable,
)
from answerable.score.readers.wrappers import (
    FENCE_LINE,
    after_lone_close,
    inside_fence,
    leading_reasoning,
    without_reasoning,
)

#: Levels an object may nest (further keys may hold anything).
MAX_DEPTH = 64

_NESTING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}]', re.DOTALL)


class _StrictError(ValueError):
    """JSON that is not the strict object; carries the kind."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _StrictError("duplicate_key")
    return found


def _no_constant(_: str) -> Any:
    raise _StrictError("not_json")


class _Number(str):
    """A JSON number kept as its own text."""

    __slots__ = ()


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, _Number)


# Numbers stay text: no value is ever built from digits that a stranger chose.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_Number, parse_float=_Number, strict=True
)


def _too_deep(text: str) -> bool:
    depth = 0
    for match in _NESTING.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def strict_object(text: str) -> dict[str, Any] | Invalid:
    """Parse one strict JSON object that is the whole text; ``Invalid`` (rule ``strict_json``) says why not.

    Strict: unique keys on every level, no NaN or Infinity, no comments, no trailing commas, no control characters
    in strings, no byte order mark, no lone surrogates, at most ``MAX_DEPTH`` levels.
    """
    try:
        return _strict(text)
    except _StrictError as error:
        return Invalid(error.why, "strict_json")


def _strict(text: str) -> dict[str, Any]:
    if text.count("{") + text.count("[") > MAX_DEPTH and _too_deep(text):
        raise _StrictError("too_deep")
    try:
        value, end = _DECODER.raw_decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _StrictError(_misplaced(text)) from error
    rest = text[end:].strip()
    if rest:
        raise _StrictError("several_objects" if rest.lstrip(",; \r\n\t").startswith("{") else "prose_around")
    if not isinstance(value, dict):
        raise _StrictError("not_an_object")
    # Only an escape, or a character beyond ASCII, can hold half a surrogate pair.
    if "\\u" in text or not text.isascii():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise _StrictError("lone_surrogate") from error
    return value


def _misplaced(text: str) -> Why:
    """``prose_around`` when a whole object stands somewhere in the text, else ``not_json``."""
    start = text.find("{")
    if start > 0:
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return "not_json"
        if isinstance(value, dict):
            return "prose_around"
    return "not_json"


def _fields(value: dict[str, Any], rule: str) -> Reading:
    if any(key not in value for key in ("answerable", "answer", "reason")):
        return Invalid("missing_key", rule)
    answerable, answer, reason = value["answerable"], value["answer"], value["reason"]
    if not isinstance(answerable, bool) or not (answer is None or _is_text(answer)) or not _is_text(reason):
        return Invalid("wrong_type", rule)
    if not reason.strip():
        return Invalid("blank_reason", rule)
    if answerable:
        return Answered(answer, rule)
    return Abstained(rule) if answer is None else Invalid("contradiction", rule)


def _candidates(text: str) -> list[tuple[str, str]]:
    """What may be the object, with the rule's name, in the order tried: the raw text always first."""
    found = [(text, "object")]
    bare = leading_reasoning(text)
    found += [(rest, "object_after_reasoning") for rest in ((bare,) if bare != text else after_lone_close(text))]
    for candidate, rule in tuple(found):
        body = inside_fence(candidate)
        if body is not None:
            found.append((body, rule.replace("object", "object_in_fence")))
    return found


def _parse(text: str, status: ReplyStatus) -> tuple[dict[str, Any], str] | Invalid:
    """The strict object of a reply and the rule that found it, or why there is none."""
    text = text.strip()
    whole = strict_object(text)
    if isinstance(whole, dict):
        return whole, "object"
    candidates = _candidates(text)
    for candidate, rule in candidates[1:]:
        value = strict_object(candidate)
        if isinstance(value, dict):
            return value, rule
    if status == "truncated":
        return Invalid("truncated", "status")
    if without_reasoning(text).unclosed:
        return Invalid("unclosed_reasoning", "reasoning")
    return _explain(*candidates[-1])


def _explain(text: str, rule: str) -> Invalid:
    """Why the text, as far as it could be unwrapped, is not the object."""
    fences = len(FENCE_LINE.findall(text))
    if rule.startswith("object_in_fence") and fences:
        return Invalid("several_fences", "fence")
    if fences >= 3:
        return Invalid("several_fences", "fence")
    if fences == 1 and FENCE_LINE.match(text):
        return Invalid("unclosed_fence", "fence")
    if fences == 2:
        return Invalid("prose_around", "fence")
    value = strict_object(text)
    return value if isinstance(value, Invalid) else Invalid("not_json", "strict_json")


class _Case(msgspec.Struct, frozen=True):
    raw: str | None
    finish_reason: str | None = None


class JsonReader:
    """One strict JSON object."""

    name = "json"
    version = 1
    rules = (
        "One strict JSON object with answerable (Boolean), answer (text or null) and reason (not blank), unique keys,"
        " nothing around it but white space; counted apart: closed reasoning blocks before it, one code fence around"
        " it. Unanswerable needs a null answer; answerable with a null answer meets the decision and fails the"
        " answer. Nothing is repaired; a cut reply counts only when its object is complete."
    )

    def read(self, text: str | None, status: ReplyStatus, _item: Item, /) -> Reading:
        """The reading of a reply."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        found = _parse(text, status)
        return found if isinstance(found, Invalid) else _fields(*found)

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"raw", optional "finish_reason"}`` -> ``{"valid", "fields"}``."""
        given = case_input(case, _Case)
        status = status_of(given.raw, given.finish_reason)
        reading = self.read(given.raw, status, Item())
        if isinstance(reading, Invalid) or given.raw is None:
            why = f"{reading.why}: " if isinstance(reading, Invalid) else ""
            return CaseReading({"valid": False, "fields": None}, f"{why}{reading.rule}")
        found = _parse(given.raw, status)
        value = {} if isinstance(found, Invalid) else found[0]
        fields = {key: value[key] for key in ("answerable", "answer", "reason")}
        return CaseReading({"valid": True, "fields": fields}, reading.rule)


READER = JsonReader()
