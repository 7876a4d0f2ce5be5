"""Hiding cells of a table.

A hidden value never reaches a renderer: ``show`` writes out the texts that may be seen and nothing else. The patch
covers the whole cell, whose place and size depend on the columns' declarations only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from answerable.core.records import Record
from answerable.domains.table.cells import shown
from answerable.domains.table.world import TableWorld, place_of
from answerable.logic.program import Cell

Appearance = Literal["patch", "ink"]
APPEARANCES: tuple[Appearance, ...] = ("patch", "ink")


class Hide(Record, frozen=True):
    """Hide some cells."""

    cells: tuple[Cell, ...]
    """Row and column of each; one or more, each once."""
    appearance: Appearance

    def __post_init__(self) -> None:
        if not self.cells or len(set(self.cells)) != len(self.cells):
            raise ValueError(f"expected one cell or more, each once; got {len(self.cells)}")


class Picture(Record, frozen=True):
    """All a renderer is told: the world's fixed facts, and the texts that may be seen."""

    world: TableWorld
    """Its ``values`` are emptied; only fixed facts are read from it."""
    texts: tuple[tuple[str | None, ...], ...]
    """None where hidden."""
    appearance: Appearance = "patch"


def hidden_cells(world: TableWorld, hide: Hide) -> frozenset[Cell]:
    """The cells an operation hides."""
    return frozenset(cell for cell in hide.cells if place_of(world, cell) is not None)


def show(world: TableWorld, hide: Hide | None = None) -> Picture:
    """The picture of a world under a visibility operation (None: everything is seen)."""
    gone = {place_of(world, cell) for cell in hide.cells} if hide is not None else set()
    texts = tuple(
        tuple(
            None if (row, column) in gone else shown(field, value) or "?"
            for column, (field, value) in enumerate(zip(world.fields, line, strict=True))
        )
        for row, line in enumerate(world.values)
    )
    appearance: Appearance = hide.appearance if hide is not None else "patch"
    return Picture(world=msgspec.structs.replace(world, values=()), texts=texts, appearance=appearance)
