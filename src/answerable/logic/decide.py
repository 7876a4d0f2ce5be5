"""Does what is visible determine the answer? Yes with evidence, no with two worlds, or not known.

In this order, from the cheapest to the dearest: interval propagation; a few completions at the ends of the domains;
enumeration where the completions are few enough; two SMT solvers. Two worlds are returned only after the direct
executor gave them different answers, whoever proposed them.

Source: "When Does an Image Determine the Answer?", section 3.2 (a sufficient witness) and appendix D.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

from answerable.core.codec import MAX_DIGITS
from answerable.core.records import Record
from answerable.logic import smt
from answerable.logic.direct import execute
from answerable.logic.domains import Domain, Integers, Values, Visible, check_domains, contains, ends
from answerable.logic.intervals import propagate
from answerable.logic.program import Cell, Defined, Expression, Grid, Result
from answerable.logic.types import Schema, cells, type_of

How = Literal["interval", "enumeration", "attested"]

#: Completions that a kernel is ready to run one by one.
MAX_COMPLETIONS = 100_000
#: Completions tried before anything dear.
_TRIED = 64


class Determined(Record, frozen=True, tag="determined"):
    """Every completion gives this answer."""

    answer: Result
    how: How
    """``interval`` and ``enumeration`` are done again by whoever checks; ``attested``: Z3 and cvc5 agree."""


class Ambiguous(Record, frozen=True, tag="ambiguous"):
    """Two complete worlds, equal where anything is visible, with different answers."""

    worlds: tuple[Grid, Grid]
    answers: tuple[Result, Result]
    how: Literal["ends", "enumeration", "smt"]
    """Who proposed them; the direct executor confirmed them."""


class Unknown(Record, frozen=True, tag="unknown"):
    """Nobody could tell."""

    why: str


Decision = Determined | Ambiguous | Unknown


def decide(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    *,
    limit: int = MAX_COMPLETIONS,
    solvers: tuple[smt.Name, ...] = ("z3", "cvc5"),
) -> Decision:
    """Whether what is visible determines the answer of ``program``.

    Args:
        program: typed, and referring to what the grid has.
        visible: the grid, None where a cell is hidden.
        domains: what each hidden cell may hold; every combination is admissible.
        limit: completions that enumeration may run, at most ``MAX_COMPLETIONS`` so that the evidence can be redone.
        solvers: the SMT solvers to ask, in this order; none to leave them out.

    Raises:
        InputError: the program does not type or refers to nothing; a domain is missing, empty or of no hidden cell.
    """
    check_domains(visible, domains)
    type_of(program, Schema(series=visible.series, positions=visible.positions))
    named = cells(program, visible)
    relevant = tuple(cell for cell in visible.hidden() if cell in named)
    spare = {cell: one_value(domain) for cell, domain in domains.items()}
    only = propagate(program, visible, domains).only()
    if only is not None:
        return _determined(only, "interval")
    found = _at_the_ends(program, visible, domains, relevant, spare)
    if found is not None:
        return found
    from answerable.logic.enumeration import completions, enumerate_all

    count = completions(program, visible, domains)
    if count is not None and count <= min(limit, MAX_COMPLETIONS):
        every = enumerate_all(program, visible, domains)
        if every.worlds is None:
            return _determined(every.first, "enumeration")
        pair = (visible.completed(spare | every.worlds[0]), visible.completed(spare | every.worlds[1]))
        return _ambiguous(program, *pair, "enumeration") or Unknown(
            why="enumeration and the direct executor disagree: a fault in one of them"
        )
    return _ask(program, visible, domains, spare, solvers)


def one_value(domain: Domain) -> Fraction:
    """Some value of a domain: the least, else the greatest, else 0."""
    low, high = ends(domain)
    return low if low is not None else high if high is not None else Fraction(0)


def _determined(answer: Result, how: How) -> Decision:
    if isinstance(answer, Defined):
        bound = 10**MAX_DIGITS
        if abs(answer.value.numerator) >= bound or answer.value.denominator >= bound:
            return Unknown(why=f"the answer has more than {MAX_DIGITS} digits a side, which no file holds")
    return Determined(answer=answer, how=how)


def _ambiguous(
    program: Expression, one: Grid, other: Grid, how: Literal["ends", "enumeration", "smt"]
) -> Ambiguous | None:
    """The two worlds, if the direct executor tells them apart."""
    answers = execute(program, one), execute(program, other)
    return Ambiguous(worlds=(one, other), answers=answers, how=how) if answers[0] != answers[1] else None


def _at_the_ends(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    relevant: tuple[Cell, ...],
    spare: Mapping[Cell, Fraction],
) -> Ambiguous | None:
    """Two completions that differ, among a few."""
    first = visible.completed(spare)
    for values in _trials(domains, relevant, spare):
        found = _ambiguous(program, first, visible.completed(values), "ends")
        if found is not None:
            return found
    return None


def _trials(
    domains: Mapping[Cell, Domain], relevant: tuple[Cell, ...], spare: Mapping[Cell, Fraction]
) -> Iterator[dict[Cell, Fraction]]:
    """All cells at their last value, then one cell at a time at some values."""
    some = {cell: _some(domains[cell]) for cell in relevant}
    yield {**spare, **{cell: values[-1] for cell, values in some.items()}}
    for cell in relevant[:_TRIED]:
        for value in some[cell]:
            yield {**spare, cell: value}


def _some(domain: Domain) -> list[Fraction]:
    """A few values of a domain, its ends among them."""
    if isinstance(domain, Values):
        values = sorted(domain.values)
        return [values[0], values[len(values) // 2], values[-1]]
    if isinstance(domain, Integers):
        return [Fraction(value) for value in (domain.low, (domain.low + domain.high) // 2, domain.high)]
    low, high = domain.low, domain.high
    if low is None:
        low = Fraction(0) if high is None else high - 1
    if high is None:
        high = low + 1
    return [low, (low + high) / 2, high]


def _ask(
    program: Expression,
    visible: Visible,
    domains: Mapping[Cell, Domain],
    spare: Mapping[Cell, Fraction],
    solvers: tuple[smt.Name, ...],
) -> Decision:
    """What the solvers say. All must say "constant", so after the first that does not, no other is asked."""
    missing = [name for name in solvers if not smt.available(name)]
    asked = [name for name in solvers if name not in missing]
    reference = execute(program, visible.completed(spare))
    doubts = [f"{name} is not installed (pip install 'answerable[smt]')" for name in missing]
    constant = 0
    for name in asked:
        reply = smt.another(program, visible, domains, reference, name)
        if isinstance(reply, smt.Varies):
            pair = visible.completed(spare), visible.completed({**spare, **reply.world})
            found = _ambiguous(program, *pair, "smt") if _admissible(reply.world, domains) else None
            if found is not None:
                return found
            doubts.append(f"{name} names a completion that the direct executor does not confirm")
            break
        if isinstance(reply, smt.Unsure):
            doubts.append(reply.why)
            break
        constant += 1
    if constant == len(asked) and constant >= 2 and not missing:
        return _determined(reference, "attested")
    if constant:
        doubts.append(f"only {constant} of the two solvers that must agree says so")
    return Unknown(why="; ".join(doubts) or "too many completions to enumerate, and no solver was asked")


def _admissible(world: Mapping[Cell, Fraction], domains: Mapping[Cell, Domain]) -> bool:
    return all(contains(domains[cell], value) for cell, value in world.items())
