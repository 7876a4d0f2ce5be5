"""From attempts to a benchmark folder, for every domain: quotas, duplicates, ledger, card.

A recipe names its attempts in a fixed order and says how one is made; attempts run on any executor, and results are
settled in the order of the attempts, so the bytes never depend on who worked when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from answerable import __version__
from answerable.build.asking import FREE, Asking, PutSettings
from answerable.build.card import card
from answerable.core.benchmark import FORMAT, BenchmarkWriter, Ledger, LedgerLine, Manifest
from answerable.core.codec import encode
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.exec import Executor

#: Figures of an endless source tried for each group asked, before the build gives up.
PATIENCE = 50

T = TypeVar("T")


class Job(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    split: str
    figure: str
    """The source figure."""
    work: Any
    """What the recipe's ``attempt`` needs; picklable."""


class Recipe(Protocol):
    """What a domain's build consists of."""

    domain: str
    source: str
    """Of the groups it gives, for example ``chart-sampler``."""
    licence: str
    test_groups: int
    train_groups: int
    seed: int
    asking: Asking
    """How its questions are put."""

    def settings(self) -> Record:
        """Everything that decides the bytes, besides the source."""
        ...

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: source files with digests, roundings."""
        ...

    def jobs(self) -> Iterator[Job | Refusal]:
        """Attempts in a fixed order; a refusal for each thing looked at that gives none. It looks at nothing that
        depends on when results arrive."""
        ...

    def worker(self) -> Callable[[Any], Draft | Refusal]:
        """A picklable function from ``Job.work`` to a group, or why not. Depends on its argument only."""
        ...

    def paragraph(self) -> str:
        """For the dataset card: what the pictures are."""
        ...


class Figured(Protocol):
    """A figure of a source."""

    @property
    def id(self) -> str:
        """The same every time; splits are made by it."""


F = TypeVar("F", bound=Figured)


def check_counts(groups: int, train_groups: int, per_figure: int | None = None, *, figure: str = "figure") -> None:
    """Refuse numbers of groups that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    if groups < 1 or train_groups < 0:
        raise SettingsError("at least one group", f"groups={groups} train_groups={train_groups}", where="--groups")
    if per_figure is not None and per_figure < 0:
        raise SettingsError(f"0 or more groups a {figure}", f"per_figure={per_figure}", where="--per-figure")


def split_of(figure: str, seed: int, test_groups: int, train_groups: int) -> str:
    """The split that a source figure belongs to, by its name: figures are never shared between splits."""
    return "train" if Stream("split", seed, figure).below(test_groups + train_groups) < train_groups else "test"


def figure_jobs(
    recipe: Recipe,
    figures: Iterable[F | Refusal],
    questions: Callable[[F], int],
    work: Callable[[F, int, str, int], Any],
) -> Iterator[Job | Refusal]:
    """Jobs for a source of figures, in its order; an endless source is given up after a while.

    Args:
        questions: how many groups to try to make of a figure.
        work: from figure, question, split and turn within the split to what the recipe's worker needs.
    """
    turns: Counter[str] = Counter()
    patience = (recipe.test_groups + recipe.train_groups) * PATIENCE + 1000
    for number, figure in enumerate(figures):
        if number > patience:
            return
        if isinstance(figure, Refusal):
            yield figure
            continue
        split = split_of(figure.id, recipe.seed, recipe.test_groups, recipe.train_groups)
        for index in range(questions(figure)):
            yield Job(split, figure.id, work(figure, index, split, turns[split]))
            turns[split] += 1


def in_turn(items: Sequence[T], turn: int) -> T:
    """The item whose turn it is."""
    return items[turn % len(items)]


def assemble(
    recipe: Recipe, out: Path, executor: Executor, *, name: str, on_kept: Callable[[], None] = lambda: None
) -> tuple[Manifest, Ledger]:
    """Build a benchmark folder.

    Args:
        out: a new or empty folder.
        on_kept: called for every group kept, for progress.

    Returns:
        The manifest, and the ledger that says what was tried.

    Raises:
        SettingsError: nothing was kept.
    """
    tally = Tally(recipe.test_groups, recipe.train_groups)
    with BenchmarkWriter(out) as writer:
        for job, result in executor.map(partial(attempt_job, recipe.worker()), recipe.jobs()):
            if tally.full():
                break
            draft = tally.settle(job, result)
            if draft is not None:
                writer.add(draft.group, draft.images, draft.proof)
                on_kept()
        if not writer.groups:
            raise SettingsError(
                "a source that gives at least one group",
                f"none; refused: {dict(tally.refused) or 'nothing was there'}",
                fix=f"see the reasons above; 'answerable build {recipe.domain} --help' lists what a source needs",
            )
        ledger = tally.ledger(recipe.source, recipe.describe())
        manifest = new_manifest(
            name,
            {recipe.domain: _settings(recipe), "source": recipe.describe()},
            recipe.licence,
            prompt=recipe.asking.prompt,
            reader=recipe.asking.reader,
            metrics=recipe.asking.metrics,
        )
        return writer.finish(manifest, ledger, card(manifest, recipe, ledger, writer)), ledger


def _settings(recipe: Recipe) -> Record:
    made = recipe.settings()
    return made if recipe.asking == FREE else PutSettings(msgspec.Raw(encode(made)), recipe.asking)


def new_manifest(
    name: str, settings: object, licence: str, *, prompt: str, reader: str, metrics: tuple[str, ...]
) -> Manifest:
    """What a builder knows of its benchmark; the writer fills in counts and fingerprint.

    Args:
        settings: everything that decides the bytes, the source's description included.
    """
    return Manifest(
        format=FORMAT, name=name, version="1", generator=f"answerable {__version__}",
        settings=msgspec.Raw(encode(settings)), licence=licence, prompt=prompt, reader=reader, metrics=metrics,
        sources=(), groups=0, views=0, proofs=0,
    )  # fmt: skip


def attempt_job(worker: Callable[[Any], Draft | Refusal], job: Job | Refusal) -> tuple[Job | None, Draft | Refusal]:
    """A refusal of the scan passes through in its place, so that the ledger counts it in order."""
    if isinstance(job, Refusal):
        return None, job
    # What was needed for the work need not travel back.
    return Job(job.split, job.figure, None), worker(job.work)


class Tally:
    """Quotas, duplicates and the ledger, filled in the order of the work."""

    def __init__(self, test_groups: int, train_groups: int) -> None:
        self._asked = test_groups + train_groups
        self._left = {"test": test_groups, "train": train_groups}
        self._seen: set[str] = set()
        self.refused: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._scanned = self._eligible = self._attempted = self._kept = 0

    def full(self) -> bool:
        """Whether every quota is met."""
        return not any(self._left.values())

    def settle(self, job: Job | None, result: Draft | Refusal) -> Draft | None:
        """Count a result; the draft comes back when it is kept."""
        self._scanned += 1
        if job is None:
            self._refuse(result)
            return None
        self._eligible += 1
        if not self._left[job.split]:
            return None
        self._attempted += 1
        if isinstance(result, Draft) and result.content in self._seen:
            result = Refusal(reason="same as another group", detail=job.figure)
        if isinstance(result, Refusal):
            self._refuse(result)
            return None
        self._seen.add(result.content)
        self._left[job.split] -= 1
        self._kept += 1
        return result

    def _refuse(self, result: Draft | Refusal) -> None:
        if isinstance(result, Refusal):
            self.refused[result.reason] += 1
            kept = self._examples.setdefault(result.reason, [])
            if len(kept) < 5:
                kept.append(result.detail)

    def ledger(self, source: str, notes: tuple[str, ...]) -> Ledger:
        """What was tried."""
        line = LedgerLine(
            source=source,
            scanned=self._scanned,
            eligible=self._eligible,
            attempted=self._attempted,
            kept=self._kept,
            refused=dict(sorted(self.refused.items())),
            unattempted=self._eligible - self._attempted,
            notes=notes,
        )
        examples = {reason: tuple(found) for reason, found in sorted(self._examples.items())}
        return Ledger(lines=(line,), asked=self._asked, kept=self._kept, examples=examples)
