"""Interpreter five: the question "is there a completion with another answer?" put to an SMT solver.

Cells are reals (integers over wide ranges), operations are terms, labels are numbers, and whether a node is undefined
is a term too: 0 where it is defined, else the number of the reason. Two solvers understand the same terms: Z3, and
cvc5 through its pythonic interface. ``unknown`` stays unknown. Work is bounded by the solvers' own deterministic step
counts, so the same question gets the same reply on a slow machine, with a time limit behind them as a last resort.

Source: "When Does an Image Determine the Answer?", appendix D (the audit by enumeration and Z3).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from answerable.core.errors import MissingExtraError
from answerable.logic.domains import Between, Domain, Integers, Visible, ends, listed
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cell,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    If,
    Label,
    Lookup,
    Mean,
    Named,
    Not,
    Number,
    Or,
    Product,
    Ratio,
    Reason,
    Result,
    Row,
    Selection,
    Sum,
    Trend,
    Undefined,
)
from answerable.logic.types import cells, check_types

Name = Literal["z3", "cvc5"]
_MODULES = {"z3": "z3", "cvc5": "cvc5.pythonic"}

#: Steps a solver may take for one question, in its own unit; the last resort in milliseconds.
STEPS: dict[Name, int] = {"z3": 4_000_000, "cvc5": 200_000}
TIMEOUT_MS = 10_000
#: Values listed as alternatives; a wider range of integers becomes an integer unknown.
_LISTED = 64
#: Numbers of more bits than this are not given to a solver.
_MAX_BITS = 4_096

_REASONS: tuple[Reason, ...] = (
    "no such series", "no such position", "division by zero", "tie", "nothing selected", "too few"
)  # fmt: skip


class Varies(NamedTuple):
    """The solver says that this completion has another answer. Believe it once an executor agrees."""

    world: dict[Cell, Fraction]


class Constant(NamedTuple):
    """The solver says that no completion has another answer."""


class Unsure(NamedTuple):
    """The solver does not say."""

    why: str


Finding = Varies | Constant | Unsure


def available(name: Name) -> bool:
    """Whether a solver is installed; nothing is imported."""
    return find_spec(name) is not None


def require(*names: Name) -> None:
    """Fail early, before any work.

    Raises:
        MissingExtraError: one of the solvers is not installed.
    """
    for name in names:
        if not available(name):
            raise MissingExtraError.for_extra("smt", name)


_local = threading.local()


def _session(name: Name, whole: bool) -> tuple[Any, Any]:
    """The module and a solver of this thread, kept for the next question; ``whole``: some unknown is an integer."""
    sessions: dict[tuple[str, bool], tuple[Any, Any]] = _local.__dict__.setdefault("sessions", {})
    key = name, whole
    if key not in sessions:
        require(name)
        module = import_module(_MODULES[name])
        # Told the logic, cvc5 has a complete method for reals. Untold, it may not come back from a question whose
        # only solutions are irrational, whatever its bounds; with integers that method is what does not come back.
        solver = module.Solver() if name == "z3" else module.SolverFor("QF_NIRA" if whole else "QF_NRA")
        for option, value in _limits(name, whole).items():
            solver.set(option, value)
        sessions[key] = module, solver
    return sessions[key]


def _limits(name: Name, whole: bool) -> dict[str, Any]:
    if name == "z3":
        return {"rlimit": STEPS[name], "timeout": TIMEOUT_MS}
    return {
        "produce-models": "true",
        "incremental": "true",
        "nl-cov": "false" if whole else "true",
        "rlimit-per": str(STEPS[name]),
        "tlimit-per": str(TIMEOUT_MS),
    }


def another(
    program: Expression, visible: Visible, domains: Mapping[Cell, Domain], reference: Result, solver: Name = "z3"
) -> Finding:
    """Ask whether some completion gives another result than ``reference``.

    Raises:
        InputError: an operand has the wrong type.
        MissingExtraError: the solver is not installed.
    """
    check_types(program)
    require(solver)
    if _too_long(visible, domains):
        return Unsure(f"numbers of more than {_MAX_BITS} bits")
    named = cells(program, visible)
    relevant = [cell for cell in visible.hidden() if cell in named]
    module, instance = _session(solver, any(_wide(domains[cell]) for cell in relevant))
    builder = _Builder(module, visible, {cell: domains[cell] for cell in relevant})
    node = builder.build(program)
    instance.push()
    try:
        instance.add(*builder.facts, builder.differs(node, reference))
        verdict = str(instance.check())
        if verdict == "unsat":
            return Constant()
        if verdict != "sat":
            return Unsure(f"{solver} gives up after its bound of steps")
        values = {cell: _rational(instance.model(), builder.unknowns[cell]) for cell in relevant}
    finally:
        instance.pop()
    world = {cell: value for cell, value in values.items() if value is not None}
    return Varies(world) if len(world) == len(values) else Unsure(f"{solver} has a completion that is not rational")


def _too_long(visible: Visible, domains: Mapping[Cell, Domain]) -> bool:
    numbers = [value for line in visible.values for value in line if value is not None]
    numbers += [end for domain in domains.values() for end in ends(domain) if end is not None]
    return any(max(x.numerator.bit_length(), x.denominator.bit_length()) > _MAX_BITS for x in numbers)


def _rational(model: Any, unknown: Any) -> Fraction | None:
    value = model.eval(unknown, True) if hasattr(model, "eval") else model[unknown]
    # An algebraic number of Z3 has no such method.
    return Fraction(value.as_fraction()) if hasattr(value, "as_fraction") else _whole(value)


def _whole(value: Any) -> Fraction | None:
    return Fraction(value.as_long()) if hasattr(value, "as_long") else None


def _wide(domain: Domain) -> bool:
    """Whether it becomes an integer unknown."""
    return isinstance(domain, Integers) and domain.high - domain.low >= _LISTED


class _Term(NamedTuple):
    """A node as terms. ``code`` is None where it is always defined."""

    value: Any
    code: Any = None


class _Builder:
    """Turns one program into terms of one solver's module."""

    def __init__(self, module: Any, visible: Visible, domains: Mapping[Cell, Domain]) -> None:
        self.m, self.visible = module, visible
        self.facts: list[Any] = []
        self.unknowns: dict[Cell, Any] = {}
        self.names: dict[str, int] = {}
        self.zero, self.one = module.RealVal(0), module.RealVal(1)
        for place, (cell, domain) in enumerate(domains.items()):
            self.unknowns[cell] = self._unknown(place, domain)

    def _unknown(self, place: int, domain: Domain) -> Any:
        m = self.m
        wide = _wide(domain)
        if wide:
            whole = m.Int(f"whole{place}")
            unknown = m.ToReal(whole)
        else:
            unknown = m.Real(f"cell{place}")
        if wide or isinstance(domain, Between):
            low, high = ends(domain)
            if low is not None:
                self.facts.append(unknown >= self.number(low))
            if high is not None:
                self.facts.append(unknown <= self.number(high))
        else:
            self.facts.append(self.any([unknown == self.number(value) for value in listed(domain)]))
        return unknown

    # --- terms that both modules know

    def number(self, value: Fraction) -> Any:
        return self.m.RealVal(str(value))

    def all(self, items: Sequence[Any]) -> Any:
        return items[0] if len(items) == 1 else self.m.And(*items)

    def any(self, items: Sequence[Any]) -> Any:
        return items[0] if len(items) == 1 else self.m.Or(*items)

    def choose(self, condition: Any, then: Any, other: Any) -> Any:
        return self.m.If(condition, then, other)

    def total(self, items: Sequence[Any]) -> Any:
        result = items[0] if items else self.zero
        for item in items[1:]:
            result = result + item
        return result

    def code(self, reason: Reason) -> Any:
        return self.m.RealVal(_REASONS.index(reason) + 1)

    def first(self, *codes: Any) -> Any:
        """The first reason that is not 0."""
        known = [code for code in codes if code is not None]
        if not known:
            return None
        result = known[-1]
        for code in reversed(known[:-1]):
            result = self.choose(code != 0, code, result)
        return result

    def when(self, condition: Any, reason: Reason) -> Any:
        return self.choose(condition, self.code(reason), self.zero)

    def label(self, text: str) -> Any:
        return self.m.RealVal(self.names.setdefault(text, len(self.names)))

    # --- the question

    def build(self, node: Expression) -> _Term:
        return _RULES[type(node)](self, node)

    def differs(self, term: _Term, reference: Result) -> Any:
        """The result is another one than the reference."""
        m = self.m
        if isinstance(reference, Undefined):
            return m.BoolVal(True) if term.code is None else term.code != self.code(reference.reason)
        if isinstance(reference, Defined):
            other = term.value != self.number(reference.value)
        elif isinstance(reference, Named):
            other = term.value != self.label(reference.value)
        else:
            other = m.Not(term.value) if reference.value else term.value
        return other if term.code is None else m.Or(term.code != 0, other)


def _undefined(b: _Builder, reason: Reason) -> _Term:
    return _Term(b.zero, b.code(reason))


def _lookup(b: _Builder, node: Lookup) -> _Term:
    values, reason = _select(b, Cells(cells=((node.series, node.position),)))
    return _undefined(b, reason) if reason is not None else _Term(values[0])


def _select(b: _Builder, over: Selection) -> tuple[list[Any], Reason | None]:
    grid = b.visible
    if isinstance(over, Row):
        addresses = [(over.series, position) for position in grid.positions]
        if over.series not in grid.series:
            return [], "no such series"
    elif isinstance(over, Column):
        addresses = [(series, over.position) for series in grid.series]
        if over.position not in grid.positions:
            return [], "no such position"
    elif isinstance(over, Cells):
        addresses = list(over.cells)
        for series, position in addresses:
            if series not in grid.series:
                return [], "no such series"
            if position not in grid.positions:
                return [], "no such position"
    else:
        addresses = [(series, position) for series in grid.series for position in grid.positions]
    values = []
    for series, position in addresses:
        value = grid.values[grid.series.index(series)][grid.positions.index(position)]
        values.append(b.unknowns[(series, position)] if value is None else b.number(value))
    return values, None


def _items(b: _Builder, node: Sum | Product | Mean) -> _Term:
    parts = [b.build(item) for item in node.items]
    value = parts[0].value
    for part in parts[1:]:
        value = value * part.value if isinstance(node, Product) else value + part.value
    if isinstance(node, Mean):
        value = value / b.number(Fraction(len(parts)))
    return _Term(value, b.first(*(part.code for part in parts)))


def _difference(b: _Builder, node: Difference) -> _Term:
    left, right = b.build(node.left), b.build(node.right)
    return _Term(left.value - right.value, b.first(left.code, right.code))


def _ratio(b: _Builder, node: Ratio) -> _Term:
    left, right = b.build(node.left), b.build(node.right)
    zero = right.value == b.zero
    # What a solver makes of x/0 is its own affair: 1 stands in its place, and the code says undefined.
    value = left.value / b.choose(zero, b.one, right.value)
    return _Term(value, b.first(left.code, right.code, b.when(zero, "division by zero")))


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def _aggregate(b: _Builder, node: Aggregate) -> _Term:
    values, reason = _select(b, node.over)
    if reason is not None:
        return _undefined(b, reason)
    code, kept = None, None
    if node.where is not None:
        than = b.build(node.where.than)
        code = than.code
        kept = [_OPERATORS[node.where.operator](value, than.value) for value in values]
    if node.function in ("count", "sum"):
        counted = [b.one if node.function == "count" else value for value in values]
        if kept is not None:
            counted = [b.choose(keep, item, b.zero) for keep, item in zip(kept, counted, strict=True)]
        return _Term(b.total(counted), code)
    if not values:
        return _Term(b.zero, b.first(code, b.code("nothing selected")))
    if kept is None:
        return _Term(_figure(b, node.function, values, [b.m.BoolVal(True)] * len(values)), code)
    nothing = b.m.Not(b.any(kept))
    return _Term(_figure(b, node.function, values, kept), b.first(code, b.when(nothing, "nothing selected")))


def _figure(b: _Builder, function: str, values: Sequence[Any], kept: Sequence[Any]) -> Any:
    """Mean, min or max of the cells that are kept; at least one is, or the value means nothing."""
    if function == "mean":
        total = b.total([b.choose(keep, value, b.zero) for keep, value in zip(kept, values, strict=True)])
        count = b.total([b.choose(keep, b.one, b.zero) for keep in kept])
        # One division by a constant for each count keeps the terms linear.
        result = total
        for many in range(2, len(values) + 1):
            number = b.number(Fraction(many))
            result = b.choose(count == number, total / number, result)
        return result
    best, there = values[0], kept[0]
    for value, keep in zip(values[1:], kept[1:], strict=True):
        better = value < best if function == "min" else value > best
        best = b.choose(b.m.And(keep, b.m.Or(b.m.Not(there), better)), value, best)
        there = b.m.Or(there, keep)
    return best


def _ranked(b: _Builder, node: Extreme | ExtremeLabel) -> _Term:
    values, reason = _select(b, node.over)
    second, turned = node.rank.startswith("second"), node.rank.endswith("lowest")
    if reason is None and not values:
        reason = "nothing selected"
    if reason is None and second and len(values) < 2:
        reason = "too few"
    if reason is not None:
        return _undefined(b, reason)
    if turned:
        values = [-value for value in values]
    best: Any = values[0]
    next_best: Any = None
    for value in values[1:]:
        above = value > best
        behind = value if next_best is None else b.choose(value > next_best, value, next_best)
        best, next_best = b.choose(above, value, best), b.choose(above, best, behind)
    wanted: Any = next_best if second else best
    ties = [best == next_best] if second else []
    if isinstance(node, Extreme):
        return _Term(-wanted if turned else wanted, b.when(ties[0], "tie") if ties else None)
    names = b.visible.positions if isinstance(node.over, Row) else b.visible.series
    there = [value == wanted for value in values]
    if len(values) > 1:
        ties.append(b.total([b.choose(here, b.one, b.zero) for here in there]) > b.one)
    label = b.label(names[-1])
    for here, name in zip(reversed(there[:-1]), reversed(names[:-1]), strict=True):
        label = b.choose(here, b.label(name), label)
    return _Term(label, b.when(b.any(ties), "tie") if ties else None)


def _compare(b: _Builder, node: Compare) -> _Term:
    left, right = b.build(node.left), b.build(node.right)
    return _Term(_OPERATORS[node.operator](left.value, right.value), b.first(left.code, right.code))


def _trend(b: _Builder, node: Trend) -> _Term:
    values, reason = _select(b, node.over)
    if reason is None and len(values) < 2:
        reason = "too few"
    if reason is not None:
        return _undefined(b, reason)
    steps = list(pairwise(values))
    up, down = b.all([x < y for x, y in steps]), b.all([x > y for x, y in steps])
    return _Term(b.choose(up, b.label("increasing"), b.choose(down, b.label("decreasing"), b.label("neither"))))


def _if(b: _Builder, node: If) -> _Term:
    condition, then, other = b.build(node.condition), b.build(node.then), b.build(node.otherwise)
    code = None
    if then.code is not None or other.code is not None:
        nothing = b.zero
        code = b.choose(
            condition.value,
            nothing if then.code is None else then.code,
            nothing if other.code is None else other.code,
        )
    return _Term(b.choose(condition.value, then.value, other.value), b.first(condition.code, code))


def _connective(b: _Builder, node: And | Or) -> _Term:
    parts = [b.build(item) for item in node.items]
    values = [part.value for part in parts]
    return _Term(
        b.all(values) if isinstance(node, And) else b.any(values), b.first(*(part.code for part in parts))
    )  # fmt: skip


def _not(b: _Builder, node: Not) -> _Term:
    part = b.build(node.item)
    return _Term(b.m.Not(part.value), part.code)


_RULES: dict[type, Callable[[_Builder, Any], _Term]] = {
    Lookup: _lookup,
    Number: lambda b, node: _Term(b.number(node.value)),
    Label: lambda b, node: _Term(b.label(node.text)),
    Boolean: lambda b, node: _Term(b.m.BoolVal(node.value)),
    Sum: _items, Product: _items, Mean: _items, Difference: _difference, Ratio: _ratio, Aggregate: _aggregate,
    Extreme: _ranked, ExtremeLabel: _ranked, Compare: _compare, Trend: _trend, If: _if, And: _connective,
    Or: _connective, Not: _not,
}  # fmt: skip
