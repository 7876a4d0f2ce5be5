"""The spreadsheet export: marked, harmless, and undone by removing one apostrophe."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import InputError
from answerable.core.scores import VERDICT_COLUMNS, VERDICTS
from answerable.report.sheet import MARK, safe, write_csv
from tests.report.conftest import Scored


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_cell_that_could_run_gets_an_apostrophe(first: str) -> None:
    assert safe(first + "1+1") == f"'{first}1+1"


@given(st.text())
def test_safe_cells_never_begin_like_a_formula(text: str) -> None:
    shown = safe(text)
    assert shown[:1] not in set("=+-@\t\r\n")
    assert shown in (text, "'" + text)


def test_other_cells_stay_as_they_are() -> None:
    for text in ("", "12", "'=1", " =1", "a=b", "<b>"):
        assert safe(text) == text


def test_every_verdict_is_a_row_and_says_what_was_changed(scored: Scored, tmp_path: Path) -> None:
    before = (scored.folder / VERDICTS).read_bytes()
    assert write_csv(scored.folder, tmp_path / "v.csv") == len(scored.rows)
    with (tmp_path / "v.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [*VERDICT_COLUMNS, MARK]
    for shown, raw in zip(rows, scored.rows, strict=True):
        changed = shown[MARK].split()
        for name in VERDICT_COLUMNS:
            text = "" if raw[name] is None else str(raw[name])
            assert shown[name] == ("'" + text if name in changed else text)
            assert not shown[name].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert any(row[MARK] for row in rows)
    assert (scored.folder / VERDICTS).read_bytes() == before


def test_no_verdicts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a scores folder with verdicts\.parquet"):
        write_csv(tmp_path, tmp_path / "v.csv")
    assert not (tmp_path / "v.csv").exists()
