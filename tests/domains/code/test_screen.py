"""Pictures: what they show, what they refuse, and that nothing hidden reaches them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from answerable.core.records import Refusal
from answerable.domains.code.highlight import spans, theme
from answerable.domains.code.language import Assign, Binary, Comment, ImportRandom, Int, Print, Statement, Str, Var
from answerable.domains.code.screen import Places, problems, render, undrawable
from answerable.domains.code.visibility import Above, End, Hide, hidden_lines, shown
from answerable.domains.code.world import FRAMES, THEMES, CodeWorld, texts, world_problems
from tests.domains.code.make import program, sums, window, world


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("frame", FRAMES)
def test_every_theme_and_frame_is_drawn_to_its_declared_size(name: str, frame: str) -> None:
    made = world(theme=name, frame=frame)
    pixels, places = render(made), Places(made.window)
    assert pixels.shape == (places.height, places.width, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    assert render(made, End(1, 7)).shape == render(made, Above(2)).shape == pixels.shape
    assert (render(made) == pixels).all()


def test_themes_are_legible_and_differ() -> None:
    looks = [theme(name) for name in THEMES]
    assert len({look.paper for look in looks}) >= 6
    assert {look.dark for look in looks} == {True, False}
    assert all(look.paper not in (look.ink, look.number, look.cover) for look in looks)


def test_a_line_is_coloured_by_itself() -> None:
    found = spans('    print("a", 3)  # note', "monokai")
    assert [(span.column, span.text) for span in found][:2] == [(4, "print"), (9, "(")]
    assert len({span.colour for span in found}) >= 3
    assert "".join(span.text for span in spans('x = "unfinis', "monokai")).replace(" ", "") == 'x="unfinis'
    assert spans("", "vs") == ()


def test_hidden_text_is_not_in_the_picture() -> None:
    made = texts(world())
    assert shown(made, None).texts == made
    assert shown(made, Above(3)).texts == made[3:]
    assert shown(made, Above(3)).first == 4
    assert shown(made, End(3, 4)).texts[2] == "x = "
    assert [number for number, _ in hidden_lines(sums(), Above(2))] == [1, 2]
    assert [number for number, _ in hidden_lines(sums(), End(3, 4))] == [3]
    assert hidden_lines(sums(), End(3, 5)) == ()


def test_only_the_cover_changes_the_picture() -> None:
    made = world()
    places = Places(made.window)
    full, covered = render(made), render(made, End(3, 4))
    rows, columns = np.nonzero((full != covered).any(axis=2))
    assert rows.min() == places.row(2)
    assert rows.max() == places.row(3) - 1
    assert columns.min() == places.column(4) - 2
    assert columns.max() == places.width - 1


def test_above_moves_the_rest_up() -> None:
    made = world()
    places = Places(made.window)
    full, cropped = render(made), render(made, Above(3))
    left = slice(places.left, places.width)
    count = len(texts(made)) - 3
    moved = full[places.row(3) : places.row(3 + count), left]
    assert (cropped[places.row(0) : places.row(count), left] == moved).all()


def reasons(made: CodeWorld, hide: Hide | None = None) -> list[tuple[str, str]]:
    return [(problem.reason, problem.detail) for problem in problems(made, hide)]


def test_a_sound_picture_has_no_problem() -> None:
    for hide in (None, Above(1), Above(3), End(1, 7), End(3, 4), End(10, 24)):
        assert reasons(world(), hide) == []
    assert texts(world())[9][:24] == 'print("Total:", total + '


@pytest.mark.parametrize("changes", [{"rows": 9}, {"columns": 25}])
def test_what_does_not_fit_is_refused(changes: dict[str, Any]) -> None:
    (problem,) = problems(world(**changes))
    assert problem.reason == "does not fit"


@pytest.mark.parametrize("text", ["שלום", "नमस्ते", "漢字", "a\u0301", "😀"])
def test_text_that_cannot_be_drawn_is_refused(text: str) -> None:
    assert undrawable(text)
    (problem,) = problems(world(program(Comment(text), Print((Int(1),)))))
    assert problem.reason == "no glyph"
    assert undrawable("Łódź → Ωμέγα Привет") == ""


@pytest.mark.parametrize(
    ("hide", "detail"),
    [
        (Above(0), "0 lines of 10"),
        (Above(10), "10 lines of 10"),
        (Above(10**30), f"{10**30} lines of 10"),
        (Above(4), "line 4 holds more than a number"),
        (End(0, 4), "line 0, column 4"),
        (End(11, 4), "line 11, column 4"),
        (End(3, 0), "line 3, column 0"),
        (End(3, 44), "line 3, column 44"),
        (End(3, 3), "line 3 is cut elsewhere than before its last number"),
        (End(3, 20), "nothing is hidden"),
        (End(6, 10), "line 6 holds more than a number"),
        (End(-1, 4), "line -1, column 4"),
    ],
)
def test_what_is_hidden_must_be_what_the_question_says(hide: Hide, detail: str) -> None:
    assert ("hidden otherwise than said", detail) in reasons(world(), hide)


@pytest.mark.parametrize(
    ("statement", "hide", "detail"),
    [
        (Assign("a", Int(10)), Above(1), "line 1 holds 10"),
        (Assign("a", Int(-1)), End(1, 4), "line 1 holds -1"),
        (Assign("a", Str("b")), Above(1), "line 1 holds more than a number"),
        (Assign("a", Binary("%", Int(9), Int(4))), End(1, 8), "line 1 holds more than a number"),
        (Assign("a", Binary("+", Int(9), Int(4))), Above(1), "line 1 holds more than a number"),
        (ImportRandom(), End(1, 7), "line 1 holds more than a number"),
    ],
)
def test_hidden_numbers_are_the_declared_ones(statement: Statement, hide: Hide, detail: str) -> None:
    made = world(program(statement, Assign("x", Int(1)), Print((Var("x"),))))
    assert ("hidden otherwise than said", detail) in reasons(made, hide)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": 0}, "expected 1 to 40 rows"),
        ({"rows": 10**18}, "expected 1 to 40 rows"),
        ({"columns": 81}, "of 16 to 80"),
        ({"cell": 100}, "expected columns of 7 to 12 pixels; got 100"),
        ({"file": "../../etc/passwd"}, "expected a file name like main.py"),
        ({"file": "שלום.py"}, "expected a file name like main.py"),
    ],
)
def test_windows_are_bounded(changes: dict[str, Any], message: str) -> None:
    assert any(message in problem for problem in world_problems(world(**changes)))


@pytest.mark.parametrize(("low", "high"), [(0, 0), (5, 2), (-1, 3), (0, 32), (0, 10**12), (99, 100)])
def test_declared_numbers_are_few(low: int, high: int) -> None:
    from msgspec.structs import replace

    made = replace(world(), low=low, high=high)
    assert any("expected 2 to 32 numbers from 0 to 99" in problem for problem in world_problems(made))


def test_refusals_are_records() -> None:
    assert all(isinstance(problem, Refusal) for problem in problems(world(rows=2)))
    assert window().rows == 14
