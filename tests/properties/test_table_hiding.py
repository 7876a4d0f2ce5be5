"""No hidden cell leaves a trace, and no content moves anything: not a pixel outside its own cell."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.seeds import Stream
from answerable.domains.table.cells import Field, shown
from answerable.domains.table.frame import frame
from answerable.domains.table.layout import render, scene
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.styles import STYLES
from answerable.domains.table.visibility import APPEARANCES, Appearance, Hide
from answerable.domains.table.world import TableWorld, with_values

seeds = st.integers(0, 10**6)


def made_up(seed: int, style: str) -> TableWorld:
    return sample_world(Stream("hiding", seed), (style,))


def admissible(field: Field, stream: Stream) -> Fraction:
    """Any value of a column, its bounds among the likely ones."""
    low, high = -(-field.lower // field.step), field.upper // field.step
    return stream.pick((low, high, low + stream.below(int(high - low) + 1))) * field.step


@given(seeds, st.sampled_from(sorted(STYLES)), st.sampled_from(APPEARANCES), st.integers(1, 3), seeds)
@settings(max_examples=120)
def test_hidden_cells_look_the_same_whatever_they_hold(
    seed: int, style: str, look: Appearance, count: int, other: int
) -> None:
    made, stream = made_up(seed, style), Stream("other", other)
    places = [(row, field.name) for row in made.rows for field in made.fields]
    chosen = stream.sample(places, count)
    kinds = {field.name: field for field in made.fields}
    changed = with_values(made, [(cell, admissible(kinds[cell[1]], stream)) for cell in chosen])
    hide = Hide(cells=tuple(chosen), appearance=look)
    assert scene(made, hide) == scene(changed, hide)
    first = render(made, hide).tobytes()
    # Another picture in between must not matter either.
    render(changed)
    assert render(changed, hide).tobytes() == first


@given(seeds, st.sampled_from(sorted(STYLES)), seeds)
@settings(max_examples=80)
def test_a_content_changes_nothing_outside_its_cell(seed: int, style: str, other: int) -> None:
    made, stream = made_up(seed, style), Stream("content", other)
    row, column = stream.below(len(made.rows)), stream.below(len(made.fields))
    field = made.fields[column]
    value = admissible(field, stream)
    assert shown(field, value) is not None
    changed = with_values(made, [((made.rows[row], field.name), value)])
    before, after = scene(made), scene(changed)
    assert before.fixed == after.fixed
    assert (before.width, before.height) == (after.width, after.height)
    pixels, others = render(made).copy(), render(changed)
    x0, y0, x1, y1 = map(int, frame(msgspec.structs.replace(made, values=())).cells[row][column])
    ys, xs = np.nonzero((pixels != others).any(axis=2))
    if len(ys):
        assert (xs.min() >= x0, ys.min() >= y0, xs.max() < x1, ys.max() < y1) == (True,) * 4


@given(seeds, st.sampled_from(sorted(STYLES)))
@settings(max_examples=40)
def test_all_patches_of_a_column_have_one_size(seed: int, style: str) -> None:
    made = made_up(seed, style)
    for column in range(len(made.fields)):
        boxes = [line[column] for line in frame(msgspec.structs.replace(made, values=())).cells]
        assert len({(box[2] - box[0], box[3] - box[1]) for box in boxes}) == 1
