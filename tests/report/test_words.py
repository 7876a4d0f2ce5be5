"""Numbers in words."""

from __future__ import annotations

from answerable.core.scores import LOSSES, OUTCOMES, Figure
from answerable.report import words


def test_every_word_of_the_protocol_has_its_wording() -> None:
    assert set(words.OUTCOME_WORDS) == set(words.OUTCOME_SHORT) == set(OUTCOMES)
    assert set(words.LOSS_WORDS) == set(LOSSES)


def test_undefined_is_a_dash_and_zero_is_zero() -> None:
    assert words.percent(None) == "–"
    assert words.percent(0.0) == "0.0\u202f%"
    assert words.percent(8 / 15) == "53.3\u202f%"
    assert words.points(-0.125) == "−12.5"
    assert words.points(0.3) == "+30.0"
    assert words.points(None) == "–"


def test_an_interval_without_width_is_not_printed_as_certainty() -> None:
    assert words.interval_text((0.25, 0.5)) == "25.0–50.0"
    assert words.interval_text((0.25, 0.25)) == "no spread"
    assert words.difference_text(-1.0, (-1.0, -1.0)) == "−100.0 (no spread)"
    assert words.difference_text(0.0, (-0.0001, 0.125)) == "0.0 (0.0 to +12.5)"


def test_wilson_is_shown_where_the_bootstrap_has_no_width() -> None:
    sure = Figure(value=1.0, numerator=9, denominator=9, interval=(1.0, 1.0), wilson=(0.7, 1.0))
    assert words.shown_interval(sure) == ((0.7, 1.0), "Wilson")
    usual = Figure(value=0.5, numerator=1, denominator=2, interval=(0.0, 1.0))
    assert words.shown_interval(usual) == ((0.0, 1.0), "bootstrap")
    assert words.shown_interval(Figure(value=None, numerator=0, denominator=0)) == (None, "")
