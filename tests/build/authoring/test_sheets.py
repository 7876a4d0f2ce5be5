"""Sheets that people write, and files that only look like one."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.authoring.sheets import read_rows
from answerable.build.importers.items import Folder
from answerable.core.errors import SourceError
from tests.build.importers import put

NEEDED, KNOWN = ("image", "question"), ("id",)


def cells(path: Path) -> list[dict[str, str]]:
    return [dict(row.cells) for row in read_rows(Folder(path.parent), path.name, NEEDED, KNOWN)]


ROWS = [{"image": "a.png", "question": "Is it, or\nnot?", "id": "7"}, {"image": "b.png", "question": "Is it\t2?"}]
CSV = 'Image, QUESTION ,id\na.png,"Is it, or\nnot?",7\n\n b.png ,"Is it\t2?"\n'
FILES = {
    "q.csv": CSV,
    "q.tsv": 'image\tquestion\tid\na.png\t"Is it, or\nnot?"\t7\nb.png\t"Is it\t2?"\t\n',
    "q.json": json.dumps([{"image": "a.png", "question": "Is it, or\nnot?", "id": 7}, {**ROWS[1], "id": None}]),
    "q.yaml": 'questions:\n- image: a.png\n  question: "Is it, or\\nnot?"\n  id: 7\n'
    '- image: b.png\n  question: "Is it\\t2?"\n',
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_sheet_says_the_same(tmp_path: Path, name: str) -> None:
    found = cells(put(tmp_path / name, FILES[name]))
    assert [{key: cell for key, cell in row.items() if cell} for row in found] == ROWS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = put(tmp_path / "q.csv", "image,question\na.png,图中有几只猫?\n", encoding)
    assert cells(path) == [{"image": "a.png", "question": "图中有几只猫?"}]


def test_texts_stay_texts(tmp_path: Path) -> None:
    path = put(tmp_path / "q.yml", "- image: 0x10\n  question: Yes\n- image: null\n  question: 1e3\n  id: 2020-01-01\n")
    assert cells(path) == [
        {"image": "0x10", "question": "Yes"}, {"image": "null", "question": "1e3", "id": "2020-01-01"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("q.txt", "", "expected a sheet: .csv, .tsv, .json, .yaml, .yml; got q.txt"),
        ("q.csv", "", "expected at least one row; got none"),
        ("q.csv", "image,question\n", "expected at least one row; got none"),
        ("q.csv", "image,answer\na,b\n", "got no question and the unknown answer"),
        ("q.csv", "image,image,question\na,b,c\n", "expected every column once; got more than one image"),
        ("q.csv", "image,question\na.png,Yes, or no?\n", "expected at most 2 cells in a row; got 3"),
        ("q.csv", 'image,question\na.png,"open\n', "expected a table; got unexpected end of data"),
        ("q.csv", b"image,question\n\xff\xfe\xff,\xff\n", "got neither UTF-8 nor GBK"),
        ("q.csv", f"image,question\na.png,{'x' * 200_000}\n", "expected a table; got field larger than"),
        ("q.json", "[", "expected JSON"),
        ("q.json", "{}", "expected a list of questions; got dict"),
        ("q.json", "[3]", "expected a mapping of columns to texts; got str"),
        ("q.json", '[{"image": true, "question": "x"}]', "expected a text; got image is bool"),
        ("q.json", '[{"image": "a", "Image": "b", "question": "x"}]', "expected every column once"),
        ("q.json", "[" * 100_000, "expected JSON"),
        ("q.yaml", "a: &x [1]", 'expected a list: lines that begin with "- "'),
        ("q.yaml", "- image: &x a\n  question: *x", "expected YAML without anchors, aliases and tags; got '&x a'"),
        ("q.yaml", "- image: !!python/object/apply:os.system [ls]", "expected YAML without anchors, aliases and tags"),
    ],
)  # fmt: skip
def test_sheets_that_are_none(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        cells(put(tmp_path / name, content))
    assert message in str(caught.value)
    assert f"where: {tmp_path / name}" in str(caught.value)


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=20)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6), st.sampled_from([(",", "csv"), ("\t", "tsv")]))
def test_any_table_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], kind: tuple[str, str]
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=kind[0])
    writer.writerows([("image", "question"), *rows])
    path = put(tmp_path_factory.mktemp("sheet") / f"q.{kind[1]}", text.getvalue())
    there = [(one.strip(), other.strip()) for one, other in rows if one.strip() or other.strip()]
    if not there:
        with pytest.raises(SourceError, match="at least one row"):
            cells(path)
        return
    assert [(row["image"], row["question"]) for row in cells(path)] == there
