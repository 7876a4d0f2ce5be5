"""Chart benchmarks: figures to groups, splits by figure, a rendering family held out of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from answerable.build.asking import FREE
from answerable.build.assembly import Job, assemble, check_counts, figure_jobs, in_turn
from answerable.build.sources import Figure, Source
from answerable.core.benchmark import Ledger, Manifest
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import Family, family
from answerable.domains.chart.layout import whole_problems
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.templates import TEMPLATES, draw
from answerable.domains.chart.visibility import APPEARANCES, Appearance
from answerable.domains.chart.world import KINDS, ChartWorld, Kind
from answerable.domains.draft import Draft
from answerable.exec import Executor
from answerable.logic.program import Expression, Lookup

#: Programs tried for one group of a given figure before it is refused.
_TRIED = 12


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
    programs: tuple[str, ...] = ("look-up",)
    """Families of questions, in turn."""
    per_figure: int | None = None
    """Groups of one figure; None leaves it to the source, 0 means as many as it has cells."""


def check_settings(settings: ChartSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    check_counts(settings.groups, settings.train_groups, settings.per_figure)
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
    if settings.mask not in (*APPEARANCES, "mixed"):
        raise SettingsError("patch, gap or mixed", f"{settings.mask!r}", where="--mask")
    for name in settings.programs:
        if name not in TEMPLATES:
            raise SettingsError(
                f"families of questions among {', '.join(TEMPLATES)}, or all", f"{name!r}", where="--programs"
            )
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
    template: str = "look-up"
    """Family of the question; see ``domains.chart.templates``."""


def attempt(settings: ChartSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    names: tuple[str | int, ...] = ("chart", settings.seed, work.source, work.figure.id, work.index)
    stream = Stream(*names)
    drawn = family(work.family)
    if work.figure.worlds:
        world = _first_whole(work.figure.worlds, drawn)
        if isinstance(world, Refusal):
            return world
    else:
        world = sample_world(stream, settings.kinds, value_labels=settings.value_labels)
    found: Draft | Refusal = Refusal(reason="no further question", detail=work.figure.id)
    for tried, program in enumerate(_programs(world, work, stream)):
        request = Request(
            source=work.source,
            figure=work.figure.id,
            split="train" if work.split == "train" else "test",
            program=program,
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


def _programs(world: ChartWorld, work: Work, stream: Stream) -> Iterator[Expression]:
    """Programs to try for the figure's question ``index``: look-ups of one figure never share a first cell."""
    if work.template != "look-up":
        for _ in range(_TRIED):
            program = draw(work.template, world, stream)
            if program is not None:
                yield program
        return
    every = [Lookup(series=series, position=position) for series in world.series for position in world.positions]
    Stream("cells", work.source, work.figure.id).shuffle(every)
    if not work.figure.worlds:
        yield stream.pick(every)
    elif work.figure.cells > 1 and work.index:
        yield from every[work.index : work.index + 1]
    elif work.figure.cells:
        yield from every[:_TRIED]


class ChartRecipe:
    """Charts: a source, its settings, and how one group is made."""

    domain, asking = "chart", FREE

    def __init__(self, settings: ChartSettings, source: Source) -> None:
        check_settings(settings)
        self._settings, self._source = settings, source
        self.source, self.licence = source.name, source.licence
        self.test_groups, self.train_groups, self.seed = settings.groups, settings.train_groups, settings.seed

    def settings(self) -> ChartSettings:
        """See ``Recipe.settings``."""
        return self._settings

    def describe(self) -> tuple[str, ...]:
        """See ``Recipe.describe``."""
        return self._source.describe()

    def worker(self) -> Callable[[Work], Draft | Refusal]:
        """See ``Recipe.worker``."""
        return partial(attempt, self._settings)

    def paragraph(self) -> str:
        """See ``Recipe.paragraph``."""
        held = self._settings.held_out
        text = f"Pictures are charts, drawn by the rendering families {', '.join(self._settings.families)}."
        return f"{text} The family `{held}` draws test groups only." if held else text

    def jobs(self) -> Iterator[Job | Refusal]:
        """See ``Recipe.jobs``."""
        source, most = self._source, self._settings.per_figure
        limit = source.per_figure if most is None else most
        return figure_jobs(self, source.figures(), lambda figure: min(limit or figure.cells, figure.cells), self._work)

    def _work(self, figure: Figure, index: int, split: str, turn: int) -> Work:
        settings = self._settings
        families = training_families(settings) if split == "train" else settings.families
        look = in_turn(APPEARANCES, turn // len(families)) if settings.mask == "mixed" else settings.mask
        return Work(
            figure=figure,
            index=index,
            split=split,
            family=in_turn(families, turn),
            appearance="gap" if look == "gap" else "patch",
            source=self._source.name,
            template=in_turn(settings.programs, turn),
        )


def build(
    settings: ChartSettings,
    source: Source,
    out: Path,
    executor: Executor,
    *,
    name: str = "charts",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build a benchmark of charts; see ``assembly.assemble``."""
    return assemble(ChartRecipe(settings, source), out, executor, name=name, on_kept=on_kept)
