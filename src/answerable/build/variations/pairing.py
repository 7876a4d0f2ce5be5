"""Which other question lends its options or its picture, and what makes a pair doubtful.

A program can tell that two texts are equal or that both answer sets are numbers; it cannot tell that a question does
not fit. So what is doubtful goes on a list for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from answerable.build.sources.mcq import Question, folded
from answerable.build.variations.upd import Pairing
from answerable.core.codec import digest_bytes
from answerable.core.records import Problem, Refusal
from answerable.core.seeds import Stream

AnswerKind = Literal["number", "yes-no", "colour", "other"]
#: Other questions drawn before every one is looked at.
_DRAWS = 48
_NUMBER = re.compile(r"[-+\u2212]?[$€£¥]?[0-9][0-9,. ]*(?:/[0-9]+)?(?:st|nd|rd|th)? ?(?:%|[a-z\u00b0]{1,3})?")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NUMBERS = _set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty hundred"
)
_YES_NO = _set("yes no true false right wrong correct incorrect 是 否 对 错 不是")
_COLOURS = _set(
    "black white grey gray red green blue yellow orange purple violet pink brown cyan magenta beige gold golden silver "
    "maroon navy turquoise teal tan crimson 黑色 白色 灰色 红色 绿色 蓝色 黄色 橙色 紫色 粉色 棕色"
)
_SHADES = _set("light dark bright deep pale and")
#: Words that questions share whatever they ask.
_COMMON = _set(
    "what which where when whose does this that these those there their they them with from have image picture photo "
    "shown following best describe describes described based above below might could would main many much more most "
    "kind type correct answer option about into only between person people"
)
_WORD = re.compile(r"[^\W\d_]{4,}")


def answer_kind(options: Sequence[str]) -> AnswerKind:
    """What all the options are."""
    texts = [folded(option) for option in options]
    if all(_NUMBER.fullmatch(text) or (text and set(text.split()) <= _NUMBERS) for text in texts):
        return "number"
    if all(text in _YES_NO for text in texts):
        return "yes-no"
    if all(text and set(re.split(r"[\s,-]+", text)) <= _COLOURS | _SHADES for text in texts):
        return "colour"
    return "other"


def content_words(texts: Iterable[str]) -> frozenset[str]:
    """Words of four letters and more that say something."""
    return frozenset(word for text in texts for word in _WORD.findall(folded(text))) - _COMMON


class Lender:
    """A question with what is compared of it."""

    __slots__ = ("ability", "image", "kind", "options", "question", "text", "words")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.image = digest_bytes(question.image)
        self.text = folded(question.text)
        self.options = frozenset(map(folded, question.options))
        self.kind = answer_kind(question.options)
        self.ability = folded(question.ability.replace("_", " "))
        self.words = content_words((question.text, *question.options))


#: A question of two: the one that borrows, the one that might lend.
_Test = Callable[[Lender, Lender], bool]


class Lenders:
    """The questions of one split that may lend, in the source's order."""

    def __init__(self, questions: Iterable[Question], seed: int) -> None:
        self._all = [Lender(question) for question in questions]
        self._seed = seed

    def options_for(self, question: Question) -> Lender | Refusal:
        """Who lends its options to a question."""

        def may(own: Lender, other: Lender) -> bool:
            return _differ(own, other) and not own.options & other.options

        def good(own: Lender, other: Lender) -> bool:
            return (own.kind != other.kind or own.kind == "other") and own.question.language == other.question.language

        return self._find("IASD", question, (may, good, _unlike), "no other question lends its options")

    def picture_for(self, question: Question) -> Lender | Refusal:
        """Who lends its picture to a question."""

        def good(own: Lender, other: Lender) -> bool:
            return own.ability != other.ability or not own.ability

        return self._find("IVQD", question, (_differ, good, _unlike), "no other question lends its picture")

    def _find(
        self, problem: Problem, question: Question, tests: tuple[_Test, _Test, _Test], reason: str
    ) -> Lender | Refusal:
        """The first drawn that passes all tests, else the first of the best among all; the first test must hold."""
        own = Lender(question)
        stream = Stream("lender", self._seed, problem, question.id)
        if not self._all:
            return Refusal(reason, question.id)
        for _ in range(_DRAWS):
            drawn = stream.pick(self._all)
            if all(test(own, drawn) for test in tests):
                return drawn
        start = stream.below(len(self._all))
        best: tuple[int, Lender] | None = None
        for other in self._all[start:] + self._all[:start]:
            if tests[0](own, other):
                # Of the two wishes the earlier weighs more.
                grade = 2 * tests[1](own, other) + tests[2](own, other)
                if best is None or grade > best[0]:
                    best = grade, other
        return best[1] if best else Refusal(reason, question.id)


def _differ(own: Lender, other: Lender) -> bool:
    return own.text != other.text and own.image != other.image


def _unlike(own: Lender, other: Lender) -> bool:
    return not own.words & other.words and (own.ability != other.ability or not own.ability)


def doubts(pairing: Pairing, other: Question | None) -> tuple[str, ...]:
    """Why people should look at a pair; empty when a program sees no reason.

    Args:
        other: the question that lends, where it is known.
    """
    found = []
    own = Lender(pairing.question)
    if pairing.problem == "AAD":
        found += _near_the_answer(pairing)
    if pairing.problem == "IASD":
        shared = own.options & set(map(folded, pairing.options))
        kind = answer_kind(pairing.options)
        if shared:
            found.append(f"options in common: {', '.join(sorted(shared))[:80]}")
        if kind == own.kind and kind != "other":
            found.append(f"both answer sets are of the kind {kind}")
        common = content_words((pairing.question.text,)) & content_words(pairing.options)
        if common:
            found.append(f"the options speak of the question's words: {', '.join(sorted(common)[:5])}")
    if pairing.problem == "IVQD" and digest_bytes(pairing.image) == own.image:
        found.append("equal images")
    if other is not None and pairing.problem != "AAD":
        lender = Lender(other)
        if own.ability and own.ability == lender.ability:
            found.append(f"both questions test {pairing.question.ability}")
        words = content_words((pairing.question.text,)) & lender.words
        if words and pairing.problem == "IVQD":
            found.append(f"the picture's own question speaks of: {', '.join(sorted(words)[:5])}")
    return tuple(found)


def _near_the_answer(pairing: Pairing) -> list[str]:
    """A remaining option that says nearly what the removed one said, as far as words tell."""
    right = content_words((pairing.right,))
    found = []
    for option in pairing.offered:
        words = content_words((option,))
        less, more = sorted((words, right), key=len)
        # One word of a long text says little.
        if less and less <= more and (len(less) > 1 or len(more) <= 2):
            found.append(f"an option near the removed one: {option[:60]!r}")
        if folded(option) in ("none", "nothing", "no one", "nobody"):
            found.append(f"an option that may mean none of these: {option[:20]!r}")
    return found
