"""What a report draws of the parts of a source: by program family, and by depth of the program."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.core.records import Record
from answerable.core.scores import FACETS, Facet, Figure, PartScores, RunScores, SourceScores
from answerable.report.cells import Cell, cell, heat_step


class SplitCell(Record, frozen=True):
    """One run on one part."""

    figure: Cell
    step: int
    """0 (none failed) to 10 (all failed); of whole questions, what is not complete."""


class SplitRow(Record, frozen=True):
    """One part, or a run on one part."""

    value: str
    groups: int
    cells: tuple[SplitCell | None, ...]


class SplitHeat(Record, frozen=True):
    """Failed decisions of one run, parts by states."""

    name: str
    rows: tuple[SplitRow, ...]


class Split(Record, frozen=True):
    """One source, split one way."""

    words: str
    names: tuple[str, ...]
    rows: tuple[SplitRow, ...]
    """A part each, with a cell for each run of ``names``: J."""
    heats: tuple[SplitHeat, ...]
    """A table a run, with a cell for each state."""


def splits(held: Sequence[tuple[RunScores, SourceScores]], states: Sequence[str]) -> tuple[Split, ...]:
    """The ways in which a source can be split into two parts or more."""
    found = []
    for facet, words in FACETS.items():
        if facet not in ("program", "depth"):
            # Abilities are drawn with the problems they are measured on.
            continue
        groups = _groups([source for _, source in held], facet)
        if len(groups) < 2:
            continue
        by_run = [
            (run.name, {part.value: part for part in source.parts if part.facet == facet}) for run, source in held
        ]
        found.append(
            Split(
                words=words,
                names=tuple(name for name, _ in by_run),
                rows=tuple(
                    SplitRow(value=value, groups=count, cells=tuple(_whole(parts.get(value)) for _, parts in by_run))
                    for value, count in groups.items()
                ),
                heats=tuple(
                    SplitHeat(name=name, rows=tuple(_row(parts[value], states) for value in groups if value in parts))
                    for name, parts in by_run
                ),
            )
        )
    return tuple(found)


def _groups(sources: Sequence[SourceScores], facet: Facet) -> dict[str, int]:
    """Every part with its groups, in the order of the scores; a limited run may lack some."""
    most: dict[str, int] = {}
    for source in sorted(sources, key=lambda source: -source.groups):
        for part in source.parts:
            if part.facet == facet:
                most[part.value] = max(most.get(part.value, 0), part.groups)
    return most


def _whole(part: PartScores | None) -> SplitCell | None:
    figure = part.metrics.get("J") if part else None
    if figure is None:
        return None
    return SplitCell(figure=cell(figure, "J"), step=heat_step(None if figure.value is None else 1 - figure.value))


def _row(part: PartScores, states: Sequence[str]) -> SplitRow:
    cells = tuple(_failed(part.metrics.get(f"E_{state}"), f"E_{state}") for state in states)
    return SplitRow(value=part.value, groups=part.groups, cells=cells)


def _failed(figure: Figure | None, name: str) -> SplitCell | None:
    if figure is None or not figure.denominator:
        return None
    return SplitCell(figure=cell(figure, name), step=heat_step(figure.value))
