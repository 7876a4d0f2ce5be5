"""The typing rules: a program that passes refers to nothing that is not there and fails at run time in one way only,
a division by zero."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Block,
    Builtin,
    Call,
    Compare,
    Condition,
    Def,
    Draw,
    Expression,
    For,
    If,
    ImportRandom,
    Int,
    Method,
    Print,
    Program,
    RandChoice,
    RandInt,
    Return,
    Statement,
    Str,
    Type,
    Var,
    While,
    nodes,
)


class _Function(msgspec.Struct, frozen=True):
    params: tuple[Type, ...]
    result: Type


class MistakeError(Exception):
    """What is wrong, in words."""


def problems(program: Program) -> tuple[str, ...]:
    """The first thing wrong with a program, in words; empty when nothing is."""
    try:
        _Checker().program(program)
    except MistakeError as mistake:
        return (str(mistake),)
    return ()


class _Checker:
    def __init__(self) -> None:
        self.functions: dict[str, _Function] = {}
        self.result: Type | None = None
        self.inside = False

    def program(self, program: Program) -> None:
        imports = [place for place, node in enumerate(program.statements) if isinstance(node, ImportRandom)]
        draws = any(isinstance(node, RandInt | RandChoice | Draw) for node in nodes(program))
        if imports not in ([], [0]) or (draws and not imports):
            raise MistakeError("'import random' stands in the first line, once, wherever something is drawn")
        if not any(isinstance(node, Print) for node in nodes(program)):
            raise MistakeError("the program prints nothing")
        self.block(program.statements, {}, top=True)

    def block(self, block: Block, known: dict[str, Type], *, top: bool = False) -> None:
        """Check statements in order; ``known`` gains what is set for certain."""
        ended = False
        for statement in block:
            if ended:
                raise MistakeError("something stands after a return")
            self.statement(statement, known, top=top)
            ended = isinstance(statement, Return)
        if not top and not any(
            isinstance(node, Assign | Augment | Print | Return | If | For | While) for node in block
        ):
            raise MistakeError("a body does nothing")

    def statement(self, statement: Statement, known: dict[str, Type], *, top: bool) -> None:
        if isinstance(statement, Assign):
            self.set(statement.name, self.value(statement.value, known), known)
        elif isinstance(statement, Augment):
            found = self.type(Binary(statement.op, Var(statement.name), statement.value), known)
            self.set(statement.name, found, known)
        elif isinstance(statement, Print):
            if self.inside:
                raise MistakeError("a function prints")
            for arg in statement.args:
                self.type(arg, known)
        elif isinstance(statement, If):
            self.branches(statement, known)
        elif isinstance(statement, For):
            self.all_int((statement.start, statement.stop), known, "range")
            self.set(statement.name, "int", inner := dict(known))
            self.loop(statement.body, inner, known)
        elif isinstance(statement, While):
            self.condition(statement.condition, known)
            self.loop(statement.body, dict(known), known)
        elif isinstance(statement, Def):
            if not top:
                raise MistakeError(f"function {statement.name} is defined inside something else")
            self.define(statement, known)
        elif isinstance(statement, Return):
            self.returned(statement, known)
        elif isinstance(statement, ImportRandom) and not top:
            raise MistakeError("'import random' stands inside something else")

    def set(self, name: str, found: Type, known: dict[str, Type]) -> None:
        if name in self.functions:
            raise MistakeError(f"{name} is a function already")
        if known.get(name, found) != found:
            raise MistakeError(f"{name} changes from {known[name]} to {found}")
        known[name] = found

    def loop(self, body: Block, inner: dict[str, Type], known: dict[str, Type]) -> None:
        self.block(body, inner)
        for name, found in known.items():
            if inner[name] != found:
                raise MistakeError(f"{name} changes from {found} to {inner[name]}")

    def branches(self, statement: If, known: dict[str, Type]) -> None:
        ends = []
        for branch in statement.branches:
            self.condition(branch.condition, known, drawn=True)
            self.block(branch.body, inner := dict(known))
            ends.append(inner)
        if statement.otherwise:
            self.block(statement.otherwise, inner := dict(known))
            ends.append(inner)
        else:
            ends.append(dict(known))
        for name in ends[0]:
            types = {end.get(name) for end in ends}
            if None not in types and len(types) > 1:
                raise MistakeError(f"{name} has two types")
            if None not in types:
                known[name] = ends[0][name]

    def define(self, statement: Def, known: dict[str, Type]) -> None:
        names = [param.name for param in statement.params]
        if statement.name in self.functions or statement.name in known or len(set(names)) != len(names):
            raise MistakeError(f"function {statement.name} takes a name that is taken")
        inner = _Checker()
        inner.functions, inner.inside = dict(self.functions), True
        inner.block(statement.body, {param.name: param.type for param in statement.params})
        if inner.result is None or not _returns(statement.body):
            raise MistakeError(f"function {statement.name} may end without a return")
        if any(isinstance(node, RandInt | RandChoice | Draw) for node in nodes(statement)):
            raise MistakeError(f"function {statement.name} draws something")
        self.functions[statement.name] = _Function(tuple(param.type for param in statement.params), inner.result)

    def returned(self, statement: Return, known: dict[str, Type]) -> None:
        if not self.inside:
            raise MistakeError("a return stands outside of a function")
        found = self.type(statement.value, known)
        if self.result not in (None, found):
            raise MistakeError(f"a function returns {self.result} and {found}")
        self.result = found

    def value(self, value: Expression | RandInt | RandChoice, known: dict[str, Type]) -> Type:
        if isinstance(value, RandInt):
            return "int"
        if isinstance(value, RandChoice):
            types: set[Type] = {"int" if isinstance(option, Int) else "str" for option in value.options}
            if len(types) > 1:
                raise MistakeError("random.choice mixes numbers and texts")
            return types.pop()
        return self.type(value, known)

    def condition(self, node: Condition, known: dict[str, Type], *, drawn: bool = False) -> None:
        if isinstance(node, Compare):
            left, right = self.type(node.left, known), self.type(node.right, known)
            if left != right or (left == "str" and node.op not in ("==", "!=")):
                raise MistakeError(f"{left} {node.op} {right} compares what cannot be compared")
        elif isinstance(node, Draw):
            if not drawn:
                raise MistakeError("random.random() stands elsewhere than in an if")
            self.all_int((node.against,), known, "random.random()")
        else:
            self.condition(node.left, known)
            self.condition(node.right, known)

    def all_int(self, parts: tuple[Expression, ...], known: dict[str, Type], what: str) -> None:
        for part in parts:
            if (found := self.type(part, known)) != "int":
                raise MistakeError(f"{what} takes int; got {found}")

    def type(self, node: Expression, known: dict[str, Type]) -> Type:
        """The type of an expression."""
        if isinstance(node, Int):
            return "int"
        if isinstance(node, Str):
            return "str"
        if isinstance(node, Var | Method):
            if node.name not in known:
                raise MistakeError(f"{node.name} is not set on every way there")
            if isinstance(node, Method) and known[node.name] != "str":
                raise MistakeError(f"{node.method} takes str; {node.name} is int")
            return known[node.name]
        if isinstance(node, Builtin):
            return self.builtin(node, known)
        if isinstance(node, Call):
            return self.call(node, known)
        left, right = self.type(node.left, known), self.type(node.right, known)
        if left == right == "int" or (left == "str" and (node.op, right) in (("+", "str"), ("*", "int"))):
            return left
        raise MistakeError(f"{left} {node.op} {right} has no meaning")

    def builtin(self, node: Builtin, known: dict[str, Type]) -> Type:
        types = [self.type(arg, known) for arg in node.args]
        if node.function in ("min", "max"):
            if len(types) < 2 or set(types) != {"int"}:
                raise MistakeError(f"{node.function} takes two int or more; got {', '.join(types)}")
            return "int"
        if len(types) != 1 or (node.function, types[0]) in (("len", "int"), ("abs", "str")):
            raise MistakeError(f"{node.function} does not take {', '.join(types)}")
        return "str" if node.function == "str" else "int"

    def call(self, node: Call, known: dict[str, Type]) -> Type:
        function = self.functions.get(node.function)
        if function is None:
            raise MistakeError(f"no function {node.function} is defined above its call")
        types = tuple(self.type(arg, known) for arg in node.args)
        if types != function.params:
            raise MistakeError(f"{node.function} takes {', '.join(function.params)}; got {', '.join(types)}")
        return function.result


def _returns(block: Block) -> bool:
    """Whether a block ends in a return on every way through it."""
    last = next((node for node in reversed(block) if not _idle(node)), None)
    if isinstance(last, If):
        return bool(last.otherwise) and all(_returns(body) for body in _ends(last))
    return isinstance(last, Return)


def _ends(statement: If) -> Iterator[Block]:
    yield from (branch.body for branch in statement.branches)
    yield statement.otherwise


def _idle(node: Statement) -> bool:
    return not isinstance(node, Assign | Augment | Print | If | For | While | Def | Return)
