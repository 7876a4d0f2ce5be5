"""What an author should look at before questions are used: counts that lean, and words that give labels away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

from answerable.build.importers.items import STRATEGIES, Item
from answerable.build.sources.mcq import folded
from answerable.core.codec import digest_bytes
from answerable.core.records import Record

#: Strategies of questions on photos.
PHOTO_STRATEGIES = ("S.4", "S.5", "S.6", "S.7", "S.8")
#: Questions that must begin alike before that is said.
TELLING = 5
#: Words of the longest beginning that is looked at.
WORDS = 3
_WORD = re.compile(r"\w+(?:['’]\w+)*")


class Finding(Record, frozen=True):
    """One thing found."""

    level: Literal["error", "warning", "note"]
    """``error``: a row that is left out; ``warning``: the set leans; ``note``: worth a look."""
    what: str
    detail: str


def balance(items: Sequence[Item], limit: Fraction) -> Iterable[Finding]:
    """Warnings where one side has more than ``limit`` times as many questions as the other."""
    answers = Counter("unanswerable" if item.answer is None else item.answer for item in items)
    answerable = answers["Yes"] + answers["No"]
    sides = (("Yes", answers["Yes"], "No", answers["No"]),
             ("answerable", answerable, "unanswerable", answers["unanswerable"]))  # fmt: skip
    for first, many, second, few in sides:
        if max(many, few) > limit * min(many, few):
            counts = f"{first} {many}, {second} {few}: more than {float(limit):g} to 1"
            yield Finding("warning", "unbalanced answers", counts)
    used = Counter(item.strategy for item in items if item.answer is None)
    counts = ", ".join(f"{code} {used[code]}" for code in PHOTO_STRATEGIES)
    absent = [code for code in PHOTO_STRATEGIES if not used[code]]
    if used and absent:
        names = "; ".join(f"{code}: {STRATEGIES[code].words}" for code in absent)
        yield Finding("warning", "strategies without a question", f"{names} ({counts})")
    there = [used[code] for code in PHOTO_STRATEGIES if used[code]]
    if there and max(there) > limit * min(there):
        yield Finding("warning", "unbalanced strategies", f"{counts}: more than {float(limit):g} to 1")


def counts_of(items: Sequence[Item]) -> str:
    """The counts of a set in one line."""
    answers = Counter("Unanswerable" if item.answer is None else item.answer for item in items)
    used = Counter(item.strategy for item in items if item.answer is None)
    said = [f"{name} {answers[name]}" for name in ("Yes", "No", "Unanswerable")]
    return ", ".join([*said, *(f"{code} {used[code]}" for code in PHOTO_STRATEGIES)])


def tell_tales(items: Sequence[Item]) -> Iterable[Finding]:
    """Beginnings of questions that have one label always, though the set has others: a cue that needs no picture.

    A longer beginning is said only where it is more than its shorter one.
    """
    labels = {item.answer for item in items}
    begun: list[dict[str, list[Item]]] = [{"": list(items)}]
    for size in range(1, WORDS + 1):
        begun.append({})
        for item in items:
            words = _WORD.findall(folded(item.question))[:size]
            if len(words) == size:
                begun[size].setdefault(" ".join(words), []).append(item)
        for beginning, same in sorted(begun[size].items()):
            shorter = begun[size - 1][" ".join(beginning.split(" ")[:-1])]
            if len(same) >= TELLING and (size == 1 or len(shorter) > len(same)):
                yield from _telling(beginning, same, labels)


def _telling(beginning: str, same: Sequence[Item], labels: set[str | None]) -> Iterable[Finding]:
    answers = {item.answer for item in same}
    if len(answers) == 1 and len(labels) > 1:
        label = next(iter(answers)) or "Unanswerable"
        detail = f"{beginning!r}: {len(same)} of {len(same)} questions are {label}"
        yield Finding("note", "a beginning that gives the label away", detail)
    elif None in labels and None not in answers:
        yield Finding(
            "note", "a beginning that is always answerable", f"{beginning!r}: {len(same)} of {len(same)} questions"
        )


def repeated(items: Sequence[Item]) -> Iterable[Finding]:
    """Questions asked of several pictures, and pictures that are there under several names."""
    said: dict[str, list[Item]] = {}
    shown: dict[str, dict[str, None]] = {}
    for item in items:
        said.setdefault(folded(item.question), []).append(item)
        shown.setdefault(digest_bytes(item.image), {})[item.pair] = None
    for same in said.values():
        if len(same) > 1:
            answers = Counter(item.answer or "Unanswerable" for item in same)
            counts = ", ".join(f"{label} {count}" for label, count in sorted(answers.items()))
            yield Finding("note", "a question of several pictures", f"{same[0].question[:80]!r}: {counts}")
    for names in shown.values():
        if len(names) > 1:
            yield Finding("note", "one picture under several names", ", ".join(list(names)[:5]))
