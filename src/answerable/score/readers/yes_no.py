"""Yes, No or Unanswerable: a label, or unreadable. "no" inside "know" is no label, and neither is "no" in "no dog".

The rules, in order: closed reasoning blocks are dropped; the whole reply is one label; the last declared label;
a leading label with its explanation; a label after a colon at the end; a label on the last line; abstain wording. Two
labels that stand for themselves are several choices; a label and an abstention contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.cues import abstention, declarations, refusal
from answerable.score.readers.json_reply import strict_object
from answerable.score.readers.options import JSON_KEYS
from answerable.score.readers.reading import (
    Abstained,
    Answered,
    CaseReading,
    Invalid,
    Item,
    Reading,
    case_input,
    status_of,
    unreadable,
)
from answerable.score.readers.wrappers import inside_fence, peel, peel_label, tidy, without_reasoning

LABELS = {"yes": "Yes", "no": "No", "unanswerable": "Unanswerable"}
_LABEL = r"(yes|no|unanswerable)"
#: Certainty before a label that is the rest of the reply.
_HEDGE = re.compile(
    r"(?:(?:probably|likely|most likely|very likely|definitely|certainly|clearly|i think|i believe|i guess|i would say"
    r"|i['’]d say|i think it is|it is|it['’]s|so|thus|therefore|hence)[,:]? ){1,2}",
    re.IGNORECASE,
)
#: What may follow a label that is not the whole reply; "No. 5" and "No longer" are other words.
_AFTER = re.compile(
    r"[*_`\"'”’)\]}$]{0,6}(?:$|\n|[.:,;!。，；！](?= (?!\d)|$|\n|[^\x00-\x7f])| (?:-|–|—) | (?:because|since|as)\b"
    r"| \(| (?:it|they|there|he|she|we|i|you|this|that|the)\b)",
    re.IGNORECASE,
)
_SKIP = re.compile(r"(?:[ *_`\"'“‘(\[{$]|\\boxed\{|\\text\{|<answer>|a ){0,10}", re.IGNORECASE)
_START = re.compile(_LABEL, re.IGNORECASE)
#: A second label right after the first; after a comma or a new line it must stand alone: "Yes, no dog" has one label.
_ANOTHER = re.compile(
    rf"[,;.]?(?: ?/ ?| (?:and|or|and also) ){_LABEL}(?!\w)|(?:[,;] ?|[.,;]? ?\n){_LABEL}(?=[.!?,;:*]|\n|$| or | and )",
    re.IGNORECASE,
)
_AT_END = re.compile(rf"[:—–] ?[*_`\"'“(\[]{{0,4}}{_LABEL}[*_`\"'”)\]]{{0,4}}[.!]?$", re.IGNORECASE)
#: A sentence or line that is a label and nothing else.
_ALONE = re.compile(
    rf"(?:(?<=[.!?;:,] )|(?<=\n))[*_`\"'(\[]{{0,4}}{_LABEL}[*_`\"')\]]{{0,4}}(?=[.!,;]|\n|$)", re.IGNORECASE
)
_FIRST = re.compile(rf"[*_`\"'(\[]{{0,4}}{_LABEL}[*_`\"')\]]{{0,4}}(?=[.!,;]|\n|$)", re.IGNORECASE)
_NOT_UNANSWERABLE = re.compile(r"\b(?:not|n['’]t) unanswerable", re.IGNORECASE)


def _reading(label: str, rule: str) -> Reading:
    return Abstained(rule) if label.lower() == "unanswerable" else Answered(LABELS[label.lower()], rule)


def whole_label(text: str) -> Reading | None:
    """The whole reply is one label, marks peeled, maybe with a word of certainty before it."""
    if len(text) > 200:
        return None
    bare = peel_label(text).rstrip(" .!✅❌✔✓✗\ufe0f")
    hedge = _HEDGE.match(bare)
    if hedge is not None:
        bare = peel_label(bare[hedge.end() :])
    return _reading(bare, "whole_label") if bare.lower() in LABELS else None


def _label_at(text: str, start: int, rule: str, *, cut: bool) -> Reading | None:
    """The label at ``start``, when what follows lets it be one."""
    match = _START.match(text, start)
    if match is None:
        return None
    end = match.end()
    if cut and end == len(text):
        return Invalid("truncated", rule)
    another = _ANOTHER.match(text, end)
    if another is not None and (another[1] or another[2]).lower() != match[1].lower():
        return Invalid("several_choices", rule)
    return _reading(match[1], rule) if _AFTER.match(text, end) else None


def declared(text: str, *, cut: bool = False) -> Reading | None:
    """The last declared label: ``Answer: No``, ``the answer is yes because ...``."""
    for name, end in declarations(text):
        skip = _SKIP.match(text, end)
        reading = _label_at(text, skip.end() if skip else end, f"declared_{name}", cut=cut)
        if reading is None and not cut:
            line = text[end : end + 400].split("\n", 1)[0].strip(" :*")
            wording = abstention(line, foreign=False)
            reading = None if wording is None else Abstained(f"declared_abstain_{wording}")
        if reading is not None:
            return reading
    return None


def leading_label(text: str, *, cut: bool = False) -> Reading | None:
    """A label first, then its explanation; a second label that stands alone, or an abstention, contradicts it."""
    skip = _SKIP.match(text)
    start = skip.end() if skip and not text[: skip.end()].lower().endswith("a ") else 0
    reading = _label_at(text, start, "leading_label", cut=cut)
    if reading is None or isinstance(reading, Invalid):
        return reading
    label = text[start:].split(maxsplit=1)[0].strip("*_`\"'()[]{}$.,:;!。，").lower()
    if any(match[1].lower() != label for match in _ALONE.finditer(text, start + 1)):
        return Invalid("several_choices", "leading_label")
    rest = text[start + len(label) :].strip(" .,:;!*_`-–—")
    if isinstance(reading, Answered) and abstention(rest, foreign=False):
        return Invalid("contradiction", "leading_label")
    return reading


def final_label(text: str) -> Reading | None:
    """One sentence that ends in a colon and a label: ``I know the rule: yes.``"""
    match = _AT_END.search(text[-60:])
    if match is None or "\n" in text or len(text) > 400:
        return None
    before = text[: len(text) - 60 + match.start()] if len(text) > 60 else text[: match.start()]
    if re.search(rf"(?<!\w){_LABEL}(?!\w)", _NOT_UNANSWERABLE.sub("", before), re.IGNORECASE):
        return Invalid("several_choices", "final_label")
    return _reading(match[1], "final_label")


def last_line(text: str) -> Reading | None:
    """A label on the last line, after an explanation in which no other label stands alone and nothing abstains."""
    explained, _, last = text.rpartition("\n")
    reading = whole_label(last) if explained else None
    if reading is None:
        return None
    label = "unanswerable" if isinstance(reading, Abstained) else str(getattr(reading, "text", "")).lower()
    others = (match[1].lower() for match in _ALONE.finditer(explained))
    if any(other != label for other in others) or _leads(explained) not in (None, label):
        return Invalid("several_choices", "last_line")
    if isinstance(reading, Answered) and abstention(explained, foreign=False):
        return Invalid("contradiction", "last_line")
    return msgspec.structs.replace(reading, rule="last_line")


def _leads(text: str) -> str | None:
    """The label that is the first line or sentence."""
    match = _FIRST.match(text)
    return None if match is None else match[1].lower()


def abstain_wording(text: str) -> Reading | None:
    """Abstains in English words; a refusal of service is its own kind of unreadable."""
    if refusal(text):
        return Invalid("refused", "refusal_wording")
    if _NOT_UNANSWERABLE.search(text):
        return None
    wording = abstention(text, foreign=False)
    return None if wording is None else Abstained(f"abstain_{wording}")


def _json_label(text: str) -> Reading | None:
    body = inside_fence(text) or text
    if not body.startswith("{") or not body[1:].lstrip().startswith(('"', "}")):
        return None
    value = strict_object(body)
    if isinstance(value, Invalid):
        return value
    given = [value[key] for key in JSON_KEYS if key in value]
    if len(given) != 1 or not isinstance(given[0], str):
        return Invalid("missing_key" if not given else "wrong_type", "json_label")
    inner = tidy(given[0])
    reading = whole_label(inner) or leading_label(inner) or abstain_wording(inner)
    if reading is None:
        return Invalid("no_choice", "json_label")
    return msgspec.structs.replace(reading, rule=f"json_{reading.rule}")


def read_label(text: str, *, cut: bool = False) -> Reading:
    """All rules in order, on a reply that has text; ``cut`` when the token limit ended it."""
    unwrapped = without_reasoning(text)
    if unwrapped.unclosed:
        return Invalid("unclosed_reasoning", "reasoning")
    tidied = tidy(unwrapped.text)
    if not tidied:
        return Invalid("empty", "no_text")
    reading = _json_label(tidied)
    if reading is not None:
        return Invalid("truncated", "status") if cut and isinstance(reading, Invalid) else reading
    bare = peel(tidied)
    reading = None if cut else whole_label(tidied)
    reading = reading or declared(tidied, cut=cut) or leading_label(bare, cut=cut)
    if reading is not None:
        return reading
    if cut:
        return Invalid("truncated", "status")
    return final_label(bare) or last_line(bare) or abstain_wording(bare) or Invalid("no_choice", "no_rule")


class _Case(msgspec.Struct, frozen=True):
    response: str | None
    finish_reason: str | None = None


class YesNoReader:
    """Yes, No or Unanswerable."""

    name = "yes-no"
    version = 2
    rules = (
        "Closed reasoning blocks dropped; then the whole reply as one of Yes, No, Unanswerable, the last declared"
        " label, a leading label with its explanation, a label after a colon at the end, a label on the last line,"
        " abstain wording. Whole words only; synonyms, abbreviations and other languages are unreadable."
    )

    def read(self, text: str | None, status: ReplyStatus, _item: Item, /) -> Reading:
        """The reading of a reply."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        return read_label(text, cut=status == "truncated")

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"response"}`` -> ``"Yes"``, ``"No"``, ``"Unanswerable"`` or null."""
        given = case_input(case, _Case)
        reading = self.read(given.response, status_of(given.response, given.finish_reason), Item())
        match reading:
            case Answered(text, rule):
                return CaseReading(text, rule)
            case Abstained(rule):
                return CaseReading(LABELS["unanswerable"], rule)
            case Invalid(why, rule):
                return CaseReading(None, f"{why}: {rule}")


READER = YesNoReader()
