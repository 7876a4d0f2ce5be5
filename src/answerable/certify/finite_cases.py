"""Small cases for the finite audit: eight program families of our own, and recursive expression trees.

A case is four cells, one or two of them hidden, each a whole number from 0 to 9. Which cells a program names and which
are hidden is drawn apart, and programs like to mention a cell twice, so that some hidden cells do not matter.
A case depends on the seed, its family and its number only.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.logic.domains import Domain, Integers, Visible, hide
from answerable.logic.program import (
    Aggregate,
    And,
    Cell,
    Cells,
    Column,
    Compare,
    Difference,
    Everything,
    Expression,
    Extreme,
    ExtremeLabel,
    Function,
    Grid,
    If,
    Label,
    Line,
    Lookup,
    Mean,
    Not,
    Number,
    Operator,
    Or,
    Product,
    Rank,
    Ratio,
    Row,
    Selection,
    Sum,
    Trend,
    Where,
)

LOW, HIGH = 0, 9
_SHAPES = ((2, 2), (1, 4), (4, 1))
_OPERATORS: tuple[Operator, ...] = ("==", "!=", "<", "<=", ">", ">=")
_RANKS: tuple[Rank, ...] = ("highest", "lowest", "second highest", "second lowest")
_FUNCTIONS: tuple[Function, ...] = ("sum", "mean", "min", "max", "count")
_TRENDS = ("increasing", "decreasing", "neither")
#: Levels of operations in a tree, at most.
TREE_LEVELS = 4


class Case(Record, frozen=True):
    """One question over four cells."""

    name: str
    """``comparison-00012``."""
    family: str
    """One of ``FAMILIES``, or ``tree``."""
    program: Expression
    visible: Visible
    """Four cells, one or two of them None."""

    def domains(self) -> dict[Cell, Domain]:
        """0 to 9 for each hidden cell."""
        return {cell: Integers(low=LOW, high=HIGH) for cell in self.visible.hidden()}


class _Names:
    """What a program of the case may name, and its draws."""

    def __init__(self, stream: Stream, series: tuple[str, ...], positions: tuple[str, ...]) -> None:
        self.stream, self.series, self.positions = stream, series, positions
        self.cells = [(name, position) for name in series for position in positions]

    def cell(self) -> Lookup:
        """Some cell."""
        series, position = self.stream.pick(self.cells)
        return Lookup(series=series, position=position)

    def number(self, low: int = LOW, high: int = HIGH) -> Number:
        """A whole number."""
        return Number(value=Fraction(self.stream.between(low, high)))

    def line(self) -> Line:
        """A row or a column of two cells or more."""
        lines: list[Line] = [Row(series=name) for name in self.series] if len(self.positions) > 1 else []
        if len(self.series) > 1:
            lines += [Column(position=name) for name in self.positions]
        return self.stream.pick(lines)

    def selection(self) -> Selection:
        """Two cells or more."""
        kind = self.stream.below(3)
        if kind == 0:
            return Everything()
        if kind == 1:
            return self.line()
        return Cells(cells=tuple(self.stream.sample(self.cells, self.stream.between(2, 3))))

    def operator(self) -> Operator:
        """One of six."""
        return self.stream.pick(_OPERATORS)

    def where(self, than: Expression | None = None) -> Where:
        """A condition, now and then one that all or none of 0 to 9 meets."""
        return Where(operator=self.operator(), than=than or self.number(LOW - 1, HIGH + 2))


def _look_up(names: _Names) -> Expression:
    return names.cell()


def _sums(names: _Names) -> Expression:
    """Two terms subtracted; often the second repeats cells of the first, so that they cancel."""
    first = tuple(names.cell() for _ in range(names.stream.between(1, 3)))
    kept = tuple(item for item in first if names.stream.below(3))
    second = kept if kept and names.stream.below(3) else (names.cell(),)
    return Difference(left=Sum(items=first), right=Sum(items=second))


def _ratios(names: _Names) -> Expression:
    """Ratios and means that may divide by zero, and products with a zero."""
    a, b = names.cell(), names.cell()
    kind = names.stream.below(4)
    if kind == 0:
        return Ratio(left=a, right=Sum(items=(b, names.number(0, 2))))
    if kind == 1:
        return Ratio(left=Difference(left=a, right=b), right=names.number(1, 4))
    if kind == 2:
        return Mean(items=(a, b, names.cell()))
    others: list[Expression] = [b, names.cell(), names.number()]
    return Product(items=(a, Difference(left=b, right=names.stream.pick(others))))


def _extremes(names: _Names) -> Expression:
    return Extreme(rank=names.stream.pick(_RANKS), over=names.selection())


def _labels(names: _Names) -> Expression:
    return ExtremeLabel(rank=names.stream.pick(_RANKS), over=names.line())


def _counts(names: _Names) -> Expression:
    function = names.stream.pick(("count", *_FUNCTIONS))
    return Aggregate(function=function, over=names.selection(), where=names.where())


def _comparisons(names: _Names) -> Expression:
    kind, a = names.stream.below(4), names.cell()
    if kind == 0:
        return Compare(operator=names.operator(), left=a, right=names.number(LOW - 1, HIGH + 1))
    if kind == 1:
        return Compare(operator=names.operator(), left=a, right=names.cell())
    if kind == 2:
        total = Sum(items=(a, names.cell()))
        return Compare(operator=names.operator(), left=total, right=names.number(LOW, 2 * HIGH))
    extreme = Extreme(rank=names.stream.pick(_RANKS[:2]), over=names.selection())
    return Compare(operator=names.operator(), left=extreme, right=a)


def _choices(names: _Names) -> Expression:
    """Trends, conditionals and connectives."""
    kind = names.stream.below(4)
    if kind == 0:
        trend = Trend(over=names.line())
        return Compare(operator="==", left=trend, right=Label(text=names.stream.pick(_TRENDS)))
    if kind == 1:
        return Trend(over=names.line())
    first, second = _comparisons(names), _comparisons(names)
    if kind == 2:
        return If(condition=first, then=names.cell(), otherwise=names.cell())
    items = (first, second if names.stream.below(3) else Not(item=first))
    return And(items=items) if names.stream.below(2) else Or(items=items)


#: The families, in the order of tables.
FAMILIES: dict[str, Callable[[_Names], Expression]] = {
    "look-up": _look_up,
    "sum and difference": _sums,
    "ratio, mean, product": _ratios,
    "extreme value": _extremes,
    "extreme label": _labels,
    "figure under a condition": _counts,
    "comparison": _comparisons,
    "trend and choice": _choices,
}
TREE = "tree"


def _tree(names: _Names) -> Expression:
    kind = names.stream.below(5)
    levels = names.stream.between(2, TREE_LEVELS)
    if kind == 0:
        return _label_tree(names, levels)
    return _truth_tree(names, levels) if kind < 3 else _number_tree(names, levels)


def _number_tree(names: _Names, levels: int) -> Expression:
    """A program with a number for an answer."""
    stream = names.stream
    if levels <= 0 or stream.below(6) == 0:
        return names.cell() if stream.below(4) else names.number()
    kind = stream.below(9)
    if kind == 0:
        return Extreme(rank=stream.pick(_RANKS), over=names.selection())
    if kind == 1:
        where = names.where(_number_tree(names, levels - 1)) if stream.below(2) else None
        return Aggregate(function=stream.pick(_FUNCTIONS), over=names.selection(), where=where)
    condition = _truth_tree(names, levels - 1) if kind == 2 else None
    left, right = _number_tree(names, levels - 1), _number_tree(names, levels - 1)
    if condition is not None:
        return If(condition=condition, then=left, otherwise=right)
    return _arithmetic_tree(stream, kind, left, right)


def _arithmetic_tree(stream: Stream, kind: int, left: Expression, right: Expression) -> Expression:
    if kind in (3, 4):
        # The same tree on both sides cancels, as x - x does.
        return Difference(left=left, right=right if stream.below(3) else left)
    if kind == 5:
        return Ratio(left=left, right=right)
    items = (left, right)
    return Sum(items=items) if kind == 6 else Product(items=items) if kind == 7 else Mean(items=items)


def _label_tree(names: _Names, levels: int) -> Expression:
    """A program with a label for an answer."""
    stream = names.stream
    if levels > 1 and stream.below(3) == 0:
        then, other = _label_tree(names, levels - 1), _label_tree(names, levels - 1)
        return If(condition=_truth_tree(names, levels - 1), then=then, otherwise=other)
    if stream.below(3) == 0:
        return Trend(over=names.line())
    return ExtremeLabel(rank=stream.pick(_RANKS), over=names.line())


def _truth_tree(names: _Names, levels: int) -> Expression:
    """A program with a truth value for an answer."""
    stream = names.stream
    kind = stream.below(5) if levels > 1 else stream.below(2)
    if kind == 0:
        left, right = _number_tree(names, levels - 1), _number_tree(names, levels - 1)
        return Compare(operator=names.operator(), left=left, right=right)
    if kind == 1:
        left = _label_tree(names, levels - 1)
        right = Label(text=stream.pick((*names.series, *names.positions, *_TRENDS)))
        return Compare(operator=stream.pick(("==", "!=")), left=left, right=right)
    if kind == 2:
        return Not(item=_truth_tree(names, levels - 1))
    items = tuple(_truth_tree(names, levels - 1) for _ in range(stream.between(2, 3)))
    return And(items=items) if kind == 3 else Or(items=items)


def case(seed: int, family: str, number: int) -> Case:
    """Case ``number`` of a family (``tree`` for trees); the same for the same arguments."""
    stream = Stream("finite audit", seed, family, number)
    rows, columns = stream.pick(_SHAPES)
    series, positions = ("A", "B", "C", "D")[:rows], ("w", "x", "y", "z")[:columns]
    values = tuple(tuple(Fraction(stream.between(LOW, HIGH)) for _ in positions) for _ in series)
    names = _Names(stream, series, positions)
    hidden = stream.sample(names.cells, stream.between(1, 2))
    program = FAMILIES[family](names) if family in FAMILIES else _tree(names)
    return Case(
        name=f"{family.replace(',', '').replace(' ', '-')}-{number:05d}",
        family=family,
        program=program,
        visible=hide(Grid(series=series, positions=positions, values=values), hidden),
    )
