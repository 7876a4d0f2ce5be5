"""The two forms: what a reviewer says of a group, and of a reply with its explanation."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Mapping
from typing import Literal, Protocol, TypeVar

import msgspec

from answerable.core.codec import decode
from answerable.core.errors import ReviewError
from answerable.core.records import Record

FormName = Literal["group", "explanation"]
YesNo = Literal["yes", "no"]
Grade = Literal["correct", "partial", "wrong", "none"]
Kind = Literal["hallucination", "calculation", "other"]
KINDS: tuple[Kind, ...] = ("hallucination", "calculation", "other")
GRADES: tuple[Grade, ...] = ("correct", "partial", "wrong", "none")
#: Of a reason, a remark and a reviewer's name, in characters.
MAX_TEXT, MAX_NAME = 500, 60
#: Reasons to drop a group, each on a digit; any other is typed.
REASONS = (
    "the answer is wrong",
    "the question is not about the image",
    "it can be answered without the image",
    "the strategy does not hold",
    "the question is ambiguous",
    "the picture cannot be read",
    "it repeats another group",
)


class GroupVote(Record, frozen=True):
    """What one reviewer says of a group."""

    decision: Literal["keep", "drop"]
    image: YesNo | None = None
    """Whether the question is about the image. None: not answered, which only a drop may leave open."""
    answer: YesNo | None = None
    """Whether the obligation is right."""
    strategy: Literal["yes", "no", "not_applicable"] | None = None
    """Whether what was done to make it unanswerable holds."""
    reason: str = ""
    """Needed to drop."""


class ExplanationVote(Record, frozen=True):
    """What one reviewer says of a reply (TUBench, explanation review)."""

    answer: Grade
    """``none``: the reply gives none."""
    explanation: Grade
    kinds: tuple[Kind, ...] = ()
    """What is wrong with the explanation: one or more where it is wrong, any number where it is partial."""
    note: str = ""


Vote = GroupVote | ExplanationVote
V = TypeVar("V", GroupVote, ExplanationVote)


class Form(Protocol):
    """One form."""

    name: FormName
    questions: Mapping[str, str]
    """What agreement is measured on: name -> words."""

    def read(self, body: bytes) -> Vote:
        """A vote from JSON.

        Raises:
            ReviewError: it is not one, or something it needs is missing.
        """

    def answers(self, vote: Vote) -> Mapping[str, str | None]:
        """Question -> what was said; None where it was left open."""

    def verdict(self, vote: Vote) -> Hashable:
        """What two votes must share not to be a conflict."""


class GroupForm:
    """Keep or drop a group."""

    name: FormName = "group"
    questions: Mapping[str, str] = {
        "image": "is the question about the image?",
        "answer": "is the answer right?",
        "strategy": "does the strategy hold?",
        "decision": "keep or drop",
    }

    def read(self, body: bytes) -> GroupVote:
        """See ``Form.read``."""
        vote = _decoded(body, GroupVote)
        vote = msgspec.structs.replace(vote, reason=clean(vote.reason))
        if vote.decision == "drop" and not vote.reason:
            raise ReviewError("a reason to drop", "none", fix="choose one from the list, or type one")
        if vote.decision == "keep" and None in (vote.image, vote.answer, vote.strategy):
            raise ReviewError("all three questions answered to keep", "one left open", fix="answer it (keys 1, 2, 3)")
        return vote

    def answers(self, vote: Vote) -> Mapping[str, str | None]:
        """See ``Form.answers``."""
        if not isinstance(vote, GroupVote):
            raise TypeError("expected a vote on a group")
        return {"image": vote.image, "answer": vote.answer, "strategy": vote.strategy, "decision": vote.decision}

    def verdict(self, vote: Vote) -> Hashable:
        """Keep or drop."""
        return self.answers(vote)["decision"]


class ExplanationForm:
    """Grade the answer and the explanation of a reply."""

    name: FormName = "explanation"
    questions: Mapping[str, str] = {
        "answer": "the answer: correct, partial, wrong, none",
        "explanation": "the explanation: correct, partial, wrong, none",
        "hallucination": "the explanation sees what is not there",
        "calculation": "the explanation calculates wrongly",
        "other": "the explanation is wrong in another way",
    }

    def read(self, body: bytes) -> ExplanationVote:
        """See ``Form.read``."""
        vote = _decoded(body, ExplanationVote)
        kinds = tuple(kind for kind in KINDS if kind in vote.kinds)
        vote = msgspec.structs.replace(vote, note=clean(vote.note), kinds=kinds)
        if vote.explanation == "wrong" and not kinds:
            raise ReviewError(
                "what is wrong with the explanation",
                "nothing said",
                fix="hallucination, calculation or other (h, c, o)",
            )
        if kinds and vote.explanation not in ("wrong", "partial"):
            raise ReviewError(
                "kinds of error with an explanation that is wrong or partial", f"explanation={vote.explanation}"
            )
        return vote

    def answers(self, vote: Vote) -> Mapping[str, str | None]:
        """See ``Form.answers``."""
        if not isinstance(vote, ExplanationVote):
            raise TypeError("expected a vote on an explanation")
        said: dict[str, str | None] = {"answer": vote.answer, "explanation": vote.explanation}
        return said | {kind: "yes" if kind in vote.kinds else "no" for kind in KINDS}

    def verdict(self, vote: Vote) -> Hashable:
        """Both grades."""
        found = self.answers(vote)
        return found["answer"], found["explanation"]


FORMS: Mapping[FormName, Form] = {"group": GroupForm(), "explanation": ExplanationForm()}


def _decoded(body: bytes, kind: type[V]) -> V:
    try:
        return decode(body, kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReviewError("a vote of this form", str(error)[:160]) from error


def clean(text: str, longest: int = MAX_TEXT) -> str:
    """Text that somebody typed, in one line, composed, without control characters.

    Raises:
        ReviewError: it is longer than ``longest`` characters.
    """
    shown = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign
        for sign in unicodedata.normalize("NFC", text)
        if unicodedata.category(sign) not in ("Cf", "Cs", "Co", "Cn")
    )
    shown = " ".join(shown.split())
    if len(shown) > longest:
        raise ReviewError(f"at most {longest} characters", f"{len(shown)}", fix="say it shorter")
    return shown


def clean_name(text: str) -> str:
    """A reviewer's name.

    Raises:
        ReviewError: nothing is left of it, or it is too long.
    """
    name = clean(text, MAX_NAME)
    if not name:
        raise ReviewError("a reviewer's name", "none", fix="type your name once; it stands in the exported decisions")
    return name
