"""Exact rationals and reasons in numpy arrays: what enumeration computes with.

A number is a pair of integer arrays, numerator and positive denominator. Before an operation, the largest magnitude
it can reach is worked out with Python's integers: where 64 bits could overflow, the arrays become arrays of Python
integers, slower and just as exact. Constant parts stay arrays of length one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from answerable.logic.program import Reason

Array = npt.NDArray[Any]

#: Magnitudes from here on are given to Python's integers.
LIMIT = 1 << 62
REASONS: tuple[Reason | None, ...] = (
    None, "no such series", "no such position", "division by zero", "tie", "nothing selected", "too few"
)  # fmt: skip
CODE = {reason: code for code, reason in enumerate(REASONS)}
#: The denominator of what is whole, shared so that equal denominators are seen at once.
ONE = np.ones(1, dtype=np.int64)


class Part(NamedTuple):
    """A node over a block. Where ``code`` is not 0 the node is undefined and the value means nothing."""

    value: Array
    """Numerators; for labels, places in the table of names; for booleans, truth values."""
    below: Array
    """Positive denominators; ones for what is no number."""
    code: Array | None = None
    """Places in the table of reasons; None when defined everywhere."""
    top: int = 1
    """No numerator is larger in magnitude."""
    deep: int = 1
    """No denominator is larger."""


def integers(values: Sequence[int], top: int) -> Array:
    """Whole numbers whose magnitude is at most ``top``."""
    return np.array(values, dtype=np.int64 if top < LIMIT else object)


def first_code(*parts: Part) -> Array | None:
    """The reasons of the first undefined part."""
    found: Array | None = None
    for part in parts:
        if part.code is not None:
            found = part.code if found is None else np.where(found != 0, found, part.code)
    return found


def then_code(found: Array | None, more: Array, reason: Reason) -> Array | None:
    """Reasons, and after them one more where ``more`` holds."""
    if not more.any():
        return found
    code = np.where(more, np.int8(CODE[reason]), np.int8(0))
    return code if found is None else np.where(found != 0, found, code)


def _tight(part: Part) -> Part:
    """In lowest terms, with the bounds that its numbers really have."""
    shared = np.gcd(part.value, part.below)
    value, below = part.value // shared, part.below // shared
    top, deep = (int(np.abs(array).max(initial=0)) for array in (value, below))
    return Part(value, below, part.code, top, deep)


def _pair(
    a: Part, b: Part, bounds: Callable[[Part, Part], tuple[int, int]]
) -> tuple[Part, Part, int, int]:  # fmt: skip
    """The operands, in integers that hold results of these bounds."""
    top, deep = bounds(a, b)
    if max(top, deep) >= LIMIT:
        a, b = _tight(a), _tight(b)
        top, deep = bounds(a, b)
        if max(top, deep) >= LIMIT:
            a, b = (part._replace(value=part.value.astype(object), below=part.below.astype(object)) for part in (a, b))
    return a, b, top, deep


def _crossed(a: Part, b: Part) -> tuple[int, int]:
    return a.top * b.deep + b.top * a.deep, a.deep * b.deep


def plus(a: Part, b: Part, sign: int = 1) -> Part:
    """The sum; the difference where ``sign`` is -1."""
    code = first_code(a, b)
    if a.below is b.below and a.top + b.top < LIMIT:
        return Part(a.value + sign * b.value, a.below, code, a.top + b.top, a.deep)
    a, b, top, deep = _pair(a, b, _crossed)
    return Part(a.value * b.below + sign * b.value * a.below, a.below * b.below, code, top, deep)


def times(a: Part, b: Part) -> Part:
    """The product."""
    code = first_code(a, b)
    a, b, top, deep = _pair(a, b, lambda a, b: (a.top * b.top, a.deep * b.deep))
    return Part(a.value * b.value, a.below * b.below, code, top, deep)


def divided(a: Part, b: Part) -> Part:
    """Where ``b`` is 0 the reason says so, and 1 stands in its place."""
    zero = b.value == 0
    code = then_code(first_code(a, b), zero, "division by zero")
    b = b._replace(value=np.where(zero, 1, b.value), top=max(b.top, 1))
    a, b, top, deep = _pair(a, b, lambda a, b: (a.top * b.deep, a.deep * b.top))
    sign = np.where(b.value < 0, -1, 1)
    return Part(a.value * b.below * sign, a.below * b.value * sign, code, top, deep)


def relation(sign: str, a: Part, b: Part) -> Array:
    """Where the comparison holds; labels and booleans compare by ``==`` and ``!=``."""
    if a.below is b.below:
        left, right = a.value, b.value
    else:
        a, b, _, _ = _pair(a, b, _crossed)
        left, right = a.value * b.below, b.value * a.below
    return _OPERATORS[sign](left, right).astype(bool)


_OPERATORS: dict[str, Callable[[Array, Array], Array]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
