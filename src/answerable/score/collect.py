"""From run folders to verdicts: every reply is read and held against its view; what is missing is counted.

Verdicts are made from the reply text each time, so an old verdict can never stand beside a new reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, IncompleteError, LogError, RunMismatchError, SettingsError
from answerable.core.records import Answer, Group, Record, View
from answerable.core.runlog import Reply, RunFolder
from answerable.core.scores import VERDICT_COLUMNS
from answerable.score.compare_answers import answer_key
from answerable.score.differences import Differences
from answerable.score.judged import RunJudge
from answerable.score.readers.number import parse_number
from answerable.score.readers.published import READER as PUBLISHED_READER
from answerable.score.readers.reading import Item, Reader
from answerable.score.readers.reflection import first_turn, reflected
from answerable.score.stratum import Bools, Ints, Layout, Stratum
from answerable.score.verdicts import CODE, Verdict, judge

#: Called with the number of replies read since the last call.
Tick = Callable[[int], None]
#: Of a question with a free answer.
NO_OPTIONS = Item()


def item_of(view: View) -> Item:
    """What a reader must know of a view."""
    if not view.options:
        return NO_OPTIONS
    offered = {option.letter: option.text for option in view.options}
    abstains = next((option.letter for option in view.options if option.role != "content"), None)
    return Item(offered, abstains, abstain_instructed=abstains is not None, withheld=view.withheld)


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
    repeats: int
    statuses: list[str]
    """Reply status, failure kind or ``not_run``, at ``row * repeats + repeat``."""
    rules: list[str]
    """The reading rule, ``invalid: <why>`` or the status, at the same places."""
    columns: dict[str, list[object]]
    """``VERDICT_COLUMNS``, a row a view and repeat."""
    replied: int
    failed: int
    not_run: int
    judge_notes: tuple[str, ...] = ()
    """The judge's share and agreement, in words; empty when none was used."""

    def stratum(self, layout: Layout) -> Stratum:
        """The outcomes on a layout whose views this run was asked."""
        rows = [self.row_of[view] for view in layout.view_ids]
        return Stratum(layout, self.outcomes[rows], self.agrees[rows])

    def tallied(self, values: Sequence[str], layout: Layout) -> dict[str, int]:
        """How often each of the statuses or rules occurs on a layout, by name."""
        rows = (self.row_of[view] * self.repeats for view in layout.view_ids)
        return dict(sorted(Counter(value for row in rows for value in values[row : row + self.repeats]).items()))


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
    name: str,
    run: RunFolder,
    benchmark: Benchmark,
    groups: Sequence[Group],
    reader: Reader,
    tick: Tick,
    *,
    judged: bool = False,
    differences: Differences | None = None,
) -> RunVerdicts:
    """Read every reply of a run and hold it against its view; ``judged`` lets stored judgements read what is unread.

    ``differences`` is told of every reply and its reading.

    Raises:
        RunMismatchError: the run is of another benchmark, or of other views than its manifest says.
        RunError: there are no judgements where they are asked for.
        LogError: a damaged log, two replies for one view and repeat, or a reply for a view that was not asked; a
            judgement on another text.
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
    table = _Table(name, views, manifest.repeats, reader, RunJudge(run, reader) if judged else None, differences)
    for reply in run.replies():
        table.reply(run, reply)
        tick(1)
    table.missing({(failure.view, failure.repeat): failure.kind for failure in run.failures()})
    return table.finish(run, asked)


#: Finish reason, reply, reasoning and seconds of a view without a reply.
_SILENT = (None, None, None, None)


class _Table:
    """The verdicts of one run, put where their view stands in the benchmark, whatever the order of the log."""

    def __init__(
        self,
        name: str,
        views: Sequence[View],
        repeats: int,
        reader: Reader,
        run_judge: RunJudge | None,
        differences: Differences | None,
    ) -> None:
        self._name, self._views, self._repeats, self._reader, self._judge = name, views, repeats, reader, run_judge
        self._differences = differences
        self._row_of = {view.id: row for row, view in enumerate(views)}
        size = len(views) * repeats
        # Plain lists of text and numbers: a run holds many rows, and no object is kept for each.
        self._columns: dict[str, list[object]] = {column: [None] * size for column in VERDICT_COLUMNS}
        self._lists = tuple(self._columns.values())
        self._outcomes = np.full(size, CODE["not_run"], dtype=np.int64)
        self._statuses, self._rules = [""] * size, [""] * size
        self._keys: list[str | None] = [None] * size
        self._counts = {"replied": 0, "failed": 0, "not_run": 0}

    def reply(self, run: RunFolder, reply: Reply) -> None:
        """Read and judge one reply.

        Raises:
            LogError: the run was not asked this view, or another image was sent.
        """
        row = self._row_of.get(reply.view)
        if row is None:
            raise LogError(
                f"replies to the {len(self._views)} views that the run was asked",
                f"a reply for view={reply.view}",
                where=str(run.path),
                fix="remove the line that does not belong, or score with the benchmark the run was made with",
            )
        sent, stored = reply.image_sha256, self._views[row].image_sha256
        if run.manifest.control == "none" and sent is not None and sent != stored:
            raise LogError(
                f"a reply to the image of view {reply.view} (sha256={stored[:16]}...)",
                f"one to another image (sha256={sent[:16]}...)",
                where=str(run.path),
                fix="run again into a new folder: a reply belongs to the picture that was sent",
            )
        view = self._views[row]
        answer = first_turn(reply)
        item = item_of(view)
        reading = self._reader.read(answer.text, answer.status, item)
        if self._differences:
            self._differences.add(row, view, item, answer, reading)
        if self._judge:
            reading = self._judge.reading(view, answer, reading)
        verdict = judge(view, reflected(reading, reply, published=self._reader.name == PUBLISHED_READER.name))
        self._counts["replied"] += 1
        said = (reply.finish_reason, _both_turns(reply), reply.reasoning, reply.seconds)
        self._put(row, reply.repeat, verdict, reply.status, said)

    def missing(self, failures: Mapping[tuple[str, int], str]) -> None:
        """Count what has no reply: failed when the log says so, else not run."""
        for row, view in enumerate(self._views):
            for repeat in range(self._repeats):
                if not self._statuses[row * self._repeats + repeat]:
                    kind = failures.get((view.id, repeat))
                    verdict = judge(view, "not_run" if kind is None else "failed")
                    self._counts[verdict.reading] += 1
                    self._put(row, repeat, verdict, kind or "not_run", _SILENT)

    def _put(self, row: int, repeat: int, verdict: Verdict, status: str, said: tuple[object, ...]) -> None:
        view, place = self._views[row], row * self._repeats + repeat
        self._outcomes[place] = CODE[verdict.outcome]
        self._statuses[place] = status
        self._rules[place] = f"invalid: {verdict.why}" if verdict.why else verdict.rule or status
        if self._repeats > 1:
            self._keys[place] = _agreement_key(verdict)
        values = (
            self._name, view.group, view.id, view.source, view.state, repeat,
            verdict.outcome, verdict.decision_right, verdict.answer_right,
            verdict.reading, verdict.answer, verdict.rule, verdict.why, status, *said,
        )  # fmt: skip
        for column, value in zip(self._lists, values, strict=True):
            column[place] = value

    def finish(self, run: RunFolder, groups: tuple[Group, ...]) -> RunVerdicts:
        """Everything that was put."""
        size = self._repeats
        keys = [set(self._keys[start : start + size]) for start in range(0, len(self._keys), size)] if size > 1 else []
        agrees = [len(found) == 1 and None not in found for found in keys] or [False] * len(self._views)
        return RunVerdicts(
            name=self._name, folder=run, groups=groups, row_of=self._row_of,
            outcomes=self._outcomes.reshape(-1, size), agrees=np.array(agrees, dtype=np.bool_), repeats=size,
            statuses=self._statuses, rules=self._rules, columns=self._columns,
            judge_notes=tuple(self._judge.notes(self._name)) if self._judge else (), **self._counts,
        )  # fmt: skip


def _both_turns(reply: Reply) -> str | None:
    """The reply as people see it."""
    return (
        reply.text if reply.earlier is None else f"{reply.earlier}\n\n[asked whether that is true:]\n{reply.text or ''}"
    )


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
