"""Evidence for "determined", done again by somebody who does not trust it. Standard library only.

A kernel hands in its own executors. It gets what it can redo: an interval claim by propagating intervals, and an
enumeration claim by running every completion, one by one, under every executor. An attested claim has nothing small
to redo, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

from answerable.core.errors import InputError
from answerable.core.records import Record
from answerable.logic.domains import Domain, Visible, check_domains, contains, ends, listed, size
from answerable.logic.intervals import propagate
from answerable.logic.program import Cell, Expression, Grid, Result
from answerable.logic.types import Schema, cells, result_words, type_of

Execute = Callable[[Expression, Grid], Result]

#: Completions a check is ready to run.
MAX_COMPLETIONS = 100_000


class Recheck(Record, frozen=True):
    """What a check found."""

    status: Literal["holds", "refuted", "nothing to redo"]
    detail: str = ""
    """Why it does not hold, for people."""


def recheck_determined(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    answer: Result,
    how: str,
    executors: Sequence[Execute],
) -> Recheck:
    """Whether every completion really gives ``answer``.

    Args:
        program: the typed program.
        visible: the grid, None where a cell is hidden.
        domains: what each hidden cell may hold.
        answer: the claimed answer.
        how: ``interval``, ``enumeration`` or ``attested``.
        executors: independent executors; each runs every completion that is looked at.
    """
    try:
        check_domains(visible, domains)
        type_of(program, Schema(series=visible.series, positions=visible.positions))
    except InputError as error:
        return Recheck(status="refuted", detail=str(error))
    if how == "attested":
        return Recheck(status="nothing to redo", detail="two solvers agree; there is no small proof of it")
    if how == "interval":
        return _bounded(program, visible, domains, answer, executors)
    if how == "enumeration":
        return _every(program, visible, domains, answer, executors)
    return Recheck(status="refuted", detail=f"no such evidence: {how[:40]!r}")


def _bounded(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    answer: Result,
    executors: Sequence[Execute],
) -> Recheck:
    only = propagate(program, visible, domains).only()
    if only != answer:
        found = "more than one answer" if only is None else result_words(only)
        return Recheck(status="refuted", detail=f"intervals allow {found}, not only {result_words(answer)}")
    # Intervals are one code; the executors confirm it where all cells are at an end.
    worlds = [{cell: end(domain) for cell, domain in domains.items()} for end in (_low, _high)]
    return _run(program, visible, worlds, answer, executors)


def _every(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    answer: Result,
    executors: Sequence[Execute],
) -> Recheck:
    named = cells(program, visible)
    free = [cell for cell in visible.hidden() if cell in named]
    total = 1
    for cell in free:
        count = size(domains[cell])
        if count is None or (total := total * count) > MAX_COMPLETIONS:
            return Recheck(status="refuted", detail=f"more than {MAX_COMPLETIONS} completions: nothing to enumerate")
    spare = {cell: _low(domain) for cell, domain in domains.items()}
    choices = product(*(tuple(listed(domains[cell])) for cell in free))
    everything = ({**spare, **dict(zip(free, values, strict=True))} for values in choices)
    return _run(program, visible, everything, answer, executors)


def recheck_ambiguous(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    worlds: tuple[Grid, Grid],
    executors: Sequence[Execute],
) -> Recheck:
    """Whether two worlds are admissible completions to which every executor gives different answers."""
    try:
        check_domains(visible, domains)
        type_of(program, Schema(series=visible.series, positions=visible.positions))
    except InputError as error:
        return Recheck(status="refuted", detail=str(error))
    for world in worlds:
        problem = _outside(visible, domains, world)
        if problem:
            return Recheck(status="refuted", detail=problem)
    for execute in executors:
        one, other = (execute(program, world) for world in worlds)
        if one == other:
            return Recheck(status="refuted", detail=f"both worlds give {result_words(one)}")
    return Recheck(status="holds")


def _outside(visible: Visible, domains: Mapping[Cell, Domain], world: Grid) -> str:
    """Why a world is no admissible completion; empty when it is one."""
    shape = [len(line) for line in world.values] == [len(visible.positions)] * len(visible.series)
    if (world.series, world.positions) != (visible.series, visible.positions) or not shape:
        return "a world has other rows or columns than what is visible"
    for series, shown, line in zip(visible.series, visible.values, world.values, strict=True):
        for position, seen, value in zip(visible.positions, shown, line, strict=True):
            if seen is not None and seen != value:
                return f"a world differs from what is visible at {series[:60]!r}, {position[:60]!r}"
            if seen is None and not contains(domains[(series, position)], value):
                return f"a world leaves the domain at {series[:60]!r}, {position[:60]!r}"
    return ""


def _run(
    program: Expression,
    visible: Visible,
    worlds: Iterable[Mapping[Cell, Fraction]],
    answer: Result,
    executors: Sequence[Execute],
) -> Recheck:
    for values in worlds:
        world = visible.completed(values)
        for execute in executors:
            found = execute(program, world)
            if found != answer:
                detail = f"a completion gives {result_words(found)}, not {result_words(answer)}"
                return Recheck(status="refuted", detail=detail)
    return Recheck(status="holds")


def _low(domain: Domain) -> Fraction:
    low, high = ends(domain)
    return low if low is not None else high if high is not None else Fraction(0)


def _high(domain: Domain) -> Fraction:
    low, high = ends(domain)
    return high if high is not None else low if low is not None else Fraction(0)
