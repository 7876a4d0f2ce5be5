"""Marks and labels: where they stand, what they depend on, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from answerable.domains.chart.frame import frame, scale
from answerable.domains.chart.layout import draw, mask_box, scene, whole_problems
from answerable.domains.chart.shapes import Dot, Line, Rect, Shape, Text
from answerable.domains.chart.styles import MASK_EDGE, MASK_FILL, PAPER, STYLES, Style
from answerable.domains.chart.visibility import Appearance, Hide, show
from answerable.domains.chart.world import KINDS, Axis, ChartWorld, Kind, with_value
from tests.domains.chart.make import world

STYLE = STYLES["skia"]
EVERY_STYLE = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


def reasons(made: ChartWorld, hide: Hide | None = None, style: Style = STYLE) -> set[str]:
    return {problem.reason for problem in whole_problems(made, style, hide)}


def bars(made: ChartWorld, hide: Hide | None = None, style: Style = STYLE) -> list[Rect]:
    return [s for s in scene(made, style, hide).moving if isinstance(s, Rect) and s.fill in made.colours]


def labels(made: ChartWorld, hide: Hide | None = None, style: Style = STYLE) -> list[Text]:
    return [s for s in scene(made, style, hide).moving if isinstance(s, Text)]


@EVERY_STYLE
@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_a_bar_is_as_long_as_its_value(kind: Kind, style: Style) -> None:
    made = world(kind, rows=1)
    plot = frame(msgspec.structs.replace(made, values=()), style).plot
    length = plot[2] - plot[0] if kind == "hbar" else plot[3] - plot[1]
    for shape, value in zip(bars(made, style=style), made.values[0], strict=True):
        drawn = shape.x1 - shape.x0 if kind == "hbar" else shape.y1 - shape.y0
        assert drawn == pytest.approx(float(value) / 100 * length, abs=1)
        # It stands on the axis.
        assert (shape.x0 if kind == "hbar" else shape.y1) == (plot[0] if kind == "hbar" else plot[3])


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_bars_stand_side_by_side_in_their_positions_room(kind: Kind) -> None:
    made = world(kind, rows=3)
    fixed = frame(msgspec.structs.replace(made, values=()), STYLE)
    spans = []
    for index, shape in enumerate(bars(made)):
        start, end = (shape.y0, shape.y1) if kind == "hbar" else (shape.x0, shape.x1)
        column = index % 5
        begin = (fixed.plot[1] if kind == "hbar" else fixed.plot[0]) + fixed.room * column
        assert begin <= start < end <= begin + fixed.room
        spans.append((start, end))
    spans.sort()
    assert all(spans[index][1] <= spans[index + 1][0] for index in range(len(spans) - 1))


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_negative_bars_point_the_other_way_from_zero(kind: Kind) -> None:
    axis = Axis(Fraction(-100), Fraction(100), Fraction(50))
    values = ((Fraction(40), Fraction(-40), Fraction(0), Fraction(-100), Fraction(100)),)
    made = world(kind, rows=1, axis=axis, values=values)
    assert whole_problems(made, STYLE) == ()
    fixed = frame(msgspec.structs.replace(made, values=()), STYLE)
    zero = round(scale(made, fixed.plot)(Fraction(0)))
    up, down, none, lowest, highest = bars(made)
    if kind == "hbar":
        assert (up.x0, down.x1) == (zero, zero)
        assert none.x0 == none.x1 == zero
        assert (lowest.x0, highest.x1) == (fixed.plot[0], fixed.plot[2])
    else:
        assert (up.y1, down.y0) == (zero, zero)
        assert none.y0 == none.y1 == zero
        assert (lowest.y1, highest.y0) == (fixed.plot[3], fixed.plot[1])
    assert [label.text for label in labels(made)] == ["40", "\u221240", "0", "\u2212100", "100"]


def test_bars_on_an_axis_without_zero_start_at_its_nearest_end() -> None:
    above = world("vbar", rows=1, axis=Axis(Fraction(10), Fraction(60), Fraction(10)))
    plot = frame(msgspec.structs.replace(above, values=()), STYLE).plot
    assert {shape.y1 for shape in bars(above)} == {plot[3]}
    below = world("vbar", rows=1, axis=Axis(Fraction(-60), Fraction(-10), Fraction(10)), values=((Fraction(-30),) * 5,))
    assert whole_problems(below, STYLE) == ()
    plot = frame(msgspec.structs.replace(below, values=()), STYLE).plot
    assert {shape.y0 for shape in bars(below)} == {plot[1]}


@EVERY_STYLE
@pytest.mark.parametrize("kind", KINDS)
def test_every_value_is_written_once_beside_its_mark(kind: Kind, style: Style) -> None:
    made = world(kind, rows=3)
    assert sorted(label.text for label in labels(made, style=style)) == sorted(
        str(value) for line in made.values for value in line
    )
    assert labels(world(kind, rows=3, labels=False), style=style) == []


def points(made: ChartWorld) -> list[tuple[float, float]]:
    fixed = frame(msgspec.structs.replace(made, values=()), STYLE)
    place = scale(made, fixed.plot)
    return [
        (fixed.plot[0] + fixed.room * (column + 0.5), place(value))
        for line in made.values
        for column, value in enumerate(line)
    ]


@pytest.mark.parametrize("kind", ["line", "dot_line"])
def test_a_line_goes_through_its_points(kind: Kind) -> None:
    made = world(kind, rows=2)
    drawn = [shape for shape in scene(made, STYLE).moving if isinstance(shape, Line)]
    assert [point for line in drawn for point in line.points] == points(made)
    dots = [(s.x, s.y) for s in scene(made, STYLE).moving if isinstance(s, Dot)]
    assert dots == (points(made) if kind == "dot_line" else [])


@pytest.mark.parametrize(
    ("position", "runs", "lone"),
    [("2019", [4], 0), ("2020", [3], 1), ("2021", [2, 2], 0), ("2022", [3], 1), ("2023", [4], 0)],
)
def test_a_line_breaks_where_a_value_is_hidden(position: str, runs: list[int], lone: int) -> None:
    made = world("line", rows=1)
    shapes = scene(made, STYLE, Hide(positions=(position,), appearance="gap")).moving
    assert [len(shape.points) for shape in shapes if isinstance(shape, Line)] == runs
    # A point that is left alone is drawn as a dot: it is still there.
    assert len([shape for shape in shapes if isinstance(shape, Dot)]) == lone
    x = points(made)[made.positions.index(position)][0]
    assert not any(point[0] == x for shape in shapes if isinstance(shape, Line) for point in shape.points)
    assert not any(shape.x == x for shape in shapes if isinstance(shape, Dot | Text))


@EVERY_STYLE
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("appearance", ["patch", "gap"])
def test_the_mask_covers_the_position_across_the_data_region(kind: Kind, style: Style, appearance: Appearance) -> None:
    made = world(kind)
    picture = show(made, Hide(positions=("2021",), appearance=appearance))
    fixed = frame(picture.world, style)
    box = mask_box(picture, fixed, 2)
    x0, y0, x1, y1 = fixed.plot
    if kind == "hbar":
        assert (box[0], box[2]) == (x0, x1)
        assert (box[1] - y0, box[3] - y0) == (round(y0 + 2 * fixed.room) - y0, round(y0 + 3 * fixed.room) - y0)
    else:
        assert (box[1], box[3]) == (y0, y1)
        assert box[2] - box[0] == pytest.approx(fixed.room, abs=1)
    masks = [s for s in draw(picture, style).moving if isinstance(s, Rect) and s.fill in (MASK_FILL, MASK_EDGE, PAPER)]
    assert [shape.fill for shape in masks] == ([PAPER] if appearance == "gap" else [MASK_EDGE, MASK_FILL])
    assert (masks[0].x0, masks[0].y0, masks[0].x1, masks[0].y1) == box


def test_nothing_hidden_has_no_mask() -> None:
    picture = show(world())
    shapes = draw(picture, STYLE).moving
    assert not [shape for shape in shapes if isinstance(shape, Rect) and shape.fill in (MASK_FILL, MASK_EDGE, PAPER)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("appearance", ["patch", "gap"])
def test_several_hidden_positions_have_a_mask_each(kind: Kind, appearance: Appearance) -> None:
    made = world(kind)
    hides = [Hide(positions=names, appearance=appearance) for names in (("2019",), ("2022",), ("2022", "2019"))]

    def masks(hide: Hide) -> list[Shape]:
        return [
            shape
            for shape in draw(show(made, hide), STYLE).moving
            if isinstance(shape, Rect) and shape.fill in (MASK_FILL, MASK_EDGE, PAPER)
        ]

    one, other, both = map(masks, hides)
    assert both == one + other and one and other
    dots = [shape for shape in draw(show(made, hides[2]), STYLE).moving if isinstance(shape, Text)]
    assert len(dots) == 3 * len(made.series)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fixed_layer_is_the_same_for_every_value_and_mask(kind: Kind) -> None:
    made = world(kind)
    other = with_value(made, "Łódź", "2021", Fraction(95))
    hide = Hide(positions=("2020",), appearance="patch")
    assert scene(made, STYLE).fixed == scene(other, STYLE).fixed == scene(made, STYLE, hide).fixed


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("vbar", {"values": ((Fraction(101),) * 5, (Fraction(1),) * 5)}, "value outside the axis"),
        ("vbar", {"values": ((Fraction(-1),) * 5, (Fraction(1),) * 5)}, "value outside the axis"),
        ("vbar", {"values": ((Fraction(1, 2),) * 5, (Fraction(1),) * 5)}, "value not shown exactly"),
        ("vbar", {"values": ((Fraction(1, 3),) * 5, (Fraction(1),) * 5), "decimals": 6}, "value not shown exactly"),
        ("line", {"values": ((Fraction(50),) * 5, (Fraction(50),) * 5)}, "marks collide"),
        ("line", {"values": ((Fraction(50),) * 5, (Fraction(53),) * 5)}, "labels collide"),
        ("dot_line", {"values": ((Fraction(50),) * 5, (Fraction(52),) * 5)}, "labels collide"),
        ("vbar", {"title": "T" * 400}, "malformed world"),
        ("vbar", {"colours": ("#2f6db5", "#2f6db5")}, "colours too alike"),
    ],
)
def test_a_world_that_does_not_show_whole_is_refused(kind: Kind, changes: dict[str, Any], reason: str) -> None:
    assert reason in reasons(world(kind, **changes))


def test_without_labels_values_must_lie_on_gridlines() -> None:
    assert reasons(world("vbar", labels=False)) == set()
    off = with_value(world("vbar", labels=False), "Łódź", "2021", Fraction(51))
    assert reasons(off) == {"value not on a gridline"}


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_without_labels_a_bar_of_no_length_shows_nothing(kind: Kind) -> None:
    nothing = with_value(world(kind, labels=False), "Łódź", "2021", Fraction(0))
    assert reasons(nothing) == {"value without a mark"}
    assert reasons(msgspec.structs.replace(nothing, value_labels=True)) == set()


def test_without_labels_a_point_at_zero_is_a_mark() -> None:
    low = with_value(world("line", rows=1, labels=False), "Łódź", "2021", Fraction(0))
    assert reasons(low) == set()


def test_points_that_touch_are_refused_without_labels_too() -> None:
    made = with_value(world("line", labels=False), "Zürich", "2021", world().values[0][2])
    assert reasons(made) == {"marks collide"}


def test_a_label_may_not_run_into_the_numbers_of_the_axis() -> None:
    positions = tuple(f"{index}" for index in range(20))
    high_and_low = tuple(Fraction(10 + column % 2 * 70) for column in range(20))
    made = world("line", rows=1, positions=positions, values=(high_and_low,), decimals=6)
    assert whole_problems(made, STYLE) == ()
    # The first label is wider than its room; at this height the number 40 stands in its way.
    problems = whole_problems(with_value(made, "Łódź", "0", Fraction(37)), STYLE)
    assert [(problem.reason, problem.detail) for problem in problems] == [("labels collide", "37.000000 and 40")]


def test_hiding_what_is_not_there_is_refused() -> None:
    assert reasons(world(), Hide(positions=("1999",), appearance="gap")) == {"nothing to hide"}


@EVERY_STYLE
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_whole_stays_whole_when_hidden(kind: Kind, style: Style) -> None:
    made = world(kind, rows=3)
    for position in made.positions:
        assert whole_problems(made, style, Hide(positions=(position,), appearance="patch")) == ()
