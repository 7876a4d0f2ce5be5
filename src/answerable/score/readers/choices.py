"""What every rule of multiple choice stands on: an offered letter, the text of an option, a whole letter."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from answerable.score.readers.cues import abstention
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.text import normalise
from answerable.score.readers.unanswerable import says_unanswerable
from answerable.score.readers.wrappers import peel_label

#: Letters that are words of their own: "A dog", "I think".
WORDS = "AI"
#: Options longer than this are not compared with the reply's text.
MAX_TEXT = 2_000
#: Texts up to this length are remembered once they were brought into the form for comparison.
_SHORT = 100
#: What may stand before a letter, or, in Chinese, after it.
_NAMES = ("option ", "choice ", "letter ", "opción ", "opção ", "opzione ", "letra ", "选项", "選項")


def joined(text: str, position: int) -> bool:
    """Whether the character at ``position`` belongs to the word that ends there: a letter is then inside a word."""
    char = text[position : position + 1]
    if not char:
        return False
    if char in "'’" and text[position + 1 : position + 2].isalpha():
        return True
    if char in "-‐‑" and text[position + 1 : position + 2].isalnum():
        return True
    # Chinese, Japanese and Korean put no space after a letter; other scripts do.
    return char == "_" or unicodedata.combining(char) > 0 or (char.isalnum() and ord(char) < 0x2E80)


def offered(letter: str, rule: str, item: Item) -> Reading:
    """The reading of a letter: an answer, an abstention, or outside of what was offered."""
    if letter == item.abstain_letter:
        return Abstained(rule)
    return Answered(letter, rule) if letter in item.options else Invalid("outside_options", rule)


def bare_text(text: str) -> str:
    """The form in which a reply's text and an option's are compared."""
    return _bare_short(text) if len(text) <= _SHORT else _bare(text[:MAX_TEXT])


def _bare(text: str) -> str:
    return normalise(peel_label(text)).strip(" .!。")


#: Options come back with every reply, and many replies are alike.
_bare_short = lru_cache(maxsize=8192)(_bare)


def options_named(text: str, item: Item) -> tuple[str, ...]:
    """Letters of the options whose whole text this is."""
    wanted = bare_text(text)
    if not wanted:
        return ()
    return tuple(letter for letter, option in item.options.items() if bare_text(option) == wanted)


def names_withheld(text: str, item: Item) -> bool:
    """Whether this is the text of the right option that was taken away, and no offered option has the same."""
    wanted = bare_text(item.withheld) if item.withheld else ""
    return wanted != "" and bare_text(text) == wanted and not options_named(text, item)


def with_text(letter: str, rest: str, rule: str, item: Item) -> Reading:
    """The reading of a label, unless the text after it is another option's."""
    named = options_named(rest, item)
    if names_withheld(rest, item):
        known = letter in item.options or letter == item.abstain_letter
        return Invalid("contradiction", rule) if known else Abstained("removed_answer")
    if named and letter not in named:
        return Invalid("contradiction", rule)
    if not named and letter != item.abstain_letter and says_unanswerable(rest):
        # "B. Unanswerable" says two things; "E. Unanswerable", where E was not offered, one.
        return Invalid("contradiction", rule) if letter in item.options else Abstained("unanswerable_label")
    again = None if named else whole_letter(rest, item)
    if isinstance(again, Answered | Abstained) and again != offered(letter, "whole_letter", item):
        return Invalid("several_choices", rule)
    return offered(letter, rule, item)


def whole_letter(text: str, item: Item) -> Reading | None:
    """The whole reply is one letter once marks are peeled: ``**(B)**``, ``Option B.``, ``\\boxed{b}``."""
    if len(text) > 200:
        return None
    bare = peel_label(text)
    if len(bare) > 1 and not bare.lower().startswith(_NAMES) and not bare.endswith(_NAMES):
        return None
    for word in _NAMES:
        if bare.lower().startswith(word):
            bare = peel_label(bare[len(word) :])
        bare = bare.removesuffix(word) if not word.isascii() else bare
    if len(bare) != 1 or not bare.isascii() or not bare.isalpha():
        return None
    # A letter that is no label may still be an option's text: the sides of a triangle, the variable asked for.
    return (
        None
        if bare.upper() not in item.options and (options_named(bare, item) or names_withheld(bare, item))
        else offered(bare.upper(), "whole_letter", item)
    )


def line_at(text: str, start: int) -> str:
    """The rest of the line; one longer than any option is cut, and then names none."""
    end = text.find("\n", start, start + MAX_TEXT)
    return text[start : end if end >= 0 else start + MAX_TEXT]


def abstains(text: str) -> str | None:
    """How a text abstains; "None" alone picks none of the options."""
    return "none" if len(text) < 40 and bare_text(text) == "none" else abstention(text)


def article(text: str, end: int, letter: str) -> bool:
    """Whether a letter is the article or pronoun of what follows: ``, a lorry``, ``and I think``."""
    follows_word = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    return follows_word and (letter.upper() in WORDS or letter.islower())
