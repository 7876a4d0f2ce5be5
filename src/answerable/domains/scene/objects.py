"""Executor one: straight over the objects. A set of objects is the bits of a whole number.

A program is compiled once, a scene is indexed once, and running one on the other then costs a few operations a node.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from answerable.domains.scene.outcomes import COUNTS, IllPosed, Outcome
from answerable.domains.scene.program import SIGNATURES, Node, Program
from answerable.domains.scene.vocabulary import ATTRIBUTES, RELATIONS, VALUES, Attribute
from answerable.domains.scene.world import Scene, relations
from answerable.logic.program import Named, Truth

_TRUE, _FALSE = Truth(value=True), Truth(value=False)
_WORDS: dict[str, Named] = {word: Named(value=word) for words in VALUES.values() for word in words}


class Index:
    """A scene as bits: who has which value, and who stands where to whom. Objects keep their places as bits."""

    __slots__ = ("having", "present", "relation", "values")

    def __init__(
        self,
        present: int,
        having: dict[str, int],
        relation: dict[str, tuple[int, ...]],
        values: tuple[dict[Attribute, str], ...],
    ) -> None:
        self.present = present
        self.having = having
        self.relation = relation
        self.values = values

    def with_values(self, place: int, changes: dict[Attribute, str]) -> Index:
        """The index of the scene with some attributes of one object changed; the object must be there."""
        having = self.having.copy()
        bit, old = 1 << place, self.values[place]
        for attribute, value in changes.items():
            having[old[attribute]] &= ~bit
            having[value] |= bit
        values = (*self.values[:place], old | changes, *self.values[place + 1 :])
        return Index(self.present, having, self.relation, values)

    def without(self, place: int) -> Index:
        """The index of the scene without one object; the others keep their bits."""
        keep = ~(1 << place)
        return Index(
            self.present & keep,
            {word: bits & keep for word, bits in self.having.items()},
            {name: tuple(bits & keep for bits in line) for name, line in self.relation.items()},
            self.values,
        )


def index(scene: Scene) -> Index:
    """Index a scene."""
    having = {word: 0 for words in VALUES.values() for word in words}
    values: list[dict[Attribute, str]] = []
    for place, thing in enumerate(scene.things):
        values.append({attribute: thing.value(attribute) for attribute in ATTRIBUTES})
        for word in values[-1].values():
            having[word] |= 1 << place
    found = relations(scene)
    relation: dict[str, tuple[int, ...]] = {
        name: tuple(sum(1 << other for other in line) for line in found[name]) for name in RELATIONS
    }
    return Index((1 << len(scene.things)) - 1, having, relation, tuple(values))


#: Carries out one node, given the index and the values of the nodes before it. Sets are bits, an object is a place.
_Step = Callable[[Index, list[Any]], Any]


def _one(bits: int) -> int | None:
    """The place of the only bit; None where there is not exactly one."""
    return bits.bit_length() - 1 if bits and not bits & (bits - 1) else None


def _same(first: int, attribute: Attribute) -> _Step:
    def step(scene: Index, done: list[Any]) -> int:
        place: int = done[first]
        return scene.having[scene.values[place][attribute]] & ~(1 << place)

    return step


def _about_attribute(node: Node, attribute: Attribute) -> _Step:
    first, last, value = node.inputs[0], node.inputs[-1], node.value
    if node.function.startswith("filter_"):
        return lambda scene, done: done[first] & scene.having[value]
    if node.function.startswith("query_"):
        return lambda scene, done: scene.values[done[first]][attribute]
    if node.function.startswith("same_"):
        return _same(first, attribute)
    return lambda _scene, done: done[first] == done[last]


def _about_sets(node: Node) -> _Step:
    first, last, value = node.inputs[0], node.inputs[-1], node.value
    found: dict[str, _Step] = {
        "relate": lambda scene, done: scene.relation[value][done[first]],
        "unique": lambda _scene, done: _one(done[first]),
        "union": lambda _scene, done: done[first] | done[last],
        "intersect": lambda _scene, done: done[first] & done[last],
        "count": lambda _scene, done: done[first].bit_count(),
        "exist": lambda _scene, done: done[first] != 0,
        "equal_integer": lambda _scene, done: done[first] == done[last],
        "equal_object": lambda _scene, done: done[first] == done[last],
        "less_than": lambda _scene, done: done[first] < done[last],
        "greater_than": lambda _scene, done: done[first] > done[last],
    }
    return found[node.function]


def _everything(scene: Index, _done: list[Any]) -> int:
    return scene.present


def _step(node: Node) -> _Step:
    if node.function == "scene":
        return _everything
    attribute = SIGNATURES[node.function].attribute
    return _about_sets(node) if attribute is None else _about_attribute(node, attribute)


@lru_cache(maxsize=4096)
def compiled(program: Program) -> tuple[_Step, ...]:
    """What to do for each node, in order."""
    return tuple(_step(node) for node in program.nodes)


def run(program: Program, scene: Index, opened: int | None = None) -> tuple[list[Any], IllPosed | None]:
    """The value of every node: bits of a set, place of an object, a number, a word, or a truth.

    Where the program is ill-posed the values end at the node that could not be carried out.

    Args:
        opened: place of a node that gives the whole scene instead of its own set.
    """
    done: list[Any] = []
    steps = compiled(program)
    if opened is not None:
        steps = (*steps[:opened], _everything, *steps[opened + 1 :])
    for step in steps:
        result = step(scene, done)
        if result is None:
            place = len(done)
            found = done[program.nodes[place].inputs[0]].bit_count()
            return done, IllPosed(function="unique", node=place, found=found)
        done.append(result)
    return done, None


def outcome(program: Program, scene: Index) -> Outcome:
    """The answer on an indexed scene."""
    done, problem = run(program, scene)
    if problem is not None:
        return problem
    value = done[-1]
    if value is True or value is False:
        return _TRUE if value else _FALSE
    return _WORDS[value] if isinstance(value, str) else COUNTS[value]


def execute(program: Program, scene: Scene) -> Outcome:
    """The answer on a scene."""
    return outcome(program, index(scene))
