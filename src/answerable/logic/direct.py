"""Executor one: walk the tree over the grid with exact rationals."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, overload

from answerable.core.errors import InputError
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    Grid,
    If,
    Label,
    Lookup,
    Mean,
    Named,
    Not,
    Number,
    Or,
    Outcome,
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

_Value = Fraction | str | bool

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge
}  # fmt: skip


class _NoValueError(Exception):
    """Leaves the walk at the first operand without a value; ``execute`` turns it into a result."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@overload
def execute(program: Lookup, grid: Grid) -> Outcome: ...
@overload
def execute(program: Expression, grid: Grid) -> Result: ...
def execute(program: Expression, grid: Grid) -> Result:
    """Run ``program`` over ``grid``.

    Raises:
        InputError: an operand has the wrong type (``logic.types.type_of`` says so beforehand, and where).
    """
    try:
        value = _value(program, grid)
    except _NoValueError as nothing:
        return Undefined(reason=nothing.reason)
    if isinstance(value, bool):
        return Truth(value=value)
    return Named(value=value) if isinstance(value, str) else Defined(value=value)


def _value(node: Expression, grid: Grid) -> _Value:
    return _RULES[type(node)](node, grid)


def _number(node: Expression, grid: Grid) -> Fraction:
    value = _RULES[type(node)](node, grid)
    if not isinstance(value, Fraction):
        raise InputError("a number as an operand", f"{type(node).__name__.lower()} with value {value!r}")
    return value


def _truth(node: Expression, grid: Grid) -> bool:
    value = _RULES[type(node)](node, grid)
    if not isinstance(value, bool):
        raise InputError("a boolean as an operand", f"{type(node).__name__.lower()} with value {str(value)[:60]!r}")
    return value


def _lookup(node: Lookup, grid: Grid) -> Fraction:
    return _cell(node.series, node.position, grid)


def _cell(series: str, position: str, grid: Grid) -> Fraction:
    if series not in grid.series:
        raise _NoValueError("no such series")
    if position not in grid.positions:
        raise _NoValueError("no such position")
    return grid.values[grid.series.index(series)][grid.positions.index(position)]


def _select(over: Selection, grid: Grid) -> list[Fraction]:
    if isinstance(over, Row):
        if over.series not in grid.series:
            raise _NoValueError("no such series")
        return list(grid.values[grid.series.index(over.series)])
    if isinstance(over, Column):
        if over.position not in grid.positions:
            raise _NoValueError("no such position")
        place = grid.positions.index(over.position)
        return [line[place] for line in grid.values]
    if isinstance(over, Cells):
        return [_cell(series, position, grid) for series, position in over.cells]
    return [value for line in grid.values for value in line]


def _sum(node: Sum, grid: Grid) -> Fraction:
    return sum((_number(item, grid) for item in node.items), Fraction(0))


def _product(node: Product, grid: Grid) -> Fraction:
    result = Fraction(1)
    for item in node.items:
        result *= _number(item, grid)
    return result


def _mean(node: Mean, grid: Grid) -> Fraction:
    return _average([_number(item, grid) for item in node.items])


def _average(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _ratio(node: Ratio, grid: Grid) -> Fraction:
    left, right = _number(node.left, grid), _number(node.right, grid)
    if right == 0:
        raise _NoValueError("division by zero")
    return left / right


def _aggregate(node: Aggregate, grid: Grid) -> Fraction:
    values = _select(node.over, grid)
    if node.where is not None:
        holds, than = _OPERATORS[node.where.operator], _number(node.where.than, grid)
        values = [value for value in values if holds(value, than)]
    if node.function == "count":
        return Fraction(len(values))
    if node.function == "sum":
        return sum(values, Fraction(0))
    if not values:
        raise _NoValueError("nothing selected")
    if node.function == "mean":
        return _average(values)
    return min(values) if node.function == "min" else max(values)


def _ordered(node: Extreme | ExtremeLabel, grid: Grid) -> tuple[list[Fraction], list[Fraction], int]:
    """The values, the values from the one asked for downwards in rank, and the place of the rank."""
    values, place = _select(node.over, grid), int(node.rank.startswith("second"))
    if not values:
        raise _NoValueError("nothing selected")
    if len(values) <= place:
        raise _NoValueError("too few")
    ranked = sorted(values, reverse=node.rank.endswith("highest"))
    if place and ranked[0] == ranked[1]:
        raise _NoValueError("tie")
    return values, ranked, place


def _extreme(node: Extreme, grid: Grid) -> Fraction:
    _, ranked, place = _ordered(node, grid)
    return ranked[place]


def _extreme_label(node: ExtremeLabel, grid: Grid) -> str:
    values, ranked, place = _ordered(node, grid)
    if values.count(ranked[place]) > 1:
        raise _NoValueError("tie")
    names = grid.positions if isinstance(node.over, Row) else grid.series
    return names[values.index(ranked[place])]


def _compare(node: Compare, grid: Grid) -> bool:
    left, right = _value(node.left, grid), _value(node.right, grid)
    if type(left) is not type(right) or (node.operator not in ("==", "!=") and not isinstance(left, Fraction)):
        raise InputError(
            f"two operands that '{node.operator}' compares", f"{type(left).__name__} and {type(right).__name__}"
        )
    return _OPERATORS[node.operator](left, right)


def _trend(node: Trend, grid: Grid) -> str:
    values = _select(node.over, grid)
    if len(values) < 2:
        raise _NoValueError("too few")
    steps = [later - earlier for earlier, later in pairwise(values)]
    if all(step > 0 for step in steps):
        return "increasing"
    return "decreasing" if all(step < 0 for step in steps) else "neither"


def _if(node: If, grid: Grid) -> _Value:
    return _value(node.then if _truth(node.condition, grid) else node.otherwise, grid)


def _and(node: And, grid: Grid) -> bool:
    values = [_truth(item, grid) for item in node.items]
    return all(values)


def _or(node: Or, grid: Grid) -> bool:
    values = [_truth(item, grid) for item in node.items]
    return any(values)


_RULES: dict[type, Callable[[Any, Grid], _Value]] = {
    Lookup: _lookup,
    Number: lambda node, _grid: node.value,
    Label: lambda node, _grid: node.text,
    Boolean: lambda node, _grid: node.value,
    Sum: _sum,
    Difference: lambda node, grid: _number(node.left, grid) - _number(node.right, grid),
    Product: _product,
    Mean: _mean,
    Ratio: _ratio,
    Aggregate: _aggregate,
    Extreme: _extreme,
    ExtremeLabel: _extreme_label,
    Compare: _compare,
    Trend: _trend,
    If: _if,
    And: _and,
    Or: _or,
    Not: lambda node, grid: not _truth(node.item, grid),
}
