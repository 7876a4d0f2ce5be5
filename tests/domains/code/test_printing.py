"""Programs as text: what people write, and what Python reads back as the same program."""

from __future__ import annotations

import ast

import pytest

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Blank,
    Both,
    Branch,
    Builtin,
    Compare,
    Draw,
    Either,
    Expression,
    For,
    If,
    ImportRandom,
    Int,
    Method,
    Plain,
    Print,
    RandChoice,
    RandInt,
    Str,
    Var,
    While,
)
from answerable.domains.code.printing import condition, expression, lines, quoted, source
from tests.domains.code.make import dice, function, program, sums

A, B, C = Var("a"), Var("b"), Var("c")


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Binary("+", Binary("+", A, B), C), "a + b + c"),
        (Binary("-", A, Binary("-", B, C)), "a - (b - c)"),
        (Binary("*", Binary("+", A, B), C), "(a + b) * c"),
        (Binary("+", A, Binary("*", B, C)), "a + b * c"),
        (Binary("//", A, Binary("*", B, C)), "a // (b * c)"),
        (Binary("%", Binary("*", A, B), C), "a * b % c"),
        (Binary("-", A, Int(-3)), "a - -3"),
        (Builtin("max", (A, Int(3))), "max(a, 3)"),
        (Method("upper", "a"), "a.upper()"),
    ],
)
def test_brackets_stand_where_python_needs_them(node: Expression, text: str) -> None:
    assert expression(node) == text


_ONE, _TWO, _THREE = (Compare("<", name, Int(1)) for name in (A, B, C))


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Both(Either(_ONE, _TWO), _THREE), "(a < 1 or b < 1) and c < 1"),
        (Both(_ONE, Either(_TWO, _THREE)), "a < 1 and (b < 1 or c < 1)"),
        (Either(Both(_ONE, _TWO), _THREE), "a < 1 and b < 1 or c < 1"),
        (Either(_ONE, Both(_TWO, _THREE)), "a < 1 or b < 1 and c < 1"),
        (Both(_ONE, Both(_TWO, _THREE)), "a < 1 and (b < 1 and c < 1)"),
    ],
)
def test_conditions_keep_their_shape(node: Plain, text: str) -> None:
    assert condition(node) == text


def test_a_draw_is_a_comparison() -> None:
    assert condition(Draw(10, "<", A)) == "random.random() * 10 < a"


@pytest.mark.parametrize(
    "text", ['say "hi"', "it's", "back\\slash", '\\"', "end\\", '"); import os; ("', "#{x}%s", "é"]
)
def test_any_text_stays_one_literal(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text
    tree = ast.parse(source(program(Print((Str(text),)))))
    assert len(tree.body) == 1
    assert [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)] == [text]


def test_statements() -> None:
    made = program(
        ImportRandom(),
        Blank(),
        function(),
        Assign("a", RandInt(1, 6)),
        Assign("w", RandChoice((Str("x"), Str("y")))),
        For("i", Int(0), Int(3), 1, (Augment("a", "+", Var("i")),)),
        For("i", Int(1), Int(9), 2, (Augment("a", "*", Int(2)),)),
        For("i", Int(1), A, 1, (Augment("a", "-", Int(2)),)),
        While(Compare(">", A, Int(0)), (Augment("a", "-", Int(1)),)),
        If((Branch(_ONE, (Print((A, B)),)), Branch(_TWO, (Print((C,)),))), (Print((Int(1),)),)),
    )
    assert source(made).splitlines() == [
        "import random", "", "def f(n):", "    return n + 1", "a = random.randint(1, 6)",
        'w = random.choice(["x", "y"])', "for i in range(3):", "    a += i", "for i in range(1, 9, 2):", "    a *= 2",
        "for i in range(1, a):", "    a -= 2", "while a > 0:", "    a -= 1", "if a < 1:", "    print(a, b)",
        "elif b < 1:", "    print(c)", "else:", "    print(1)",
    ]  # fmt: skip


def test_every_line_knows_its_statement() -> None:
    assert [line.path for line in lines(dice())] == [(0,), (1,), (2,), (3,), (3, 0, 0), (3,), (3, 1, 0)]
    assert len(lines(sums())) == 10
