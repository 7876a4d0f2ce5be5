"""What models put around an answer: reasoning blocks, code fences, balanced marks. Patterns are data.

Everything here takes time linear in the text, so that no reply can stall scoring.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeVar

from answerable.core.records import Record

T = TypeVar("T")

#: Reasoning blocks, as ``(opening, closing)``; compared without regard to case.
REASONING_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)

#: Marks whose two ends differ.
PAIRS: tuple[tuple[str, str], ...] = (
    ("\\boxed{", "}"), ("\\text{", "}"), ("\\textbf{", "}"), ("\\mathrm{", "}"), ("\\mathbf{", "}"), ("\\fbox{", "}"),
    ("\\(", "\\)"), ("\\[", "\\]"), ("<|begin_of_box|>", "<|end_of_box|>"),
    ("<answer>", "</answer>"), ("<final_answer>", "</final_answer>"), ("<b>", "</b>"), ("<strong>", "</strong>"),
    ("<i>", "</i>"), ("<em>", "</em>"), ("<code>", "</code>"), ("<p>", "</p>"),
    ("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"),
    ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("「", "」"), ("『", "』"),
    ("【", "】"), ("《", "》"), ("〈", "〉"),
)  # fmt: skip
#: Marks whose two ends are the same, longest first.
TWINS: tuple[str, ...] = ("***", "**", "__", "~~", "$$", "``", "*", "_", "$", "`", '"', "'")
BULLETS: tuple[str, ...] = ("- ", "* ", "+ ", "• ", "– ", "— ", "> ", "# ", "## ", "### ", "→ ", "-> ")
#: Marks a label may end with.
LABEL_ENDS = ".。:：,，;；!！)]、"
_OPENS = {")": "(", "]": "["}
#: No reply nests marks deeper; the bound keeps peeling linear.
MAX_PEELS = 16

_ZERO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"


def _fold_table() -> dict[int, str]:
    """Full-width forms, circled and mathematical letters -> ASCII; zero-width characters -> nothing."""
    table = {ord(char): "" for char in _ZERO_WIDTH} | {0x3000: " "}
    for start, end in ((0xFF01, 0xFF5E), (0x249C, 0x24E9), (0x1D400, 0x1D6A3), (0x1F110, 0x1F129)):
        for code in range(start, end + 1):
            plain = unicodedata.normalize("NFKC", chr(code))
            if plain.isascii() and plain != chr(code):
                table[code] = plain
    return table


_FOLD = _fold_table()
#: Single blanks stay as they are.
_BLANKS = re.compile(r"[^\S\n ][^\S\n]*| [^\S\n]+")
_ODD_BLANKS = "\t\v\f\x1c\x1d\x1e\x1f"
_LINES = re.compile(r" ?\n[ \n]*")


def tidy(text: str) -> str:
    """Fold letter forms, drop zero-width characters, and bring every run of white space down to one character.

    After this no pattern can meet a long run of blanks, so none can backtrack over one.
    """
    # Most texts are tidy already, and looking is quicker than replacing.
    plain = text.isascii()
    if not plain:
        text = text.translate(_FOLD).replace("\u2028", "\n").replace("\u2029", "\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not plain or "  " in text or any(map(text.__contains__, _ODD_BLANKS)):
        text = _BLANKS.sub(" ", text)
    if "\n\n" in text or " \n" in text or "\n " in text:
        text = _LINES.sub("\n", text)
    return text.strip()


#: Marks of a model's own format that a server may leave around a reply.
_BEGIN_TOKENS = re.compile(r"(?:(?:<s>|<bos>|<\|begin_of_text\|>|<\|im_start\|>)(?:assistant\b)?\s?)+")
_END_TOKENS = ("</s>", "<eos>", "<pad>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end|>", "<|end_of_text|>")


def without_tokens(text: str) -> str:
    """The text without tokens that begin and end a sequence, such as ``<s>`` and ``</s>``; only at its two ends."""
    begun = _BEGIN_TOKENS.match(text)
    start, end = begun.end() if begun else 0, len(text)
    while text.endswith(_END_TOKENS, start, end):
        end -= next(len(token) for token in _END_TOKENS if text.endswith(token, start, end))
        while end > start and text[end - 1].isspace():
            end -= 1
    return text[start:end]


class Unwrapped(Record, frozen=True):
    """A text after its reasoning was taken off."""

    text: str
    removed: bool
    """A reasoning block, or all up to a lone closing tag, was taken off."""
    unclosed: bool
    """An opening tag has no closing one: what follows is reasoning that never ended."""


_OPENINGS = dict(REASONING_TAGS)
_ANY_TAG = re.compile("|".join(re.escape(tag) for pair in REASONING_TAGS for tag in pair), re.IGNORECASE)


def leading_reasoning(text: str) -> str:
    """The text after the closed reasoning blocks it begins with; the text itself when it begins with none."""
    rest = text.lstrip()
    while (match := _ANY_TAG.match(rest)) is not None and match[0].lower() in _OPENINGS:
        closing = re.compile(re.escape(_OPENINGS[match[0].lower()]), re.IGNORECASE).search(rest, match.end())
        if closing is None:
            return text
        rest = rest[closing.end() :].lstrip()
        text = rest
    return text


def after_lone_close(text: str) -> tuple[str, ...]:
    """What follows the last, and what follows the first, closing tag of a text whose opening tag was swallowed.

    Empty when an opening tag stands before the first closing one, or when there is no closing tag.
    """
    tags = list(_ANY_TAG.finditer(text))
    if not tags or tags[0][0].lower() in _OPENINGS:
        return ()
    closings = [match for match in tags if match[0].lower() not in _OPENINGS]
    return tuple(dict.fromkeys(text[match.end() :].strip() for match in (closings[-1], closings[0])))


def without_reasoning(text: str) -> Unwrapped:
    """Drop closed reasoning blocks wherever they stand; then cut at the last lone closing tag.

    Servers may swallow the opening tag, so a lone closing tag ends reasoning too.
    """
    kept: list[str] = []
    position, removed, waiting = 0, False, ""
    for match in _ANY_TAG.finditer(text):
        tag = match[0].lower()
        if waiting:
            if tag == waiting:
                waiting, position, removed = "", match.end(), True
        elif tag in _OPENINGS:
            kept.append(text[position : match.start()])
            waiting, position = _OPENINGS[tag], match.end()
        else:
            kept.clear()
            position, removed = match.end(), True
    if waiting:
        return Unwrapped("".join(kept).strip(), removed, True)
    return Unwrapped(("".join(kept) + text[position:]).strip(), removed, False)


#: A mark that opens or closes a fence.
FENCE_LINE = re.compile(r"`{3,}|~{3,}")
_FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})(?P<tag>[A-Za-z0-9_+.#-]*)")


def inside_fence(text: str) -> str | None:
    """The text inside one code fence that goes around everything; None when there is no such fence.

    The text inside may hold fences of its own (a JSON string that quotes code): whoever parses it decides.
    """
    match = _FENCE.match(text)
    if match is None:
        return None
    marks = match["marks"]
    if len(text) < match.end() + len(marks) or not text.endswith(marks):
        return None
    body = text[match.end() : len(text) - len(marks)]
    # Without white space after it, the word is content, not a tag: ```B``` holds B.
    if match["tag"] and not body[:1].isspace() and not body.startswith(("{", "[")):
        body = match["tag"] + body
    return body.strip()


def _closes_at_end(text: str, opening: str, closing: str) -> bool:
    """Whether the mark that opens the text is the one that its end closes."""
    first, last = opening[-1], closing[-1]
    if len(closing) > 1 or first == last:
        return closing not in text[len(opening) : len(text) - len(closing)]
    depth = 1
    for char in text[len(opening) : -1]:
        depth += (char == first) - (char == last)
        if depth == 0:
            return False
    return True


def _by_first(marks: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Marks by the character they open with, in their order: most texts open with none."""
    found: dict[str, list[T]] = {}
    for opening, mark in marks:
        found.setdefault(opening[0], []).append(mark)
    return {first: tuple(some) for first, some in found.items()}


_PAIRS_BY_FIRST = _by_first((pair[0], pair) for pair in PAIRS)
_TWINS_BY_FIRST = _by_first((mark, mark) for mark in TWINS)
_BULLET_FIRST = frozenset(bullet[0] for bullet in BULLETS)


def _peel_once(text: str) -> str:
    first = text[:1]
    if first in ("`", "~"):
        fenced = inside_fence(text)
        if fenced is not None and "```" not in fenced and "~~~" not in fenced:
            return fenced
    lowered = text[:24].lower()
    for opening, closing in _PAIRS_BY_FIRST.get(lowered[:1], ()):
        if (
            lowered.startswith(opening)
            and text[-len(closing) :].lower() == closing
            and len(text) > len(opening) + len(closing)
            and _closes_at_end(text, opening, closing)
        ):
            return text[len(opening) : len(text) - len(closing)].strip()
    for mark in _TWINS_BY_FIRST.get(first, ()):
        inner = text[len(mark) : len(text) - len(mark)]
        if inner and text.startswith(mark) and text.endswith(mark):
            return inner.strip() if mark[0] not in inner else text
    return text


def peel(text: str) -> str:
    """Take off balanced marks that go around the whole text, and list bullets before it."""
    for _ in range(MAX_PEELS):
        before, text = text, _peel_once(text.strip())
        for bullet in BULLETS if text[:1] in _BULLET_FIRST else ():
            if text.startswith(bullet) and "\n" not in text:
                text = text[len(bullet) :].lstrip()
                break
        if text == before:
            break
    return text


def peel_label(text: str) -> str:
    """``peel``, and the full stop or bracket that ends a label: ``**(B).**`` -> ``B``."""
    for _ in range(MAX_PEELS):
        before, text = text, peel(text)
        end = text[-1:]
        if end in LABEL_ENDS and len(text) > 1 and _OPENS.get(end, end) not in text[:-1].replace(end, ""):
            text = text[:-1].rstrip()
        if text == before:
            break
    return text
