"""All interpreters read a program alike, on random typed programs over random grids."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings

from answerable.core.codec import decode, encode
from answerable.core.errors import InputError
from answerable.logic import direct, sql
from answerable.logic.domains import Domain, Visible, listed
from answerable.logic.enumeration import completions, enumerate_all
from answerable.logic.intervals import propagate
from answerable.logic.program import (
    MAX_DEPTH,
    Aggregate,
    Boolean,
    Cell,
    Compare,
    Defined,
    Difference,
    Expression,
    ExtremeLabel,
    Grid,
    Label,
    Lookup,
    Not,
    Number,
    Ratio,
    Row,
    Undefined,
)  # fmt: skip
from answerable.logic.types import Schema, schema_of, type_of
from tests.logic.expressions import all_worlds, any_program, hidden_grids, small_grids

HIDDEN = hidden_grids()
GRID = Grid(series=("A",), positions=("x", "y"), values=((Fraction(3), Fraction(0)),))


@settings(max_examples=300)
@given(any_program, small_grids())
def test_direct_and_sql_agree(program: Expression, grid: Grid) -> None:
    assert direct.execute(program, grid) == sql.execute(program, grid)


@settings(max_examples=150)
@given(any_program, HIDDEN)
def test_intervals_hold_every_completion(program: Expression, case: tuple[Visible, dict[Cell, Domain]]) -> None:
    visible, domains = case
    possible = propagate(program, visible, domains)
    for world in all_worlds(visible, domains):
        assert possible.contains(direct.execute(program, world))
    only = possible.only()
    if only is not None:
        assert {direct.execute(program, world) for world in all_worlds(visible, domains)} == {only}


@settings(max_examples=150)
@given(any_program, HIDDEN)
def test_enumeration_is_brute_force(program: Expression, case: tuple[Visible, dict[Cell, Domain]]) -> None:
    visible, domains = case
    every = {direct.execute(program, world) for world in all_worlds(visible, domains)}
    found = enumerate_all(program, visible, domains)
    assert found.first in every
    assert (found.other is None) == (len(every) == 1)
    if found.worlds is not None:
        one, other = found.worlds
        rest = {cell: next(listed(domains[cell])) for cell in visible.hidden()}
        assert direct.execute(program, visible.completed(rest | one)) == found.first
        assert direct.execute(program, visible.completed(rest | other)) == found.other
    assert completions(program, visible, domains) is not None


class Held(msgspec.Struct, frozen=True):
    """A program inside a record, as in a proof."""

    program: Expression


@given(any_program)
def test_programs_survive_their_file_form(program: Expression) -> None:
    assert decode(encode(Held(program)), Held).program == program


def test_typing_names_both_types() -> None:
    schema = Schema(series=("A",), positions=("x", "y"))
    with pytest.raises(InputError) as caught:
        type_of(Difference(left=Number(value=Fraction(1)), right=Label(text="x")), schema)
    assert "number" in str(caught.value)
    assert "label" in str(caught.value)
    with pytest.raises(InputError, match="boolean"):
        type_of(Not(item=Lookup(series="A", position="x")), schema)
    with pytest.raises(InputError):
        type_of(Lookup(series="B", position="x"), schema)


def test_what_has_no_answer_says_why() -> None:
    zero = Ratio(left=Lookup(series="A", position="x"), right=Lookup(series="A", position="y"))
    tie = ExtremeLabel(rank="highest", over=Row(series="A"))
    level = Grid(series=("A",), positions=("x", "y"), values=((Fraction(3), Fraction(3)),))
    for execute in (direct.execute, sql.execute):
        assert execute(zero, GRID) == Undefined(reason="division by zero")
        assert execute(tie, level) == Undefined(reason="tie")
        assert execute(Lookup(series="B", position="x"), GRID) == Undefined(reason="no such series")
        assert execute(Aggregate(function="sum", over=Row(series="A")), GRID) == Defined(value=Fraction(3))


def test_a_program_too_deep_or_of_an_unknown_tag_is_refused_on_reading() -> None:
    text = '{"type":"boolean","value":true}'
    for _ in range(MAX_DEPTH + 1):
        text = '{"type":"not","item":' + text + "}"
    with pytest.raises(msgspec.ValidationError, match="depth"):
        decode('{"program":' + text + "}", Held)
    with pytest.raises(msgspec.ValidationError):
        decode('{"program":{"type":"eval","text":"1"}}', Held)
    assert decode('{"program":{"type":"not","item":{"type":"boolean","value":true}}}', Held).program == Not(
        item=Boolean(value=True)
    )


def test_a_comparison_of_labels_and_numbers_does_not_type() -> None:
    with pytest.raises(InputError):
        type_of(Compare(operator="==", left=Label(text="x"), right=Number(value=Fraction(1))), schema_of(GRID))
