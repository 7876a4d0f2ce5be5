"""Conditions on measures of consistency, for a build server: ``Con>=0.8``, ``Con_sampling>=95%``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from answerable.core.consistency import Consistency, Measure, SourceConsistency
from answerable.core.errors import SettingsError
from answerable.score.gates import OPERATORS, Gate

_SAMPLING = "_sampling"


def named_measures(source: SourceConsistency) -> dict[str, Measure]:
    """Every measure over all variants, and with ``_sampling`` behind its name every one over repeats."""
    found: dict[str, Measure] = {}
    for part in (source.part(), source.part(structure="sampling")):
        if part is not None:
            ending = _SAMPLING if part.structure == "sampling" else ""
            found |= {f"{name}{ending}": measure for name, measure in part.measures.items()}
    return found


def failing(found: Consistency, gates: Sequence[Gate]) -> list[str]:
    """A line for every source of every run in which a condition does not hold; an undefined measure never holds.

    Raises:
        SettingsError: a source has no measure of that name.
    """
    lines: list[str] = []
    for gate in gates:
        for run in found.runs:
            for name, source in run.sources.items():
                measures = named_measures(source)
                measure = measures.get(gate.metric)
                if measure is None:
                    raise SettingsError(
                        f"a measure of source {name!r}: {', '.join(measures)}", f"{gate.metric!r}", "--gate"
                    )
                where = f"gate {gate.text!r} failed: {run.name}, {name}: {gate.metric}"
                if measure.value is None:
                    lines.append(f"{where} is undefined (no item has it)")
                elif not OPERATORS[gate.comparison](Fraction(measure.value), gate.bound):
                    lines.append(f"{where} = {measure.value:.6g} (over {measure.denominator} items)")
    return lines
