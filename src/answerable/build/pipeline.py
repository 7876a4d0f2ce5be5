"""The build: figures to groups, with quotas, splits and a ledger; the same bytes on one process or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from answerable import __version__
from answerable.build.card import card
from answerable.build.sources import Figure, Source
from answerable.core.benchmark import FORMAT, BenchmarkWriter, Ledger, LedgerLine, Manifest
from answerable.core.codec import encode
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import Family, family
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.sampler import sample_cell, sample_world
from answerable.domains.chart.states import Draft, Request, make_group
from answerable.domains.chart.visibility import APPEARANCES, Appearance
from answerable.domains.chart.world import KINDS, ChartWorld, Kind
from answerable.exec import Executor
from answerable.logic.program import Cell

#: Cells tried for one group of a given figure before it is refused.
_CELLS_TRIED = 12
#: Figures of an endless source tried for each group asked, before the build gives up.
_PATIENCE = 50


class ChartSettings(Record, frozen=True):
    """What decides every byte of a chart benchmark, together with the source."""

    groups: int
    """Groups of the test split."""
    seed: int
    train_groups: int = 0
    families: tuple[str, ...] = ("skia", "matplotlib")
    held_out: str | None = None
    """A family that draws test groups only."""
    kinds: tuple[Kind, ...] = KINDS
    mask: str = "mixed"
    """``patch``, ``gap`` or ``mixed``."""
    value_labels: bool = True
    per_figure: int | None = None
    """Groups of one figure; None leaves it to the source, 0 means as many as it has cells."""


def check_settings(settings: ChartSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    if settings.groups < 1 or settings.train_groups < 0:
        raise SettingsError(
            "at least one group", f"groups={settings.groups} train_groups={settings.train_groups}", where="--groups"
        )
    if not settings.families:
        raise SettingsError("at least one rendering family", "none", where="--families")
    if settings.held_out is not None and settings.held_out not in settings.families:
        raise SettingsError(
            f"a held-out family among {', '.join(settings.families)}", f"{settings.held_out!r}", where="--held-out"
        )
    if settings.train_groups and not training_families(settings):
        raise SettingsError("a family for training besides the held-out one", "none", where="--families")
    if not settings.kinds:
        raise SettingsError(f"kinds of chart among {', '.join(KINDS)}", "none", where="--kinds")
    if settings.per_figure is not None and settings.per_figure < 0:
        raise SettingsError("0 or more groups a figure", f"per_figure={settings.per_figure}", where="--per-figure")
    if settings.mask not in (*APPEARANCES, "mixed"):
        raise SettingsError("patch, gap or mixed", f"{settings.mask!r}", where="--mask")
    for name in settings.families:
        family(name)  # a missing optional part is said now, not in the middle of the work


def training_families(settings: ChartSettings) -> tuple[str, ...]:
    """Families that may draw training groups."""
    return tuple(name for name in settings.families if name != settings.held_out)


class Work(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    figure: Figure
    index: int
    """Which question of the figure."""
    split: str
    family: str
    appearance: Appearance
    source: str


def attempt(settings: ChartSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    names: tuple[str | int, ...] = ("chart", settings.seed, work.source, work.figure.id, work.index)
    stream = Stream(*names)
    drawn = family(work.family)
    if work.figure.worlds:
        world = _first_whole(work.figure.worlds, drawn)
        if isinstance(world, Refusal):
            return world
        cells = _cells(world, work)
    else:
        world = sample_world(stream, settings.kinds, value_labels=settings.value_labels)
        cells = [sample_cell(world, stream)]
    found: Draft | Refusal = Refusal(reason="no further question", detail=work.figure.id)
    for tried, cell in enumerate(cells):
        request = Request(
            source=work.source,
            figure=work.figure.id,
            split="train" if work.split == "train" else "test",
            cell=cell,
            appearance=work.appearance,
            names=(*names, tried),
        )
        found = make_group(world, request, drawn)
        if isinstance(found, Draft):
            return found
    return found


def _first_whole(worlds: tuple[ChartWorld, ...], drawn: Family) -> ChartWorld | Refusal:
    problems: tuple[Refusal, ...] = ()
    for world in worlds:
        problems = whole_problems(world, drawn.style)
        if not problems:
            return world
    return problems[0]


def _cells(world: ChartWorld, work: Work) -> list[Cell]:
    """Cells for the figure's question ``index``: questions of one figure never share a first choice."""
    every = [(series, position) for series in world.series for position in world.positions]
    Stream("cells", work.source, work.figure.id).shuffle(every)
    if work.figure.cells > 1 and work.index:
        return every[work.index : work.index + 1]
    return every[:_CELLS_TRIED] if work.figure.cells else []


def build(
    settings: ChartSettings,
    source: Source,
    out: Path,
    executor: Executor,
    *,
    name: str = "charts",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build a benchmark folder.

    Args:
        out: a new or empty folder.
        on_kept: called for every group kept, for progress.

    Returns:
        The manifest, and the ledger that says what was tried.
    """
    check_settings(settings)
    tally = _Tally(settings)
    works = _works(settings, source)
    with BenchmarkWriter(out) as writer:
        for work, result in executor.map(partial(_tagged, settings), works):
            if tally.full():
                break
            draft = tally.settle(work, result)
            if draft is not None:
                writer.add(draft.group, draft.images, draft.proof)
                on_kept()
        if not writer.groups:
            raise SettingsError(
                "a source that gives at least one group",
                f"none; refused: {dict(tally.refused) or 'nothing was there'}",
                fix="see the reasons above; 'answerable build chart --help' lists what a source needs",
            )
        ledger = tally.ledger(source)
        manifest = Manifest(
            format=FORMAT,
            name=name,
            version="1",
            generator=f"answerable {__version__}",
            settings=msgspec.Raw(encode({"chart": settings, "source": source.describe()})),
            licence=source.licence,
            prompt="json-answerability",
            reader="json",
            metrics=("J", "B", "E", "E_A", "E_M", "E_I", "A"),
            sources=(),
            groups=0,
            views=0,
            proofs=0,
        )
        return writer.finish(manifest, ledger, card(manifest, settings, ledger, writer)), ledger


def _tagged(settings: ChartSettings, work: Work | Refusal) -> tuple[Work | None, Draft | Refusal]:
    """A refusal of the scan passes through in its place, so that the ledger counts it in order."""
    if isinstance(work, Refusal):
        return None, work
    # The figure's worlds need not travel back.
    return msgspec.structs.replace(work, figure=Figure(id=work.figure.id)), attempt(settings, work)


def _works(settings: ChartSettings, source: Source) -> Iterator[Work | Refusal]:
    """Attempts in a fixed order. It looks at nothing that depends on when results arrive."""
    asked = settings.groups + settings.train_groups
    counters: Counter[str] = Counter()
    for number, figure in enumerate(source.figures()):
        if number > asked * _PATIENCE + 1000:
            return
        if isinstance(figure, Refusal):
            yield figure
            continue
        chance = Stream("split", settings.seed, figure.id).below(asked)
        split = "train" if chance < settings.train_groups else "test"
        families = training_families(settings) if split == "train" else settings.families
        limit = source.per_figure if settings.per_figure is None else settings.per_figure
        for index in range(min(limit or figure.cells, figure.cells)):
            turn = counters[split]
            counters[split] += 1
            look = APPEARANCES[(turn // len(families)) % 2] if settings.mask == "mixed" else settings.mask
            yield Work(
                figure=figure,
                index=index,
                split=split,
                family=families[turn % len(families)],
                appearance="gap" if look == "gap" else "patch",
                source=source.name,
            )


class _Tally:
    """Quotas, duplicates and the ledger, filled in the order of the work."""

    def __init__(self, settings: ChartSettings) -> None:
        self._settings = settings
        self._left = {"test": settings.groups, "train": settings.train_groups}
        self._seen: set[str] = set()
        self.refused: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._scanned = self._eligible = self._attempted = self._kept = 0

    def full(self) -> bool:
        """Whether every quota is met."""
        return not any(self._left.values())

    def settle(self, work: Work | None, result: Draft | Refusal) -> Draft | None:
        """Count a result; the draft comes back when it is kept."""
        self._scanned += 1
        if work is None:
            self._refuse(result)
            return None
        self._eligible += 1
        if not self._left[work.split]:
            return None
        self._attempted += 1
        if isinstance(result, Draft) and result.content in self._seen:
            result = Refusal(reason="same as another group", detail=work.figure.id)
        if isinstance(result, Refusal):
            self._refuse(result)
            return None
        self._seen.add(result.content)
        self._left[work.split] -= 1
        self._kept += 1
        return result

    def _refuse(self, result: Draft | Refusal) -> None:
        if isinstance(result, Refusal):
            self.refused[result.reason] += 1
            kept = self._examples.setdefault(result.reason, [])
            if len(kept) < 5:
                kept.append(result.detail)

    def ledger(self, source: Source) -> Ledger:
        """What was tried."""
        asked = self._settings.groups + self._settings.train_groups
        line = LedgerLine(
            source=source.name,
            scanned=self._scanned,
            eligible=self._eligible,
            attempted=self._attempted,
            kept=self._kept,
            refused=dict(sorted(self.refused.items())),
            unattempted=self._eligible - self._attempted,
            notes=source.describe(),
        )
        examples = {reason: tuple(found) for reason, found in sorted(self._examples.items())}
        return Ledger(lines=(line,), asked=asked, kept=self._kept, examples=examples)
