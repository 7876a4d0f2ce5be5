"""From run folders to verdicts: every reply is read and held against its view; what is missing is counted.

Verdicts are made from the reply text each time, so an old verdict can never stand beside a new reply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, IncompleteError, LogError, RunMismatchError, SettingsError
from answerable.core.records import Answer, Group, Record, View
from answerable.core.runlog import Reply, RunFolder
from answerable.core.scores import VERDICT_COLUMNS
from answerable.score.compare_answers import answer_key
from answerable.score.readers.number import parse_number
from answerable.score.readers.reading import Item, Reader
from answerable.score.stratum import Bools, Ints, Layout, Stratum
from answerable.score.verdicts import CODE, Verdict, judge

#: Called with the number of replies read since the last call.
Tick = Callable[[int], None]


class RunVerdicts(Record, frozen=True):
    """One run, read and judged."""

    name: str
    folder: RunFolder
    groups: tuple[Group, ...]
    """The groups it was asked, in stored order."""
    row_of: dict[str, int]
    """View id -> row of the arrays."""
    outcomes: Ints
    """Place in ``OUTCOMES``; shape (views, repeats)."""
    agrees: Bools
    """Views whose repeats all gave the same readable reading; shape (views,)."""
    statuses: tuple[tuple[str, ...], ...]
    """Reply status, failure kind or ``not_run``; by view and repeat."""
    rules: tuple[tuple[str, ...], ...]
    """The reading rule, ``invalid: <why>`` or the status; by view and repeat."""
    columns: dict[str, list[object]]
    """``VERDICT_COLUMNS``, a row a view and repeat."""
    replied: int
    failed: int
    not_run: int

    def stratum(self, layout: Layout) -> Stratum:
        """The outcomes on a layout whose views this run was asked."""
        rows = [self.row_of[view] for view in layout.view_ids]
        return Stratum(layout, self.outcomes[rows], self.agrees[rows])


def run_names(runs: Sequence[RunFolder]) -> list[str]:
    """Folder names; where two are the same, with the name of the folder above.

    Raises:
        SettingsError: the same folder twice, or names that still collide.
    """
    paths = [run.path.resolve() for run in runs]
    plain = [path.name for path in paths]
    names = [
        f"{path.parent.name}/{name}" if plain.count(name) > 1 else name for path, name in zip(paths, plain, strict=True)
    ]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(
                "runs with different folder names", f"{name!r} more than once", "RUN", "rename one of the folders"
            )
    return names


def load_groups(benchmark: Benchmark, split: str) -> list[Group]:
    """The groups of a split in stored order, checked for what would make any score meaningless.

    Raises:
        BenchmarkError: no groups, a view id used twice, or a number question whose target is no number.
    """
    groups = list(benchmark.groups(split))
    if not groups:
        raise BenchmarkError(
            f"groups in split {split!r}", "none", where=str(benchmark.path), fix="score a split that was built"
        )
    seen: set[str] = set()
    for group in groups:
        for view in group.views:
            where = f"{benchmark.path}, view {view.id}"
            if view.id in seen:
                raise BenchmarkError("view ids used once", f"view={view.id} a second time", where=where)
            seen.add(view.id)
            duty = view.obligation
            if isinstance(duty, Answer) and duty.type == "number" and parse_number(duty.target) is None:
                raise BenchmarkError("a number as its target", f"target={duty.target[:80]!r}", where=where)
    return groups


def one_split(runs: Sequence[RunFolder], split: str | None) -> str:
    """The split that all runs cover.

    Raises:
        SettingsError: they cover different ones, or not the one asked for.
    """
    splits = sorted({run.manifest.split for run in runs})
    if len(splits) != 1 or split not in (None, splits[0]):
        raise SettingsError(
            f"runs of split {split!r}" if split else "runs of one split",
            f"split={', '.join(splits)}",
            "RUN",
            "score runs of different splits apart",
        )
    return splits[0]


def collect(
    name: str, run: RunFolder, benchmark: Benchmark, groups: Sequence[Group], reader: Reader, tick: Tick
) -> RunVerdicts:
    """Read and judge every reply of a run.

    Raises:
        RunMismatchError: the run is of another benchmark, or of other views than its manifest says.
        LogError: a damaged log, two replies for one view and repeat, or a reply for a view that was not asked.
    """
    manifest = run.manifest
    if manifest.benchmark_fingerprint != benchmark.manifest.fingerprint:
        raise RunMismatchError(
            f"a run of benchmark {benchmark.manifest.name!r} (fingerprint {benchmark.manifest.fingerprint[:16]}...)",
            f"one of {manifest.benchmark!r} (fingerprint {manifest.benchmark_fingerprint[:16]}...)",
            where=str(run.path),
            fix="name the benchmark it was made with: --benchmark BENCH",
        )
    asked = tuple(groups if manifest.limit is None else groups[: manifest.limit])
    views = [view for group in asked for view in group.views]
    if len(views) != manifest.views:
        raise RunMismatchError(
            f"{len(views)} views in the {len(asked)} groups that limit={manifest.limit} asks for",
            f"views={manifest.views}",
            where=str(run.path / "run.json"),
            fix="run.json was edited or made by another version: run again into a new folder",
        )
    replies = _replies(run, {view.id for view in views}, tick)
    failures = {(failure.view, failure.repeat): failure.kind for failure in run.failures()}
    table = _Table(name, views, manifest.repeats)
    for row, view in enumerate(views):
        for repeat in range(manifest.repeats):
            key = (view.id, repeat)
            table.add(row, repeat, replies.get(key), failures.get(key), reader)
    return table.finish(run, asked)


def _replies(run: RunFolder, asked: set[str], tick: Tick) -> dict[tuple[str, int], Reply]:
    found: dict[tuple[str, int], Reply] = {}
    for reply in run.replies():
        if reply.view not in asked:
            raise LogError(
                f"replies to the {len(asked)} views that the run was asked",
                f"a reply for view={reply.view}",
                where=str(run.path),
                fix="remove the line that does not belong, or score with the benchmark the run was made with",
            )
        found[(reply.view, reply.repeat)] = reply
        tick(1)
    return found


#: Finish reason, reply, reasoning and seconds of a view without a reply.
_SILENT = (None, None, None, None)


class _Table:
    """Collects the verdicts of one run row by row."""

    def __init__(self, name: str, views: Sequence[View], repeats: int) -> None:
        self._name, self._views = name, views
        self._outcomes = np.zeros((len(views), repeats), dtype=np.int64)
        self._keys: list[set[str | None]] = [set() for _ in views]
        self._statuses: list[list[str]] = [[] for _ in views]
        self._rules: list[list[str]] = [[] for _ in views]
        self._rows: list[tuple[object, ...]] = []
        self._counts = {"replied": 0, "failed": 0, "not_run": 0}

    def add(self, row: int, repeat: int, reply: Reply | None, failure: str | None, reader: Reader) -> None:
        """Judge one view in one repeat."""
        view = self._views[row]
        if reply is not None:
            verdict = judge(view, reader.read(reply.text, reply.status, Item()))
            status = str(reply.status)
            self._counts["replied"] += 1
        else:
            verdict = judge(view, "not_run" if failure is None else "failed")
            status = failure or "not_run"
            self._counts[verdict.reading] += 1
        self._outcomes[row, repeat] = CODE[verdict.outcome]
        if self._outcomes.shape[1] > 1:
            self._keys[row].add(_agreement_key(verdict))
        self._statuses[row].append(status)
        self._rules[row].append(f"invalid: {verdict.why}" if verdict.why else verdict.rule or status)
        said = (reply.finish_reason, reply.text, reply.reasoning, reply.seconds) if reply else _SILENT
        self._rows.append(
            (
                self._name, view.group, view.id, view.source, view.state, repeat,
                verdict.outcome, verdict.decision_right, verdict.answer_right,
                verdict.reading, verdict.answer, verdict.rule, verdict.why, status, *said,
            )
        )  # fmt: skip

    def finish(self, run: RunFolder, groups: tuple[Group, ...]) -> RunVerdicts:
        """Everything that was added."""
        return RunVerdicts(
            name=self._name, folder=run, groups=groups,
            row_of={view.id: row for row, view in enumerate(self._views)},
            outcomes=self._outcomes,
            agrees=np.array([len(keys) == 1 and None not in keys for keys in self._keys], dtype=np.bool_),
            statuses=tuple(map(tuple, self._statuses)), rules=tuple(map(tuple, self._rules)),
            columns=dict(zip(VERDICT_COLUMNS, map(list, zip(*self._rows, strict=True)), strict=True)), **self._counts,
        )  # fmt: skip


def _agreement_key(verdict: Verdict) -> str | None:
    """Equal for readings that say the same; None for what cannot be read."""
    if verdict.reading == "abstained":
        return "abstained"
    return f"answered {answer_key(verdict.answer)}" if verdict.reading == "answered" else None


def refuse_incomplete(runs: Sequence[RunVerdicts]) -> None:
    """Raise for the first run with missing replies.

    Raises:
        IncompleteError: says how many are missing, how many of them failed, and the two ways on.
    """
    for run in runs:
        if run.failed or run.not_run:
            missing, expected = run.failed + run.not_run, run.outcomes.size
            raise IncompleteError(
                f"{expected} replies",
                f"{run.replied}: {missing} missing, of which {run.failed} failed and {run.not_run} were not run",
                where=str(run.folder.path),
                fix="resume it by repeating its 'answerable run' command; or score it as it is with"
                " --allow-incomplete, which counts what is missing as failed",
            )
