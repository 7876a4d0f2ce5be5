"""A geometry question cut into clauses, in Chinese or English.

Cuts are made at commas, semicolons and full stops; in Chinese also where a word that opens a clause follows a formula
without a mark, in English also at an ``and`` between two statements. No cut is made inside brackets, numbers, formulas
or lists of names (``points A, B, and C``). Clauses and the marks between them add up to the text.
"""

from __future__ import annotations

import re
from typing import Literal

from answerable.core.records import Record

Language = Literal["zh", "en"]
#: ``lead``: an introduction, a scene or a story, which states no condition. ``asked``: what is asked, and all that
#: follows.
Kind = Literal["lead", "condition", "asked"]

#: One of the figure's names: a point, a line, an angle, a triangle, a circle, an arc.
NAME = (
    r"(?:⁀\{[^{}]*(?:\{[^{}]*\})?\}|(?:Rt)?[△∠⊙▱□⁀]*(?:[A-Z][A-Z0-9'′]{0,5}|(?<![A-Za-z])[a-z]|(?<=∠)[0-9α-ω]))"
    r"(?![A-Za-z])"
)
RELATIONS = "=∥⊥≌∽<>≤≥≠≈"
_HAN = re.compile(r"[\u3400-\u9fff]")
_OPENS_BRACKET, _CLOSES_BRACKET = "([{（［｛", ")]}）］｝"

#: Words before a condition that hold for those after it, too.
OPENERS: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:已知[:：]?|若|如果|假设|设|当|满足)\s*"),
    "en": re.compile(
        r"(?:(?:it is )?(?:known|given)(?: that)?:?|if|when|suppose(?: that)?|assume(?: that)?|which satisfy)"
        r"(?![A-Za-z])\s*", re.IGNORECASE,
    ),
}  # fmt: skip
#: Words that only join.
COORDINATORS: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:并且|而且|且|又)(?!知)\s*"),
    "en": re.compile(r"and\b\s*", re.IGNORECASE),
}
CONCLUDES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:则|那么|因此|所以|求|问)"),
    "en": re.compile(r"(?:then|so(?! that)|find|what|how)\b\s*", re.IGNORECASE),
}
_PREDICATES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(rf"[{RELATIONS}是为在于切交连接延长作画取过绕折叠旋转重合垂平分内外相等有被截使]"),
    "en": re.compile(
        rf"[{RELATIONS}]|\b(?:is|are|be|has|have|was|were|lies?|intersects?|meets?|bisect(?:s|es)?|cross(?:es)?|"
        r"pass(?:es|ing)?|connects?|extends?|draws?|takes?|makes?|folds?|rotates?|places?|sets?|tangent|"
        r"perpendicular|happens?|coincides?|equals?|satisf(?:y|ies)|prepared)\b", re.IGNORECASE,
    ),
}  # fmt: skip
#: "In the triangle ABC": where, without saying anything of it.
_SCENES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(rf"(?:如图所示|如图|如右图|如左图|如下图|已知)*[:：]?\s*在?[\u3400-\u9fff]{{0,8}}(?:{NAME})?中"),
    "en": re.compile(rf"(?i:(?:as shown )?(?:it is known that |given that )?in (?:the |a )?)(?:[a-z-]+ )*(?:{NAME})"),
}
_FIGURE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:已知\s*[:：]?\s*)?(?:如图所示|如右图|如左图|如下图|如图)[:：]?"),
    "en": re.compile(
        r"(?:(?:it is )?(?:known|given)(?: that)?:?\s*)?as shown (?:in the (?:figure|picture|diagram)|on the "
        r"(?:right|left))(?: below| above)?", re.IGNORECASE,
    ),
}  # fmt: skip
#: A thing and its name, or a construction: nothing is said of it.
_BARE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(rf"(?:已知|设)?[\u3400-\u9fff]{{0,6}}(?:{NAME})"),
    "en": re.compile(rf"(?i:it is known that |given |suppose |connect )?(?i:the )?(?:[a-z-]+ ){{0,3}}(?:{NAME})"),
}
#: Where a clause starts without a mark: in Chinese such a word after a formula with a relation in it, in English a new
#: sentence after a number.
_AFTER_FORMULA: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?<=[A-Za-z0-9°′'})])(?=(?:若|则|那么|将|把|连接|连结|延长(?!线)|如果))"),
    "en": re.compile(r"(?<=[0-9°])\s+(?=[A-Z][a-z]+\b)"),
}
_FORMULA_END = re.compile(rf"[{RELATIONS}][^\u3400-\u9fff,，;；。．]*$")
_AND = re.compile(r"\s+(?=and\s)")
_MARK = re.compile(r"\s*[,，;；。．.!！?？](?:\s*[,，;；。．.])*\s*")
_STOPS = "。．.!！?？"
_LIST_LEFT = re.compile(rf"({NAME})\s*$")
_LIST_RIGHT = re.compile(rf"(?:and\s+)?({NAME})")
_SINGULAR = re.compile(r"\s+(?:is|has|bisect(?:s|es)|intersects|meets|crosses|passes)\b")
_STATEMENT = re.compile(
    rf"and\s+(?!perpendicular|parallel)(?:(?:the|a)\s+)?(?:[a-z-]+\s+){{0,6}}?(?:{NAME})?\s*"
    rf"(?:[{RELATIONS}]|(?:is|are|bisect(?:s|es)?|intersects?|meets?)\b)"
)
#: What "it" after an ``and``, or a verb without a subject, goes back to.
SUBJECT: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(rf"(?:直线|线段|射线|半径|直径|对角线|弦|边|点)?(?:{NAME})(?=[\u3400-\u9fff⊥])"),
    "en": re.compile(
        rf"(?i:(?:the )?(?:straight |line |segment |radius |diameter |chord |side |point )*)(?:{NAME})(?=\s)"
    ),
}
_OPERATOR = re.compile(rf"\s*[{RELATIONS}+\-:：/]")
_ASKED_SLOT = re.compile(r"[(（]\s*[)）]|[?？_]{1,}")


class Clause(Record, frozen=True):
    """A piece of a question."""

    start: int
    """Its first character in the text."""
    end: int
    """Behind its last character."""
    joiner: int
    """Behind the marks and space after it, where the next one starts."""
    kind: Kind
    stops: bool
    """Whether a full stop, or the end of the text, follows."""


def language_of(text: str) -> Language:
    """Chinese when a Chinese character is in the text, else English."""
    return "zh" if _HAN.search(text) else "en"


def clauses(text: str, language: Language) -> tuple[Clause, ...]:
    """The clauses of a question, in order; they and the marks between them cover it from end to end."""
    cuts = _cuts(text, language)
    edges = [(0, 0), *cuts, (len(text), len(text))]
    spans = [(edges[place][1], edges[place + 1][0], edges[place + 1][1]) for place in range(len(edges) - 1)]
    spans = [span for span in spans if span[0] < span[2]]
    first_asked = _first_asked(text, spans, language)
    found = []
    for place, (start, end, joiner) in enumerate(spans):
        kind: Kind = "asked"
        if place < first_asked:
            kind = "condition" if _states(text[start:end], language) else "lead"
        stops = joiner == len(text) or any(sign in _STOPS for sign in text[end:joiner])
        found.append(Clause(start, end, joiner, kind, stops))
    return tuple(found)


def opener(text: str, language: Language) -> int:
    """Length of the words at the beginning that hold for the conditions after as well; 0 for none."""
    found = OPENERS[language].match(text)
    return found.end() if found and found.end() < len(text) else 0


def coordinator(text: str, language: Language) -> int:
    """Length of the joining word at the beginning; 0 for none."""
    found = COORDINATORS[language].match(text)
    return found.end() if found and found.end() < len(text) else 0


def _protected(text: str) -> list[bool]:
    """Which places lie inside brackets that are closed again."""
    inside = [False] * len(text)
    open_at: list[int] = []
    for place, sign in enumerate(text):
        if sign in _OPENS_BRACKET:
            open_at.append(place)
        elif sign in _CLOSES_BRACKET and open_at:
            first = open_at.pop()
            if not open_at:
                inside[first : place + 1] = [True] * (place + 1 - first)
    return inside


def _cuts(text: str, language: Language) -> list[tuple[int, int]]:
    """Where a clause ends and the next one starts."""
    inside = _protected(text)
    marks = [
        found.span()
        for found in _MARK.finditer(text)
        if not any(inside[found.start() : found.end()]) and not _in_number(text, found) and not _in_list(text, found)
    ]
    bare = [found.span() for found in _AFTER_FORMULA[language].finditer(text)]
    bare = [(start, end) for start, end in bare if _FORMULA_END.search(text[:start])]
    if language == "en":
        bare += [found.span() for found in _AND.finditer(text) if _joins_statements(text, found, marks)]
    # A word may start where a mark has cut already, and no clause is empty.
    taken = {place for start, end in marks for place in range(start, end + 1)}
    free = [(start, end) for start, end in bare if not {start, end} & taken and not inside[end - 1]]
    return sorted({*marks, *free})


def _in_number(text: str, mark: re.Match[str]) -> bool:
    before, after = text[: mark.start()], text[mark.end() :]
    digits = before[-1:].isdigit() and after[:1].isdigit() and mark[0] in (".", ",")
    # 1,000 is a number; 4,5 and AB=1,2 are not.
    return digits and (mark[0] == "." or bool(re.match(r"[0-9]{3}(?![0-9])", after)))


def _in_list(text: str, mark: re.Match[str]) -> bool:
    """Whether a comma stands between two names of one list."""
    if mark[0].strip() not in (",", "，"):
        return False
    left = _LIST_LEFT.search(text, 0, mark.start())
    right = _LIST_RIGHT.match(text, mark.end())
    if left is None or right is None or _shape(left[1]) != _shape(right[1]):
        return False
    before, after = text[: left.start()].rstrip(), text[right.end() :]
    # An operand is no member: "AB=AC,BC=4" has two statements.
    if _OPERATOR.match(after) or (before and _OPERATOR.match(before[-1])):
        return False
    return not _SINGULAR.match(after)


def _shape(name: str) -> tuple[str, int, bool]:
    if name.startswith("⁀{"):
        return "⁀", 0, False
    signs = re.sub(r"[A-Za-z0-9'′α-ω]", "", name)
    letters = re.sub(r"[0-9'′]", "", name[len(signs) :])
    return signs, len(letters), letters.islower()


def _joins_statements(text: str, found: re.Match[str], marks: list[tuple[int, int]]) -> bool:
    begins = max((end for _, end in marks if end <= found.start()), default=0)
    left = text[begins : found.start()]
    left = left[opener(left, "en") :]
    if left.endswith(",") or not _PREDICATES["en"].search(left) or not _STATEMENT.match(text, found.end()):
        return False
    # "It" needs a name to go back to when its clause stays alone.
    return not re.match(r"and\s+(?:it|they)\b", text[found.end() :]) or bool(SUBJECT["en"].match(left))


def _first_asked(text: str, spans: list[tuple[int, int, int]], language: Language) -> int:
    """The place of the first clause of what is asked: the last that leaves a gap, or the one in its sentence that
    begins to conclude.
    """
    gaps = [place for place, (start, end, _) in enumerate(spans) if _ASKED_SLOT.search(text, start, end)]
    first = last = gaps[-1] if gaps else len(spans) - 1
    for place in range(last, -1, -1):
        start, end, joiner = spans[place]
        if place < last and any(sign in _STOPS for sign in text[end:joiner]):
            break
        if CONCLUDES[language].match(text, start):
            first = place
    return first


def _states(text: str, language: Language) -> bool:
    """Whether a clause states a condition: it has a predicate and something of the figure or a number in it."""
    bare = text.strip()
    if _SCENES[language].fullmatch(bare) or _BARE[language].fullmatch(bare) or _FIGURE[language].fullmatch(bare):
        return False
    names = [found[0] for found in re.finditer(NAME, bare) if language == "zh" or found[0] != "a"]
    about = names or re.search(rf"[0-9{RELATIONS}]", bare)
    return bool(about) and bool(_PREDICATES[language].search(bare))


def figure_lead(text: str, language: Language) -> int:
    """Length of "as shown in the figure" at the beginning, with nothing between it and the clause; 0 for none."""
    found = _FIGURE[language].match(text)
    return found.end() if found and found.end() < len(text) else 0
