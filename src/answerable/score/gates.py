"""Conditions on figures, for a build server: ``J>=0.4``, ``E_M < 20%``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.core.scores import Scores
from answerable.score.readers.number import parse

OPERATORS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_GATE = re.compile(r"\s*(\w+)\s*(>=|<=|==|>|<)\s*(\S.*?)\s*", re.ASCII)


class Gate(Record, frozen=True):
    """One condition."""

    text: str
    metric: str
    comparison: str
    bound: Fraction


def parse_gate(text: str) -> Gate:
    """Read ``metric comparison number``; the number is a share (``0.4``, ``2/5``) or per cent (``40%``).

    Raises:
        SettingsError: anything else.
    """
    match = _GATE.fullmatch(text) if len(text) <= 200 else None
    number = parse(match[3]) if match else None
    if match is None or number is None:
        raise SettingsError(
            "a condition: metric, one of >= > <= < ==, and a share or per cent",
            f"{text[:200]!r}",
            "--gate",
            "write it like --gate 'J>=0.4' or --gate 'E_M<20%'",
        )
    return Gate(text, match[1], match[2], number.value / 100 if number.percent else number.value)


def failing(scores: Scores, gates: Sequence[Gate]) -> list[str]:
    """A line for every source of every run in which a condition does not hold; an undefined figure never holds.

    Raises:
        SettingsError: a source has no metric of that name.
    """
    lines: list[str] = []
    for gate in gates:
        for run in scores.runs:
            for name, source in run.sources.items():
                figure = source.metrics.get(gate.metric)
                if figure is None:
                    raise SettingsError(
                        f"a metric of source {name!r}: {', '.join(source.metrics)}", f"{gate.metric!r}", "--gate"
                    )
                where = f"gate {gate.text!r} failed: {run.name}, {name}: {gate.metric}"
                if figure.value is None:
                    lines.append(f"{where} is undefined (0 of 0)")
                elif not OPERATORS[gate.comparison](Fraction(figure.numerator, figure.denominator), gate.bound):
                    lines.append(f"{where} = {figure.value:.6g} ({figure.numerator}/{figure.denominator})")
    return lines
