"""The sets of TUBench: how each is read and asked, how a folder is recognised, and what was published of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from answerable.build.importers import (
    tubench_hf,
    tubench_ucr,
    tubench_ugeoqa,
    tubench_utabmwp,
    tubench_uvqa,
)
from answerable.build.importers.items import Folder, Item, numbered
from answerable.build.sources.mcq import UnusableError
from answerable.core import instructions
from answerable.core.codec import digest_bytes
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Record, Refusal

#: Folders that are looked into to recognise a set.
_LOOK = 50
_CHANGED = re.compile(r"[0-9]{1,9}_u[0-9]{1,3}\.(png|txt)")


class Published(Record, frozen=True):
    """Counts of a whole set."""

    answerable: int
    unanswerable: int
    images: int
    strategies: dict[str, int]
    """Unanswerable questions by strategy."""


class Set(msgspec.Struct, frozen=True):
    """One data set."""

    title: str
    read: Callable[[Folder, str], Iterator[Item | Refusal]]
    instruction: str
    """Said after the question and its options; the published prompt."""
    languages: tuple[str, ...] = ("en",)
    """The first is read when none is named."""
    published: Published | None = None


#: Table 1, the statistics of appendix A (unique images), and the table of strategies there.
SETS: dict[str, Set] = {
    "ucr": Set(
        title="UCR", read=tubench_ucr.items, instruction=instructions.UCR,
        published=Published(
            answerable=266, unanswerable=214, images=80, strategies={"S.1": 46, "S.2": 78, "S.3": 90}
        ),
    ),
    "uvqa": Set(
        title="UVQA", read=tubench_uvqa.items, instruction=instructions.UVQA,
        published=Published(
            answerable=250, unanswerable=250, images=107,
            strategies={"S.4": 34, "S.5": 61, "S.6": 58, "S.7": 12, "S.8": 85},
        ),
    ),
    "ugeoqa": Set(
        title="UGeoQA", read=tubench_ugeoqa.items, instruction=instructions.UGEOQA, languages=tubench_ugeoqa.LANGUAGES,
        published=Published(answerable=487, unanswerable=487, images=487, strategies={"S.9": 487}),
    ),
    "utabmwp": Set(
        title="UTabMWP", read=tubench_utabmwp.items, instruction=instructions.UTABMWP,
        published=Published(answerable=200, unanswerable=200, images=400, strategies={"S.10": 200}),
    ),
    # Rows may be of any set; where none is said, those with choices are asked like UGeoQA's, the others like UVQA's.
    "hf": Set(title="metadata.jsonl", read=tubench_hf.items, instruction="", languages=("", "zh", "en")),
}  # fmt: skip


def instruction_of(name: str, item: Item) -> str:
    """What is said after an item's question."""
    of = SETS.get(item.topic.casefold(), SETS[name])
    return of.instruction or (instructions.UGEOQA if item.options else instructions.UVQA)


def topic_of(name: str, item: Item) -> str:
    """The data set of an item by its published name, which decides the scores it gets; else what its row says."""
    named = SETS.get(item.topic.casefold())
    return named.title if named else item.topic or SETS[name].title


def open_set(given: Path, name: str | None) -> tuple[str, Folder]:
    """The set that a folder holds, and the folder that holds it, which may be one inside.

    Args:
        name: of the set, when it was said.

    Raises:
        SourceError: there is no folder, or it holds none of the sets, or several.
        SettingsError: there is no set of that name.
    """
    if name is not None and name not in SETS:
        raise SettingsError(f"one of {', '.join(SETS)}", repr(name), where="--set")
    if not given.is_dir():
        raise SourceError("a folder", f"{given}, which is {'no folder' if given.exists() else 'not there'}", "--from")
    inner = {child.name.casefold(): child for child in _children(given)}
    if name is not None:
        return name, Folder(inner.get(name, given))
    found = dict.fromkeys(_kinds(Folder(given)), given) | {key: inner[key] for key in SETS if key in inner}
    if len(found) == 1:
        ((key, place),) = found.items()
        return key, Folder(place)
    raise SourceError(
        f"a folder of one set of TUBench ({', '.join(SETS)})",
        f"one that looks like {' and '.join(sorted(found))}" if found else "one that looks like none of them",
        where=str(given), fix=f"say which: --set {' or --set '.join(sorted(found) or SETS)}",
    )  # fmt: skip


def _children(given: Path) -> list[Path]:
    folder = Folder(given)
    found = [given / name for name in folder.names() if name.casefold() in SETS and (given / name).is_dir()]
    return [path for path in found if path.resolve().is_relative_to(given.resolve())]


def _kinds(folder: Folder) -> set[str]:
    """The sets that the first numbered folders look like, by their files; of JSON, by its fields."""
    names = folder.names()
    found = {"hf"} if tubench_hf.FILE in names else set()
    for place in [name for name in names if numbered(name) and (folder.root / name).is_dir()][:_LOOK]:
        try:
            files = folder.names(place)
            changed = {match[1] for match in map(_CHANGED.fullmatch, files) if match}
            if tubench_uvqa.QUESTIONS in files:
                found.add("uvqa")
            elif "txt" in changed or f"{place}.txt" in files or "1.txt" in files:
                found.add("ucr")
            elif f"{place}.json" in files:
                found |= _by_fields(folder, f"{place}/{place}.json")
        except UnusableError:
            # A folder that cannot be read says nothing of the set; reading the set counts it.
            continue
    return found


def _by_fields(folder: Folder, name: str) -> set[str]:
    fields = folder.fields(name)
    geometry = any(field in fields for both in tubench_ugeoqa.FIELDS.values() for field in both)
    return {"ugeoqa"} if geometry else {"utabmwp"} if "question" in fields else set()


def comparison(name: str, items: Iterable[Item]) -> str:
    """A line for the ledger: the questions kept, beside the published counts.

    Controls, in which something irrelevant is hidden, are in none of the published counts.
    """
    kept = [item for item in items if not item.masked]
    published = SETS[name].published
    # A screenshot that several items share counts once; equal files in two places, too.
    ours = Published(
        answerable=sum(item.answer is not None for item in kept),
        unanswerable=sum(item.answer is None for item in kept),
        images=len({digest_bytes(item.image) for item in kept}),
        strategies=dict(Counter(item.strategy for item in kept if item.answer is None and item.strategy)),
    )
    said = f"questions read: {ours.answerable} answerable, {ours.unanswerable} unanswerable, {ours.images} images"
    if published is None:
        return f"{said}; nothing is published of this form"
    whole = f"published: {published.answerable}, {published.unanswerable}, {published.images}"
    if ours == published:
        return f"{said}; as published, strategies too"
    if len(kept) < published.answerable + published.unanswerable:
        return f"{said}; part of the set ({whole})"
    counts = ", ".join(f"{key} {ours.strategies.get(key, 0)} of {due}" for key, due in published.strategies.items())
    return f"{said}; differs ({whole}; {counts})"
