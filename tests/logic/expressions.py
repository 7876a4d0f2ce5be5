"""Random typed programs over random grids, for property tests."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from hypothesis import strategies as st

from answerable.logic.domains import Domain, Integers, Values, Visible, hide, listed
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cell,
    Cells,
    Column,
    Compare,
    Difference,
    Everything,
    Expression,
    Extreme,
    ExtremeLabel,
    Grid,
    If,
    Label,
    Lookup,
    Mean,
    Not,
    Number,
    Or,
    Product,
    Ratio,
    Row,
    Sum,
    Trend,
    Where,
)

SERIES = ("North", "South", "East")
POSITIONS = ("2020", "2021", "2022")
OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
RANKS = ("highest", "lowest", "second highest", "second lowest")

small = st.integers(-3, 3).map(Fraction) | st.sampled_from([Fraction(1, 2), Fraction(-2, 3), Fraction(10)])


@st.composite
def small_grids(draw: st.DrawFn, values: st.SearchStrategy[Fraction] = small) -> Grid:
    """One to three series and positions; values that often tie and often are zero."""
    series, positions = SERIES[: draw(st.integers(1, 3))], POSITIONS[: draw(st.integers(1, 3))]
    line = st.tuples(*[values] * len(positions))
    return Grid(series=series, positions=positions, values=draw(st.tuples(*[line] * len(series))))


# Now and then a name that the grid lacks.
_series = st.sampled_from([*SERIES, "North", "North"])
_positions = st.sampled_from([*POSITIONS, "2020", "2020"])
_lines = st.builds(Row, _series) | st.builds(Column, _positions)
_cells = st.lists(st.tuples(_series, _positions), min_size=1, max_size=4, unique=True)
_selections = _lines | st.builds(lambda some: Cells(tuple(some)), _cells) | st.just(Everything())


_LEAVES = st.builds(Lookup, _series, _positions) | st.builds(Number, small)
_EXTREMES = st.builds(Extreme, st.sampled_from(RANKS), _selections)


def _few(items: st.SearchStrategy[Expression]) -> st.SearchStrategy[tuple[Expression, ...]]:
    return st.lists(items, min_size=1, max_size=3).map(tuple)


def programs(kind: str, levels: int = 3) -> st.SearchStrategy[Expression]:
    """Typed programs of at most ``levels`` levels of operations: ``number``, ``label`` or ``boolean``."""
    return _BY_KIND[kind](levels)


@cache
def _numbers(levels: int) -> st.SearchStrategy[Any]:
    leaves = _LEAVES
    extremes = _EXTREMES
    if levels == 0:
        return leaves | extremes
    below = _numbers(levels - 1)
    where = st.none() | st.builds(Where, st.sampled_from(OPERATORS), below)
    function = st.sampled_from(("sum", "mean", "min", "max", "count"))
    return st.one_of(
        leaves,
        extremes,
        st.builds(Sum, _few(below)),
        st.builds(Product, _few(below)),
        st.builds(Mean, _few(below)),
        st.builds(Difference, below, below),
        st.builds(Ratio, below, below),
        st.builds(Aggregate, function, _selections, where),
        st.builds(If, _booleans(levels - 1), below, below),
    )


@cache
def _labels(levels: int) -> st.SearchStrategy[Any]:
    leaves = (
        st.builds(Label, st.sampled_from([*SERIES, *POSITIONS, "increasing"]))
        | st.builds(ExtremeLabel, st.sampled_from(RANKS), _lines)
        | st.builds(Trend, _lines)
    )
    if levels == 0:
        return leaves
    below = _labels(levels - 1)
    return leaves | st.builds(If, _booleans(levels - 1), below, below)


@cache
def _booleans(levels: int) -> st.SearchStrategy[Any]:
    if levels == 0:
        return st.builds(Boolean, st.booleans())
    below = _booleans(levels - 1)
    numbers, labels = _numbers(levels - 1), _labels(levels - 1)
    equal = st.sampled_from(("==", "!="))
    return st.one_of(
        st.builds(Compare, st.sampled_from(OPERATORS), numbers, numbers),
        st.builds(Compare, equal, labels, labels),
        st.builds(Compare, equal, below, below),
        st.builds(And, _few(below)),
        st.builds(Or, _few(below)),
        st.builds(Not, below),
        st.builds(If, below, below, below),
    )


_BY_KIND = {"number": _numbers, "label": _labels, "boolean": _booleans}
any_program = st.sampled_from(sorted(_BY_KIND)).flatmap(programs)


domains = st.one_of(
    st.builds(Values, st.lists(small, min_size=1, max_size=4, unique=True).map(tuple)),
    st.builds(lambda low, width: Integers(low, low + width), st.integers(-3, 3), st.integers(0, 4)),
)


@st.composite
def hidden_grids(
    draw: st.DrawFn, values: st.SearchStrategy[Fraction] = small, within: st.SearchStrategy[Domain] = domains
) -> tuple[Visible, dict[Cell, Domain]]:
    """A grid with one to three hidden cells and finite domains for them."""
    grid = draw(small_grids(values))
    every = [(series, position) for series in grid.series for position in grid.positions]
    gone = draw(st.lists(st.sampled_from(every), min_size=1, max_size=3, unique=True))
    return hide(grid, gone), {cell: draw(within) for cell in gone}


def all_worlds(visible: Visible, domains: dict[Cell, Domain]) -> list[Grid]:
    """Every completion, one by one."""
    hidden = visible.hidden()
    choices = product(*(listed(domains[cell]) for cell in hidden))
    return [visible.completed(dict(zip(hidden, values, strict=True))) for values in choices]
