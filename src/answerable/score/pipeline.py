"""From runs to scores: read, judge, count, resample, compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from pathlib import Path

import msgspec

from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode, encode_pretty
from answerable.core.errors import InputError, SettingsError
from answerable.core.files import replacing, write_bytes
from answerable.core.records import Group, Record
from answerable.core.runlog import RunFolder
from answerable.core.scores import (
    FORMAT,
    SCORES,
    VERDICT_COLUMNS,
    VERDICTS,
    Figure,
    PairDifference,
    PartScores,
    RunScores,
    Scores,
    SourceScores,
    StateTally,
)
from answerable.score.collect import RunVerdicts, Tick, collect, load_groups, one_split, refuse_incomplete, run_names
from answerable.score.correlations import correlations
from answerable.score.differences import Differences, comparison, second_reader
from answerable.score.judged import judge_counts
from answerable.score.metrics import METRICS, Term, figure_of, measure
from answerable.score.metrics.spec import definitions, exact
from answerable.score.metrics.tubench import asked_of, confusion
from answerable.score.parts import Part, narrowed, parts
from answerable.score.readers import READERS
from answerable.score.resample import DRAWS, SEED, Floats, independent_groups, intervals, resampled, wilson
from answerable.score.stratum import Layout, Stratum, constant_responder, strata_of

#: What a constant responder's figures are given for: its decisions, and whole groups.
BASELINE_METRICS = ("J", "B", "E", "E_A", "E_M", "E_I", "E_balanced", "F1_unanswerable", "ACC2", "OACC")


class Scored(Record, frozen=True):
    """Scores and the verdicts they rest on."""

    scores: Scores
    verdicts: dict[str, list[object]]
    """``VERDICT_COLUMNS``, a row a run, view and repeat."""


class _Measured(Record, frozen=True):
    """One run on one stratum and one list of groups."""

    stratum: Stratum
    terms: dict[str, tuple[Term, ...]]
    draws: dict[str, Floats]
    parts: tuple[tuple[Part, dict[str, tuple[Term, ...]], dict[str, Floats]], ...]
    """Each part of the groups with its own terms and draws."""


def _nothing(_: int) -> None:
    return None


def score_runs(
    benchmark: Benchmark,
    runs: Sequence[RunFolder],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    allow_incomplete: bool = False,
    split: str | None = None,
    reader: str | None = None,
    judged: bool = False,
    against: str | None = None,
    tick: Tick = _nothing,
) -> Scored:
    """Score runs over one benchmark and compare every pair of them.

    Args:
        benchmark: what they were run on.
        runs: in the order of tables.
        draws: bootstrap draws of whole groups.
        seed: of the draws.
        allow_incomplete: count missing replies as failed instead of refusing.
        split: refuse runs of another split.
        reader: name of the reader; the benchmark's own when None.
        judged: let the stored judgements of each run read what the reader could not.
        against: name of a second reader, whose differences are counted and which scores nothing; None for the one that
            stands beside the reader, if any; ``none`` for none.
        tick: called as replies are read.

    Raises:
        RunMismatchError: a run of another benchmark.
        RunError: ``judged``, and a run has no judgements.
        LogError: a damaged log, two replies for a view, a reply for a view that was not asked.
        IncompleteError: replies are missing and ``allow_incomplete`` is False.
        BenchmarkError: the benchmark cannot be scored.
        SettingsError: no runs, runs of different splits, or names that collide.
    """
    if not runs:
        raise SettingsError("at least one run", "none", "RUN")
    if draws < 1 or seed < 0:
        raise SettingsError("draws >= 1 and seed >= 0", f"draws={draws}, seed={seed}", "--draws, --seed")
    split = one_split(runs, split)
    used_reader = READERS.load(reader or benchmark.manifest.reader)
    groups = load_groups(benchmark, split)
    second, strata = second_reader(against, used_reader.name, groups), strata_of(groups)
    source_of = {view: key for key, layout in strata.items() for view in layout.view_ids}
    names = run_names(runs)
    apart = [None if second is None else Differences(name, second, source_of) for name in names]
    read = [
        collect(name, run, benchmark, groups, used_reader, tick, judged=judged, differences=differences)
        for name, run, differences in zip(names, runs, apart, strict=True)
    ]
    if not allow_incomplete:
        refuse_incomplete(read)
    bootstrap = _Bootstrap(read, draws, seed)
    sources = {key: bootstrap.sources(key, layout) for key, layout in strata.items()}
    pairs = [pair for key, layout in strata.items() for pair in bootstrap.pairs(key, layout)]
    used = [measured.stratum for measured in bootstrap.measured.values()]
    scored = tuple(
        _run_scores(run, {key: found[index] for key, found in sources.items() if index in found})
        for index, run in enumerate(read)
    )
    scores = Scores(
        format=FORMAT, benchmark=benchmark.manifest.name, benchmark_fingerprint=benchmark.manifest.fingerprint,
        split=split, draws=draws, seed=seed, reader=f"{used_reader.name} {used_reader.version}",
        rules=used_reader.rules, definitions=definitions(used, METRICS),
        runs=scored, pairs=tuple(pairs), notes=tuple(_notes(read, groups, strata, draws, seed)),
        correlations=correlations(scored), readings=comparison(used_reader, second, apart),
    )  # fmt: skip
    verdicts = {column: list(chain.from_iterable(run.columns[column] for run in read)) for column in VERDICT_COLUMNS}
    return Scored(scores, verdicts)


class _Bootstrap:
    """Measures runs on lists of groups; runs that cover the same groups share their draws."""

    def __init__(self, runs: Sequence[RunVerdicts], draws: int, seed: int) -> None:
        self._runs, self._draws, self._seed = runs, draws, seed
        self._asked = [{group.id for group in run.groups} for run in runs]
        self.measured: dict[tuple[int, str, tuple[str, ...]], _Measured] = {}

    def _measure(self, key: str, layout: Layout, covers: dict[int, tuple[str, ...]], *, with_parts: bool) -> None:
        """Measure runs on the groups named for each; those not measured yet are drawn together by cover."""
        by_cover: dict[tuple[str, ...], list[int]] = {}
        for index, cover in covers.items():
            if cover and (index, key, cover) not in self.measured:
                by_cover.setdefault(cover, []).append(index)
        for cover, members in by_cover.items():
            part = _part(layout, cover)
            strata = [self._runs[index].stratum(part) for index in members]
            terms = [measure(stratum, METRICS) for stratum in strata]
            # Parts are drawn for the runs' own figures; differences of pairs are of whole sources.
            told = parts(part) if with_parts else ()
            narrow = [
                narrowed(shares, some, stratum) for shares, stratum in zip(terms, strata, strict=True) for some in told
            ]
            drawn = resampled([*terms, *narrow], self._draws, self._seed)
            for place, (index, stratum) in enumerate(zip(members, strata, strict=True)):
                own = slice(place * len(told), (place + 1) * len(told))
                split = zip(told, narrow[own], drawn[len(terms) :][own], strict=True)
                self.measured[(index, key, cover)] = _Measured(stratum, terms[place], drawn[place], tuple(split))

    def _cover(self, layout: Layout, *members: int) -> tuple[str, ...]:
        return tuple(group for group in layout.ids if all(group in self._asked[index] for index in members))

    def sources(self, key: str, layout: Layout) -> dict[int, SourceScores]:
        """Scores of every run that was asked any group of the stratum, by place of the run."""
        covers = {index: self._cover(layout, index) for index in range(len(self._runs))}
        self._measure(key, layout, covers, with_parts=True)
        return {
            index: _source_scores(self._runs[index], self.measured[(index, key, cover)])
            for index, cover in covers.items()
            if cover
        }

    def pairs(self, key: str, layout: Layout) -> Iterable[PairDifference]:
        """Every metric of every pair of runs on the groups that both were asked, drawn together."""
        for one, other in combinations(range(len(self._runs)), 2):
            cover = self._cover(layout, one, other)
            if not cover:
                continue
            self._measure(key, layout, {one: cover, other: cover}, with_parts=False)
            yield from self._differences(key, one, other, cover)

    def _differences(self, key: str, one: int, other: int, cover: tuple[str, ...]) -> Iterable[PairDifference]:
        a, b = self.measured[(one, key, cover)], self.measured[(other, key, cover)]
        names = [name for name in a.terms if name in b.terms]
        found = intervals([a.draws[name] - b.draws[name] for name in names])
        for name, interval in zip(names, found, strict=True):
            left, right = exact(a.terms[name]), exact(b.terms[name])
            difference = None if left is None or right is None else left - right
            yield PairDifference(
                source=key, metric=name, a=self._runs[one].name, b=self._runs[other].name,
                value=None if difference is None else difference.numerator / difference.denominator,
                interval=interval,
                excludes_zero=interval is not None and (interval[0] > 0 or interval[1] < 0),
                groups=len(cover),
            )  # fmt: skip


def _part(layout: Layout, cover: tuple[str, ...]) -> Layout:
    if cover == layout.ids:
        return layout
    kept = set(cover)
    return Layout(layout.source, layout.level, [group for group in layout.groups if group.id in kept], layout.states)


def _figures(terms: dict[str, tuple[Term, ...]], draws: dict[str, Floats]) -> dict[str, Figure]:
    names = list(terms)
    found = intervals([draws[name] for name in names])
    figures: dict[str, Figure] = {}
    for name, interval in zip(names, found, strict=True):
        shares = terms[name]
        figure = figure_of(shares)
        score = None
        if figure.value in (0.0, 1.0) and interval is not None and interval[0] == interval[1]:
            trials = independent_groups(shares)
            score = wilson(trials if figure.value == 1.0 else 0, trials)
        figures[name] = msgspec.structs.replace(figure, interval=interval, wilson=score)
    return figures


def _baselines(layout: Layout) -> dict[str, dict[str, Figure]]:
    constant = {"always-answer": True, "always-abstain": False}
    return {
        name: {
            metric: figure_of(terms)
            for metric, terms in measure(constant_responder(layout, answers=answers), METRICS).items()
            if metric in BASELINE_METRICS
        }
        for name, answers in constant.items()
    }


def _confusion(run: RunVerdicts, layout: Layout) -> dict[str, dict[str, int]]:
    views = [view for group in layout.groups for view in group.views]
    if not asked_of(layout.level, views):
        return {}
    readings, answers = run.columns["reading"], run.columns["answer"]
    places = ((view, run.row_of[view.id] * run.repeats + repeat) for view in views for repeat in range(run.repeats))
    return confusion((view, readings[place], answers[place]) for view, place in places)


def _source_scores(run: RunVerdicts, measured: _Measured) -> SourceScores:
    stratum, layout = measured.stratum, measured.stratum.layout
    figures = _figures(measured.terms, measured.draws)
    failed_views = stratum.failed_views()
    first = sum(failed_views[1:])
    present = [state for state in layout.states if layout.in_states((state,)).any()]
    outcomes = stratum.outcome_counts(layout.in_states(layout.states))
    return SourceScores(
        source=layout.source, level=layout.level, groups=len(layout.ids), views=len(layout.view_ids),
        states=tuple(present), metrics=figures, baselines=_baselines(layout),
        tallies=tuple(
            StateTally(
                state=state, views=int(layout.in_states((state,)).sum()), failure=figures[f"E_{state}"],
                outcomes=stratum.outcome_counts(layout.in_states((state,))),
            )
            for state in present
        ),
        failed_views=failed_views, first_failures=first,
        additional_failures=sum(count * groups for count, groups in enumerate(failed_views)) - first,
        losses=stratum.losses(),
        statuses=run.tallied(run.statuses, layout),
        rules=run.tallied(run.rules, layout),
        counts={
            "V": int(stratum.valid.sum()), "I": outcomes["invalid"], "W": int(stratum.disagrees.sum()),
            "missing": outcomes["failed"] + outcomes["not_run"],
        } | (judge_counts(run.tallied(run.rules, layout)) if run.judge_notes else {}),
        parts=tuple(
            PartScores(
                facet=part.facet, value=part.value, groups=int(part.members.sum()),
                views=int(part.members[layout.group_of].sum()), metrics=_figures(terms, draws),
            )
            for part, terms, draws in measured.parts
        ),
        confusion=_confusion(run, layout),
    )  # fmt: skip


def _run_scores(run: RunVerdicts, sources: dict[str, SourceScores]) -> RunScores:
    manifest = run.folder.manifest
    return RunScores(
        name=run.name, model=manifest.model, provider=manifest.provider, prompt=manifest.prompt.name,
        control=manifest.control, repeats=manifest.repeats, expected=int(run.outcomes.size),
        replied=run.replied, failed=run.failed, not_run=run.not_run, sources=sources,
    )  # fmt: skip


def _notes(
    runs: Sequence[RunVerdicts], groups: Sequence[Group], strata: dict[str, Layout], draws: int, seed: int
) -> Iterable[str]:
    yield (
        f"Intervals: 95 % percentile intervals of {draws} bootstrap draws of whole groups (seed {seed}); a rate of"
        " 0 or 1 whose interval has no width also gets a Wilson interval over its groups."
    )
    if len(runs) > 1:
        yield "Differences between runs use the same draws on shared groups; they are not adjusted for their number."
    for run in runs:
        yield from run.judge_notes
        if run.failed or run.not_run:
            yield (
                f"INCOMPLETE {run.name}: {run.failed + run.not_run} of {run.outcomes.size} replies are missing"
                f" ({run.failed} failed, {run.not_run} not run); they count as failed."
            )
        if len(run.groups) < len(groups):
            yield f"LIMITED {run.name}: asked {len(run.groups)} of {len(groups)} groups; its figures cover those only."
        if run.folder.manifest.control != "none":
            yield f"CONTROL {run.name}: {run.folder.manifest.control}; the model did not see the pictures."
        cut = sum(status == "truncated" for status in run.statuses)
        if cut:
            yield f"{run.name}: {cut} replies were cut at the token limit."
    for key, layout in strata.items():
        lacking = layout.unpaired()
        if lacking:
            yield (
                f"INCOMPLETE QUESTIONS {key}: {lacking} of {len(layout.ids)} lack a rotation or a partner in some"
                " setting; they stay in every denominator and count as not right."
            )
    if any(key != layout.source for key, layout in strata.items()):
        yield "Sources that mix levels of evidence are split by level; no figure mixes levels."


def write_scores(folder: Path, scored: Scored) -> None:
    """Write ``scores.json`` and ``verdicts.parquet``, each in one step; the scores last.

    Raises:
        StorageError: the disk refused; the file keeps its old content.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"string": pa.string(), "int32": pa.int32(), "bool": pa.bool_(), "float64": pa.float64()}
    schema = pa.schema([pa.field(name, types[kind]) for name, kind in VERDICT_COLUMNS.items()])
    with replacing(folder / VERDICTS) as path:
        pq.write_table(pa.table(scored.verdicts, schema=schema), path, compression="zstd")
    write_bytes(folder / SCORES, encode_pretty(scored.scores))


def read_scores(folder: Path) -> Scores:
    """Read ``scores.json`` of a scores folder.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    path = folder / SCORES
    if not path.is_file():
        raise InputError(f"a scores folder with {SCORES}", f"{folder}", fix="make one with 'answerable score --out'")
    try:
        scores = decode(path.read_bytes(), Scores)
    except msgspec.MsgspecError as error:
        raise InputError(f"a readable {SCORES}", str(error), where=str(path)) from error
    if scores.format != FORMAT:
        raise InputError(f"format {FORMAT}", f"format={scores.format}", where=str(path))
    return scores
