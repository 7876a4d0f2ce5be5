"""Questions of every sort over many scenes, and programs changed so that they compute the same or something else."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from answerable.core.seeds import Stream
from answerable.domains.scene.program import FUNCTIONS, SIGNATURES, Node, Program, program_problem
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.world import Scene
from tests.domains.scene.make import sampled

#: Scenes that each sort of question is asked of.
SCENES = 60


@functools.cache
def posed(family: str, count: int = SCENES) -> tuple[tuple[Scene, Question], ...]:
    """A question of a sort for every scene that allows one."""
    found = [
        (sampled(number), ask(sampled(number), family, Stream("posed", family, number))) for number in range(count)
    ]
    return tuple((scene, question) for scene, question in found if isinstance(question, Question))


def every(most: int = SCENES) -> Iterator[Question]:
    """Questions of every sort, at most so many of each."""
    return (question for family in FAMILIES for _, question in posed(family)[:most])


def unfolded(program: Program) -> Any:
    """A program as a tree, written out; small programs only. Filters and symmetric inputs are sorted."""

    def tree(place: int) -> Any:
        node = program.nodes[place]
        filters: list[tuple[str, str]] = []
        while node.function.startswith("filter_"):
            filters.append((node.function, node.value))
            place = node.inputs[0]
            node = program.nodes[place]
        inputs = [tree(source) for source in node.inputs]
        if node.function in ("union", "intersect") or node.function.startswith("equal"):
            inputs.sort(key=repr)
        return (tuple(sorted(filters)), node.function, node.value, tuple(inputs))

    return tree(len(program.nodes) - 1)


def used_only(nodes: list[Node]) -> Program:
    """The program without the nodes that its answer does not use."""
    used, stack = set(), [len(nodes) - 1]
    while stack:
        used.add(stack[-1])
        stack.extend(nodes[stack.pop()].inputs)
    order = sorted(used)
    places = {old: new for new, old in enumerate(order)}
    return Program(
        nodes=tuple(replace(nodes[old], inputs=tuple(places[source] for source in nodes[old].inputs)) for old in order)
    )


def _instead(program: Program, place: int, other: int) -> list[Node]:
    """Whatever reads one node reads another."""
    return [
        replace(node, inputs=tuple(other if source == place else source for source in node.inputs))
        for node in program.nodes
    ]


def mutants(program: Program) -> Iterator[tuple[str, Program]]:
    """Every program that one change gives and that computes something else, with the sort of change."""
    last = len(program.nodes) - 1
    for place, node in enumerate(program.nodes):
        before, after = program.nodes[:place], program.nodes[place + 1 :]
        for value in SIGNATURES[node.function].values:
            if value != node.value:
                yield "value", Program(nodes=(*before, replace(node, value=value), *after))
        for function in FUNCTIONS:
            values = SIGNATURES[function].values
            for value in values or ("",):
                nodes = (*before, replace(node, function=function, value=value), *after)
                if function != node.function and not program_problem(nodes):
                    yield "function", Program(nodes=nodes)
        if node.function.startswith("filter_"):
            yield "dropped filter", used_only(_instead(program, place, node.inputs[0]))
            more = (*program.nodes[: place + 1], replace(node, inputs=(place,)))
            rest = tuple(
                replace(one, inputs=tuple(source + (source >= place) for source in one.inputs)) for one in after
            )
            yield "doubled filter", Program(nodes=(*more, *rest))
        if node.function == "relate" or node.function.startswith("same_"):
            yield "dropped relation", used_only([*before, Node(function="scene"), *after])
        if node.function in ("union", "intersect"):
            for source in node.inputs:
                yield "dropped part", used_only(_instead(program, place, source))
        if node.function in ("less_than", "greater_than"):
            yield "turned", Program(nodes=(*before, replace(node, inputs=node.inputs[::-1]), *after))
    if program.nodes[last].function == "count":
        yield "compared", Program(nodes=(*program.nodes, Node(function="equal_integer", inputs=(last, last))))


def disguised(program: Program, stream: Stream) -> Program:
    """The same program with filters in another order, symmetric inputs turned, and equal parts shared."""
    nodes: list[Node] = []
    known: dict[tuple[str, str, tuple[int, ...]], int] = {}

    def put(node: Node, inputs: tuple[int, ...]) -> int:
        key = (node.function, node.value, inputs)
        if key in known and stream.below(2):
            return known[key]
        nodes.append(replace(node, inputs=inputs))
        known[key] = len(nodes) - 1
        return known[key]

    def build(place: int) -> int:
        chain: list[Node] = []
        while program.nodes[place].function.startswith("filter_"):
            chain.append(program.nodes[place])
            place = program.nodes[place].inputs[0]
        node = program.nodes[place]
        sources = list(node.inputs)
        if node.function in ("union", "intersect") or node.function.startswith("equal"):
            stream.shuffle(sources)
        at = put(node, tuple(build(source) for source in sources))
        stream.shuffle(chain)
        for one in chain:
            at = put(one, (at,))
        return at

    build(len(program.nodes) - 1)
    return Program(nodes=tuple(nodes))


def doubling(count: int) -> Program:
    """A program whose tree has more than two to the power of ``count`` nodes."""
    nodes = [Node(function="scene"), Node(function="filter_color", inputs=(0,), value="red")]
    nodes += [Node(function="union", inputs=(place, place)) for place in range(1, count + 1)]
    return Program(nodes=(*nodes, Node(function="count", inputs=(count + 1,))))
