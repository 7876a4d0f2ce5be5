"""What a report draws of a second reader: how many replies the two read differently, as what, and examples."""

from __future__ import annotations

from answerable.core.records import Record
from answerable.core.scores import ReadingExample, Scores
from answerable.report.cells import heat_step

#: Name endings of readers that match as a paper did.
_PUBLISHED = "-published"


class CountRow(Record, frozen=True):
    """One part of one run."""

    run: str
    part: str
    """``all``, or the data set and the strategy."""
    replies: int
    alike: int
    differ: int
    step: int
    """0 (none differs) to 10 (all do)."""
    as_words: tuple[str, ...]
    """``B read as abstained: 3`` for each pair of readings that differ, the most frequent first."""


class SourceReadings(Record, frozen=True):
    """One source."""

    source: str
    rows: tuple[CountRow, ...]
    examples: tuple[ReadingExample, ...]


class Readings(Record, frozen=True):
    """The section on two readers."""

    heading: str
    reader: str
    """That of the scores."""
    against: str
    rules: str
    """Those of the other reader."""
    sources: tuple[SourceReadings, ...]


def readings(scores: Scores) -> Readings | None:
    """What the section draws; None where one reader read alone."""
    found = scores.readings
    if found is None:
        return None
    published = sum(name.split(" ")[0].endswith(_PUBLISHED) for name in (found.reader, found.against)) == 1
    sources = dict.fromkeys(part.source for part in found.counts)
    return Readings(
        heading="Where strict and published reading differ" if published else "Where two readers differ",
        reader=found.reader, against=found.against, rules=found.against_rules,
        sources=tuple(
            SourceReadings(
                source=source,
                rows=tuple(
                    CountRow(
                        run=part.run, part=_part(part.topic, part.ability), replies=part.replies, alike=part.alike,
                        differ=part.replies - part.alike,
                        step=heat_step((part.replies - part.alike) / part.replies if part.replies else None),
                        as_words=_as_words(part.read_as),
                    )
                    for part in found.counts
                    if part.source == source
                ),
                examples=tuple(example for example in found.examples if example.source == source),
            )
            for source in sources
        ),
    )  # fmt: skip


def _part(topic: str | None, ability: str) -> str:
    if topic is None:
        return "all"
    return " · ".join(filter(None, (topic, ability))) or "no strategy named"


def _as_words(read_as: dict[str, dict[str, int]]) -> tuple[str, ...]:
    pairs = [
        (count, one, other)
        for one, others in read_as.items()
        for other, count in others.items()
        if one != other and count
    ]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    return tuple(f"{one} → {other}: {count:,}" for count, one, other in pairs)
