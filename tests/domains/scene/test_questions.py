"""Our own questions: sound, answered alike by both executors, worded well, and never trivial."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from answerable.core.codec import digest
from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.scene import objects, relational
from answerable.domains.scene.dependencies import Candidates, candidates
from answerable.domains.scene.outcomes import IllPosed, answer_of
from answerable.domains.scene.program import FUNCTIONS, Node, Program
from answerable.domains.scene.questions import ANSWERS, Question, ask
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from answerable.domains.scene.world import Scene
from tests.domains.scene.make import row, sampled

MANY = 60


@cache
def asked(family: str) -> tuple[tuple[Scene, Question], ...]:
    """A question of a sort for every scene that allows one."""
    found = [(sampled(number), ask(sampled(number), family, Stream("q", family, number))) for number in range(MANY)]
    return tuple((scene, question) for scene, question in found if isinstance(question, Question))


EVERY = pytest.mark.parametrize("family", FAMILIES)


@EVERY
def test_most_scenes_allow_every_sort(family: str) -> None:
    assert len(asked(family)) > MANY / 2


@EVERY
def test_both_executors_give_the_answer(family: str) -> None:
    for scene, question in asked(family):
        for execute in (objects.execute, relational.execute):
            assert answer_of(execute(question.program, scene)) == question.answer
        assert question.answer.type == FAMILIES[family].type
        assert question.answer.target in ANSWERS[question.answer.type]


@EVERY
def test_the_answer_depends_on_the_scene(family: str) -> None:
    for scene, question in asked(family):
        states = candidates(scene, question.program)
        assert isinstance(states, Candidates)
        assert states.changed
        assert states.missing


def without_node(program: Program, place: int) -> Program:
    """The program with a node's input in its stead, or with the whole scene instead of a relation or a likeness."""
    node = program.nodes[place]
    nodes = list(program.nodes)
    if node.function.startswith("filter_"):
        instead = node.inputs[0]
        nodes = [
            replace(one, inputs=tuple(instead if source == place else source for source in one.inputs)) for one in nodes
        ]
    else:
        nodes[place] = Node(function="scene")
    used, stack = set(), [len(nodes) - 1]
    while stack:
        used.add(stack[-1])
        stack.extend(nodes[stack.pop()].inputs)
    order = sorted(used)
    return Program(
        nodes=tuple(
            replace(nodes[old], inputs=tuple(order.index(source) for source in nodes[old].inputs)) for old in order
        )
    )


def sets(program: Program, scene: Scene) -> list[int]:
    """The sets that reach ``unique``, ``count``, ``exist``, ``union``, or whatever else uses them."""
    done, _ = objects.run(program, objects.index(scene))
    ends = ("unique", "count", "exist", "union", "intersect")
    reached = zip(program.nodes, done, strict=False)
    return [done[source] for node, _ in reached if node.function in ends for source in node.inputs]


@EVERY
def test_no_relation_or_likeness_is_idle(family: str) -> None:
    """CLEVR's check: a question that has the same sets with the whole scene in its stead is degenerate."""
    for scene, question in asked(family):
        for place, node in enumerate(question.program.nodes):
            if node.function != "relate" and not node.function.startswith("same_"):
                continue
            shorter = without_node(question.program, place)
            changed = objects.execute(shorter, scene)
            same = changed == objects.execute(question.program, scene)
            assert not same or question.answer.target == "yes", question.wording
            assert sets(shorter, scene) != sets(question.program, scene), question.wording


@EVERY
def test_no_filter_is_idle_but_for_a_noun(family: str) -> None:
    for scene, question in asked(family):
        for place, node in enumerate(question.program.nodes):
            if not node.function.startswith("filter_") or node.function == "filter_shape":
                continue
            shorter = without_node(question.program, place)
            noun = any(one.function == "filter_shape" for one in question.program.nodes)
            assert sets(shorter, scene) != sets(question.program, scene) or noun, question.wording


def test_nothing_asked_for_is_told() -> None:
    for family in ("query-0", "query-1", "query-2", "and-query", "same-query"):
        for _, question in asked(family):
            asked_for = question.program.nodes[-1].function.removeprefix("query_")
            body = question.wording.split(" Answer ")[0]
            place = len(question.program.nodes) - 2
            while question.program.nodes[place].function in ("unique", *(f"filter_{one}" for one in ATTRIBUTES)):
                assert question.program.nodes[place].function != f"filter_{asked_for}", body
                place = question.program.nodes[place].inputs[0]
            assert asked_for in body


_ADJECTIVE = "(?:" + "|".join(("other", *VALUES["size"], *VALUES["color"], *VALUES["material"])) + ") "
_NOUN = "(?:cube|sphere|cylinder|thing|object)"
_FORM = r"[A-Z][a-zA-Z ,:]*[.?](?: What is the total\?| Which [a-z]+ does it have\?)? Answer [a-z, ]+\."


@EVERY
def test_words_read_well(family: str) -> None:
    beginnings = set()
    for _, question in asked(family):
        text = question.wording
        assert re.fullmatch(_FORM, text), text
        assert "  " not in text
        assert not re.search(r"\ban [^aeiou]|\ba [aeiou]|\bthe the\b", text), text
        one = rf"\b(?:a|an|any|some|every|One|least one|any other) (?:{_ADJECTIVE})*{_NOUN}s\b"
        assert not re.search(one, text), text
        several = rf"\b(?:many|more|fewer|number of|Count the|then the) (?:{_ADJECTIVE})*{_NOUN}\b"
        assert not re.search(several, text), text
        beginnings.add(text[:8])
    assert len(beginnings) >= 3


def test_several_and_one_are_told_apart() -> None:
    """The patterns above do find what they look for."""
    assert re.search(rf"\bany (?:{_ADJECTIVE})*{_NOUN}s\b", "match any other red metal cubes")
    assert re.search(rf"\bmany (?:{_ADJECTIVE})*{_NOUN}\b", "how many large thing")


def test_hints_name_every_answer() -> None:
    seen: Counter[str] = Counter()
    for family in FAMILIES:
        for _, question in asked(family):
            hint = question.wording.rpartition("Answer ")[2]
            seen[hint] += 1
            if question.answer.type == "text":
                assert question.answer.target in re.findall(r"[a-z]+", hint)
    assert set(seen) == {
        "yes or no.", "with a number in digits.", "large or small.", "rubber or metal.", "cube, sphere or cylinder.",
        "gray, red, blue, green, brown, purple, cyan or yellow.",
    }  # fmt: skip


def test_the_whole_function_set_but_one_is_asked_for() -> None:
    used = {node.function for family in FAMILIES for _, question in asked(family) for node in question.program.nodes}
    assert set(FUNCTIONS) - used == {"equal_object"}


def test_the_same_names_give_the_same_questions() -> None:
    for family in FAMILIES:
        scene, question = asked(family)[0]
        number = next(number for number in range(MANY) if sampled(number) is scene)
        assert digest(ask(scene, family, Stream("q", family, number))) == digest(question)


@EVERY
def test_an_answer_can_be_wished_for(family: str) -> None:
    wishes = {"text": ("cyan", "small", "metal", "cube"), "boolean": ("yes", "no"), "integer": ("0", "1", "3")}
    for wanted in wishes[FAMILIES[family].type]:
        found = [ask(sampled(number), family, Stream("w", number), wanted) for number in range(MANY)]
        questions = [one for one in found if isinstance(one, Question)]
        assert len(questions) >= 2, wanted
        assert {one.answer.target for one in questions} == {wanted}


def test_what_cannot_be_asked_is_refused() -> None:
    alone = row("large red metal cube")
    found = ask(alone, "query-2", Stream("x"))
    assert isinstance(found, Refusal)
    assert (found.reason, found.detail) == ("no question", "query-2: none of 80 draws was sound")
    # All alike: nothing tells one from another.
    twins = row("large red metal cube", "large red metal cube")
    assert isinstance(ask(twins, "query-0", Stream("x")), Refusal)
    with pytest.raises(SettingsError, match="expected a sort of question: query-0"):
        ask(alone, "riddle", Stream("x"))
    with pytest.raises(SettingsError, match="expected an answer of type boolean; got wanted='red'"):
        ask(alone, "exist-0", Stream("x"), "red")


def test_ill_posed_edits_exist() -> None:
    """The guard against constant questions looks past edits that leave no answer, and there are such."""
    scene, question = asked("query-0")[0]
    states = candidates(scene, question.program)
    assert not isinstance(states, IllPosed)
    assert any(one.ill_posed for one in states.missing)
