"""The number or text that ends a line: what a picture may hide of it, and what could stand there instead."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Builtin,
    Call,
    Expression,
    Int,
    Literal_,
    Path,
    Print,
    Program,
    RandChoice,
    RandInt,
    Return,
    Statement,
    Str,
    at,
    replaced,
)
from answerable.domains.code.printing import expression


def tail(statement: Statement) -> Literal_ | None:
    """The literal that a line ends with, closing brackets aside; None where it ends otherwise."""
    if isinstance(statement, Assign | Augment | Return) and not isinstance(statement.value, RandInt | RandChoice):
        return _tail(statement.value)
    return _tail(statement.args[-1]) if isinstance(statement, Print) else None


def _tail(node: Expression) -> Literal_ | None:
    if isinstance(node, Int | Str):
        return node
    if isinstance(node, Binary):
        return _tail(node.right)
    return _tail(node.args[-1]) if isinstance(node, Builtin | Call) else None


def with_tail(program: Program, path: Path, literal: Literal_) -> Program:
    """The program with another literal at the end of a statement."""
    statement = at(program.statements, path)
    if isinstance(statement, Print):
        changed: Statement = Print((*statement.args[:-1], _with_tail(statement.args[-1], literal)))
    elif isinstance(statement, Assign | Augment | Return) and not isinstance(statement.value, RandInt | RandChoice):
        changed = replace(statement, value=_with_tail(statement.value, literal))
    else:
        raise ValueError(f"expected a statement that ends with a literal; got {type(statement).__name__}")
    return Program(replaced(program.statements, path, changed))


def _with_tail(node: Expression, literal: Literal_) -> Expression:
    if isinstance(node, Int | Str):
        return literal
    if isinstance(node, Binary):
        return replace(node, right=_with_tail(node.right, literal))
    if isinstance(node, Builtin | Call):
        return replace(node, args=(*node.args[:-1], _with_tail(node.args[-1], literal)))
    raise ValueError("expected an expression that ends with a literal")


def divides(statement: Statement) -> bool:
    """Whether a line ends with a divisor, which could not be every number."""
    node: object = None
    if isinstance(statement, Assign | Augment | Return):
        node = statement.value
    elif isinstance(statement, Print):
        node = statement.args[-1]
    while isinstance(node, Binary | Builtin | Call):
        if isinstance(node, Binary) and node.op in ("//", "%"):
            return True
        node = node.right if isinstance(node, Binary) else node.args[-1]
    return False


def tail_column(text: str, literal: Literal_) -> int:
    """The column, from 0, where the literal that ends a printed line begins."""
    return len(text.rstrip(")")) - len(expression(literal))


def fillings(program: Program, paths: tuple[Path, ...], low: int, high: int) -> Iterator[Program]:
    """The program with every combination of numbers from ``low`` to ``high`` at the ends of some statements."""
    if not paths:
        yield program
        return
    for value in range(low, high + 1):
        yield from fillings(with_tail(program, paths[0], Int(value)), paths[1:], low, high)
