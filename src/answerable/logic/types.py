"""What a program is: its type, the cells it may refer to, its family, and its formula in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol

from answerable.core.codec import answer_text
from answerable.core.errors import InputError
from answerable.core.records import Record
from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cell,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
    Everything,
    Expression,
    Extreme,
    ExtremeLabel,
    Grid,
    If,
    Label,
    Lookup,
    Mean,
    Named,
    Not,
    Number,
    Or,
    Product,
    Ratio,
    Result,
    Row,
    Selection,
    Sum,
    Trend,
    Truth,
    Undefined,
    nodes,
)

#: An integer is a number too, where a number is asked for.
Type = Literal["number", "integer", "label", "boolean"]
Family = Literal[
    "look-up", "literal", "arithmetic", "aggregate", "extreme", "extreme label", "comparison", "trend", "conditional",
    "boolean",
]  # fmt: skip

NUMERIC: tuple[Type, ...] = ("number", "integer")


class Schema(Record, frozen=True):
    """The names a program may refer to, without any value."""

    series: tuple[str, ...]
    positions: tuple[str, ...]
    cells: Literal["number", "integer"] = "number"
    """What every cell holds."""


class Axes(Protocol):
    """Whatever has rows and columns: a grid, a partly hidden one, a schema."""

    @property
    def series(self) -> tuple[str, ...]: ...
    @property
    def positions(self) -> tuple[str, ...]: ...


def schema_of(grid: Grid) -> Schema:
    """The schema of a grid; integer where every value is whole."""
    whole = all(value.denominator == 1 for line in grid.values for value in line)
    return Schema(series=grid.series, positions=grid.positions, cells="integer" if whole else "number")


def type_of(program: Expression, schema: Schema) -> Type:
    """The type of the answer.

    Raises:
        InputError: an operand has another type than its place needs, or the program refers to something that the
            schema does not have. It names both, and the path from the root.
    """
    kind = _typed(program, "program", schema.cells)
    _check_references(program, schema)
    return kind


def check_types(program: Expression) -> Type:
    """The type by the operations alone, whatever the program refers to; cells count as numbers.

    Raises:
        InputError: as ``type_of``.
    """
    return _typed(program, "program", "number")


def cells(program: Expression, schema: Axes) -> frozenset[Cell]:
    """The cells that the answer may depend on: every cell that some node names. What is absent names none."""
    found: set[Cell] = set()
    for node in nodes(program):
        if isinstance(node, Lookup):
            found |= node.cells()
        elif isinstance(node, (Aggregate, Extreme, ExtremeLabel, Trend)):
            found.update(selected(node.over, schema))
    known = {(series, position) for series in schema.series for position in schema.positions}
    return frozenset(found & known)


def selected(over: Selection, schema: Axes) -> tuple[Cell, ...]:
    """The addresses of a selection, in its order."""
    match over:
        case Row(series=series):
            return tuple((series, position) for position in schema.positions)
        case Column(position=position):
            return tuple((series, position) for series in schema.series)
        case Cells(cells=listed):
            return listed
        case Everything():
            return tuple((series, position) for series in schema.series for position in schema.positions)


def family(program: Expression) -> Family:
    """What kind of question the root asks."""
    return _FAMILIES[type(program)]


_FAMILIES: dict[type, Family] = {
    Lookup: "look-up", Number: "literal", Label: "literal", Boolean: "literal", Sum: "arithmetic",
    Difference: "arithmetic", Product: "arithmetic", Mean: "arithmetic", Ratio: "arithmetic", Aggregate: "aggregate",
    Extreme: "extreme", ExtremeLabel: "extreme label", Compare: "comparison", Trend: "trend", If: "conditional",
    And: "boolean", Or: "boolean", Not: "boolean",
}  # fmt: skip


def _wrong(node: Expression, path: str, needs: str, got: Type) -> InputError:
    return InputError(
        needs, f"type={got} from {words(node)[:80]}", where=path, fix="give this operation operands of its own type"
    )


def _operand(node: Expression, path: str, cell: Type, kinds: Sequence[Type], what: str) -> Type:
    kind = _typed(node, path, cell)
    if kind not in kinds:
        raise _wrong(node, path, what, kind)
    return kind


def _numeric(node: Expression, path: str, cell: Type, parent: str) -> Type:
    return _operand(node, path, cell, NUMERIC, f"type=number or integer as an operand of {parent}")


def _joined(kinds: Sequence[Type]) -> Type:
    return "integer" if all(kind == "integer" for kind in kinds) else "number"


def _items(node: Sum | Product | Mean, path: str, cell: Type) -> Type:
    name = type(node).__name__.lower()
    found = [_numeric(item, f"{path}.items[{place}]", cell, name) for place, item in enumerate(node.items)]
    return "number" if isinstance(node, Mean) else _joined(found)


def _pair(node: Difference | Ratio, path: str, cell: Type) -> Type:
    name = type(node).__name__.lower()
    found = [_numeric(node.left, f"{path}.left", cell, name), _numeric(node.right, f"{path}.right", cell, name)]
    return "number" if isinstance(node, Ratio) else _joined(found)


def _aggregate(node: Aggregate, path: str, cell: Type) -> Type:
    if node.where is not None:
        _numeric(node.where.than, f"{path}.where.than", cell, "a condition on cells")
    if node.function == "count":
        return "integer"
    return "number" if node.function == "mean" else cell


def _compare(node: Compare, path: str, cell: Type) -> Type:
    left, right = _typed(node.left, f"{path}.left", cell), _typed(node.right, f"{path}.right", cell)
    alike = left == right or (left in NUMERIC and right in NUMERIC)
    if not alike:
        raise InputError(
            f"two operands of one type for '{node.operator}'",
            f"type={left} from {words(node.left)[:80]} and type={right} from {words(node.right)[:80]}",
            where=path,
            fix="compare numbers with numbers, labels with labels, booleans with booleans",
        )
    if left not in NUMERIC and node.operator not in ("==", "!="):
        raise InputError(
            f"type=number or integer on both sides of '{node.operator}'", f"type={left} and type={right}", where=path,
            fix="labels and booleans have no order: use == or !=",
        )  # fmt: skip
    return "boolean"


def _if(node: If, path: str, cell: Type) -> Type:
    _operand(node.condition, f"{path}.condition", cell, ("boolean",), "type=boolean as the condition of if")
    then, otherwise = _typed(node.then, f"{path}.then", cell), _typed(node.otherwise, f"{path}.otherwise", cell)
    if then == otherwise:
        return then
    if then in NUMERIC and otherwise in NUMERIC:
        return "number"
    raise InputError(
        "two branches of one type", f"type={then} from {words(node.then)[:80]} and type={otherwise} from "
        f"{words(node.otherwise)[:80]}", where=path, fix="both branches of a conditional answer one question",
    )  # fmt: skip


def _connective(node: And | Or | Not, path: str, cell: Type) -> Type:
    name = type(node).__name__.lower()
    below = [(node.item, "item")] if isinstance(node, Not) else [(x, f"items[{i}]") for i, x in enumerate(node.items)]
    for item, place in below:
        _operand(item, f"{path}.{place}", cell, ("boolean",), f"type=boolean as an operand of {name}")
    return "boolean"


_RULES: dict[type, Callable[[Any, str, Any], Type]] = {
    Lookup: lambda _node, _path, cell: cell,
    Number: lambda node, _path, _cell: "integer" if node.value.denominator == 1 else "number",
    Label: lambda _node, _path, _cell: "label",
    Boolean: lambda _node, _path, _cell: "boolean",
    Sum: _items, Product: _items, Mean: _items, Difference: _pair, Ratio: _pair, Aggregate: _aggregate,
    Extreme: lambda _node, _path, cell: cell,
    ExtremeLabel: lambda _node, _path, _cell: "label",
    Trend: lambda _node, _path, _cell: "label",
    Compare: _compare, If: _if, And: _connective, Or: _connective, Not: _connective,
}  # fmt: skip


def _typed(node: Expression, path: str, cell: Type) -> Type:
    return _RULES[type(node)](node, path, cell)


def _check_references(program: Expression, schema: Schema) -> None:
    wanted_series: list[str] = []
    wanted_positions: list[str] = []
    for node in nodes(program):
        over = node if isinstance(node, Lookup) else getattr(node, "over", None)
        if isinstance(over, (Lookup, Row)):
            wanted_series.append(over.series)
        if isinstance(over, (Lookup, Column)):
            wanted_positions.append(over.position)
        if isinstance(over, Cells):
            wanted_series += [cell[0] for cell in over.cells]
            wanted_positions += [cell[1] for cell in over.cells]
    for kind, wanted, known in (
        ("series", wanted_series, schema.series), ("position", wanted_positions, schema.positions)
    ):  # fmt: skip
        absent = [name for name in wanted if name not in known]
        if absent:
            raise InputError(
                f"a {kind} of the grid ({', '.join(map(repr, known[:8]))}{', ...' if len(known) > 8 else ''})",
                f"{kind}={absent[0][:80]!r}",
                where=f"program {words(program)[:120]}",
                fix="a program refers to what is there; for questions about something absent use the state I",
            )


def words(program: Expression) -> str:
    """A readable formula: ``mean(North) - North[2021]``."""
    return _WORDS[type(program)](program)


def _over(over: Selection) -> str:
    match over:
        case Row(series=series):
            return series
        case Column(position=position):
            return f"all at {position}"
        case Cells(cells=listed):
            return ", ".join(f"{series}[{position}]" for series, position in listed)
        case Everything():
            return "all values"


def _list(sign: str) -> Callable[[Any], str]:
    def text(node: Sum | Product | And | Or) -> str:
        parts = [words(item) for item in node.items]
        return parts[0] if len(parts) == 1 else "(" + f" {sign} ".join(parts) + ")"

    return text


def _aggregate_words(node: Aggregate) -> str:
    where = f" where value {node.where.operator} {words(node.where.than)}" if node.where is not None else ""
    return f"{node.function}({_over(node.over)}{where})"


_WORDS: dict[type, Callable[[Any], str]] = {
    Lookup: lambda node: f"{node.series}[{node.position}]",
    Number: lambda node: number_words(node.value),
    Label: lambda node: repr(node.text),
    Boolean: lambda node: "true" if node.value else "false",
    Sum: _list("+"),
    Difference: lambda node: f"({words(node.left)} - {words(node.right)})",
    Product: _list("*"),
    Mean: lambda node: f"mean({', '.join(map(words, node.items))})",
    Ratio: lambda node: f"({words(node.left)} / {words(node.right)})",
    Aggregate: _aggregate_words,
    Extreme: lambda node: f"{node.rank} value of ({_over(node.over)})",
    ExtremeLabel: lambda node: f"where ({_over(node.over)}) is {node.rank}",
    Compare: lambda node: f"({words(node.left)} {node.operator} {words(node.right)})",
    Trend: lambda node: f"trend of ({_over(node.over)})",
    If: lambda node: f"({words(node.then)} if {words(node.condition)} else {words(node.otherwise)})",
    And: _list("and"),
    Or: _list("or"),
    Not: lambda node: f"not {words(node.item)}",
}


def number_words(value: Fraction) -> str:
    """Exact where that is short, else its size: no text of thousands of digits."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 200:
        return f"a rational of {value.numerator.bit_length()}/{value.denominator.bit_length()} bits"
    return answer_text(value)


def result_words(result: Result) -> str:
    """A result for people."""
    match result:
        case Defined(value=value):
            return number_words(value)
        case Named(value=text):
            return repr(text)
        case Truth(value=truth):
            return "true" if truth else "false"
        case Undefined(reason=reason):
            return f"undefined ({reason})"
