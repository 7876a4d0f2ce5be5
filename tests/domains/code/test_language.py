"""Records of the language: what a stranger's proof may hold, and what it may not."""

from __future__ import annotations

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Comment,
    Draw,
    For,
    Int,
    Print,
    Program,
    RandChoice,
    RandInt,
    Str,
    Var,
    at,
    depth,
    nodes,
    replaced,
    walk,
)
from tests.domains.code.make import dice, program, sums

HOSTILE = [
    "import os", "x\nimport os", "x; import os", "__import__", "__builtins__", "_", "class", "match", "print", "range",
    "random", "X", "x.y", "x[0]", "é", "x ", "", "a" * 31, "lambda: 0", "ｘ",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_is_no_plain_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a plain lower-case name that is free in Python"):
        Var(name)
    for record in (b'{"type":"assign","name":%s,"value":{"type":"int","value":1}}',):
        with pytest.raises(msgspec.ValidationError, match="expected a plain lower-case name"):
            decode(record % msgspec.json.encode(name), Assign)


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\x00", "\x1b[2J", "\u2028", "\u202e", "\t", "x" * 61])
def test_text_that_could_break_a_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected printable text of at most 60 signs"):
        Str(text)
    with pytest.raises(ValueError, match="expected printable text"):
        Comment(text)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Int(10**9 + 1), "expected a number between"),
        (lambda: Int(10**400), "expected a number between"),
        (lambda: RandInt(3, 2), "expected 0 <= low <= high"),
        (lambda: RandInt(0, 100), "100 numbers at most"),
        (lambda: RandChoice(()), "expected 1 to 12 parts; got 0"),
        (lambda: Draw(1, "<", Int(1)), "expected a scale of 2 to 1000; got 1"),
        (lambda: For("i", Int(0), Int(3), 0, ()), "expected a step other than 0"),
        (lambda: Print(tuple(Int(1) for _ in range(13))), "expected 1 to 12 parts; got 13"),
    ],
)
def test_what_is_out_of_bounds_says_so(build: object, message: str) -> None:
    assert callable(build)
    with pytest.raises(ValueError, match=message):
        build()


def test_deep_and_long_programs_are_refused_when_read() -> None:
    deep: Binary | Int = Int(1)
    for _ in range(20):
        deep = Binary("+", deep, Int(1))
    with pytest.raises(ValueError, match="16 deep"):
        Program((Print((deep,)),))
    with pytest.raises(ValueError, match="at most 600 nodes"):
        Program(tuple(Augment("x", "+", Int(1)) for _ in range(400)))
    bomb = b'{"type":"binary","op":"+","right":{"type":"int","value":1},"left":' * 100_000
    with pytest.raises(msgspec.DecodeError, match="nested too deeply"):
        decode(b'{"statements":[{"type":"print","args":[' + bomb, Program)


def test_programs_survive_being_stored() -> None:
    for made in (sums(), dice()):
        assert decode(encode(made), Program) == made


def test_paths_lead_to_statements() -> None:
    made = sums()
    for path, statement in walk(made.statements):
        assert at(made.statements, path) == statement
    paths = [path for path, _ in walk(made.statements)]
    assert (5, 0, 0) in paths
    assert (6, 0, 0) in paths
    assert len(set(paths)) == len(paths)
    changed = replaced(made.statements, (6, 0, 0), Assign("total", Int(8)))
    assert [path for path, node in walk(changed) if node != at(made.statements, path)] == [(6,), (6, 0, 0)]


def test_depth_counts_levels_of_statements() -> None:
    assert depth(program(Print((Int(1),)))) == 1
    assert depth(sums()) == 2


def test_nodes_are_all_parts() -> None:
    assert sum(isinstance(node, Var) for node in nodes(sums())) == 4
