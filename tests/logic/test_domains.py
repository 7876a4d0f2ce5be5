"""Domains of hidden cells, and the messages for those that cannot be used."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.codec import decode, encode
from answerable.core.errors import InputError
from answerable.logic.domains import (
    Between,
    Domain,
    Integers,
    Values,
    Visible,
    check_domains,
    contains,
    ends,
    hide,
    listed,
    size,
)
from answerable.logic.program import Grid

GRID = Grid(series=("A",), positions=("x", "y"), values=((Fraction(1), Fraction(2)),))
HIDDEN = hide(GRID, [("A", "x")])
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("domain", "count", "bounds", "inside", "outside"),
    [
        (Values((Fraction(3), Fraction(1))), 2, (1, 3), 3, 2),
        (Integers(-1, 1), 3, (-1, 1), 0, HALF),
        (Between(Fraction(0), Fraction(1)), None, (0, 1), HALF, 2),
        (Between(None, Fraction(1)), None, (None, 1), -(10**9), 2),
        (Between(None, None), None, (None, None), 7, None),
        (Between(Fraction(4), Fraction(4)), 1, (4, 4), 4, 5),
    ],
)
def test_size_ends_and_membership(
    domain: Domain, count: int | None, bounds: tuple[object, object], inside: Fraction, outside: Fraction | None
) -> None:
    assert size(domain) == count
    assert ends(domain) == bounds
    assert contains(domain, Fraction(inside))
    assert outside is None or not contains(domain, Fraction(outside))
    if count is not None:
        assert len(list(listed(domain))) == count
    assert decode(encode(domain), type(domain)) == domain


def test_hiding_and_completing() -> None:
    assert HIDDEN.hidden() == (("A", "x"),)
    assert HIDDEN.completed({("A", "x"): Fraction(1)}) == GRID


@pytest.mark.parametrize(
    ("visible", "domains", "message"),
    [
        (HIDDEN, {}, "a domain for every hidden cell"),
        (HIDDEN, {("A", "x"): Integers(0, 1), ("A", "y"): Integers(0, 1)}, "domains for hidden cells only"),
        (HIDDEN, {("A", "x"): Values(())}, "an empty set"),
        (HIDDEN, {("A", "x"): Integers(1, 0)}, "an empty range low=1, high=0"),
        (HIDDEN, {("A", "x"): Between(Fraction(1), Fraction(0))}, "an empty interval low=1, high=0"),
        (HIDDEN, {("A", "x"): Values((Fraction(1),) * 100_001)}, "at most 100000 listed values"),
        (Visible(("A", "B"), ("x",), ((None,),)), {}, "2 rows of 1 values"),
        (Visible(("A", "A"), ("x",), ((None,), (None,))), {}, "each series and position once"),
    ],
)
def test_what_cannot_be_used(visible: Visible, domains: dict[tuple[str, str], Domain], message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_domains(visible, domains)
    assert message in str(caught.value)
