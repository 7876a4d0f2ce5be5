"""The numbers of the default audit, written down once, and how one case is judged."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.certify.finite import audit_finite, examine
from answerable.certify.finite_cases import FAMILIES, TREE, Case, case
from answerable.exec import ThisProcess
from answerable.logic import sql
from answerable.logic.domains import Visible
from answerable.logic.program import Defined, Difference, Lookup
from answerable.logic.types import Schema, type_of

#: For the default seed: constant, ambiguous, then what "mentions" wrongly rejects, what "ends" misses and the
#: constants that intervals leave undecided.
DEFAULT = {
    "look-up": (79, 49, 0, 0, 0),
    "sum and difference": (80, 48, 41, 6, 41),
    "ratio, mean, product": (55, 73, 12, 2, 6),
    "extreme value": (30, 98, 20, 4, 0),
    "extreme label": (22, 106, 4, 13, 2),
    "figure under a condition": (40, 88, 25, 20, 2),
    "comparison": (87, 41, 33, 9, 6),
    "trend and choice": (82, 46, 65, 23, 15),
    "tree": (127, 305, 84, 85, 38),
}


def test_the_default_audit_gives_the_numbers_written_down() -> None:
    found = audit_finite(ThisProcess())
    assert found.holds
    assert (found.total.cases, found.total.constant, found.total.ambiguous) == (1456, 602, 854)
    assert (found.total.witnesses, found.total.completions, found.total.undefined) == (854, 47608, 37)
    counts = {
        part.family: (
            part.constant,
            part.ambiguous,
            part.rules["mentions"].wrongly_rejected,
            part.rules["ends"].missed,
            part.rules["intervals"].undecided_constant,
        )
        for part in found.families
    }
    assert counts == DEFAULT
    rules = found.total.rules
    assert (rules["mentions"].missed, rules["ends"].wrongly_rejected, rules["intervals"].missed) == (0, 0, 0)
    smt = rules["smt"]
    assert (smt.wrongly_rejected, smt.missed, smt.undecided_constant, smt.undecided_ambiguous) == (0, 0, 0, 0)


@settings(max_examples=100)
@given(st.integers(0, 2**64), st.sampled_from([*FAMILIES, TREE]), st.integers(0, 10**6))
def test_cases_type_and_depend_on_their_name_only(seed: int, family: str, number: int) -> None:
    one = case(seed, family, number)
    assert one == case(seed, family, number)
    names = Schema(series=one.visible.series, positions=one.visible.positions)
    assert type_of(one.program, names) in ("number", "integer", "label", "boolean")
    assert len(names.series) * len(names.positions) == 4
    assert len(one.visible.hidden()) in (1, 2)


def test_a_rule_is_judged_against_every_completion() -> None:
    x, y = Lookup(series="A", position="w"), Lookup(series="A", position="x")
    hidden = Visible(series=("A",), positions=("w", "x", "y", "z"), values=((None, None, Fraction(1), Fraction(2)),))
    same = examine(Case(name="c", family="tree", program=Difference(left=x, right=x), visible=hidden))
    assert (same.constant, same.ambiguous, same.completions, same.witnesses) == (1, 0, 10, 0)
    assert same.rules["mentions"].wrongly_rejected == 1
    assert (same.rules["ends"].wrongly_rejected, same.rules["intervals"].undecided_constant) == (0, 1)
    other = examine(Case(name="c", family="tree", program=Difference(left=x, right=y), visible=hidden))
    assert (other.constant, other.ambiguous, other.witnesses, other.disagreeing) == (0, 1, 1, 0)
    assert (other.rules["ends"].missed, other.rules["mentions"].missed) == (1, 0)
    assert other.rules["ends"].examples == ("(A[w] - A[x]), hidden A[w] and A[x]",)


def test_two_worlds_that_an_executor_does_not_tell_apart_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "execute", lambda program, grid: Defined(value=Fraction(0)))
    found = audit_finite(ThisProcess(), cases=64, trees=0, use_smt=False)
    assert not found.holds
    assert found.total.witnesses == 0
    assert found.total.disagreeing == found.total.ambiguous > 20
    assert len(found.total.disagreements) == 20
    assert "the two worlds do not hold: both worlds give 0" in found.total.disagreements[0]
