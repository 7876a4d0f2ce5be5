"""Where two readers read the same replies differently: counts of what each made of them, and examples.

The second reader changes no score. It reads what the first one read, the first turn of two, before any judge.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from answerable.core.errors import SettingsError
from answerable.core.records import Group, View
from answerable.core.runlog import Reply
from answerable.core.scores import ReadingComparison, ReadingCounts, ReadingExample
from answerable.score.compare_answers import answer_key
from answerable.score.metrics.tubench import DATA_SETS
from answerable.score.readers import READERS
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reader, Reading

#: Reader that matches as a paper did -> the strict reader that it stands beside.
STRICT: Final[Mapping[str, str]] = {
    "mcq-published": "mcq",
    "choice-published": "mcq",
    "yes-no-published": "yes-no",
}
#: The published reader for TUBench's questions, by the strict one.
_OF_TUBENCH: Final = {"mcq": "choice-published", "yes-no": "yes-no-published"}
#: Examples of one difference in one run and source, and of all differences there.
_EACH, _MOST = 3, 24
#: Characters of a reply that an example shows.
_SHOWN = 400


def partner(reader: str, groups: Iterable[Group]) -> str | None:
    """The reader that replies are also read by when nobody names one.

    A published reader stands beside its strict one. A strict reader of TUBench's questions, and of nothing else, stands
    beside the published one; others beside none.
    """
    if reader in STRICT:
        return STRICT[reader]
    topics = {view.topic for group in groups for view in group.views}
    return _OF_TUBENCH.get(reader) if topics and topics <= set(DATA_SETS) else None


def second_reader(against: str | None, reader: str, groups: Iterable[Group]) -> Reader | None:
    """The reader to compare with; None when there is none.

    Args:
        against: its name; None for the one that the first reader stands beside; ``none`` for no comparison.
        reader: name of the reader that scores.

    Raises:
        SettingsError: there is no such reader, or it is the one that scores.
    """
    if against == "none":
        return None
    if against == reader:
        raise SettingsError(f"another reader than {reader!r}", f"against={against!r}", "--against")
    name = against or partner(reader, groups)
    return None if name is None else READERS.load(name)


def word_of(reading: Reading, item: Item) -> str:
    """A reading in few words: a label of the question, ``answered``, ``no answer``, ``abstained`` or ``invalid``."""
    match reading:
        case Abstained():
            return "abstained"
        case Invalid():
            return "invalid"
        case Answered(None):
            return "no answer"
        case Answered(text):
            return text if text is not None and (text in item.options or text in ("Yes", "No")) else "answered"


def alike(one: Reading, other: Reading) -> bool:
    """Whether two readings say the same, whatever rule decided."""
    if isinstance(one, Answered) and isinstance(other, Answered):
        return answer_key(one.text) == answer_key(other.text)
    return type(one) is type(other)


class Differences:
    """What a second reader makes of one run's replies. Takes memory for the counts and a bounded list of examples.

    Args:
        run: name of the run.
        reader: the second reader.
        source_of: view id -> key of its source in the scores.
    """

    def __init__(self, run: str, reader: Reader, source_of: Mapping[str, str]) -> None:
        self._run, self._reader, self._source_of = run, reader, source_of
        self._counts: Counter[tuple[str, str, str, str, str, bool]] = Counter()
        self._examples: dict[tuple[str, str, str], list[tuple[int, int, ReadingExample]]] = {}

    def add(self, row: int, view: View, item: Item, reply: Reply, reading: Reading) -> None:
        """Count one reply; ``row`` is the view's place in the benchmark."""
        other = self._reader.read(reply.text, reply.status, item)
        source, same = self._source_of[view.id], alike(reading, other)
        words = (word_of(reading, item), word_of(other, item))
        self._counts[(source, view.topic, view.ability, *words, same)] += 1
        if same:
            return
        kept = self._examples.setdefault((source, *words), [])
        if len(kept) < _EACH or (row, reply.repeat) < kept[-1][:2]:
            insort(kept, (row, reply.repeat, self._example(source, view, reply, words, (reading, other))))
            del kept[_EACH:]

    def _example(
        self, source: str, view: View, reply: Reply, words: tuple[str, str], readings: tuple[Reading, Reading]
    ) -> ReadingExample:
        text = reply.text or ""
        return ReadingExample(
            run=self._run, source=source, view=view.id, repeat=reply.repeat, ability=view.ability,
            said=text[:_SHOWN], length=len(text),
            reading=words[0], rule=readings[0].rule, against=words[1], against_rule=readings[1].rule,
        )  # fmt: skip

    def counts(self) -> list[ReadingCounts]:
        """For each source the whole, then each topic and ability."""
        parts: dict[tuple[str, str | None, str], Counter[tuple[str, str, bool]]] = {}
        for (source, topic, ability, *rest), count in sorted(self._counts.items()):
            first, second, same = str(rest[0]), str(rest[1]), bool(rest[2])
            parts.setdefault((source, None, ""), Counter())[first, second, same] += count
            parts.setdefault((source, topic, ability), Counter())[first, second, same] += count
        order = sorted(parts, key=lambda part: (part[0], part[1] is not None, part[1] or "", len(part[2]), part[2]))
        return [self._part(part, parts[part]) for part in order]

    def _part(self, part: tuple[str, str | None, str], cells: Counter[tuple[str, str, bool]]) -> ReadingCounts:
        matrix: dict[str, dict[str, int]] = {}
        for (first, second, _), count in sorted(cells.items()):
            row = matrix.setdefault(first, {})
            row[second] = row.get(second, 0) + count
        return ReadingCounts(
            run=self._run, source=part[0], topic=part[1], ability=part[2], replies=cells.total(),
            alike=sum(count for (_, _, same), count in cells.items() if same), read_as=matrix,
        )  # fmt: skip

    def examples(self) -> list[ReadingExample]:
        """The first replies of each difference, in the order of the benchmark."""
        by_source: dict[str, list[tuple[int, int, ReadingExample]]] = {}
        for (source, *_), kept in sorted(self._examples.items()):
            by_source.setdefault(source, []).extend(kept)
        return [example for kept in by_source.values() for _, _, example in sorted(kept, key=lambda at: at[:2])[:_MOST]]


def comparison(reader: Reader, second: Reader | None, found: Sequence[Differences | None]) -> ReadingComparison | None:
    """What both readers made of all runs; None without a second one."""
    if second is None:
        return None
    runs = [differences for differences in found if differences is not None]
    return ReadingComparison(
        reader=f"{reader.name} {reader.version}", against=f"{second.name} {second.version}", against_rules=second.rules,
        counts=tuple(part for run in runs for part in run.counts()),
        examples=tuple(example for run in runs for example in run.examples()),
    )  # fmt: skip
