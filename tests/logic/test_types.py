"""Typing rules, references, families and formulas; and the bounds on reading a program."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from answerable.core.codec import decode, encode
from answerable.core.errors import InputError
from answerable.logic.program import (
    MAX_DEPTH,
    Aggregate,
    And,
    Boolean,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Everything,
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
    Row,
    Sum,
    Trend,
    Truth,
    Undefined,
    Where,
    depth,
    nodes,
)
from answerable.logic.types import Schema, Type, cells, family, result_words, schema_of, type_of, words
from tests.logic.expressions import any_program
from tests.logic.grids import GRID

SCHEMA = Schema(series=("A", "B"), positions=("w", "x"))
WHOLE = Schema(series=("A", "B"), positions=("w", "x"), cells="integer")
AW, BX = Lookup("A", "w"), Lookup("B", "x")
ONE, HALF = Number(Fraction(1)), Number(Fraction(1, 2))


@pytest.mark.parametrize(
    ("program", "real", "whole"),
    [
        (AW, "number", "integer"),
        (ONE, "integer", "integer"),
        (HALF, "number", "number"),
        (Sum((AW, ONE)), "number", "integer"),
        (Difference(AW, HALF), "number", "number"),
        (Product((ONE, ONE)), "integer", "integer"),
        (Mean((ONE,)), "number", "number"),
        (Ratio(AW, BX), "number", "number"),
        (Aggregate("count", Row("A")), "integer", "integer"),
        (Aggregate("mean", Row("A")), "number", "number"),
        (Aggregate("max", Row("A"), Where("<", AW)), "number", "integer"),
        (Extreme("second lowest", Everything()), "number", "integer"),
        (ExtremeLabel("highest", Row("A")), "label", "label"),
        (Trend(Row("A")), "label", "label"),
        (Compare("<", AW, ONE), "boolean", "boolean"),
        (Compare("==", Trend(Row("A")), Label("neither")), "boolean", "boolean"),
        (If(Boolean(True), ONE, HALF), "number", "number"),
        (If(Boolean(True), ONE, ONE), "integer", "integer"),
        (If(Boolean(True), Label("a"), Label("b")), "label", "label"),
        (And((Boolean(True), Not(Boolean(False)))), "boolean", "boolean"),
    ],
)
def test_types(program: Expression, real: Type, whole: Type) -> None:
    assert type_of(program, SCHEMA) == real
    assert type_of(program, WHOLE) == whole


@pytest.mark.parametrize(
    ("program", "parts"),
    [
        (Sum((AW, Label("a"))), ("type=number or integer", "type=label from 'a'", "program.items[1]")),
        (Difference(Trend(Row("A")), AW), ("operand of difference", "type=label", "program.left")),
        (Ratio(AW, Boolean(True)), ("operand of ratio", "type=boolean from true", "program.right")),
        (Compare("==", AW, Label("a")), ("two operands of one type", "type=number", "type=label", "where: program")),
        (Compare("<", Label("a"), Label("b")), ("type=number or integer on both sides of '<'", "type=label and")),
        (If(AW, AW, AW), ("type=boolean as the condition", "type=number from A[w]", "program.condition")),
        (If(Boolean(True), AW, Label("a")), ("two branches of one type", "type=number", "type=label")),
        (And((Boolean(True), ONE)), ("type=boolean as an operand of and", "type=integer", "program.items[1]")),
        (Not(Label("a")), ("operand of not", "type=label", "program.item")),
        (Aggregate("sum", Row("A"), Where("<", Label("a"))), ("condition on cells", "program.where.than")),
        (Sum((Difference(AW, Not(AW)),)), ("operand of not", "program.items[0].right.item")),
    ],
)
def test_what_does_not_type_names_both_types_and_the_place(program: Expression, parts: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        type_of(program, SCHEMA)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("program", "name"),
    [
        (Lookup("C", "w"), "series='C'"),
        (Lookup("A", "y"), "position='y'"),
        (Sum((AW, Aggregate("sum", Row("C")))), "series='C'"),
        (Trend(Column("y")), "position='y'"),
        (Extreme("highest", Cells((("A", "w"), ("C", "w")))), "series='C'"),
    ],
)
def test_a_program_that_refers_to_nothing(program: Expression, name: str) -> None:
    with pytest.raises(InputError, match="of the grid") as caught:
        type_of(program, SCHEMA)
    assert name in str(caught.value) and "state I" in str(caught.value)


def test_the_schema_of_a_grid() -> None:
    assert schema_of(GRID).cells == "number"
    assert type_of(Lookup("North", "2020"), schema_of(GRID)) == "number"


@pytest.mark.parametrize(
    ("program", "named"),
    [
        (AW, {("A", "w")}),
        (Lookup("C", "w"), set()),
        (ONE, set()),
        (Aggregate("sum", Row("A"), Where("<", BX)), {("A", "w"), ("A", "x"), ("B", "x")}),
        (ExtremeLabel("lowest", Column("w")), {("A", "w"), ("B", "w")}),
        (Extreme("lowest", Cells((("B", "x"),))), {("B", "x")}),
        (If(Boolean(True), AW, BX), {("A", "w"), ("B", "x")}),
        (Aggregate("count", Everything()), {("A", "w"), ("A", "x"), ("B", "w"), ("B", "x")}),
    ],
)
def test_the_cells_a_program_names(program: Expression, named: set[tuple[str, str]]) -> None:
    assert cells(program, SCHEMA) == named


@pytest.mark.parametrize(
    ("program", "formula", "kind", "levels"),
    [
        (AW, "A[w]", "look-up", 1),
        (Sum((AW, BX, HALF)), "(A[w] + B[x] + 0.5)", "arithmetic", 2),
        (Ratio(AW, Number(Fraction(1, 3))), "(A[w] / 1/3)", "arithmetic", 2),
        (Mean((AW, BX)), "mean(A[w], B[x])", "arithmetic", 2),
        (Aggregate("count", Row("A"), Where(">", ONE)), "count(A where value > 1)", "aggregate", 2),
        (Extreme("second highest", Column("w")), "second highest value of (all at w)", "extreme", 1),
        (ExtremeLabel("lowest", Row("A")), "where (A) is lowest", "extreme label", 1),
        (Compare("==", Trend(Row("A")), Label("neither")), "(trend of (A) == 'neither')", "comparison", 2),
        (Trend(Row("A")), "trend of (A)", "trend", 1),
        (If(Compare("<", AW, BX), AW, Product((BX, BX))), "(A[w] if (A[w] < B[x]) else (B[x] * B[x]))",
         "conditional", 3),
        (Or((Boolean(True), Not(Boolean(False)))), "(true or not false)", "boolean", 3),
        (Label("a"), "'a'", "literal", 1),
        (Extreme("highest", Cells((("A", "w"), ("B", "x")))), "highest value of (A[w], B[x])", "extreme", 1),
        (Extreme("highest", Everything()), "highest value of (all values)", "extreme", 1),
    ],
)  # fmt: skip
def test_formula_family_and_depth(program: Expression, formula: str, kind: str, levels: int) -> None:
    assert (words(program), family(program), depth(program)) == (formula, kind, levels)


def test_results_in_words() -> None:
    assert result_words(Defined(Fraction(1, 4))) == "0.25"
    assert result_words(Named("a")) == "'a'"
    assert result_words(Truth(True)) == "true"
    assert result_words(Undefined("tie")) == "undefined (tie)"
    assert result_words(Defined(Fraction(10**9000))) == "a rational of 29898/1 bits"


@settings(max_examples=200)
@given(any_program)
def test_programs_make_the_round_trip(program: Expression) -> None:
    assert msgspec.json.decode(encode(program), type=Expression, dec_hook=_hook) == program


def _nested(levels: int) -> str:
    return '{"type":"not","item":' * levels + '{"type":"boolean","value":true}' + "}" * levels


def test_depth_and_size_are_bounded_on_reading() -> None:
    assert depth(decode(_nested(MAX_DEPTH - 1), Not)) == MAX_DEPTH
    with pytest.raises(msgspec.ValidationError, match=f"depth {MAX_DEPTH} or less"):
        decode(_nested(MAX_DEPTH), Not)
    with pytest.raises(msgspec.DecodeError):
        decode(_nested(100_000), Not)
    leaf = '{"type":"boolean","value":true}'
    wide = '{"type":"and","items":[' + ",".join([leaf] * 600) + "]}"
    with pytest.raises(msgspec.ValidationError, match="512 nodes or fewer"):
        decode(wide, And)
    doubled = leaf
    for _ in range(10):
        doubled = '{"type":"and","items":[' + doubled + "," + doubled + "]}"
    with pytest.raises(msgspec.ValidationError, match="512 nodes or fewer"):
        decode(doubled, And)


def test_what_else_is_refused_on_reading() -> None:
    for text, message in (
        ('{"type":"exec","code":"x"}', "Invalid value 'exec'"),
        ('{"type":"sum","items":[]}', "at least one operand of Sum"),
        ('{"type":"number","value":"1/0"}', "nonzero denominator"),
        ('{"type":"number","value":"' + "9" * 61 + '"}', "60 digits"),
        ('{"type":"number","value":1.5}', "rational as text"),
        ('{"type":"lookup","series":"A","position":"w","extra":1}', "unknown field"),
        ('{"type":"extreme","rank":"third","over":{"type":"row","series":"A"}}', "third"),
        ('{"type":"extreme","rank":"highest","over":{"type":"cells","cells":[]}}', "1 to 512 cells"),
        ('{"type":"extreme","rank":"highest","over":{"type":"cells","cells":[["A","w"],["A","w"]]}}', "each cell once"),
    ):
        with pytest.raises(msgspec.ValidationError, match=message):
            msgspec.json.decode(text, type=Expression, dec_hook=_hook)


def _hook(kind: type, value: Any) -> Any:
    return decode(msgspec.json.encode(value), kind)


def test_nodes_are_listed_parents_first() -> None:
    program = Difference(Sum((AW, ONE)), BX)
    assert list(nodes(program)) == [program, Sum((AW, ONE)), AW, ONE, BX]
