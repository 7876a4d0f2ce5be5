"""Closed intervals of rationals, some of whose ends may be missing, and arithmetic that never leaves anything out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

End = Fraction | None


class Span(NamedTuple):
    """A closed interval of rationals; None is an end that is not there."""

    low: End
    high: End

    def point(self) -> bool:
        """Whether it holds one number."""
        return self.low is not None and self.low == self.high


def plus(a: Span, b: Span) -> Span:
    """Every sum."""
    low = a.low + b.low if a.low is not None and b.low is not None else None
    high = a.high + b.high if a.high is not None and b.high is not None else None
    return Span(low, high)


def negative(a: Span) -> Span:
    """Turned round at 0."""
    return Span(None if a.high is None else -a.high, None if a.low is None else -a.low)


def scaled(a: Span, factor: Fraction) -> Span:
    """Times a positive number."""
    return Span(None if a.low is None else a.low * factor, None if a.high is None else a.high * factor)


def times(a: Span, b: Span) -> Span:
    """The hull of all products. An end that is missing counts as a sign: nothing times 0 is more than 0."""
    zero = Fraction(0)
    if a == (zero, zero) or b == (zero, zero):
        return Span(zero, zero)
    products: list[Fraction] = []
    under = over = False
    for x, x_sign in ((a.low, -1), (a.high, 1)):
        for y, y_sign in ((b.low, -1), (b.high, 1)):
            if x is not None and y is not None:
                products.append(x * y)
                continue
            sign = (x_sign if x is None else (x > 0) - (x < 0)) * (y_sign if y is None else (y > 0) - (y < 0))
            under, over = under or sign < 0, over or sign > 0
            if sign == 0:
                products.append(zero)
    return Span(
        None if under or not products else min(products),
        None if over or not products else max(products),
    )


def hull(a: Span | None, b: Span | None) -> Span | None:
    """The least interval around both; None is nothing."""
    if a is None or b is None:
        return a or b
    return Span(least((a.low, b.low)), most((a.high, b.high)))


def least(values: Sequence[End]) -> End:
    """The least of low ends."""
    known = [value for value in values if value is not None]
    return min(known) if len(known) == len(values) else None


def most(values: Sequence[End]) -> End:
    """The greatest of high ends."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def below(a: Span, b: Span) -> bool:
    """Whether every number of ``a`` is below every number of ``b``."""
    return a.high is not None and b.low is not None and a.high < b.low


def may_reach(a: Span, value: End) -> bool:
    """Whether ``a`` may be at least a low end (None: there is none)."""
    return value is None or a.high is None or a.high >= value


def holds(sign: str, a: Span, b: Span) -> frozenset[str | bool]:
    """The truth values of a comparison of two numbers."""
    if sign in (">", ">="):
        return holds("<" if sign == ">" else "<=", b, a)
    if sign == "!=":
        return frozenset(not value for value in holds("==", a, b))
    if sign == "==":
        always, never = a.point() and a == b, below(a, b) or below(b, a)
    elif sign == "<":
        always, never = below(a, b), must_reach(a, b)
    else:
        always, never = must_reach(b, a), below(b, a)
    return frozenset({True} if always else {False} if never else {True, False})


def may_exceed(a: Span, b: Span) -> bool:
    """Whether some number of ``a`` is above some number of ``b``."""
    return a.high is None or b.low is None or a.high > b.low


def must_reach(a: Span, b: Span) -> bool:
    """Whether ``a`` is at least ``b``, whatever they are."""
    return a.low is not None and b.high is not None and a.low >= b.high


def total(spans: Sequence[Span]) -> Span:
    """The sum of all; 0 of none."""
    result = Span(Fraction(0), Fraction(0))
    for span in spans:
        result = plus(result, span)
    return result


def average(spans: Sequence[Span]) -> Span:
    """The mean of one or more."""
    return scaled(total(spans), Fraction(1, len(spans)))


def multiplied(spans: Sequence[Span]) -> Span:
    """The product of all."""
    result = Span(Fraction(1), Fraction(1))
    for span in spans:
        result = times(result, span)
    return result


def inverse(span: Span) -> Span:
    """Of an interval without 0; a missing end becomes 0, which is reached by nothing but bounds everything."""
    zero = Fraction(0)
    return Span(zero if span.high is None else 1 / span.high, zero if span.low is None else 1 / span.low)


def second_greatest(values: Sequence[End]) -> End:
    """The second greatest; None (missing, below everything) counts as the least."""
    return sorted(values, key=lambda value: (value is not None, value or 0), reverse=True)[1]


def bar(spans: Sequence[Span]) -> End:
    """What the highest value is at least."""
    known = [span.low for span in spans if span.low is not None]
    return max(known) if known else None
