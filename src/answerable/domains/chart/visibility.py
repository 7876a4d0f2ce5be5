"""Hiding part of a chart.

A hidden value never reaches a renderer: ``show`` builds the picture's data without it, so there is nothing to
leak. A mask covers a position across the whole data region; its place depends on the position only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from answerable.core.records import Record
from answerable.domains.chart.world import ChartWorld
from answerable.logic.program import Cell

Appearance = Literal["patch", "gap"]
APPEARANCES: tuple[Appearance, ...] = ("patch", "gap")


class Hide(Record, frozen=True):
    """Hide every series at some positions."""

    positions: tuple[str, ...]
    """One or more, each once, in any order."""
    appearance: Appearance

    def __post_init__(self) -> None:
        if not self.positions or len(set(self.positions)) != len(self.positions):
            raise ValueError(f"expected one position or more, each once; got {len(self.positions)}")


class Picture(Record, frozen=True):
    """All a renderer is told: the world's fixed facts, and values where they may be seen."""

    world: ChartWorld
    """Its ``values`` are emptied; only fixed facts are read from it."""
    values: tuple[tuple[Fraction | None, ...], ...]
    """None where hidden."""
    masked: tuple[int, ...] = ()
    """Indexes of the hidden positions, rising."""
    appearance: Appearance = "patch"


def hidden_cells(world: ChartWorld, hide: Hide) -> frozenset[Cell]:
    """The cells an operation hides."""
    return frozenset((series, position) for series in world.series for position in hide.positions)


def show(world: ChartWorld, hide: Hide | None = None) -> Picture:
    """The picture of a world under a visibility operation (None: everything is seen)."""
    import msgspec

    fixed = msgspec.structs.replace(world, values=())
    if hide is None:
        return Picture(world=fixed, values=world.values)
    masked = tuple(sorted(world.positions.index(position) for position in hide.positions))
    seen = tuple(tuple(None if index in masked else value for index, value in enumerate(line)) for line in world.values)
    return Picture(world=fixed, values=seen, masked=masked, appearance=hide.appearance)
