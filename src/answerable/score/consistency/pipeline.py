"""From runs to ``consistency.json``: read, compare, count, resample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode_pretty
from answerable.core.consistency import (
    ALL,
    CONSISTENCY,
    DETERMINED,
    FORMAT,
    MEASURES,
    ORIGINAL,
    STRUCTURES,
    THRESHOLD,
    TOPIC,
    Consistency,
    Embedding,
    Measure,
    Part,
    RunConsistency,
    SourceConsistency,
    Structure,
    Which,
)
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.core.runlog import RunFolder
from answerable.core.scores import PairDifference
from answerable.score.collect import RunVerdicts, Tick, collect, load_groups, one_split, refuse_incomplete, run_names
from answerable.score.consistency.gallery import EXAMPLES, gallery
from answerable.score.consistency.items import Frame
from answerable.score.consistency.measures import OF_FAILURES, Drawn, Measured, Selection, Values, draw
from answerable.score.consistency.replies import (
    Alike,
    Pairs,
    Replies,
    Texts,
    pairs_of,
    replies_of,
    wanted_of,
)
from answerable.score.consistency.similarity import Similarity
from answerable.score.consistency.text import LONGEST, STRIPPED
from answerable.score.consistency.words import definitions, notes_on
from answerable.score.readers import READERS
from answerable.score.resample import DRAWS, SEED, Floats, intervals
from answerable.score.stratum import Bools, Ints, Layout, strata_of

#: Values of one kind that are split by at most; a kind with more is left out, and a note says so.
MOST_VALUES = 40


class Settings(Record, frozen=True):
    """How runs are compared."""

    draws: int = DRAWS
    seed: int = SEED
    allow_incomplete: bool = False
    """Count missing replies as gaps instead of refusing."""
    split: str | None = None
    reader: str | None = None
    """The benchmark's own when None."""
    published: bool = False
    """A reply is right when it holds the ground truth as any substring."""
    with_original: bool = False
    """Compare originals with their variants."""
    examples: int = EXAMPLES
    """Items of each source in the gallery, at most."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first setting that makes no sense."""
        if self.draws < 1 or self.seed < 0:
            raise SettingsError(
                "draws >= 1 and seed >= 0", f"draws={self.draws}, seed={self.seed}", "--draws, --seed"
            )  # fmt: skip
        if not 0 <= self.examples <= 200:
            raise SettingsError("from 0 to 200 examples", f"examples={self.examples}", "--examples")


class Held(Record, frozen=True):
    """One run on one source."""

    run: int
    level: str
    frame: Frame
    replies: Replies


class _Named(Record, frozen=True):
    """A part before it is measured."""

    facet: str
    value: str
    views: Bools
    touching: bool = False
    """Whether pairs need only one side in the part."""


def _nothing(_: int) -> None:
    return None


def score_consistency(
    benchmark: Benchmark,
    runs: Sequence[RunFolder],
    similarity: Similarity,
    settings: Settings | None = None,
    *,
    tick: Tick = _nothing,
    embedding_tick: Tick = _nothing,
    drawing_tick: Tick = _nothing,
) -> Consistency:
    """How far the replies of runs agree, over variants and over repeats.

    Args:
        benchmark: what they were run on.
        runs: in the order of tables.
        similarity: says how alike two texts are.
        settings: how.
        tick: called as replies are read.
        embedding_tick: called as texts are embedded.
        drawing_tick: called as parts are measured.

    Raises:
        RunMismatchError: a run of another benchmark.
        LogError: a damaged log, two replies for a view, a reply for a view that was not asked.
        IncompleteError: replies are missing and the settings do not allow it.
        BenchmarkError: nothing is varied and nothing repeated, or a variant says its kind in no known form.
        InputError: a text has no usable embedding.
        SettingsError: no runs, runs of different splits, names that collide, or a setting out of range.
    """
    settings = settings or Settings()
    settings.check()
    if not runs:
        raise SettingsError("at least one run", "none", "RUN")
    split = one_split(runs, settings.split)
    reader = READERS.load(settings.reader or benchmark.manifest.reader)
    groups = load_groups(benchmark, split)
    read = [
        collect(name, run, benchmark, groups, reader, tick)
        for name, run in zip(run_names(runs), runs, strict=True)
    ]  # fmt: skip
    if not settings.allow_incomplete:
        refuse_incomplete(read)
    texts = Texts()
    held = {key: list(_held(read, layout, texts, settings)) for key, layout in strata_of(groups).items()}
    held = {key: found for key, found in held.items() if found}
    _refuse_nothing(benchmark, held)
    wanted = [pair for found in held.values() for one in found for pair in wanted_of(one.frame, one.replies)]
    alike = Alike(texts.all, wanted, similarity, embedding_tick)
    forms, measured = texts.forms(), {}
    for key, found in held.items():
        measured[key] = [_Source(one, alike, forms, settings, drawing_tick) for one in found]
    return Consistency(
        format=FORMAT, benchmark=benchmark.manifest.name, benchmark_fingerprint=benchmark.manifest.fingerprint,
        split=split, draws=settings.draws, seed=settings.seed, reader=f"{reader.name} {reader.version}",
        embedding=Embedding(similarity.name, similarity.model, similarity.words), threshold=THRESHOLD,
        published=settings.published, with_original=settings.with_original, stripped=STRIPPED,
        definitions=definitions(published=settings.published),
        runs=tuple(_run(run, index, measured) for index, run in enumerate(read)),
        pairs=tuple(pair for key, found in measured.items() for pair in _differences(key, found, read)),
        gallery=tuple(
            item for key, found in held.items() for item in gallery(key, found, read, alike, settings.examples)
        ),
        notes=tuple(notes_on(read, texts.cut, LONGEST, settings.draws, settings.seed, _left_out(measured))),
    )  # fmt: skip


def _held(
    read: Sequence[RunVerdicts], layout: Layout, texts: Texts, settings: Settings
) -> Iterator[Held]:  # fmt: skip
    frames: dict[tuple[str, ...], Frame] = {}
    for place, run in enumerate(read):
        asked = {group.id for group in run.groups}
        cover = tuple(name for name in layout.ids if name in asked)
        if not cover:
            continue
        if cover not in frames:
            kept = [group for group in layout.groups if group.id in asked]
            frames[cover] = Frame(kept, with_original=settings.with_original)
        frame = frames[cover]
        if frame.varied or run.repeats > 1:
            yield Held(place, layout.level, frame, replies_of(run, frame, texts, published=settings.published))


def _refuse_nothing(benchmark: Benchmark, held: dict[str, list[Held]]) -> None:
    if not held:
        raise BenchmarkError(
            "variants of questions (topic rephrase, restyle or occlude), or a run with several repeats", "neither",
            where=str(benchmark.path),
            fix="build variants, or ask the same views several times: answerable run --repeats 4 --temperature 0.7",
        )  # fmt: skip


class _Source:
    """One run on one source, measured part by part."""

    def __init__(self, held: Held, alike: Alike, forms: Ints, settings: Settings, tick: Callable[[int], None]) -> None:
        self.held, self.frame, self.replies = held, held.frame, held.replies
        self.left_out: list[str] = []
        truth = alike.of(self.replies.text, self.replies.truth)
        keys: list[tuple[str, str, Structure, Which]] = []
        values: list[dict[str, Values]] = []
        counts = []
        for structure in STRUCTURES:
            if not (self.replies.repeats > 1 if structure == "sampling" else self.frame.varied):
                continue
            pairs = pairs_of(self.frame, self.replies, alike, structure)
            measured = Measured(self.frame, self.replies, pairs, truth, forms, structure)
            for named in self._named(structure):
                for which in self._which(named):
                    chosen = self._selection(named, pairs, which)
                    found = measured.values(chosen)
                    keys.append((named.facet, named.value, structure, which))
                    values.append(found if which == "every" else {name: found[name] for name in OF_FAILURES})
                    counts.append(measured.counts(chosen))
        drawn = draw(self.frame, values, settings.draws, settings.seed, tick)
        self.parts = tuple(
            Part(facet, value, structure, which, count, _ordered(one))
            for (facet, value, structure, which), count, one in zip(keys, counts, drawn, strict=True)
        )
        self.draws: dict[Structure, dict[str, Floats]] = {
            structure: one.draws
            for (facet, _, structure, which), one in zip(keys, drawn, strict=True)
            if facet == ALL and which == "every"
        }

    @staticmethod
    def _which(named: _Named) -> tuple[Which, ...]:
        return ("every",) if named.touching or named.facet == ORIGINAL else ("every", "failures")

    def _named(self, structure: Structure) -> Iterator[_Named]:
        frame = self.frame
        every = frame.sampled if structure == "sampling" else frame.compared
        yield _Named(ALL, "", every)
        if frame.original.any():
            yield _Named(ORIGINAL, "", frame.original)
        for name, views in frame.variations.items():
            yield _Named(TOPIC, name, views)
        for words, views in frame.determined.items():
            yield _Named(DETERMINED, words, views & every)
        for name, split in frame.kinds.items():
            if len(split) > MOST_VALUES:
                self.left_out.append(name)
                continue
            for value, views in split.items():
                yield _Named(name, value, views, touching=True)

    def _selection(self, named: _Named, pairs: Pairs, which: Which) -> Selection:
        replies = self.replies.of_views(named.views)
        if which == "failures":
            replies = replies & (self.replies.right == 0) & (self.replies.text >= 0)
        left, right = replies[pairs.left], replies[pairs.right]
        if not named.touching:
            return Selection(replies, left & right)
        among = self.replies.of_views(self.frame.compared)
        either = (left | right) & among[pairs.left] & among[pairs.right]
        return Selection(replies, either, left & right)

    def scores(self) -> SourceConsistency:
        """The record."""
        frame = self.frame
        return SourceConsistency(
            source=frame.groups[0].source, level=self.held.level, groups=len(frame.groups), items=len(frame.items),
            parts=self.parts,
        )  # fmt: skip


def _ordered(drawn: Drawn) -> dict[str, Measure]:
    names = (*(name for name in MEASURES if name in drawn.measures), *drawn.measures)
    return {name: drawn.measures[name] for name in dict.fromkeys(names)}


def _run(run: RunVerdicts, place: int, measured: dict[str, list[_Source]]) -> RunConsistency:
    manifest = run.folder.manifest
    return RunConsistency(
        name=run.name, model=manifest.model, provider=manifest.provider, prompt=manifest.prompt.name,
        control=manifest.control, temperature=manifest.sampling.temperature, repeats=manifest.repeats,
        expected=int(run.outcomes.size), replied=run.replied, failed=run.failed, not_run=run.not_run,
        sources={key: one.scores() for key, found in measured.items() for one in found if one.held.run == place},
    )  # fmt: skip


def _differences(key: str, found: Sequence[_Source], read: Sequence[RunVerdicts]) -> Iterator[PairDifference]:
    """Every measure of every two runs that were asked the same groups, over all variants, in the same draws."""
    for one, other in combinations(found, 2):
        if one.frame is not other.frame or "variants" not in one.draws:
            continue
        a, b = one.draws["variants"], other.draws["variants"]
        points = [source.scores().part() for source in (one, other)]
        if points[0] is None or points[1] is None:
            continue
        names = [name for name in points[0].measures if name in points[1].measures]
        for name, interval in zip(names, intervals([a[name] - b[name] for name in names]), strict=True):
            left, right = points[0].measures[name].value, points[1].measures[name].value
            yield PairDifference(
                source=key, metric=name, a=read[one.held.run].name, b=read[other.held.run].name,
                value=None if left is None or right is None else left - right, interval=interval,
                excludes_zero=interval is not None and (interval[0] > 0 or interval[1] < 0),
                groups=len(one.frame.groups),
            )  # fmt: skip


def _left_out(measured: dict[str, list[_Source]]) -> Iterable[str]:
    return dict.fromkeys(name for found in measured.values() for one in found for name in one.left_out)


def write_consistency(folder: Path, found: Consistency) -> Path:
    """Write ``consistency.json`` in one step.

    Raises:
        StorageError: the disk refused; the file keeps its old content.
    """
    path = folder / CONSISTENCY
    write_bytes(path, encode_pretty(found))
    return path
