"""What the tables and plots of a report draw, as frozen records made from ``scores.json``.

Nothing is computed here that a scores file does not hold: numbers are picked, ordered and worded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from answerable.core.codec import decode
from answerable.core.errors import InputError
from answerable.core.records import STATES, Record
from answerable.core.scores import FORMAT, LOSSES, SCORES, RunScores, Scores, SourceScores
from answerable.report.cells import Cell, cell, heat_step, maybe_cell
from answerable.report.splits import Split, splits
from answerable.report.words import LOSS_WORDS, difference_text, interval_text, percent, shown_interval

#: Columns of the headline table after ``J``, ``B`` and the ``J_k``, ``B_k`` a source has.
_ERRORS = ("E", "E_A", "E_M", "E_I", "E_K", "A", "F1_unanswerable", "ACC2", "OACC")
_COUNTED = re.compile(r"([JB])_(\d+)", re.ASCII)
#: Outcomes a reply cannot be blamed or praised for by its content; counted beside the metrics.
_UNREAD = ("invalid", "failed", "not_run")


#: Differences that a page draws at most, over all metrics; past this it draws those of the first metric, J.
MOST_DIFFERENCES = 5000


class Row(Record, frozen=True):
    """One line of a table of metrics."""

    run: int
    """Position of the run in the scores; -1 for a constant responder."""
    name: str
    model: str
    notes: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    """In the order of the columns; None where the run has no such metric."""
    unread: tuple[int, ...]
    """Views invalid, failed and not run; empty for a constant responder."""


class SourceTable(Record, frozen=True):
    """The headline table of one source."""

    source: str
    """Its key in the scores: names the level too where a source mixes levels."""
    origin: str
    """The source as views name it."""
    level: str
    groups: int
    views: int
    states: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    """Runs by falling J; those where it is undefined last."""
    baselines: tuple[Row, ...]


class Part(Record, frozen=True):
    """One segment of a stacked bar."""

    kind: str
    words: str
    count: int


class LossBar(Record, frozen=True):
    """What became of a run's groups; the parts add up to ``groups``."""

    name: str
    groups: int
    parts: tuple[Part, ...]


class HeatCell(Record, frozen=True):
    """Failed decisions of one run in one state."""

    run: int
    state: str
    figure: Cell
    failed: int
    views: int
    step: int
    """0 (none failed) to 10 (all failed)."""


class HeatRow(Record, frozen=True):
    """One run of a heat map; None where the run has no view of that state."""

    name: str
    cells: tuple[HeatCell | None, ...]


class Histogram(Record, frozen=True):
    """Groups by the number of their views that failed."""

    name: str
    counts: tuple[int, ...]
    first: int
    additional: int


class Difference(Record, frozen=True):
    """One line of a forest plot."""

    a: str
    b: str
    value: float
    low: float
    high: float
    excludes_zero: bool
    text: str
    groups: int


class Forest(Record, frozen=True):
    """All paired differences of one headline metric on one source."""

    source: str
    metric: str
    rows: tuple[Difference, ...]
    undefined: int
    """Pairs without a difference (no shared group, or a metric one of them lacks)."""
    limit: float
    """The axis runs from minus this to plus this."""


class Tally(Record, frozen=True):
    """How often each word of a list came, by run."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


class Confusion(Record, frozen=True):
    """One run: what was right (rows) against what was read (columns)."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


class SourcePart(Record, frozen=True):
    """Everything drawn about one source."""

    key: str
    table: SourceTable
    every: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    """Every metric of the scores: its name and a cell for each run of ``names``."""
    names: tuple[str, ...]
    losses: tuple[LossBar, ...]
    heat: tuple[HeatRow, ...]
    splits: tuple[Split, ...]
    """By program family and depth, where there are several."""
    histograms: tuple[Histogram, ...]
    statuses: Tally
    rules: Tally
    confusions: tuple[Confusion, ...]
    """What replies were read as, by what was right; only where a source is scored so."""
    forests: tuple[Forest, ...]
    sentence: str
    """The result in one sentence."""


def load_scores(folder: Path) -> Scores:
    """Read ``scores.json``.

    Raises:
        InputError: there is none, it is damaged, or it has another format.
    """
    path = folder / SCORES
    try:
        scores = decode(path.read_bytes(), Scores)
    except OSError as error:
        raise InputError(
            f"a scores folder with {SCORES}", f"{folder} ({error.strerror})", fix="make one with 'answerable score'"
        ) from error
    except msgspec.MsgspecError as error:
        raise InputError(
            f"a readable {SCORES}", str(error), where=str(path), fix="score again with this version"
        ) from error
    if scores.format != FORMAT:
        raise InputError(f"scores of format {FORMAT}", f"format={scores.format}", where=str(path))
    return scores


def source_parts(scores: Scores) -> tuple[SourcePart, ...]:
    """One part for each source (and evidence level) that any run has, largest first."""
    keys: dict[str, int] = {}
    for run in scores.runs:
        for key, source in run.sources.items():
            keys[key] = max(keys.get(key, 0), source.groups)
    return tuple(_part(scores, key) for key in sorted(keys, key=lambda key: (-keys[key], key)))


def _part(scores: Scores, key: str) -> SourcePart:
    held = [(index, run, run.sources[key]) for index, run in enumerate(scores.runs) if key in run.sources]
    sources = [source for _, _, source in held]
    table = _table(key, held)
    metrics = _in_order({name for source in sources for name in source.metrics})
    return SourcePart(
        key=key,
        table=table,
        names=tuple(run.name for _, run, _ in held),
        every=tuple(
            (name, tuple(maybe_cell(source.metrics.get(name), name) for source in sources)) for name in metrics
        ),
        losses=tuple(_losses(run, source) for _, run, source in held),
        heat=tuple(_heat(index, run, source, table.states) for index, run, source in held),
        splits=splits([(run, source) for _, run, source in held], table.states),
        histograms=tuple(
            Histogram(
                name=run.name, counts=source.failed_views, first=source.first_failures,
                additional=source.additional_failures,
            )
            for _, run, source in held
        ),
        statuses=_tally((run.name, source.statuses) for _, run, source in held),
        rules=_tally((run.name, source.rules) for _, run, source in held),
        confusions=tuple(_confusion(run.name, source.confusion) for _, run, source in held if source.confusion),
        forests=_forests(scores, key),
        sentence=_sentence(key, held),
    )  # fmt: skip


def headline_columns(names: Iterable[str]) -> tuple[str, ...]:
    """The metrics of the headline table among ``names``, in the order of the protocol."""
    have = set(names)
    counted = sorted((name for name in have if _COUNTED.fullmatch(name)), key=_counted_order)
    return tuple(name for name in ("J", "B", *counted, *_ERRORS) if name in have)


def _counted_order(name: str) -> tuple[int, bool]:
    letter, _, number = name.partition("_")
    return -int(number), letter == "B"


def _in_order(names: set[str]) -> tuple[str, ...]:
    first = headline_columns(names)
    return first + tuple(sorted(names - set(first)))


def _table(key: str, held: Sequence[tuple[int, RunScores, SourceScores]]) -> SourceTable:
    # A state that no run was asked has no column.
    columns = headline_columns(
        name for _, _, source in held for name, figure in source.metrics.items() if figure.denominator
    )
    biggest = max((source for _, _, source in held), key=lambda source: source.groups)
    states = {state for _, _, source in held for state in source.states}
    rows = [
        Row(
            run=index,
            name=run.name,
            model=run.model,
            notes=_run_notes(run),
            cells=tuple(maybe_cell(source.metrics.get(name), name) for name in columns),
            unread=tuple(sum(tally.outcomes.get(kind, 0) for tally in source.tallies) for kind in _UNREAD),
        )
        for index, run, source in held
    ]
    rows.sort(key=lambda row: _falling(row, columns))
    baselines = tuple(
        Row(
            run=-1, name=name, model="constant responder", notes=(), unread=(),
            cells=tuple(maybe_cell(figures.get(column), column) for column in columns),
        )
        for name, figures in sorted(biggest.baselines.items())
    )  # fmt: skip
    return SourceTable(
        source=key, origin=biggest.source, level=biggest.level, groups=biggest.groups, views=biggest.views,
        states=tuple(sorted(states, key=list(STATES).index)), columns=columns, rows=tuple(rows), baselines=baselines,
    )  # fmt: skip


def _falling(row: Row, columns: tuple[str, ...]) -> tuple[bool, float, int]:
    first = row.cells[columns.index("J")] if "J" in columns else None
    value = first.value if first is not None else None
    return value is None, -(value or 0.0), row.run


def _run_notes(run: RunScores) -> tuple[str, ...]:
    notes = []
    if run.control != "none":
        notes.append(f"control: {run.control}")
    if run.repeats > 1:
        notes.append(f"{run.repeats} repeats")
    if run.replied < run.expected:
        notes.append(f"incomplete: {run.replied} of {run.expected} replies")
    return tuple(notes)


def _losses(run: RunScores, source: SourceScores) -> LossBar:
    parts = tuple(Part(kind=kind, words=LOSS_WORDS[kind], count=source.losses.get(kind, 0)) for kind in LOSSES)
    # With repeats every group counts once a repeat.
    return LossBar(name=run.name, groups=sum(part.count for part in parts), parts=parts)


def _heat(index: int, run: RunScores, source: SourceScores, states: tuple[str, ...]) -> HeatRow:
    by_state = {tally.state: tally for tally in source.tallies}
    cells: list[HeatCell | None] = []
    for state in states:
        tally = by_state.get(state)
        if tally is None:
            cells.append(None)
            continue
        cells.append(
            HeatCell(
                run=index, state=state, figure=cell(tally.failure), failed=tally.failure.numerator,
                views=tally.failure.denominator, step=heat_step(tally.failure.value),
            )
        )  # fmt: skip
    return HeatRow(name=run.name, cells=tuple(cells))


def _tally(counts: Iterable[tuple[str, dict[str, int]]]) -> Tally:
    held = list(counts)
    totals: dict[str, int] = {}
    for _, words in held:
        for word, count in words.items():
            totals[word] = totals.get(word, 0) + count
    columns = tuple(sorted(totals, key=lambda word: (-totals[word], word)))
    return Tally(
        columns=columns, rows=tuple((name, tuple(words.get(word, 0) for word in columns)) for name, words in held)
    )


def _place(words: Sequence[str], word: str) -> int:
    """From 1 among the words; 0 for any other, which comes first."""
    return words.index(word) + 1 if word in words else 0


def _confusion(name: str, counts: dict[str, dict[str, int]]) -> Confusion:
    last = ("unread", "failed", "not_run")
    columns = tuple(
        sorted(
            {reading for readings in counts.values() for reading in readings},
            key=lambda word: (_place(last, word), word),
        )
    )
    rows = tuple((target, tuple(found.get(column, 0) for column in columns)) for target, found in counts.items())
    return Confusion(name=name, columns=columns, rows=rows)


def _forests(scores: Scores, key: str) -> tuple[Forest, ...]:
    metrics = headline_columns(pair.metric for pair in scores.pairs if pair.source == key)
    drawn = sum(pair.metric in metrics for pair in scores.pairs)
    if drawn > MOST_DIFFERENCES:
        metrics = metrics[:1]
    forests = []
    for metric in metrics:
        pairs = [pair for pair in scores.pairs if pair.source == key and pair.metric == metric]
        rows = tuple(
            Difference(
                a=pair.a, b=pair.b, value=pair.value, low=pair.interval[0], high=pair.interval[1],
                excludes_zero=pair.excludes_zero, groups=pair.groups,
                text=difference_text(pair.value, pair.interval),
            )
            for pair in pairs
            if pair.value is not None and pair.interval is not None
        )  # fmt: skip
        reach = max((max(abs(row.low), abs(row.high)) for row in rows), default=0.0)
        limit = next((step for step in (0.1, 0.2, 0.3, 0.5) if reach <= step), 1.0)
        forests.append(
            Forest(source=key, metric=metric, rows=rows, undefined=len(pairs) - len(rows), limit=limit)
        )  # fmt: skip
    return tuple(forests)


def _sentence(key: str, held: Sequence[tuple[int, RunScores, SourceScores]]) -> str:
    """Who completes most questions, and how its others are lost. Reference responders only when nobody else ran."""
    models = [entry for entry in held if entry[1].provider != "reference"] or list(held)
    scored = [(run, source, source.metrics["J"]) for _, run, source in models if "J" in source.metrics]
    scored = [entry for entry in scored if entry[2].value is not None]
    if not scored:
        return f"On {key}, J is undefined for every run."
    run, source, best = max(scored, key=lambda entry: entry[2].value or 0.0)
    interval, kind = shown_interval(best)
    spread = f"; 95 % {kind} interval {interval_text(interval)}" if interval else ""
    only = "Reference responders only. " if run.provider == "reference" else ""
    text = (
        f"{only}On {key}, {run.name} gets every picture of a question right for {percent(best.value)} of the questions"
    )
    text += f" ({best.numerator} of {best.denominator}{spread})"
    if len(scored) > 1:
        ties = sum(figure.value == best.value for _, _, figure in scored)
        text += f", the highest of {len(scored)} runs" if ties == 1 else f"; {ties} of {len(scored)} runs share that"
    lost = max(LOSSES[1:], key=lambda kind: source.losses.get(kind, 0))
    if source.losses.get(lost, 0):
        text += f"; the others are lost most often because {_LOST_BECAUSE[lost]} ({source.losses[lost]})"
    return text + "."


_LOST_BECAUSE = {
    "wrong_answer": "an answer is wrong although all decisions are right",
    "other_decision": "it decides wrongly on a picture other than the one with hidden evidence",
    "missing_failure": "it answers although the evidence is hidden, or its reply there cannot be read",
}
