"""A chart's world: every fact the picture shows, as exact rationals and text."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from answerable.core.records import Record
from answerable.logic.program import Grid

Kind = Literal["vbar", "hbar", "line", "dot_line"]
KINDS: tuple[Kind, ...] = ("vbar", "hbar", "line", "dot_line")
#: Signs a name or title may have; more fit on no picture.
MAX_TEXT = 300
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
#: Scale -> the word shown beside the unit. Values are stored whole: 3.99 million is 3990000.
SCALES = {1: "", 1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}


class Axis(Record, frozen=True):
    """The value axis: fixed metadata that no hidden value can move."""

    lower: Fraction
    upper: Fraction
    step: Fraction
    """Between labelled ticks; ticks are the multiples of it inside the axis."""
    minor: int = 1
    """Gridlines a step: 1 means labelled ticks only."""


class ChartWorld(Record, frozen=True):
    """A complete chart."""

    kind: Kind
    title: str
    position_title: str
    """What the positions are: Year, City ..."""
    value_title: str
    """What the values are: Revenue ..."""
    unit: str
    """Unit of the values; empty for plain numbers."""
    scale: int
    """Values are shown divided by this; one of ``SCALES``."""
    decimals: int
    """Digits after the point in value labels."""
    series: tuple[str, ...]
    positions: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]
    """``values[i][j]``: series ``i`` at position ``j``, whole (not divided by ``scale``)."""
    colours: tuple[str, ...]
    """One ``#rrggbb`` a series."""
    axis: Axis
    value_labels: bool = True
    """Whether each value is written beside its mark."""


def grid(world: ChartWorld) -> Grid:
    """What programs run over."""
    return Grid(series=world.series, positions=world.positions, values=world.values)


def value_at(world: ChartWorld, series: str, position: str) -> Fraction:
    """One value; both names must exist."""
    return world.values[world.series.index(series)][world.positions.index(position)]


def with_value(world: ChartWorld, series: str, position: str, value: Fraction) -> ChartWorld:
    """The world with one value changed."""
    row, column = world.series.index(series), world.positions.index(position)
    line = world.values[row]
    changed = (*line[:column], value, *line[column + 1 :])
    return msgspec.structs.replace(world, values=(*world.values[:row], changed, *world.values[row + 1 :]))


def without_series(world: ChartWorld, series: str) -> ChartWorld:
    """The world without one series: its marks, its labels and its legend entry."""
    keep = [index for index, name in enumerate(world.series) if name != series]
    return msgspec.structs.replace(
        world,
        series=tuple(world.series[index] for index in keep),
        values=tuple(world.values[index] for index in keep),
        colours=tuple(world.colours[index] for index in keep),
    )


def without_position(world: ChartWorld, position: str) -> ChartWorld:
    """The world without one position: its marks and its place on the axis."""
    keep = [index for index, name in enumerate(world.positions) if name != position]
    return msgspec.structs.replace(
        world,
        positions=tuple(world.positions[index] for index in keep),
        values=tuple(tuple(line[index] for index in keep) for line in world.values),
    )


def shape_problems(world: ChartWorld) -> tuple[str, ...]:
    """What makes a world malformed, whatever its picture: sizes, duplicates, limits, axis order."""
    found = [*_text_problems(world)]
    rows, columns = len(world.series), len(world.positions)
    if not 1 <= rows <= 12:
        found.append(f"expected 1 to 12 series; got {rows}")
    if not 1 <= columns <= 40:
        found.append(f"expected 1 to 40 positions; got {columns}")
    if len(world.values) != rows or any(len(line) != columns for line in world.values):
        found.append(f"expected values for {rows} series x {columns} positions")
    if len(set(world.series)) != rows or len(set(world.positions)) != columns:
        found.append("expected different names for series and for positions")
    if len(world.colours) != rows or not all(_COLOUR.fullmatch(name) for name in world.colours):
        found.append(f"expected {rows} colours '#rrggbb' in small letters; got {len(world.colours)} texts")
    if world.scale not in SCALES:
        found.append(f"expected a scale of {', '.join(map(str, SCALES))}; got {world.scale}")
    if not 0 <= world.decimals <= 6:
        found.append(f"expected 0 to 6 decimals; got {world.decimals}")
    axis = world.axis
    if axis.lower >= axis.upper or axis.step <= 0 or not 1 <= axis.minor <= 20:
        found.append("expected an axis with lower < upper, a positive step and 1 to 20 gridlines a step")
    elif (axis.upper - axis.lower) / axis.step > 40:
        found.append("expected at most 40 ticks on the value axis")
    elif (axis.upper - axis.lower) * 10**9 < max(abs(axis.lower), abs(axis.upper)):
        found.append("expected an axis at least as long as a billionth of its ends: pixels are computed in floats")
    return tuple(found)


def _text_problems(world: ChartWorld) -> list[str]:
    texts = (
        world.title, world.position_title, world.value_title, world.unit, *world.series[:13], *world.positions[:41]
    )  # fmt: skip
    found = []
    if any(len(text) > MAX_TEXT for text in texts):
        found.append(f"expected texts of at most {MAX_TEXT} signs")
    if any("\ud800" <= sign <= "\udfff" for text in texts for sign in text[:MAX_TEXT]):
        found.append("expected whole characters; got half of a surrogate pair")
    return found


def shown_unit(world: ChartWorld) -> str:
    """``million USD``, ``USD``, ``million`` or an empty text."""
    return " ".join(word for word in (SCALES[world.scale], world.unit) if word)


@lru_cache(maxsize=1 << 15)
def number_text(value: Fraction, scale: int, decimals: int) -> str | None:
    """A value as its label shows it, with comma groups; None when the label could not show it exactly."""
    shown = value / scale * 10**decimals
    if shown.denominator != 1:
        return None
    whole, part = divmod(abs(shown.numerator), 10**decimals)
    text = f"{whole:,}" + (f".{part:0{decimals}d}" if decimals else "")
    return f"\u2212{text}" if shown < 0 else text
