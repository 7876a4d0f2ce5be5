"""Made-up tables that look like real ones: a topic, its words, plausible values."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.seeds import Stream
from answerable.domains.table.cells import Field
from answerable.domains.table.vocabulary import ORDERED, PLACES, POOLS, TOPICS, Spec, Topic
from answerable.domains.table.world import TableWorld

#: Rows and columns of a made-up table.
LEAST_ROWS, MOST_ROWS, MOST_COLUMNS = 4, 9, 4


def sample_world(stream: Stream, styles: tuple[str, ...]) -> TableWorld:
    """One table, in one of these styles."""
    topic = stream.pick(TOPICS)
    rows = _some(topic.rows, LEAST_ROWS, MOST_ROWS, stream)
    fields = _across(topic, stream) if topic.across else _mixed(topic, stream)
    clock = stream.pick(("12", "24"))
    if clock == "24":
        fields = [(_with_clock(field), spec) for field, spec in fields]
    columns = _columns(fields, len(rows), stream)
    return TableWorld(
        style=stream.pick(styles),
        title=stream.pick(topic.titles).format(place=stream.pick(PLACES)),
        corner=topic.corner,
        fields=tuple(field for field, _ in fields),
        rows=rows,
        values=tuple(zip(*columns, strict=True)),
    )


def _some(pool: str, least: int, most: int, stream: Stream) -> tuple[str, ...]:
    words = POOLS[pool]
    size = stream.between(min(least, len(words)), min(most, len(words)))
    if pool in ORDERED:
        first = stream.between(0, len(words) - size)
        return words[first : first + size]
    return tuple(stream.sample(words, size))


def _across(topic: Topic, stream: Stream) -> list[tuple[Field, Spec]]:
    """Columns of one sort: the same declaration under different names."""
    spec = topic.columns[0]
    first = _field(spec, stream)
    names = _some(topic.across, 2, MOST_COLUMNS, stream)
    return [(_renamed(first, name), spec) for name in names]


def _mixed(topic: Topic, stream: Stream) -> list[tuple[Field, Spec]]:
    """Some of a topic's columns, at least one of numbers, in their order."""
    size = stream.between(2, min(MOST_COLUMNS, len(topic.columns)))
    while True:
        places = sorted(stream.sample(range(len(topic.columns)), size))
        chosen = [topic.columns[place] for place in places]
        # An arrival without its departure would be an odd timetable.
        times = [spec for spec in topic.columns if spec.kind == "time"]
        if any(spec.kind not in ("text", "time") for spec in chosen) and (
            not times or sum(spec.kind == "time" for spec in chosen) in (0, len(times))
        ):
            return [(_field(spec, stream), spec) for spec in chosen]


def _field(spec: Spec, stream: Stream) -> Field:
    if spec.kind == "text":
        return Field(name=spec.name, kind="text", upper=Fraction(len(spec.words) - 1), words=spec.words)
    if spec.kind == "time":
        return Field(name=spec.name, kind="time", lower=Fraction(6 * 60), upper=Fraction(24 * 60 - 5))
    unit = Fraction(spec.coarse, 10**spec.decimals)
    top = stream.between(*spec.top)
    return Field(
        name=spec.name, kind=spec.kind, lower=Fraction(spec.low), upper=top // unit * unit, decimals=spec.decimals,
        prefix=spec.prefix, suffix=spec.suffix, measure=spec.measure,
    )  # fmt: skip


def _renamed(field: Field, name: str) -> Field:
    return Field(
        name=name, kind=field.kind, lower=field.lower, upper=field.upper, decimals=field.decimals,
        prefix=field.prefix, suffix=field.suffix, measure=field.measure,
    )  # fmt: skip


def _with_clock(field: Field) -> Field:
    if field.kind != "time":
        return field
    return Field(name=field.name, kind="time", lower=field.lower, upper=field.upper, clock="24")


def _columns(fields: list[tuple[Field, Spec]], rows: int, stream: Stream) -> list[list[Fraction]]:
    """Values column by column. Times follow each other down the first column, and along each row."""
    found: list[list[Fraction]] = []
    before: list[Fraction] = []
    for field, spec in fields:
        if field.kind == "time" and before:
            column = [start + 5 * stream.between(4, 22) for start in before]
        elif field.kind == "time":
            column = before = _starts(rows, stream)
        else:
            unit = Fraction(spec.coarse, 10**field.decimals) if field.kind != "text" else Fraction(1)
            low, high = -(-field.lower // unit), field.upper // unit
            if field.kind != "text" and field.lower >= 0:
                low += (high - low) // 12
            column = [stream.between(int(low), int(high)) * unit for _ in range(rows)]
            if field.kind != "text" and stream.below(3) == 0:
                # Columns that run up or down; all but one cell of them, now and then.
                column.sort(reverse=bool(stream.below(2)))
                if stream.below(2):
                    column[stream.below(rows)] = stream.between(int(low), int(high)) * unit
        found.append(column)
    return found


def _starts(rows: int, stream: Stream) -> list[Fraction]:
    """Times in steps of five minutes, in rising order, that leave the day two hours at its end."""
    first, found = stream.between(7 * 12, 10 * 12), []
    for _ in range(rows):
        found.append(Fraction(first * 5))
        first = min(first + stream.between(2, 15), 21 * 12)
    return found
