"""Keeping answers even, so that no question is answered by what is usual.

Two ways for the same end: a ``Balancer`` looks at a stream of questions and lets through what is not yet too frequent;
``wish`` says beforehand, from a number alone, what to ask for, so that many processes can share the work.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import msgspec

from answerable.core.records import AnswerType
from answerable.core.seeds import Stream
from answerable.domains.scene.questions import Question
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES, Attribute

TYPES: tuple[AnswerType, ...] = ("text", "boolean", "integer")
#: The most that one count may be of all counts, and one attribute of all that are asked for.
_COUNT_SHARE, _ATTRIBUTE_SHARE = 0.3, 0.3
#: Counts that are wished for; scenes seldom allow more.
_COUNTS = 5


def families_of(type: AnswerType) -> tuple[str, ...]:
    """The sorts of questions with this type of answer."""
    return tuple(name for name, family in FAMILIES.items() if family.type == type)


def _attribute_of(word: str) -> Attribute:
    return next(attribute for attribute in ATTRIBUTES if word in VALUES[attribute])


class Balancer:
    """Lets questions through so that types, sorts and answers stay even, whatever the scenes are like.

    Types and sorts are served in turn. Within a sort, yes and no differ by one at most. No word is given much oftener
    than an even share among the words of its attribute, no attribute is asked for much oftener than another, and no
    count makes up more than three in ten.
    """

    def __init__(self) -> None:
        self._types: Counter[str] = Counter()
        self._families: Counter[str] = Counter()
        self._shares: dict[str, Counter[str]] = {}

    def order(self) -> Iterator[str]:
        """The sorts of questions, the least served first."""
        for type_ in sorted(TYPES, key=lambda one: (self._types[one], TYPES.index(one))):
            yield from sorted(families_of(type_), key=lambda one: (self._families[one], one))

    def accepts(self, question: Question) -> bool:
        """Whether its answer is not yet too frequent."""
        return all(
            self._shares.get(stratum, Counter())[part] < _most(share, self._shares.get(stratum, Counter()).total())
            for stratum, part, share in _strata(question)
        )

    def add(self, question: Question) -> None:
        """Count a question that was let through."""
        self._types[question.answer.type] += 1
        self._families[question.family] += 1
        for stratum, part, _ in _strata(question):
            self._shares.setdefault(stratum, Counter())[part] += 1


def _most(share: float, before: int) -> int:
    """How many of the next total may be alike; every answer may be the first of its kind."""
    return max(1, math.ceil(share * (before + 1)))


def _strata(question: Question) -> Iterator[tuple[str, str, float]]:
    """Where a question counts, as what, and how large a share that may have."""
    target = question.answer.target
    if question.answer.type == "boolean":
        yield question.family, target, 0.5
    elif question.answer.type == "integer":
        yield "integer", target, _COUNT_SHARE
    else:
        attribute = _attribute_of(target)
        yield "text", attribute, _ATTRIBUTE_SHARE
        yield attribute, target, 1.2 / len(VALUES[attribute])


class Wish(msgspec.Struct, frozen=True):
    """A question to look for."""

    family: str
    answer: str


def wish(number: int, *names: str | int) -> Wish:
    """The question to look for under a number: types and sorts in turn, and an answer drawn evenly.

    Yes and no alternate within a sort. A scene may not allow it; then the next scene is tried, never another answer.

    Args:
        names: seed.
    """
    type_, rounds = TYPES[number % len(TYPES)], number // len(TYPES)
    families = families_of(type_)
    family, turn = families[rounds % len(families)], rounds // len(families)
    stream = Stream("scene-wish", *names, number)
    if type_ == "boolean":
        # Pairs of one yes and one no, in an order that is drawn.
        first = Stream("scene-wish-pair", *names, family, turn // 2).below(2)
        return Wish(family, ("yes", "no")[(turn + first) % 2])
    if type_ == "integer":
        return Wish(family, str(stream.below(_COUNTS)))
    return Wish(family, stream.pick(VALUES[stream.pick(ATTRIBUTES)]))
