"""Text: one shipped font, measured the same everywhere, and nothing that needs shaping."""

from __future__ import annotations

import subprocess
import sys

import pytest

from answerable.domains.chart.text import font_file, missing_glyphs, width, wrapped


def test_the_font_ships_in_a_package() -> None:
    assert font_file().name == "DejaVuSans.ttf"
    assert font_file(bold=True).name == "DejaVuSans-Bold.ttf"
    assert "matplotlib" in font_file().parts


def test_finding_the_font_does_not_import_matplotlib() -> None:
    code = (
        "import sys\nfrom answerable.domains.chart.text import width\n"
        "print(width('Abc', 10.0) > 0, 'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_width_grows_with_size_and_weight() -> None:
    assert width("Łódź 2021", 20.0) == pytest.approx(2 * width("Łódź 2021", 10.0))
    assert width("Łódź", 10.0, True) > width("Łódź", 10.0)
    assert width("", 10.0) == 0


@pytest.mark.parametrize(
    "text", ["Łódź", "Αθήνα", "Москва", "São Bento", "1,234.5", "\u22125 °C", "€ 3", "Ærøskøbing", "½ ≥ ¼", "Győr"]
)
def test_scripts_the_font_draws_are_let_through(text: str) -> None:
    assert missing_glyphs(text) == ""
    assert missing_glyphs(text, True) == ""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("東京", "京東"),  # no glyph in the font
        ("🙂", "🙂"),
        ("שלום", "".join(sorted("שלום"))),  # right to left
        ("سلام", "".join(sorted("سلام"))),
        ("٣", "٣"),  # digits of a right-to-left script
        ("e\u0301", "\u0301"),  # a combining mark
        ("a\nb", "\n"),
        ("a\tb", "\t"),
        ("a\u00a0b", "\u00a0"),
        ("\u202eabc", "\u202e"),  # turns the order around
        ("a\u200bb", "\u200b"),
        ("\x00", "\x00"),
    ],
)
def test_what_families_would_draw_differently_is_named(text: str, missing: str) -> None:
    assert missing_glyphs(text) == missing


def test_lines_break_at_spaces_only() -> None:
    limit = width("one two", 10.0)
    assert wrapped("one two three", 10.0, limit) == ("one two", "three")
    assert wrapped("extraordinarily long", 10.0, 5.0) == ("extraordinarily", "long")
    assert wrapped("  ", 10.0, limit) == ()
