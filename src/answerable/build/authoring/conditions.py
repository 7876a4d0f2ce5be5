"""Geometry questions with one condition taken out of the text: one candidate for each (TUBench, strategy S.9).

A condition is a clause (``AB∥CD``), a term of a chain of relations (``AB=AC=AD``), a member of a list with what belongs
to it (``D, E are the midpoints of AB, AC respectively``), or one of two statements on a subject (``AD bisects ∠BAC and
it intersects BC at D``). What stays is the author's text; only words that agreed with what went are mended: ``three
points`` for two, ``are`` for one, a capital at a sentence's beginning. Whether a candidate cannot be answered any more
is for people to say: a condition may follow from others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from answerable.build.authoring import lists
from answerable.build.authoring.clauses import (
    CONCLUDES,
    NAME,
    SUBJECT,
    Clause,
    Language,
    clauses,
    coordinator,
    figure_lead,
    opener,
)
from answerable.build.authoring.lists import Edit
from answerable.core.records import Record

#: What went: a whole clause, a term of a chain, a member of a list, one of the statements of a clause, or a word like
#: "isosceles".
Part = Literal["clause", "term", "member", "statement", "attribute"]

_CHAIN_TERM = r"[^\s=∥⊥≌∽<>≤≥≠,，;；。．\u3400-\u9fff]+"
_CHAIN = re.compile(rf"{_CHAIN_TERM}(?:\s*([=∥])\s*{_CHAIN_TERM})(?:\s*\1\s*{_CHAIN_TERM})+")
#: Two statements in one: a second verb may follow without a mark, and 垂直平分 says two things.
_SERIAL = re.compile(rf"((?:垂直平分|平分|垂直于?|⊥)(?:{NAME})(?:且|并)?)(?=(?:分别)?交)")
_DOUBLE = re.compile(r"(垂直)(平分)")
#: The beginning of a clause that has no subject of its own.
_SUBJECTLESS: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"(?:且|并)?(?=(?:分别)?(?:交(?!点)|平分|垂直(?!平分线)))"),
    "en": re.compile(r"(?:and\s+)?(?:(?:it|they)\s+|(?=(?:bisect(?:s|es)?|intersects?|meets?|crosses)\b))"),
}
_VERB_ZH = re.compile(r"(?:分别)?(?:垂直平分|平分|垂直于|垂直|切|交|过|⊥)")
_IF = re.compile(r"(?:if|when)\b", re.IGNORECASE)
#: A construction of one line.
_DRAWN = re.compile(rf"(?:连接|连结|[Cc]onnect\s+)({NAME})")
#: Words that say a condition of the thing after them.
_ATTRIBUTES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"等腰(?=直角|三角形|梯形|Rt|△)|等边(?=三角形|△)|直角(?=三角形|梯形)|平行(?=线(?!段))"),
    "en": re.compile(
        r"\b(?:isosceles|equilateral|parallel|right(?=\s+(?:triangle|△|trapezoid)))\s+"
        r"(?=(?:(?:right|straight)\s+)?(?:lines?\b|triangles?\b|trapezoids?\b|Rt|△))"
    ),
}
#: Words that go back to what stood before.
_RELATIVE = re.compile(r"which satisfy\s+|满足")
_THEN = re.compile(r"then\b,?\s*")
_MARKS = {",": 1, "，": 1, ";": 2, "；": 2}


class Candidate(Record, frozen=True):
    """A question without one of its conditions."""

    text: str
    """What is left."""
    removed: str
    """The condition."""
    part: Part
    edits: tuple[Edit, ...]
    """What turns the question into it: places in the question and what stands there instead, in order."""


def candidates(text: str, language: Language) -> tuple[Candidate, ...]:
    """Every candidate, in the order of the conditions; no two have the same text.

    Args:
        text: of the whole question.
    """
    parts = clauses(text, language)
    found: dict[str, Candidate] = {}
    for place, clause in enumerate(parts):
        if clause.kind == "asked":
            continue
        whole = _of_clause(text, parts, place, language) if clause.kind == "condition" else ()
        for part, start, end, edits in (*whole, *_attributes(text, clause, language)):
            given = lists.applied(text, edits)
            if given.strip() and given != text:
                made = Candidate(given, text[start:end].strip(" ,，"), part, tuple(sorted(edits)))
                found.setdefault(given, made)
    return tuple(found.values())


def _of_clause(
    text: str, parts: Sequence[Clause], place: int, language: Language
) -> Iterator[tuple[Part, int, int, list[Edit]]]:
    clause = parts[place]
    body = _body(text, clause, language)
    yield "clause", body, clause.end, _without(text, parts, place, language)
    for start, end, edits in _terms(text, clause):
        yield "term", start, end, edits
    for start, end, edits in lists.members(text, body, clause.end, language):
        yield "member", start, end, edits
    if language == "zh":
        for start, end in _statements(text, clause):
            yield "statement", start, end, [(start, end, "")]


def _body(text: str, clause: Clause, language: Language) -> int:
    """Where the condition itself begins, behind the words that lead to it."""
    start = clause.start
    for length in (coordinator, figure_lead, opener, coordinator):
        start += length(text[start : clause.end], language)
    return start


def _without(text: str, parts: Sequence[Clause], place: int, language: Language) -> list[Edit]:
    """The edits that take a clause out."""
    clause = parts[place]
    body = _body(text, clause, language)
    following = parts[place + 1] if not clause.stops and place + 1 < len(parts) else None
    if following is not None:
        kept = _kept_subject(text, clause, body, following, language)
        if kept is not None:
            return [kept]
    kept_lead = figure_lead(text[clause.start : clause.end], language)
    led = clause.start + kept_lead
    opens = opener(text[led : clause.end], language)
    if opens and following is not None and following.kind == "condition" and not _opens(text, following, language):
        # The word holds for the next condition too, which then comes first.
        return [(led + opens, following.start + coordinator(text[following.start : following.end], language), "")]
    if kept_lead:
        return [(led, clause.end, "")]
    return _cut(text, parts, place, following, language)


def _cut(text: str, parts: Sequence[Clause], place: int, following: Clause | None, language: Language) -> list[Edit]:
    """The edits that take a clause out with the words that lead to it and a mark beside it."""
    clause, before = parts[place], parts[place - 1] if place else None
    introduced = before is not None and before.kind == "lead" and not before.stops
    if introduced and clause.stops and place + 1 < len(parts):
        # "As shown in the figure, ..." now leads to the next sentence.
        return [(clause.start, clause.joiner, ""), *_cased(text, clause.joiner, upper=False)]
    if before is not None and not before.stops and _rank(text, clause) > _rank(text, before):
        # The stronger mark stays.
        return [(before.end, clause.end, "")]
    start, end = clause.start, clause.joiner
    if before is not None and introduced and _only_for(text, before, clause):
        start = before.start
    if following is not None:
        tail = text[following.start : following.end]
        if following.kind == "condition":
            relative = _RELATIVE.match(tail)
            end += relative.end() if relative else 0
            end += coordinator(tail, language) if before is None or before.stops or introduced else 0
        elif not any(one.kind == "condition" for one in parts if one != clause):
            found = CONCLUDES[language].match(tail)
            end += found.end() if found else 0
        elif _IF.match(text, clause.start + coordinator(text[clause.start : clause.end], language)):
            # "Then" answers the "if" that goes.
            found = _THEN.match(tail)
            end += found.end() if found else 0
    return [(start, end, ""), *(_cased(text, end, upper=True) if _capital(text, start) else ())]


def _only_for(text: str, before: Clause, clause: Clause) -> bool:
    """Whether a clause only draws what the next one is about and nothing else names."""
    drawn = _DRAWN.fullmatch(text, before.start, before.end)
    if drawn is None:
        return False
    # "CD" is no part of "ACD".
    named = re.compile(rf"(?<![A-Za-z]){re.escape(drawn[1])}(?![A-Za-z])")
    rest = text[: before.start] + text[clause.end :]
    return bool(named.search(text, clause.start, clause.end)) and not named.search(rest)


def _cased(text: str, place: int, *, upper: bool) -> tuple[Edit, ...]:
    """A word's first letter made large or small; a name of the figure stays."""
    if upper:
        fits = text[place : place + 2].islower() and text[place : place + 2].isalpha()
    else:
        fits = bool(re.match(r"(?:If|When|Given|It|The|Then|Suppose|Connect|Extend|Draw|Take)\b", text[place:]))
    return ((place, place + 1, text[place].upper() if upper else text[place].lower()),) if fits else ()


def _rank(text: str, clause: Clause) -> int:
    """How much a clause's mark parts it from the next."""
    marks = text[clause.end : clause.joiner].strip()
    if clause.stops:
        return 3
    return _MARKS.get(marks[:1], 0)


def _opens(text: str, clause: Clause, language: Language) -> bool:
    return _body(text, clause, language) > clause.start + coordinator(text[clause.start : clause.end], language)


def _capital(text: str, place: int) -> bool:
    return text[place : place + 1].isupper() and text[place + 1 : place + 2].islower()


def _kept_subject(text: str, clause: Clause, body: int, following: Clause, language: Language) -> Edit | None:
    """The edit that leaves a clause's subject to the next one, which has none of its own or says "it"."""
    subject = SUBJECT[language].match(text, body, clause.end)
    bare = _SUBJECTLESS[language].match(text, following.start, following.end)
    if subject is None or bare is None or (language == "zh" and not _VERB_ZH.match(text, subject.end(), clause.end)):
        return None
    return subject.end(), bare.end(), "" if language == "zh" else " "


def _terms(text: str, clause: Clause) -> Iterator[tuple[int, int, list[Edit]]]:
    """The terms of chains of three and more, each with a sign beside it."""
    for chain in _CHAIN.finditer(text, clause.start, clause.end):
        spans = [found.span() for found in re.finditer(_CHAIN_TERM, chain[0])]
        spans = [(chain.start() + start, chain.start() + end) for start, end in spans]
        for place, (start, end) in enumerate(spans):
            cut = (start, spans[1][0]) if place == 0 else (spans[place - 1][1], end)
            yield start, end, [(*cut, "")]


def _attributes(text: str, clause: Clause, language: Language) -> Iterator[tuple[Part, int, int, list[Edit]]]:
    for found in _ATTRIBUTES[language].finditer(text, clause.start, clause.end):
        # Parallel lines are lines; in Chinese they need another word.
        yield "attribute", *found.span(), [(*found.span(), "直" if found[0] == "平行" else "")]


def _statements(text: str, clause: Clause) -> Iterator[tuple[int, int]]:
    """One of two statements that share a subject, or an object."""
    for found in _SERIAL.finditer(text, clause.start, clause.end):
        subject = SUBJECT["zh"].search(text, clause.start)
        if subject and subject.end() <= found.start():
            yield found.span(1)
    for found in _DOUBLE.finditer(text, clause.start, clause.end):
        yield found.span(1)
        yield found.span(2)
