"""Runs a program on its scene graph, to check the source's answer.

A scene graph is no complete world: it says little of attributes, and its words are not always the question's. So a
step that the graph cannot decide gives ``Unknown``, never a guess, and the answer is then not checked. What the graph
does say counts: a program that gives another answer contradicts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Literal

import msgspec

from answerable.core.records import Record
from answerable.domains.photo.graph import Graph, plain
from answerable.domains.photo.program import SCENE, Operation, Program, Step

#: Kinds of attribute, each with the words that programs use for it.
Vocabulary = Mapping[str, frozenset[str]]
#: What a photo as a whole is asked about, and the field of the graph that says it.
_PLACE = {"place": "location", "location": "location", "room": "location", "weather": "weather"}


class Objects(msgspec.Struct, frozen=True):
    """Objects of the graph, or the whole scene."""

    ids: tuple[str, ...]
    scene: bool = False


class Truth(msgspec.Struct, frozen=True):
    """Yes or no."""

    value: bool


class Words(msgspec.Struct, frozen=True):
    """Every word that answers; one of them is right when there are several objects or attributes."""

    words: tuple[str, ...]


class Unknown(msgspec.Struct, frozen=True):
    """The graph does not decide."""

    why: str


Found = Objects | Truth | Words | Unknown
Checked = Literal["agrees", "contradicts", "not executable"]


class Verdict(Record, frozen=True):
    """What re-executing a program says of the source's answer."""

    checked: Checked
    detail: str = ""


def check(program: Program, graph: Graph, answer: str, vocabulary: Vocabulary) -> Verdict:
    """Compare the source's answer with what the program gives. Objects that the program names must be there."""
    found = execute(program, graph, vocabulary)
    if isinstance(found, Unknown):
        return Verdict(checked="not executable", detail=found.why)
    words = ("yes" if found.value else "no",) if isinstance(found, Truth) else found.words
    if plain(answer) in map(plain, words):
        return Verdict(checked="agrees")
    return Verdict(checked="contradicts", detail=f"{', '.join(words[:5]) or 'nothing'} where the source says {answer}")


def execute(program: Program, graph: Graph, vocabulary: Vocabulary) -> Truth | Words | Unknown:
    """The outcome of the last step."""
    found: list[Found] = []
    for step in program.steps:
        inputs = [found[place] for place in step.inputs]
        lost = next((one for one in inputs if isinstance(one, Unknown)), None)
        found.append(lost or _RUN[step.operation](step, inputs, _Seen(graph, vocabulary)))
    last = found[-1]
    return Unknown("the program gives objects") if isinstance(last, Objects) else last


class _Seen(msgspec.Struct, frozen=True):
    """A graph, and what its attributes are about."""

    graph: Graph
    vocabulary: Vocabulary

    def attributes(self, key: str, kind: str = "") -> tuple[str, ...]:
        """Attributes of an object; those of one kind only, where a kind is said."""
        every = self.graph.objects[key].attributes
        return tuple(each for each in every if not kind or plain(each) in self.vocabulary.get(kind, ()))

    def whole(self, kind: str) -> str:
        """What the graph says of the photo as a whole; empty when it says nothing."""
        return getattr(self.graph, _PLACE[kind]) or "" if kind in _PLACE else ""

    def place(self, key: str, kind: str) -> str:
        """The half of the photo in which the middle of an object's box lies; empty when it lies between them."""
        box, graph = self.graph.objects[key].box, self.graph
        ends, twice, middle = (
            (("left", "right"), 2 * box.left + box.width, graph.width)
            if kind == "hposition"
            else (("top", "bottom"), 2 * box.top + box.height, graph.height)
        )
        return "" if twice == middle else ends[twice > middle]

    def named(self, name: str) -> tuple[str, ...]:
        """Objects that the graph calls so."""
        return tuple(key for key, node in self.graph.objects.items() if plain(node.name) == plain(name))

    def holds(self, subject: str, relation: str, object: str) -> bool:
        """Whether the graph says so."""
        return any(
            each.object == object and plain(each.name) == plain(relation)
            for each in self.graph.objects[subject].relations
        )

    def has(self, key: str, kind: str, value: str) -> bool | None:
        """Whether an object has a value; None when the graph does not say."""
        if kind in ("hposition", "vposition"):
            place = self.place(key, kind)
            return None if not place or value not in ("left", "right", "top", "bottom") else place == value
        if kind == "name":
            return plain(self.graph.objects[key].name) == plain(value)
        return plain(value) in map(plain, self.graph.objects[key].attributes)


def _objects(found: Found) -> Objects:
    # Programs are checked for what their steps give.
    return found if isinstance(found, Objects) else Objects(())


def _select(step: Step, _: list[Found], seen: _Seen) -> Found:
    if plain(step.name) == SCENE:
        return Objects((), scene=True)
    # A program that says there is none is held to that.
    return Objects(step.ids or seen.named(step.name))


def _related(step: Step, inputs: list[Found], seen: _Seen, relation: str) -> Objects | Unknown:
    """Which of the named objects stand in the relation to one of the input's."""
    anchors = _objects(inputs[0])
    if step.side == "_" or anchors.scene or relation.startswith("same "):
        return Unknown(f"the relation {relation!r} is in no graph")
    names = step.ids or (seen.named(step.name) if step.name != "_" else tuple(seen.graph.objects))
    return Objects(
        tuple(
            key
            for key in names
            if any(
                seen.holds(key, relation, anchor) if step.side == "s" else seen.holds(anchor, relation, key)
                for anchor in anchors.ids
            )
        )
    )


def _relate(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    return _related(step, inputs, seen, step.relation[0])


def _filter(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    of = _objects(inputs[0])
    if of.scene:
        return Unknown("the scene as a whole is filtered")
    kept = []
    for key in of.ids:
        has = seen.has(key, step.kind, step.values[0])
        if has is None:
            return Unknown(f"{step.kind} is not decided")
        if has != step.negated:
            kept.append(key)
    return Objects(tuple(kept))


def _query(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    of = _objects(inputs[0])
    if of.scene:
        word = seen.whole(step.kind)
        return Words((word,)) if word else Unknown(f"the graph does not say the {step.kind}")
    if not of.ids:
        return Words(())
    if step.kind == "name":
        return Words(tuple(dict.fromkeys(seen.graph.objects[key].name for key in of.ids)))
    if step.kind in ("hposition", "vposition"):
        places = tuple(dict.fromkeys(seen.place(key, step.kind) for key in of.ids))
        return Words(places) if all(places) else Unknown(f"{step.kind} is not decided")
    words = tuple(dict.fromkeys(each for key in of.ids for each in seen.attributes(key, step.kind)))
    return Words(words) if words else Unknown(f"the graph does not say the {step.kind}")


def _verify(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    of = _objects(inputs[0])
    if step.kind == "rel":
        found = _related(step, inputs, seen, step.relation[0])
        return found if isinstance(found, Unknown) else Truth(bool(found.ids))
    if of.scene:
        word = seen.whole(step.kind)
        return Truth((plain(word) == plain(step.values[0])) != step.negated) if word else Unknown("the scene is asked")
    has = [seen.has(key, step.kind, step.values[0]) for key in of.ids]
    if None in has or not has:
        return Unknown(f"{step.kind or 'the attribute'} is not decided")
    return Truth(any(one != step.negated for one in has))


def _choose(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    of = _objects(inputs[0])
    if len(inputs) > 1:
        return Unknown(f"no graph says which is {step.kind}")
    if step.kind == "rel":
        return _choose_relation(step, inputs, seen)
    if of.scene or not of.ids:
        return Unknown("the scene as a whole is asked about" if of.scene else "nothing is selected")
    held = {value: [seen.has(key, step.kind, value) for key in of.ids] for value in step.values}
    words = tuple(value for value, has in held.items() if True in has)
    return Words(words) if words else Unknown(f"the graph says none of {', '.join(step.values)}")


def _choose_relation(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    held = []
    for relation in step.relation:
        found = _related(step, inputs, seen, relation)
        if isinstance(found, Unknown):
            return found
        if found.ids:
            # "to the left of" is answered by "left".
            held += [relation, relation.removeprefix("to the ").removesuffix(" of")]
    return Words(tuple(held)) if held else Unknown("the graph says none of the relations")


def _exist(_: Step, inputs: list[Found], __: _Seen) -> Found:
    of = _objects(inputs[0])
    return Unknown("the scene as a whole") if of.scene else Truth(bool(of.ids))


def _logical(step: Step, inputs: list[Found], _: _Seen) -> Found:
    values = [one.value for one in inputs if isinstance(one, Truth)]
    return Truth(all(values) if step.operation == "and" else any(values))


def _compare(step: Step, inputs: list[Found], seen: _Seen) -> Found:
    """Whether objects share a value of the kind; undecided where the graph says none of some object."""
    ids = [key for one in inputs for key in _objects(one).ids]
    kinds = [frozenset(map(plain, seen.attributes(key, step.kind))) for key in ids] if step.kind else []
    if step.kind in ("name", "type"):
        kinds = [frozenset((plain(seen.graph.objects[key].name),)) for key in ids]
    if len(ids) < 2 or not kinds or not all(kinds):
        return Unknown(f"the graph does not say the {step.kind or 'kind'} of both")
    same = bool(reduce(frozenset.intersection, kinds))
    return Truth(same if step.operation == "same" else not same)


def _common(_: Step, inputs: list[Found], seen: _Seen) -> Found:
    """The kinds of attribute of which every object has the same."""
    ids = [key for one in inputs for key in _objects(one).ids]
    words = tuple(
        kind
        for kind in seen.vocabulary
        if len(ids) > 1
        and reduce(frozenset.intersection, (frozenset(map(plain, seen.attributes(key, kind))) for key in ids))
    )
    return Words(words) if words else Unknown("the graph says nothing that they have in common")


_RUN: dict[Operation, Callable[[Step, list[Found], _Seen], Found]] = {
    "select": _select, "relate": _relate, "filter": _filter, "query": _query, "verify": _verify, "choose": _choose,
    "exist": _exist, "and": _logical, "or": _logical, "same": _compare, "different": _compare, "common": _common,
}  # fmt: skip
