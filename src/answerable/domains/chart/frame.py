"""The fixed part of a chart: data region, axes, ticks, legend, title.

It is computed from the world's fixed facts only. No value moves it, hidden or not, so it can tell nothing.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from answerable.core.records import Refusal
from answerable.domains.chart.shapes import Box, Line, Rect, Shape, Text, overlap, text_box
from answerable.domains.chart.styles import AXIS, GRID, INK, MASK_FILL, Style
from answerable.domains.chart.text import CAP, TAIL, missing_glyphs, width, wrapped
from answerable.domains.chart.world import ChartWorld, number_text, shape_problems, shown_unit


class Frame(msgspec.Struct, frozen=True):
    """Where everything goes."""

    plot: Box
    """The data region, whole pixels."""
    room: float
    """Pixels a position has along its axis."""
    label_turned: bool
    """Value labels stand on end."""
    shapes: tuple[Shape, ...]
    problems: tuple[Refusal, ...]


def tick_decimals(world: ChartWorld) -> int | None:
    """Digits that show every tick exactly; None when six are not enough."""
    for digits in range(7):
        if number_text(world.axis.step, world.scale, digits) is not None:
            return digits
    return None


def ticks(world: ChartWorld, parts: int = 1) -> list[Fraction]:
    """Multiples of ``step / parts`` inside the axis, from below."""
    step = world.axis.step / parts
    first = -(-world.axis.lower // step)
    last = world.axis.upper // step
    return [step * index for index in range(int(first), int(last) + 1)]


def widest_value(world: ChartWorld) -> str:
    """The widest label any admissible value can have: from the axis ends, not from the values."""
    ends = [abs(world.axis.lower), abs(world.axis.upper)]
    whole = number_text(Fraction(int(max(ends) / world.scale) * world.scale), world.scale, 0) or "0"
    sign = "\u2212" if world.axis.lower < 0 else ""
    return sign + whole + ("." + "8" * world.decimals if world.decimals else "")


@lru_cache(maxsize=64)
def frame(world: ChartWorld, style: Style) -> Frame:
    """Lay out the fixed part.

    Args:
        world: with ``values`` emptied (see ``visibility.show``).
    """
    builder = _Builder(world, style)
    return builder.build()


class _Builder:
    """Takes room from the canvas edge inwards, one part after the other."""

    def __init__(self, world: ChartWorld, style: Style) -> None:
        self.world, self.style = world, style
        self.shapes: list[Shape] = []
        self.problems: list[Refusal] = []
        self.left, self.top = float(style.edge), float(style.edge)
        self.right, self.bottom = float(style.width - style.edge), float(style.height - style.edge)
        self.sideways = world.kind == "hbar"
        self.head = 0.0  # room beyond the end of the value axis for the label of a mark that ends there
        digits = tick_decimals(world)
        if digits is None:
            self.refuse("ticks cannot be shown exactly", f"step={world.axis.step} scale={world.scale}")
        if len(ticks(world)) < 2:
            self.refuse("axis cannot be read", f"{len(ticks(world))} ticks in its interval: two make a scale")
        self.tick_texts = [number_text(tick, world.scale, digits or 0) or "?" for tick in ticks(world)]

    def refuse(self, reason: str, detail: str) -> None:
        self.problems.append(Refusal(reason=reason, detail=detail))

    def build(self) -> Frame:
        """All parts in order."""
        world, style = self.world, self.style
        self.title()
        self.legend()
        label = width(widest_value(world), style.value_size)
        if world.value_labels and self.sideways:
            self.head = float(round(label + 8))
        elif world.value_labels:
            self.head = float(round(label + 7 if self.turned(label) else style.value_size + 9))
        if self.sideways:
            self.right -= self.head
            plot = self.axes_sideways()
        else:
            self.top += self.head
            plot = self.axes_upright()
        count = max(1, len(world.positions))
        room = (plot[3] - plot[1] if self.sideways else plot[2] - plot[0]) / count
        self.check(label, room)
        return Frame(plot, room, self.turned(label), tuple(self.shapes), tuple(self.problems))

    def pitch(self, room: float) -> float:
        """Pixels a bar has."""
        return room * self.style.bar_share / max(1, len(self.world.series))

    def turned(self, label: float) -> bool:
        """Whether value labels of bars must stand on end: the widest one does not fit over its bar.

        The width of the data region is not known yet, so the canvas is taken less a fixed margin; what counts is
        that the rule sees fixed facts only.
        """
        if self.world.kind != "vbar":
            return False
        room = (self.style.width - 130) / max(1, len(self.world.positions))
        return label + 3 > self.pitch(room)

    def title(self) -> None:
        style = self.style
        lines = wrapped(self.world.title, style.title_size, self.right - self.left, bold=style.title_bold)
        if len(lines) > 2 or any(
            width(line, style.title_size, style.title_bold) > self.right - self.left for line in lines
        ):
            self.refuse("title does not fit", self.world.title[:80])
        for line in lines[:2]:
            self.top += style.title_size
            x = self.left if style.title_align == "left" else style.width / 2
            self.shapes.append(Text(x, self.top, line, style.title_size, INK, style.title_align, bold=style.title_bold))
            self.top += 5
        self.top += 4

    def legend(self) -> None:
        if len(self.world.series) < 2:
            return
        if self.style.legend == "right":
            self.legend_right()
        else:
            self.legend_top()

    def legend_top(self) -> None:
        style, x = self.style, self.left
        self.top += style.label_size
        for name, colour in zip(self.world.series, self.world.colours, strict=True):
            needed = 17 + width(name, style.label_size)
            if x > self.left and x + needed > self.right:
                x, self.top = self.left, self.top + style.label_size + 6
            if x + needed > self.right:
                self.refuse("legend does not fit", f"series {name[:60]!r}")
            self.legend_entry(x, self.top, name, colour)
            x += needed + 16
        self.top += 10
        if self.top > style.height * 0.45:
            self.refuse("legend does not fit", f"{len(self.world.series)} entries")

    def legend_right(self) -> None:
        style = self.style
        widest = max(width(name, style.label_size) for name in self.world.series)
        if widest > style.width * 0.3:
            self.refuse("legend does not fit", f"an entry of {widest:.0f} pixels")
        x, y = self.right - widest - 17, self.top + style.label_size + 8
        for name, colour in zip(self.world.series, self.world.colours, strict=True):
            self.legend_entry(x, y, name, colour)
            y += style.label_size + 8
        if y > style.height - 20:
            self.refuse("legend does not fit", f"{len(self.world.series)} entries")
        self.right = x - 14

    def legend_entry(self, x: float, y: float, name: str, colour: str) -> None:
        x, middle = round(x), round(y - self.style.label_size * CAP / 2)
        if self.world.kind in ("line", "dot_line"):
            self.shapes.append(Line(((x, middle), (x + 12, middle)), colour, self.style.line_width + 1))
        else:
            self.shapes.append(Rect(x, middle - 5, x + 11, middle + 5, colour))
        self.shapes.append(Text(x + 17, y, name, self.style.label_size, INK))

    def value_axis_title(self) -> str:
        unit = shown_unit(self.world)
        return f"{self.world.value_title} ({unit})" if unit else self.world.value_title

    def axes_upright(self) -> Box:
        """Values upwards, positions to the right."""
        world, style, size = self.world, self.style, self.style.label_size
        title_x = self.left + size * CAP
        self.left += size + 8
        self.left += max((width(text, size) for text in self.tick_texts), default=0) + 8
        room = (self.right - self.left) / max(1, len(world.positions))
        widest = max((width(name, size) for name in world.positions), default=0)
        upright = widest + 6 <= room
        if self.world.position_title:
            self.bottom -= size * TAIL
            self.shapes.append(
                Text((self.left + self.right) / 2, self.bottom, world.position_title, size, INK, "center")
            )
            self.bottom -= size + 4
        tall = size if upright else widest
        if not upright and (size + 2 > room or widest > style.height * 0.3):
            self.refuse("position labels collide", f"{widest:.0f} pixels wide in {room:.0f} pixels of room")
        self.bottom -= tall + 8
        plot = self.whole((self.left, self.top, self.right, self.bottom))
        room = (plot[2] - plot[0]) / max(1, len(world.positions))
        for index, name in enumerate(world.positions):
            x = plot[0] + room * (index + 0.5)
            if upright:
                self.shapes.append(Text(x, plot[3] + 7 + size * CAP, name, size, INK, "center"))
            else:
                self.shapes.append(Text(x + size * CAP / 2, plot[3] + 7, name, size, INK, "right", upright=False))
        middle = (plot[1] + plot[3]) / 2
        if width(self.value_axis_title(), size) > style.height - 2 * style.edge:
            self.refuse("axis title does not fit", self.value_axis_title()[:80])
        # Kept on the picture when it is longer than the data region.
        half = width(self.value_axis_title(), size) / 2
        middle = min(max(middle, half + 4), style.height - half - 4)
        self.shapes.append(Text(title_x, middle, self.value_axis_title(), size, INK, "center", upright=False))
        self.value_ticks(plot)
        return plot

    def axes_sideways(self) -> Box:
        """Positions downwards, values to the right."""
        world, size = self.world, self.style.label_size
        if world.position_title:
            self.shapes.append(
                Text(
                    self.left + size * CAP,
                    (self.top + self.bottom) / 2,
                    world.position_title,
                    size,
                    INK,
                    "center",
                    upright=False,
                )
            )
            self.left += size + 8
        widest = max((width(name, size) for name in world.positions), default=0)
        if widest > self.style.width * 0.35:
            self.refuse("position labels collide", f"{widest:.0f} pixels wide")
        self.left += widest + 8
        self.bottom -= size * TAIL
        middle = (self.left + self.right) / 2
        half = width(self.value_axis_title(), size) / 2
        if 2 * half > self.style.width - 2 * self.style.edge:
            self.refuse("axis title does not fit", self.value_axis_title()[:80])
        middle = min(max(middle, half + 4), self.style.width - half - 4)
        self.shapes.append(Text(middle, self.bottom, self.value_axis_title(), size, INK, "center"))
        self.bottom -= 2 * size + 12
        plot = self.whole((self.left, self.top, self.right, self.bottom))
        room = (plot[3] - plot[1]) / max(1, len(world.positions))
        if size + 2 > room:
            self.refuse("position labels collide", f"{room:.0f} pixels high")
        for index, name in enumerate(world.positions):
            y = plot[1] + room * (index + 0.5) + size * CAP / 2
            self.shapes.append(Text(plot[0] - 7, y, name, size, INK, "right"))
        self.value_ticks(plot)
        return plot

    def whole(self, box: Box) -> Box:
        plot = (float(round(box[0])), float(round(box[1])), float(round(box[2])), float(round(box[3])))
        if plot[2] - plot[0] < 120 or plot[3] - plot[1] < 80:
            self.refuse("no room for the data", f"{plot[2] - plot[0]:.0f}x{plot[3] - plot[1]:.0f} pixels")
        return plot

    def value_ticks(self, plot: Box) -> None:
        """Gridlines, tick labels and the axis lines, all on whole pixels."""
        world, size = self.world, self.style.label_size
        place = scale(world, plot)
        for tick in ticks(world, world.axis.minor):
            at = round(place(tick))
            if self.sideways and plot[0] < at < plot[2]:
                self.shapes.append(Rect(at, plot[1], at + 1, plot[3], GRID))
            if not self.sideways and plot[1] < at < plot[3]:
                self.shapes.append(Rect(plot[0], at, plot[2], at + 1, GRID))
        outwards = 4 if self.style.frame else 0
        for tick, text in zip(ticks(world), self.tick_texts, strict=True):
            at = round(place(tick))
            if self.sideways:
                self.shapes.append(Rect(at, plot[3], at + 1, plot[3] + outwards, AXIS))
                self.shapes.append(Text(at, plot[3] + 7 + size * CAP, text, size, INK, "center"))
            else:
                self.shapes.append(Rect(plot[0] - outwards, at, plot[0], at + 1, AXIS))
                self.shapes.append(Text(plot[0] - 7, at + size * CAP / 2, text, size, INK, "right"))
        self.shapes.append(Rect(plot[0] - 1, plot[1], plot[0], plot[3] + 1, AXIS))
        self.shapes.append(Rect(plot[0] - 1, plot[3], plot[2] + 1, plot[3] + 1, AXIS))
        if self.style.frame:
            top, right = (plot[1], plot[2] + self.head) if self.sideways else (plot[1] - self.head, plot[2])
            self.shapes += [
                Rect(plot[0] - 1, top, plot[0], plot[3] + 1, AXIS),
                Rect(plot[0] - 1, plot[3], right + 1, plot[3] + 1, AXIS),
                Rect(right, top - 1, right + 1, plot[3] + 1, AXIS),
                Rect(plot[0] - 1, top - 1, right + 1, top, AXIS),
            ]

    def check(self, label: float, room: float) -> None:
        """Everything that must hold before any value is drawn."""
        world, style = self.world, self.style
        if world.value_labels:
            across = style.value_size * CAP + 1
            pitch = self.pitch(room)
            if world.kind == "vbar" and pitch < (across if self.turned(label) else label + 1):
                self.refuse("labels collide", f"{pitch:.1f} pixels a bar")
            if world.kind == "hbar" and pitch < across:
                self.refuse("labels collide", f"{pitch:.1f} pixels a bar")
        elif self.world.kind in ("vbar", "hbar") and self.pitch(room) < 4:
            self.refuse("no room for the data", f"{self.pitch(room):.1f} pixels a bar")
        self.check_texts()
        self.check_colours()

    def check_texts(self) -> None:
        """Glyphs exist, texts stay on the picture and do not run into each other."""
        placed: list[tuple[Box, str]] = []
        for shape in self.shapes:
            if not isinstance(shape, Text):
                continue
            missing = missing_glyphs(shape.text, shape.bold)
            if missing:
                self.refuse("no glyph", f"{missing!a} in {shape.text[:60]!r}")
            box = text_box(shape, width(shape.text, shape.size, shape.bold))
            if box[0] < 0 or box[1] < 0 or box[2] > self.style.width or box[3] > self.style.height:
                self.refuse("text leaves the picture", f"{shape.text[:60]!r}")
            for other, text in placed:
                if overlap(box, other):
                    self.refuse("texts collide", f"{shape.text[:40]!r} and {text[:40]!r}")
            placed.append((box, shape.text))

    def check_colours(self) -> None:
        values = [tuple(int(name[index : index + 2], 16) for index in (1, 3, 5)) for name in self.world.colours]
        for first, one in enumerate(values):
            if sum(abs(a - 255) for a in one) < 60:
                self.refuse("colours too alike", f"{self.world.colours[first]} on white paper")
            if self.world.colours[first] == MASK_FILL:
                self.refuse("colours too alike", f"{self.world.colours[first]} and what hides a part")
            for second in range(first):
                if sum(abs(a - b) for a, b in zip(one, values[second], strict=True)) < 60:
                    self.refuse("colours too alike", f"{self.world.colours[first]} and {self.world.colours[second]}")


class Scale(msgspec.Struct, frozen=True):
    """Value to pixel along the value axis."""

    start: float
    factor: float
    lower: float

    def __call__(self, value: Fraction) -> float:
        return self.start + (float(value) - self.lower) * self.factor


def scale(world: ChartWorld, plot: Box) -> Scale:
    """The linear scale of the value axis; upright charts run from bottom to top."""
    lower = float(world.axis.lower)
    span = float(world.axis.upper) - lower
    if world.kind == "hbar":
        return Scale(plot[0], (plot[2] - plot[0]) / span, lower)
    return Scale(plot[3], (plot[1] - plot[3]) / span, lower)


def frame_problems(world: ChartWorld, style: Style) -> tuple[Refusal, ...]:
    """Shape and frame problems; the frame is laid out only when the shape allows."""
    malformed = shape_problems(world)
    if malformed:
        return tuple(Refusal(reason="malformed world", detail=text) for text in malformed)
    return frame(msgspec.structs.replace(world, values=()), style).problems
