"""Balance: a thousand questions, and what their answers are."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.scene.balance import TYPES, Balancer, families_of, wish
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from tests.domains.scene.make import program, sampled

THOUSAND, SCENES = 1000, 250


@cache
def stream_of_questions() -> tuple[Question, ...]:
    """A thousand questions, a few a scene."""
    balancer = Balancer()
    found: list[Question] = []
    round_ = 0
    while len(found) < THOUSAND:
        scene = sampled(round_ % SCENES)
        for family in balancer.order():
            question = ask(scene, family, Stream("balance", family, round_))
            if isinstance(question, Question) and balancer.accepts(question):
                balancer.add(question)
                found.append(question)
                break
        round_ += 1
        assert round_ < 3 * THOUSAND
    return tuple(found)


def test_types_and_sorts_are_even() -> None:
    types = Counter(question.answer.type for question in stream_of_questions())
    assert max(types.values()) - min(types.values()) <= 20
    for type_ in TYPES:
        sorts = Counter(question.family for question in stream_of_questions() if question.answer.type == type_)
        assert set(sorts) == set(families_of(type_))
        assert min(sorts.values()) > 0.6 * max(sorts.values())


def test_yes_and_no_differ_by_one_at_most_within_a_sort() -> None:
    for family in families_of("boolean"):
        answers = Counter(question.answer.target for question in stream_of_questions() if question.family == family)
        assert abs(answers["yes"] - answers["no"]) <= 1


def test_words_and_counts_are_spread() -> None:
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    counts: Counter[str] = Counter()
    for question in stream_of_questions():
        target = question.answer.target
        if question.answer.type == "text":
            words[next(one for one in ATTRIBUTES if target in VALUES[one])][target] += 1
        elif question.answer.type == "integer":
            counts[target] += 1
    assert set(words) == set(ATTRIBUTES)
    asked = {attribute: one.total() for attribute, one in words.items()}
    assert max(asked.values()) <= 0.3 * sum(asked.values()) + 1
    for attribute in ATTRIBUTES:
        one = words[attribute]
        assert set(one) == set(VALUES[attribute])
        assert max(one.values()) <= 1.2 * one.total() / len(one) + 1
    assert max(counts.values()) <= 0.3 * counts.total() + 1
    assert set("01234") < set(counts)


def question(family: str, target: str) -> Question:
    return Question(
        family=family, wording="?", program=program("scene", "count 0"),
        answer=Answer(target=target, type=FAMILIES[family].type),
    )  # fmt: skip


def test_a_balancer_turns_away_what_is_frequent() -> None:
    balancer = Balancer()
    yes, no = question("exist-0", "yes"), question("exist-0", "no")
    assert balancer.accepts(yes)
    balancer.add(yes)
    assert not balancer.accepts(yes)
    assert balancer.accepts(no)
    # Another sort has its own account.
    assert balancer.accepts(question("exist-1", "yes"))
    order = list(balancer.order())
    assert sorted(order) == sorted(FAMILIES)
    assert order.index("exist-1") < order.index("exist-0")
    assert FAMILIES[order[0]].type != "boolean"


def test_wishes_are_even_and_need_no_memory() -> None:
    wishes = [wish(number, "seed", 3) for number in range(3000)]
    assert wishes[17] == wish(17, "seed", 3)
    assert wishes != [wish(number, "seed", 4) for number in range(3000)]
    assert set(Counter(FAMILIES[one.family].type for one in wishes).values()) == {1000}
    assert {one.family for one in wishes} == set(FAMILIES)
    for family in families_of("boolean"):
        answers = Counter(one.answer for one in wishes if one.family == family)
        assert abs(answers["yes"] - answers["no"]) <= 1
    counts = Counter(one.answer for one in wishes if FAMILIES[one.family].type == "integer")
    assert set(counts) == set("01234")
    assert min(counts.values()) > 150
    words = Counter(one.answer for one in wishes if FAMILIES[one.family].type == "text")
    assert set(words) == {word for words_ in VALUES.values() for word in words_}
