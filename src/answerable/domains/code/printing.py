"""Programs as Python text, the way people write it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Block,
    Both,
    Builtin,
    Call,
    Comment,
    Compare,
    Condition,
    Def,
    Draw,
    Either,
    Expression,
    For,
    If,
    ImportRandom,
    Int,
    Method,
    Path,
    Print,
    Program,
    RandChoice,
    RandInt,
    Return,
    Statement,
    Str,
    Var,
    While,
)

INDENT = "    "
_LEVEL = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of source."""

    text: str
    path: Path
    """The statement it belongs to; the lines ``elif`` and ``else`` belong to their ``if``."""


def quoted(text: str) -> str:
    """A text as a literal in double quotation marks."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def source(program: Program) -> str:
    """The whole program, one newline after each line."""
    return "".join(line.text + "\n" for line in lines(program))


def lines(program: Program) -> tuple[Line, ...]:
    """Every line, from the first."""
    return tuple(_block(program.statements, "", ()))


def _block(block: Block, indent: str, above: Path) -> Iterator[Line]:
    for place, statement in enumerate(block):
        path = (*above, place)
        if isinstance(statement, If):
            yield from _if(statement, indent, path)
        elif isinstance(statement, For | While | Def):
            yield Line(indent + _head(statement), path)
            yield from _block(statement.body, indent + INDENT, (*path, 0))
        else:
            text = _simple(statement)
            yield Line(indent + text if text else "", path)


def _if(statement: If, indent: str, path: Path) -> Iterator[Line]:
    for number, branch in enumerate(statement.branches):
        word = "elif" if number else "if"
        yield Line(f"{indent}{word} {condition(branch.condition)}:", path)
        yield from _block(branch.body, indent + INDENT, (*path, number))
    if statement.otherwise:
        yield Line(f"{indent}else:", path)
        yield from _block(statement.otherwise, indent + INDENT, (*path, len(statement.branches)))


def _head(statement: For | While | Def) -> str:
    if isinstance(statement, While):
        return f"while {condition(statement.condition)}:"
    if isinstance(statement, Def):
        return f"def {statement.name}({', '.join(param.name for param in statement.params)}):"
    start, stop = expression(statement.start), expression(statement.stop)
    if statement.step != 1:
        return f"for {statement.name} in range({start}, {stop}, {statement.step}):"
    return f"for {statement.name} in range({stop if start == '0' else f'{start}, {stop}'}):"


def _simple(statement: Statement) -> str:
    if isinstance(statement, Assign):
        return f"{statement.name} = {_value(statement.value)}"
    if isinstance(statement, Augment):
        return f"{statement.name} {statement.op}= {expression(statement.value)}"
    if isinstance(statement, Print):
        return f"print({', '.join(map(expression, statement.args))})"
    if isinstance(statement, Return):
        return f"return {expression(statement.value)}"
    if isinstance(statement, Comment):
        return f"# {statement.text}"
    return "import random" if isinstance(statement, ImportRandom) else ""


def _value(value: Expression | RandInt | RandChoice) -> str:
    if isinstance(value, RandInt):
        return f"random.randint({value.low}, {value.high})"
    if isinstance(value, RandChoice):
        return f"random.choice([{', '.join(map(expression, value.options))}])"
    return expression(value)


def expression(node: Expression) -> str:
    """An expression, with no more brackets than Python needs."""
    if isinstance(node, Int):
        return str(node.value)
    if isinstance(node, Str):
        return quoted(node.value)
    if isinstance(node, Var):
        return node.name
    if isinstance(node, Method):
        return f"{node.name}.{node.method}()"
    if isinstance(node, Builtin | Call):
        return f"{node.function}({', '.join(map(expression, node.args))})"
    left, right, level = expression(node.left), expression(node.right), _LEVEL[node.op]
    if isinstance(node.left, Binary) and _LEVEL[node.left.op] < level:
        left = f"({left})"
    if isinstance(node.right, Binary) and _LEVEL[node.right.op] <= level:
        right = f"({right})"
    return f"{left} {node.op} {right}"


def condition(node: Condition) -> str:
    """A condition; an ``or`` inside an ``and`` is bracketed, and so is a right operand of the same kind."""
    if isinstance(node, Compare):
        return f"{expression(node.left)} {node.op} {expression(node.right)}"
    if isinstance(node, Draw):
        return f"random.random() * {node.scale} {node.op} {expression(node.against)}"
    word = "and" if isinstance(node, Both) else "or"
    left, right = condition(node.left), condition(node.right)
    if isinstance(node, Both) and isinstance(node.left, Either):
        left = f"({left})"
    if isinstance(node.right, Both | Either) and not (isinstance(node, Either) and isinstance(node.right, Both)):
        right = f"({right})"
    return f"{left} {word} {right}"
