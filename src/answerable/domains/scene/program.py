"""Typed programs over a scene as data: the whole function set of CLEVR v1.0.

A program is a list of nodes; a node names the places of its inputs, which all stand before it, and the last node is
the answer. Checks are made when a record is made or read, so that every executor meets well-typed programs only.
Signatures are those of CLEVR's ``metadata.json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from answerable.core.records import Record
from answerable.domains.scene.vocabulary import RELATIONS, VALUES, Attribute

#: Far above any of CLEVR's, whose longest have about thirty.
MAX_NODES = 100

Type = Literal["ObjectSet", "Object", "Integer", "Boolean", "Size", "Color", "Material", "Shape"]
Function = Literal[
    "scene", "filter_size", "filter_color", "filter_material", "filter_shape", "relate", "unique", "union", "intersect",
    "count", "exist", "equal_integer", "less_than", "greater_than", "equal_size", "equal_color", "equal_material",
    "equal_shape", "equal_object", "same_size", "same_color", "same_material", "same_shape", "query_size",
    "query_color", "query_material", "query_shape",
]  # fmt: skip
FUNCTIONS: tuple[Function, ...] = get_args(Function)
TYPES: dict[Attribute, Type] = {"size": "Size", "color": "Color", "material": "Material", "shape": "Shape"}


class Signature(Record, frozen=True):
    """What a function takes and gives."""

    inputs: tuple[Type, ...]
    output: Type
    values: tuple[str, ...] = ()
    """The words out of which it takes one; empty when it takes none."""
    attribute: Attribute | None = None
    """The attribute that it filters by, asks for, or compares."""


def _signatures() -> dict[str, Signature]:
    found = {
        "scene": Signature(inputs=(), output="ObjectSet"),
        "relate": Signature(inputs=("Object",), output="ObjectSet", values=RELATIONS),
        "unique": Signature(inputs=("ObjectSet",), output="Object"),
        "union": Signature(inputs=("ObjectSet", "ObjectSet"), output="ObjectSet"),
        "intersect": Signature(inputs=("ObjectSet", "ObjectSet"), output="ObjectSet"),
        "count": Signature(inputs=("ObjectSet",), output="Integer"),
        "exist": Signature(inputs=("ObjectSet",), output="Boolean"),
        "equal_object": Signature(inputs=("Object", "Object"), output="Boolean"),
    }
    for name in ("equal_integer", "less_than", "greater_than"):
        found[name] = Signature(inputs=("Integer", "Integer"), output="Boolean")
    for attribute, type_ in TYPES.items():
        found |= {
            f"filter_{attribute}": Signature(
                inputs=("ObjectSet",), output="ObjectSet", values=VALUES[attribute], attribute=attribute
            ),
            f"same_{attribute}": Signature(inputs=("Object",), output="ObjectSet", attribute=attribute),
            f"query_{attribute}": Signature(inputs=("Object",), output=type_, attribute=attribute),
            f"equal_{attribute}": Signature(inputs=(type_, type_), output="Boolean", attribute=attribute),
        }
    return found


SIGNATURES = _signatures()


class Node(Record, frozen=True):
    """One call of a function."""

    function: Function
    inputs: tuple[int, ...] = ()
    """Places of earlier nodes."""
    value: str = ""
    """The word that ``filter_...`` and ``relate`` take; empty for the others."""


class Program(Record, frozen=True):
    """A well-typed program that ends in an answer and uses all its nodes."""

    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        problem = program_problem(self.nodes)
        if problem:
            raise ValueError(problem)


def program_problem(nodes: Sequence[Node]) -> str:
    """What makes these nodes no program, naming the first node at fault; empty when nothing does."""
    if not 1 <= len(nodes) <= MAX_NODES:
        return f"expected 1 to {MAX_NODES} nodes; got {len(nodes)}"
    for place, node in enumerate(nodes):
        problem = _node_problem(nodes, place)
        if problem:
            return f"node {place} ({str(node.function)[:40]}): {problem}"
    last = SIGNATURES[nodes[-1].function].output
    if last in ("ObjectSet", "Object"):
        return f"expected a last node that gives an answer; got {nodes[-1].function}, which gives {last}"
    used = {source for node in nodes for source in node.inputs} | {len(nodes) - 1}
    unused = [place for place in range(len(nodes)) if place not in used]
    if unused:
        return f"node {unused[0]} ({nodes[unused[0]].function}): expected every node to be used; nothing reads it"
    return ""


def _node_problem(nodes: Sequence[Node], place: int) -> str:
    node = nodes[place]
    signature = SIGNATURES.get(node.function)
    if signature is None:
        return f"expected a function of CLEVR: {', '.join(FUNCTIONS)}; got {node.function!r:.60}"
    if len(node.inputs) != len(signature.inputs):
        return f"expected {len(signature.inputs)} inputs; got {len(node.inputs)}"
    for source, wanted in zip(node.inputs, signature.inputs, strict=True):
        if not 0 <= source < place:
            return f"expected inputs among the nodes before it, so that nothing goes in a circle; got input {source}"
        given = SIGNATURES[nodes[source].function].output
        if given != wanted:
            return f"expected an input of type {wanted}; got node {source} ({nodes[source].function}) of type {given}"
    return _value_problem(node, signature.values)


def _value_problem(node: Node, values: tuple[str, ...]) -> str:
    if node.value in values or not (values or node.value):
        return ""
    return f"expected {'a value out of ' + ', '.join(values) if values else 'no value'}; got {node.value!r:.60}"


def type_of(program: Program) -> Type:
    """The type of a program's answer."""
    return SIGNATURES[program.nodes[-1].function].output


def depth(program: Program) -> int:
    """The longest chain of nodes."""
    levels: list[int] = []
    for node in program.nodes:
        levels.append(1 + max((levels[source] for source in node.inputs), default=0))
    return levels[-1]


def family(program: Program) -> str:
    """What sort of question it is, in a word or two: for strata, whatever its wording."""
    function = program.nodes[-1].function
    if function.startswith("query_"):
        return "query"
    if function in ("equal_integer", "less_than", "greater_than"):
        return "compare numbers"
    return "compare attributes" if function.startswith("equal_") else function


class Builder:
    """Puts a program together, node by node."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    def add(self, function: Function, *inputs: int, value: str = "") -> int:
        """Append a node and give its place."""
        self._nodes.append(Node(function=function, inputs=inputs, value=value))
        return len(self._nodes) - 1

    def program(self) -> Program:
        """The program so far.

        Raises:
            ValueError: it is none.
        """
        return Program(nodes=tuple(self._nodes))
