"""Nothing hidden leaves a trace: pictures are equal byte for byte, whatever is out of sight."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.domains.code.language import Assign, Int, Statement, Str
from answerable.domains.code.printing import lines
from answerable.domains.code.screen import Places, render
from answerable.domains.code.slots import with_tail
from answerable.domains.code.visibility import Above, End
from answerable.domains.code.world import THEMES, CodeWorld
from tests.domains.code.make import dice, program, sums, world

numbers = st.integers(-(10**9), 10**9)


def png_of(made: CodeWorld, hide: Above | End) -> bytes:
    return render(made, hide).tobytes()


@given(st.sampled_from(THEMES), st.sampled_from([1, 2, 3]), numbers, numbers)
@settings(max_examples=60)
def test_the_end_of_a_line_looks_the_same_whatever_it_hides(theme: str, line: int, one: int, other: int) -> None:
    column = lines(sums())[line - 1].text.index("=") + 2
    pictures = {
        png_of(world(with_tail(sums(), (line - 1,), Int(value)), theme=theme), End(line, column))
        for value in (one, other)
    }
    assert len(pictures) == 1


@given(st.sampled_from(THEMES), numbers, st.text("abcXYZ 019", max_size=20))
@settings(max_examples=60)
def test_what_lies_above_looks_the_same_whatever_it_is(theme: str, number: int, text: str) -> None:
    rest = sums().statements[3:]
    heads: list[tuple[Statement, ...]] = [
        (Assign("a", Int(number)), Assign("b", Str(text)), Assign("c", Str('"\'"""#'))),
        sums().statements[:3],
    ]
    pictures = {png_of(world(program(*head, *rest), theme=theme), Above(3)) for head in heads}
    assert len(pictures) == 1


@given(st.integers(1, 9), st.integers(1, 30))
@settings(max_examples=40)
def test_places_depend_on_the_declared_window_alone(line: int, column: int) -> None:
    one, other = (Places(world(made).window) for made in (sums(), dice()))
    assert (one.row(line), one.column(column), one.width, one.height) == (
        other.row(line), other.column(column), other.width, other.height,
    )  # fmt: skip


def test_drawing_another_picture_in_between_changes_nothing() -> None:
    first = png_of(world(), End(3, 4))
    render(world(dice(), theme="vs", frame="tab"))
    assert png_of(world(), End(3, 4)) == first
