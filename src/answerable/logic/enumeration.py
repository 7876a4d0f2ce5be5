"""Interpreter four: every completion of finite domains at once, in blocks of numpy arrays. Exact.

A number is a pair of integer arrays, numerator and positive denominator. Before an operation, the largest magnitude
it can reach is worked out with Python's integers: where 64 bits could overflow, the arrays become arrays of Python
integers, slower and just as exact. Constant parts stay arrays of length one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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

_Array = npt.NDArray[Any]

#: Completions in one block: small enough for the cache, large enough that numpy's own cost vanishes.
BLOCK = 1 << 14
_LIMIT = 1 << 62
_REASONS: tuple[Reason | None, ...] = (
    None, "no such series", "no such position", "division by zero", "tie", "nothing selected", "too few"
)  # fmt: skip
_CODE = {reason: code for code, reason in enumerate(_REASONS)}


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


class _Part(NamedTuple):
    """A node over a block. Where ``code`` is not 0 the node is undefined and the value means nothing."""

    value: _Array
    """Numerators; for labels, places in the table of names; for booleans, truth values."""
    below: _Array
    """Positive denominators; ones for what is no number."""
    code: _Array | None = None
    """Places in the table of reasons; None when defined everywhere."""
    top: int = 1
    """No numerator is larger in magnitude."""
    deep: int = 1
    """No denominator is larger."""


class _Block(NamedTuple):
    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: list[list[_Array]]
    """Numerators over the common denominator of all cells."""
    below: _Array
    top: int
    names: dict[str, int]
    """Every label met so far, with its place."""


_ONE = np.ones(1, dtype=np.int64)


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
        self._tables = [_integers([self._scaled(value) for value in values], self._top) for values in self.values]

    def _scaled(self, value: Fraction) -> int:
        return value.numerator * (self._below // value.denominator)

    def block(self, start: int, stop: int) -> _Part:
        """The program over the completions ``start`` to ``stop``."""
        index = np.arange(start, stop)
        arrays: dict[Cell, _Array] = {}
        stride = self.total
        for cell, table in zip(self.cells, self._tables, strict=True):
            stride //= len(table)
            arrays[cell] = table[index // stride % len(table)]
        visible, zero = self._visible, _integers([0], 0)
        values = [
            [
                # A hidden cell that is not in the table is one that no node refers to.
                arrays.get((series, position), zero) if value is None else _integers([self._scaled(value)], self._top)
                for position, value in zip(visible.positions, line, strict=True)
            ]
            for series, line in zip(visible.series, visible.values, strict=True)
        ]
        below = _integers([self._below], self._below)
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

    def result(self, part: _Part, at: int) -> Result:
        """What a block says of one of its completions."""
        code = int(_at(part.code, at)) if part.code is not None else 0
        reason = _REASONS[code]
        if reason is not None:
            return Undefined(reason=reason)
        value = _at(part.value, at)
        if self.kind == "boolean":
            return Truth(value=bool(value))
        if self.kind == "label":
            return Named(value=next(name for name, place in self._names.items() if place == int(value)))
        return Defined(value=Fraction(int(value), int(_at(part.below, at))))


def _at(array: _Array, place: int) -> Any:
    return array[place] if len(array) > 1 else array[0]


def _integers(values: Sequence[int], top: int) -> _Array:
    return np.array(values, dtype=np.int64 if top < _LIMIT else object)


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


def _differs(part: _Part, code: int, numerator: int, denominator: int) -> _Array:
    """Where the outcome is another one than the reference."""
    if code:
        return np.ones(1, dtype=bool) if part.code is None else np.asarray(part.code != code)
    value, below = part.value, part.below
    if max(part.top * denominator, abs(numerator) * part.deep) >= _LIMIT:
        value, below = value.astype(object), below.astype(object)
    other = value * denominator != below * numerator
    return np.asarray(other if part.code is None else (part.code != 0) | other)


# --- numbers


def _first(*parts: _Part) -> _Array | None:
    """The reasons of the first undefined part."""
    found: _Array | None = None
    for part in parts:
        if part.code is not None:
            found = part.code if found is None else np.where(found != 0, found, part.code)
    return found


def _then(found: _Array | None, more: _Array, reason: Reason) -> _Array | None:
    """Reasons, and after them one more where ``more`` holds."""
    if not more.any():
        return found
    code = np.where(more, np.int8(_CODE[reason]), np.int8(0))
    return code if found is None else np.where(found != 0, found, code)


def _tight(part: _Part) -> _Part:
    """In lowest terms, with the bounds that its numbers really have."""
    shared = np.gcd(part.value, part.below)
    value, below = part.value // shared, part.below // shared
    top, deep = (int(np.abs(array).max(initial=0)) for array in (value, below))
    return _Part(value, below, part.code, top, deep)


def _pair(
    a: _Part, b: _Part, bounds: Callable[[_Part, _Part], tuple[int, int]]
) -> tuple[_Part, _Part, int, int]:  # fmt: skip
    """The operands, in integers that hold results of these bounds."""
    top, deep = bounds(a, b)
    if max(top, deep) >= _LIMIT:
        a, b = _tight(a), _tight(b)
        top, deep = bounds(a, b)
        if max(top, deep) >= _LIMIT:
            a, b = (part._replace(value=part.value.astype(object), below=part.below.astype(object)) for part in (a, b))
    return a, b, top, deep


def _crossed(a: _Part, b: _Part) -> tuple[int, int]:
    return a.top * b.deep + b.top * a.deep, a.deep * b.deep


def _plus(a: _Part, b: _Part, sign: int = 1) -> _Part:
    code = _first(a, b)
    if a.below is b.below and a.top + b.top < _LIMIT:
        return _Part(a.value + sign * b.value, a.below, code, a.top + b.top, a.deep)
    a, b, top, deep = _pair(a, b, _crossed)
    return _Part(a.value * b.below + sign * b.value * a.below, a.below * b.below, code, top, deep)


def _multiplied(a: _Part, b: _Part) -> _Part:
    code = _first(a, b)
    a, b, top, deep = _pair(a, b, lambda a, b: (a.top * b.top, a.deep * b.deep))
    return _Part(a.value * b.value, a.below * b.below, code, top, deep)


def _divided(a: _Part, b: _Part) -> _Part:
    """Where ``b`` is 0 the reason says so, and 1 stands in its place."""
    zero = b.value == 0
    code = _then(_first(a, b), zero, "division by zero")
    b = b._replace(value=np.where(zero, 1, b.value), top=max(b.top, 1))
    a, b, top, deep = _pair(a, b, lambda a, b: (a.top * b.deep, a.deep * b.top))
    sign = np.where(b.value < 0, -1, 1)
    return _Part(a.value * b.below * sign, a.below * b.value * sign, code, top, deep)


def _relation(sign: str, a: _Part, b: _Part) -> _Array:
    if a.below is b.below:
        left, right = a.value, b.value
    else:
        a, b, _, _ = _pair(a, b, _crossed)
        left, right = a.value * b.below, b.value * a.below
    return _OPERATORS[sign](left, right).astype(bool)


_OPERATORS: dict[str, Callable[[_Array, _Array], _Array]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


# --- nodes


def _part(node: Expression, block: _Block) -> _Part:
    return _RULES[type(node)](node, block)


def _undefined(reason: Reason) -> _Part:
    return _Part(np.zeros(1, dtype=np.int64), _ONE, np.array([_CODE[reason]], dtype=np.int8))


def _number(node: Number, block: _Block) -> _Part:
    del block
    top, deep = abs(node.value.numerator), node.value.denominator
    return _Part(_integers([node.value.numerator], top), _integers([deep], deep), None, top, deep)


def _place(name: str, block: _Block) -> int:
    return block.names.setdefault(name, len(block.names))


def _lookup(node: Lookup, block: _Block) -> _Part:
    found = _select(Cells(cells=((node.series, node.position),)), block)
    return found if found.code is not None else found._replace(value=found.value[0])


def _select(over: Selection, block: _Block) -> _Part:
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
        return _Part(np.zeros((0, 1), dtype=np.int64), block.below, None, 0, deep)
    width = max(map(len, arrays))
    stacked = np.empty((len(arrays), width), dtype=arrays[0].dtype)
    for place, array in enumerate(arrays):
        stacked[place] = array
    return _Part(stacked, block.below, None, block.top, deep)


def _folded(combine: Callable[[_Part, _Part], _Part]) -> Callable[[Any, _Block], _Part]:
    def rule(node: Sum | Product, block: _Block) -> _Part:
        result = _part(node.items[0], block)
        for item in node.items[1:]:
            result = combine(result, _part(item, block))
        return result

    return rule


def _mean(node: Mean, block: _Block) -> _Part:
    total = _folded(_plus)(node, block)
    count = len(node.items)
    return _divided(total, _Part(np.array([count]), _ONE, None, count, 1))


def _aggregate(node: Aggregate, block: _Block) -> _Part:
    found = _select(node.over, block)
    if found.code is not None:
        return found
    many, code = len(found.value), None
    kept = np.ones((many, 1), dtype=bool)
    if node.where is not None:
        than = _part(node.where.than, block)
        code, kept = than.code, _relation(node.where.operator, found, than)
    count = kept.sum(axis=0) if many else np.zeros(1, dtype=np.int64)
    if node.function == "count":
        return _Part(count, _ONE, code, max(many, 1), 1)
    if node.function in ("sum", "mean"):
        values = found.value if found.top * max(many, 1) < _LIMIT else found.value.astype(object)
        total = np.where(kept, values, 0).sum(axis=0) if many else np.zeros(1, dtype=np.int64)
        result = _Part(total, found.below, code, found.top * max(many, 1), found.deep)
        if node.function == "sum":
            return result
        code = _then(code, count == 0, "nothing selected")
        average = _divided(result, _Part(np.maximum(count, 1), _ONE, None, max(many, 1), 1))
        return average._replace(code=code)
    code = _then(code, count == 0, "nothing selected")
    if not many:
        return _Part(np.zeros(1, dtype=np.int64), _ONE, code)
    # Above every value, so that a cell that is left out is never the least.
    outside = found.top + 1
    if node.function == "min":
        best = np.where(kept, found.value, outside).min(axis=0)
    else:
        best = np.where(kept, found.value, -outside).max(axis=0)
    return _Part(np.where(count == 0, 0, best), found.below, code, found.top, found.deep)


def _ranked(node: Extreme | ExtremeLabel, block: _Block) -> _Part:
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
        return _Part(
            -best if node.rank.endswith("lowest") else best, found.below, _then(None, tie, "tie"), found.top, found.deep
        )  # fmt: skip
    tie = tie | ((turned == best).sum(axis=0) > 1)
    names = block.positions if isinstance(node.over, Row) else block.series
    places = np.array([_place(name, block) for name in names])
    return _Part(places[(turned == best).argmax(axis=0)], _ONE, _then(None, tie, "tie"), len(block.names), 1)


def _compare(node: Compare, block: _Block) -> _Part:
    left, right = _part(node.left, block), _part(node.right, block)
    return _Part(_relation(node.operator, left, right), _ONE, _first(left, right))


def _trend(node: Trend, block: _Block) -> _Part:
    found = _select(node.over, block)
    if found.code is not None:
        return found
    if len(found.value) < 2:
        return _undefined("too few")
    up = (found.value[1:] > found.value[:-1]).all(axis=0)
    down = (found.value[1:] < found.value[:-1]).all(axis=0)
    names = [_place(name, block) for name in ("increasing", "decreasing", "neither")]
    return _Part(np.where(up, names[0], np.where(down, names[1], names[2])), _ONE, None, len(block.names), 1)


def _if(node: If, block: _Block) -> _Part:
    condition, then, other = (_part(part, block) for part in (node.condition, node.then, node.otherwise))
    holds = condition.value
    code: _Array | None = None
    if then.code is not None or other.code is not None:
        none = np.zeros(1, dtype=np.int8)
        codes = (part.code if part.code is not None else none for part in (then, other))
        code = np.where(holds, *codes)
    code = _first(condition, _Part(_ONE, _ONE, code))
    below = then.below if then.below is other.below else np.where(holds, then.below, other.below)
    value = np.where(holds, then.value, other.value)
    return _Part(value, below, code, max(then.top, other.top), max(then.deep, other.deep))


def _connected(join: Callable[[_Array, _Array], _Array]) -> Callable[[Any, _Block], _Part]:
    def rule(node: And | Or, block: _Block) -> _Part:
        parts = [_part(item, block) for item in node.items]
        value = parts[0].value
        for part in parts[1:]:
            value = join(value, part.value)
        return _Part(value, _ONE, _first(*parts))

    return rule


def _not(node: Not, block: _Block) -> _Part:
    part = _part(node.item, block)
    return part._replace(value=~part.value.astype(bool))


_RULES: dict[type, Callable[[Any, _Block], _Part]] = {
    Lookup: _lookup,
    Number: _number,
    Label: lambda node, block: _Part(np.array([_place(node.text, block)]), _ONE, None, len(block.names), 1),
    Boolean: lambda node, _block: _Part(np.array([node.value]), _ONE),
    Sum: _folded(_plus),
    Product: _folded(_multiplied),
    Mean: _mean,
    Difference: lambda node, block: _plus(_part(node.left, block), _part(node.right, block), -1),
    Ratio: lambda node, block: _divided(_part(node.left, block), _part(node.right, block)),
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
