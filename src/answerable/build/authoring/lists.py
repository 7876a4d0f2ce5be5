"""Lists of names in a geometry question, and what a list says when one of its members is gone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

from answerable.build.authoring.clauses import NAME, Language

#: Start, end, and what stands there instead.
Edit = tuple[int, int, str]

_SEPARATOR = r"(?:\s*[、,，]\s*(?:and\s+)?|\s+and\s+|和|与)"
_LIST = re.compile(rf"(?:{NAME})(?:{_SEPARATOR}(?:{NAME}))+")
_MEMBER = re.compile(NAME)
_RESPECTIVELY: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"分别"),
    "en": re.compile(r",?\s*\brespectively\b"),
}
#: A statement on each member, which holds of those that stay; "A and B are parallel" is none.
_EACH: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:均|都)?(?:是|为|在)"),
    "en": re.compile(r"\s+(?:are|lie)\b"),
}
_TOGETHER: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"互相|相互|平行|相交|垂直|重合|同一|一条|之间"),
    "en": re.compile(r"\b(?:parallel|intersect|perpendicular|each other|same|coincide|opposite|adjacent|between)\b"),
}
_NUMBERS_ZH, _NUMBERS_EN = (
    "零一两三四五六七八九",
    ("", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
)
_THINGS = "points|lines|midpoints|vertices|chords|tangents|sides|edges|segments|angles|diagonals|radii|circles"
_SINGULAR = {"vertices": "vertex", "radii": "radius"}


def applied(text: str, edits: Sequence[Edit]) -> str:
    """A text after edits that do not overlap."""
    done, last = [], 0
    for start, end, new in sorted(edits):
        done += [text[last:start], new]
        last = end
    return "".join([*done, text[last:]])


def members(text: str, start: int, end: int, language: Language) -> Iterator[tuple[int, int, list[Edit]]]:
    """What goes with each member: its place, and the edits. A member of a list that says something of each, or of two
    lists that go together by "respectively".

    Args:
        start: of the clause.
        end: of the clause.
    """
    found = [_spans(match) for match in _LIST.finditer(text, start, end)]
    together = _RESPECTIVELY[language].search(text, start, end)
    if together is None:
        found = found[:1] if found and _says_of_each(text[found[0][-1][1] : end], len(found[0]), language) else []
    elif len(found) != 2 or len(found[0]) != len(found[1]):
        found = []
    if not found:
        return
    size = len(found[0])
    for place, (first, last) in enumerate(found[0]):
        edits = [_without(text, spans, place) for spans in found]
        taken = [(spans[0][0], spans[-1][1]) for spans in found]
        edits += [edit for edit in _agreeing(text, start, end, size - 1, language) if _free(edit, taken)]
        yield first, last, edits


def _says_of_each(rest: str, size: int, language: Language) -> bool:
    """Whether what follows a list holds of each member alone; of two, only where it counts them or they are points."""
    if not _EACH[language].match(rest) or _TOGETHER[language].search(rest):
        return False
    return size > 2 or bool(_counted(language, size).search(rest))


def _counted(language: Language, size: int) -> re.Pattern[str]:
    number = (_NUMBERS_ZH if language == "zh" else _NUMBERS_EN)[size] if size < len(_NUMBERS_EN) else r"(?!)"
    if language == "zh":
        return re.compile(rf"(?:{number}|{size})(?=[个条]?(?:点|切点|弦|切线|边|顶点|直线))")
    return re.compile(rf"\b(?:{number}|{size}(?:\.0)?)\s+(?=(?:\w+\s+)?(?:{_THINGS})\b)")


def _spans(found: re.Match[str]) -> list[tuple[int, int]]:
    return [(found.start() + one.start(), found.start() + one.end()) for one in _MEMBER.finditer(found[0])]


def _without(text: str, spans: Sequence[tuple[int, int]], place: int) -> Edit:
    """The list without a member. The last separator stays the last: "A, B, and C" becomes "A and B"."""
    kept = [text[start:end] for number, (start, end) in enumerate(spans) if number != place]
    between = [text[one[1] : other[0]] for one, other in itertools.pairwise(spans)]
    joined = [*between[: len(kept) - 2], between[-1].replace(", and", " and") if len(kept) == 2 else between[-1]]
    listed = "".join(itertools.chain(*zip(kept, [*joined[: len(kept) - 1], ""], strict=True)))
    return spans[0][0], spans[-1][1], listed


def _free(edit: Edit, taken: Sequence[tuple[int, int]]) -> bool:
    return all(edit[1] <= start or edit[0] >= end for start, end in taken)


def _agreeing(text: str, start: int, end: int, left: int, language: Language) -> list[Edit]:
    """Edits of the words that agree with the number of a list's members, of which ``left`` stay."""
    rules = _rules_zh(left) if language == "zh" else _rules_en(left)
    edits: list[Edit] = []
    for pattern, new in rules:
        for found in pattern.finditer(text, start, end):
            edit = (found.start(), found.end(), found.expand(new) if isinstance(new, str) else new(found))
            if _free(edit, [(one[0], one[1]) for one in edits]):
                edits.append(edit)
    return edits


_Rule = tuple[re.Pattern[str], "str | Callable[[re.Match[str]], str]"]


def _rules_zh(left: int) -> list[_Rule]:
    rules: list[_Rule] = [(_counted("zh", left + 1), _NUMBERS_ZH[left] if left < len(_NUMBERS_ZH) else r"\g<0>")]
    if left == 1:
        rules += [(re.compile(r"分别|均|都"), "")]
    return rules


def _rules_en(left: int) -> list[_Rule]:
    if left > 1:
        number = f"{_NUMBERS_EN[left]} " if left < len(_NUMBERS_EN) else r"\g<0>"
        # "All" of two is "both".
        return [(_counted("en", left + 1), number), *([(re.compile(r"\ball\s+"), "")] if left == 2 else [])]
    return [
        (re.compile(rf"\bare\s+(?:all\s+)?(?:two\s+)?({_THINGS})\b"), lambda found: f"is {_one(found[1])}"),
        (_RESPECTIVELY["en"], ""),
        (re.compile(r"\bare\b"), "is"),
        (re.compile(rf"\b(?:{_THINGS})\b"), lambda found: _SINGULAR.get(found[0], found[0][:-1])),
    ]


def _one(things: str) -> str:
    thing = _SINGULAR.get(things, things[:-1])
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"
