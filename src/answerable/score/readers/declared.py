"""The last declared answer of a reply: ``Answer: B``, ``答案是B``, ``B is correct``, ``\\boxed{B}``."""

from __future__ import annotations

import re
from collections import deque

from answerable.score.readers.choices import (
    WORDS,
    abstains,
    article,
    joined,
    line_at,
    names_withheld,
    offered,
    options_named,
    with_text,
)
from answerable.score.readers.cues import MAX_DECLARATIONS, declarations, negated_before
from answerable.score.readers.reading import Abstained, Invalid, Item, Reading
from answerable.score.readers.unanswerable import says_unanswerable
from answerable.score.readers.wrappers import LABEL_ENDS

_SKIP = re.compile(
    r"(?:[ \n*_`\"'“‘(\[{$「【]|\\boxed\{|\\text\{|\\textbf\{|\\mathrm\{|\\\(|<answer>|</?b>|</?strong>|<|- "
    r"|(?:option|choice|letter)\b|选项|選項){0,12}",
    re.IGNORECASE,
)
_WRAPPED_END = re.compile(r"(?:\*{1,3}|_{1,2}|`{1,3}|[\"'”’)\]}$」】>]|\\\)|</(?:answer|b|strong)>){1,8}")
_CONNECTIVE = re.compile(r" (?:because|since|as|based|due|given|and not|not|but|which|where|with)\b", re.IGNORECASE)
FIRM_CONNECTIVE = re.compile(r" (?:because|since)\b")
ANOTHER = re.compile(
    r"(?: ?[,/&+、] ?|,? (?:and|or|und|oder|et|ou|y|nor|vs\.?|as well as) |和|或|与|と|과)(?:also )?(?:or |and )?"
    r"[(\[*`\"']{0,3}([A-Za-z])",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:(?<!\w)[a-z][)\]*]{0,3} ?(?:[,/&+、]|,? ?(?:and|or)) ?|\b(?:nor|both|neither|either|not|nicht) )[(\[*]{0,3}$",
    re.IGNORECASE,
)
_CORRECT = re.compile(
    r"(?<!\w)(?:option |choice |answer )?[(\[*]{0,4}([A-Z])[)\]*.]{0,4} (?:is|would be|must be|appears to be)"
    r"(?: clearly| definitely| probably| likely| indeed)?"
    r" (?:(?:the )?(?:correct|right)(?: (?:answer|option|choice|one))?(?=[.,;:!)*]|$|\n| because\b| since\b)"
    r"|the (?:\w+ )?(?:answer|option|choice)(?!\w))"
)
#: What ``_CORRECT`` cannot do without; quick to look for.
_MAY_BE_CORRECT = re.compile(r"[A-Z][)\]*.]{0,4} (?:is|would be|must be|appears to be) ")
_CONCLUDED = re.compile(
    r"(?:^|[.!;:,] |\n)(?:so|thus|hence|therefore|it is|it['’]s|it must be|i think it is|i think it['’]s"
    r"|i believe it is)"
    r",? (?:option )?[(\[*]{0,4}([A-Z])[)\]*]{0,4}[.!]?$",
    re.IGNORECASE,
)


def _choice_at(text: str, start: int, rule: str, item: Item, *, cut: bool) -> Reading | None:
    """The letter, option text or abstention that is declared at ``start``; None when nothing readable is."""
    skip = _SKIP.match(text, start)
    at = skip.end() if skip else start
    opened = text[start:at].strip(" \n")
    char = text[at : at + 1]
    if char.isascii() and char.isalpha() and not joined(text, at + 1):
        if cut and at + 1 == len(text):
            return Invalid("truncated", rule)
        found = _letter_at(text, at, opened, rule, item)
        line = line_at(text, start)
        label = char.upper() in item.options or not (options_named(line, item) or names_withheld(line, item))
        if found is not None and label:
            return found
    line = line_at(text, start)
    named = options_named(line, item) or options_named(re.split(r"[.!;。] ", line, maxsplit=1)[0], item)
    if len(named) == 1 and not cut:
        return offered(named[0], f"{rule}_text", item)
    if names_withheld(line, item) and not cut:
        return Abstained("removed_answer")
    if says_unanswerable(line.lstrip(" :*")) and not cut:
        return Abstained(f"{rule}_unanswerable")
    wording = abstains(line.strip(" :*"))
    return None if wording is None or cut else Abstained(f"{rule}_abstain_{wording}")


def _letter_at(text: str, at: int, opened: str, rule: str, item: Item) -> Reading | None:
    """The letter at ``at``, when what follows lets it be one."""
    letter, end = text[at], at + 1
    closed = _WRAPPED_END.match(text, end) if opened else None
    after = closed.end() if closed else end
    another = ANOTHER.match(text, after)
    if another is not None and not joined(text, another.end()) and not article(text, another.end(), another[1]):
        return Invalid("several_choices", rule)
    if closed is None and text[end : end + 1] == " ":
        rest = line_at(text, end)
        firm = letter.isupper() and letter not in WORDS
        connective = _CONNECTIVE if letter.isupper() else FIRM_CONNECTIVE
        if not firm and not connective.match(text, end) and letter.upper() not in options_named(rest, item):
            return None
    if text[after : after + 1] == "." and text[after + 1 : after + 2].isalpha() and text[after + 1].isascii():
        # "A.M." and "U.S." are words; "B.blue" is a label when the text fits.
        rest = line_at(text, after + 1)
        return offered(letter.upper(), rule, item) if letter.upper() in options_named(rest, item) else None
    rest = line_at(text, after).lstrip(LABEL_ENDS + " *-–—")
    return with_text(letter.upper(), rest, rule, item)


def declared(text: str, item: Item, *, cut: bool = False) -> Reading | None:
    """The last declared answer; ``cut`` says that the reply was cut at its end."""
    best, last = None, -1
    for name, end in declarations(text):
        best = _choice_at(text, end, f"declared_{name}", item, cut=cut)
        if best is not None:
            last = end
            break
    correct = _CORRECT.finditer(text) if _MAY_BE_CORRECT.search(text) else ()
    for match in reversed(deque(correct, MAX_DECLARATIONS)):
        start = match.start(1)
        if match.end() <= last:
            break
        if not _BEFORE.search(text[max(0, start - 12) : start]) and not negated_before(text, match.start()):
            return offered(match[1], "declared_correct", item)
    if best is not None:
        return best
    tail = text[-80:]
    concluded = _CONCLUDED.search(tail)
    if concluded and not cut and concluded[1].isupper() and not negated_before(tail, concluded.start(1)):
        return offered(concluded[1], "declared_conclusion", item)
    return None
