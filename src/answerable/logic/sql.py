"""Executor two: the grid as relations in SQLite, the program as a sequence of queries.

Every node of the program becomes one row of the table ``node``, written by one fixed statement that reads the rows
of its children; no SQL is ever made from a program's text. SQLite does the selecting, filtering, counting, ordering,
ranking (window functions), comparing, branching and the passing on of what is undefined. Its integers have 64 bits,
so a rational is text (``numerator/denominator`` in hexadecimal, in lowest terms) and SQLite is given four operations
and a collating order for it. It shares no code with the direct executor, so a slip in one does not hide in the other.
"""

from __future__ import annotations

import math
import sqlite3
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any, overload

from answerable.logic.program import (
    Aggregate,
    And,
    Boolean,
    Cells,
    Column,
    Compare,
    Defined,
    Difference,
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
    Outcome,
    Product,
    Ratio,
    Result,
    Row,
    Selection,
    Sum,
    Trend,
    Truth,
    Undefined,
    children,
)
from answerable.logic.types import Type, check_types

_SCHEMA = """
CREATE TABLE series (name TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE position (name TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE cell (series TEXT NOT NULL, position TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (series, position))
    WITHOUT ROWID;
CREATE TABLE node (id INTEGER PRIMARY KEY, value, reason TEXT);
CREATE TABLE child (parent INTEGER, place INTEGER, id INTEGER, PRIMARY KEY (parent, place)) WITHOUT ROWID;
CREATE TABLE wanted (node INTEGER, place INTEGER, series TEXT, position TEXT, PRIMARY KEY (node, place)) WITHOUT ROWID;
CREATE TABLE picked (node INTEGER, place INTEGER, name TEXT, value TEXT, PRIMARY KEY (node, place)) WITHOUT ROWID;
CREATE TABLE selection (node INTEGER PRIMARY KEY, reason TEXT);
"""

_LOOKUP = """INSERT INTO node SELECT :id,
    (SELECT value FROM cell WHERE series = :series AND position = :position),
    CASE WHEN NOT EXISTS (SELECT 1 FROM series WHERE name = :series) THEN 'no such series'
         WHEN NOT EXISTS (SELECT 1 FROM position WHERE name = :position) THEN 'no such position' END"""
_LITERAL = "INSERT INTO node VALUES (:id, :value, NULL)"

# Operands: every statement reads the children in their order, and the first reason among them is its own.
_FOLD = """INSERT INTO node SELECT :id,
    CASE :node WHEN 'sum' THEN q_sum(n.value) WHEN 'product' THEN q_product(n.value)
               WHEN 'mean' THEN q_div(q_sum(n.value), q_int(count(*))) END,
    (SELECT m.reason FROM child d JOIN node m ON m.id = d.id
     WHERE d.parent = :id AND m.reason IS NOT NULL ORDER BY d.place LIMIT 1)
    FROM child c JOIN node n ON n.id = c.id WHERE c.parent = :id"""
_CONNECT = """INSERT INTO node SELECT :id,
    CASE :node WHEN 'and' THEN min(n.value) WHEN 'or' THEN max(n.value) WHEN 'not' THEN 1 - max(n.value) END,
    (SELECT m.reason FROM child d JOIN node m ON m.id = d.id
     WHERE d.parent = :id AND m.reason IS NOT NULL ORDER BY d.place LIMIT 1)
    FROM child c JOIN node n ON n.id = c.id WHERE c.parent = :id"""
_DIFFERENCE = """INSERT INTO node SELECT :id, q_sub(a.value, b.value), coalesce(a.reason, b.reason)
    FROM node a, node b WHERE a.id = :first AND b.id = :second"""
_RATIO = """INSERT INTO node SELECT :id, CASE WHEN b.value <> '0/1' THEN q_div(a.value, b.value) END,
    coalesce(a.reason, b.reason, CASE WHEN b.value = '0/1' THEN 'division by zero' END)
    FROM node a, node b WHERE a.id = :first AND b.id = :second"""
_COMPARE = """INSERT INTO node SELECT :id,
    CASE :operator WHEN '==' THEN a.value = b.value WHEN '!=' THEN a.value <> b.value
                   WHEN '<' THEN a.value < b.value COLLATE rational WHEN '<=' THEN a.value <= b.value COLLATE rational
                   WHEN '>' THEN a.value > b.value COLLATE rational WHEN '>=' THEN a.value >= b.value COLLATE rational
    END, coalesce(a.reason, b.reason)
    FROM node a, node b WHERE a.id = :first AND b.id = :second"""
_IF = """INSERT INTO node SELECT :id, CASE a.value WHEN 1 THEN b.value ELSE c.value END,
    CASE WHEN a.reason IS NOT NULL THEN a.reason WHEN a.value = 1 THEN b.reason ELSE c.reason END
    FROM node a, node b, node c WHERE a.id = :first AND b.id = :second AND c.id = :third"""

# Selections: the cells that a node looks at, in their order, each with the label it stands at.
_PICK_ROW = """INSERT INTO picked SELECT :id, p.place, p.name, c.value
    FROM cell c JOIN position p ON p.name = c.position
    WHERE c.series = :name"""
_PICK_COLUMN = """INSERT INTO picked SELECT :id, s.place, s.name, c.value
    FROM cell c JOIN series s ON s.name = c.series
    WHERE c.position = :name"""
_PICK_EVERYTHING = """INSERT INTO picked
    SELECT :id, row_number() OVER (ORDER BY s.place, p.place), '', c.value
    FROM cell c JOIN series s ON s.name = c.series JOIN position p ON p.name = c.position"""
_PICK_CELLS = """INSERT INTO picked SELECT :id, w.place, '', c.value
    FROM wanted w JOIN cell c ON c.series = w.series AND c.position = w.position WHERE w.node = :id"""
_HAS_ROW = """INSERT INTO selection SELECT :id,
    CASE WHEN NOT EXISTS (SELECT 1 FROM series WHERE name = :name) THEN 'no such series' END"""
_HAS_COLUMN = """INSERT INTO selection SELECT :id,
    CASE WHEN NOT EXISTS (SELECT 1 FROM position WHERE name = :name) THEN 'no such position' END"""
_HAS_EVERYTHING = "INSERT INTO selection VALUES (:id, NULL)"
_HAS_CELLS = """INSERT INTO selection SELECT :id, (
    SELECT CASE WHEN s.name IS NULL THEN 'no such series' ELSE 'no such position' END
    FROM wanted w LEFT JOIN series s ON s.name = w.series LEFT JOIN position p ON p.name = w.position
    WHERE w.node = :id AND (s.name IS NULL OR p.name IS NULL) ORDER BY w.place LIMIT 1)"""

_AGGREGATE = """INSERT INTO node
    WITH than AS (SELECT value, reason FROM node WHERE id = :than UNION ALL SELECT NULL, NULL WHERE :than IS NULL),
    kept AS (SELECT p.value FROM picked p, than t WHERE p.node = :id AND CASE :operator
        WHEN '==' THEN p.value = t.value WHEN '!=' THEN p.value <> t.value
        WHEN '<' THEN p.value < t.value COLLATE rational WHEN '<=' THEN p.value <= t.value COLLATE rational
        WHEN '>' THEN p.value > t.value COLLATE rational WHEN '>=' THEN p.value >= t.value COLLATE rational
        ELSE 1 END),
    found AS (SELECT count(*) AS many,
        CASE :function WHEN 'count' THEN q_int(count(*)) WHEN 'sum' THEN coalesce(q_sum(value), '0/1')
            WHEN 'mean' THEN CASE WHEN count(*) > 0 THEN q_div(q_sum(value), q_int(count(*))) END
            WHEN 'min' THEN min(value COLLATE rational) WHEN 'max' THEN max(value COLLATE rational) END AS value
        FROM kept)
    SELECT :id, f.value, coalesce(s.reason, t.reason,
        CASE WHEN f.many = 0 AND :function IN ('mean', 'min', 'max') THEN 'nothing selected' END)
    FROM found f, than t, selection s WHERE s.node = :id"""
_RANKED = """INSERT INTO node
    WITH ranked AS (SELECT name, value, CASE WHEN :upwards
            THEN rank() OVER (ORDER BY value COLLATE rational ASC)
            ELSE rank() OVER (ORDER BY value COLLATE rational DESC) END AS rank
        FROM picked WHERE node = :id),
    found AS (SELECT count(*) AS many, sum(rank = :rank) AS there,
        max(CASE WHEN rank = :rank THEN CASE WHEN :label THEN name ELSE value END END) AS value FROM ranked)
    SELECT :id, f.value, coalesce(s.reason, CASE WHEN f.many = 0 THEN 'nothing selected' WHEN f.many < :rank
        THEN 'too few' WHEN f.there = 0 OR (:label AND f.there > 1) THEN 'tie' END)
    FROM found f, selection s WHERE s.node = :id"""
_TREND = """INSERT INTO node
    WITH step AS (SELECT value, lag(value) OVER (ORDER BY place) AS before FROM picked WHERE node = :id),
    found AS (SELECT count(*) AS many, min(value > before COLLATE rational) AS up,
        min(value < before COLLATE rational) AS down FROM step WHERE before IS NOT NULL)
    SELECT :id, CASE WHEN f.up THEN 'increasing' WHEN f.down THEN 'decreasing' ELSE 'neither' END,
        coalesce(s.reason, CASE WHEN f.many = 0 THEN 'too few' END)
    FROM found f, selection s WHERE s.node = :id"""

_local = threading.local()


def _parts(text: str) -> tuple[int, int]:
    numerator, _, denominator = text.partition("/")
    return int(numerator, 16), int(denominator, 16)


def _text(numerator: int, denominator: int) -> str:
    shared = math.gcd(numerator, denominator) * (1 if denominator > 0 else -1)
    return f"{numerator // shared:x}/{denominator // shared:x}"


def _subtract(left: str | None, right: str | None) -> str | None:
    if left is None or right is None:
        return None
    (a, b), (c, d) = _parts(left), _parts(right)
    return _text(a * d - c * b, b * d)


def _divide(left: str | None, right: str | None) -> str | None:
    if left is None or right is None:
        return None
    (a, b), (c, d) = _parts(left), _parts(right)
    return _text(a * d, b * c)


def _order(left: str, right: str) -> int:
    (a, b), (c, d) = _parts(left), _parts(right)
    return (a * d > c * b) - (a * d < c * b)


class _Sum:
    """The SQL aggregate ``q_sum``; rows without a value are passed over, as SQL does."""

    def __init__(self) -> None:
        self.numerator, self.denominator = 0, 1

    def step(self, text: str | None, /) -> None:
        if text is not None:
            a, b = _parts(text)
            self.numerator, self.denominator = self.numerator * b + a * self.denominator, self.denominator * b

    def finalize(self) -> str:
        return _text(self.numerator, self.denominator)


class _Product(_Sum):
    """The SQL aggregate ``q_product``."""

    def __init__(self) -> None:
        self.numerator, self.denominator = 1, 1

    def step(self, text: str | None) -> None:
        if text is not None:
            a, b = _parts(text)
            self.numerator, self.denominator = self.numerator * a, self.denominator * b


_AGGREGATES: tuple[tuple[str, Any], ...] = (("q_sum", _Sum), ("q_product", _Product))


def _database() -> sqlite3.Connection:
    """One in-memory database a thread: opening one costs more than a query."""
    connection: sqlite3.Connection | None = getattr(_local, "connection", None)
    if connection is None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(_SCHEMA)
        connection.create_collation("rational", _order)
        connection.create_function("q_int", 1, lambda count: f"{count:x}/1", deterministic=True)
        connection.create_function("q_sub", 2, _subtract, deterministic=True)
        connection.create_function("q_div", 2, _divide, deterministic=True)
        # The library's annotation knows aggregates of integers only.
        for name, aggregate in _AGGREGATES:
            connection.create_aggregate(name, 1, aggregate)
        _local.connection = connection
    return connection


@overload
def execute(program: Lookup, grid: Grid) -> Outcome: ...
@overload
def execute(program: Expression, grid: Grid) -> Result: ...
def execute(program: Expression, grid: Grid) -> Result:
    """Run ``program`` over ``grid``.

    Raises:
        InputError: an operand has the wrong type.
    """
    kind = check_types(program)
    database = _database()
    database.execute("BEGIN")
    try:
        _load(database, grid)
        value, reason = _run(database, program)
    finally:
        database.execute("ROLLBACK")
    return Undefined(reason=reason) if reason is not None else _result(kind, value)


def _result(kind: Type, value: Any) -> Result:
    if kind == "boolean":
        return Truth(value=bool(value))
    return Named(value=value) if kind == "label" else Defined(value=Fraction(*_parts(value)))


def _load(database: sqlite3.Connection, grid: Grid) -> None:
    database.executemany("INSERT INTO series VALUES (?, ?)", [(name, i) for i, name in enumerate(grid.series)])
    database.executemany("INSERT INTO position VALUES (?, ?)", [(name, i) for i, name in enumerate(grid.positions)])
    database.executemany(
        "INSERT INTO cell VALUES (?, ?, ?)",
        [
            (series, position, _text(value.numerator, value.denominator))
            for series, line in zip(grid.series, grid.values, strict=True)
            for position, value in zip(grid.positions, line, strict=True)
        ],
    )


def _run(database: sqlite3.Connection, program: Expression) -> tuple[Any, Any]:
    """Write a row a node, children first, and read the last one."""
    order: list[Expression] = [program]
    below: dict[int, tuple[int, ...]] = {}
    place = 0
    while place < len(order):
        under = children(order[place])
        below[place] = tuple(range(len(order), len(order) + len(under)))
        order.extend(under)
        place += 1
    for number in range(len(order) - 1, -1, -1):
        node = order[number]
        _WRITERS[type(node)](database, number, node, below[number])
    found: tuple[Any, Any] = database.execute("SELECT value, reason FROM node WHERE id = 0").fetchone()
    return found


_Writer = Callable[[sqlite3.Connection, int, Any, tuple[int, ...]], None]


def _literal(database: sqlite3.Connection, number: int, node: Number | Label | Boolean, under: tuple[int, ...]) -> None:
    del under
    if isinstance(node, Number):
        value: str | int = _text(node.value.numerator, node.value.denominator)
    else:
        value = node.text if isinstance(node, Label) else int(node.value)
    database.execute(_LITERAL, {"id": number, "value": value})


def _lookup(database: sqlite3.Connection, number: int, node: Lookup, under: tuple[int, ...]) -> None:
    del under
    database.execute(_LOOKUP, {"id": number, "series": node.series, "position": node.position})


def _folded(statement: str, name: str) -> _Writer:
    def write(database: sqlite3.Connection, number: int, node: Expression, under: tuple[int, ...]) -> None:
        del node
        database.executemany("INSERT INTO child VALUES (?, ?, ?)", [(number, i, id_) for i, id_ in enumerate(under)])
        database.execute(statement, {"id": number, "node": name})

    return write


def _fixed(statement: str) -> _Writer:
    def write(database: sqlite3.Connection, number: int, node: Expression, under: tuple[int, ...]) -> None:
        names = dict(zip(("first", "second", "third"), under, strict=False))
        if isinstance(node, Compare):
            database.execute(statement, {"id": number, "operator": node.operator, **names})
        else:
            database.execute(statement, {"id": number, **names})

    return write


def _pick(database: sqlite3.Connection, number: int, over: Selection) -> None:
    values: dict[str, Any] = {"id": number}
    if isinstance(over, Row):
        values["name"], statements = over.series, (_PICK_ROW, _HAS_ROW)
    elif isinstance(over, Column):
        values["name"], statements = over.position, (_PICK_COLUMN, _HAS_COLUMN)
    elif isinstance(over, Cells):
        database.executemany(
            "INSERT INTO wanted VALUES (?, ?, ?, ?)", [(number, i, *cell) for i, cell in enumerate(over.cells)]
        )
        statements = (_PICK_CELLS, _HAS_CELLS)
    else:
        statements = (_PICK_EVERYTHING, _HAS_EVERYTHING)
    for statement in statements:
        database.execute(statement, values)


def _aggregate(database: sqlite3.Connection, number: int, node: Aggregate, under: tuple[int, ...]) -> None:
    _pick(database, number, node.over)
    sign = node.where.operator if node.where is not None else None
    than = under[0] if under else None
    database.execute(_AGGREGATE, {"id": number, "function": node.function, "operator": sign, "than": than})


def _ranked(database: sqlite3.Connection, number: int, node: Extreme | ExtremeLabel, under: tuple[int, ...]) -> None:
    del under
    _pick(database, number, node.over)
    facts = {
        "rank": 2 if node.rank in ("second highest", "second lowest") else 1,
        "upwards": node.rank in ("lowest", "second lowest"),
        "label": isinstance(node, ExtremeLabel),
    }
    database.execute(_RANKED, {"id": number, **facts})


def _trend(database: sqlite3.Connection, number: int, node: Trend, under: tuple[int, ...]) -> None:
    del under
    _pick(database, number, node.over)
    database.execute(_TREND, {"id": number})


_WRITERS: dict[type, _Writer] = {
    Lookup: _lookup, Number: _literal, Label: _literal, Boolean: _literal, Sum: _folded(_FOLD, "sum"),
    Product: _folded(_FOLD, "product"), Mean: _folded(_FOLD, "mean"), And: _folded(_CONNECT, "and"),
    Or: _folded(_CONNECT, "or"), Not: _folded(_CONNECT, "not"),
    Difference: _fixed(_DIFFERENCE), Ratio: _fixed(_RATIO), Compare: _fixed(_COMPARE), If: _fixed(_IF),
    Aggregate: _aggregate, Extreme: _ranked, ExtremeLabel: _ranked, Trend: _trend,
}  # fmt: skip
