"""A small typed language as data: what a screenshot's program is made of.

Every name, number and text is checked when its record is made or read, so that no proof of a stranger can put
anything else than a program of this language into printed source. ``checking`` has the typing rules, ``printing``
the Python text, ``interpreter`` the meaning.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import Literal

from answerable.core.records import Record

MAX_NODES = 600
MAX_DEPTH = 16
#: Signs of one text; digits are bounded by ``MAX_INT``.
MAX_TEXT = 60
MAX_INT = 10**9
MAX_SCALE = 1000
#: Arguments, parameters, branches or options of one node.
MAX_PARTS = 12

Type = Literal["int", "str"]
Arithmetic = Literal["+", "-", "*", "//", "%"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
BuiltinName = Literal["len", "str", "abs", "min", "max"]
MethodName = Literal["upper", "lower"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}", re.ASCII)
#: Names that already mean something in the printed source.
_TAKEN = frozenset(("print", "range", "len", "str", "abs", "min", "max", "random", "int", "list", "self"))


def _name(text: str) -> None:
    if not _NAME.fullmatch(text) or keyword.iskeyword(text) or keyword.issoftkeyword(text) or text in _TAKEN:
        raise ValueError(f"expected a plain lower-case name that is free in Python; got {text[:40]!r}")


def _text(text: str) -> None:
    if len(text) > MAX_TEXT or not all(sign.isprintable() for sign in text):
        raise ValueError(f"expected printable text of at most {MAX_TEXT} signs; got {text[:40]!r}")


def _parts(parts: tuple[object, ...], least: int = 1) -> None:
    if not least <= len(parts) <= MAX_PARTS:
        raise ValueError(f"expected {least} to {MAX_PARTS} parts; got {len(parts)}")


class Int(Record, frozen=True, tag="int"):
    """A whole number."""

    value: int

    def __post_init__(self) -> None:
        if abs(self.value) > MAX_INT:
            raise ValueError(
                f"expected a number between -{MAX_INT} and {MAX_INT}; got one of {self.value.bit_length()} bits"
            )


class Str(Record, frozen=True, tag="str"):
    """A text in quotation marks."""

    value: str

    def __post_init__(self) -> None:
        _text(self.value)


class Var(Record, frozen=True, tag="var"):
    """The value of a variable."""

    name: str

    def __post_init__(self) -> None:
        _name(self.name)


class Binary(Record, frozen=True, tag="binary"):
    """Arithmetic; ``+`` also joins texts, ``*`` also repeats a text."""

    op: Arithmetic
    left: Expression
    right: Expression


class Builtin(Record, frozen=True, tag="builtin"):
    """``len``, ``str``, ``abs`` of one value; ``min``, ``max`` of two numbers or more."""

    function: BuiltinName
    args: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _parts(self.args)


class Method(Record, frozen=True, tag="method"):
    """A method of a text variable."""

    method: MethodName
    name: str

    def __post_init__(self) -> None:
        _name(self.name)


class Call(Record, frozen=True, tag="call"):
    """A call of a function that the program defines above."""

    function: str
    args: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _name(self.function)
        _parts(self.args)


Literal_ = Int | Str
Expression = Int | Str | Var | Binary | Builtin | Method | Call


class RandInt(Record, frozen=True, tag="randint"):
    """``random.randint``: uniform, both ends included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= MAX_SCALE or self.high - self.low >= 100:
            raise ValueError(f"expected 0 <= low <= high, 100 numbers at most; got {self.low} to {self.high}")


class RandChoice(Record, frozen=True, tag="choice"):
    """``random.choice`` from a list of numbers or of texts; options may repeat."""

    options: tuple[Literal_, ...]

    def __post_init__(self) -> None:
        _parts(self.options)


class Compare(Record, frozen=True, tag="compare"):
    """A comparison of two numbers, or of two texts by ``==`` or ``!=``."""

    op: Comparison
    left: Expression
    right: Expression


class Both(Record, frozen=True, tag="and"):
    """``left and right``."""

    left: Plain
    right: Plain


class Either(Record, frozen=True, tag="or"):
    """``left or right``."""

    left: Plain
    right: Plain


class Draw(Record, frozen=True, tag="draw"):
    """``random.random() * scale < against``: true with probability ``against / scale``, kept within 0 and 1.

    ``random.random()`` is read as uniform on the real numbers of [0, 1), so ``<`` and ``<=`` are alike.
    """

    scale: int
    op: Literal["<", ">"]
    against: Expression

    def __post_init__(self) -> None:
        if not 2 <= self.scale <= MAX_SCALE:
            raise ValueError(f"expected a scale of 2 to {MAX_SCALE}; got {self.scale}")


Plain = Compare | Both | Either
Condition = Compare | Both | Either | Draw


class ImportRandom(Record, frozen=True, tag="import"):
    """``import random``, at the top."""


class Comment(Record, frozen=True, tag="comment"):
    """A line for people."""

    text: str

    def __post_init__(self) -> None:
        _text(self.text)


class Blank(Record, frozen=True, tag="blank"):
    """An empty line."""


class Assign(Record, frozen=True, tag="assign"):
    """``name = value``. A random value is drawn nowhere else."""

    name: str
    value: Expression | RandInt | RandChoice

    def __post_init__(self) -> None:
        _name(self.name)


class Augment(Record, frozen=True, tag="augment"):
    """``name += value`` and its kin."""

    name: str
    op: Literal["+", "-", "*"]
    value: Expression

    def __post_init__(self) -> None:
        _name(self.name)


class Print(Record, frozen=True, tag="print"):
    """``print(...)``: values with a space between them, then the end of the line."""

    args: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _parts(self.args)


class Branch(Record, frozen=True):
    """``if`` or ``elif``."""

    condition: Condition
    body: Block


class If(Record, frozen=True, tag="if"):
    """Branches tried in order; ``otherwise`` may be empty."""

    branches: tuple[Branch, ...]
    otherwise: Block = ()

    def __post_init__(self) -> None:
        _parts(self.branches)


class For(Record, frozen=True, tag="for"):
    """``for name in range(start, stop, step)``."""

    name: str
    start: Expression
    stop: Expression
    step: int
    body: Block

    def __post_init__(self) -> None:
        _name(self.name)
        if not 1 <= abs(self.step) <= MAX_SCALE:
            raise ValueError(f"expected a step other than 0, {MAX_SCALE} at most; got {self.step}")


class While(Record, frozen=True, tag="while"):
    """``while condition``; executors bound its rounds."""

    condition: Plain
    body: Block


class Param(Record, frozen=True):
    """A parameter; its type is not printed."""

    name: str
    type: Type

    def __post_init__(self) -> None:
        _name(self.name)


class Def(Record, frozen=True, tag="def"):
    """A function of its parameters alone: it prints nothing and draws nothing."""

    name: str
    params: tuple[Param, ...]
    body: Block

    def __post_init__(self) -> None:
        _name(self.name)
        _parts(self.params)


class Return(Record, frozen=True, tag="return"):
    """The end of a function."""

    value: Expression


Statement = ImportRandom | Comment | Blank | Assign | Augment | Print | If | For | While | Def | Return
Block = tuple[Statement, ...]
Node = Statement | Branch | Expression | Condition | RandInt | RandChoice | Param
#: Where a statement stands: body number and place in it, from the outside in.
Path = tuple[int, ...]


class Program(Record, frozen=True):
    """A whole program, within bounds: no executor can run out of stack on it."""

    statements: Block

    def __post_init__(self) -> None:
        left: list[tuple[object, int]] = [(node, 1) for node in self.statements]
        count = 0
        while left:
            node, depth = left.pop()
            count += 1
            if count > MAX_NODES or depth > MAX_DEPTH:
                raise ValueError(f"expected at most {MAX_NODES} nodes, {MAX_DEPTH} deep; got more")
            left.extend((child, depth + 1) for child in children(node))


def children(node: object) -> Iterator[object]:
    """The nodes right below a node."""
    if isinstance(node, Record):
        for field in node.__struct_fields__:
            value = getattr(node, field)
            if isinstance(value, tuple):
                yield from (part for part in value if isinstance(part, Record))
            elif isinstance(value, Record):
                yield value


def nodes(node: object) -> Iterator[object]:
    """A node and all below it."""
    yield node
    for child in children(node):
        yield from nodes(child)


def bodies(statement: Statement) -> tuple[Block, ...]:
    """The bodies of a compound statement, in the order in which paths count them."""
    if isinstance(statement, If):
        return (*(branch.body for branch in statement.branches), statement.otherwise)
    if isinstance(statement, For | While | Def):
        return (statement.body,)
    return ()


def with_bodies(statement: Statement, changed: tuple[Block, ...]) -> Statement:
    """The statement with other bodies, in the order of ``bodies``."""
    from msgspec.structs import replace

    if isinstance(statement, If):
        pairs = zip(statement.branches, changed[:-1], strict=True)
        return If(tuple(replace(branch, body=body) for branch, body in pairs), changed[-1])
    if isinstance(statement, For | While | Def):
        return replace(statement, body=changed[0])
    return statement


def walk(block: Block, above: Path = ()) -> Iterator[tuple[Path, Statement]]:
    """Every statement with its path, as the lines stand. Top-level paths have one number."""
    for place, statement in enumerate(block):
        path = (*above, place)
        yield path, statement
        for number, body in enumerate(bodies(statement)):
            yield from walk(body, (*path, number))


def depth(program: Program) -> int:
    """Levels of statements: 1 for a straight line, 2 with a branch, loop or function, and so on."""
    # A path counts a place for every level and the number of a body between them.
    return max((len(path) // 2 + 1 for path, _ in walk(program.statements)), default=0)


def replaced(block: Block, path: Path, statement: Statement) -> Block:
    """The block with another statement at a path."""
    place, rest = path[0], path[1:]
    old = block[place]
    if rest:
        inner = list(bodies(old))
        inner[rest[0]] = replaced(inner[rest[0]], rest[1:], statement)
        statement = with_bodies(old, tuple(inner))
    return (*block[:place], statement, *block[place + 1 :])


def at(block: Block, path: Path) -> Statement:
    """The statement at a path."""
    statement = block[path[0]]
    return at(bodies(statement)[path[1]], path[2:]) if path[1:] else statement
