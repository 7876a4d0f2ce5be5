"""Interpreter three: intervals. What the answer may be when cells are known by their bounds only.

Sound, never exact: every completion's answer lies in the result, and the result may hold more, since two mentions of
one cell are taken for independent (``x - x`` over [0, 9] gives [-9, 9]). Numbers become closed intervals with
rational or missing ends, booleans three-valued (a set of truth values), labels sets of labels; each carries the
reasons for which it may be undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from answerable.logic import spans as calc
from answerable.logic.domains import Domain, Visible, ends
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
    Truth,
    Undefined,
)
from answerable.logic.spans import Span
from answerable.logic.types import check_types


class Possible(NamedTuple):
    """Every way a node may turn out; at least one of the parts is not empty."""

    span: Span | None = None
    """The numbers it may be."""
    names: frozenset[str | bool] = frozenset()
    """The labels or truth values it may be."""
    reasons: frozenset[Reason] = frozenset()
    """Why it may be undefined."""

    def valued(self) -> bool:
        """Whether it may have a value at all."""
        return self.span is not None or bool(self.names)

    def contains(self, result: Result) -> bool:
        """Whether it allows for this result."""
        if isinstance(result, Undefined):
            return result.reason in self.reasons
        if isinstance(result, Defined):
            span = self.span
            return (
                span is not None
                and (span.low is None or span.low <= result.value)
                and (span.high is None or result.value <= span.high)
            )
        return any(type(name) is type(result.value) and name == result.value for name in self.names)

    def only(self) -> Result | None:
        """The one result it allows for; None when there may be several."""
        if len(self.reasons) + len(self.names) + (self.span is not None) != 1:
            return None
        for reason in self.reasons:
            return Undefined(reason=reason)
        for name in self.names:
            return Truth(value=name) if isinstance(name, bool) else Named(value=name)
        if self.span is not None and self.span.low is not None and self.span.point():
            return Defined(value=self.span.low)
        return None


class _World(NamedTuple):
    series: tuple[str, ...]
    positions: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]


def propagate(program: Expression, visible: Visible, domains: Mapping[Cell, Domain]) -> Possible:
    """Everything the answer may be.

    Raises:
        InputError: an operand has the wrong type.
    """
    check_types(program)
    spans = tuple(
        tuple(
            Span(*ends(domains[(series, position)])) if value is None else Span(value, value)
            for position, value in zip(visible.positions, line, strict=True)
        )
        for series, line in zip(visible.series, visible.values, strict=True)
    )
    return _possible(program, _World(visible.series, visible.positions, spans))


def _possible(node: Expression, world: _World) -> Possible:
    return _RULES[type(node)](node, world)


# --- nodes


def _reasons(parts: Sequence[Possible]) -> tuple[bool, frozenset[Reason]]:
    """Whether all parts may have a value, and the reasons that may come first."""
    reasons: set[Reason] = set()
    for part in parts:
        reasons |= part.reasons
        if not part.valued():
            # Nothing behind it is ever the first.
            return False, frozenset(reasons)
    return True, frozenset(reasons)


def _numbers(
    items: Sequence[Expression], world: _World, combine: Callable[[list[Span]], Span]
) -> Possible:  # fmt: skip
    parts = [_possible(item, world) for item in items]
    valued, reasons = _reasons(parts)
    spans = [part.span for part in parts if part.span is not None]
    return Possible(span=combine(spans) if valued else None, reasons=reasons)


def _ratio(node: Ratio, world: _World) -> Possible:
    parts = [_possible(node.left, world), _possible(node.right, world)]
    valued, reasons = _reasons(parts)
    left, right = parts[0].span, parts[1].span
    if not valued or left is None or right is None:
        return Possible(reasons=reasons)
    crosses = (right.low is None or right.low <= 0) and (right.high is None or right.high >= 0)
    if not crosses:
        return Possible(span=calc.times(left, calc.inverse(right)), reasons=reasons)
    reasons |= {"division by zero"}
    span: Span | None = None
    if right.high is None or right.high > 0:
        over = Span(Fraction(0) if right.high is None else 1 / right.high, None)
        span = calc.times(left, over)
    if right.low is None or right.low < 0:
        under = Span(None, Fraction(0) if right.low is None else 1 / right.low)
        span = calc.hull(span, calc.times(left, under))
    return Possible(span=span, reasons=reasons)


def _select(over: Selection, world: _World) -> tuple[list[Span], Reason | None]:
    if isinstance(over, Row):
        if over.series not in world.series:
            return [], "no such series"
        return list(world.spans[world.series.index(over.series)]), None
    if isinstance(over, Column):
        if over.position not in world.positions:
            return [], "no such position"
        place = world.positions.index(over.position)
        return [line[place] for line in world.spans], None
    if isinstance(over, Cells):
        return _listed(over, world)
    return [span for line in world.spans for span in line], None


def _listed(over: Cells, world: _World) -> tuple[list[Span], Reason | None]:
    spans: list[Span] = []
    for series, position in over.cells:
        if series not in world.series:
            return [], "no such series"
        if position not in world.positions:
            return [], "no such position"
        spans.append(world.spans[world.series.index(series)][world.positions.index(position)])
    return spans, None


def _lookup(node: Lookup, world: _World) -> Possible:
    spans, reason = _select(Cells(cells=((node.series, node.position),)), world)
    return Possible(span=spans[0]) if reason is None else Possible(reasons=frozenset({reason}))


def _aggregate(node: Aggregate, world: _World) -> Possible:
    spans, reason = _select(node.over, world)
    if reason is not None:
        return Possible(reasons=frozenset({reason}))
    sure, maybe, reasons = spans, list[Span](), frozenset[Reason]()
    if node.where is not None:
        than = _possible(node.where.than, world)
        if than.span is None:
            return than
        reasons = than.reasons
        kept = [(span, calc.holds(node.where.operator, span, than.span)) for span in spans]
        sure = [span for span, holds in kept if holds == {True}]
        maybe = [span for span, holds in kept if len(holds) == 2]
    if node.function in ("mean", "min", "max") and not sure:
        reasons |= {"nothing selected"}
        if not maybe:
            return Possible(reasons=reasons)
    return Possible(span=_figure(node.function, sure, maybe), reasons=reasons)


def _figure(function: str, sure: list[Span], maybe: list[Span]) -> Span:
    """Any figure over the cells that are surely there and those that may be."""
    if function == "count":
        return Span(Fraction(len(sure)), Fraction(len(sure) + len(maybe)))
    if function == "sum":
        zero = Span(Fraction(0), Fraction(0))
        # A cell that may be left out adds itself or nothing.
        return calc.total([*sure, *(calc.hull(span, zero) or zero for span in maybe)])
    return _summary(function, sure, maybe)


def _summary(function: str, sure: list[Span], maybe: list[Span]) -> Span:
    """Mean, min or max of the cells that are surely there and those that may be."""
    every = [*sure, *maybe]
    least, most = calc.least([span.low for span in every]), calc.most([span.high for span in every])
    if function == "mean":
        return Span(least, most) if maybe else calc.average(sure)
    if function == "max":
        return calc.negative(
            _summary("min", [calc.negative(span) for span in sure], [calc.negative(span) for span in maybe])
        )
    highs = [span.high for span in sure if span.high is not None]
    return Span(least, min(highs) if highs else None if sure else most)


class _Ranking(NamedTuple):
    """Cells whose highest value is looked for: those of ``lowest`` are turned round beforehand."""

    spans: list[Span]
    names: tuple[str, ...]
    second: bool
    turned: bool


def _ranking(node: Extreme | ExtremeLabel, world: _World) -> _Ranking | Reason:
    spans, reason = _select(node.over, world)
    if reason is not None:
        return reason
    second, turned = node.rank.startswith("second"), node.rank.endswith("lowest")
    if not spans:
        return "nothing selected"
    if second and len(spans) < 2:
        return "too few"
    names = world.positions if isinstance(node.over, Row) else world.series
    return _Ranking([calc.negative(span) for span in spans] if turned else spans, names, second, turned)


def _top_tie(spans: Sequence[Span]) -> tuple[bool, bool]:
    """Whether the highest value may be, and must be, shared."""
    bar = calc.bar(spans)
    may = sum(calc.may_reach(span, bar) for span in spans) > 1
    top = calc.most([span.high for span in spans])
    must = top is not None and sum(span.point() and span.high == top for span in spans) > 1
    return may, must


def _extreme(node: Extreme, world: _World) -> Possible:
    found = _ranking(node, world)
    if isinstance(found, str):
        return Possible(reasons=frozenset({found}))
    spans = found.spans
    if not found.second:
        span = Span(calc.bar(spans), calc.most([span.high for span in spans]))
        return Possible(span=calc.negative(span) if found.turned else span)
    may, must = _top_tie(spans)
    reasons: frozenset[Reason] = frozenset({"tie"}) if may else frozenset()
    if must:
        return Possible(reasons=reasons)
    highs = [span.high for span in spans]
    missing = sum(high is None for high in highs)
    known = sorted((high for high in highs if high is not None), reverse=True)
    span = Span(calc.second_greatest([span.low for span in spans]), None if missing > 1 else known[1 - missing])
    return Possible(span=calc.negative(span) if found.turned else span, reasons=reasons)


def _extreme_label(node: ExtremeLabel, world: _World) -> Possible:
    found = _ranking(node, world)
    if isinstance(found, str):
        return Possible(reasons=frozenset({found}))
    spans = found.spans
    may, must = _top_tie(spans)
    names: set[str | bool] = set()
    for place, span in enumerate(spans):
        others = [other for index, other in enumerate(spans) if index != place]
        may_exceed = [calc.may_exceed(other, span) for other in others]
        if found.second:
            must_reach = [calc.must_reach(other, span) for other in others]
            possible = any(may_exceed) and sum(must_reach) <= 1
        else:
            possible = all(calc.may_exceed(span, other) for other in others)
        if possible:
            names.add(found.names[place])
    if found.second and not may and len(spans) > 2:
        bar = calc.second_greatest([span.low for span in spans])
        may = sum(calc.may_reach(span, bar) for span in spans) > 2
    if must:
        names = set()
    return Possible(names=frozenset(names), reasons=frozenset({"tie"}) if may or not names else frozenset())


def _compare(node: Compare, world: _World) -> Possible:
    parts = [_possible(node.left, world), _possible(node.right, world)]
    valued, reasons = _reasons(parts)
    if not valued:
        return Possible(reasons=reasons)
    left, right = parts
    if left.span is not None and right.span is not None:
        return Possible(names=calc.holds(node.operator, left.span, right.span), reasons=reasons)
    equal: set[str | bool] = set()
    if left.names & right.names:
        equal.add(True)
    if len(left.names | right.names) > 1:
        equal.add(False)
    if node.operator == "!=":
        equal = {not value for value in equal}
    return Possible(names=frozenset(equal), reasons=reasons)


def _trend(node: Trend, world: _World) -> Possible:
    spans, reason = _select(node.over, world)
    if reason is not None or len(spans) < 2:
        return Possible(reasons=frozenset({reason or "too few"}))
    steps = [(calc.holds("<", earlier, later), calc.holds(">", earlier, later)) for earlier, later in pairwise(spans)]
    names: set[str | bool] = set()
    if all(True in up for up, _ in steps):
        names.add("increasing")
    if all(True in down for _, down in steps):
        names.add("decreasing")
    if any(False in up for up, _ in steps) and any(False in down for _, down in steps):
        names.add("neither")
    return Possible(names=frozenset(names))


def _if(node: If, world: _World) -> Possible:
    condition = _possible(node.condition, world)
    result = Possible(reasons=condition.reasons)
    for truth, branch in ((True, node.then), (False, node.otherwise)):
        if truth in condition.names:
            taken = _possible(branch, world)
            result = Possible(
                calc.hull(result.span, taken.span), result.names | taken.names, result.reasons | taken.reasons
            )
    return result


def _all(node: And | Or, world: _World) -> Possible:
    # Or is And turned round.
    decides = isinstance(node, Or)
    parts = [_possible(item, world) for item in node.items]
    valued, reasons = _reasons(parts)
    if not valued:
        return Possible(reasons=reasons)
    names: set[str | bool] = set()
    if any(decides in part.names for part in parts):
        names.add(decides)
    if all((not decides) in part.names for part in parts):
        names.add(not decides)
    return Possible(names=frozenset(names), reasons=reasons)


def _not(node: Not, world: _World) -> Possible:
    part = _possible(node.item, world)
    return Possible(names=frozenset(not name for name in part.names), reasons=part.reasons)


_RULES: dict[type, Callable[[Any, _World], Possible]] = {
    Lookup: _lookup,
    Number: lambda node, _world: Possible(span=Span(node.value, node.value)),
    Label: lambda node, _world: Possible(names=frozenset({node.text})),
    Boolean: lambda node, _world: Possible(names=frozenset({node.value})),
    Sum: lambda node, world: _numbers(node.items, world, calc.total),
    Mean: lambda node, world: _numbers(node.items, world, calc.average),
    Product: lambda node, world: _numbers(node.items, world, calc.multiplied),
    Difference: lambda node, world: _numbers(
        (node.left, node.right), world, lambda spans: calc.plus(spans[0], calc.negative(spans[1]))
    ),
    Ratio: _ratio,
    Aggregate: _aggregate,
    Extreme: _extreme,
    ExtremeLabel: _extreme_label,
    Compare: _compare,
    Trend: _trend,
    If: _if,
    And: _all,
    Or: _all,
    Not: _not,
}
