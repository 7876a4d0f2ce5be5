"""When two programs are one: the same up to what order and sharing do not change.

A program is a graph. Unfolded from its answer into a tree it may grow beyond any bound, so here every subtree gets a
number instead, and equal subtrees get equal numbers. Filters one after another commute, and so do the two inputs of
``union``, ``intersect`` and whatever asks for equality. Nothing else is put in order: a filter said twice is two
filters, and ``less_than`` is not ``greater_than`` turned round, because words say which of them is meant.
"""

from __future__ import annotations

from collections.abc import Iterable

from answerable.domains.scene.program import Node, Program

#: Functions whose two inputs may change places.
_SYMMETRIC = ("union", "intersect", "equal_")

#: A function, its word, and the numbers of its inputs; or filters in order, and the number of what they narrow.
_Key = tuple[str, str, tuple[int, ...]] | tuple[tuple[tuple[str, str], ...], int]


class _Numbers:
    """Numbers of subtrees; two that are compared must come from one such table."""

    def __init__(self) -> None:
        self._known: dict[_Key, int] = {}
        self._narrowed: dict[int, tuple[tuple[tuple[str, str], ...], int]] = {}
        """Of a number that stands for filters: which filters, and of what."""

    def of(self, program: Program) -> int:
        """The number of a program."""
        done: list[int] = []
        for node in program.nodes:
            done.append(self._of_node(node, tuple(done[source] for source in node.inputs)))
        return done[-1]

    def _of_node(self, node: Node, inputs: tuple[int, ...]) -> int:
        if node.function.startswith("filter_"):
            before, source = self._narrowed.get(inputs[0], ((), inputs[0]))
            key = (tuple(sorted((*before, (node.function, node.value)))), source)
            number = self._known.setdefault(key, len(self._known))
            self._narrowed[number] = key
            return number
        if node.function.startswith(_SYMMETRIC):
            inputs = tuple(sorted(inputs))
        return self._known.setdefault((node.function, node.value, inputs), len(self._known))


def alike(programs: Iterable[Program]) -> bool:
    """Whether there are programs and all of them are one. Takes time in proportion to their nodes."""
    numbers = _Numbers()
    return len({numbers.of(program) for program in programs}) == 1
