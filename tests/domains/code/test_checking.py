"""Typing rules, each with the words it is refused in."""

from __future__ import annotations

import pytest

from answerable.domains.code.checking import problems
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Branch,
    Builtin,
    Call,
    Compare,
    Draw,
    For,
    If,
    ImportRandom,
    Int,
    Method,
    Print,
    RandChoice,
    RandInt,
    Return,
    Statement,
    Str,
    Var,
    While,
)
from tests.domains.code.make import dice, function, if_, program, sums

SHOW = Print((Int(1),))
X = Assign("x", Int(1))
TRUE = Compare("==", Int(1), Int(1))


def test_sound_programs_pass() -> None:
    for made in (
        sums(),
        dice(),
        program(function(), Print((Call("f", (Int(1),)),))),
        program(if_(TRUE, (X,), (X,)), Print((Var("x"),))),
        program(
            function("g", if_(Compare(">", Var("n"), Int(1)), (Return(Int(1)),), (Return(Int(2)),))),
            Print((Call("g", (Int(1),)),)),
        ),
    ):  # fmt: skip
        assert problems(made) == ()


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ((X,), "prints nothing"),
        ((Print((Var("y"),)),), "y is not set on every way there"),
        ((if_(TRUE, (X,)), Print((Var("x"),))), "x is not set on every way there"),
        ((For("i", Int(0), Int(2), 1, (X,)), Print((Var("x"),))), "x is not set"),
        ((For("i", Int(0), Int(2), 1, (X,)), Print((Var("i"),))), "i is not set"),
        ((X, Assign("x", Str("a")), SHOW), "x changes from int to str"),
        ((X, For("i", Int(0), Int(2), 1, (Assign("x", Str("a")),)), SHOW), "x changes from int to str"),
        ((if_(TRUE, (X,), (Assign("x", Str("a")),)), SHOW), "x has two types"),
        ((Print((Binary("+", Int(1), Str("a")),)),), "int + str has no meaning"),
        ((Print((Binary("-", Str("b"), Str("a")),)),), "str - str has no meaning"),
        ((if_(Compare("<", Str("a"), Str("b")), (SHOW,)),), "str < str compares what cannot be compared"),
        ((if_(Compare("==", Str("a"), Int(1)), (SHOW,)),), "str == int compares"),
        ((For("i", Str("a"), Int(2), 1, (SHOW,)),), "range takes int; got str"),
        ((Print((Builtin("len", (Int(1),)),)),), "len does not take int"),
        ((Print((Builtin("max", (Int(1),)),)),), "max takes two int or more"),
        ((X, Print((Method("upper", "x"),))), "upper takes str; x is int"),
        ((Print((Call("f", (Int(1),)),)),), "no function f is defined above its call"),
        ((function("f", Return(Call("f", (Var("n"),)))), SHOW), "no function f is defined above"),
        ((function(), Print((Call("f", (Str("a"),)),))), "f takes int; got str"),
        ((function("f", SHOW, Return(Int(1))), SHOW), "a function prints"),
        ((function("f", X), SHOW), "function f may end without a return"),
        ((function("f", if_(TRUE, (Return(Int(1)),))), SHOW), "function f may end without a return"),
        ((function("f", Return(Var("x"))), SHOW), "x is not set"),
        ((function(), function(), SHOW), "takes a name that is taken"),
        ((function(), Assign("f", Int(1)), SHOW), "f is a function already"),
        ((if_(TRUE, (function(),)), SHOW), "defined inside something else"),
        ((Return(Int(1)), SHOW), "a return stands outside of a function"),
        ((function("f", Return(Int(1)), X), SHOW), "stands after a return"),
        ((function("f", if_(TRUE, (Return(Int(1)),)), Return(Str("a"))), SHOW), "returns int and str"),
        ((Assign("r", RandInt(1, 2)), SHOW), "'import random' stands in the first line"),
        ((SHOW, ImportRandom()), "'import random' stands in the first line"),
        ((ImportRandom(), Assign("r", RandChoice((Int(1), Str("a")))), SHOW), "mixes numbers and texts"),
        ((ImportRandom(), if_(Draw(10, "<", Str("a")), (SHOW,))), "random.random() takes int"),
        ((ImportRandom(), function("f", Assign("r", RandInt(1, 2)), Return(Int(1))), SHOW), "f draws something"),
        ((If((Branch(TRUE, ()),)), SHOW), "a body does nothing"),
        ((While(TRUE, ()), SHOW), "a body does nothing"),
        ((Augment("x", "+", Int(1)), SHOW), "x is not set"),
    ],
)  # fmt: skip
def test_what_does_not_type_is_refused_in_words(statements: tuple[Statement, ...], message: str) -> None:
    (found,) = problems(program(*statements))
    assert message in found
