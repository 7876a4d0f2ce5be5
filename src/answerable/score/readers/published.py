"""Multiple choice exactly as the paper on unsolvable problems matches it (appendix E.2), for comparison with it.

An option is chosen by its letter alone, or by ``A) x``, ``A. x``, ``A, x`` or ``(A) x`` where ``x`` includes no other
choice. Everything else is unread and may go to a judge.
"""

from __future__ import annotations

import re

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.choices import offered
from answerable.score.readers.options import OptionsReader
from answerable.score.readers.reading import Invalid, Item, Reading, unreadable

#: The forms of the paper. A blank, or nothing, follows the mark.
_FORMS = re.compile(r"(?:([A-Z])[).,]|\(([A-Z])\))(?:\s(.*))?", re.DOTALL)


def strict_letter(text: str, item: Item) -> Reading | None:
    """The letter that the paper's forms give, or None."""
    text = text.strip()
    if text in item.options:
        return offered(text, "letter", item)
    match = _FORMS.fullmatch(text)
    if match is None:
        return None
    letter = match[1] or match[2]
    others = "".join(re.escape(other) for other in item.options if other != letter)
    if letter not in item.options or (others and re.search(rf"(?<!\w)[{others}](?!\w)", match[3] or "")):
        return None
    return offered(letter, "letter_in_brackets" if match[2] else "letter_with_text", item)


class PublishedReader(OptionsReader):
    """One of several lettered options, in the forms of the paper only."""

    name = "mcq-published"
    version = 1
    rules = (
        "As in the paper: the reply is one offered letter alone, or `A) x`, `A. x`, `A, x`, `(A) x`; capital letters,"
        " x may be empty. 'Without the inclusion of other choices' is read as: x holds no other offered letter as a"
        " capital word of its own, the article A included. Everything else is unread, wordings that abstain too; a"
        " judge may read it."
    )

    def read(self, text: str | None, status: ReplyStatus, item: Item, /) -> Reading:
        """The reading of a reply to a question with ``item.options``."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        if status == "truncated":
            return Invalid("truncated", "status")
        return strict_letter(text, item) or Invalid("no_choice", "no_form")


READER = PublishedReader()
