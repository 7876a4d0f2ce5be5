"""From a picture to shapes, and what keeps a picture from being whole.

A mark's place depends on its own value and on fixed facts, never on another value.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from answerable.core.records import Refusal
from answerable.domains.chart.frame import Frame, Scale, frame, frame_problems, scale
from answerable.domains.chart.shapes import Box, Dot, Drawing, Line, Rect, Shape, Text, overlap, text_box
from answerable.domains.chart.styles import INK, MASK_EDGE, MASK_FILL, PAPER, Style
from answerable.domains.chart.text import CAP, width
from answerable.domains.chart.visibility import Hide, Picture, show
from answerable.domains.chart.world import ChartWorld, number_text, shape_problems


def draw(picture: Picture, style: Style) -> Drawing:
    """The picture as shapes in two layers."""
    world = picture.world
    fixed = frame(world, style)
    place = scale(world, fixed.plot)
    moving = [*_mask(picture, fixed), *_marks(picture, fixed, place, style)]
    if world.value_labels:
        moving += _labels(picture, fixed, place, style)
    return Drawing(style.width, style.height, PAPER, fixed.shapes, tuple(moving))


def whole_problems(world: ChartWorld, style: Style, hide: Hide | None = None) -> tuple[Refusal, ...]:
    """Why the world does not render whole under an operation; empty when it does.

    Hiding only takes marks and labels away, so what is whole stays whole under it.
    """
    unknown = [position for position in hide.positions if position not in world.positions] if hide else []
    if unknown:
        return (Refusal(reason="nothing to hide", detail=f"no position {unknown[0][:60]!r}"),)
    return _world_problems(world, style)


@lru_cache(maxsize=64)
def _world_problems(world: ChartWorld, style: Style) -> tuple[Refusal, ...]:
    malformed = shape_problems(world)
    if malformed:
        return tuple(Refusal(reason="malformed world", detail=text) for text in malformed)
    found = [*frame_problems(world, style)]
    for line in world.values:
        for value in line:
            found += _value_problems(world, value)
    if not found:
        found += _collisions(show(world), style)
    return tuple(found)


def _value_problems(world: ChartWorld, value: Fraction) -> list[Refusal]:
    if not world.axis.lower <= value <= world.axis.upper:
        return [Refusal(reason="value outside the axis", detail=f"{value}")]
    if world.value_labels:
        if number_text(value, world.scale, world.decimals) is None:
            return [Refusal(reason="value not shown exactly", detail=f"{value} with {world.decimals} decimals")]
    elif (value * world.axis.minor / world.axis.step).denominator != 1:
        return [Refusal(reason="value not on a gridline", detail=f"{value} without a label")]
    elif world.kind in ("vbar", "hbar") and value == _base(world):
        return [Refusal(reason="value without a mark", detail=f"a bar of no length at {value}, without a label")]
    return []


def _collisions(picture: Picture, style: Style) -> list[Refusal]:
    """Value labels and points that run into each other; bars and their labels have columns of their own."""
    if picture.world.kind not in ("line", "dot_line"):
        return []
    fixed = frame(picture.world, style)
    place = scale(picture.world, fixed.plot)
    dots = [(column, (x - 3, y - 3, x + 3, y + 3)) for column, x, y in _points(picture, fixed, place)]
    for first, (column, dot) in enumerate(dots):
        for other, box in dots[:first]:
            if column == other and overlap(dot, box):
                return [Refusal(reason="marks collide", detail=f"two points at {picture.world.positions[column]!r}")]
    if not picture.world.value_labels:
        return []
    return _label_collisions(picture, style, [box for _, box in dots])


def _label_collisions(picture: Picture, style: Style, dots: list[Box]) -> list[Refusal]:
    fixed = frame(picture.world, style)
    shapes = _labels(picture, fixed, scale(picture.world, fixed.plot), style)
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    boxes = [text_box(shape, width(shape.text, shape.size)) for shape in texts]
    for first, box in enumerate(boxes):
        if box[0] < 0 or box[2] > style.width:
            return [Refusal(reason="text leaves the picture", detail=texts[first].text)]
        for second in range(first):
            if overlap(box, boxes[second], 1.0):
                return [Refusal(reason="labels collide", detail=f"{texts[first].text} and {texts[second].text}")]
        if any(overlap(box, dot) for dot in dots):
            return [Refusal(reason="labels collide", detail=f"{texts[first].text} and a point")]
        if box[0] < fixed.plot[0] or box[2] > fixed.plot[2]:
            # It leaves the data region sideways, where the frame has texts of its own.
            for other in fixed.shapes:
                if isinstance(other, Text) and overlap(box, text_box(other, width(other.text, other.size, other.bold))):
                    return [Refusal(reason="labels collide", detail=f"{texts[first].text} and {other.text}")]
    return []


def mask_box(picture: Picture, fixed: Frame, index: int) -> Box:
    """A position's part of the data region, whole pixels."""
    x0, y0, x1, y1 = fixed.plot
    start, end = fixed.room * index, fixed.room * (index + 1)
    if picture.world.kind == "hbar":
        return (x0, float(round(y0 + start)), x1, float(round(y0 + end)))
    return (float(round(x0 + start)), y0, float(round(x0 + end)), y1)


def _mask(picture: Picture, fixed: Frame) -> list[Shape]:
    shapes: list[Shape] = []
    for index in picture.masked:
        box = mask_box(picture, fixed, index)
        if picture.appearance == "gap":
            shapes.append(Rect(*box, PAPER))
        else:
            shapes += [Rect(*box, MASK_EDGE), Rect(box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1, MASK_FILL)]
    return shapes


def _points(picture: Picture, fixed: Frame, place: Scale) -> list[tuple[int, float, float]]:
    """Visible points of line charts: position index, x, y."""
    found = []
    for line in picture.values:
        for column, value in enumerate(line):
            if value is not None:
                found.append((column, fixed.plot[0] + fixed.room * (column + 0.5), place(value)))
    return found


def _marks(picture: Picture, fixed: Frame, place: Scale, style: Style) -> list[Shape]:
    if picture.world.kind in ("line", "dot_line"):
        return _lines(picture, fixed, place, style)
    return _bars(picture, fixed, place, style)


def _lines(picture: Picture, fixed: Frame, place: Scale, style: Style) -> list[Shape]:
    """A line breaks where a value is hidden: the segments beside it would point at it."""
    shapes: list[Shape] = []
    for colour, line in zip(picture.world.colours, picture.values, strict=True):
        run: list[tuple[float, float]] = []
        for column, value in enumerate((*line, None)):
            if value is not None:
                run.append((fixed.plot[0] + fixed.room * (column + 0.5), place(value)))
                continue
            if len(run) > 1:
                shapes.append(Line(tuple(run), colour, style.line_width))
            if picture.world.kind == "dot_line" or len(run) == 1:
                radius = style.dot_radius if picture.world.kind == "dot_line" else style.line_width * 1.3
                shapes += [Dot(x, y, radius, colour) for x, y in run]
            run = []
    return shapes


def _bar_places(picture: Picture, fixed: Frame, style: Style, row: int, column: int) -> tuple[float, float]:
    """Start and end of a bar across its position's room."""
    along = fixed.plot[1] if picture.world.kind == "hbar" else fixed.plot[0]
    pitch = fixed.room * style.bar_share / len(picture.world.series)
    start = along + fixed.room * (column + (1 - style.bar_share) / 2) + pitch * row
    return start, start + pitch


def _base(world: ChartWorld) -> Fraction:
    """Where bars begin: zero, or the axis end nearest to it."""
    return min(max(Fraction(0), world.axis.lower), world.axis.upper)


def _bars(picture: Picture, fixed: Frame, place: Scale, style: Style) -> list[Shape]:
    shapes: list[Shape] = []
    base = float(round(place(_base(picture.world))))
    for row, (colour, line) in enumerate(zip(picture.world.colours, picture.values, strict=True)):
        for column, value in enumerate(line):
            if value is None:
                continue
            start, end = _bar_places(picture, fixed, style, row, column)
            start, end = float(round(start)), float(round(end - 1))
            tip = float(round(place(value)))
            low, high = min(base, tip), max(base, tip)
            if picture.world.kind == "hbar":
                shapes.append(Rect(low, start, high, end, colour))
            else:
                shapes.append(Rect(start, low, end, high, colour))
    return shapes


def _labels(picture: Picture, fixed: Frame, place: Scale, style: Style) -> list[Shape]:
    """Value labels. A bar's stands at its tip (at the base line when it is negative), a point's above it."""
    world, size = picture.world, style.value_size
    shapes: list[Shape] = []
    base = place(_base(world))
    for row, line in enumerate(picture.values):
        for column, value in enumerate(line):
            if value is None:
                continue
            text = number_text(value, world.scale, world.decimals) or "?"
            if world.kind in ("line", "dot_line"):
                x = fixed.plot[0] + fixed.room * (column + 0.5)
                shapes.append(Text(x, place(value) - 7, text, size, INK, "center", halo=True))
                continue
            start, end = _bar_places(picture, fixed, style, row, column)
            middle = (start + end - 1) / 2
            if world.kind == "hbar":
                tip = max(base, place(value))
                shapes.append(Text(tip + 4, middle + size * CAP / 2, text, size, INK))
            elif fixed.label_turned:
                tip = min(base, place(value))
                shapes.append(Text(middle + size * CAP / 2, tip - 4, text, size, INK, upright=False))
            else:
                tip = min(base, place(value))
                shapes.append(Text(middle, tip - 4, text, size, INK, "center"))
    return shapes


def scene(world: ChartWorld, style: Style, hide: Hide | None = None) -> Drawing:
    """Shapes of a world under an operation."""
    return draw(show(world, hide), style)
