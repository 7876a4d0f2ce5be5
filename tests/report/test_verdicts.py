"""The verdict table."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answerable.core.errors import InputError
from answerable.core.scores import VERDICTS
from answerable.report.verdicts import VerdictTable
from tests.core.small import no_text
from tests.report.conftest import Scored


def test_rows_come_back_by_group(scored: Scored) -> None:
    table = VerdictTable(scored.folder)
    assert len(table) == len(scored.rows)
    assert "g000" in table
    assert "nobody" not in table
    rows = table.rows("g000")
    assert [row.view for _, row in rows] == [row["view"] for row in scored.rows if row["group"] == "g000"]
    assert [number for number, _ in rows] == table.marks_of("g000")
    assert table.rows("nobody") == []


def test_marks_tell_every_kind_apart(scored: Scored) -> None:
    marks = VerdictTable(scored.folder).marks()
    assert len(set(marks)) == len(marks)
    wanted = {
        (r["run"], r["state"], r["outcome"], r["status"], (r["why"] or "") if r["outcome"] == "invalid" else "")
        for r in scored.rows
    }
    assert {(m.run, m.state, m.outcome, m.status, m.why) for m in marks} == wanted


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"run": ["a"], "group": ["g"]}), tmp_path / VERDICTS)
    with pytest.raises(InputError, match="got none named view, source, state"):
        VerdictTable(tmp_path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / VERDICTS).write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match="expected a readable Parquet file of verdicts"):
        VerdictTable(tmp_path)


def test_text_that_is_no_text_is_refused_in_words(scored: Scored, tmp_path: Path) -> None:
    table = pq.read_table(scored.folder / VERDICTS)
    place = table.schema.get_field_index("answer")
    pq.write_table(table.set_column(place, "answer", no_text(len(table))), tmp_path / VERDICTS)
    with pytest.raises(InputError, match=r"expected a readable Parquet file of verdicts; got .*Invalid UTF8"):
        VerdictTable(tmp_path)
