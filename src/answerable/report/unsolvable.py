"""What a report draws of unsolvable problem detection: table 1's form, standard against unsolvable, and abilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from answerable.core.records import SETTINGS, Record
from answerable.core.scores import Figure, PartScores, RunScores, Scores, SourceScores
from answerable.report.cells import Cell, cell, heat_step
from answerable.report.splits import SplitCell, SplitRow

#: Runs that one radar draws at most: more lines than this cannot be told apart.
MOST_LINES = 6


class Column(Record, frozen=True):
    """One column of the table: a metric on a source."""

    source: str
    metric: str
    words: str
    """``original``, or the setting whose Dual it is."""


class DualRow(Record, frozen=True):
    """One run, or one published model."""

    name: str
    cells: tuple[Cell | None, ...]
    published: bool


class DualTable(Record, frozen=True):
    """Original Standard and Dual of every source and setting; a row a run."""

    sources: tuple[tuple[str, int], ...]
    """Each source and how many columns it has."""
    columns: tuple[Column, ...]
    rows: tuple[DualRow, ...]


class Against(Record, frozen=True):
    """Standard and unsolvable form in one setting of one run."""

    name: str
    setting: str
    standard: Cell
    upd: Cell
    dual: Cell


class Line(Record, frozen=True):
    """One run of a radar: a value an axis, None where undefined."""

    name: str
    values: tuple[float | None, ...]


class Radar(Record, frozen=True):
    """Dual by ability in one setting."""

    setting: str
    axes: tuple[str, ...]
    lines: tuple[Line, ...]
    left_out: int
    """Runs that are not drawn: they are in the heat map."""


class AbilityHeat(Record, frozen=True):
    """Dual by ability (rows) and run (columns) in one setting."""

    setting: str
    names: tuple[str, ...]
    rows: tuple[SplitRow, ...]


class Probe(Record, frozen=True):
    """One run that was told the answer: is it seeing that fails, or refusing?"""

    name: str
    option: Cell
    given: Cell
    vision: Cell
    language: Cell


class UpdPart(Record, frozen=True):
    """One source."""

    source: str
    probes: tuple[Probe, ...]
    against: tuple[Against, ...]
    radars: tuple[Radar, ...]
    heats: tuple[AbilityHeat, ...]


class PublishedRow(Record, frozen=True):
    """A model of a published table: values by problem and setting, in per cent as printed."""

    name: str
    values: dict[str, str]
    """``AAD original``, ``AAD base`` ... -> ``74.4``."""


def dual_table(scores: Scores, beside: Iterable[PublishedRow] = ()) -> DualTable | None:
    """The table over all sources that have unsolvable questions; None where there is none."""
    columns = _columns(scores)
    if not columns:
        return None
    rows = [
        DualRow(name=run.name, published=False, cells=tuple(_cell(run, column) for column in columns))
        for run in scores.runs
    ]
    rows += [
        DualRow(name=row.name, published=True, cells=tuple(_printed(row, column) for column in columns))
        for row in beside
    ]
    counts: dict[str, int] = {}
    for column in columns:
        counts[column.source] = counts.get(column.source, 0) + 1
    return DualTable(sources=tuple(counts.items()), columns=columns, rows=tuple(rows))


def _columns(scores: Scores) -> tuple[Column, ...]:
    found: dict[tuple[str, str], Column] = {}
    for run in scores.runs:
        for source, measured in run.sources.items():
            duals = [f"Dual_{setting}" for setting in SETTINGS if f"Dual_{setting}" in measured.metrics]
            names = (["Original"] if duals and "Original" in measured.metrics else []) + duals
            for name in names:
                words = "original" if name == "Original" else name.partition("_")[2]
                found.setdefault((source, name), Column(source=source, metric=name, words=words))
    order = {source: place for place, source in enumerate(sorted({source for source, _ in found}))}
    return tuple(sorted(found.values(), key=lambda column: (order[column.source], _setting_place(column.words))))


def _setting_place(words: str) -> int:
    return next((place for place, name in enumerate(SETTINGS) if name == words != "original"), -1)


def _cell(run: RunScores, column: Column) -> Cell | None:
    source = run.sources.get(column.source)
    figure = source.metrics.get(column.metric) if source else None
    return None if figure is None else cell(figure, column.metric)


def _printed(row: PublishedRow, column: Column) -> Cell | None:
    """A printed figure of the problem that the source's name ends with; no count stands behind it."""
    problem = column.source.partition(" [")[0].rpartition("-")[2].upper()
    text = row.values.get(f"{problem} {column.words}")
    if text is None:
        return None
    shown = f"{text}\u202f%"
    note = f"{column.metric} = {shown}, as published"
    return Cell(text=shown, interval="", counts="", note=note, value=float(text) / 100, low=None, high=None)


def upd_parts(scores: Scores) -> tuple[UpdPart, ...]:
    """One part for each source that has unsolvable questions."""
    sources = dict.fromkeys(column.source for column in _columns(scores))
    return tuple(
        _part(source, [(run, run.sources[source]) for run in scores.runs if source in run.sources])
        for source in sources
    )


def _part(source: str, held: Sequence[tuple[RunScores, SourceScores]]) -> UpdPart:
    settings = [name for name in SETTINGS if any(f"Dual_{name}" in scored.metrics for _, scored in held)]
    abilities = list(
        dict.fromkeys(part.value for _, scored in held for part in scored.parts if part.facet == "ability")
    )
    by_run = [
        (run.name, {part.value: part for part in scored.parts if part.facet == "ability"}) for run, scored in held
    ]
    heats = tuple(_heat(setting, abilities, by_run) for setting in settings) if len(abilities) > 1 else ()
    radars = tuple(_radar(setting, abilities, by_run) for setting in settings) if len(abilities) > 2 else ()
    return UpdPart(
        source=source,
        probes=tuple(
            Probe(
                name=run.name, option=cell(scored.metrics["UPD_option"], "UPD_option"),
                given=cell(scored.metrics["UPD_given"], "UPD_given"),
                vision=cell(scored.metrics["Vision_bottleneck"], "Vision_bottleneck"),
                language=cell(scored.metrics["Language_bottleneck"], "Language_bottleneck"),
            )
            for run, scored in held
            if "Vision_bottleneck" in scored.metrics
        ),
        against=tuple(
            Against(
                name=run.name, setting=setting, standard=cell(scored.metrics[f"Standard_{setting}"], "Standard"),
                upd=cell(scored.metrics[f"UPD_{setting}"], "UPD"), dual=cell(scored.metrics[f"Dual_{setting}"], "Dual"),
            )
            for setting in settings
            for run, scored in held
            if f"Dual_{setting}" in scored.metrics
        ),
        heats=heats,
        radars=radars,
    )  # fmt: skip


def _dual(parts: dict[str, PartScores], ability: str, setting: str) -> Figure | None:
    part = parts.get(ability)
    return part.metrics.get(f"Dual_{setting}") if part else None


def _heat(setting: str, abilities: Sequence[str], by_run: Sequence[tuple[str, dict[str, PartScores]]]) -> AbilityHeat:
    def drawn(figure: Figure | None) -> SplitCell | None:
        if figure is None or figure.value is None:
            return None
        return SplitCell(figure=cell(figure, f"Dual_{setting}"), step=heat_step(1 - figure.value))

    rows = tuple(
        SplitRow(
            value=ability,
            groups=max(parts[ability].groups for _, parts in by_run if ability in parts),
            cells=tuple(drawn(_dual(parts, ability, setting)) for _, parts in by_run),
        )
        for ability in abilities
    )
    return AbilityHeat(setting=setting, names=tuple(name for name, _ in by_run), rows=rows)


def _radar(setting: str, abilities: Sequence[str], by_run: Sequence[tuple[str, dict[str, PartScores]]]) -> Radar:
    def value(figure: Figure | None) -> float | None:
        return None if figure is None else figure.value

    lines = tuple(
        Line(name=name, values=tuple(value(_dual(parts, ability, setting)) for ability in abilities))
        for name, parts in by_run[:MOST_LINES]
    )
    return Radar(setting=setting, axes=tuple(abilities), lines=lines, left_out=max(0, len(by_run) - MOST_LINES))
