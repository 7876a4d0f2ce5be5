"""What the words of a scene question ask for: a grammar of our questions, read by recursive descent.

It was written apart from what makes the questions and shares nothing with it but the closed sets of words, so that a
fault in the one does not hide in the other. Every way to read a text is found; tests hold that there is one at most.
One rule settles what English leaves open: *that stands* belongs to the noun just before it, as in CLEVR's questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import msgspec
from msgspec.structs import replace

from answerable.domains.scene.program import FUNCTIONS, SIGNATURES, Builder, Function, Program
from answerable.domains.scene.vocabulary import ATTRIBUTES, PLACE_WORDS, VALUES, Attribute, Relation

#: More than twice the longest of ours. Words that short never ask for more nodes than a program may have.
MAX_LETTERS = 600

Tokens = tuple[str, ...]
#: What is said of a thing: attributes with their values.
Words = tuple[tuple[Attribute, str], ...]

_TOKEN = re.compile(r"[A-Za-z]+|[.,:?]")
_PATTERN_TOKEN = re.compile(r"\{[a-z ]+\}|[A-Za-z]+|[.,:?]")
_NOUNS = ("thing", "object")
_NAMES: dict[str, Function] = {name: name for name in FUNCTIONS}


class Term(msgspec.Struct, frozen=True):
    """What words mean: a function and what it is applied to."""

    function: Function
    inputs: tuple[Term, ...] = ()
    value: str = ""

    def add(self, builder: Builder) -> int:
        """Append its nodes and give the place of the last."""
        return builder.add(self.function, *[one.add(builder) for one in self.inputs], value=self.value)

    def program(self) -> Program:
        """The program; equal parts are not shared."""
        builder = Builder()
        self.add(builder)
        return builder.program()


_SCENE = Term("scene")


def _narrowed(words: Words, source: Term = _SCENE) -> Term:
    """Those among ``source`` that the words fit."""
    for attribute, value in words:
        source = Term(_NAMES[f"filter_{attribute}"], (source,), value)
    return source


def _one(words: Words, source: Term = _SCENE) -> Term:
    """The one thing among ``source`` that the words fit."""
    return Term("unique", (_narrowed(words, source),))


# ---- parts of sentences: each reads from a place on and gives what was said, and the place after it


def _said(tokens: Tokens, at: int, words: str) -> bool:
    wanted = tuple(words.split())
    return tokens[at : at + len(wanted)] == wanted


def _noun(token: str, plural: bool) -> Words | None:
    """``cubes``, ``thing``; None for what is no noun in this number."""
    if token.endswith("s") != plural:
        return None
    noun = token.removesuffix("s") if plural else token
    if noun in _NOUNS:
        return ()
    return (("shape", noun),) if noun in VALUES["shape"] else None


def _described(tokens: Tokens, at: int, plural: bool) -> Iterator[tuple[Words, int]]:
    """``small red metal cube``: at most one of each, in this order."""
    found: Words = ()
    for attribute in ATTRIBUTES:
        if attribute != "shape" and at < len(tokens) and tokens[at] in VALUES[attribute]:
            found, at = (*found, (attribute, tokens[at])), at + 1
    noun = _noun(tokens[at], plural) if at < len(tokens) else None
    if noun is not None:
        yield (*found, *noun), at + 1


def _singular(tokens: Tokens, at: int) -> Iterator[tuple[Words, int]]:
    return _described(tokens, at, plural=False)


def _plural(tokens: Tokens, at: int) -> Iterator[tuple[Words, int]]:
    return _described(tokens, at, plural=True)


def _some(tokens: Tokens, at: int) -> Iterator[tuple[Words, int]]:
    """``a cube``, ``an object``."""
    if at + 1 < len(tokens) and tokens[at] == ("an" if tokens[at + 1][0] in "aeiou" else "a"):
        yield from _described(tokens, at + 1, plural=False)


def _bare(tokens: Tokens, at: int) -> Iterator[tuple[Words, int]]:
    """``the red cube``."""
    if _said(tokens, at, "the"):
        yield from _described(tokens, at + 1, plural=False)


def _object(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    """``the red cube``, ``the red cube that stands behind the sphere``."""
    for words, after in _bare(tokens, at):
        yield _one(words), after
        if _said(tokens, after, "that stands"):
            for source, end in _related(tokens, after + 2):
                yield _one(words, source), end


def _outermost(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    """Also ``the red cube behind the sphere that ...``: the object asked about may do without *that stands*."""
    yield from _object(tokens, at)
    for words, after in _bare(tokens, at):
        for source, end in _beyond(tokens, after):
            yield _one(words, source), end


def _relation(tokens: Tokens, at: int) -> Iterator[tuple[Relation, int]]:
    for relation, words in PLACE_WORDS.items():
        if _said(tokens, at, words):
            yield relation, at + len(words.split())


def _related(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    """``behind the red cube that ...``, ``both behind the red cube and in front of the sphere``."""
    yield from _beyond(tokens, at)
    if _said(tokens, at, "both"):
        for first, after in _beside(tokens, at + 1):
            if _said(tokens, after, "and"):
                for second, end in _beside(tokens, after + 1):
                    yield Term("intersect", (first, second)), end


def _beyond(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    """``behind the red cube that stands ...``."""
    for relation, after in _relation(tokens, at):
        for other, end in _object(tokens, after):
            yield Term("relate", (other,), relation), end


def _beside(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    """``behind the red cube``, where no more is said of the cube."""
    for relation, after in _relation(tokens, at):
        for words, end in _bare(tokens, after):
            yield Term("relate", (_one(words),), relation), end


def _there(tokens: Tokens, at: int) -> Iterator[tuple[Term, int]]:
    if _said(tokens, at, "in the scene"):
        yield _SCENE, at + 3
    yield from _related(tokens, at)


def _attribute(tokens: Tokens, at: int) -> Iterator[tuple[Attribute, int]]:
    for attribute in ATTRIBUTES:
        if _said(tokens, at, attribute):
            yield attribute, at + 1


def _other(tokens: Tokens, at: int) -> Iterator[tuple[bool, int]]:
    """``other``, or nothing."""
    other = _said(tokens, at, "other")
    yield other, at + other


# ---- sentences


class Said(msgspec.Struct, frozen=True):
    """What the slots of a sentence say; a sentence fills those that it has."""

    asked: Attribute = "size"
    likeness: Attribute = "size"
    other: bool = False
    first: Words = ()
    second: Words = ()
    whom: Words = ()
    who: Term = _SCENE
    there: Term = _SCENE


_Slot = Callable[[Tokens, int], Iterator[tuple[object, int]]]
#: The first word of a slot is the field that it fills.
SLOTS: dict[str, _Slot] = {
    "{asked}": _attribute, "{likeness}": _attribute, "{other}": _other, "{who}": _outermost, "{there}": _there,
    "{first one}": _singular, "{second one}": _singular, "{first some}": _some, "{second some}": _some,
    "{first many}": _plural, "{second many}": _plural, "{first the}": _bare, "{second the}": _bare,
    "{whom the}": _bare,
}  # fmt: skip


def _query(said: Said) -> Term:
    return Term(_NAMES[f"query_{said.asked}"], (said.who,))


def _count(said: Said) -> Term:
    return Term("count", (_narrowed(said.first, said.there),))


def _exist(said: Said) -> Term:
    return Term("exist", (_narrowed(said.first, said.there),))


def _either(said: Said) -> Term:
    return Term("union", (_narrowed(said.first), _narrowed(said.second)))


def _count_either(said: Said) -> Term:
    return Term("count", (_either(said),))


def _exist_either(said: Said) -> Term:
    return Term("exist", (_either(said),))


def _numbers(function: Function) -> Callable[[Said], Term]:
    return lambda said: Term(
        function, (Term("count", (_narrowed(said.first),)), Term("count", (_narrowed(said.second),)))
    )


def _agree(said: Said) -> Term:
    query = _NAMES[f"query_{said.asked}"]
    both = Term(query, (_one(said.first),)), Term(query, (_one(said.second),))
    return Term(_NAMES[f"equal_{said.asked}"], both)


def _like(said: Said) -> Term | None:
    """What is like a named thing and fits the first words.

    Likeness leaves the named thing itself out, so words must as well: they say ``other``, or nothing that they fit can
    be the named thing. None where they do neither, or both.
    """
    named = dict(said.whom)
    apart = any(named.get(attribute, value) != value for attribute, value in said.first)
    if apart == said.other:
        return None
    return _narrowed(said.first, Term(_NAMES[f"same_{said.likeness}"], (_one(said.whom),)))


def _of_like(function: Function) -> Callable[[Said], Term | None]:
    def meaning(said: Said) -> Term | None:
        found = _like(said)
        return None if found is None else Term(function, (found,))

    return meaning


def _query_like(said: Said) -> Term | None:
    found = _like(said)
    return None if found is None else Term(_NAMES[f"query_{said.asked}"], (Term("unique", (found,)),))


Meaning = Callable[[Said], Term | None]
SENTENCES: tuple[tuple[Meaning, tuple[str, ...]], ...] = (
    (_query, (
        "Name the {asked} of {who}.",
        "Which {asked} does {who} have?",
        "Consider {who}: of which {asked} is it?",
    )),
    (_count, (
        "How many {first many} stand {there}?",
        "Count the {first many} {there}. What is the total?",
        "Give the number of {first many} that stand {there}.",
    )),
    (_exist, (
        "Does {first some} stand {there}?",
        "Is at least one {first one} standing {there}?",
        "Say whether {first some} stands {there}.",
    )),
    (_count_either, (
        "Count every {first one} and every {second one} in the scene, none of them twice. What is the total?",
        "How many things in the scene are {first some}, {second some}, or both at once?",
        "Give the number of things in the scene that may be called {first some} or {second some}.",
    )),
    (_exist_either, (
        "Does {first some} or {second some} stand in the scene?",
        "Is at least one {first one} or at least one {second one} standing in the scene?",
        "Say whether the scene holds {first some} or {second some}, or both.",
    )),
    (_numbers("greater_than"), (
        "Do the {first many} in the scene outnumber the {second many}?",
        "Does the scene hold more {first many} than {second many}?",
        "Count the {first many} in the scene, then the {second many}: is the first count the larger?",
    )),
    (_numbers("less_than"), (
        "Are the {first many} in the scene outnumbered by the {second many}?",
        "Does the scene hold fewer {first many} than {second many}?",
        "Count the {first many} in the scene, then the {second many}: is the first count the smaller?",
    )),
    (_numbers("equal_integer"), (
        "Do the {first many} and the {second many} in the scene come in equal numbers?",
        "Does the scene hold exactly as many {first many} as {second many}?",
        "Count the {first many} in the scene, then the {second many}: do the two counts agree?",
    )),
    (_agree, (
        "Do {first the} and {second the} share a {asked}?",
        "Does {first the} match {second the} in {asked}?",
        "Compare {first the} with {second the}: are they alike in {asked}?",
    )),
    (_query_like, (
        "Name the {asked} of the {other} {first one} that matches {whom the} in {likeness}.",
        "One {other} {first one} matches {whom the} in {likeness}. Which {asked} does it have?",
        "Consider the {other} {first one} that is like {whom the} in {likeness}: of which {asked} is it?",
    )),
    (_of_like("count"), (
        "How many {other} {first many} match {whom the} in {likeness}?",
        "Count the {other} {first many} that are like {whom the} in {likeness}. What is the total?",
        "Give the number of {other} {first many} whose {likeness} is that of {whom the}.",
    )),
    (_of_like("exist"), (
        "Does any {other} {first one} match {whom the} in {likeness}?",
        "Say whether some {other} {first one} is like {whom the} in {likeness}.",
        "Is the {likeness} of {whom the} found again on any {other} {first one}?",
    )),
)  # fmt: skip


@cache
def _sentences() -> tuple[tuple[Meaning, Tokens], ...]:
    return tuple((meaning, pattern_tokens(pattern)) for meaning, patterns in SENTENCES for pattern in patterns)


@cache
def pattern_tokens(pattern: str) -> Tokens:
    """Words, signs and slots of a sentence."""
    return tuple(_PATTERN_TOKEN.findall(pattern))


def _matches(parts: Tokens, tokens: Tokens, at: int, said: Said) -> Iterator[tuple[Said, int]]:
    """Every way in which a sentence begins the text at a place."""
    for number, part in enumerate(parts):
        if part in SLOTS:
            field = part.strip("{}").split()[0]
            for value, after in SLOTS[part](tokens, at):
                yield from _matches(parts[number + 1 :], tokens, after, replace(said, **{field: value}))
            return
        if not _said(tokens, at, part):
            return
        at += 1
    yield said, at


def tokens_of(text: str) -> Tokens:
    """Words and signs of a text; empty where it is too long, or is not plain words and signs with single spaces."""
    if len(text) > MAX_LETTERS:
        return ()
    found = tuple(_TOKEN.findall(text))
    spelled = "".join(sign if sign in ".,:?" else f" {sign}" for sign in found)
    return found if spelled.removeprefix(" ") == text else ()


def hint(function: Function) -> str:
    """What is said after a question that ends in this function, of the form of its answer."""
    output = SIGNATURES[function].output
    if output == "Boolean":
        return "Answer yes or no."
    if output == "Integer":
        return "Answer with a number in digits."
    words = next(VALUES[attribute] for attribute in ATTRIBUTES if attribute == SIGNATURES[function].attribute)
    return f"Answer {', '.join(words[:-1])} or {words[-1]}."


def readings(wording: str) -> tuple[Program, ...]:
    """The programs that a text asks for, one for each way to read it; none where it is no question of ours.

    Args:
        wording: a question, with or without the hint at the form of its answer. Anything may be in it; a text longer
            than ``MAX_LETTERS`` is not read.
    """
    tokens, found = tokens_of(wording), []
    for meaning, parts in _sentences():
        for said, end in _matches(parts, tokens, 0, Said()):
            term = meaning(said)
            if term is not None and tokens[end:] in ((), tokens_of(hint(term.function))):
                found.append(term.program())
    return tuple(found)
