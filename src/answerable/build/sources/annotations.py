"""PlotQA and FigureQA annotation files.

A file holds one figure or a list of them, each with ``models`` (series with x and y), ``type`` and
``general_figure_info`` (titles, ticks, boxes). The value axis is the annotation's own: its ticks and the pixel
ends of its rule. Values are taken from the decimal text of the file and rounded to what a label can show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from answerable.build.sources import Figure
from answerable.build.sources.decimals import parse_decimal, rounded
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.numbers import axis_for, scale_for
from answerable.domains.chart.world import Axis, ChartWorld, Kind, number_text

MAX_BYTES = 1 << 30
TYPES: dict[str, Kind] = {
    "vbar_categorical": "vbar",
    "hbar_categorical": "hbar",
    "line": "line",
    "dot_line": "dot_line",
    "vbar": "vbar",
    "dot": "dot_line",
    "hbar": "hbar",
}
#: Digits after the point that value labels show, at the shown scale.
DECIMALS = 2


class _BadFigureError(ValueError):
    """A figure that is not what the format says; becomes a refusal in the ledger."""


class AnnotationSource:
    """Figures of annotation files.

    Args:
        axis: ``annotation`` takes the value axis from the file and refuses figures without one; ``data`` makes a
            round axis around the values.
    """

    licence = "CC-BY-4.0 (PlotQA, FigureQA data); check the file's own"
    per_figure = 1

    def __init__(self, paths: tuple[Path, ...], *, value_labels: bool = True, axis: str = "annotation") -> None:
        self._paths, self._labels, self._axis = paths, value_labels, axis
        self.name = "chart-annotations"

    def describe(self) -> tuple[str, ...]:
        """See ``Source.describe``."""
        files = tuple(f"{path.name} sha256={digest_bytes(path.read_bytes())}" for path in self._paths)
        return (
            *files,
            f"values rounded, half to even, to {DECIMALS} decimals at the shown scale",
            "dense figures thinned: fewer positions or series until value labels fit",
        )

    def figures(self) -> Iterator[Figure | Refusal]:
        """See ``Source.figures``."""
        for path in self._paths:
            for number, entry in enumerate(_read(path)):
                name = f"{path.parent.name}/{path.name}#{number}"
                try:
                    world = self._world(entry)
                except _BadFigureError as error:
                    reason, _, detail = str(error).partition(": ")
                    yield Refusal(reason=reason, detail=f"{name}: {detail}")
                    continue
                yield Figure(
                    id=name, worlds=tuple(thinned(world, name)), cells=len(world.series) * len(world.positions)
                )

    def _world(self, entry: Any) -> ChartWorld:
        if not isinstance(entry, dict):
            raise _BadFigureError(f"not a figure: expected an object; got {type(entry).__name__}")
        word = str(entry.get("type") or entry.get("fig_type") or "")
        kind = TYPES.get(word)
        if kind is None:
            raise _BadFigureError(f"unsupported figure type: {repr(word[:40]) if word else 'none given'}")
        if word == "dot" and _sideways(entry):
            kind = "hbar"
        series, positions, values, colours = _models(entry, kind)
        info = _object(entry.get("general_figure_info"))
        value_side, position_side = ("x_axis", "y_axis") if kind == "hbar" else ("y_axis", "x_axis")
        flat = [value for line in values for value in line]
        axis = _axis(info.get(value_side)) if self._axis == "annotation" else None
        if self._axis == "annotation" and axis is None:
            raise _BadFigureError("no axis range: the annotation has no ticks with boxes on its value axis")
        scale = scale_for(max(abs(value) for value in flat))
        unit = Fraction(scale, 10**DECIMALS)
        shown = tuple(tuple(rounded(value, unit) for value in line) for line in values)
        flat = [value for line in shown for value in line]
        return ChartWorld(
            kind=kind,
            title=_text(info.get("title")),
            position_title=_text(_object(info.get(position_side)).get("label")),
            value_title=_text(_object(info.get(value_side)).get("label")) or "Value",
            unit="",
            scale=scale,
            decimals=DECIMALS,
            series=series,
            positions=positions,
            values=shown,
            colours=colours,
            axis=axis or axis_for(min(flat), max(flat), from_zero=kind in ("vbar", "hbar")),
            value_labels=self._labels,
        )


def thinned(world: ChartWorld, name: str) -> Iterator[ChartWorld]:
    """The world, then ever smaller parts of it: every k-th position, then fewer series."""
    yield world
    stream = Stream("thin", name)
    rows, columns = len(world.series), len(world.positions)
    for kept in sorted({rows, min(rows, 3), min(rows, 2), 1}, reverse=True):
        for limit in (12, 8, 6, 4):
            stride = -(-columns // limit)
            spots = list(range(0, columns, stride))
            if len(spots) < 2:
                continue
            for _ in range(1 if kept == rows else 4):
                chosen = sorted(stream.sample(range(rows), kept))
                yield _part(world, chosen, spots)


def _part(world: ChartWorld, rows: list[int], columns: list[int]) -> ChartWorld:
    import msgspec

    return msgspec.structs.replace(
        world,
        series=tuple(world.series[row] for row in rows),
        colours=tuple(world.colours[row] for row in rows),
        positions=tuple(world.positions[column] for column in columns),
        values=tuple(tuple(world.values[row][column] for column in columns) for row in rows),
    )


def _read(path: Path) -> list[Any]:
    if path.stat().st_size > MAX_BYTES:
        raise SourceError(
            f"an annotation file of at most {MAX_BYTES} bytes",
            f"{path.stat().st_size}",
            where=str(path),
            fix="split the list into several files",
        )
    try:
        # Numbers stay text, so that no value passes through a float.
        found = json.loads(path.read_text(encoding="utf-8-sig"), parse_float=str, parse_int=str, parse_constant=str)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise SourceError("an annotation file in JSON", str(error)[:200], where=str(path)) from error
    return found if isinstance(found, list) else [found]


def _sideways(entry: dict[str, Any]) -> bool:
    """Whether names stand on the y side and numbers on the x side."""
    models = entry.get("models")
    first = models[0] if isinstance(models, list) and models and isinstance(models[0], dict) else {}
    xs, ys = first.get("x"), first.get("y")
    return (
        isinstance(xs, list)
        and isinstance(ys, list)
        and all(parse_decimal(str(number)) is not None for number in xs)
        and not all(parse_decimal(str(number)) is not None for number in ys)
    )


Models = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[Fraction, ...], ...], tuple[str, ...]]


def _models(entry: dict[str, Any], kind: Kind) -> Models:
    models = entry.get("models")
    if not isinstance(models, list) or not models or not all(isinstance(model, dict) for model in models):
        raise _BadFigureError("not a figure: no list of models")
    names, colours, lines = [], [], []
    positions: tuple[str, ...] | None = None
    for model in models:
        places, numbers = (model.get("y"), model.get("x")) if kind == "hbar" else (model.get("x"), model.get("y"))
        if not isinstance(places, list) or not isinstance(numbers, list) or len(places) != len(numbers) or not places:
            raise _BadFigureError("not a figure: x and y of a model are not lists of one length")
        here = tuple(str(place).strip() for place in places)
        if positions is not None and here != positions:
            raise _BadFigureError("positions differ between series: no common grid")
        positions = here
        names.append(str(model.get("name") or model.get("label") or "").strip())
        colours.append(_colour(model))
        lines.append(tuple(_value(number) for number in numbers))
    if positions is None or len(set(positions)) != len(positions) or len(set(names)) != len(names) or "" in names:
        raise _BadFigureError("names not unique: two series or positions share a name, or one has none")
    return tuple(names), _place_names(positions), tuple(lines), tuple(colours)


def _place_names(places: tuple[str, ...]) -> tuple[str, ...]:
    """Names of positions; numbers are written with as few decimals as keep them apart."""
    numbers = [parse_decimal(place) for place in places]
    for digits in range(5):
        names = []
        for place, number in zip(places, numbers, strict=True):
            if number is None:
                return places
            short = rounded(number, Fraction(1, 10**digits))
            names.append((number_text(short, 1, digits) or place).replace(",", "").replace("\u2212", "-"))
        if len(set(names)) == len(names) and (digits > 1 or _exact(numbers, digits)):
            return tuple(names)
    return places


def _exact(numbers: list[Fraction | None], digits: int) -> bool:
    return all(number is None or (number * 10**digits).denominator == 1 for number in numbers)


def _value(number: Any) -> Fraction:
    value = parse_decimal(str(number))
    if value is None:
        raise _BadFigureError(f"value is not a number: {str(number)[:40]!r}")
    return value


def _colour(model: dict[str, Any]) -> str:
    found = model.get("color") or model.get("colors") or ""
    text = str(found[0] if isinstance(found, list) and found else found).strip().lower()
    if len(text) != 7 or not text.startswith("#") or any(sign not in "0123456789abcdef" for sign in text[1:]):
        raise _BadFigureError(f"no colour: expected #rrggbb; got {text[:20]!r}")
    return text


def _object(node: Any) -> dict[str, Any]:
    """A JSON object; anything else counts as an empty one."""
    return node if isinstance(node, dict) else {}


def _text(node: Any) -> str:
    return str(node.get("text") or "").strip() if isinstance(node, dict) else ""


def _axis(side: Any) -> Axis | None:
    """The axis interval: values at the pixel ends of the rule, outwards to the next minor step."""
    if not isinstance(side, dict):
        return None
    marks = _marks(side.get("major_ticks"))
    span = _rule(side.get("rule"))
    if len(marks) < 2 or span is None:
        return None
    (first, start), (last, end) = marks[0], marks[-1]
    step = marks[1][0] - first
    if end == start or step <= 0:
        return None
    per_pixel = (last - first) / (end - start)
    ends = sorted(first + (pixel - start) * per_pixel for pixel in span)
    fine = [value for value, _ in _marks(side.get("minor_ticks"))]
    minor = fine[1] - fine[0] if len(fine) > 1 else step / 5
    return Axis(lower=ends[0] // minor * minor, upper=-(-ends[1] // minor) * minor, step=step, minor=1)


def _marks(ticks: Any) -> list[tuple[Fraction, Fraction]]:
    """Tick values with the pixel of their middle, rising, without repeats; the axis runs along its longer spread."""
    if (
        not isinstance(ticks, dict)
        or not isinstance(ticks.get("values"), list)
        or not isinstance(ticks.get("bboxes"), list)
    ):
        return []
    pairs = []
    for value, box in zip(ticks["values"], ticks["bboxes"], strict=False):
        number, middle = parse_decimal(str(value)), _middle(box)
        if number is None or middle is None:
            return []
        pairs.append((number, middle))
    upright = len({y for _, (_, y) in pairs}) > len({x for _, (x, _) in pairs})
    return sorted({number: middle[1] if upright else middle[0] for number, middle in pairs}.items())


def _middle(box: Any) -> tuple[Fraction, Fraction] | None:
    sides = _sides(box)
    return (sides[0] + sides[2] / 2, sides[1] + sides[3] / 2) if sides else None


def _rule(rule: Any) -> tuple[Fraction, Fraction] | None:
    sides = _sides(rule.get("bbox")) if isinstance(rule, dict) else None
    if sides is None:
        return None
    x, y, wide, high = sides
    return (y, y + high) if high > wide else (x, x + wide)


def _sides(box: Any) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    if not isinstance(box, dict):
        return None
    x, y, wide, high = (parse_decimal(str(box.get(key))) for key in ("x", "y", "w", "h"))
    if x is None or y is None or wide is None or high is None:
        return None
    return x, y, wide, high
