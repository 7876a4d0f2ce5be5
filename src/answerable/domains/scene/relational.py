"""Executor two: the scene as relations in SQLite, the program as a sequence of queries.

Each node is carried out by one fixed statement that reads what earlier nodes wrote; no SQL is made from a program's
text. SQLite finds who stands where to whom from the coordinates, and does the filtering, counting, comparing and the
passing on of what is ill-posed. It shares no code with the executor over objects, so a slip in one does not hide in
the other.
"""

from __future__ import annotations

import sqlite3
import threading
from fractions import Fraction
from typing import Any

from answerable.domains.scene.outcomes import IllPosed, Outcome
from answerable.domains.scene.program import Node, Program, type_of
from answerable.domains.scene.vocabulary import EPSILON
from answerable.domains.scene.world import Scene
from answerable.logic.program import Defined, Named, Truth

_SCHEMA = """
CREATE TABLE thing (id INTEGER PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL);
CREATE TABLE attribute (thing INTEGER, name TEXT, value TEXT, PRIMARY KEY (thing, name)) WITHOUT ROWID;
CREATE TABLE direction (name TEXT PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE stands (relation TEXT, thing INTEGER, origin INTEGER, PRIMARY KEY (relation, origin, thing)) WITHOUT ROWID;
CREATE TABLE member (node INTEGER, thing INTEGER, PRIMARY KEY (node, thing)) WITHOUT ROWID;
CREATE TABLE value (node INTEGER PRIMARY KEY, value);
CREATE TABLE ill (node INTEGER PRIMARY KEY, found INTEGER);
"""
_STANDS = """INSERT INTO stands SELECT d.name, a.id, o.id FROM direction d, thing o, thing a
    WHERE a.id <> o.id AND (a.x - o.x) * d.x + (a.y - o.y) * d.y + (a.z - o.z) * d.z > ?"""

# A node that gives objects writes rows of ``member``, one that gives anything else a row of ``value``.
_UNIQUE_ILL = """INSERT INTO ill SELECT :node, count(*) FROM member WHERE node = :first HAVING count(*) <> 1"""
_UNIQUE = """INSERT INTO member SELECT :node, thing FROM member
    WHERE node = :first AND NOT EXISTS (SELECT 1 FROM ill WHERE node = :node)"""
_SCENE = "INSERT INTO member SELECT :node, id FROM thing"
_FILTER = """INSERT INTO member SELECT :node, m.thing FROM member m JOIN attribute a ON a.thing = m.thing
    WHERE m.node = :first AND a.name = :attribute AND a.value = :value"""
_RELATE = """INSERT INTO member SELECT :node, s.thing FROM member m JOIN stands s ON s.origin = m.thing
    WHERE m.node = :first AND s.relation = :value"""
_UNION = """INSERT INTO member SELECT :node, thing FROM member WHERE node = :first
    UNION SELECT :node, thing FROM member WHERE node = :second"""
_INTERSECT = """INSERT INTO member SELECT :node, thing FROM member WHERE node = :first
    INTERSECT SELECT :node, thing FROM member WHERE node = :second"""
_SAME = """INSERT INTO member SELECT :node, b.thing FROM member m
    JOIN attribute a ON a.thing = m.thing AND a.name = :attribute
    JOIN attribute b ON b.name = a.name AND b.value = a.value AND b.thing <> a.thing WHERE m.node = :first"""
_COUNT = "INSERT INTO value SELECT :node, count(*) FROM member WHERE node = :first"
_EXIST = "INSERT INTO value SELECT :node, EXISTS (SELECT 1 FROM member WHERE node = :first)"
_QUERY = """INSERT INTO value SELECT :node, a.value FROM member m JOIN attribute a ON a.thing = m.thing
    WHERE m.node = :first AND a.name = :attribute"""
_COMPARE = """INSERT INTO value SELECT :node, CASE :function WHEN 'less_than' THEN a.value < b.value
        WHEN 'greater_than' THEN a.value > b.value ELSE a.value = b.value END
    FROM value a, value b WHERE a.node = :first AND b.node = :second"""
_EQUAL_OBJECT = """INSERT INTO value SELECT :node, a.thing = b.thing FROM member a, member b
    WHERE a.node = :first AND b.node = :second"""

_STATEMENTS: dict[str, tuple[str, ...]] = {
    "scene": (_SCENE,),
    "relate": (_RELATE,),
    "unique": (_UNIQUE_ILL, _UNIQUE),
    "union": (_UNION,),
    "intersect": (_INTERSECT,),
    "count": (_COUNT,),
    "exist": (_EXIST,),
    "equal_object": (_EQUAL_OBJECT,),
}
_BEGINNINGS: dict[str, tuple[str, ...]] = {
    "filter": (_FILTER,),
    "same": (_SAME,),
    "query": (_QUERY,),
    "equal": (_COMPARE,),
    "less": (_COMPARE,),
    "greater": (_COMPARE,),
}

_local = threading.local()


def _database() -> sqlite3.Connection:
    """One in-memory database a thread: opening one costs more than a query."""
    connection: sqlite3.Connection | None = getattr(_local, "connection", None)
    if connection is None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(_SCHEMA)
        _local.connection = connection
    return connection


def execute(program: Program, scene: Scene) -> Outcome:
    """The answer on a scene."""
    database = _database()
    database.execute("BEGIN")
    try:
        _load(database, scene)
        for place, node in enumerate(program.nodes):
            _carry_out(database, place, node)
        ill = database.execute("SELECT node, found FROM ill ORDER BY node LIMIT 1").fetchone()
        if ill is not None:
            return IllPosed(function="unique", node=ill[0], found=ill[1])
        last = len(program.nodes) - 1
        (value,) = database.execute("SELECT value FROM value WHERE node = ?", (last,)).fetchone()
    finally:
        database.execute("ROLLBACK")
    return _outcome(program, value)


def _outcome(program: Program, value: Any) -> Outcome:
    kind = type_of(program)
    if kind == "Boolean":
        return Truth(value=bool(value))
    return Defined(value=Fraction(value)) if kind == "Integer" else Named(value=value)


def _load(database: sqlite3.Connection, scene: Scene) -> None:
    things = list(enumerate(scene.things))
    database.executemany("INSERT INTO thing VALUES (?, ?, ?, ?)", [(i, one.x, one.y, one.z) for i, one in things])
    database.executemany(
        "INSERT INTO attribute VALUES (?, ?, ?)",
        [(i, name, word) for i, one in things for name, word in (
            ("size", one.size), ("color", one.color), ("material", one.material), ("shape", one.shape))],
    )  # fmt: skip
    looked = scene.directions
    database.executemany(
        "INSERT INTO direction VALUES (?, ?, ?, ?)",
        [("left", *looked.left), ("right", *looked.right), ("behind", *looked.behind), ("front", *looked.front)],
    )
    database.execute(_STANDS, (EPSILON,))


def _carry_out(database: sqlite3.Connection, place: int, node: Node) -> None:
    beginning, _, attribute = node.function.partition("_")
    statements = _STATEMENTS.get(node.function) or _BEGINNINGS[beginning]
    given: dict[str, Any] = {
        "node": place, "function": node.function, "attribute": attribute, "value": node.value,
        "first": node.inputs[0] if node.inputs else None, "second": node.inputs[-1] if node.inputs else None,
    }  # fmt: skip
    for statement in statements:
        database.execute(statement, given)
