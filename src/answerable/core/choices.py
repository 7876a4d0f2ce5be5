"""How a multiple-choice question is put: letters, rotations, and the words that each setting adds.

Settings and their wordings: "Unsolvable Problem Detection" (Miyai et al.), section 4.3. The same addition goes to the
standard question of a setting.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from answerable.core.records import GIVEN, Answer, Option, Problem, Setting

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The protocol's own words.
LETTER_DEMAND = "Answer with the option's letter from the given choices directly."
NONE_ABOVE = "None of the above"
IRRELEVANT = "The image and question are irrelevant."
#: What the option that abstains says.
ABSTENTIONS: dict[Problem, str] = {"AAD": NONE_ABOVE, "IASD": NONE_ABOVE, "IVQD": IRRELEVANT}
INSTRUCTIONS: dict[Problem, str] = {
    "AAD": "If all the options are incorrect, answer {letter}. None of the above.",
    "IASD": "If all the options are incorrect, answer {letter}. None of the above.",
    "IVQD": "If the given image is irrelevant to the question, answer {letter}. The image and question are irrelevant.",
}
#: The letter of the abstention that only the instruction names; the next free one where an option has it.
INSTRUCTED = "F"
#: Signs of an option.
MAX_TEXT = 200


def rotated(texts: Sequence[str], places: int) -> tuple[str, ...]:
    """Every text ``places`` places further to the front, the first ones at the end: BCDA for 1."""
    return (*texts[places:], *texts[:places])


def instructed_letter(most: int) -> str:
    """The letter that an instruction names in a group whose views offer ``most`` content options at most.

    Raises:
        ValueError: no letter is left.
    """
    place = max(LETTERS.index(INSTRUCTED), most)
    if place >= len(LETTERS):
        raise ValueError(f"expected at most {len(LETTERS) - 1} options; got {most}")
    return LETTERS[place]


def addition(problem: Problem, setting: Setting, count: int, most: int) -> tuple[tuple[Option, ...], str]:
    """What a setting adds to ``count`` content options: options, and an instruction.

    Args:
        most: content options of the view of the group that has most.
    """
    text = ABSTENTIONS[problem]
    if setting == "base":
        return (), ""
    if setting == "original":
        return (), LETTER_DEMAND
    if setting in ("option", GIVEN):
        return (Option(LETTERS[count], text, "abstain"),), LETTER_DEMAND if setting == "option" else ""
    letter = instructed_letter(most)
    return (Option(letter, text, "instructed"),), INSTRUCTIONS[problem].format(letter=letter)


def lettered(texts: Sequence[str]) -> tuple[Option, ...]:
    """Content options in the order shown."""
    return tuple(Option(letter, text) for letter, text in zip(LETTERS, texts, strict=False))


# What the text of an option says, for whoever must know that two options are not one answer.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NUMBER = re.compile(
    r"([-\u2212]?)[$€£¥]?((?:[0-9]{1,40}|[0-9]{1,3}(?:,[0-9]{3}){1,12})(?:\.[0-9]{1,40})?)(?:/([0-9]{1,40}))?%?",
    re.ASCII,
)
#: A number and another that is read with a scale word or a per cent sign more, or less.
_SCALES = frozenset(Fraction(10) ** power for power in (2, 3, 6, 9))
_NUMBER_WORDS = _words(
    "zero nought nil one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand "
    "thousands million millions billion billions dozen dozens half quarter third once twice single double none no "
    "nothing any some many few several all every both neither zeros pair couple k m bn"
)
_TRUTH_WORDS = _words(
    "yes no true false right wrong correct incorrect agree agreed disagree disagreed affirmative negative positive "
    "always never sometimes not is isn't does doesn't both neither either undecided maybe perhaps likely unlikely "
    "certainly impossible possible y n ja nein oui non si sí não sim"
)
#: Whole numbers below this may count rows, months or days.
_COUNTED = 100
#: Letters that two words share at their beginning when one is short for the other.
_BEGINNING = 3
_DIGITS = re.compile(r"[0-9]{1,40}", re.ASCII)
_ROMAN = re.compile(r"[ivxlcdm]+", re.ASCII)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@lru_cache(maxsize=1 << 14)
def folded(text: str) -> str:
    """For comparing texts: compatible forms, case, white space, bent apostrophes and a last full stop do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").split()).rstrip(".")


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, folded."""
    return tuple(_WORD.findall(folded(text)))


@lru_cache(maxsize=1 << 14)
def number_of(text: str) -> Fraction | None:
    """The number that a text is, exactly: ``3,990,000``, ``-2.5``, ``$12.50``, ``12%``, ``10/3``; None for any other.

    A currency sign and a per cent sign are dropped without rescaling.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or (match[3] is not None and int(match[3]) == 0):
        return None
    value = Fraction(match[2].replace(",", "")) / int(match[3] or 1)
    return -value if match[1] else value


def truth_of(text: str) -> str | None:
    """``yes`` or ``no`` where the text is one of them, whatever its case."""
    return folded(text) if folded(text) in ("yes", "no") else None


def mistakable(one: Fraction, other: Fraction) -> bool:
    """Whether two numbers are the same, or one is the other read with or without a scale or a per cent sign."""
    if one == other:
        return True
    if not one or not other:
        return False
    return one / other in _SCALES or other / one in _SCALES


def may_be_number(text: str) -> bool:
    """Whether anybody could read a number or an amount in a text: any numeral of any script, or a word for one."""
    return any(sign.isnumeric() for sign in text) or any(
        word in _NUMBER_WORDS or _ROMAN.fullmatch(word) for word in tokens(text)
    )


def may_be_truth(text: str) -> bool:
    """Whether anybody could read a yes or a no in a text."""
    return any(word in _TRUTH_WORDS for word in tokens(text))


def within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether some words follow one another in others; no words are in nothing."""
    size = len(part)
    return size > 0 and any(whole[start : start + size] == part for start in range(len(whole) - size + 1))


def overlap(one: str, other: str) -> bool:
    """Whether one text is the other or stands in it, word by word."""
    first, second = tokens(one), tokens(other)
    return within(first, second) or within(second, first) or folded(one) == folded(other)


def alike(one: str, other: str) -> bool:
    """Whether two options could be one answer: equal texts, or numbers that are equal under some reading."""
    first, second = number_of(one), number_of(other)
    if first is not None and second is not None and mistakable(first, second):
        return True
    return folded(one) == folded(other)


def says(text: str, answer: Answer) -> bool:
    """Whether an option is an answer, exactly."""
    if answer.type in ("number", "integer"):
        return number_of(text) == Fraction(answer.target)
    return truth_of(text) == answer.target if answer.type == "boolean" else text == answer.target


def fits(text: str, answer: Answer) -> bool:
    """Whether an option can be compared with an answer: a number with a number, yes or no with yes or no."""
    if answer.type in ("number", "integer"):
        return number_of(text) is not None
    return answer.type != "boolean" or truth_of(text) is not None


def abstains(text: str) -> bool:
    """Whether a text is one of the abstentions that are offered, or short for one."""
    return folded(text) in {"none", *map(folded, ABSTENTIONS.values())}


def is_option(text: str) -> bool:
    """Whether a text can stand for an answer: one line, no lone letter, no abstention."""
    lone = len(folded(text)) == 1 and text.strip().isalpha()
    sound = text.isprintable() and text == text.strip() and 0 < len(text) <= MAX_TEXT
    return sound and not lone and not abstains(text)


def may_answer(text: str, answer: Answer, labels: Iterable[str]) -> str:
    """Why a text could be an answer of the same type as another, in a world with these names; empty when it cannot.

    It may name nothing of the world whatever the type; a number may be in no text where a number or a yes or no is
    asked for, nor a yes or no where that is asked for. Where a label is asked for, anything but a number or a yes or no
    might be one in other words, and a small number could count rows or months.
    """
    names = sorted(labels)
    named = next((label for label in names if overlap(text, label)), None)
    if named is not None:
        return f"names {named[:60]!r}, which is there"
    if answer.type != "text":
        if may_be_number(text):
            return "may be read as a number"
        return "may be read as a yes or a no" if answer.type == "boolean" and may_be_truth(text) else ""
    number = number_of(text)
    if number is None:
        return "" if truth_of(text) else "may be a label in other words"
    if number.denominator == 1 and abs(number) < _COUNTED:
        return f"may count what is there, being below {_COUNTED}"
    parts = (part for label in names for part in _DIGITS.findall(label))
    return "is part of a label" if any(int(part) == number for part in parts) else ""


def akin(name: str, text: str) -> bool:
    """Whether a name stands in a text, word by word, or one of its words is short for one there, or long for one.

    "Jan" is akin to "January 5".
    """
    words, there = tokens(name), tokens(text)
    return (
        folded(name) == folded(text)
        or within(words, there)
        or any(
            min(len(one), len(other)) >= _BEGINNING and (one.startswith(other) or other.startswith(one))
            for one in filter(str.isalpha, words)
            for other in filter(str.isalpha, there)
        )
    )
