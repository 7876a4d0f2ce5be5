"""Programs made by hand, for tests."""

from __future__ import annotations

from typing import Any

import msgspec

from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.code.generator import Strategy, sketch
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Block,
    Branch,
    Comment,
    Compare,
    Def,
    Draw,
    Expression,
    For,
    If,
    ImportRandom,
    Int,
    Param,
    Print,
    Program,
    RandInt,
    Return,
    Statement,
    Str,
    Var,
)
from answerable.domains.code.states import Request, make_group
from answerable.domains.code.world import THEMES, CodeWorld, Window
from answerable.domains.draft import Draft

ROLL = Assign("roll", RandInt(1, 6))


def program(*statements: Statement) -> Program:
    return Program(statements)


def plus(left: Expression, right: Expression) -> Binary:
    return Binary("+", left, right)


def if_(condition: Compare | Draw, body: Block, otherwise: Block = ()) -> If:
    return If((Branch(condition, body),), otherwise)


def sums(x: int = 3, *, idle: int = 5) -> Program:
    """Prints ``Total: n``; its first line matters to nothing, its second is used and changes nothing."""
    return program(
        Assign("idle", Int(idle)),
        Assign("cap", Int(4)),
        Assign("x", Int(x)),
        Comment("add up"),
        Assign("total", Int(0)),
        For("i", Int(0), Var("x"), 1, (Augment("total", "+", Var("i")),)),
        if_(Compare(">", Var("cap"), Int(20)), (Assign("total", Int(0)),)),
        Print((Str("Total:"), plus(Var("total"), Int(2)))),
    )


def dice(x: int = 3) -> Program:
    """Prints ``high`` when a die shows more than ``x``."""
    return program(
        ImportRandom(),
        Assign("x", Int(x)),
        ROLL,
        if_(Compare(">", Var("roll"), Var("x")), (Print((Str("high"),)),), (Print((Str("low"),)),)),
    )


def function(name: str = "f", *body: Statement, param: str = "n") -> Def:
    return Def(name, (Param(param, "int"),), body or (Return(plus(Var(param), Int(1))),))


def window(**changes: Any) -> Window:
    made = Window(file="main.py", theme="monokai", frame="buttons", cell=9, rows=14, columns=44)
    return msgspec.structs.replace(made, **changes)


def world(made: Program | None = None, **changes: Any) -> CodeWorld:
    return CodeWorld(program=made or sums(), window=window(**changes), low=0, high=9)


def draft(strategy: Strategy = "s2", seed: int = 0, *, chance: bool | None = None, wants: bool = True) -> Draft:
    """The first group that a few made-up programs give."""
    last: object = None
    for tried in range(40):
        names = ("by hand", strategy, seed, tried)
        stream = Stream(*names)
        drawn = bool(stream.below(2)) if chance is None else chance
        request = Request(
            source="by hand", figure="figure", split="test", strategy=strategy, themes=THEMES, wants=wants, names=names
        )
        last = make_group(sketch(stream, strategy, chance=drawn), request)
        if not isinstance(last, Refusal):
            return last
    raise AssertionError(last)
