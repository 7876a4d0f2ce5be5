"""From the texts of a column to its declaration: what kind of cells it has, how they are written, their bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from answerable.domains.chart.numbers import nice_step
from answerable.domains.table.cells import DAY, MAX_DECIMALS, Field, Kind

_CELL = re.compile(
    r"(?P<sign>[-\u2212]?)(?P<prefix>[$\u20ac\u00a3\u00a5]?)"
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?P<part>\.[0-9]{1,12})?(?P<suffix>[^0-9].{0,30})?",
    re.ASCII,
)
_TIME = re.compile(r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?", re.ASCII)


class Format(msgspec.Struct, frozen=True):
    """How the cells of a column are written."""

    kind: Kind
    decimals: int = 0
    prefix: str = ""
    suffix: str = ""
    grouped: bool = True
    clock: str = "12"


class _Parsed(msgspec.Struct, frozen=True):
    value: Fraction
    decimals: int
    prefix: str
    suffix: str
    comma: bool


def _parsed(text: str) -> _Parsed | None:
    match = _CELL.fullmatch(text.strip())
    if match is None or ":" in (match["suffix"] or "") or "," in (match["suffix"] or ""):
        return None
    part = (match["part"] or "")[1:].rstrip("0") if len(match["part"] or "") > MAX_DECIMALS + 1 else match["part"]
    digits = (part or "").lstrip(".")
    value = Fraction(match["number"].replace(",", "") + (f".{digits}" if digits else ""))
    return _Parsed(
        -value if match["sign"] else value, len(digits), match["prefix"], match["suffix"] or "", "," in match["number"]
    )


def minutes(text: str) -> tuple[Fraction, str] | None:
    """Minutes after midnight of a time of day, and the clock it is written by."""
    match = _TIME.fullmatch(text.strip())
    if match is None or int(match["minute"]) > 59:
        return None
    hour, half = int(match["hour"]), match["half"]
    if half is None:
        return (Fraction(hour * 60 + int(match["minute"])), "24") if hour < 24 else None
    if not 1 <= hour <= 12:
        return None
    return Fraction((hour % 12 + (12 if half in "Pp" else 0)) * 60 + int(match["minute"])), "12"


def format_of(texts: Sequence[str]) -> Format:
    """The format that all cells of a column share; plain text where they share none."""
    times = [minutes(text) for text in texts]
    clocks = {found[1] for found in times if found is not None}
    if texts and None not in times and len(clocks) == 1:
        return Format(kind="time", clock=clocks.pop())
    cells = [_parsed(text) for text in texts]
    found = [cell for cell in cells if cell is not None]
    if not texts or len(found) != len(texts):
        return Format(kind="text")
    prefixes, suffixes = {cell.prefix for cell in found}, {cell.suffix for cell in found}
    decimals = max(cell.decimals for cell in found)
    if len(prefixes) > 1 or len(suffixes) > 1 or decimals > MAX_DECIMALS:
        return Format(kind="text")
    prefix, suffix = prefixes.pop(), suffixes.pop()
    large = [cell for cell in found if abs(cell.value) >= 1000]
    kind: Kind = "decimal" if decimals else "integer"
    if prefix:
        kind = "money"
    elif suffix.strip() == "%":
        kind = "percent"
    grouped = not large or any(cell.comma for cell in large)
    return Format(kind=kind, decimals=decimals, prefix=prefix, suffix=suffix, grouped=grouped)


def declare(name: str, form: Format, texts: Sequence[str], measure: str = "") -> tuple[Field, tuple[Fraction, ...]]:
    """A column and its values.

    Bounds are round numbers around the values; a column without negative numbers stays without. A text column may
    hold the texts that it has.
    """
    if form.kind == "text":
        words = tuple(dict.fromkeys(text.strip() for text in texts))
        field = Field(name=name, kind="text", upper=Fraction(len(words) - 1), words=words)
        return field, tuple(Fraction(words.index(text.strip())) for text in texts)
    if form.kind == "time":
        times = [found[0] for text in texts if (found := minutes(text)) is not None]
        low, high = max(min(times) // 60 * 60 - 60, 0), min(max(times) // 60 * 60 + 120, DAY - 1)
        return Field(
            name=name,
            kind="time",
            lower=Fraction(low),
            upper=Fraction(high),
            clock="24" if form.clock == "24" else "12",
        ), tuple(times)
    values = tuple(cell.value for text in texts if (cell := _parsed(text)) is not None)
    lower, upper = bounds(values, Fraction(1, 10**form.decimals))
    if form.kind == "percent" and max(values) <= 100:
        upper = min(upper, Fraction(100))
    field = Field(
        name=name, kind=form.kind, lower=lower, upper=upper, decimals=form.decimals, prefix=form.prefix,
        suffix=form.suffix, grouped=form.grouped, measure=measure,
    )  # fmt: skip
    return field, values


def bounds(values: Sequence[Fraction], unit: Fraction) -> tuple[Fraction, Fraction]:
    """Round numbers that leave the values some room on both sides, none below zero where no value is."""
    least, most = min(values), max(values)
    span = max(most - least, abs(most) / 4, unit * 10)
    step = max(nice_step(span, 5), unit)
    lower, upper = (least - span / 2) // step * step, -(-(most + span / 2) // step) * step
    return (max(lower, Fraction(0)) if least >= 0 else lower), upper
