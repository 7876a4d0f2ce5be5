"""``consistency.json``: how far replies agree over variants of one question, and over repeats of the same input.

``score`` writes it, ``report`` draws it; neither knows the other. A variant says what it varies in fields that every
view has: ``topic`` is the variation, ``ability`` the kind within it (``style=candy;resolution=640``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from answerable.core.errors import BenchmarkError
from answerable.core.records import Record, View
from answerable.core.scores import PairDifference

FORMAT = 1
CONSISTENCY = "consistency.json"
#: What a variant varies, as its ``topic``; a view with any other topic is no variant.
VARIATIONS = {
    "rephrase": "the question in other words",
    "restyle": "the picture in another style",
    "occlude": "the object hidden by a mask",
}
#: A pair of replies agrees when its similarity is above this (MM-R3, section 3.2).
THRESHOLD = 0.7
_PAIR = re.compile(r"([^=;\s][^=;]{0,39})=([^=;]{1,80})")

#: ``variants``: pairs of replies to different variants, within a repeat; ``sampling``: pairs of repeats of one input.
Structure = Literal["variants", "sampling"]
STRUCTURES: tuple[Structure, ...] = ("variants", "sampling")
#: ``every`` reply; or only those that are wrong (the paper's failure cases).
Which = Literal["every", "failures"]
#: Measures in the order of tables; all but ``distinct`` are shares or similarities.
MEASURES = ("Acc", "S_GT", "Con", "S_C", "O_all", "Con_strict", "Con_whole", "S_worst", "distinct")
#: What splits a source: all of it, its originals, its variations, whether the picture determines the answer. Any other
#: facet is a name from ``ability``.
ALL, ORIGINAL, TOPIC, DETERMINED = "all", "original", "variation", "determined"
FACETS = (ALL, ORIGINAL, TOPIC, DETERMINED)


class Measure(Record, frozen=True):
    """A mean over items: ``value = numerator / denominator``."""

    value: float | None
    """None when no item has it: undefined, not 0."""
    numerator: float
    """The sum of the items' values."""
    denominator: int
    """Items that have a value."""
    interval: tuple[float, float] | None = None
    """95 % percentile interval of the bootstrap over whole groups."""
    wilson: tuple[float, float] | None = None
    """95 % Wilson interval, given when a share is 0 or 1 and the bootstrap interval has no width."""


class Counts(Record, frozen=True):
    """What the measures of a part rest on, and what is undefined."""

    items: int
    """Items with a reply due."""
    replies: int
    """Replies due."""
    read: int
    """Of those, the ones that give a text to compare."""
    abstained: int
    """Of those, the ones that abstain: they agree with each other and with no answer."""
    gaps: dict[str, int]
    """Of those, the others, which are never compared, by why."""
    pairs: int
    """Pairs of replies due."""
    undefined_pairs: int
    """Of those, the ones with a gap."""
    items_without_pairs: int
    """Items in which no pair can be compared: their consistency is undefined."""


class Part(Record, frozen=True):
    """One run on some views of a source."""

    facet: str
    """``all``, ``original``, ``variation``, ``determined``, or what was varied, such as ``style``."""
    value: str
    """Which one, such as ``candy``; empty for ``all`` and ``original``."""
    structure: Structure
    which: Which
    counts: Counts
    measures: dict[str, Measure]
    """By ``MEASURES``; ``Con_within`` and ``S_C_within`` besides where pairs need only one side in the part."""


class SourceConsistency(Record, frozen=True):
    """One run on one source (and one evidence level, when a source mixes levels)."""

    source: str
    level: str
    groups: int
    items: int
    """Sets of views with the same obligation; most groups are one item."""
    parts: tuple[Part, ...]

    def part(self, facet: str = ALL, value: str = "", structure: str = "variants", which: str = "every") -> Part | None:
        """The part of this name, if there is one."""
        key = (facet, value, structure, which)
        return next((part for part in self.parts if key == (part.facet, part.value, part.structure, part.which)), None)


class RunConsistency(Record, frozen=True):
    """One run."""

    name: str
    model: str
    provider: str
    prompt: str
    control: str
    temperature: float | None
    """None when none was sent."""
    repeats: int
    expected: int
    """Replies the run should hold (views x repeats)."""
    replied: int
    failed: int
    not_run: int
    sources: dict[str, SourceConsistency]


class ShownReply(Record, frozen=True):
    """One reply of the gallery."""

    text: str
    """Its beginning; empty for an abstention and for a gap."""
    length: int
    """Characters of the whole text."""
    said: str
    """``answered``, ``abstained``, or why there is nothing to compare."""
    right: bool | None
    """None where there is no ground truth."""


class ShownRun(Record, frozen=True):
    """One run on one item of the gallery."""

    run: str
    replies: tuple[ShownReply, ...]
    """In the order of the item's views; of the first repeat."""
    similarity: tuple[tuple[float | None, ...], ...]
    """Between these replies; None where one of them cannot be compared. Symmetric, 1 on its diagonal."""


class ShownView(Record, frozen=True):
    """One view of the gallery."""

    view: str
    variation: str
    """Empty for the original."""
    kind: str
    question: str


class ShownItem(Record, frozen=True):
    """One item of the gallery."""

    group: str
    source: str
    target: str
    """What a reply must say; empty where it must abstain."""
    views: tuple[ShownView, ...]
    more: int
    """Views that are not shown."""
    runs: tuple[ShownRun, ...]


class Stripped(Record, frozen=True):
    """What is taken out of replies before they are compared."""

    variations: tuple[str, ...]
    """Only in replies to these."""
    phrases: tuple[str, ...]
    """Taken out first."""
    words: tuple[str, ...]


class Embedding(Record, frozen=True):
    """What similarity is."""

    name: str
    """As it was asked for."""
    model: str
    """Digest of the model's files; empty without a model."""
    words: str
    """What it is, for people."""


class Consistency(Record, frozen=True):
    """``consistency.json``."""

    format: int
    benchmark: str
    benchmark_fingerprint: str
    split: str
    draws: int
    seed: int
    reader: str
    """Name and version of the reader that says what a reply answers."""
    embedding: Embedding
    threshold: float
    published: bool
    """Whether a reply is right when the ground truth is any substring of it, as in the paper."""
    with_original: bool
    """Whether the original stands among the variants that are compared; in the paper it does not."""
    stripped: Stripped
    definitions: dict[str, str]
    runs: tuple[RunConsistency, ...]
    pairs: tuple[PairDifference, ...]
    """Differences of runs over all variants, drawn together."""
    gallery: tuple[ShownItem, ...]
    notes: tuple[str, ...] = ()


def is_variant(view: View) -> bool:
    """Whether the view varies another one."""
    return view.topic in VARIATIONS


def kinds_of(view: View) -> dict[str, str]:
    """What is particular to a variant: ``style=candy;resolution=640`` -> name and value, in that order.

    Raises:
        BenchmarkError: the ability of a variant says something else, or a name comes twice.
    """
    if not is_variant(view) or not view.ability:
        return {}
    found: dict[str, str] = {}
    for part in view.ability.split(";"):
        match = _PAIR.fullmatch(part)
        if match is None or match[1] in found or match[1] in FACETS:
            raise BenchmarkError(
                "the ability of a variant as name=value pairs joined by ';', each name once",
                f"ability={view.ability[:120]!r}",
                where=f"view {view.id}",
                fix="build the benchmark again with a builder that writes 'style=candy;resolution=640'",
            )
        found[match[1]] = match[2]
    return found


def kinds_text(kinds: Mapping[str, str]) -> str:
    """The ability of a variant: names and values in the order given.

    Raises:
        ValueError: a name or value could not be read back.
    """
    parts = [f"{name}={value}" for name, value in kinds.items()]
    for part in parts:
        if _PAIR.fullmatch(part) is None:
            raise ValueError(f"expected a short name and value without '=' and ';'; got {part!r}")
    return ";".join(parts)


def headline(measures: Mapping[str, Measure]) -> tuple[float, float] | None:
    """Correctness and consistency: the means that ``O_all`` is the harmonic mean of; None where one is undefined."""
    values = [measures[name].value if name in measures else None for name in ("Acc", "S_GT", "Con", "S_C")]
    acc, truth, con, alike = values
    if acc is None or truth is None or con is None or alike is None:
        return None
    return (acc + truth) / 2, (con + alike) / 2
