"""Correctness against consistency: a point a run and variation, with lines of equal ``O_all``."""

from __future__ import annotations

from markupsafe import Markup

from answerable.core.records import Record
from answerable.report.plots.svg import element, number

_WIDE, _HIGH = 560.0, 430.0
_LEFT, _RIGHT, _TOP, _FOOT = 56.0, 18.0, 14.0, 48.0
_LEVELS = (0.2, 0.4, 0.6, 0.8)
#: Steps of a line of equal ``O_all``.
_STEPS = 24
#: Colours that can be told apart; further runs are grey.
COLOURS = 6


class Point(Record, frozen=True):
    """One run on one variation."""

    run: int
    """Number of its colour."""
    shape: int
    """Number of its variation's shape."""
    consistency: float
    """Mean of ``Con`` and ``S_C``."""
    correctness: float
    """Mean of ``Acc`` and ``S_GT``."""
    words: str
    """What it is, with its values."""


class Scatter(Record, frozen=True):
    """The points of one source."""

    source: str
    points: tuple[Point, ...]
    runs: tuple[str, ...]
    """By number."""
    shapes: tuple[str, ...]
    """By number: what each variation is called."""


def colour(run: int) -> str:
    """The class of a run's colour."""
    return f"run-{run}" if run < COLOURS else "run-more"


def _x(value: float) -> float:
    return _LEFT + min(1.0, max(0.0, value)) * (_WIDE - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _HIGH - _FOOT - min(1.0, max(0.0, value)) * (_HIGH - _TOP - _FOOT)


def mark(shape: int, x: float, y: float, kind: str, *inside: Markup) -> Markup:
    """A circle, square, triangle, diamond; from the fifth variation on circles with a rim again."""
    if shape == 1:
        return element("rect", {"class": kind, "x": x - 5.5, "y": y - 5.5, "width": 11, "height": 11}, *inside)
    corners = {
        2: ((x, y - 7), (x + 6.5, y + 5), (x - 6.5, y + 5)),
        3: ((x, y - 7.5), (x + 7, y), (x, y + 7.5), (x - 7, y)),
    }.get(shape)
    if corners is None:
        return element("circle", {"class": kind, "cx": x, "cy": y, "r": 6}, *inside)
    return element("polygon", {"class": kind, "points": _points(corners)}, *inside)


def _points(places: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def _axes() -> list[Markup]:
    drawn = []
    for step in range(6):
        value = step / 5
        x, y, text = _x(value), _y(value), f"{20 * step}"
        drawn.append(element("line", {"class": "ring", "x1": x, "x2": x, "y1": _y(0), "y2": _y(1)}))
        drawn.append(element("line", {"class": "ring", "x1": _x(0), "x2": _x(1), "y1": y, "y2": y}))
        drawn.append(element("text", {"class": "tick", "x": x, "y": _y(0) + 16, "text-anchor": "middle"}, text))
        drawn.append(element("text", {"class": "tick", "x": _x(0) - 7, "y": y + 4, "text-anchor": "end"}, text))
    middle: dict[str, str | float] = {"class": "tick", "text-anchor": "middle"}
    drawn.append(
        element("text", {**middle, "x": (_x(0) + _x(1)) / 2, "y": _HIGH - 10}, "consistency: mean of Con and S_C")
    )
    turned = f"rotate(-90 14 {number((_y(0) + _y(1)) / 2)})"
    words = "correctness: mean of Acc and S_GT"
    drawn.append(element("text", {**middle, "x": 14, "y": (_y(0) + _y(1)) / 2, "transform": turned}, words))
    return drawn


def _equal(level: float) -> list[Markup]:
    """All places where the harmonic mean of both is ``level``."""
    least = level / (2 - level)
    places = []
    for step in range(_STEPS + 1):
        x = least + (1 - least) * step / _STEPS
        places.append((_x(x), _y(level * x / (2 * x - level))))
    return [
        element("polyline", {"class": "equal", "points": _points(tuple(places))}),
        element(
            "text", {"class": "tick", "x": _x(1) - 3, "y": _y(least) - 4, "text-anchor": "end"},
            f"O_all {100 * level:.0f}",
        ),
    ]  # fmt: skip


def scatter(plot: Scatter) -> Markup:
    """Points over both axes from 0 to 100; a value below 0 stands at 0."""
    drawn = _axes()
    for level in _LEVELS:
        drawn += _equal(level)
    drawn += [
        mark(
            point.shape, _x(point.consistency), _y(point.correctness), f"point {colour(point.run)}",
            element("title", {}, point.words),
        )
        for point in plot.points
    ]  # fmt: skip
    words = "; ".join(point.words for point in plot.points) or "no point is defined"
    box: dict[str, str | float] = {"class": "scatter", "viewBox": f"0 0 {int(_WIDE)} {int(_HIGH)}", "role": "img"}
    return element("svg", {**box, "aria-label": f"Correctness against consistency on {plot.source}: {words}"}, *drawn)


def key(shape: int) -> Markup:
    """A variation's shape for the legend."""
    drawn = mark(shape, 8, 8, "point run-more")
    return element("svg", {"class": "key", "width": 16, "height": 16, "aria-hidden": "true"}, drawn)
