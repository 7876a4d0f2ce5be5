"""Benchmarks of code screenshots: made-up programs to groups, splits by program, a theme held out of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from answerable.build.asking import FREE, Asking
from answerable.build.assembly import Job, assemble, check_counts, split_of
from answerable.core.benchmark import Ledger, Manifest
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.code.generator import STRATEGIES, Strategy, sketch
from answerable.domains.code.states import Request, make_group
from answerable.domains.code.world import THEMES, ThemeName
from answerable.domains.draft import Draft, Manner
from answerable.exec import Executor

#: Programs drawn for one group before it is refused.
_TRIES = 16
#: Attempts for each group asked, before the build gives up.
_PATIENCE = 20

Programs = Literal["all", "plain", "random"]
PROGRAMS: tuple[Programs, ...] = ("all", "plain", "random")


class CodeSettings(Record, frozen=True):
    """What decides every byte of a benchmark of code."""

    groups: int
    """Groups of the test split."""
    seed: int
    train_groups: int = 0
    strategies: tuple[Strategy, ...] = STRATEGIES
    programs: Programs = "all"
    """``plain``: what is printed is certain, M of s1 aside; ``random``: it is drawn; ``all``: both."""
    themes: tuple[ThemeName, ...] = THEMES
    held_out: ThemeName | None = None
    """A theme of test groups only."""


def check_settings(settings: CodeSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    check_counts(settings.groups, settings.train_groups)
    named: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
        (settings.strategies, STRATEGIES, "--strategies"),
        (settings.themes, THEMES, "--themes"),
        ((settings.programs,), PROGRAMS, "--programs"),
    )
    for chosen, known, flag in named:
        wrong = [name for name in chosen if name not in known]
        if wrong or not chosen:
            raise SettingsError(f"some of {', '.join(known)}", repr(wrong[0]) if wrong else "none", where=flag)
    if settings.held_out is not None and settings.held_out not in settings.themes:
        raise SettingsError(
            f"a held-out theme among {', '.join(settings.themes)}", f"{settings.held_out!r}", where="--held-out"
        )
    if settings.train_groups and not training_themes(settings):
        raise SettingsError("a theme for training besides the held-out one", "none", where="--themes")


def training_themes(settings: CodeSettings) -> tuple[ThemeName, ...]:
    """Themes that training groups may have."""
    return tuple(name for name in settings.themes if name != settings.held_out)


class Work(msgspec.Struct, frozen=True):
    """One attempt, sent to whoever does it."""

    figure: str
    number: int
    split: str
    strategy: Strategy
    wants: bool
    manner: Manner = Manner()


def attempt(settings: CodeSettings, work: Work) -> Draft | Refusal:
    """Make one group. Depends on its arguments only."""
    found: Draft | Refusal = Refusal(reason="no program", detail=work.figure)
    for tried in range(_TRIES):
        names = ("code", settings.seed, work.number, tried)
        stream = Stream("program", *names)
        chance = bool(stream.below(2)) if settings.programs == "all" else settings.programs == "random"
        request = Request(
            source=f"code-{work.strategy}",
            figure=work.figure,
            split="train" if work.split == "train" else "test",
            strategy=work.strategy,
            themes=training_themes(settings) if work.split == "train" else settings.themes,
            wants=work.wants,
            names=names,
            manner=work.manner,
        )
        found = make_group(sketch(stream, work.strategy, chance=chance), request)
        if isinstance(found, Draft):
            return found
    return found


class CodeRecipe:
    """Code: its settings, and how one group is made."""

    domain, source, licence = "code", "code-sampler", "CC0-1.0"

    def __init__(self, settings: CodeSettings, asking: Asking = FREE) -> None:
        check_settings(settings)
        self.asking = asking
        self._settings = settings
        self.test_groups, self.train_groups, self.seed = settings.groups, settings.train_groups, settings.seed

    def settings(self) -> CodeSettings:
        """See ``Recipe.settings``."""
        return self._settings

    def describe(self) -> tuple[str, ...]:
        """See ``Recipe.describe``."""
        return (f"made-up programs from seed {self.seed}",)

    def worker(self) -> Callable[[Work], Draft | Refusal]:
        """See ``Recipe.worker``."""
        return partial(attempt, self._settings)

    def paragraph(self) -> str:
        """See ``Recipe.paragraph``."""
        held = self._settings.held_out
        text = (
            "Pictures are screenshots of short Python programs. Strategies of TUBench: `code-s1` random calls, "
            "`code-s2` settings out of sight above, `code-s3` covered ends of lines. Half of the answers are yes."
        )
        return f"{text} The theme `{held}` is in test groups only." if held else text

    def jobs(self) -> Iterator[Job | Refusal]:
        """See ``Recipe.jobs``. Strategies and answers take turns, within each split."""
        settings = self._settings
        asked = settings.groups + settings.train_groups
        turns = {"test": 0, "train": 0}
        for number in range(asked * _PATIENCE + 100):
            figure = f"program-{settings.seed}-{number}"
            split = split_of(figure, settings.seed, settings.groups, settings.train_groups)
            turn, turns[split] = turns[split], turns[split] + 1
            kinds = settings.strategies
            strategy, wants = kinds[turn % len(kinds)], not turn // len(kinds) % 2
            yield Job(split, figure, Work(figure, number, split, strategy, wants, self._manner(strategy)))

    def _manner(self, strategy: Strategy) -> Manner:
        manner = self.asking.manner
        return manner if manner == Manner() else msgspec.structs.replace(manner, ability=f"S.{strategy[1:]}")


def build(
    settings: CodeSettings,
    out: Path,
    executor: Executor,
    *,
    name: str = "code",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build a benchmark of code screenshots; see ``assembly.assemble``."""
    return assemble(CodeRecipe(settings), out, executor, name=name, on_kept=on_kept)
