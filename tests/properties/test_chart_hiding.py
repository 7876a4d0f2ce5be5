"""No hidden value leaves a trace, and no value moves another one's mark or label."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene
from answerable.domains.chart.shapes import Dot, Rect, Text
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.visibility import APPEARANCES, Appearance, Hide
from answerable.domains.chart.world import KINDS, ChartWorld, Kind, with_value
from tests.domains.chart.make import COLOURS, POSITIONS, pixels, world

#: Every admissible value of the axis from 0 to 100 that a label can show, and some that none can.
admissible = st.integers(0, 100).map(Fraction) | st.fractions(min_value=0, max_value=100, max_denominator=1000)
shown = st.integers(0, 100).map(Fraction)


def replaced(made: ChartWorld, position: str, values: list[Fraction]) -> ChartWorld:
    for series, value in zip(made.series, values, strict=True):
        made = with_value(made, series, position, value)
    return made


@given(
    st.sampled_from(KINDS),
    st.sampled_from(POSITIONS),
    st.sampled_from(APPEARANCES),
    st.booleans(),
    st.lists(admissible, min_size=3, max_size=3),
)
@settings(max_examples=150)
def test_a_hidden_position_looks_the_same_whatever_it_hides(
    kind: Kind, position: str, appearance: Appearance, labels: bool, values: list[Fraction]
) -> None:
    made = world(kind, rows=3, labels=labels)
    hide = Hide(positions=(position,), appearance=appearance)
    other = replaced(made, position, values)
    for style in STYLES.values():
        assert scene(made, style, hide) == scene(other, style, hide)
    assert pixels(made, hide).tobytes() == pixels(other, hide).tobytes()


@given(
    st.sampled_from(KINDS),
    st.lists(st.sampled_from(POSITIONS), min_size=2, max_size=4, unique=True),
    st.sampled_from(APPEARANCES),
    st.data(),
)
@settings(max_examples=60)
def test_several_hidden_positions_look_the_same_whatever_they_hide(
    kind: Kind, positions: list[str], appearance: Appearance, data: st.DataObject
) -> None:
    made = other = world(kind, rows=2)
    for position in positions:
        other = replaced(other, position, data.draw(st.lists(admissible, min_size=2, max_size=2)))
    hide = Hide(positions=tuple(positions), appearance=appearance)
    assert pixels(made, hide).tobytes() == pixels(other, hide).tobytes()


@pytest.mark.parametrize("name", ["matplotlib", "skia"])
@given(st.sampled_from(KINDS), st.lists(admissible, min_size=2, max_size=2))
@settings(max_examples=20)
def test_each_family_draws_it_the_same(name: str, kind: Kind, values: list[Fraction]) -> None:
    made, hide = world(kind), Hide(positions=("2021",), appearance="gap")
    drawn = family(name)
    first = pixels(made, hide, drawn).tobytes()
    # Another picture in between must not matter either.
    pixels(replaced(made, "2021", values), None, drawn)
    assert pixels(replaced(made, "2021", values), hide, drawn).tobytes() == first


@given(st.sampled_from(KINDS), st.integers(0, 2), st.integers(0, 4), shown, shown)
def test_a_value_moves_nothing_but_its_own_mark_and_label(
    kind: Kind, row: int, column: int, one: Fraction, other: Fraction
) -> None:
    made = world(kind, rows=3)
    before = scene(with_value(made, made.series[row], POSITIONS[column], one), STYLES["skia"])
    after = scene(with_value(made, made.series[row], POSITIONS[column], other), STYLES["skia"])
    assert before.fixed == after.fixed
    assert len(before.moving) == len(after.moving)
    changed = [(a, b) for a, b in zip(before.moving, after.moving, strict=True) if a != b]
    if one == other:
        assert changed == []
        return
    # At most the mark or line, its dot, and its label.
    assert len(changed) <= 3
    labels = [(a, b) for a, b in changed if isinstance(a, Text)]
    assert len(labels) == 1
    for a, b in changed:
        if isinstance(a, Rect | Dot) and isinstance(b, Rect | Dot):
            colour = a.fill if isinstance(a, Rect) else a.colour
            assert colour == COLOURS[row]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("look", APPEARANCES)
def test_the_mask_of_k_is_the_mask_of_m_elsewhere(kind: Kind, look: Appearance) -> None:
    empty = msgspec.structs.replace(world(kind, rows=1, labels=False), values=((Fraction(5),) * 5,))
    sizes = set()
    for name in POSITIONS:
        masks = [shape for shape in scene(empty, STYLES["skia"], Hide(positions=(name,), appearance=look)).moving
                 if isinstance(shape, Rect) and shape.fill not in COLOURS]  # fmt: skip
        sizes.add((round(masks[0].x1 - masks[0].x0), round(masks[0].y1 - masks[0].y0)))
    # One size up to rounding to whole pixels, wherever it is.
    widths, heights = {size[0] for size in sizes}, {size[1] for size in sizes}
    assert max(widths) - min(widths) <= 1
    assert max(heights) - min(heights) <= 1
