"""Benchmarks of variants: one question in other words, one picture in other styles, one thing behind other masks.

What is made is settled in the order of the source, in this process or many, so the bytes never depend on who worked
when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from answerable.build.assembly import Job, Tally, new_manifest
from answerable.build.importers.writing import check_licence
from answerable.build.variation_card import card
from answerable.build.variations.occlude import Occluding
from answerable.build.variations.rephrase import Rephrasing
from answerable.build.variations.restyle import Style
from answerable.build.variations.sources import Task, Told, VarySource, Wording, Work
from answerable.build.variations.things import HiddenWork, LookedWork, hide, look
from answerable.build.variations.vary import Asked, Stored, vary_asked, vary_stored
from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.domains.draft import Draft
from answerable.exec import Executor


class VariationSettings(Record, frozen=True):
    """What decides every byte, together with the files."""

    seed: int = 0
    """Of the order of photos, the things and masks, and the splits."""
    groups: int | None = None
    """Groups at most; None for all."""
    train_percent: int = 0
    """Of pictures in a training split; a benchmark that is varied keeps its own splits."""
    states: tuple[str, ...] = ()
    """Of a benchmark that is varied; empty for all."""
    styles: tuple[tuple[str, ...], ...] = ()
    """Name, kind, digest, number and range of each style."""
    resolutions: tuple[int, ...] = ()
    occluding: Occluding | None = None
    rephrasing: Rephrasing | None = None


def attempt(work: Work) -> Draft | Refusal:
    """A group, or why there is none. Depends on its argument and the files that it names only."""
    match work:
        case Stored():
            return vary_stored(work)
        case Asked():
            return vary_asked(work)
        case HiddenWork():
            return hide(work)
        case LookedWork():
            return look(work)


def _attempt(task: Task | Refusal) -> tuple[Job | None, Draft | Refusal, tuple[Told, ...]]:
    if isinstance(task, Refusal):
        return None, task, ()
    return Job("test", task.figure, None), attempt(task.work), task.told


def check_settings(settings: VariationSettings) -> None:
    """Refuse settings that vary nothing.

    Raises:
        SettingsError: naming the flags.
    """
    if settings.groups is not None and settings.groups < 1:
        raise SettingsError("at least one group", f"groups={settings.groups}", where="--groups")
    if settings.resolutions and not settings.styles:
        raise SettingsError("a style to show pictures in at a resolution", "none", where="--resolution",
                            fix="add --restyle grayscale, or another style")  # fmt: skip
    if not settings.styles and settings.occluding is None and settings.rephrasing is None:
        raise SettingsError(
            "something to vary", "nothing", where="--occlude, --restyle, --rephrase",
            fix="add one of them; 'answerable build variations --help' says what each needs",
        )  # fmt: skip
    if settings.occluding is not None:
        settings.occluding.shares()
    if settings.rephrasing is not None:
        settings.rephrasing.check()


def build(
    settings: VariationSettings,
    sources: Iterable[VarySource],
    styles: Iterable[Style],
    wording: Wording,
    out: Path,
    executor: Executor,
    *,
    name: str = "variations",
    licence: str = "",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder.

    Args:
        sources: in the order in which their groups are stored; they put their questions alike.
        styles: for the ledger.
        wording: that of the sources, for the ledger.
        out: a new or empty folder.
        licence: of the groups; empty for the sources'.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept, or the settings cannot be met.
        SourceError: a style's file changed meanwhile.
    """
    check_settings(settings)
    every = tuple(sources)
    most = sum(source.count() for source in every)
    tally, kinds = Tally(max(1, min(most, settings.groups or most)), 0), Counter[str]()
    # Only of what was settled: how far a source is read ahead depends on who works.
    told: list[Told] = []
    with BenchmarkWriter(out) as writer:
        tasks = (task for source in every for task in source.jobs())
        for job, result, more in executor.map(_attempt, tasks):
            if tally.full():
                break
            told += more
            draft = tally.settle(job, result)
            if draft is not None:
                writer.add(draft.group, draft.images, draft.proof)
                kinds.update(view.topic for view in draft.group.views if view.topic)
                on_kept()
        if not writer.groups:
            raise SettingsError(
                "questions or photos that give at least one group",
                f"none; refused: {dict(sorted(tally.refused.items())) or 'nothing was there'}",
                fix="see the reasons; 'answerable build variations --help' says what is needed",
            )
        notes = _notes(every, styles, wording.notes(told), kinds)
        manners = every[0].manners
        manifest = new_manifest(
            name, {"variations": settings, "source": notes}, _licence(licence, every),
            prompt=manners.prompt, reader=manners.reader, metrics=manners.metrics,
        )  # fmt: skip
        ledger = tally.ledger("variations", notes)
        return writer.finish(manifest, ledger, card(manifest, ledger, writer)), ledger


def _notes(
    sources: tuple[VarySource, ...], styles: Iterable[Style], words: tuple[str, ...], kinds: Counter[str]
) -> tuple[str, ...]:  # fmt: skip
    drawn = [style.words() for style in styles]
    return (
        *(line for source in sources for line in source.describe()),
        *drawn,
        *([_versions()] if any(not line.endswith("luminance") for line in drawn) else []),
        *words,
        "views by what they vary: " + ", ".join(f"{topic} {count}" for topic, count in sorted(kinds.items())),
    )


def _versions() -> str:
    """Networks are the same on one kind of processor and one version; others may round another way."""
    from importlib.metadata import version

    return f"networks run by onnxruntime {version('onnxruntime')}, one thread of the CPU"


def _licence(given: str, sources: tuple[VarySource, ...]) -> str:
    if given:
        return check_licence(given)
    return "; ".join(dict.fromkeys(source.manners.licence for source in sources))
