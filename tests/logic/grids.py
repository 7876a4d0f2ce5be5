"""Grids for tests, and names and numbers that try to break an interpreter."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from answerable.logic.program import Grid

GRID = Grid(
    series=("North", "South"),
    positions=("2020", "2021", "2022"),
    values=(
        (Fraction(1), Fraction(5, 2), Fraction(-3)),
        (Fraction(4), Fraction(10**40 + 1, 3), Fraction(0)),
    ),
)

NASTY = (
    "x'; DROP TABLE cell; --", '" OR ""="', "?", ":series", "%", "_", "", " ", "a", "A", "á", "a\u0301", "NULL",
    "\u202e", "🙂", "1", "01", "1.0",
)  # fmt: skip
#: SQLite has no text for halves of surrogate pairs; no picture has either.
names = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.fractions(max_denominator=10**6) | st.builds(
    Fraction, st.integers(-(10**60), 10**60), st.integers(1, 10**60)
)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A grid of one to four series and positions."""
    series = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    positions = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    line = st.tuples(*[numbers] * len(positions))
    values = draw(st.tuples(*[line] * len(series)))
    return Grid(series=tuple(series), positions=tuple(positions), values=values)
