"""The section of a report drawn from ``consistency.json`` of ``answerable consistency``; every number is the file's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode
from answerable.core.consistency import (
    ALL,
    DETERMINED,
    FACETS,
    FORMAT,
    ORIGINAL,
    TOPIC,
    VARIATIONS,
    Consistency,
    Measure,
    Part,
    RunConsistency,
    SourceConsistency,
    headline,
)
from answerable.core.errors import FingerprintError, InputError
from answerable.core.records import Record
from answerable.report.cells import Cell
from answerable.report.comparisons import ComparedItem, compared_items
from answerable.report.plots.dots import Dot, Dots
from answerable.report.plots.scatter import Point, Scatter
from answerable.report.words import interval_text, percent

#: Of the file.
MAX_BYTES = 1 << 26
#: Runs that plots by kind draw at most.
MOST_RUNS = 6
#: Measures of each table.
MAIN = ("Acc", "S_GT", "Con", "S_C", "O_all", "Con_strict", "Con_whole", "S_worst", "distinct")
FAILED = ("S_GT", "Con", "S_C", "S_worst", "distinct")
_DRAWN = ("Con", "Acc")
_STRUCTURE_WORDS = {"variants": "variants", "sampling": "repeats of one input"}


class Row(Record, frozen=True):
    """One line of a table."""

    run: str
    part: str
    over: str
    items: int
    cells: tuple[Cell | None, ...]
    """In the order of the table's measures."""
    notes: tuple[str, ...] = ()


class Table(Record, frozen=True):
    """Some parts of every run."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class ConsistentSource(Record, frozen=True):
    """Everything drawn about one source."""

    key: str
    level: str
    items: int
    tables: tuple[Table, ...]
    scatter: Scatter
    multiples: tuple[Dots, ...]
    counts: tuple[tuple[str, str, str], ...]
    """Run, what is counted over, and the counts in words."""
    items_shown: tuple[ComparedItem, ...]


class ConsistencyPart(Record, frozen=True):
    """The section."""

    similarity: str
    model: str
    threshold: str
    published: bool
    with_original: bool
    runs: tuple[str, ...]
    stripped_from: str
    """Variations; empty where nothing was taken out."""
    phrases: tuple[str, ...]
    words: tuple[str, ...]
    definitions: dict[str, str]
    sources: tuple[ConsistentSource, ...]
    notes: tuple[str, ...]


def load_consistency(path: Path, benchmark: Benchmark) -> ConsistencyPart:
    """The section of a file.

    Args:
        path: ``consistency.json``.
        benchmark: the benchmark that is reported, for its pictures.

    Raises:
        InputError: it cannot be read, or does not fit together.
        FingerprintError: it is of another benchmark, or a picture is not the one that was built.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"a file of at most {MAX_BYTES} bytes", str(path.stat().st_size), where=str(path))
        found = decode(path.read_bytes(), Consistency)
    except OSError as error:
        raise InputError(
            "consistency.json", error.strerror or str(error), where=str(path),
            fix="make one with 'answerable consistency RUN --embedder NAME --out FOLDER'",
        ) from error  # fmt: skip
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError("a readable consistency.json", str(error)[:120], where=str(path)) from error
    if found.format != FORMAT:
        raise InputError(f"format {FORMAT}", f"format={found.format}", where=str(path))
    if found.benchmark_fingerprint != benchmark.manifest.fingerprint:
        raise FingerprintError(
            f"consistency on this benchmark (fingerprint={benchmark.manifest.fingerprint[:16]}...)",
            f"on one of fingerprint={found.benchmark_fingerprint[:16]}...", where=str(path),
            fix="name the consistency.json that was measured on it: --consistency FILE",
        )  # fmt: skip
    return consistency_part(found, compared_items(found.gallery, benchmark, str(path)))


def consistency_part(found: Consistency, items: Sequence[ComparedItem]) -> ConsistencyPart:
    """The section, with the items of its gallery."""
    keys = dict.fromkeys(key for run in found.runs for key in run.sources)
    strips = any(part.value in found.stripped.variations for _, part in _parts(found.runs, (TOPIC,)))
    return ConsistencyPart(
        similarity=found.embedding.words, model=found.embedding.model, threshold=f"{found.threshold:g}",
        published=found.published, with_original=found.with_original, runs=tuple(run.name for run in found.runs),
        stripped_from=", ".join(found.stripped.variations) if strips else "",
        phrases=found.stripped.phrases, words=found.stripped.words, definitions=found.definitions,
        sources=tuple(_source(found, key, items) for key in keys), notes=found.notes,
    )  # fmt: skip


def measure_cell(measure: Measure | None, name: str) -> Cell | None:
    """A measure as it is printed: in per cent, but for numbers of answers."""
    if measure is None:
        return None
    bounds = measure.wilson or measure.interval
    if name == "distinct":
        text = "–" if measure.value is None else f"{measure.value:.2f}"
        interval = "" if bounds is None else f"{bounds[0]:.2f}–{bounds[1]:.2f}"
    else:
        text, interval = percent(measure.value), interval_text(bounds)
    note = f"{name} = {text}, mean over {measure.denominator} items" if name != "O_all" else f"{name} = {text}"
    if measure.value is None:
        note = f"{name} is undefined: no item has it"
    return Cell(
        text=text, interval=interval, counts=str(measure.denominator), note=note, value=measure.value,
        low=bounds[0] if bounds else None, high=bounds[1] if bounds else None,
    )  # fmt: skip


def _parts(runs: Sequence[RunConsistency], facets: Sequence[str]) -> Iterator[tuple[str, Part]]:
    for run in runs:
        for source in run.sources.values():
            yield from ((run.name, part) for part in source.parts if part.facet in facets)


def _held(found: Consistency, key: str) -> list[tuple[RunConsistency, SourceConsistency]]:
    return [(run, run.sources[key]) for run in found.runs if key in run.sources]


def _source(found: Consistency, key: str, items: Sequence[ComparedItem]) -> ConsistentSource:
    held = _held(found, key)
    first = held[0][1]
    tables = (
        _table("Over variants and over repeats", held, (ALL, ORIGINAL), MAIN),
        _table("By variation", held, (TOPIC,), MAIN),
        _table("Whether the picture determines the answer", held, (DETERMINED,), MAIN),
        _table("Failure cases: wrong answers only", held, (ALL, TOPIC), FAILED, which="failures"),
        _temperatures(held),
    )
    return ConsistentSource(
        key=key, level=first.level, items=max(source.items for _, source in held),
        tables=tuple(table for table in tables if table.rows), scatter=_scatter(key, held),
        multiples=tuple(_multiples(key, held)), counts=tuple(_counts(held)),
        items_shown=tuple(item for item in items if item.source == key),
    )  # fmt: skip


def _table(
    heading: str, held: Sequence[tuple[RunConsistency, SourceConsistency]], facets: Sequence[str],
    columns: tuple[str, ...], which: str = "every",
) -> Table:  # fmt: skip
    rows = tuple(
        _row(run, part, columns)
        for run, source in held
        for part in source.parts
        if part.facet in facets and part.which == which and part.counts.items
    )
    return Table(heading, columns, rows)


def _row(run: RunConsistency, part: Part, columns: tuple[str, ...], name: str = "") -> Row:
    words = {ALL: "all", ORIGINAL: "originals"}.get(part.facet, part.value)
    notes = () if run.replied == run.expected else (f"incomplete: {run.replied} of {run.expected} replies",)
    return Row(
        run=name or run.name, part=words, over=_STRUCTURE_WORDS[part.structure], items=part.counts.items,
        cells=tuple(measure_cell(part.measures.get(column), column) for column in columns), notes=notes,
    )  # fmt: skip


def _temperatures(held: Sequence[tuple[RunConsistency, SourceConsistency]]) -> Table:
    """Runs of one model at several temperatures, in their order; no rows where there are none."""
    known: dict[str, set[float | None]] = {}
    for run, _ in held:
        known.setdefault(run.model, set()).add(run.temperature)
    ordered = sorted(held, key=lambda pair: (pair[0].model, pair[0].temperature is None, pair[0].temperature or 0.0))
    rows = tuple(
        _row(run, part, MAIN, f"{run.model} at {'its default' if run.temperature is None else f'{run.temperature:g}'}")
        for run, source in ordered
        if len(known[run.model]) > 1
        for part in source.parts
        if part.facet == ALL and part.which == "every"
    )
    return Table("By temperature", MAIN, rows)


def _scatter(key: str, held: Sequence[tuple[RunConsistency, SourceConsistency]]) -> Scatter:
    """A point a run and variation, over variants; over repeats where nothing is varied."""
    points: list[Point] = []
    shapes: dict[str, int] = {}
    for number, (run, source) in enumerate(held):
        told = [part for part in source.parts if part.facet == TOPIC and part.structure == "variants"]
        told = told or [part for part in source.parts if part.facet == ALL]
        for part in told:
            place = headline(part.measures)
            if part.which != "every" or place is None:
                continue
            name = VARIATIONS.get(part.value, "repeats of one input")
            shape = shapes.setdefault(name, len(shapes))
            right, alike = place
            words = f"{run.name}, {name}: consistency {percent(alike)}, correctness {percent(right)}"
            points.append(Point(run=number, shape=shape, consistency=alike, correctness=right, words=words))
    return Scatter(key, tuple(points), tuple(run.name for run, _ in held), tuple(shapes))


def _multiples(key: str, held: Sequence[tuple[RunConsistency, SourceConsistency]]) -> Iterator[Dots]:
    kinds = dict.fromkeys(part.facet for _, source in held for part in source.parts if part.facet not in FACETS)
    for kind in kinds:
        values = dict.fromkeys(
            part.value for _, source in held for part in source.parts if part.facet == kind
        )  # fmt: skip
        for measure in _DRAWN:
            rows = tuple(
                (value, tuple(_dot(number, run, source.part(kind, value), measure) for number, (run, source) in some))
                for value in values
                for some in [list(enumerate(held))[:MOST_RUNS]]
            )
            yield Dots(source=key, kind=kind, measure=measure, rows=rows)


def _dot(number: int, run: RunConsistency, part: Part | None, measure: str) -> Dot:
    cell = None if part is None else measure_cell(part.measures.get(measure), measure)
    if cell is None:
        return Dot(run=number, value=None, low=None, high=None, words=f"{run.name}: not measured")
    return Dot(run=number, value=cell.value, low=cell.low, high=cell.high, words=f"{run.name}: {cell.note}")


def _counts(held: Sequence[tuple[RunConsistency, SourceConsistency]]) -> Iterator[tuple[str, str, str]]:
    for run, source in held:
        for part in source.parts:
            if part.facet != ALL or part.which != "every":
                continue
            counts = part.counts
            gaps = "".join(f", {why}: {count:,}" for why, count in counts.gaps.items())
            words = (
                f"{counts.replies:,} replies: {counts.read:,} compared, {counts.abstained:,} abstained{gaps};"
                f" {counts.pairs:,} pairs, {counts.undefined_pairs:,} of them undefined;"
                f" {counts.items_without_pairs:,} of {counts.items:,} items without a pair"
            )
            yield run.name, _STRUCTURE_WORDS[part.structure], words
