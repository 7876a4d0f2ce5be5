"""Self-reflection: the second turn says whether the first reply is true; "false" withdraws it.

Source: the paper on unsolvable problem detection, appendix C.1 and table F.
"""

from __future__ import annotations

import re

import msgspec

from answerable.core.runlog import Reply
from answerable.score.readers.reading import Abstained, Invalid, Reading, unreadable
from answerable.score.readers.wrappers import peel

#: Rules that this module decides by.
WITHDRAWN, RULE = "withdrawn", "reflection"
_SAID = re.compile(r"(?:(?:answer|option) ?:? ?)?(?:\(?([12])\)?[.):]{0,2})? ?(true|false)?[.!]?", re.IGNORECASE)


def first_turn(reply: Reply) -> Reply:
    """The reply that holds the answer: of two turns the first, which is only shown back when it is complete."""
    if reply.earlier is None:
        return reply
    return msgspec.structs.replace(reply, text=reply.earlier, status="complete", earlier=None)


def stands(text: str) -> bool | None:
    """Whether a second turn lets the first reply stand; None when it says neither, or both."""
    match = _SAID.fullmatch(peel(text[:200]).strip()) if len(text) <= 200 else None
    if match is None or not (match[1] or match[2]):
        return None
    by_number = None if match[1] is None else match[1] == "1"
    by_word = None if match[2] is None else match[2].lower() == "true"
    if by_number is not None and by_word is not None and by_number != by_word:
        return None
    return by_word if by_number is None else by_number


def reflected(first: Reading, reply: Reply, *, published: bool) -> Reading:
    """The reading of both turns together.

    A second turn that cannot be read leaves the whole unread: whether the answer was withdrawn is not known. The paper
    keeps the answer then, and so does ``published``.
    """
    if reply.earlier is None:
        return first
    bad = unreadable(reply.text, reply.status)
    said = None if bad is not None or reply.text is None or reply.status == "truncated" else stands(reply.text)
    if said is False:
        return Abstained(WITHDRAWN)
    if said or published:
        return first
    if bad is not None:
        return Invalid(bad.why, RULE)
    return Invalid("truncated" if reply.status == "truncated" else "no_choice", RULE)
