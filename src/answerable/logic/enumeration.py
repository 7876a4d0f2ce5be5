"""Interpreter four: every completion of finite domains at once, in blocks of numpy arrays. Exact.

How numbers are held, and why nothing overflows, says ``logic.arrays``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from answerable.logic.arrays import (
    CODE,
    LIMIT,
    ONE,
    REASONS,
    Array,
    Part,
    divided,
    first_code,
    integers,
    plus,
    relation,
    then_code,
    times,
)
from answerable.logic.domains import Domain, Visible, listed, size
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cell,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    If,
    Label,
    Lookup,
    Mean,
    Named,
    Not,
    Number,
    Or,
    Product,
    Ratio,
    Reason,
    Result,
    Row,
    Selection,
    Sum,
    Trend,
    Truth,
    Undefined,
)
from answerable.logic.types import cells, check_types

#: Completions in one block: small enough for the cache, large enough that numpy's own cost vanishes.
BLOCK = 1 << 14


class Found(NamedTuple):
    """What enumeration of all completions finds."""

    first: Result
    """The answer of the first completion."""
    other: Result | None
    """Another answer, the first one met; None when every completion gives the first."""
    worlds: tuple[dict[Cell, Fraction], dict[Cell, Fraction]] | None
    """Values of the hidden cells that give the two."""
    completions: int
    """How many were looked at; all of them unless there is another answer."""


class _Block(NamedTuple):
    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: list[list[Array]]
    """Numerators over the common denominator of all cells."""
    below: Array
    top: int
    names: dict[str, int]
    """Every label met so far, with its place."""


def completions(program: Expression, visible: Visible, domains: Mapping[Cell, Domain]) -> int | None:
    """How many completions matter: those of hidden cells the program refers to. None where there is no end to them."""
    total = 1
    for cell in relevant(program, visible):
        count = size(domains[cell])
        if count is None:
            return None
        total *= count
    return total


def relevant(program: Expression, visible: Visible) -> list[Cell]:
    """The hidden cells that the program refers to."""
    hidden = visible.hidden()
    named = cells(program, visible) if hidden else frozenset()
    return [cell for cell in hidden if cell in named]


class Completions:
    """The completions of a program's hidden cells, by number."""

    def __init__(self, program: Expression, visible: Visible, domains: Mapping[Cell, Domain]) -> None:
        self._program, self._visible = program, visible
        self.kind = check_types(program)
        self.cells = relevant(program, visible)
        self.values = [tuple(listed(domains[cell])) for cell in self.cells]
        self.total = math.prod(map(len, self.values))
        shown = [value for line in visible.values for value in line if value is not None]
        every = [*shown, *(value for values in self.values for value in values)]
        self._below = math.lcm(*(value.denominator for value in every))
        self._top = max((abs(self._scaled(value)) for value in every), default=0)
        self._names: dict[str, int] = {}
        self._tables = [integers([self._scaled(value) for value in values], self._top) for values in self.values]

    def _scaled(self, value: Fraction) -> int:
        return value.numerator * (self._below // value.denominator)

    def block(self, start: int, stop: int) -> Part:
        """The program over the completions ``start`` to ``stop``."""
        index = np.arange(start, stop)
        arrays: dict[Cell, Array] = {}
        stride = self.total
        for cell, table in zip(self.cells, self._tables, strict=True):
            stride //= len(table)
            arrays[cell] = table[index // stride % len(table)]
        visible, zero = self._visible, integers([0], 0)
        values = [
            [
                # A hidden cell that is not in the table is one that no node refers to.
                arrays.get((series, position), zero) if value is None else integers([self._scaled(value)], self._top)
                for position, value in zip(visible.positions, line, strict=True)
            ]
            for series, line in zip(visible.series, visible.values, strict=True)
        ]
        below = integers([self._below], self._below)
        return _part(
            self._program, _Block(visible.series, visible.positions, values, below, self._top, self._names)
        )  # fmt: skip

    def world(self, number: int) -> dict[Cell, Fraction]:
        """The values of the hidden cells in one completion."""
        found: dict[Cell, Fraction] = {}
        for cell, values in zip(reversed(self.cells), reversed(self.values), strict=True):
            number, place = divmod(number, len(values))
            found[cell] = values[place]
        return found

    def result(self, part: Part, at: int) -> Result:
        """What a block says of one of its completions."""
        code = int(_at(part.code, at)) if part.code is not None else 0
        reason = REASONS[code]
        if reason is not None:
            return Undefined(reason=reason)
        value = _at(part.value, at)
        if self.kind == "boolean":
            return Truth(value=bool(value))
        if self.kind == "label":
            return Named(value=next(name for name, place in self._names.items() if place == int(value)))
        return Defined(value=Fraction(int(value), int(_at(part.below, at))))


def _at(array: Array, place: int) -> Any:
    return array[place] if len(array) > 1 else array[0]


def enumerate_all(program: Expression, visible: Visible, domains: Mapping[Cell, Domain]) -> Found:
    """Run the program over every completion, until two differ.

    Raises:
        InputError: an operand has the wrong type, or a domain has no end.
    """
    every = Completions(program, visible, domains)
    part = every.block(0, min(BLOCK, every.total))
    first, start = every.result(part, 0), 0
    reference = tuple(_at(array, 0) if array is not None else 0 for array in (part.code, part.value, part.below))
    while True:
        differs = _differs(part, *map(int, reference))
        if differs.any():
            at = int(differs.argmax())
            worlds = (every.world(0), every.world(start + at))
            return Found(first, every.result(part, at), worlds, min(start + BLOCK, every.total))
        start += BLOCK
        if start >= every.total:
            return Found(first, None, None, every.total)
        part = every.block(start, min(start + BLOCK, every.total))


def _differs(part: Part, code: int, numerator: int, denominator: int) -> Array:
    """Where the outcome is another one than the reference."""
    if code:
        return np.ones(1, dtype=bool) if part.code is None else np.asarray(part.code != code)
    value, below = part.value, part.below
    if max(part.top * denominator, abs(numerator) * part.deep) >= LIMIT:
        value, below = value.astype(object), below.astype(object)
    other = value * denominator != below * numerator
    return np.asarray(other if part.code is None else (part.code != 0) | other)


# --- nodes


def _part(node: Expression, block: _Block) -> Part:
    return _RULES[type(node)](node, block)


def _undefined(reason: Reason) -> Part:
    return Part(np.zeros(1, dtype=np.int64), ONE, np.array([CODE[reason]], dtype=np.int8))


def _number(node: Number, block: _Block) -> Part:
    del block
    top, deep = abs(node.value.numerator), node.value.denominator
    return Part(integers([node.value.numerator], top), integers([deep], deep), None, top, deep)


def _place(name: str, block: _Block) -> int:
    return block.names.setdefault(name, len(block.names))


def _lookup(node: Lookup, block: _Block) -> Part:
    found = _select(Cells(cells=((node.series, node.position),)), block)
    return found if found.code is not None else found._replace(value=found.value[0])


def _select(over: Selection, block: _Block) -> Part:
    """A row an address; for something absent, one undefined cell."""
    if isinstance(over, Row):
        if over.series not in block.series:
            return _undefined("no such series")
        arrays = block.values[block.series.index(over.series)]
    elif isinstance(over, Column):
        if over.position not in block.positions:
            return _undefined("no such position")
        place = block.positions.index(over.position)
        arrays = [line[place] for line in block.values]
    elif isinstance(over, Cells):
        arrays = []
        for series, position in over.cells:
            if series not in block.series:
                return _undefined("no such series")
            if position not in block.positions:
                return _undefined("no such position")
            arrays.append(block.values[block.series.index(series)][block.positions.index(position)])
    else:
        arrays = [array for line in block.values for array in line]
    deep = int(block.below[0])
    if not arrays:
        return Part(np.zeros((0, 1), dtype=np.int64), block.below, None, 0, deep)
    width = max(map(len, arrays))
    stacked = np.empty((len(arrays), width), dtype=arrays[0].dtype)
    for place, array in enumerate(arrays):
        stacked[place] = array
    return Part(stacked, block.below, None, block.top, deep)


def _folded(combine: Callable[[Part, Part], Part]) -> Callable[[Any, _Block], Part]:
    def rule(node: Sum | Product, block: _Block) -> Part:
        result = _part(node.items[0], block)
        for item in node.items[1:]:
            result = combine(result, _part(item, block))
        return result

    return rule


def _mean(node: Mean, block: _Block) -> Part:
    total = _folded(plus)(node, block)
    count = len(node.items)
    return divided(total, Part(np.array([count]), ONE, None, count, 1))


def _aggregate(node: Aggregate, block: _Block) -> Part:
    found = _select(node.over, block)
    if found.code is not None:
        return found
    many, code = len(found.value), None
    kept = np.ones((many, 1), dtype=bool)
    if node.where is not None:
        than = _part(node.where.than, block)
        code, kept = than.code, relation(node.where.operator, found, than)
    count = kept.sum(axis=0) if many else np.zeros(1, dtype=np.int64)
    if node.function == "count":
        return Part(count, ONE, code, max(many, 1), 1)
    if node.function in ("sum", "mean"):
        values = found.value if found.top * max(many, 1) < LIMIT else found.value.astype(object)
        total = np.where(kept, values, 0).sum(axis=0) if many else np.zeros(1, dtype=np.int64)
        result = Part(total, found.below, code, found.top * max(many, 1), found.deep)
        if node.function == "sum":
            return result
        code = then_code(code, count == 0, "nothing selected")
        average = divided(result, Part(np.maximum(count, 1), ONE, None, max(many, 1), 1))
        return average._replace(code=code)
    code = then_code(code, count == 0, "nothing selected")
    if not many:
        return Part(np.zeros(1, dtype=np.int64), ONE, code)
    # Above every value, so that a cell that is left out is never the least.
    outside = found.top + 1
    if node.function == "min":
        best = np.where(kept, found.value, outside).min(axis=0)
    else:
        best = np.where(kept, found.value, -outside).max(axis=0)
    return Part(np.where(count == 0, 0, best), found.below, code, found.top, found.deep)


def _ranked(node: Extreme | ExtremeLabel, block: _Block) -> Part:
    found = _select(node.over, block)
    if found.code is not None:
        return found
    second = node.rank.startswith("second")
    if not len(found.value):
        return _undefined("nothing selected")
    if second and len(found.value) < 2:
        return _undefined("too few")
    turned = -found.value if node.rank.endswith("lowest") else found.value
    order = np.sort(turned, axis=0)
    best = order[-2] if second else order[-1]
    tie = order[-1] == order[-2] if second else np.zeros(1, dtype=bool)
    if isinstance(node, Extreme):
        value = -best if node.rank.endswith("lowest") else best
        return Part(value, found.below, then_code(None, tie, "tie"), found.top, found.deep)
    tie = tie | ((turned == best).sum(axis=0) > 1)
    names = block.positions if isinstance(node.over, Row) else block.series
    places = np.array([_place(name, block) for name in names])
    return Part(places[(turned == best).argmax(axis=0)], ONE, then_code(None, tie, "tie"), len(block.names), 1)


def _compare(node: Compare, block: _Block) -> Part:
    left, right = _part(node.left, block), _part(node.right, block)
    return Part(relation(node.operator, left, right), ONE, first_code(left, right))


def _trend(node: Trend, block: _Block) -> Part:
    found = _select(node.over, block)
    if found.code is not None:
        return found
    if len(found.value) < 2:
        return _undefined("too few")
    up = (found.value[1:] > found.value[:-1]).all(axis=0)
    down = (found.value[1:] < found.value[:-1]).all(axis=0)
    names = [_place(name, block) for name in ("increasing", "decreasing", "neither")]
    return Part(np.where(up, names[0], np.where(down, names[1], names[2])), ONE, None, len(block.names), 1)


def _if(node: If, block: _Block) -> Part:
    condition, then, other = (_part(part, block) for part in (node.condition, node.then, node.otherwise))
    holds = condition.value
    code: Array | None = None
    if then.code is not None or other.code is not None:
        none = np.zeros(1, dtype=np.int8)
        codes = (part.code if part.code is not None else none for part in (then, other))
        code = np.where(holds, *codes)
    code = first_code(condition, Part(ONE, ONE, code))
    below = then.below if then.below is other.below else np.where(holds, then.below, other.below)
    value = np.where(holds, then.value, other.value)
    return Part(value, below, code, max(then.top, other.top), max(then.deep, other.deep))


def _connected(join: Callable[[Array, Array], Array]) -> Callable[[Any, _Block], Part]:
    def rule(node: And | Or, block: _Block) -> Part:
        parts = [_part(item, block) for item in node.items]
        value = parts[0].value
        for part in parts[1:]:
            value = join(value, part.value)
        return Part(value, ONE, first_code(*parts))

    return rule


def _not(node: Not, block: _Block) -> Part:
    part = _part(node.item, block)
    return part._replace(value=~part.value.astype(bool))


_RULES: dict[type, Callable[[Any, _Block], Part]] = {
    Lookup: _lookup,
    Number: _number,
    Label: lambda node, block: Part(np.array([_place(node.text, block)]), ONE, None, len(block.names), 1),
    Boolean: lambda node, _block: Part(np.array([node.value]), ONE),
    Sum: _folded(plus),
    Product: _folded(times),
    Mean: _mean,
    Difference: lambda node, block: plus(_part(node.left, block), _part(node.right, block), -1),
    Ratio: lambda node, block: divided(_part(node.left, block), _part(node.right, block)),
    Aggregate: _aggregate,
    Extreme: _ranked,
    ExtremeLabel: _ranked,
    Compare: _compare,
    Trend: _trend,
    If: _if,
    And: _connected(np.logical_and),
    Or: _connected(np.logical_or),
    Not: _not,
}
