"""Frames and pictures of tables: nothing moves with the contents, and what does not fit is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest

from answerable.domains.chart.shapes import Rect, Text
from answerable.domains.chart.text import width
from answerable.domains.table.cells import Field
from answerable.domains.table.frame import frame
from answerable.domains.table.layout import render, scene, version, whole_problems
from answerable.domains.table.styles import MASKS, STYLES, TableStyle, styles_of
from answerable.domains.table.visibility import APPEARANCES, Appearance, Hide, hidden_cells, show
from answerable.domains.table.world import TableWorld, with_values
from tests.domains.table.make import OPENS, PRICE, SECTION, UNITS, world

HIDE = Hide(cells=(("Zürich", "Units"),), appearance="patch")


def bare(made: TableWorld) -> TableWorld:
    return msgspec.structs.replace(made, values=())


@pytest.mark.parametrize("style", STYLES)
def test_every_text_stays_inside_its_cell(style: str) -> None:
    made = world(style=style)
    assert whole_problems(made) == ()
    drawing = scene(made)
    boxes = [box for line in frame(bare(made)).cells for box in line]
    texts = [shape for shape in drawing.moving if isinstance(shape, Text)]
    assert len(texts) == len(boxes) == 25
    for text, box in zip(texts, boxes, strict=True):
        long = width(text.text, text.size)
        start = text.x - {"left": 0.0, "center": long / 2, "right": long}[text.align]
        assert box[0] <= start
        assert start + long <= box[2]
        assert box[1] < text.y < box[3]
    assert all(0 <= box[0] < box[2] <= drawing.width and 0 <= box[1] < box[3] <= drawing.height for box in boxes)


@pytest.mark.parametrize("style", STYLES)
def test_cells_do_not_overlap_and_stand_in_columns(style: str) -> None:
    cells = frame(bare(world(style=style))).cells
    for line in cells:
        assert all(one[2] <= other[0] for one, other in pairwise(line))
    for one, other in pairwise(cells):
        assert all(a[3] <= b[1] and (a[0], a[2]) == (b[0], b[2]) for a, b in zip(one, other, strict=True))


def test_a_column_is_as_wide_as_what_it_may_hold_not_as_what_it_holds() -> None:
    narrow = world(UNITS)
    spans = [box[2] - box[0] for box in frame(bare(narrow)).cells[0]]
    small = with_values(narrow, [((row, "Units"), Fraction(1)) for row in narrow.rows])
    assert [box[2] - box[0] for box in frame(bare(small)).cells[0]] == spans
    wider = msgspec.structs.replace(UNITS, upper=Fraction(2_000_000_000))
    assert frame(bare(world(wider))).cells[0][0][2] - frame(bare(world(wider))).cells[0][0][0] > spans[0]


@pytest.mark.parametrize("look", APPEARANCES)
@pytest.mark.parametrize("style", ["ruled-open", "zebra-blue", "sheet-plain", "book-mint"])
def test_the_patch_covers_the_whole_cell_and_nothing_else(style: str, look: Appearance) -> None:
    made = world(style=style)
    hide = Hide(cells=(("Zürich", "Units"),), appearance=look)
    before, after = render(made), render(made, hide)
    x0, y0, x1, y1 = map(int, frame(bare(made)).cells[1][1])
    differs = (before != after).any(axis=2)
    ys, xs = np.nonzero(differs)
    assert (xs.min() >= x0, xs.max() < x1, ys.min() >= y0, ys.max() < y1) == (True, True, True, True)
    inside = after[y0 + 1 : y1 - 1, x0 + 1 : x1 - 1]
    fill = tuple(int(MASKS[look][0][place : place + 2], 16) for place in (1, 3, 5))
    assert (inside == np.array(fill, np.uint8)).all()


def test_a_hidden_value_never_reaches_the_renderer() -> None:
    picture = show(world(), HIDE)
    assert picture.world.values == ()
    assert picture.texts[1] == ("south", None, "$15.83", "\u22124.5%", "9:35 A.M.")
    assert "767" not in repr(scene(world(), HIDE))
    assert "767" in repr(scene(world()))


def test_several_cells_can_be_hidden() -> None:
    hide = Hide(cells=(("Zürich", "Units"), ("Oslo", "Section")), appearance="ink")
    assert hidden_cells(world(), hide) == {("Zürich", "Units"), ("Oslo", "Section")}
    patches = [shape for shape in scene(world(), hide).moving if isinstance(shape, Rect)]
    assert len(patches) == 4


@pytest.mark.parametrize("cells", [(), (("a", "b"), ("a", "b"))])
def test_an_operation_hides_one_cell_or_more_each_once(cells: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="expected one cell or more, each once"):
        Hide(cells=cells, appearance="patch")


def test_hiding_what_is_not_there_is_refused() -> None:
    for cell in (("Nowhere", "Units"), ("Oslo", "Nothing")):
        found = whole_problems(world(), Hide(cells=(cell,), appearance="patch"))
        assert [problem.reason for problem in found] == ["nothing to hide"]
        assert repr(cell[0]) in found[0].detail


def text_field(*words: str) -> Field:
    return msgspec.structs.replace(SECTION, words=words, upper=Fraction(len(words) - 1))


LONG = "a text so long that no column of any table that we draw could ever hold it"


@pytest.mark.parametrize(
    ("made", "reason", "detail"),
    [
        (world(text_field("x", LONG, "y")), "text does not fit its cell", "a text so long"),
        (world(rows=5, corner="W" * 30), "text does not fit its cell", "WWW"),
        (world(msgspec.structs.replace(UNITS, suffix=" " + "furlongs " * 5)), "text does not fit its cell", "furlongs"),
        (world(title="word " * 39), "text does not fit its cell", "word"),
        (world(text_field("שלום", "b", "c")), "no glyph", "05e9"),
        (world(text_field("مرحبا", "b", "c")), "no glyph", "0645"),
        (world(text_field("東京", "b", "c")), "no glyph", "6771"),
        (world(title="売上"), "no glyph", "58f2"),
        (world(corner="עיר"), "no glyph", "05e2"),
        (world(rows=1, title="e\u0301"), "no glyph", "0301"),
        (world(title="tab\there\u200f"), "no glyph", "200f"),
    ],
)  # fmt: skip
def test_text_that_cannot_be_drawn_or_does_not_fit_is_refused(made: TableWorld, reason: str, detail: str) -> None:
    found = whole_problems(made)
    assert reason in {problem.reason for problem in found}
    assert any(detail in problem.detail for problem in found if problem.reason == reason), found


def test_a_label_in_another_script_is_refused_in_rows_and_headers() -> None:
    rows = ("東京", *world().rows[1:])
    assert whole_problems(msgspec.structs.replace(world(), rows=rows))[0].reason == "no glyph"
    fields = (msgspec.structs.replace(UNITS, name="数"), *world().fields[1:])
    assert whole_problems(msgspec.structs.replace(world(), fields=fields))[0].reason == "no glyph"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rows": ()}, "malformed world"),
        ({"style": "no such style"}, "malformed world"),
    ],
)
def test_malformed_worlds_are_refused(changes: dict[str, Any], reason: str) -> None:
    found = whole_problems(msgspec.structs.replace(world(), **changes))
    assert found[0].reason == reason


def test_values_outside_their_format_are_refused() -> None:
    for value in (Fraction(2001), Fraction(-1), Fraction(1, 2)):
        found = whole_problems(with_values(world(), [(("Oslo", "Units"), value)]))
        assert [problem.reason for problem in found] == ["value not in its column's format"]


def test_a_table_too_large_for_a_picture_is_refused() -> None:
    wide = tuple(text_field("A fairly long text in a cell " + "x" * 4, str(i), "z") for i in range(8))
    fields = tuple(msgspec.structs.replace(field, name=f"column {i}") for i, field in enumerate(wide))
    made = msgspec.structs.replace(world(), fields=fields, values=((Fraction(0),) * 8,) * 5)
    assert {problem.reason for problem in whole_problems(made)} == {"table does not fit the picture"}


def test_a_list_without_a_header_draws_no_names() -> None:
    made = world(PRICE, header=False)
    drawn = [shape.text for shape in scene(made).fixed if isinstance(shape, Text)]
    assert drawn == ["Market halls", *made.rows]


def test_the_title_widens_the_labels_where_it_must() -> None:
    title = "A heading that is longer than two narrow columns"
    made = world(UNITS, title=title, style="book-blue")
    assert whole_problems(made) == ()
    drawing = scene(made)
    heading = next(shape for shape in drawing.fixed if isinstance(shape, Text) and shape.text == title)
    assert width(title, heading.size, heading.bold) < drawing.width
    assert scene(world(UNITS, title="", style="book-blue")).width < drawing.width


def test_spreadsheets_number_their_rows() -> None:
    texts = [shape.text for shape in scene(world(style="sheet-plain")).fixed if isinstance(shape, Text)]
    assert texts[:6] == list("ABCDEF")
    assert [text for text in texts if text.isdigit()] == [str(number) for number in range(1, 8)]


def test_families_of_styles() -> None:
    assert set(styles_of(("ruled",))) == {"ruled-plain", "ruled-grey", "ruled-open"}
    assert set(styles_of(("ruled", "zebra", "sheet", "book"))) == set(STYLES)
    assert TableStyle(family="x").family == "x"


def test_the_same_table_gives_the_same_pixels_whatever_was_drawn_before() -> None:
    first = render(world(), HIDE).tobytes()
    render(world(OPENS, style="book-green"))
    assert render(world(), HIDE).tobytes() == first
    assert "table r" in version()
