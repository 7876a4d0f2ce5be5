"""Yes/No/Unanswerable and choices as the public evaluator of TUBench matches them, for comparison with the paper.

The paper (appendix C.1) speaks of heuristic matching; the scripts that the authors published say which. The rules are
theirs, in our words and code. Two things are ours:

- A reply in which nothing is found answers with nothing: answerable, and never right. The scripts write down ``Yes`` or
  ``(a)`` for it, which is right wherever that happens to be the label.
- The text of a failed call that was stored as if it were a reply is unread. There it is ``Yes`` or ``(a)`` too.
"""

from __future__ import annotations

import re

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.cues import failed_call
from answerable.score.readers.options import OptionsReader
from answerable.score.readers.reading import MAX_REPLY, Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.yes_no import YesNoReader

#: Splits words wherever it stands; a comma, colon, full stop or apostrophe does beside some characters only.
_SPLITS = r"\s;@#$%&?!*\[\](){}<>\"`«»“”„‘’‒–—―"
#: A label as a word of its own, where a Treebank tokeniser of lower-case English text makes it one.
_WORD = re.compile(
    rf"(?:(?<![\s\S])|(?<=[{_SPLITS},:])|(?<=--)|(?<=\.\.)|(?<=(?<!\w)'))"
    r"(yes|no|unanswerable)"
    rf"(?=$|[{_SPLITS}]|[,:](?!\d)|--|\.\.|'[smd]?(?:[{_SPLITS}]|$)|\.(?:[?!)\";}}\]*:@'({{\[]|[>»”’]*(?:\s|$)))"
)
#: The letters that the scripts know.
_LETTERS = "abcd"
_NOTHING = "published_nothing_found"


def label_words(text: str) -> frozenset[str]:
    """Those of yes, no and unanswerable that occur as words, in any case."""
    return frozenset(match[1] for match in _WORD.finditer(text.lower()))


def published_label(text: str) -> Reading:
    """Unanswerable beats Yes, and Yes beats No, wherever they stand."""
    found = label_words(text)
    if "unanswerable" in found:
        return Abstained("published_word")
    if not found:
        return Answered(None, _NOTHING)
    return Answered("Yes" if "yes" in found else "No", "published_word")


def published_choice(text: str, item: Item) -> Reading:
    """The first letter of a to d with one of its five forms anywhere; unanswerable; a lone letter; a choice's text.

    A letter that was not offered answers with nothing.
    """
    lowered = text.lower().strip()
    for letter in _LETTERS:
        # "(a)" holds "a)".
        forms = (f"{letter})", f"answer: {letter}", f"option {letter}", f"answer is {letter}")
        if any(form in lowered for form in forms):
            return _letter(letter, "published_form", item)
    if "unanswerable" in lowered:
        return Abstained("published_word")
    for letter in _LETTERS:
        if lowered in (letter, f"{letter}."):
            return _letter(letter, "published_lone_letter", item)
    for letter in _LETTERS:
        if letter.upper() in item.options and item.options[letter.upper()].lower() in lowered:
            return _letter(letter, "published_text", item)
    return Answered(None, _NOTHING)


def _letter(letter: str, rule: str, item: Item) -> Reading:
    if letter.upper() == item.abstain_letter:
        return Abstained(rule)
    return Answered(letter.upper() if letter.upper() in item.options else None, rule)


def _settled(text: str | None, status: ReplyStatus) -> Reading | None:
    """What is settled before matching: a filter's refusal and a failed call stay unread, no text answers with nothing.

    A reply that was cut is matched like any other.
    """
    if status == "refused":
        return Invalid("refused", "status")
    if status == "empty" or text is None or not text.strip() or len(text) > MAX_REPLY:
        return Answered(None, _NOTHING)
    return Invalid("no_choice", "failed_call") if failed_call(text) else None


class PublishedYesNoReader(YesNoReader):
    """Yes, No or Unanswerable, as the public evaluator finds them."""

    name = "yes-no-published"
    version = 1
    rules = (
        "As the paper's public evaluator: Unanswerable where that word stands anywhere in the reply, else Yes where"
        " that word does, else No. A reply with none of them answers with nothing: answerable, and never right."
        " Refusals by a content filter and the text of failed calls are unread."
    )

    def read(self, text: str | None, status: ReplyStatus, _item: Item, /) -> Reading:
        """The reading of a reply."""
        return _settled(text, status) or published_label(text or "")


class PublishedChoiceReader(OptionsReader):
    """One of the choices (a) to (d) or Unanswerable, as the public evaluator finds them."""

    name = "choice-published"
    version = 1
    rules = (
        "As the paper's public evaluator: the first of the letters a to d for which `(a)`, `a)`, `answer: a`,"
        " `option a` or `answer is a` stands anywhere, in either case; else Unanswerable where that word stands"
        " anywhere; else a letter alone, or with a full stop; else the first choice whose text stands anywhere. A reply"
        " with none of them answers with nothing: answerable, and never right. Refusals by a content filter and the"
        " text of failed calls are unread."
    )

    def read(self, text: str | None, status: ReplyStatus, item: Item, /) -> Reading:
        """The reading of a reply to a question with ``item.options``."""
        return _settled(text, status) or published_choice(text or "", item)


YES_NO = PublishedYesNoReader()
CHOICE = PublishedChoiceReader()
