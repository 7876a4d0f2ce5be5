"""Any text becomes lines that fit and can be drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.certify.lettering import BOX, drawable, folded, visual
from answerable.domains.chart.text import width


def test_what_the_font_lacks_is_boxed_and_what_has_no_form_goes() -> None:
    assert drawable("Łódź Αθήνα שלום") == "Łódź Αθήνα שלום"
    assert drawable("東京 2021") == f"{BOX}{BOX} 2021"
    assert drawable("a\u200bb\u202ec\ufeff") == "abc"
    assert drawable("a\x00b\x1b[31m") == f"a{BOX}b{BOX}[31m"
    assert drawable(" a\n\tb\u00a0 c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("plain (text) 12", "plain (text) 12"),
        ("שלום", "םולש"),
        ("abc שלום עולם def", "abc םלוע םולש def"),
        ("abc שלום 12 עולם def", "abc םלוע 12 םולש def"),
        ("שלום (abc 12) עולם", "םלוע (abc 12) םולש"),
        ("(שלום)", "(םולש)"),
    ],
)
def test_right_to_left_runs_are_turned_and_numbers_in_them_are_not(text: str, read: str) -> None:
    assert visual(text) == read


def test_lines_break_at_spaces_and_long_words_anywhere() -> None:
    lines = folded("one two three " + "x" * 200, 20, 300)
    assert lines[0] == "one two three"
    assert "".join(lines[1:]) == "x" * 200
    assert len(lines) > 5


def test_too_many_lines_end_with_an_ellipsis() -> None:
    lines = folded("word " * 500, 20, 300, most=3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert not lines[0].endswith("…")
    assert folded("word " * 2, 20, 300, most=3) == ("word word",)
    assert folded("", 20, 300) == ()


def test_a_text_of_megabytes_is_cut_before_it_is_measured() -> None:
    assert len(folded("x" * 5_000_000, 20, 300, most=4)) == 4
    assert folded("a" + "\u200b" * 5_000_000, 20, 300, most=4) == ("a…",)


@given(st.text(max_size=300), st.sampled_from([12, 19, 26]), st.integers(80, 600), st.booleans(), st.integers(1, 6))
def test_every_line_fits(text: str, size: int, limit: int, bold: bool, most: int) -> None:
    lines = folded(text, size, limit, bold=bold, most=most)
    assert len(lines) <= most
    for line in lines:
        assert width(line, size, bold) <= limit
        assert sorted(visual(line)) == sorted(line) or any(sign in "()[]{}<>«»‹›" for sign in line)
