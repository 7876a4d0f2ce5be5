"""The slice: what is not in it never matters."""

from __future__ import annotations

import pytest

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Blank,
    Call,
    Comment,
    Compare,
    For,
    ImportRandom,
    Int,
    Print,
    Return,
    Statement,
    Str,
    Var,
    While,
)
from answerable.domains.code.printing import lines
from answerable.domains.code.slices import lines_read
from tests.domains.code.make import ROLL, dice, function, if_, program, sums

SHOW = Print((Var("x"),))
X, Y = Assign("x", Int(1)), Assign("y", Int(2))
MORE = Augment("x", "+", Int(1))


def unread(*statements: Statement) -> list[str]:
    made = program(*statements)
    read = lines_read(made)
    return [line.text.strip() for number, line in enumerate(lines(made), 1) if number not in read and line.text]


def test_settings_that_nothing_uses_are_not_read() -> None:
    assert unread(*sums().statements) == ["idle = 5", "# add up"]
    assert unread(*dice().statements) == ["import random"]


def test_what_only_idle_lines_use_is_idle() -> None:
    assert unread(X, Y, Assign("z", Var("y")), Augment("z", "+", Var("y")), SHOW) == ["y = 2", "z = y", "z += y"]
    assert unread(ImportRandom(), X, ROLL, SHOW) == ["import random", "roll = random.randint(1, 6)"]


def test_what_decides_whether_a_line_runs_is_read() -> None:
    assert unread(X, Y, if_(Compare(">", Var("y"), Int(1)), (MORE,)), SHOW) == []
    assert unread(X, Y, For("i", Int(0), Var("y"), 1, (MORE,)), SHOW) == []
    assert unread(X, Y, if_(Compare(">", Var("y"), Int(1)), (Print((Int(1),)),))) == ["x = 1"]


def test_an_idle_line_in_a_branch_stays_idle() -> None:
    test = Compare(">", Var("x"), Int(0))
    assert unread(X, Y, if_(test, (MORE, Augment("y", "+", Int(1)))), SHOW) == ["y = 2", "y += 1"]
    assert unread(X, Y, if_(test, (Augment("y", "+", Int(1)),)), SHOW) == ["y = 2", "if x > 0:", "y += 1"]


def test_what_may_not_end_or_may_fail_is_read() -> None:
    assert unread(X, Y, While(Compare(">", Var("y"), Int(0)), (Augment("y", "-", Int(1)),)), SHOW) == []
    assert unread(X, Y, Assign("z", Binary("//", Int(9), Var("y"))), SHOW) == []
    assert unread(X, Y, Assign("z", Binary("//", Var("y"), Int(3))), SHOW) == ["y = 2", "z = y // 3"]
    assert unread(X, Assign("z", Binary("%", Int(9), Int(0))), SHOW) == []


def test_functions_matter_where_they_are_used() -> None:
    used = (function(), X, Assign("z", Call("f", (Var("x"),))), Print((Var("z"),)))
    assert unread(*used) == []
    assert unread(function(), X, Assign("z", Call("f", (Var("x"),))), SHOW) == ["def f(n):", "return n + 1", "z = f(x)"]
    risky = function("f", Return(Binary("//", Int(9), Var("n"))))
    assert unread(risky, X, Y, Assign("z", Call("f", (Var("y"),))), SHOW) == []
    inner = function("g", Return(Call("f", (Var("n"),))))
    assert unread(function(), inner, X, Print((Call("g", (Var("x"),)),))) == []


def test_a_loop_that_sets_a_number_that_matters_is_read() -> None:
    loop = For("x", Int(0), Var("y"), 1, (Assign("u", Int(1)),))
    assert unread(X, Y, loop, SHOW) == ["u = 1"]


@pytest.mark.parametrize("node", [Comment("x"), Blank()])
def test_comments_and_empty_lines_are_never_read(node: Statement) -> None:
    made = program(function("f", node, Return(Var("n"))), node, Print((Call("f", (Int(1),)), Str("a"))))
    assert lines_read(made) == {1, 3, 5}
