"""Made-up programs: both executors agree on every one, the text means the program, and the slice is sound."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.core.codec import decode, encode
from answerable.core.seeds import Stream
from answerable.domains.code import cpython
from answerable.domains.code.checking import problems
from answerable.domains.code.generator import STRATEGIES, Sketch, sketch
from answerable.domains.code.interpreter import TooMuchError, run
from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Both,
    Branch,
    Builtin,
    Compare,
    Draw,
    Either,
    Expression,
    If,
    ImportRandom,
    Int,
    Path,
    Plain,
    Print,
    Program,
    RandInt,
    Statement,
    Var,
    walk,
)
from answerable.domains.code.slices import paths_read
from answerable.domains.code.slots import divides, tail, with_tail

seeds = st.tuples(st.integers(0, 10**6), st.sampled_from(STRATEGIES), st.booleans())


def made(seed: tuple[int, str, bool]) -> Sketch:
    number, strategy, chance = seed
    name = next(one for one in STRATEGIES if one == strategy)
    return sketch(Stream("property", number), name, chance=chance)


@given(seeds)
@settings(max_examples=150)
def test_generated_programs_type_end_and_mean_the_same_to_both_executors(seed: tuple[int, str, bool]) -> None:
    program = made(seed).program
    assert problems(program) == ()
    assert cpython.shared().run([program]) == [run(program)]
    assert decode(encode(program), Program) == program


@given(seeds, st.integers(0, 9))
@settings(max_examples=100)
def test_what_is_not_read_changes_nothing(seed: tuple[int, str, bool], value: int) -> None:
    program = made(seed).program
    before, read = run(program), paths_read(program)
    idle = [path for path, node in walk(program.statements) if isinstance(tail(node), Int) and path not in read]
    for path in idle:
        assert run(with_tail(program, path, Int(value))) == before


# Any typed arithmetic, beyond what the generator writes: brackets and precedence.

names = st.sampled_from(["a", "b", "roll"])
leaves = st.one_of(names.map(Var), st.integers(-9, 9).map(Int))


def grown(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    plain = st.builds(Binary, st.sampled_from(["+", "-", "*"]), inner, inner)
    divided = st.builds(Binary, st.sampled_from(["//", "%"]), inner, st.integers(-5, 5).filter(bool).map(Int))
    called = st.builds(lambda a, b: Builtin("max", (a, Builtin("abs", (b,)))), inner, inner)
    return st.one_of(plain, divided, called)


expressions: st.SearchStrategy[Expression] = st.recursive(leaves, grown, max_leaves=8)
compares: st.SearchStrategy[Plain] = st.builds(
    Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), expressions, expressions
)
conditions: st.SearchStrategy[Plain] = st.recursive(
    compares, lambda inner: st.one_of(st.builds(Both, inner, inner), st.builds(Either, inner, inner)), max_leaves=4
)


@given(expressions, conditions, st.integers(-3, 15), st.sampled_from(["<", ">"]))
@settings(max_examples=150)
def test_any_arithmetic_and_any_condition_reads_the_same(one: Expression, test: Plain, against: int, op: str) -> None:
    draw = Draw(12, "<" if op == "<" else ">", Binary("+", Var("roll"), Int(against)))
    statements: tuple[Statement, ...] = (
        ImportRandom(),
        Assign("a", Int(3)),
        Assign("b", Int(-2)),
        Assign("roll", RandInt(0, 3)),
        If((Branch(test, (Augment("a", "+", one),)), Branch(draw, (Augment("b", "-", Int(1)),)))),
        Print((one, Var("a"), Var("b"))),
    )
    program = Program(statements)
    assert problems(program) == ()
    assert cpython.shared().run([program]) == [run(program)]


def paths(program: Program) -> list[Path]:
    return [path for path, node in walk(program.statements) if isinstance(tail(node), Int) and not divides(node)]


@given(seeds, st.integers(0, 9))
@settings(max_examples=60)
def test_the_executors_agree_whatever_number_stands_anywhere(seed: tuple[int, str, bool], value: int) -> None:
    program = made(seed).program
    for path in paths(program)[:6]:
        changed = with_tail(program, path, Int(value))
        try:
            expected = run(changed)
        except TooMuchError:
            # A countdown by nothing never ends; CPython is not asked.
            continue
        assert cpython.shared().run([changed]) == [expected]
