"""Conditions on figures."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.errors import SettingsError
from answerable.score.gates import parse_gate


@pytest.mark.parametrize(
    ("text", "metric", "comparison", "bound"),
    [
        ("J>=0.4", "J", ">=", Fraction(2, 5)), (" E_M < 20% ", "E_M", "<", Fraction(1, 5)),
        ("B_5==1", "B_5", "==", Fraction(1)), ("E<=1/3", "E", "<=", Fraction(1, 3)), ("A>40 %", "A",
        ">", Fraction(2, 5)),
    ],
)  # fmt: skip
def test_conditions(text: str, metric: str, comparison: str, bound: Fraction) -> None:
    gate = parse_gate(text)
    assert (gate.metric, gate.comparison, gate.bound) == (metric, comparison, bound)


@pytest.mark.parametrize(
    "text", ["", "J", "J>=", ">=0.4", "J=0.4", "J>=x", "J=>0.4", "J>=0.4 or so", "J!=1", "x" * 300]
)
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(SettingsError, match="metric, one of >= > <= < =="):
        parse_gate(text)
