"""States and obligations in words."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core import words
from answerable.core.records import LEVELS, STATES, Abstain, AbstainReason, Answer


def test_every_word_of_the_protocol_has_its_wording() -> None:
    assert set(words.STATE_NAMES) == set(STATES)
    assert set(words.REASON_WORDS) == set(get_args(AbstainReason))
    assert set(words.LEVEL_WORDS) == set(LEVELS)


@pytest.mark.parametrize(
    ("target", "kind", "text"),
    [
        ("25/2", "number", "12.5"), ("-1/8", "number", "-0.125"), ("1/3", "number", "1/3"), ("40", "integer", "40"),
        ("1/20", "number", "0.05"), ("-3", "number", "-3"), ("<b>", "text", "<b>"), ("12,5", "number", "12,5"),
    ],
)  # fmt: skip
def test_targets_for_people(target: str, kind: str, text: str) -> None:
    assert words.target_text(target, kind) == text


@given(st.integers(-(10**9), 10**9), st.integers(0, 6), st.integers(0, 6))
def test_decimal_text_is_exact(numerator: int, twos: int, fives: int) -> None:
    value = Fraction(numerator, 2**twos * 5**fives)
    assert Fraction(words.decimal_text(value)) == value


def test_obligations_in_words() -> None:
    assert words.duty_text(Answer(target="5/2", type="number")) == "answer 2.5"
    assert words.duty_text(Abstain(reason="missing")) == "abstain: the evidence is hidden"
