"""The tables of ``answerable consistency``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from answerable.core.consistency import ALL, DETERMINED, FACETS, MEASURES, ORIGINAL, TOPIC

if TYPE_CHECKING:
    from answerable.core.consistency import Consistency, Measure, Part

#: Two tables, so that each fits a terminal.
_MAIN = ("Acc", "S_GT", "Con", "S_C", "O_all")
_BESIDE = ("Con_strict", "Con_whole", "S_worst", "distinct")
_FAILED = ("S_GT", "Con", "S_C", "S_worst", "distinct")
_KIND = ("Acc", "S_GT", "Con", "S_C", "Con_within", "S_C_within")
#: A run, its source, and a part of it.
_Row = tuple[str, str, "Part"]


def print_consistency(found: Consistency) -> None:
    """Everything a reader needs of ``consistency.json``, as tables and notes."""
    from answerable.cli.console import out

    words = "" if found.with_original else ", originals apart"
    _print("over variants and over repeats" + words, found, (ALL, ORIGINAL), _MAIN)
    _print("agreement at its worst, and over whole items", found, (ALL,), _BESIDE)
    _print("by variation", found, (TOPIC,), _MAIN)
    _print("whether the picture determines the answer", found, (DETERMINED,), ("Acc", *_MAIN[2:4], *_BESIDE[1:]))
    for name in _kinds(found):
        _print_kind(found, name)
    _print("failure cases: wrong answers only", found, (ALL, TOPIC), _FAILED, which="failures")
    _print_temperatures(found)
    _print_counts(found)
    out("w: Wilson interval over groups, where the bootstrap interval of a share of 0 or 1 has no width")
    out(f"similarity: {found.embedding.words} ({found.embedding.model[:16] or 'no model'})")
    if _strips(found):
        out(f"taken out of replies to {', '.join(found.stripped.variations)} before they are compared:")
        out(f"  phrases: {', '.join(found.stripped.phrases)}")
        out(f"  words: {', '.join(found.stripped.words)}")
    if found.published:
        out("published: a reply is right when it holds the ground truth as any substring")
    for note in found.notes:
        out(note)


def _rows(found: Consistency, facets: tuple[str, ...], which: str = "every") -> Iterator[_Row]:
    for run in found.runs:
        for name, source in run.sources.items():
            for part in source.parts:
                if part.facet in facets and part.which == which:
                    yield run.name, name, part


def _print(
    heading: str, found: Consistency, facets: tuple[str, ...], columns: tuple[str, ...], which: str = "every"
) -> None:
    """A row a run, source and part; nothing where there is no such part."""
    from answerable.cli.console import table

    rows = [
        [run, source, part.value or part.facet, part.structure, str(part.counts.items)]
        + [cell(part.measures.get(name), name) for name in columns]
        for run, source, part in _rows(found, facets, which)
        if part.counts.items
    ]
    if rows:
        table(f"{heading}: {_title(found)}", ["run", "source", "part", "over", "items", *columns], rows)


def _print_kind(found: Consistency, name: str) -> None:
    """A row a run, source and value, over variants; pairs with both sides only where an item has some."""
    from answerable.cli.console import table

    rows = [row for row in _rows(found, (name,)) if row[2].structure == "variants"]
    both = any(part.measures["Con_within"].value is not None for _, _, part in rows)
    columns = _KIND if both else _KIND[:4]
    heading = f"by {name}, pairs with one side there" + (" (within: both)" if both else "")
    shown = [
        [run, source, part.value, str(part.counts.items)] + [cell(part.measures.get(name), name) for name in columns]
        for run, source, part in rows
    ]
    if shown:
        table(f"{heading}: {_title(found)}", ["run", "source", name, "items", *columns], shown)


def _title(found: Consistency) -> str:
    missing = sum(run.failed + run.not_run for run in found.runs)
    text = f"{found.benchmark}, split {found.split}, {found.embedding.name}: per cent [95 % interval]"
    return f"{text}; INCOMPLETE: {missing} replies are missing" if missing else text


def cell(measure: Measure | None, name: str) -> str:
    """``57.0 [54.0, 60.1]``, in per cent but for numbers of answers; ``-`` where there is none."""
    if measure is None:
        return "-"
    if measure.value is None:
        return "undefined"
    scale, digits = (1, 2) if name == MEASURES[-1] else (100, 1)
    bounds = measure.wilson or measure.interval
    text = f"{scale * measure.value:.{digits}f}"
    if bounds is None:
        return text
    mark = "w" if measure.wilson else ""
    return f"{text} [{scale * bounds[0]:.{digits}f}, {scale * bounds[1]:.{digits}f}]{mark}"


def _kinds(found: Consistency) -> list[str]:
    facets = (part.facet for run in found.runs for source in run.sources.values() for part in source.parts)
    return [facet for facet in dict.fromkeys(facets) if facet not in FACETS]


def _strips(found: Consistency) -> bool:
    return any(part.value in found.stripped.variations for _, _, part in _rows(found, (TOPIC,)))


def _print_temperatures(found: Consistency) -> None:
    """Runs of one model at several temperatures, side by side."""
    from answerable.cli.console import table

    by_model: dict[str, set[float | None]] = {}
    for run in found.runs:
        by_model.setdefault(run.model, set()).add(run.temperature)
    several = {model for model, values in by_model.items() if len(values) > 1}
    ordered = sorted(found.runs, key=lambda run: (run.model, run.temperature is None, run.temperature or 0.0))
    rows = [
        [run.model, "not sent" if run.temperature is None else f"{run.temperature:g}", name, part.structure]
        + [cell(part.measures.get(measure), measure) for measure in _MAIN]
        for run in ordered
        if run.model in several
        for name, source in run.sources.items()
        for part in source.parts
        if part.facet == ALL and part.which == "every"
    ]
    if rows:
        table(f"by temperature: {_title(found)}", ["model", "temperature", "source", "over", *_MAIN], rows)


def _print_counts(found: Consistency) -> None:
    """What the figures rest on, and what is undefined."""
    from answerable.cli.console import table

    rows = [
        [
            run, source, part.structure, str(part.counts.replies), str(part.counts.read), str(part.counts.abstained),
            ", ".join(f"{why}: {count}" for why, count in part.counts.gaps.items()) or "-", str(part.counts.pairs),
            str(part.counts.undefined_pairs), str(part.counts.items_without_pairs),
        ]
        for run, source, part in _rows(found, (ALL,))
    ]  # fmt: skip
    heads = ["run", "source", "over", "replies", "compared", "abstained", "gaps", "pairs", "undefined"]
    table("counts", [*heads, "items without pairs"], rows)
