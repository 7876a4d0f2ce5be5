"""Text answers: NFKC, lower case, white space collapsed, then equality (paper, appendix B).

Nothing else is mapped: punctuation, quotes, minus signs, zero-width characters and look-alike letters stay.
Never use this form for numbers: NFKC makes ``10²`` equal to ``102``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.reading import Answered, CaseReading, Invalid, Item, Reading, case_input, unreadable


def normalise(text: str) -> str:
    """The form in which texts are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def same_text(one: str, other: str) -> bool:
    """Equality after normalising."""
    return normalise(one) == normalise(other)


class _Pair(msgspec.Struct, frozen=True):
    a: str
    b: str


class _Single(msgspec.Struct, frozen=True):
    text: str


class TextReader:
    """The whole reply is the answer."""

    name = "text"
    version = 1
    rules = "The whole reply is the answer; compared after NFKC, lower case and collapsed white space."

    def read(self, text: str | None, status: ReplyStatus, _item: Item, /) -> Reading:
        """The reply as it stands, white space trimmed; a cut one is not an answer."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        if status == "truncated":
            return Invalid("truncated", "status")
        return Answered(text.strip(), "whole_text")

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"a", "b"}`` -> whether they are equal; ``{"text"}`` -> the normal form."""
        if "a" in case or "b" in case:
            pair = case_input(case, _Pair)
            return CaseReading(same_text(pair.a, pair.b), "normal_form")
        return CaseReading(normalise(case_input(case, _Single).text), "normal_form")


READER = TextReader()
