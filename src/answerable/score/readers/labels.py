"""A label before the text: ``B. blue``, ``(B) blue``, ``B - blue``, ``B because ...``."""

from __future__ import annotations

import re

import msgspec

from answerable.score.readers.choices import (
    abstains,
    article,
    joined,
    line_at,
    offered,
    options_named,
    whole_letter,
    with_text,
)
from answerable.score.readers.declared import ANOTHER, FIRM_CONNECTIVE
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.unanswerable import label_end, says_unanswerable
from answerable.score.readers.wrappers import peel, tidy

_LABEL = re.compile(r"([A-Za-z])(?:([.)\]:,;、。]+)| (-|–|—) )")
_WRAPPED_LABEL = re.compile(
    r"(?:\(([A-Za-z])\)|\[([A-Za-z])\]|\*\*\(?([A-Za-z])[.):]{0,2}\*\*|`([A-Za-z])`|\$([A-Za-z])\$)[.:,)]?"
)

#: A line that may be a letter with its text.
_LINE_LABEL = re.compile(r"[*_`]{0,3}(?:\(([A-Za-z])\)|([A-Za-z])[.):])[*_`]{0,3} ?(.*)")
#: Lines at the end of a reply in which choices are looked for.
_LINES = 1000


def _echo(text: str, item: Item) -> bool:
    """Whether the reply repeats the whole list of options, in order, each with its label."""
    position = 0
    first = next(iter(item.options), "")
    if not text[:2].lstrip("(").upper().startswith(first.upper()):
        return False
    for letter, option in item.options.items():
        found = re.compile(rf"(?<!\w)\(?{re.escape(letter)}[.):] ?{re.escape(tidy(option))}(?!\w)", re.IGNORECASE)
        match = found.search(text, position) if len(item.options) > 1 else None
        if match is None or (position == 0 and match.start() > 0):
            return False
        position = match.end()
    return True


def leading_label(text: str, item: Item) -> Reading | None:
    """A label before the text: ``B. blue``, ``(B) blue``, ``B - blue``, ``B blue``, ``B because ...``."""
    if _echo(text, item):
        return Invalid("several_choices", "leading_label")
    first, _, others = text.partition("\n")
    alone = whole_letter(first, item) if others else None
    if alone is not None:
        return _first_line(alone, others, item)
    wrapped = _WRAPPED_LABEL.match(text)
    if wrapped is not None:
        letter, end, other = str(wrapped[wrapped.lastindex or 0]), wrapped.end(), wrapped.end()
    elif (match := _LABEL.match(text)) is not None:
        letter, end, other = match[1], match.end(), match.end(1)
    else:
        return _unmarked_label(text, item)
    another = ANOTHER.match(text, other)
    if another is not None and not joined(text, another.end()) and not article(text, another.end(), another[1]):
        return Invalid("several_choices", "leading_label")
    rest = line_at(text, end)
    if wrapped is None and letter.upper() not in options_named(rest, item) and _word(text, letter, end, rest):
        return None
    return with_text(letter.upper(), rest, "leading_label", item)


def _word(text: str, letter: str, end: int, rest: str) -> bool:
    """Whether a letter and its mark belong to the text after them: ``A.M.``, ``C:x``, ``I, too``, ``a, then``.

    ``A: no`` is an answer to a question, not the choice of A.
    """
    mark = text[1:end].strip()
    glued = mark not in "-–—" and rest[:1].isascii() and not rest[:1].isspace() and rest != ""
    spoken = mark == "," and (letter.upper() == "I" or letter.islower()) and rest.strip() != ""
    answers = mark.startswith(":") and letter.upper() == "A" and rest.strip() != ""
    return glued or spoken or answers


def _first_line(reading: Reading, others: str, item: Item) -> Reading:
    """A letter on a line of its own, then text: unless another line is another letter, or another option's text."""
    for line in others.split("\n", 50)[:50]:
        again = whole_letter(line, item) if len(line) <= 12 else None
        if again is not None and again != reading:
            return Invalid("several_choices", "leading_label")
    if not isinstance(reading, Answered | Abstained):
        return reading
    letter = reading.text if isinstance(reading, Answered) else item.abstain_letter
    return with_text(letter or "", others, "leading_label", item)


def _unmarked_label(text: str, item: Item) -> Reading | None:
    letter = text[:1]
    if not (letter.isascii() and letter.isalpha() and text[1:2] in (" ", "\n")):
        return None
    rest = line_at(text, 2)
    if letter.upper() in options_named(rest, item):
        return offered(letter.upper(), "leading_label", item)
    if letter.isupper() and FIRM_CONNECTIVE.match(text, 1):
        return offered(letter, "leading_label", item)
    return None


def unanswerable_label(text: str, item: Item) -> Reading | None:
    """The label "Unanswerable", then its explanation; a letter on a line of its own contradicts it."""
    end = label_end(text)
    if end is None:
        return None
    for line in text[end:].split("\n", 50)[:50]:
        alone = whole_letter(line.strip(" .,;"), item) if len(line) <= 12 else None
        if isinstance(alone, Answered):
            return Invalid("several_choices", "unanswerable_label")
    return Abstained("unanswerable_label")


def last_line(text: str, item: Item) -> Reading | None:
    """A choice on the last line, after an explanation: a letter alone, a letter with its own text, "Unanswerable".

    No other line may be a choice, or the reply lists the options; nor may the explanation abstain.
    """
    *before, last = text.rsplit("\n", _LINES)[-_LINES:]
    reading = _line_choice(last, item)
    if not before or reading is None:
        return None
    if any(_line_choice(line, item) not in (None, reading) for line in before):
        return Invalid("several_choices", "last_line")
    explained = text[: len(text) - len(last)]
    if isinstance(reading, Answered) and abstains(explained):
        return Invalid("contradiction", "last_line")
    return reading


def _line_choice(line: str, item: Item) -> Reading | None:
    if len(line) > 400:
        return None
    line = peel(line)
    reading = whole_letter(line, item)
    if reading is None and says_unanswerable(line):
        return Abstained("last_line")
    if reading is None and (match := _LINE_LABEL.match(line)) is not None:
        letter = (match[1] or match[2]).upper()
        reading = offered(letter, "last_line", item) if letter in options_named(match[3], item) else None
    if reading is None or isinstance(reading, Invalid):
        return None
    return msgspec.structs.replace(reading, rule="last_line")
