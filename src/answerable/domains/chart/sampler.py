"""Made-up charts that look like real ones: a topic, its words, a plausible course of values."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.seeds import Stream
from answerable.domains.chart.numbers import axis_for
from answerable.domains.chart.vocabulary import PALETTES, PLACES, POOLS, POSITION_TITLES, TITLES, TOPICS, Topic
from answerable.domains.chart.world import KINDS, Axis, ChartWorld, Kind


def sample_world(stream: Stream, kinds: tuple[Kind, ...] = KINDS, *, value_labels: bool = True) -> ChartWorld:
    """One chart. Without value labels, every value lies on a gridline, so that it can be read exactly."""
    kind, topic = stream.pick(kinds), stream.pick(TOPICS)
    pool = stream.pick(topic.positions)
    rows, columns = _size(kind, stream)
    series = tuple(stream.sample(POOLS[topic.series], min(rows, len(POOLS[topic.series]))))
    positions = _positions(pool, columns, stream)
    scale, decimals = stream.pick(topic.scales), stream.pick(topic.decimals)
    if scale == 1 and not topic.unit:
        decimals = 0  # things that are counted
    axis = _axis(kind, topic, scale, stream, value_labels=value_labels)
    unit = Fraction(scale, 10**decimals) if value_labels else axis.step / axis.minor
    palette = stream.sample(stream.pick(PALETTES), len(series))
    title = stream.pick(TITLES).format(value=topic.value, by=POSITION_TITLES[pool].lower(), place=stream.pick(PLACES))
    return ChartWorld(
        kind=kind,
        title=title,
        position_title=POSITION_TITLES[pool] if stream.below(4) else "",
        value_title=topic.value,
        unit=topic.unit,
        scale=scale,
        decimals=decimals,
        series=series,
        positions=positions,
        values=_values(kind, len(series), len(positions), axis, unit, stream),
        colours=tuple(palette),
        axis=axis,
        value_labels=value_labels,
    )


def _size(kind: Kind, stream: Stream) -> tuple[int, int]:
    """Series and positions that leave room for value labels."""
    if kind == "hbar":
        rows = stream.between(1, 3)
        return rows, stream.between(3, {1: 10, 2: 8, 3: 6}[rows])
    if kind == "vbar":
        rows = stream.between(1, 4)
        return rows, stream.between(3, {1: 10, 2: 9, 3: 8, 4: 6}[rows])
    return stream.between(1, 4), stream.between(4, 9)


def _positions(pool: str, count: int, stream: Stream) -> tuple[str, ...]:
    if pool == "years":
        first = stream.between(1988, 2024 - count)
        return tuple(str(first + index) for index in range(count))
    words = POOLS[pool]
    count = min(count, len(words))
    if pool in ("months", "weekdays", "quarters", "hours", "ages"):
        first = stream.between(0, len(words) - count)
        return words[first : first + count]
    return tuple(stream.sample(words, count))


def _axis(kind: Kind, topic: Topic, scale: int, stream: Stream, *, value_labels: bool) -> Axis:
    top = Fraction(topic.top * stream.between(10, 100), 10) * scale
    low = Fraction(0)
    if kind in ("line", "dot_line") and stream.below(3) == 0:
        low = top * stream.between(20, 50) / 100
    axis = axis_for(low, top, from_zero=low == 0)
    return axis if value_labels else Axis(lower=axis.lower, upper=axis.upper, step=axis.step, minor=2)


def _values(
    kind: Kind, rows: int, columns: int, axis: Axis, unit: Fraction, stream: Stream
) -> tuple[tuple[Fraction, ...], ...]:
    """Bars draw freely; a line walks within a band of its own, and bands may touch but seldom cross."""
    low, high = int(-(-axis.lower // unit)), int(axis.upper // unit)
    span = high - low
    low, high = low + max(1, span // 25), high - span // 50
    if kind in ("vbar", "hbar"):
        return tuple(tuple(stream.between(low, high) * unit for _ in range(columns)) for _ in range(rows))
    lines, band = [], max(1, (high - low) // rows)
    for row in range(rows):
        start, end = low + band * row, min(high, low + band * row + band * 4 // 5)
        level, line = stream.between(start, max(start, end)), []
        for _ in range(columns):
            step = max(1, (end - start) // 3)
            level = min(max(level + stream.between(-step, step), start), max(start, end))
            line.append(level * unit)
        lines.append(tuple(line))
    stream.shuffle(lines)
    return tuple(lines)
