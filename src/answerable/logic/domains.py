"""What a hidden cell may hold, and a grid some of whose cells are hidden. Data and checks only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from answerable.core.errors import InputError
from answerable.core.records import Record
from answerable.logic.program import Cell, Grid

#: Values a finite domain may list one by one.
MAX_VALUES = 100_000


class Values(Record, frozen=True, tag="values"):
    """One of these numbers."""

    values: tuple[Fraction, ...]


class Integers(Record, frozen=True, tag="integers"):
    """A whole number from ``low`` to ``high``, both included."""

    low: int
    high: int


class Between(Record, frozen=True, tag="between"):
    """Any rational from ``low`` to ``high``, both included; None leaves that side open for ever."""

    low: Fraction | None
    high: Fraction | None


Domain = Values | Integers | Between


class Visible(Record, frozen=True):
    """A grid with None where a cell is hidden."""

    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: tuple[tuple[Fraction | None, ...], ...]

    def hidden(self) -> tuple[Cell, ...]:
        """The hidden cells, series by series."""
        return tuple(
            (series, position)
            for series, line in zip(self.series, self.values, strict=True)
            for position, value in zip(self.positions, line, strict=True)
            if value is None
        )

    def completed(self, values: Mapping[Cell, Fraction]) -> Grid:
        """The complete grid with these values in the hidden cells."""
        return Grid(
            series=self.series,
            positions=self.positions,
            values=tuple(
                tuple(
                    values[(series, position)] if value is None else value
                    for position, value in zip(self.positions, line, strict=True)
                )
                for series, line in zip(self.series, self.values, strict=True)
            ),
        )


def hide(grid: Grid, hidden: Sequence[Cell]) -> Visible:
    """The grid with these cells hidden."""
    gone = frozenset(hidden)
    return Visible(
        series=grid.series,
        positions=grid.positions,
        values=tuple(
            tuple(
                None if (series, position) in gone else value
                for position, value in zip(grid.positions, line, strict=True)
            )
            for series, line in zip(grid.series, grid.values, strict=True)
        ),
    )


def check_domains(visible: Visible, domains: Mapping[Cell, Domain]) -> None:
    """Every hidden cell has a domain with something in it, and no other cell has one.

    Raises:
        InputError: naming the cell.
    """
    if len(visible.values) != len(visible.series) or any(
        len(line) != len(visible.positions) for line in visible.values
    ):
        raise InputError(
            f"{len(visible.series)} rows of {len(visible.positions)} values", "a grid of another shape", where="visible"
        )
    for names in (visible.series, visible.positions):
        if len(set(names)) != len(names):
            raise InputError("each series and position once", f"names={names!r:.120}", where="visible")
    hidden = visible.hidden()
    for cell in hidden:
        if cell not in domains:
            raise InputError("a domain for every hidden cell", f"none for {_name(cell)}", where="domains")
    for cell in domains:
        if cell not in hidden:
            raise InputError("domains for hidden cells only", f"one for {_name(cell)}, which is not hidden")
        _check_domain(cell, domains[cell])


def _check_domain(cell: Cell, domain: Domain) -> None:
    where = f"the domain of {_name(cell)}"
    if isinstance(domain, Values):
        if not domain.values:
            raise InputError("at least one value", "an empty set", where=where)
        if len(domain.values) > MAX_VALUES:
            raise InputError(
                f"at most {MAX_VALUES} listed values", f"{len(domain.values)}", where=where,
                fix="use a range of integers or an interval",
            )  # fmt: skip
    elif isinstance(domain, Integers):
        if domain.low > domain.high:
            raise InputError("low <= high", f"an empty range low={domain.low}, high={domain.high}", where=where)
    elif domain.low is not None and domain.high is not None and domain.low > domain.high:
        raise InputError("low <= high", f"an empty interval low={domain.low}, high={domain.high}", where=where)


def _name(cell: Cell) -> str:
    return f"series={cell[0][:60]!r}, position={cell[1][:60]!r}"


def size(domain: Domain) -> int | None:
    """How many values; None where there is no end to them."""
    if isinstance(domain, Values):
        return len(domain.values)
    if isinstance(domain, Integers):
        return domain.high - domain.low + 1
    return 1 if domain.low is not None and domain.low == domain.high else None


def listed(domain: Domain) -> Iterator[Fraction]:
    """The values of a domain with an end, in its order.

    Raises:
        InputError: there is no end to them.
    """
    if isinstance(domain, Values):
        yield from domain.values
    elif isinstance(domain, Integers):
        yield from map(Fraction, range(domain.low, domain.high + 1))
    elif domain.low is not None and domain.low == domain.high:
        yield domain.low
    else:
        raise InputError("a finite domain", "an interval of rationals")


def contains(domain: Domain, value: Fraction) -> bool:
    """Whether a value lies in the domain."""
    if isinstance(domain, Values):
        return value in domain.values
    if isinstance(domain, Integers):
        return value.denominator == 1 and domain.low <= value <= domain.high
    return (domain.low is None or domain.low <= value) and (domain.high is None or value <= domain.high)


def ends(domain: Domain) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest value; None where there is none."""
    if isinstance(domain, Values):
        return min(domain.values), max(domain.values)
    if isinstance(domain, Integers):
        return Fraction(domain.low), Fraction(domain.high)
    return domain.low, domain.high
