"""The first executor: programs run on weighted states, which gives the exact distribution of what is printed.

All ways that chance can take are followed at once: a draw splits a state, and states that have become equal are
joined. It reads the program's data, never its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from answerable.domains.code.language import (
    Assign,
    Augment,
    Binary,
    Block,
    Both,
    Builtin,
    Call,
    Compare,
    Condition,
    Def,
    Draw,
    Either,
    Expression,
    For,
    If,
    Int,
    Method,
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

Value = int | str
#: What a program may use up; far above any picture's program, far below what a machine would notice.
MAX_STEPS = 20_000
MAX_STATES = 128
MAX_NUMBER = 10**12
MAX_LENGTH = 120
MAX_PRINTED = 40

#: Printed lines -> probability; adds up to one.
Distribution = dict[tuple[str, ...], Fraction]


class DividesByZeroError(Exception):
    """On some way that chance can take."""


class TooMuchError(Exception):
    """A limit is passed; its text says which."""


class _State(msgspec.Struct):
    values: dict[str, Value]
    printed: tuple[str, ...]
    weight: Fraction
    result: Value | None = None


_ONE = Fraction(1)


def run(program: Program) -> Distribution:
    """What the program prints, with exact probabilities.

    Args:
        program: one that ``checking`` finds nothing wrong with.

    Raises:
        DividesByZeroError: it may divide by zero.
        TooMuchError: it passes a limit: steps, states, numbers, texts, lines.
    """
    found: Distribution = {}
    for state in _Machine().block(program.statements, [_State({}, (), _ONE)]):
        found[state.printed] = found.get(state.printed, Fraction(0)) + state.weight
    return dict(sorted(found.items()))


class _Machine:
    def __init__(self) -> None:
        self.functions: dict[str, Def] = {}
        self.steps = 0

    def count(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooMuchError(f"more than {MAX_STEPS} steps")

    def block(self, block: Block, states: list[_State]) -> list[_State]:
        for statement in block:
            after: list[_State] = []
            for state in states:
                if state.result is not None:
                    after.append(state)
                    continue
                self.count()
                after.extend(self.step(statement, state))
            states = _joined(after)
        return states

    def step(self, statement: Statement, state: _State) -> list[_State]:
        if isinstance(statement, If):
            return self.branched(statement, state)
        if isinstance(statement, For):
            return self.repeated(statement, state)
        if isinstance(statement, While):
            return self.looped(statement, state)
        if isinstance(statement, Def):
            self.functions[statement.name] = statement
        return list(self.simple(statement, state))

    def simple(self, statement: Statement, state: _State) -> Iterator[_State]:
        """One line; imports, comments, empty lines and definitions leave a state as it is."""
        if isinstance(statement, Assign):
            yield from self.assigned(statement, state)
        elif isinstance(statement, Augment):
            value = self.value(Binary(statement.op, Var(statement.name), statement.value), state.values)
            yield _with(state, statement.name, value)
        elif isinstance(statement, Print):
            if len(state.printed) >= MAX_PRINTED:
                raise TooMuchError(f"more than {MAX_PRINTED} printed lines")
            text = " ".join(str(self.value(arg, state.values)) for arg in statement.args)
            yield _State(state.values, (*state.printed, text), state.weight)
        elif isinstance(statement, Return):
            yield _State(state.values, state.printed, state.weight, self.value(statement.value, state.values))
        else:
            yield state

    def assigned(self, statement: Assign, state: _State) -> Iterator[_State]:
        value = statement.value
        if isinstance(value, RandInt):
            options: list[Value] = list(range(value.low, value.high + 1))
        elif isinstance(value, RandChoice):
            options = [option.value for option in value.options]
        else:
            yield _with(state, statement.name, self.value(value, state.values))
            return
        for option in options:
            yield _with(state, statement.name, option, state.weight / len(options))

    def branched(self, statement: If, state: _State) -> list[_State]:
        done: list[_State] = []
        left: _State | None = state
        for branch in statement.branches:
            if left is None:
                break
            chance = self.chance(branch.condition, left.values)
            if chance:
                taken = _State(left.values, left.printed, left.weight * chance)
                done.extend(self.block(branch.body, [taken]))
            left = _State(left.values, left.printed, left.weight * (1 - chance)) if chance < 1 else None
        if left is not None:
            done.extend(self.block(statement.otherwise, [left]))
        return done

    def repeated(self, statement: For, state: _State) -> list[_State]:
        start, stop = self.value(statement.start, state.values), self.value(statement.stop, state.values)
        states = [state]
        for number in range(int(start), int(stop), statement.step):
            self.count()
            states = self.block(
                statement.body,
                [one if one.result is not None else _with(one, statement.name, number) for one in states],
            )
        return states

    def looped(self, statement: While, state: _State) -> list[_State]:
        done: list[_State] = []
        states = [state]
        while states:
            self.count(len(states))
            going = [one for one in states if one.result is None and self.holds(statement.condition, one.values)]
            kept = {id(one) for one in going}
            done.extend(one for one in states if id(one) not in kept)
            states = self.block(statement.body, going)
        return done

    def chance(self, node: Condition, values: dict[str, Value]) -> Fraction:
        """The probability that a condition holds."""
        if not isinstance(node, Draw):
            return Fraction(int(self.holds(node, values)))
        below = min(max(Fraction(int(self.value(node.against, values)), node.scale), Fraction(0)), _ONE)
        return below if node.op == "<" else 1 - below

    def holds(self, node: Condition, values: dict[str, Value]) -> bool:
        if isinstance(node, Both):
            return self.holds(node.left, values) and self.holds(node.right, values)
        if isinstance(node, Either):
            return self.holds(node.left, values) or self.holds(node.right, values)
        if isinstance(node, Compare):
            return _compared(node.op, self.value(node.left, values), self.value(node.right, values))
        raise TypeError("a draw has a chance, not a truth")

    def value(self, node: Expression, values: dict[str, Value]) -> Value:
        """The value of an expression, within the limits."""
        self.count()
        if isinstance(node, Int | Str):
            return node.value
        if isinstance(node, Var):
            return values[node.name]
        if isinstance(node, Method):
            text = str(values[node.name])
            return _bounded(text.upper() if node.method == "upper" else text.lower())
        if isinstance(node, Builtin):
            return _built_in(node.function, [self.value(arg, values) for arg in node.args])
        if isinstance(node, Call):
            return self.called(node, values)
        return _arithmetic(node.op, self.value(node.left, values), self.value(node.right, values))

    def called(self, node: Call, values: dict[str, Value]) -> Value:
        function = self.functions[node.function]
        args = {param.name: self.value(arg, values) for param, arg in zip(function.params, node.args, strict=True)}
        (end,) = self.block(function.body, [_State(args, (), _ONE)])
        if end.result is None:
            raise TypeError(f"function {node.function} ended without a result")
        return end.result


def _with(state: _State, name: str, value: Value, weight: Fraction | None = None) -> _State:
    return _State({**state.values, name: value}, state.printed, state.weight if weight is None else weight)


def _joined(states: list[_State]) -> list[_State]:
    """Equal states become one; more than ``MAX_STATES`` are too many."""
    if len(states) < 2:
        return states
    found: dict[tuple[object, ...], _State] = {}
    for state in states:
        key = (tuple(sorted(state.values.items())), state.printed, state.result)
        if key in found:
            found[key].weight += state.weight
        else:
            found[key] = _State(state.values, state.printed, state.weight, state.result)
    if len(found) > MAX_STATES:
        raise TooMuchError(f"more than {MAX_STATES} states")
    return list(found.values())


def _bounded(value: Value) -> Value:
    if isinstance(value, str):
        if len(value) > MAX_LENGTH:
            raise TooMuchError(f"a text of more than {MAX_LENGTH} signs")
    elif abs(value) > MAX_NUMBER:
        raise TooMuchError(f"a number beyond {MAX_NUMBER}")
    return value


def _arithmetic(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, str):
        if isinstance(right, str):
            return _bounded(left + right)
        # Before it is built: the length of a repeated text.
        if len(left) * max(right, 0) > MAX_LENGTH:
            raise TooMuchError(f"a text of more than {MAX_LENGTH} signs")
        return left * right
    if isinstance(right, str):
        raise TypeError("a number and a text")
    if op in ("//", "%") and right == 0:
        raise DividesByZeroError
    if op == "+":
        return _bounded(left + right)
    if op == "-":
        return _bounded(left - right)
    if op == "*":
        return _bounded(left * right)
    return left // right if op == "//" else left % right


def _built_in(function: str, args: list[Value]) -> Value:
    first = args[0]
    if function == "len":
        return len(str(first))
    if function == "str":
        return str(first)
    numbers = [int(arg) for arg in args]
    if function == "abs":
        return abs(numbers[0])
    return min(numbers) if function == "min" else max(numbers)


def _compared(op: str, left: Value, right: Value) -> bool:
    if op in ("==", "!="):
        return (left == right) == (op == "==")
    one, other = int(left), int(right)
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[op]
