"""Multiple choice: one letter, an abstention, or unreadable. Never a guess, never a letter inside a word.

The rules, in order; each is a function that can be tested alone:

1. closed reasoning blocks are dropped (a block that never ends leaves nothing to read);
2. ``whole_letter``: the whole reply is one letter once marks are peeled, or a JSON object whose answer is one;
3. ``declared``: the last declared answer (``Answer: B``, ``答案是B``, ``B is correct``, ``\\boxed{B}``);
4. ``leading_label``: a label before the text (``B. blue``, ``(B) blue``, ``B, because ...``);
5. ``unanswerable_label``: the word "Unanswerable", which an instruction asked for, before its explanation;
6. ``last_line``: a letter, or "Unanswerable", on the last line, after an explanation;
7. ``option_text``: the whole reply is the text of one option;
8. ``option_in_sentence``: one sentence that ends in ``is <text of one option>`` and negates or hedges nothing;
9. ``abstain_wording``: none of the above, cannot be determined, I don't know, ...

A letter and a text that name different options contradict each other; two letters are several choices. Where the
right option was taken away, naming it in words abstains (``removed_answer``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.choices import MAX_TEXT, abstains, bare_text, offered, options_named, whole_letter
from answerable.score.readers.cues import UNSURE, refusal
from answerable.score.readers.declared import declared
from answerable.score.readers.json_reply import strict_object
from answerable.score.readers.labels import last_line, leading_label, unanswerable_label
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
from answerable.score.readers.text import normalise
from answerable.score.readers.withheld import removed_answer
from answerable.score.readers.wrappers import inside_fence, peel, tidy, without_reasoning, without_tokens

#: Keys under which a JSON object may give the choice.
JSON_KEYS = ("answer", "choice", "option", "letter", "label", "final_answer", "selected_option")


def option_text(text: str, item: Item) -> Reading | None:
    """The whole reply is the text of one option."""
    if len(text) > MAX_TEXT:
        return None
    named = options_named(text, item)
    if len(named) > 1:
        return Invalid("several_choices", "option_text")
    return offered(named[0], "option_text", item) if named else None


def option_in_sentence(text: str, item: Item) -> Reading | None:
    """One plain sentence that ends in ``is <option>``: names one option, negates and hedges nothing."""
    sentence = normalise(text).rstrip(".!。 ")
    if len(sentence) > 200 or UNSURE.search(sentence) or re.search(r"[.!?;]\s|[。！？；\n]", text.rstrip(".!。 \n")):
        return None
    inside: list[str] = []
    for letter, option in item.options.items():
        wanted = bare_text(option)
        if wanted and re.search(rf"(?<![\w.,-]){re.escape(wanted)}(?![\w-]|[.,]\d)", sentence):
            inside.append(letter)
    if len(inside) != 1:
        return None
    wanted = bare_text(item.options[inside[0]])
    ends = re.search(
        rf"(?:\b(?:is|are|was|were|be|shows|says|reads|equals|looks|appears|seems)(?: to be)?|['’]s|:)(?: a| an| the)?"
        rf" {re.escape(wanted)}$",
        sentence,
    )
    return offered(inside[0], "option_in_sentence", item) if ends else None


def abstain_wording(text: str, _item: Item) -> Reading | None:
    """Abstains in words; a refusal of service is its own kind of unreadable."""
    if refusal(text):
        return Invalid("refused", "refusal_wording")
    wording = abstains(text)
    return None if wording is None else Abstained(f"abstain_{wording}")


#: After the declarations: a label at the start, or on the last line.
LABEL_RULES: tuple[Callable[[str, Item], Reading | None], ...] = (leading_label, unanswerable_label, last_line)
#: After the letters: rules that need the whole reply.
TEXT_RULES: tuple[Callable[[str, Item], Reading | None], ...] = (
    option_text,
    removed_answer,
    option_in_sentence,
    abstain_wording,
)


def _json_choice(text: str, item: Item) -> Reading | None:
    """A reply that is a JSON object: its one answer field is read; anything else about it is unreadable."""
    body = inside_fence(text) or text
    if not body.startswith("{") or not body[1:].lstrip().startswith(('"', "}")):
        return None
    value = strict_object(body)
    if isinstance(value, Invalid):
        return value
    given = [value[key] for key in JSON_KEYS if key in value]
    if len(given) != 1 or not isinstance(given[0], str):
        return Invalid("missing_key" if not given else "wrong_type", "json_choice")
    inner = tidy(given[0])
    for rule in (whole_letter, leading_label, *TEXT_RULES):
        reading = rule(inner, item)
        if reading is not None:
            return msgspec.structs.replace(reading, rule=f"json_{reading.rule}")
    return Invalid("no_choice", "json_choice")


def _spoken(text: str, item: Item) -> Reading:
    """The rules after reasoning and JSON, on a reply that its model ended."""
    bare = peel(text)
    reading = whole_letter(text, item) or declared(text, item)
    for label in LABEL_RULES:
        reading = reading or label(bare, item)
    for rule in TEXT_RULES:
        reading = reading or rule(bare, item)
    return reading or Invalid("no_choice", "no_rule")


def _cut_off(text: str, item: Item) -> Reading:
    """The rules for a reply that the token limit ended: only what stands before the cut and cannot change."""
    bare = peel(text)
    reading = None if len(bare) <= 1 else declared(text, item, cut=True)
    if reading is None and len(bare) > 1:
        reading = leading_label(bare, item) or unanswerable_label(bare, item)
    return reading or Invalid("truncated", "status")


def read_choice(text: str, item: Item, *, cut: bool = False) -> Reading:
    """All rules in order, on a reply that has text; ``cut`` when the token limit ended it."""
    unwrapped = without_reasoning(without_tokens(text.strip()))
    tidied = tidy(unwrapped.text)
    if unwrapped.unclosed:
        return Invalid("unclosed_reasoning", "reasoning")
    if not tidied:
        return Invalid("empty", "no_text")
    reading = _json_choice(tidied, item)
    if reading is None:
        return _cut_off(tidied, item) if cut else _spoken(tidied, item)
    return Invalid("truncated", "status") if cut and isinstance(reading, Invalid) else reading


class _Case(msgspec.Struct, frozen=True):
    response: str | None
    options: dict[str, str]
    abstain_letter: str | None = None
    abstain_instructed: bool = False
    finish_reason: str | None = None
    withheld: str = ""


class OptionsReader:
    """One of several lettered options."""

    name = "mcq"
    version = 3
    rules = (
        "Closed reasoning blocks dropped; then the whole reply as one letter once marks are peeled, the last declared"
        " answer, a leading label, the word Unanswerable before its explanation, a label on the last line, the whole"
        " text of one option, abstain wording. A letter is never taken from inside a word and never guessed; a label"
        " and a text that disagree, or two letters, are unreadable. Naming in words the right option that was taken"
        " away abstains."
    )

    def read(self, text: str | None, status: ReplyStatus, item: Item, /) -> Reading:
        """The reading of a reply to a question with ``item.options``."""
        if status == "complete" and text in item.options:
            # The commonest reply needs no rule but the second: it is one offered letter, as it stands.
            return offered(text, "whole_letter", item)
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        return read_choice(text, item, cut=status == "truncated")

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"response", "options", ...}`` -> a letter, ``"none"`` or null."""
        given = case_input(case, _Case)
        item = Item(given.options, given.abstain_letter, given.abstain_instructed, given.withheld)
        reading = self.read(given.response, status_of(given.response, given.finish_reason), item)
        match reading:
            case Answered(text, rule):
                return CaseReading(text, rule)
            case Abstained(rule):
                return CaseReading("none", rule)
            case Invalid(why, rule):
                return CaseReading(None, f"{why}: {rule}")


READER = OptionsReader()
