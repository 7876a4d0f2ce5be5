"""What a reading is: ``Answered``, ``Abstained`` or ``Invalid``, always with the rule that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from answerable.core.errors import InputError
from answerable.core.records import Record
from answerable.core.runlog import ReplyStatus

#: Longest reply that is read at all, in characters. Far above any answer, reasoning included.
MAX_REPLY = 1_000_000

#: Why a reply cannot be read. A fixed vocabulary: reports count by it.
Why = Literal[
    # the reply as a whole
    "empty",  # no text
    "refused",  # a content filter, a refusal field, or a refusal in words
    "truncated",  # cut at the token limit before it said anything that can be relied on
    "too_long",
    "unclosed_reasoning",  # a reasoning block that never ends
    # a JSON object was due
    "not_json",
    "not_an_object",
    "duplicate_key",
    "missing_key",
    "wrong_type",
    "blank_reason",
    "contradiction",  # unanswerable with an answer; a label and a text that disagree
    "prose_around",
    "several_objects",
    "several_fences",
    "unclosed_fence",
    "too_deep",
    "lone_surrogate",
    # a letter, a label or a number was due
    "no_choice",  # nothing that names one of the choices
    "several_choices",
    "outside_options",  # a letter that was not offered
    "not_a_number",
    # a judge was asked about a reply that could not be read, and it stays unread
    "judge_failed",  # the call failed
    "judge_refused",
    "judge_truncated",
    "judge_unread",  # the judge said something else than one offered letter
    "judge_unclear",  # the judge found no clear choice in the reply
]


class Answered(Record, frozen=True, tag="answered"):
    """The reply answers."""

    text: str | None
    """The answer; None when it says answerable and gives none, which meets the decision and fails the answer."""
    rule: str
    """Name of the rule that decided."""


class Abstained(Record, frozen=True, tag="abstained"):
    """The reply abstains."""

    rule: str
    """Name of the rule that decided."""


class Invalid(Record, frozen=True, tag="invalid"):
    """The reply cannot be read. Never an abstention, never a guess, never dropped."""

    why: Why
    """Which kind of unreadable."""
    rule: str
    """Name of the rule that decided."""


Reading = Answered | Abstained | Invalid


class Item(Record, frozen=True):
    """What a reader must know of the question."""

    options: dict[str, str] = msgspec.field(default_factory=dict)
    """Letter -> text of the offered options."""
    abstain_letter: str | None = None
    """The offered option that abstains."""
    abstain_instructed: bool = False
    """The prompt allowed abstaining."""
    withheld: str = ""
    """The text of the right option, where it was taken away: naming it in words abstains."""


class CaseReading(Record, frozen=True):
    """What ``answerable read`` prints for one line."""

    reading: Any
    """In the shape of the case's ``expected``."""
    rule: str


class Reader(Protocol):
    """Reads one kind of reply."""

    name: str
    version: int
    """Goes up whenever a reading may change."""
    rules: str
    """The rules in words, for reports."""

    def read(self, text: str | None, status: ReplyStatus, item: Item, /) -> Reading:
        """The reading of a reply; never raises, whatever the text."""

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """Read one input object of ``answerable read``.

        Raises:
            InputError: the object has not the fields of this reader.
        """


T = TypeVar("T")


def case_input(case: Mapping[str, object], kind: type[T]) -> T:
    """The input object as a record; fields it does not know are left alone.

    Raises:
        InputError: a field is missing or of another type.
    """
    try:
        return msgspec.convert(case, kind)
    except msgspec.ValidationError as error:
        fields = ", ".join(getattr(kind, "__struct_fields__", ()))
        raise InputError(f"an input object with the fields {fields}", str(error)) from error


def status_of(text: str | None, finish_reason: str | None) -> ReplyStatus:
    """The status a runner would have stored for this text and finish reason."""
    if finish_reason == "content_filter":
        return "refused"
    if text is None or not text.strip():
        return "empty"
    return "truncated" if finish_reason == "length" else "complete"


def unreadable(text: str | None, status: ReplyStatus) -> Invalid | None:
    """What is settled before any text is looked at: refused, empty, too long."""
    if status == "refused":
        return Invalid("refused", "status")
    if status == "empty" or text is None or not text.strip():
        return Invalid("empty", "status" if status == "empty" else "no_text")
    if len(text) > MAX_REPLY:
        return Invalid("too_long", "length")
    return None
