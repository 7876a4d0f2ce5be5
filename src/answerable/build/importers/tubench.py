"""TUBench to a benchmark folder: pairs of published questions become groups.

Source: "TUBench: Benchmarking Large Vision-Language Models on Trustworthiness with Unanswerable Questions", section 3.
The labels are the annotators'; nothing is proved, and every view names its strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from answerable.build.importers.items import STRATEGIES, Item
from answerable.build.importers.tubench_sets import SETS, comparison, instruction_of, open_set, topic_of
from answerable.build.importers.writing import METRICS, PROMPT, Plan, write
from answerable.core.benchmark import Ledger, Manifest
from answerable.core.choices import lettered
from answerable.core.codec import digest, digest_bytes
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import STATES, Abstain, Answer, Evidence, Group, Obligation, Record, Refusal, State, View
from answerable.domains.draft import Draft
from answerable.domains.raster.images import inspect

__all__ = ["METRICS", "PROMPT", "Imported", "TubenchSettings", "build", "make_group", "read", "reader_of"]

LICENCE = "MIT (TUBench); pictures under the terms of MSCOCO, GeoQA and TabMWP"


class TubenchSettings(Record, frozen=True):
    """What decides every byte, together with the files."""

    set: str
    language: str = ""
    """Of the questions that are read; empty takes each row as it is."""


class Imported(msgspec.Struct, frozen=True):
    """What a folder gave."""

    settings: TubenchSettings
    groups: tuple[tuple[Item, ...], ...]
    """The items of each pair, in the order of the source."""
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]
    """What was read, and how it compares with the published counts."""


def reader_of(groups: Sequence[Sequence[Item]]) -> str:
    """The reader for these questions."""
    return "mcq" if groups and groups[0][0].options else "yes-no"


def read(given: Path, name: str | None = None, language: str | None = None) -> Imported:
    """Read a set.

    Args:
        given: its folder, or the one around it.
        name: of the set; None recognises it.
        language: of the questions; None takes the one of the published results.

    Raises:
        SourceError: the folder is none of the sets, or names something twice.
        SettingsError: there is no such set, or the set has no such language.
    """
    name, folder = open_set(given, name)
    known = SETS[name].languages
    if language is not None and language not in known:
        raise SettingsError(
            f"a language of the set {name}: {', '.join(filter(None, known))}", repr(language), where="--language"
        )
    language = known[0] if language is None else language
    found = list(SETS[name].read(folder, language))
    items = [item for item in found if isinstance(item, Item)]
    refused = tuple(item for item in found if isinstance(item, Refusal))
    if len({bool(item.options) for item in items}) > 1:
        raise SourceError(
            "questions of one kind", "some with choices and some without", where=str(folder.root),
            fix="one reader reads a benchmark: put the rows with choices into a file of their own",
        )  # fmt: skip
    pairs: dict[str, list[Item]] = {}
    for item in items:
        pairs.setdefault(item.pair, []).append(item)
    groups = tuple(tuple(pair) for pair in pairs.values())
    notes = (*folder.describe(), comparison(name, items), *_lonely(groups))
    return Imported(TubenchSettings(set=name, language=language), groups, refused, notes)


def _lonely(groups: tuple[tuple[Item, ...], ...]) -> tuple[str, ...]:
    counts = {
        "without an answerable view": sum(all(item.answer is None for item in group) for group in groups),
        "without an unanswerable view": sum(all(item.answer is not None for item in group) for group in groups),
    }
    return tuple(f"groups {what}: {count}" for what, count in counts.items() if count)


def annotated(item: Item) -> Evidence:
    """That annotators say so: which item, and what they did, for people."""
    return Evidence(level="annotated", note=f"{note_of(item)}; labelled by the annotators")


def make_group(
    name: str, items: tuple[Item, ...], source: str = "", evidence: Callable[[Item], Evidence] = annotated
) -> Draft:
    """The group of a pair's items.

    The first answerable item is F, and so is every other on its picture. On another picture an answerable item is K
    when something irrelevant is hidden there, S when its answer is that of F, else C. Unanswerable items are M.

    Args:
        name: of the set, which says how questions are put.
        source: of the group; empty for the published set's own.
        evidence: who vouches for an item. It is no part of what makes the group and its views what they are, so that
            a group keeps its id when it was reviewed.
    """
    source = source or f"tubench-{name}"
    content = digest(
        ["tubench", name, [[item.question, item.options, item.answer, digest_bytes(item.image)] for item in items]]
    )
    group = digest(["group", source, items[0].pair, content])[:20]
    first = next((item for item in items if item.answer is not None), None)
    made = [(_view(name, source, group, item, _state(item, first), evidence(item)), item.image) for item in items]
    order = list(STATES)
    made.sort(key=lambda one: order.index(one[0].state))
    return Draft(
        group=Group(id=group, source=source, split="test", views=tuple(view for view, _ in made)),
        images=tuple(image for _, image in made),
        proof=None,
        content=content,
    )


def _state(item: Item, first: Item | None) -> State:
    if item.answer is None or first is None:
        return "M"
    if item.image == first.image:
        return "F"
    if item.masked:
        return "K"
    return "S" if item.answer == first.answer else "C"


def _view(name: str, source: str, group: str, item: Item, state: State, evidence: Evidence) -> View:
    strategy = STRATEGIES.get(item.strategy)
    duty: Obligation = Abstain(reason=strategy.reason if strategy else "missing")
    if item.answer is not None:
        duty = Answer(target=item.answer, type="text")
    facts = inspect(item.image)
    mark = digest_bytes(item.image)
    return View(
        id=digest(["view", group, item.id])[:24],
        group=group,
        source=source,
        split="test",
        figure=f"{source}-{mark[:16]}",
        state=state,
        question=item.question,
        obligation=duty,
        evidence=evidence,
        image_sha256=mark,
        width=facts.width,
        height=facts.height,
        options=lettered(item.options),
        instruction=instruction_of(name, item),
        ability=item.strategy,
        topic=topic_of(name, item),
    )


def note_of(item: Item) -> str:
    """Which item, and what was done to it, for people."""
    strategy = STRATEGIES.get(item.strategy)
    if item.masked:
        done = "an irrelevant cell occluded"
    elif item.answer is not None:
        done = f"answerable{f', beside {item.strategy}' if strategy else ''}"
    else:
        done = f"{item.strategy}: {strategy.words}" if strategy else "unanswerable; the strategy is not said"
    return f"item {item.id[:80]}; {done}"


def build(
    imported: Imported,
    out: Path,
    *,
    name: str = "tubench",
    decisions: Decisions | None = None,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder.

    Args:
        out: a new or empty folder.
        decisions: of reviewers; dropped and disputed groups are left out and counted.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept.
    """
    which = imported.settings.set
    plan = Plan(
        domain="tubench",
        source=f"tubench-{which}",
        settings=imported.settings,
        groups=len(imported.groups),
        drafts=(make_group(which, items) for items in imported.groups),
        refused=imported.refused,
        notes=lambda: (f"layout {which}", *imported.notes),
        licence=LICENCE,
        reader=reader_of(imported.groups),
    )
    return write(plan, out, name=name, decisions=decisions, on_kept=on_kept)
