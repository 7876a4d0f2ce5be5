"""Multiple choice: one letter, an abstention, or unreadable. Never a guess, never a letter inside a word.

The rules, in order; each is a function that can be tested alone:

1. closed reasoning blocks are dropped (a block that never ends leaves nothing to read);
2. ``whole_letter``: the whole reply is one letter once marks are peeled, or a JSON object whose answer is one;
3. ``declared``: the last declared answer (``Answer: B``, ``答案是B``, ``B is correct``, ``\\boxed{B}``);
4. ``leading_label``: a label before the text (``B. blue``, ``(B) blue``, ``B, because ...``);
5. ``option_text``: the whole reply is the text of one option;
6. ``option_in_sentence``: one sentence that ends in ``is <text of one option>`` and negates or hedges nothing;
7. ``abstain_wording``: none of the above, cannot be determined, I don't know, ...

A letter and a text that name different options contradict each other; two letters are several choices.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Mapping

import msgspec

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.cues import MAX_DECLARATIONS, UNSURE, abstention, declarations, negated_before, refusal
from answerable.score.readers.json_reply import strict_object
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
from answerable.score.readers.wrappers import LABEL_ENDS, inside_fence, peel, peel_label, tidy, without_reasoning

#: Keys under which a JSON object may give the choice.
JSON_KEYS = ("answer", "choice", "option", "letter", "label", "final_answer", "selected_option")
#: Letters that are words of their own: "A dog", "I think".
WORDS = "AI"
#: Options longer than this are not compared with the reply's text.
_MAX_TEXT = 2_000

_SKIP = re.compile(
    r"(?:[ \n*_`\"'“‘(\[{$「【]|\\boxed\{|\\text\{|\\textbf\{|\\mathrm\{|\\\(|<answer>|</?b>|</?strong>|<|- "
    r"|(?:option|choice|letter)\b|选项|選項){0,12}",
    re.IGNORECASE,
)
_WRAPPED_END = re.compile(r"(?:\*{1,3}|_{1,2}|`{1,3}|[\"'”’)\]}$」】>]|\\\)|</(?:answer|b|strong)>){1,8}")
_CONNECTIVE = re.compile(r" (?:because|since|as|based|due|given|and not|not|but|which|where|with)\b", re.IGNORECASE)
_FIRM_CONNECTIVE = re.compile(r" (?:because|since)\b")
_ANOTHER = re.compile(
    r"(?: ?[,/&+、] ?|,? (?:and|or|und|oder|et|ou|y|nor|vs\.?|as well as) |和|或|与|と|과)(?:also )?(?:or |and )?"
    r"[(\[*`\"']{0,3}([A-Za-z])",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:(?<!\w)[a-z][)\]*]{0,3} ?(?:[,/&+、]|,? ?(?:and|or)) ?|\b(?:nor|both|neither|either|not|nicht) )[(\[*]{0,3}$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"([A-Za-z])(?:([.)\]:,;、。]+)| (-|–|—) )")
_WRAPPED_LABEL = re.compile(
    r"(?:\(([A-Za-z])\)|\[([A-Za-z])\]|\*\*\(?([A-Za-z])[.):]{0,2}\*\*|`([A-Za-z])`|\$([A-Za-z])\$)[.:,)]?"
)
_CORRECT = re.compile(
    r"(?<!\w)(?:option |choice |answer )?[(\[*]{0,4}([A-Z])[)\]*.]{0,4} (?:is|would be|must be|appears to be)"
    r"(?: clearly| definitely| probably| likely| indeed)?"
    r" (?:(?:the )?(?:correct|right)(?: (?:answer|option|choice|one))?(?=[.,;:!)*]|$|\n| because\b| since\b)"
    r"|the (?:\w+ )?(?:answer|option|choice)(?!\w))"
)
_CONCLUDED = re.compile(
    r"(?:^|[.!;:,] |\n)(?:so|thus|hence|therefore|it is|it['’]s|it must be|i think it is|i think it['’]s"
    r"|i believe it is)"
    r",? (?:option )?[(\[*]{0,4}([A-Z])[)\]*]{0,4}[.!]?$",
    re.IGNORECASE,
)


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


def _offered(letter: str, rule: str, item: Item) -> Reading:
    if letter == item.abstain_letter:
        return Abstained(rule)
    return Answered(letter, rule) if letter in item.options else Invalid("outside_options", rule)


def _bare(text: str) -> str:
    return normalise(peel_label(text[:_MAX_TEXT])).strip(" .!。")


def options_named(text: str, item: Item) -> tuple[str, ...]:
    """Letters of the options whose whole text this is."""
    wanted = _bare(text)
    if not wanted:
        return ()
    return tuple(letter for letter, option in item.options.items() if _bare(option) == wanted)


def _with_text(letter: str, rest: str, rule: str, item: Item) -> Reading:
    """The reading of a label, unless the text after it is another option's."""
    named = options_named(rest, item)
    if named and letter not in named:
        return Invalid("contradiction", rule)
    again = None if named else whole_letter(rest, item)
    if isinstance(again, Answered | Abstained) and again != _offered(letter, "whole_letter", item):
        return Invalid("several_choices", rule)
    return _offered(letter, rule, item)


def whole_letter(text: str, item: Item) -> Reading | None:
    """The whole reply is one letter once marks are peeled: ``**(B)**``, ``Option B.``, ``\\boxed{b}``."""
    if len(text) > 200:
        return None
    bare = peel_label(text)
    for word in ("option ", "choice ", "letter ", "opción ", "opção ", "opzione ", "letra ", "选项", "選項"):
        if bare.lower().startswith(word):
            bare = peel_label(bare[len(word) :])
        bare = bare.removesuffix(word) if not word.isascii() else bare
    if len(bare) != 1 or not bare.isascii() or not bare.isalpha():
        return None
    # A letter that is no label may still be an option's text: the sides of a triangle, the variable asked for.
    return (
        None
        if bare.upper() not in item.options and options_named(bare, item)
        else _offered(bare.upper(), "whole_letter", item)
    )


def _line(text: str, start: int) -> str:
    """The rest of the line; one longer than any option is cut, and then names none."""
    end = text.find("\n", start, start + _MAX_TEXT)
    return text[start : end if end >= 0 else start + _MAX_TEXT]


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
        label = char.upper() in item.options or not options_named(_line(text, start), item)
        if found is not None and label:
            return found
    line = _line(text, start)
    named = options_named(line, item) or options_named(re.split(r"[.!;。] ", line, maxsplit=1)[0], item)
    if len(named) == 1 and not cut:
        return _offered(named[0], f"{rule}_text", item)
    wording = _abstains(line.strip(" :*"))
    return None if wording is None or cut else Abstained(f"{rule}_abstain_{wording}")


def _letter_at(text: str, at: int, opened: str, rule: str, item: Item) -> Reading | None:
    """The letter at ``at``, when what follows lets it be one."""
    letter, end = text[at], at + 1
    closed = _WRAPPED_END.match(text, end) if opened else None
    after = closed.end() if closed else end
    another = _ANOTHER.match(text, after)
    if another is not None and not joined(text, another.end()) and not _article(text, another.end(), another[1]):
        return Invalid("several_choices", rule)
    if closed is None and text[end : end + 1] == " ":
        rest = _line(text, end)
        firm = letter.isupper() and letter not in WORDS
        connective = _CONNECTIVE if letter.isupper() else _FIRM_CONNECTIVE
        if not firm and not connective.match(text, end) and letter.upper() not in options_named(rest, item):
            return None
    if text[after : after + 1] == "." and text[after + 1 : after + 2].isalpha() and text[after + 1].isascii():
        # "A.M." and "U.S." are words; "B.blue" is a label when the text fits.
        rest = _line(text, after + 1)
        return _offered(letter.upper(), rule, item) if letter.upper() in options_named(rest, item) else None
    rest = _line(text, after).lstrip(LABEL_ENDS + " *-–—")
    return _with_text(letter.upper(), rest, rule, item)


def _article(text: str, end: int, letter: str) -> bool:
    """Whether a letter is the article or pronoun of what follows: ``, a lorry``, ``and I think``."""
    follows_word = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    return follows_word and (letter.upper() in WORDS or letter.islower())


def declared(text: str, item: Item, *, cut: bool = False) -> Reading | None:
    """The last declared answer; ``cut`` says that the reply was cut at its end."""
    best, last = None, -1
    for name, end in declarations(text):
        best = _choice_at(text, end, f"declared_{name}", item, cut=cut)
        if best is not None:
            last = end
            break
    for match in reversed(deque(_CORRECT.finditer(text), MAX_DECLARATIONS)):
        start = match.start(1)
        if match.end() <= last:
            break
        if not _BEFORE.search(text[max(0, start - 12) : start]) and not negated_before(text, match.start()):
            return _offered(match[1], "declared_correct", item)
    if best is not None:
        return best
    tail = text[-80:]
    concluded = _CONCLUDED.search(tail)
    if concluded and not cut and concluded[1].isupper() and not negated_before(tail, concluded.start(1)):
        return _offered(concluded[1], "declared_conclusion", item)
    return None


def _echo(text: str, item: Item) -> bool:
    """Whether the reply repeats the whole list of options, in order, each with its label."""
    position = 0
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
    another = _ANOTHER.match(text, other)
    if another is not None and not joined(text, another.end()) and not _article(text, another.end(), another[1]):
        return Invalid("several_choices", "leading_label")
    rest = _line(text, end)
    if wrapped is None and letter.upper() not in options_named(rest, item) and _word(text, letter, end, rest):
        return None
    return _with_text(letter.upper(), rest, "leading_label", item)


def _word(text: str, letter: str, end: int, rest: str) -> bool:
    """Whether a letter and its mark belong to the text after them: ``A.M.``, ``C:x``, ``I, too``, ``a, then``."""
    mark = text[1:end].strip()
    glued = mark not in "-–—" and rest[:1].isascii() and not rest[:1].isspace() and rest != ""
    spoken = mark == "," and (letter.upper() == "I" or letter.islower()) and rest.strip() != ""
    return glued or spoken


def _first_line(reading: Reading, others: str, item: Item) -> Reading:
    """A letter on a line of its own, then text: unless another line is another letter, or another option's text."""
    for line in others.split("\n", 50)[:50]:
        again = whole_letter(line, item) if len(line) <= 12 else None
        if again is not None and again != reading:
            return Invalid("several_choices", "leading_label")
    if not isinstance(reading, Answered | Abstained):
        return reading
    letter = reading.text if isinstance(reading, Answered) else item.abstain_letter
    return _with_text(letter or "", others, "leading_label", item)


def _unmarked_label(text: str, item: Item) -> Reading | None:
    letter = text[:1]
    if not (letter.isascii() and letter.isalpha() and text[1:2] in (" ", "\n")):
        return None
    rest = _line(text, 2)
    if letter.upper() in options_named(rest, item):
        return _offered(letter.upper(), "leading_label", item)
    if letter.isupper() and _FIRM_CONNECTIVE.match(text, 1):
        return _offered(letter, "leading_label", item)
    return None


def option_text(text: str, item: Item) -> Reading | None:
    """The whole reply is the text of one option."""
    if len(text) > _MAX_TEXT:
        return None
    named = options_named(text, item)
    if len(named) > 1:
        return Invalid("several_choices", "option_text")
    return _offered(named[0], "option_text", item) if named else None


def option_in_sentence(text: str, item: Item) -> Reading | None:
    """One plain sentence that ends in ``is <option>``: names one option, negates and hedges nothing."""
    sentence = normalise(text).rstrip(".!。 ")
    if len(sentence) > 200 or UNSURE.search(sentence) or re.search(r"[.!?;]\s|[。！？；\n]", text.rstrip(".!。 \n")):
        return None
    inside: list[str] = []
    for letter, option in item.options.items():
        wanted = _bare(option)
        if wanted and re.search(rf"(?<![\w.,-]){re.escape(wanted)}(?![\w-]|[.,]\d)", sentence):
            inside.append(letter)
    if len(inside) != 1:
        return None
    wanted = _bare(item.options[inside[0]])
    ends = re.search(
        rf"(?:\b(?:is|are|was|were|be|shows|says|reads|equals|looks|appears|seems)(?: to be)?|['’]s|:)(?: a| an| the)?"
        rf" {re.escape(wanted)}$",
        sentence,
    )
    return _offered(inside[0], "option_in_sentence", item) if ends else None


def _abstains(text: str) -> str | None:
    """How a text abstains; "None" alone picks none of the options."""
    return "none" if len(text) < 40 and _bare(text) == "none" else abstention(text)


def abstain_wording(text: str, _item: Item) -> Reading | None:
    """Abstains in words; a refusal of service is its own kind of unreadable."""
    if refusal(text):
        return Invalid("refused", "refusal_wording")
    wording = _abstains(text)
    return None if wording is None else Abstained(f"abstain_{wording}")


#: After the letters: rules that need the whole reply.
TEXT_RULES: tuple[Callable[[str, Item], Reading | None], ...] = (option_text, option_in_sentence, abstain_wording)


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
    reading = whole_letter(text, item) or declared(text, item) or leading_label(bare, item)
    for rule in TEXT_RULES:
        reading = reading or rule(bare, item)
    return reading or Invalid("no_choice", "no_rule")


def _cut_off(text: str, item: Item) -> Reading:
    """The rules for a reply that the token limit ended: only what stands before the cut and cannot change."""
    bare = peel(text)
    reading = None if len(bare) <= 1 else declared(text, item, cut=True) or leading_label(bare, item)
    return reading or Invalid("truncated", "status")


def read_choice(text: str, item: Item, *, cut: bool = False) -> Reading:
    """All rules in order, on a reply that has text; ``cut`` when the token limit ended it."""
    unwrapped = without_reasoning(text)
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


class OptionsReader:
    """One of several lettered options."""

    name = "mcq"
    version = 1
    rules = (
        "Closed reasoning blocks dropped; then the whole reply as one letter once marks are peeled, the last declared"
        " answer, a leading label, the whole text of one option, abstain wording. A letter is never taken from inside"
        " a word and never guessed; a label and a text that disagree, or two letters, are unreadable."
    )

    def read(self, text: str | None, status: ReplyStatus, item: Item, /) -> Reading:
        """The reading of a reply to a question with ``item.options``."""
        bad = unreadable(text, status)
        if bad is not None or text is None:
            return bad or Invalid("empty", "no_text")
        return read_choice(text, item, cut=status == "truncated")

    def read_case(self, case: Mapping[str, object]) -> CaseReading:
        """``{"response", "options", ...}`` -> a letter, ``"none"`` or null."""
        given = case_input(case, _Case)
        item = Item(given.options, given.abstain_letter, given.abstain_instructed)
        reading = self.read(given.response, status_of(given.response, given.finish_reason), item)
        match reading:
            case Answered(text, rule):
                return CaseReading(text, rule)
            case Abstained(rule):
                return CaseReading("none", rule)
            case Invalid(why, rule):
                return CaseReading(None, f"{why}: {rule}")


READER = OptionsReader()
