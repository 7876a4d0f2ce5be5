"""Table benchmarks: tables to groups, splits by table, a family of styles held out of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from answerable.build.asking import FREE, Asking
from answerable.build.assembly import Job, check_counts, figure_jobs, in_turn
from answerable.build.sources.table_worlds import TableFigure, TableSource
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft, Manner
from answerable.domains.table.problems import read_problem
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.states import Request, make_group
from answerable.domains.table.styles import FAMILIES, styles_of
from answerable.domains.table.templates import TEMPLATES, draw
from answerable.domains.table.visibility import APPEARANCES, Appearance
from answerable.domains.table.world import TableWorld
from answerable.logic.program import Expression, Lookup

#: Programs tried for one group before it is refused, and made-up tables tried for a family of questions.
_TRIED, _TABLES = 12, 8


class TableSettings(Record, frozen=True):
    """What decides every byte of a table benchmark, together with the source."""

    groups: int
    """Groups of the test split."""
    seed: int
    train_groups: int = 0
    styles: tuple[str, ...] = FAMILIES
    """Families of styles."""
    held_out: str | None = None
    """A family of styles that draws test groups only."""
    mask: str = "patch"
    """``patch``, ``ink`` or ``mixed``."""
    programs: tuple[str, ...] = ("look-up",)
    """Families of questions, in turn; a source with questions of its own asks those instead."""
    choices: bool = False
    """Whether questions offer choices."""
    per_figure: int | None = None
    """Groups of one table; None leaves it to the source, 0 means as many as it has questions."""


def check_settings(settings: TableSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    check_counts(settings.groups, settings.train_groups, settings.per_figure, figure="table")
    known = f"families of styles among {', '.join(FAMILIES)}"
    if not settings.styles or any(name not in FAMILIES for name in settings.styles):
        raise SettingsError(known, f"{', '.join(settings.styles) or 'none'}", where="--styles")
    if settings.held_out is not None and settings.held_out not in settings.styles:
        raise SettingsError(
            f"a held-out family of styles among {', '.join(settings.styles)}", f"{settings.held_out!r}",
            where="--held-out",
        )  # fmt: skip
    if settings.train_groups and not training_styles(settings):
        raise SettingsError("a family of styles for training besides the held-out one", "none", where="--styles")
    if settings.mask not in (*APPEARANCES, "mixed"):
        raise SettingsError("patch, ink or mixed", f"{settings.mask!r}", where="--mask")
    for name in settings.programs or ("none",):
        if name not in TEMPLATES:
            raise SettingsError(
                f"families of questions among {', '.join(TEMPLATES)}, or all", f"{name!r}", where="--programs"
            )


def training_styles(settings: TableSettings) -> tuple[str, ...]:
    """Families of styles that may draw training groups."""
    return tuple(name for name in settings.styles if name != settings.held_out)


class Work(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    figure: TableFigure
    index: int
    """Which question of the table."""
    split: str
    family: str
    """Of styles."""
    appearance: Appearance
    source: str
    controls: bool
    template: str
    manner: Manner = Manner()


def attempt(settings: TableSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    names: tuple[str | int, ...] = ("table", settings.seed, work.source, work.figure.id, work.index)
    stream = Stream(*names)
    found: Draft | Refusal = Refusal(
        reason="question does not fit", detail=f"no {work.template} question on {work.figure.id}"
    )
    for tried, (world, program) in enumerate(_asked(work, stream)):
        request = Request(
            source=work.source,
            figure=work.figure.id,
            split="train" if work.split == "train" else "test",
            program=program,
            appearance=work.appearance,
            names=(*names, tried),
            wording=work.figure.wording,
            choices=settings.choices,
            controls=work.controls,
            manner=work.manner,
        )
        found = make_group(world, request)
        if isinstance(found, Draft):
            return found
    return found


def _asked(work: Work, stream: Stream) -> Iterator[tuple[TableWorld, Expression]]:
    """Tables and programs to try, in order."""
    styles = styles_of((work.family,))
    if work.figure.world is None:
        for _ in range(_TABLES):
            world = sample_world(stream, styles)
            program = draw(work.template, world, stream)
            if program is not None:
                yield world, program
        return
    world = work.figure.world
    if work.figure.wording:
        program = read_problem(work.figure.wording, world)
        if program is not None:
            # Each attempt draws other edits.
            yield from ((world, program) for _ in range(_TRIED))
        return
    world = msgspec.structs.replace(world, style=stream.pick(styles))
    yield from ((world, program) for program in _programs(world, work, stream))


def _programs(world: TableWorld, work: Work, stream: Stream) -> Iterator[Expression]:
    """Programs for the table's question ``index``: look-ups of one table never share a cell."""
    if work.template != "look-up":
        for _ in range(_TRIED):
            program = draw(work.template, world, stream)
            if program is not None:
                yield program
        return
    fields = [field for field in world.fields if field.numeric and field.kind != "time"]
    every = [Lookup(series=row, position=field.name) for row in world.rows for field in fields]
    Stream("cells", work.source, work.figure.id).shuffle(every)
    yield from every[work.index : work.index + 1]


class TableRecipe:
    """Tables: a source, its settings, and how one group is made."""

    domain = "table"

    def __init__(self, settings: TableSettings, source: TableSource, asking: Asking = FREE) -> None:
        check_settings(settings)
        self.asking = asking
        self._settings, self._source = settings, source
        self.source, self.licence = source.name, source.licence
        self.test_groups, self.train_groups, self.seed = settings.groups, settings.train_groups, settings.seed

    def settings(self) -> TableSettings:
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
        text = f"Pictures are tables, in the families of styles {', '.join(self._settings.styles)}."
        return f"{text} The family `{held}` draws test groups only." if held else text

    def jobs(self) -> Iterator[Job | Refusal]:
        """See ``Recipe.jobs``."""
        source, most = self._source, self._settings.per_figure
        limit = source.per_figure if most is None else most
        return figure_jobs(
            self, source.figures(), lambda figure: min(limit or figure.questions, figure.questions), self._work
        )

    def _work(self, figure: TableFigure, index: int, split: str, turn: int) -> Work:
        settings = self._settings
        families = training_styles(settings) if split == "train" else settings.styles
        look = in_turn(APPEARANCES, turn // len(families)) if settings.mask == "mixed" else settings.mask
        return Work(
            figure=figure,
            index=index,
            split=split,
            family=in_turn(families, turn),
            appearance="ink" if look == "ink" else "patch",
            source=self._source.name,
            controls=self._source.controls,
            template=in_turn(settings.programs, turn),
            manner=self.asking.manner,
        )
