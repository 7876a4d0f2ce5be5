"""The literal that ends a line."""

from __future__ import annotations

import pytest

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Builtin,
    Comment,
    Int,
    Literal_,
    Print,
    RandInt,
    Return,
    Statement,
    Str,
    Var,
)
from answerable.domains.code.printing import lines
from answerable.domains.code.slots import divides, fillings, tail, tail_column, with_tail
from tests.domains.code.make import program

SEVEN = Int(7)


@pytest.mark.parametrize(
    ("statement", "literal", "seen"),
    [
        (Assign("x", SEVEN), SEVEN, "x = "),
        (Augment("x", "+", Binary("*", Var("y"), SEVEN)), SEVEN, "x += y * "),
        (Assign("x", Binary("*", Var("y"), Binary("+", Var("z"), SEVEN))), SEVEN, "x = y * (z + "),
        (Print((Str("a"), Builtin("max", (Var("x"), SEVEN)))), SEVEN, 'print("a", max(x, '),
        (Print((Str("a)"),)), Str("a)"), "print("),
        (Return(SEVEN), SEVEN, "return "),
        (Assign("x", Var("y")), None, ""),
        (Assign("x", RandInt(1, 7)), None, ""),
        (Comment("7"), None, ""),
    ],
)
def test_tails(statement: Statement, literal: Literal_ | None, seen: str) -> None:
    assert tail(statement) == literal
    if literal is not None:
        (line,) = lines(program(statement))
        assert line.text[: tail_column(line.text, literal)] == seen
        (changed,) = with_tail(program(statement), (0,), Int(3)).statements
        assert tail(changed) == Int(3)


def test_only_a_literal_can_be_replaced() -> None:
    with pytest.raises(ValueError, match="a statement that ends with a literal; got Comment"):
        with_tail(program(Comment("7")), (0,), SEVEN)
    with pytest.raises(ValueError, match="an expression that ends with a literal"):
        with_tail(program(Assign("x", Var("y"))), (0,), SEVEN)


def test_divisors_are_known() -> None:
    assert divides(Assign("x", Binary("%", Var("y"), SEVEN)))
    assert divides(Print((Builtin("max", (Int(1), Binary("//", Var("y"), SEVEN))),)))
    assert not divides(Assign("x", Binary("+", Binary("%", Var("y"), SEVEN), SEVEN)))
    assert not divides(Comment("x"))


def test_fillings_are_all_combinations() -> None:
    made = program(Assign("x", Int(1)), Assign("y", Int(1)), Print((Var("x"),)))
    found = {(tail(one.statements[0]), tail(one.statements[1])) for one in fillings(made, ((0,), (1,)), 0, 2)}
    assert found == {(Int(a), Int(b)) for a in range(3) for b in range(3)}
    assert list(fillings(made, (), 0, 9)) == [made]
