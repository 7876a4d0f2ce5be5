"""Which lines the output may depend on: a slice that looks at names only, so that it is sound for every value.

A statement matters when it prints, may fail or may not end, or sets a variable that something that matters uses;
then everything it uses matters, and so does whatever decides whether it runs. All runs of a checked program end
without an error otherwise, so what does not matter can hold any admissible content and change nothing.
"""

from __future__ import annotations

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Block,
    Branch,
    Call,
    Comment,
    Def,
    For,
    Int,
    Method,
    Path,
    Print,
    Program,
    Statement,
    Var,
    While,
    bodies,
    children,
    nodes,
    walk,
)
from answerable.domains.code.printing import lines


def paths_read(program: Program) -> frozenset[Path]:
    """The statements that what is printed may depend on."""
    return frozenset(_Slice(program).paths())


def lines_read(program: Program) -> frozenset[int]:
    """Numbers, from 1, of the lines that what is printed may depend on.

    ``import random``, comments and empty lines are never among them: all admissible worlds share them.
    """
    matter = paths_read(program)
    return frozenset(number for number, line in enumerate(lines(program), 1) if line.path in matter)


class _Slice:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: set[str] = set()
        """Variables that matter; those of functions are not among them."""
        self.functions: set[str] = set()
        self.defined = {node.name: node for node in program.statements if isinstance(node, Def)}
        self.found: set[Path] = set()

    def paths(self) -> set[Path]:
        """Paths of the statements that matter, grown until nothing is added."""
        before = (-1, -1, -1)
        while before != (size := (len(self.names), len(self.functions), len(self.found))):
            before = size
            self.block(self.program.statements, ())
        return self.found

    def block(self, block: Block, above: Path) -> bool:
        """Whether anything in a block matters; all of it is looked at."""
        found = [self.statement(statement, (*above, place)) for place, statement in enumerate(block)]
        return any(found)

    def statement(self, statement: Statement, path: Path) -> bool:
        if isinstance(statement, Def):
            if statement.name in self.functions:
                self.found.add(path)
                self.found.update(inner for inner, node in walk(statement.body, (*path, 0)) if _does(node))
            return False
        inside = [self.block(body, (*path, number)) for number, body in enumerate(bodies(statement))]
        if not (any(inside) or self.matters(statement)):
            return False
        self.found.add(path)
        for part in children(statement):
            # Of a compound statement only the heads: its bodies were looked at line by line.
            if isinstance(part, Branch):
                self.use(part.condition)
            elif not isinstance(part, Statement):
                self.use(part)
        if isinstance(statement, Augment):
            self.names.add(statement.name)
        return True

    def matters(self, statement: Statement) -> bool:
        if isinstance(statement, Print | While):
            return True
        if isinstance(statement, Assign | Augment | For) and statement.name in self.names:
            return True
        heads = [part.condition if isinstance(part, Branch) else part for part in children(statement)]
        return any(self.may_fail(head) for head in heads if not isinstance(head, Statement))

    def may_fail(self, node: object) -> bool:
        """Whether an expression may divide by zero."""
        for part in nodes(node):
            if isinstance(part, Binary) and part.op in ("//", "%"):
                if not (isinstance(part.right, Int) and part.right.value):
                    return True
            elif isinstance(part, Call) and self._function_may_fail(part.function):
                return True
        return False

    def _function_may_fail(self, name: str) -> bool:
        """A loop without end counts too."""
        body = self.defined[name].body
        return any(isinstance(node, While) for _, node in walk(body)) or any(self.may_fail(node) for node in body)

    def use(self, node: object) -> None:
        for part in nodes(node):
            if isinstance(part, Var | Method):
                self.names.add(part.name)
            elif isinstance(part, Call):
                self.call(part.function)

    def call(self, name: str) -> None:
        if name not in self.functions:
            self.functions.add(name)
            for part in nodes(self.defined[name]):
                if isinstance(part, Call):
                    self.call(part.function)


def _does(statement: Statement) -> bool:
    """Whether a statement is more than a comment or an empty line."""
    return bool(statement.__struct_fields__) and not isinstance(statement, Comment)
