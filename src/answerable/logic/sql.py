"""Executor two: the grid as a relation in SQLite, the program as a query.

Numerators and denominators are stored as text, since SQLite's integers have 64 bits. It shares no code with
the direct executor, so a slip in one does not hide in the other.
"""

from __future__ import annotations

import sqlite3
import threading
from fractions import Fraction

from answerable.logic.program import Defined, Grid, Outcome, Program, Undefined

_SCHEMA = """
CREATE TABLE cell (series TEXT NOT NULL, position TEXT NOT NULL, numerator TEXT NOT NULL, denominator TEXT NOT NULL,
                   PRIMARY KEY (series, position)) WITHOUT ROWID
"""
_LOOKUP = "SELECT numerator, denominator FROM cell WHERE series = :series AND position = :position"
_HAS_SERIES = "SELECT EXISTS (SELECT 1 FROM cell WHERE series = :series)"

_local = threading.local()


def _database() -> sqlite3.Connection:
    """One in-memory database a thread: opening one costs more than a query."""
    connection: sqlite3.Connection | None = getattr(_local, "connection", None)
    if connection is None:
        connection = _local.connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute(_SCHEMA)
    return connection


def execute(program: Program, grid: Grid) -> Outcome:
    """Run ``program`` over ``grid``."""
    database = _database()
    rows = [
        (series, position, str(value.numerator), str(value.denominator))
        for series, line in zip(grid.series, grid.values, strict=True)
        for position, value in zip(grid.positions, line, strict=True)
    ]
    database.execute("BEGIN")
    try:
        database.executemany("INSERT INTO cell VALUES (?, ?, ?, ?)", rows)
        names = {"series": program.series, "position": program.position}
        found = database.execute(_LOOKUP, names).fetchone()
        known = database.execute(_HAS_SERIES, names).fetchone()[0]
    finally:
        database.execute("ROLLBACK")
    if found is not None:
        return Defined(value=Fraction(int(found[0]), int(found[1])))
    return Undefined(reason="no such position" if known else "no such series")
