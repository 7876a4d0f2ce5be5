"""The text of a reply that is compared, the words taken out of it first, and whether it holds the ground truth."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from answerable.core.consistency import Stripped
from answerable.core.records import Answer, View
from answerable.core.words import target_text
from answerable.score.compare_answers import same_answer
from answerable.score.readers.text import normalise

#: Characters of a reply that are compared at most. Sentence embedders read far less of it.
LONGEST = 10_000
#: The masking task only (MM-R3, appendix A.4): replies repeat the question ("the masked region is ..."), which says
#: nothing of the object and would make any two of them alike. The paper names some of these words and "etc."
STRIPPED = Stripped(
    variations=("occlude",),
    phrases=(
        "what kind of object", "kind of object", "in the masked region", "the masked region", "masked region",
        "in the marked region", "the marked region", "marked region", "masked area", "masked object",
        "masked part", "hidden object", "covered object", "the image", "the picture", "image", "picture", "photo",
    ),
    words=(
        "a", "an", "and", "appears", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in", "is", "it",
        "its", "likely", "of", "on", "or", "seems", "that", "the", "there", "this", "to", "was", "were", "with",
    ),
)  # fmt: skip

_EDGES = " \t\n.,;:!?\"'`“”‘’…。，；：！？、()[]"
#: Scripts written without spaces between words: every character may begin or end one.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_MINUS = "-−"


def plain(text: str) -> str:
    """The form in which texts are equal: NFKC, lower case, white space collapsed, no marks at either end."""
    return normalise(text).strip(_EDGES)


@cache
def _taken_out(stripped: Stripped) -> re.Pattern[str]:
    longest = sorted((*stripped.phrases, *stripped.words), key=len, reverse=True)
    inside = "|".join(re.escape(words).replace(r"\ ", r"\s+") for words in longest)
    return re.compile(rf"(?<!\w)(?:{inside})(?!\w)", re.IGNORECASE)


def without_repeats(text: str, variation: str, stripped: Stripped = STRIPPED) -> str:
    """The reply without what it repeats from the question; unchanged for other variations.

    May leave nothing, when the reply says nothing else.
    """
    if variation not in stripped.variations:
        return text
    return " ".join(_taken_out(stripped).sub(" ", text).split()).strip(_EDGES)


def bounded(text: str) -> str:
    """The beginning of the text that is compared; half a surrogate pair, which no encoder takes, becomes ``?``."""
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")


def truth_text(view: View) -> str | None:
    """What a reply must say, in words: the option's text where a letter is due; None where it must abstain."""
    if not isinstance(view.obligation, Answer):
        return None
    target = view.obligation.target
    offered = {option.letter: option.text for option in view.options}
    return offered.get(target, target_text(target, view.obligation.type))


def given_text(view: View, answer: str) -> str:
    """What a reply says, in words: the option's text where it names a letter."""
    return next((option.text for option in view.options if option.letter == answer), answer)


def is_right(view: View, answer: str, *, published: bool = False) -> bool | None:
    """Whether the reply holds the ground truth, case ignored; None where the view has none.

    As whole words, or equal by exact value where both are numbers; ``published``: as any substring, as in the paper.
    """
    truth = truth_text(view)
    if truth is None or not isinstance(view.obligation, Answer):
        return None
    said, due = normalise(given_text(view, answer)), normalise(truth)
    if published:
        return bool(due) and due in said
    return holds(said, due) or same_answer(view.obligation, answer)


def holds(text: str, words: str) -> bool:
    """Whether normalised ``words`` stand in a normalised ``text`` as whole words.

    A number does not stand in a longer one (``7`` in ``17``, ``7.5`` or ``-7``). In scripts without spaces every
    character is a word's end.
    """
    if not words:
        return False
    start = text.find(words)
    while start >= 0:
        if _free_before(text, start) and _free_after(text, start + len(words)):
            return True
        start = text.find(words, start + 1)
    return False


def _joins(one: str, other: str) -> bool:
    """Whether two characters beside each other belong to one word."""
    if _UNSPACED.match(one) or _UNSPACED.match(other):
        return False
    return _in_word(one) and _in_word(other)


def _in_word(character: str) -> bool:
    # Vowel signs and accents of their own are part of the letter before them.
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def _free_before(text: str, start: int) -> bool:
    if start == 0:
        return True
    before, first = text[start - 1], text[start]
    if _joins(before, first):
        return False
    if not first.isdigit():
        return True
    earlier = text[start - 2 : start - 1] if start > 1 else ""
    if before == ".":
        return earlier.isalpha()
    if before == ",":
        return not earlier.isdigit()
    return before not in _MINUS or earlier.isalnum()


def _free_after(text: str, end: int) -> bool:
    if end == len(text):
        return True
    last, after = text[end - 1], text[end]
    if _joins(last, after):
        return False
    return not (last.isdigit() and after in ".," and text[end + 1 : end + 2].isdigit())
