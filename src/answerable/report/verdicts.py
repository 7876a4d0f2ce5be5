"""The verdict table: a row a reply. Codes for every row, texts only for the rows that are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from answerable.core.errors import InputError
from answerable.core.parquet import check, readable
from answerable.core.records import Record
from answerable.core.scores import VERDICT_COLUMNS, VERDICTS

if TYPE_CHECKING:
    import pyarrow as pa


class Verdict(Record, frozen=True):
    """One row of ``verdicts.parquet``."""

    run: str
    group: str
    view: str
    source: str
    state: str
    repeat: int
    outcome: str
    decision_right: bool | None
    answer_right: bool | None
    reading: str
    answer: str | None = None
    rule: str | None = None
    why: str | None = None
    status: str | None = None
    finish_reason: str | None = None
    reply: str | None = None
    reasoning: str | None = None
    seconds: float | None = None


class Mark(Record, frozen=True):
    """What a row shows at a glance: rows with the same mark look alike."""

    run: str
    state: str
    outcome: str
    status: str
    """How the reply ended, or what failed; empty where nothing was said."""
    why: str
    """Why a reply cannot be read; empty for others."""


class VerdictTable:
    """All verdicts of a scores folder in columns.

    Raises:
        InputError: there is no such file, or it lacks a column.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / VERDICTS
        self._table = _read(self.path)
        self._rows: dict[str, list[int]] = {}
        for row, group in enumerate(self._table["group"].to_pylist()):
            self._rows.setdefault(str(group), []).append(row)
        self._marks, self._numbers = _marks(self._table)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def groups(self) -> tuple[str, ...]:
        """Every group that has a verdict, in file order."""
        return tuple(self._rows)

    def __contains__(self, group: str) -> bool:
        return group in self._rows

    def marks(self) -> tuple[Mark, ...]:
        """Every mark that occurs, in order of first appearance."""
        return self._marks

    def marks_of(self, group: str) -> list[int]:
        """The numbers (into ``marks``) of a group's rows."""
        return [self._numbers[row] for row in self._rows.get(group, [])]

    def rows(self, group: str) -> list[tuple[int, Verdict]]:
        """A group's rows with their texts, each with the number of its mark."""
        import pyarrow as pa

        places = self._rows.get(group, [])
        held = self._table.take(pa.array(places, pa.int64())).to_pylist()
        return [
            (self._numbers[place], msgspec.convert(row, Verdict))
            for place, row in zip(places, held, strict=True)
        ]  # fmt: skip

    def everything(self, batch: int = 4096) -> Iterator[dict[str, Any]]:
        """Every row as plain values, a batch at a time in memory."""
        for part in self._table.to_batches(max_chunksize=batch):
            yield from part.to_pylist()


def _read(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(f"a scores folder with {VERDICTS}", str(path.parent), fix="make one with 'answerable score'")
    with readable(path, InputError, " of verdicts"), pq.ParquetFile(path) as file:
        missing = [name for name in VERDICT_COLUMNS if name not in file.schema_arrow.names]
        if missing:
            raise InputError(
                f"the columns {', '.join(VERDICT_COLUMNS)}", f"none named {', '.join(missing)}", where=str(path)
            )
        table = file.read(columns=list(VERDICT_COLUMNS))
        check(table)
        return table


def _marks(table: pa.Table) -> tuple[tuple[Mark, ...], Sequence[int]]:
    columns = [table[name].to_pylist() for name in ("run", "state", "outcome", "status", "why")]
    seen: dict[tuple[str, ...], int] = {}
    numbers: list[int] = []
    for run, state, outcome, status, why in zip(*columns, strict=True):
        key = (run, state, outcome, status or "", (why or "") if outcome == "invalid" else "")
        numbers.append(seen.setdefault(key, len(seen)))
    return tuple(Mark(*key) for key in seen), numbers
