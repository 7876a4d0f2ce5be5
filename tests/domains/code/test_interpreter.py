"""Exact distributions, and the limits that end a program."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.domains.code.interpreter import DividesByZeroError, TooMuchError, run
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Compare,
    Draw,
    For,
    ImportRandom,
    Int,
    Print,
    RandChoice,
    RandInt,
    Statement,
    Str,
    Var,
    While,
)
from tests.domains.code.make import ROLL, dice, function, if_, program, sums

TRUE = Compare("==", Int(1), Int(1))
X = Assign("x", Int(2))


def test_a_plain_program_has_one_output() -> None:
    assert run(sums(4)) == {("Total: 8",): Fraction(1)}


def test_chances_are_exact() -> None:
    assert run(dice(4)) == {("high",): Fraction(1, 3), ("low",): Fraction(2, 3)}
    assert run(dice(6)) == {("low",): Fraction(1)}


@pytest.mark.parametrize(("against", "share"), [(3, Fraction(3, 10)), (0, 0), (-4, 0), (10, 1), (25, 1)])
def test_a_draw_is_kept_within_zero_and_one(against: int, share: Fraction) -> None:
    for op, expected in (("<", share), (">", 1 - share)):
        test = Draw(10, "<" if op == "<" else ">", Int(against))
        found = run(program(ImportRandom(), if_(test, (Print((Str("a"),)),), (Print((Str("b"),)),))))
        assert found.get(("a",), Fraction(0)) == expected
        assert sum(found.values()) == 1


def test_equal_ways_are_joined() -> None:
    two = Print((Binary("+", Var("roll"), Var("other")),))
    found = run(program(ImportRandom(), ROLL, Assign("other", RandInt(1, 6)), two))
    assert found["7",] == Fraction(1, 6)
    assert len(found) == 11
    choice = Assign("w", RandChoice((Str("a"), Str("b"), Str("a"))))
    assert run(program(ImportRandom(), choice, Print((Var("w"),))))["a",] == Fraction(2, 3)


def test_many_draws_that_join_stay_few() -> None:
    flips = For("i", Int(0), Int(30), 1, (Assign("flip", RandInt(0, 1)), Augment("n", "+", Var("flip"))))
    found = run(program(ImportRandom(), Assign("n", Int(0)), flips, if_(Compare("==", Var("n"), Int(0)),
                        (Print((Str("none"),)),), (Print((Str("some"),)),))))  # fmt: skip
    assert found["none",] == Fraction(1, 2**30)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ((X, While(TRUE, (Augment("x", "+", Int(0)),))), "more than 20000 steps"),
        ((For("i", Int(0), Int(10**9), 1, (X,)),), "more than 20000 steps"),
        ((X, For("i", Int(0), Int(99), 1, (Augment("x", "*", Var("x")),))), "a number beyond"),
        ((Print((Binary("*", Str("ab"), Int(10**9)),)),), "a text of more than 120 signs"),
        ((Assign("t", Str("a" * 60)), For("i", Int(0), Int(9), 1, (Augment("t", "+", Var("t")),))), "a text of more"),
        ((For("i", Int(0), Int(99), 1, (Print((Int(1),)),)),), "more than 40 printed lines"),
        (
            (ImportRandom(), *(Assign(name, RandInt(1, 9)) for name in "abcd"), Print((Var("a"), Var("b")))),
            "more than 128 states",
        ),
    ],
)
def test_what_takes_too_much_is_ended(statements: tuple[Statement, ...], message: str) -> None:
    with pytest.raises(TooMuchError, match=message):
        run(program(*statements))


def test_calls_that_double_are_ended() -> None:
    from answerable.domains.code.language import Call, Return

    before = function("f0", Return(Var("n")))
    functions = [before]
    for number in range(1, 11):
        call = Call(f"f{number - 1}", (Var("n"),))
        many = Binary("+", Binary("+", call, call), Binary("+", call, call))
        functions.append(function(f"f{number}", Return(many)))
    with pytest.raises(TooMuchError, match="steps"):
        run(program(*functions, Print((Call("f10", (Int(1),)),))))


@pytest.mark.parametrize("op", ["//", "%"])
def test_a_division_by_zero_on_one_way_is_one(op: str) -> None:
    risky = Binary("//" if op == "//" else "%", Int(7), Binary("-", Var("roll"), Int(6)))
    with pytest.raises(DividesByZeroError):
        run(program(ImportRandom(), ROLL, Print((risky,))))


def test_division_is_pythons() -> None:
    made = program(Print((Binary("//", Int(-7), Int(2)), Binary("%", Int(-7), Int(3)))))
    assert list(run(made)) == [("-4 2",)]
