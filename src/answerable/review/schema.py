"""The tables of a review database, and the check that a file has these and no others."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from answerable.core.errors import ReviewError

#: ``application_id`` ("Answ") and ``user_version`` of the file.
APPLICATION, VERSION = 0x416E7377, 1

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    (
        "CREATE TABLE items (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, part TEXT NOT NULL,"
        " digest TEXT NOT NULL, why TEXT NOT NULL)"
    ),
    "CREATE TABLE reviewers (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL UNIQUE)",
    # A vote has its JSON as body; an undo has the id of the vote that it takes back, and the vote that stands again.
    (
        "CREATE TABLE votes (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL,"
        " reviewer INTEGER NOT NULL REFERENCES reviewers, item INTEGER NOT NULL REFERENCES items,"
        " kind TEXT NOT NULL CHECK (kind IN ('vote', 'undo')), body TEXT NOT NULL,"
        " stands INTEGER REFERENCES votes, before INTEGER REFERENCES votes, extra INTEGER NOT NULL,"
        " UNIQUE (reviewer, id))"
    ),
    "CREATE INDEX votes_on_item ON votes (item, reviewer, seq)",
    "CREATE TRIGGER votes_stay BEFORE UPDATE ON votes BEGIN SELECT RAISE(ABORT, 'votes are only added'); END",
    "CREATE TRIGGER votes_remain BEFORE DELETE ON votes BEGIN SELECT RAISE(ABORT, 'votes are only added'); END",
)


def create(database: sqlite3.Connection) -> None:
    """Make the tables; within a transaction of the caller's."""
    for statement in TABLES:
        database.execute(statement)
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")


def check(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not ours, or not of this version.

    The file may come from a stranger: a table, view or trigger that we did not make is refused before any is used.

    Raises:
        ReviewError: it says what the file is.
    """
    fix = "name another file: --db FILE"
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise ReviewError("a review database", f"{path.name}, an SQLite file of something else", str(path), fix)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        fix = "use the version of answerable that made it, or a newer one" if version > VERSION else fix
        raise ReviewError(f"a review database of version {VERSION}", f"version={version}", str(path), fix)
    rows = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    if sorted(str(sql) for (sql,) in rows) != sorted(TABLES):
        raise ReviewError("the tables of a review database", f"others in {path.name}", str(path), fix)
