"""Words are accepted for their own program only; and programs in plain words."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings

from answerable.core.seeds import Stream
from answerable.domains.scene.asking import LONG, asks, told
from answerable.domains.scene.program import FUNCTIONS, Node, Program
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, RELATIONS, VALUES
from tests.domains.scene.make import program, programs
from tests.domains.scene.posed import disguised, doubling, every, mutants, posed, unfolded

EVERY = pytest.mark.parametrize("family", FAMILIES)


@EVERY
def test_questions_are_accepted_with_their_own_program(family: str) -> None:
    for _, question in posed(family):
        assert asks(question.wording, question.program), question.wording


@pytest.mark.slow
def test_thousands_of_questions_are_accepted_with_their_own_program() -> None:
    questions = [question for family in FAMILIES for _, question in posed(family, 310)]
    assert len(questions) > 5000
    assert all(asks(question.wording, question.program) for question in questions)


@EVERY
def test_order_and_sharing_change_nothing(family: str) -> None:
    for number, (_, question) in enumerate(posed(family)):
        assert asks(question.wording, disguised(question.program, Stream("disguise", number)))
        assert asks(question.wording.split(" Answer ")[0], question.program)


@EVERY
def test_every_changed_program_is_refused(family: str) -> None:
    for _, question in posed(family):
        for change, other in mutants(question.program):
            assert not asks(question.wording, other), (change, question.wording, other)


def test_every_sort_of_change_was_tried() -> None:
    seen = Counter(change for question in every(20) for change, _ in mutants(question.program))
    assert set(seen) == {
        "value", "function", "dropped filter", "doubled filter", "dropped relation", "dropped part", "turned",
        "compared",
    }  # fmt: skip
    assert min(seen.values()) >= 5


def test_words_of_another_question_are_refused() -> None:
    questions = tuple(every(8))
    trees = [unfolded(question.program) for question in questions]
    compared = 0
    for one, tree in zip(questions, trees, strict=True):
        for other, another in zip(questions, trees, strict=True):
            compared += tree != another
            assert asks(one.wording, other.program) == (tree == another), (one.wording, other.wording)
    assert compared > 20_000


_NOUNS = ({"thing", "object"}, {"things", "objects"})
_SWAPS = (
    "large", "red", "metal", "rubber", "cube", "spheres", "thing", "things", "object", "objects", "other", "left",
    "right", "behind", "front", "both", "and", "or", "a", "an", "the", "color", "size", "more", "fewer", "every", "any",
)  # fmt: skip


@EVERY
def test_no_word_can_be_changed_dropped_or_doubled(family: str) -> None:
    for _, question in posed(family)[:25]:
        words = question.wording.split(" ")
        for at, word in enumerate(words):
            assert not asks(" ".join((*words[:at], *words[at + 1 :])), question.program)
            assert not asks(" ".join((*words[:at], word, *words[at:])), question.program)
            bare = word.rstrip(".,:?")
            for swap in _SWAPS:
                if swap == bare or {swap, bare} in _NOUNS:
                    continue
                changed = " ".join((*words[:at], swap + word[len(bare) :], *words[at + 1 :]))
                assert not asks(changed, question.program), changed


@EVERY
def test_the_two_nouns_mean_the_same(family: str) -> None:
    """``thing`` for ``object``, with its article."""
    changed = 0
    for _, question in posed(family):
        text = re.sub(r"\ban object\b", "a thing", question.wording).replace("object", "thing")
        changed += text != question.wording
        assert asks(text, question.program)
    assert changed


@settings(max_examples=200, deadline=None)
@given(programs())
def test_no_program_is_asked_for_by_soup(one: Program) -> None:
    for text in ("", "How many?", "How many things stand", told(one), told(one)[:400] + "?"):
        assert not asks(text, one)


def test_what_no_question_asks_for_is_refused() -> None:
    red = ("scene", "filter_color red 0", "unique 1")
    twice = program(*red, "equal_object 2 2")
    assert not any(asks(question.wording, twice) for question in every(2))
    assert not asks("How many red things stand in the scene?", doubling(95))


TOLD = {
    "how many things are in the scene": ("scene", "count 0"),
    "whether anything is in the scene": ("scene", "exist 0"),
    "the shape of the one thing that is in the scene": ("scene", "unique 0", "query_shape 1"),
    "the color of the one thing that is large, metal and a sphere": (
        "scene", "filter_shape sphere 0", "filter_material metal 1", "filter_size large 2", "unique 3", "query_color 4",
    ),
    "how many things are red and stand to the left of the one thing that is small and stands behind the one thing "
    "that is a cube": (
        "scene", "filter_shape cube 0", "unique 1", "relate behind 2", "filter_size small 3", "unique 4",
        "relate left 5", "filter_color red 6", "count 7",
    ),
    "whether anything is red and both [stands in front of the one thing that is blue] and [is a cube]": (
        "scene", "filter_color blue 0", "unique 1", "relate front 2", "filter_shape cube 0", "intersect 3 4",
        "filter_color red 5", "exist 6",
    ),
    "how many things either [are cubes] or [are large and spheres]": (
        "scene", "filter_shape cube 0", "filter_size large 0", "filter_shape sphere 2", "union 1 3", "count 4",
    ),
    "whether the number of things that are cubes is less than the number of things that are in the scene": (
        "scene", "filter_shape cube 0", "count 1", "count 0", "less_than 2 3",
    ),
    "whether the number of things that are cubes is greater than the number of things that are in the scene": (
        "scene", "filter_shape cube 0", "count 1", "count 0", "greater_than 2 3",
    ),
    "whether the size of the one thing that is red is the same as the size of the one thing that is blue": (
        "scene", "filter_color red 0", "unique 1", "query_size 2", "filter_color blue 0", "unique 4", "query_size 5",
        "equal_size 3 6",
    ),
    "whether the one thing that is red is the same as the one thing that is blue": (
        "scene", "filter_color red 0", "unique 1", "filter_color blue 0", "unique 3", "equal_object 2 4",
    ),
    "how many things have the color of, and are not, the one thing that is a cube": (
        "scene", "filter_shape cube 0", "unique 1", "same_color 2", "count 3",
    ),
    "the size of the one thing that is a sphere and has the color of, and is not, the one thing that is a cube": (
        "scene", "filter_shape cube 0", "unique 1", "same_color 2", "filter_shape sphere 3", "unique 4", "query_size 5",
    ),
}  # fmt: skip


@pytest.mark.parametrize("words", TOLD)
def test_programs_in_plain_words(words: str) -> None:
    assert told(program(*TOLD[words])) == words


def test_different_programs_are_told_differently() -> None:
    """And the order of filters changes nothing."""
    known: dict[str, object] = {}
    for number, question in enumerate(every(30)):
        for one in (question.program, *(other for _, other in mutants(question.program))):
            assert known.setdefault(told(one), unfolded(one)) == unfolded(one), told(one)
        plain = [node for node in question.program.nodes if node.function.startswith(("union", "intersect", "equal"))]
        if not plain:
            assert told(disguised(question.program, Stream("told", number))) == told(question.program)
    assert len(known) > 5000


@settings(max_examples=300, deadline=None)
@given(programs())
def test_all_that_is_in_a_program_is_told(one: Program) -> None:
    text = told(one)
    for node in one.nodes:
        if node.value and node.value not in RELATIONS:
            assert node.value in text
        for attribute in ATTRIBUTES:
            if node.function in (f"same_{attribute}", f"query_{attribute}"):
                assert attribute in text
    assert text == told(one)


def test_every_function_is_told() -> None:
    calls = " ".join(call for calls in TOLD.values() for call in calls)
    left = [
        name for name in FUNCTIONS
        if name not in calls and not name.startswith(("filter_", "same_", "query_", "equal_"))
    ]  # fmt: skip
    assert left == []


def test_long_programs_are_told_in_parts() -> None:
    text = told(doubling(95))
    assert len(text) < 95 * 3 * LONG
    parts = text.split("; ")
    assert parts[0].startswith("how many things either [")
    assert parts[1].startswith("(1) means the things that either [")
    assert [part.split(" ")[0] for part in parts[1:]] == [f"({number})" for number in range(1, len(parts))]
    # A filter after a part that was cut off narrows that part.
    nodes = doubling(6).nodes[:-1]
    more = Program(
        nodes=(
            *nodes, Node(function="filter_size", inputs=(len(nodes) - 1,), value="large"),
            Node(function="count", inputs=(len(nodes),)),
        )
    )  # fmt: skip
    assert told(more).startswith("how many things are large and ")
    deep = [Node(function="scene")]
    for _ in range(32):
        place = len(deep) - 1
        deep += [
            Node(function="filter_color", inputs=(place,), value="purple"),
            Node(function="unique", inputs=(place + 1,)),
            Node(function="relate", inputs=(place + 2,), value="behind"),
        ]  # fmt: skip
    text = told(Program(nodes=(*deep, Node(function="exist", inputs=(len(deep) - 1,)))))
    assert len(re.findall("(?:is|are) purple", text)) == 32
    assert "; (1) means the one thing that is purple and stands behind" in text


def test_every_part_that_is_told_apart_is_referred_to() -> None:
    filters = [Node(function="filter_color", inputs=(place,), value="purple") for place in range(97)]
    nodes = (Node(function="scene"), *filters, Node(function="count", inputs=(97,)))
    text = told(Program(nodes=nodes))
    assert text.count("purple") == 97
    parts = text.count("; (")
    assert parts >= 2
    assert all(text.count(f"({number})") == 2 for number in range(1, parts + 1))


def test_values_all_have_words() -> None:
    for attribute, values in VALUES.items():
        for value in values:
            assert value in told(program("scene", f"filter_{attribute} {value} 0", "count 1"))
