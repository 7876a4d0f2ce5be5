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
from answerable.logic.types import check_types

_End = Fraction | None


class Span(NamedTuple):
    """A closed interval of rationals; None is an end that is not there."""

    low: _End
    high: _End

    def point(self) -> bool:
        """Whether it holds one number."""
        return self.low is not None and self.low == self.high


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


# --- arithmetic of ends


def _add(a: Span, b: Span) -> Span:
    low = a.low + b.low if a.low is not None and b.low is not None else None
    high = a.high + b.high if a.high is not None and b.high is not None else None
    return Span(low, high)


def _negative(a: Span) -> Span:
    return Span(None if a.high is None else -a.high, None if a.low is None else -a.low)


def _scaled(a: Span, factor: Fraction) -> Span:
    """Times a positive number."""
    return Span(None if a.low is None else a.low * factor, None if a.high is None else a.high * factor)


def _times(a: Span, b: Span) -> Span:
    """The hull of all products. An end that is missing counts as a sign: nothing times 0 is more than 0."""
    zero = Fraction(0)
    if a == (zero, zero) or b == (zero, zero):
        return Span(zero, zero)
    products: list[Fraction] = []
    below = above = False
    for x, x_sign in ((a.low, -1), (a.high, 1)):
        for y, y_sign in ((b.low, -1), (b.high, 1)):
            if x is not None and y is not None:
                products.append(x * y)
                continue
            sign = (x_sign if x is None else (x > 0) - (x < 0)) * (y_sign if y is None else (y > 0) - (y < 0))
            below, above = below or sign < 0, above or sign > 0
            if sign == 0:
                products.append(zero)
    return Span(
        None if below or not products else min(products),
        None if above or not products else max(products),
    )


def _hull(a: Span | None, b: Span | None) -> Span | None:
    if a is None or b is None:
        return a or b
    return Span(_least((a.low, b.low)), _most((a.high, b.high)))


def _least(values: Sequence[_End]) -> _End:
    """The least of low ends."""
    known = [value for value in values if value is not None]
    return min(known) if len(known) == len(values) else None


def _most(values: Sequence[_End]) -> _End:
    """The greatest of high ends."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def _below(a: Span, b: Span) -> bool:
    """Whether every number of ``a`` is below every number of ``b``."""
    return a.high is not None and b.low is not None and a.high < b.low


def _may_reach(a: Span, value: _End) -> bool:
    """Whether ``a`` may be at least a low end (None: there is none)."""
    return value is None or a.high is None or a.high >= value


def _holds(sign: str, a: Span, b: Span) -> frozenset[str | bool]:
    """The truth values of a comparison of two numbers."""
    if sign in (">", ">="):
        return _holds("<" if sign == ">" else "<=", b, a)
    if sign == "!=":
        return frozenset(not value for value in _holds("==", a, b))
    if sign == "==":
        always, never = a.point() and a == b, _below(a, b) or _below(b, a)
    elif sign == "<":
        always, never = _below(a, b), _must_reach(a, b)
    else:
        always, never = _must_reach(b, a), _below(b, a)
    return frozenset({True} if always else {False} if never else {True, False})


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


def _total(spans: Sequence[Span]) -> Span:
    total = Span(Fraction(0), Fraction(0))
    for span in spans:
        total = _add(total, span)
    return total


def _average(spans: Sequence[Span]) -> Span:
    return _scaled(_total(spans), Fraction(1, len(spans)))


def _multiplied(spans: Sequence[Span]) -> Span:
    result = Span(Fraction(1), Fraction(1))
    for span in spans:
        result = _times(result, span)
    return result


def _ratio(node: Ratio, world: _World) -> Possible:
    parts = [_possible(node.left, world), _possible(node.right, world)]
    valued, reasons = _reasons(parts)
    left, right = parts[0].span, parts[1].span
    if not valued or left is None or right is None:
        return Possible(reasons=reasons)
    crosses = (right.low is None or right.low <= 0) and (right.high is None or right.high >= 0)
    if not crosses:
        return Possible(span=_times(left, _inverse(right)), reasons=reasons)
    reasons |= {"division by zero"}
    span: Span | None = None
    if right.high is None or right.high > 0:
        over = Span(Fraction(0) if right.high is None else 1 / right.high, None)
        span = _times(left, over)
    if right.low is None or right.low < 0:
        under = Span(None, Fraction(0) if right.low is None else 1 / right.low)
        span = _hull(span, _times(left, under))
    return Possible(span=span, reasons=reasons)


def _inverse(span: Span) -> Span:
    """Of an interval without 0; a missing end becomes 0, which is reached by nothing but bounds everything."""
    zero = Fraction(0)
    return Span(zero if span.high is None else 1 / span.high, zero if span.low is None else 1 / span.low)


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
        kept = [(span, _holds(node.where.operator, span, than.span)) for span in spans]
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
        return _total([*sure, *(_hull(span, zero) or zero for span in maybe)])
    return _summary(function, sure, maybe)


def _summary(function: str, sure: list[Span], maybe: list[Span]) -> Span:
    """Mean, min or max of the cells that are surely there and those that may be."""
    every = [*sure, *maybe]
    least, most = _least([span.low for span in every]), _most([span.high for span in every])
    if function == "mean":
        return Span(least, most) if maybe else _average(sure)
    if function == "max":
        return _negative(_summary("min", [_negative(span) for span in sure], [_negative(span) for span in maybe]))
    highs = [span.high for span in sure if span.high is not None]
    return Span(least, min(highs) if highs else None if sure else most)


def _second(values: Sequence[_End]) -> _End:
    """The second greatest; None (missing, below everything) counts as the least."""
    return sorted(values, key=lambda value: (value is not None, value or 0), reverse=True)[1]


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
    return _Ranking([_negative(span) for span in spans] if turned else spans, names, second, turned)


def _top_tie(spans: Sequence[Span]) -> tuple[bool, bool]:
    """Whether the highest value may be, and must be, shared."""
    bar = _bar(spans)
    may = sum(_may_reach(span, bar) for span in spans) > 1
    top = _most([span.high for span in spans])
    must = top is not None and sum(span.point() and span.high == top for span in spans) > 1
    return may, must


def _bar(spans: Sequence[Span]) -> _End:
    """What the highest value is at least."""
    known = [span.low for span in spans if span.low is not None]
    return max(known) if known else None


def _extreme(node: Extreme, world: _World) -> Possible:
    found = _ranking(node, world)
    if isinstance(found, str):
        return Possible(reasons=frozenset({found}))
    spans = found.spans
    if not found.second:
        span = Span(_bar(spans), _most([span.high for span in spans]))
        return Possible(span=_negative(span) if found.turned else span)
    may, must = _top_tie(spans)
    reasons: frozenset[Reason] = frozenset({"tie"}) if may else frozenset()
    if must:
        return Possible(reasons=reasons)
    highs = [span.high for span in spans]
    missing = sum(high is None for high in highs)
    known = sorted((high for high in highs if high is not None), reverse=True)
    span = Span(_second([span.low for span in spans]), None if missing > 1 else known[1 - missing])
    return Possible(span=_negative(span) if found.turned else span, reasons=reasons)


def _extreme_label(node: ExtremeLabel, world: _World) -> Possible:
    found = _ranking(node, world)
    if isinstance(found, str):
        return Possible(reasons=frozenset({found}))
    spans = found.spans
    may, must = _top_tie(spans)
    names: set[str | bool] = set()
    for place, span in enumerate(spans):
        others = [other for index, other in enumerate(spans) if index != place]
        may_exceed = [_may_exceed(other, span) for other in others]
        if found.second:
            must_reach = [_must_reach(other, span) for other in others]
            possible = any(may_exceed) and sum(must_reach) <= 1
        else:
            possible = all(_may_exceed(span, other) for other in others)
        if possible:
            names.add(found.names[place])
    if found.second and not may and len(spans) > 2:
        bar = _second([span.low for span in spans])
        may = sum(_may_reach(span, bar) for span in spans) > 2
    if must:
        names = set()
    return Possible(names=frozenset(names), reasons=frozenset({"tie"}) if may or not names else frozenset())


def _may_exceed(a: Span, b: Span) -> bool:
    return a.high is None or b.low is None or a.high > b.low


def _must_reach(a: Span, b: Span) -> bool:
    """Whether ``a`` is at least ``b``, whatever they are."""
    return a.low is not None and b.high is not None and a.low >= b.high


def _compare(node: Compare, world: _World) -> Possible:
    parts = [_possible(node.left, world), _possible(node.right, world)]
    valued, reasons = _reasons(parts)
    if not valued:
        return Possible(reasons=reasons)
    left, right = parts
    if left.span is not None and right.span is not None:
        return Possible(names=_holds(node.operator, left.span, right.span), reasons=reasons)
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
    steps = [(_holds("<", earlier, later), _holds(">", earlier, later)) for earlier, later in pairwise(spans)]
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
                _hull(result.span, taken.span), result.names | taken.names, result.reasons | taken.reasons
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
    Sum: lambda node, world: _numbers(node.items, world, _total),
    Mean: lambda node, world: _numbers(node.items, world, _average),
    Product: lambda node, world: _numbers(node.items, world, _multiplied),
    Difference: lambda node, world: _numbers(
        (node.left, node.right), world, lambda spans: _add(spans[0], _negative(spans[1]))
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
