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

#: Why a named series and position give no cell.
_ABSENT = """CASE WHEN NOT EXISTS (SELECT 1 FROM series WHERE name = {series}) THEN 'no such series'
    WHEN NOT EXISTS (SELECT 1 FROM position WHERE name = {position}) THEN 'no such position' END"""
_LOOKUP = f"""INSERT INTO node SELECT :id,
    (SELECT value FROM cell WHERE series = :series AND position = :position),
    {_ABSENT.format(series=":series", position=":position")}"""  # noqa
