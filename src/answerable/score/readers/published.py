"""Multiple choice exactly as the paper on unsolvable problems matches it (appendix E.2), for comparison with it.

An option is chosen by its letter alone, or by ``A) x``, ``A. x``, ``A, x`` or ``(A) x`` where ``x`` includes no other
choice. Everything else is unread and may go to a judge.
"""

from __future__ import annotations

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.choices import offered
from answerable.score.readers.options import OptionsReader
from answerable.score.readers.reading import Invalid, Item, Reading, unreadable

#: What may follow a letter that begins a reply; another letter followed by one of these is another choice.
_MARKS = ".),"
#: The letters that the authors' evaluator knows as choices, offered or not.
_CHOICES = "ABCDEFG"


def strict_letter(text: str, item: Item) -> Reading | None:
    """The letter that the paper's forms give, or None."""
    text = text.strip()
    if text in item.options:
        return offered(text, "letter", item)
    letter = text[1:2] if text.startswith("(") and text[2:3] == ")" else text[:1]
    bracketed = text.startswith("(")
    if letter not in item.options or not (bracketed or text[1:2] in tuple(_MARKS)):
        return None
    others = {*_CHOICES, *item.options} - {letter}
    if any(other + mark in text for other in others for mark in _MARKS):
        return None
    return offered(letter, "letter_in_brackets" if bracketed else "letter_with_text", item)


class PublishedReader(OptionsReader):
    """One of several lettered options, in the forms of the paper only."""

    name = "mcq-published"
    version = 1
    rules = (
        "As in the paper: the reply is one offered letter alone, or begins `A)`, `A.`, `A,` or `(A)`; capital letters,"
        " anything may follow. 'Without the inclusion of other choices' is read as the authors' evaluator reads it: no"
        " other letter from A to G, offered or not, stands before a full stop, a closing bracket or a comma anywhere in"
        " the reply. Everything else is unread, wordings that abstain too; a judge may read it."
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
