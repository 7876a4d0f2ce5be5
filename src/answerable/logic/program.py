"""Programs and the data they run over. Data only: every interpreter lives in a module of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from answerable.core.records import Record

#: A cell's address: series and position.
Cell = tuple[str, str]


class Grid(Record, frozen=True):
    """A complete table of numbers: ``values[i][j]`` is series ``i`` at position ``j``."""

    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]


class Lookup(Record, frozen=True, tag="lookup"):
    """The value of one series at one position (template D15 of PlotQA)."""

    series: str
    position: str

    def cells(self) -> frozenset[Cell]:
        """The cells the answer may depend on."""
        return frozenset({(self.series, self.position)})


Program = Lookup


class Defined(Record, frozen=True, tag="defined"):
    """The program has a value."""

    value: Fraction


class Undefined(Record, frozen=True, tag="undefined"):
    """The program has none, and why."""

    reason: Literal["no such series", "no such position"]


Outcome = Defined | Undefined
