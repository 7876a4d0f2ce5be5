"""The fixed part: it sees fixed facts only, and says what does not fit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from answerable.domains.chart.frame import frame, frame_problems, scale, tick_decimals, ticks, widest_value
from answerable.domains.chart.shapes import Text, text_box
from answerable.domains.chart.styles import STYLES, Style
from answerable.domains.chart.text import width
from answerable.domains.chart.world import KINDS, Axis, ChartWorld, Kind
from tests.domains.chart.make import world

STYLE = STYLES["skia"]


def reasons(made: ChartWorld, style: Style = STYLE) -> set[str]:
    return {problem.reason for problem in frame_problems(made, style)}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 3])
def test_everything_fits_in_every_style(style: Style, kind: Kind, rows: int) -> None:
    made = world(kind, rows=rows)
    assert frame_problems(made, style) == ()
    fixed = frame(msgspec.structs.replace(made, values=()), style)
    x0, y0, x1, y1 = fixed.plot
    assert 0 < x0 < x1 < style.width
    assert 0 < y0 < y1 < style.height
    assert all(side == round(side) for side in fixed.plot)
    for shape in fixed.shapes:
        if isinstance(shape, Text):
            box = text_box(shape, width(shape.text, shape.size, shape.bold))
            assert box[0] >= 0
            assert box[1] >= 0
            assert box[2] <= style.width
            assert box[3] <= style.height


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_every_name_title_and_tick_is_written(style: Style) -> None:
    made = world("line", rows=3, unit="mm")
    written = {
        shape.text for shape in frame(msgspec.structs.replace(made, values=()), style).shapes if isinstance(shape, Text)
    }
    assert {*made.series, *made.positions, made.title, "Year", "Visitors (mm)"} <= written
    assert {"0", "20", "40", "60", "80", "100"} <= written


def test_one_series_needs_no_legend() -> None:
    shapes = frame(msgspec.structs.replace(world(rows=1), values=()), STYLE).shapes
    assert not any(isinstance(shape, Text) and shape.text == "Łódź" for shape in shapes)


LONG = "A title that goes on and on about everything there is to say on the matter " * 3


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("vbar", {"title": LONG}, "title does not fit"),
        ("vbar", {"title": "W" * 120}, "title does not fit"),
        ("vbar", {"series": ("x" * 200, "y")}, "legend does not fit"),
        ("vbar", {"value_title": "V" * 90}, "axis title does not fit"),
        ("hbar", {"value_title": "V" * 120}, "axis title does not fit"),
        ("vbar", {"positions": tuple(f"position {index} " * 4 for index in range(5))}, "position labels collide"),
        ("hbar", {"positions": tuple(f"position {index} " * 4 for index in range(5))}, "position labels collide"),
        ("vbar", {"title": "שלום"}, "no glyph"),
        ("vbar", {"series": ("東京", "b")}, "no glyph"),
        ("vbar", {"positions": ("1", "2", "3", "4", "e\u0301")}, "no glyph"),
        ("vbar", {"unit": "a\u00a0b"}, "no glyph"),
        ("vbar", {"colours": ("#2f6db5", "#2f6db6")}, "colours too alike"),
        ("vbar", {"colours": ("#2f6db5", "#fefefe")}, "colours too alike"),
        ("vbar", {"colours": ("#2f6db5", "#b9bec8")}, "colours too alike"),
        ("line", {"axis": Axis(Fraction(0), Fraction(100), Fraction(100, 3))}, "ticks cannot be shown exactly"),
        ("line", {"axis": Axis(Fraction(1), Fraction(9), Fraction(10))}, "axis cannot be read"),
        ("line", {"axis": Axis(Fraction(1), Fraction(19), Fraction(10))}, "axis cannot be read"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_reason(kind: Kind, changes: dict[str, Any], reason: str) -> None:
    assert reason in reasons(world(kind, **changes))


def many(kind: Kind, rows: int, columns: int, *, labels: bool = True) -> ChartWorld:
    """Many thin marks."""
    colours = tuple(f"#{40 * (row % 5):02x}{60 * (row % 4):02x}{80 * (row % 3):02x}" for row in range(rows))
    return world(
        kind,
        labels=labels,
        series=tuple(f"s{row}" for row in range(rows)),
        positions=tuple(f"p{column}" for column in range(columns)),
        values=tuple((Fraction(20),) * columns for _ in range(rows)),
        colours=colours,
        decimals=3,
    )


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_bars_too_thin_for_their_labels_are_refused(kind: Kind) -> None:
    assert "labels collide" in reasons(many(kind, 8, 20))


def test_bars_too_thin_to_see_are_refused() -> None:
    assert "no room for the data" in reasons(many("vbar", 8, 30, labels=False))


def test_a_legend_that_eats_the_picture_is_refused() -> None:
    made = many("line", 12, 4)
    tall = msgspec.structs.replace(made, series=tuple(f"{'a long name of a series ' * 3}{row}" for row in range(12)))
    assert "legend does not fit" in reasons(tall)
    assert "legend does not fit" in reasons(tall, STYLES["vega"])


def test_names_turn_when_they_do_not_fit_side_by_side() -> None:
    made = world(positions=tuple(f"a long name {index}" for index in range(5)), rows=1)
    narrow = msgspec.structs.replace(STYLE, width=480)
    shapes = frame(msgspec.structs.replace(made, values=()), narrow).shapes
    turned = [shape for shape in shapes if isinstance(shape, Text) and shape.text.startswith("a long name")]
    assert len(turned) == 5
    assert not any(shape.upright for shape in turned)
    assert "position labels collide" not in reasons(made, narrow)


def test_the_frame_is_laid_out_only_for_a_well_formed_world() -> None:
    assert reasons(world(scale=7)) == {"malformed world"}


def test_ticks_are_multiples_of_the_step_inside_the_axis() -> None:
    made = world(axis=Axis(Fraction(-7), Fraction(12), Fraction(5), 2))
    assert ticks(made) == [-5, 0, 5, 10]
    assert ticks(made, 2) == [Fraction(5 * index, 2) for index in range(-2, 5)]


@pytest.mark.parametrize(
    ("step", "scaled", "digits"),
    [(Fraction(20), 1, 0), (Fraction(1, 4), 1, 2), (Fraction(2500), 1000, 1), (Fraction(1, 3), 1, None)],
)
def test_ticks_have_the_fewest_digits_that_are_exact(step: Fraction, scaled: int, digits: int | None) -> None:
    assert tick_decimals(world(axis=Axis(Fraction(0), step * 5, step), scale=scaled)) == digits


def test_the_widest_label_comes_from_the_axis_not_from_the_values() -> None:
    made = world(axis=Axis(Fraction(-5000), Fraction(100), Fraction(1000)), decimals=2)
    assert widest_value(made) == "\u22125,000.88"
    assert widest_value(msgspec.structs.replace(made, values=((Fraction(1),) * 5,) * 2)) == "\u22125,000.88"


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
def test_the_scale_runs_from_end_to_end(kind: Kind) -> None:
    made = world(kind, axis=Axis(Fraction(-50), Fraction(150), Fraction(50)))
    place = scale(made, (100.0, 50.0, 500.0, 400.0))
    low, high = place(Fraction(-50)), place(Fraction(150))
    assert (low, high) == ((100.0, 500.0) if kind == "hbar" else (400.0, 50.0))
    assert place(Fraction(50)) == pytest.approx((low + high) / 2)
