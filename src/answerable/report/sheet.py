"""Verdicts as CSV for spreadsheets: cells that a spreadsheet would run as a formula get an apostrophe.

The scores folder keeps the raw texts; this copy says, row by row, which of its cells were changed.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from answerable.core.files import replacing
from answerable.core.scores import VERDICT_COLUMNS
from answerable.report.verdicts import VerdictTable

#: The column that marks the file: names of the cells of its row that got an apostrophe.
MARK = "spreadsheet_safe"
#: A cell that begins with one of these may run as a formula (full-width signs count too in some programs).
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe(cell: str) -> str:
    """The cell, with an apostrophe before it when a spreadsheet could run it."""
    return f"'{cell}" if cell.startswith(_RISKY) else cell


def write_csv(scores_folder: Path, out: Path, advance: Callable[[int], None] | None = None) -> int:
    """Write every verdict as a row of CSV (UTF-8 with a byte order mark, lines ended by CR LF).

    The last column, ``spreadsheet_safe``, names the cells of its row that got an apostrophe. An absent value is
    an empty cell. Returns the number of rows.

    Raises:
        InputError: the folder has no readable verdicts.
        StorageError: the disk refused the write; an older file stays as it was.
    """
    table = VerdictTable(scores_folder)
    rows = 0
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*VERDICT_COLUMNS, MARK])
        for row in table.everything():
            cells = {name: "" if row[name] is None else str(row[name]) for name in VERDICT_COLUMNS}
            changed = [name for name, cell in cells.items() if safe(cell) != cell]
            writer.writerow([*(safe(cell) for cell in cells.values()), " ".join(changed)])
            rows += 1
            if advance is not None:
                advance(1)
    return rows
