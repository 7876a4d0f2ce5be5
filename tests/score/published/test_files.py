"""A paper's folder: what is read, and how damage is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answerable.core.errors import SourceError
from answerable.score.published.files import read_paper

SHEET: dict[str, Any] = {
    "name": "dual", "place": "table 1", "what": "accuracy", "unit": "per cent", "file": "dual.csv",
    "keys": ["model", "problem"], "spread": "setting", "columns": ["base", "option"],
    "down": ["model"], "across": ["problem", "setting"],
}  # fmt: skip
TEXT = 'model,problem,base,option\nGPT4o,AAD,45.6,57.8\n"Qwen, 2",AAD,11.5,\n'


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """A paper's folder with one table."""

    def make(text: str = TEXT, **changes: object) -> Path:
        path = tmp_path / "paper"
        path.mkdir(exist_ok=True)
        about = {"name": "paper", "title": "A Title", "read": "table 1", "tables": [SHEET | changes]}
        (path / "sources.json").write_text(json.dumps(about), encoding="utf-8")
        (path / "dual.csv").write_bytes(text.encode("utf-8"))
        return path

    return make


def failure(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_paper(path)
    return str(caught.value)


def test_a_row_becomes_one_row_a_figure(folder: Callable[..., Path]) -> None:
    table = read_paper(folder()).table("dual")
    assert table.header == ("model", "problem", "setting", "value")
    # An empty cell is a figure that the paper does not print.
    assert table.rows == (
        ("GPT4o", "AAD", "base", "45.6"), ("GPT4o", "AAD", "option", "57.8"), ("Qwen, 2", "AAD", "base", "11.5"),
    )  # fmt: skip


def test_without_a_spread_a_row_stays_a_row(folder: Callable[..., Path]) -> None:
    table = read_paper(folder(spread="", across=["problem"])).table()
    assert table.header == ("model", "problem", "base", "option")
    assert table.rows == (("GPT4o", "AAD", "45.6", "57.8"), ("Qwen, 2", "AAD", "11.5", ""))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the header model,problem,base,option; got ''\n  where: paper/dual.csv:1"),
        ("model,problem,option,base\n", "got 'model,problem,option,base'\n  where: paper/dual.csv:1"),
        (TEXT + "GPT4o,AAD,1.0,1.0\n", "expected every row once; got GPT4o,AAD again\n  where: paper/dual.csv:4"),
        (TEXT + "a,b,1.0\n", "expected 4 cells; got 3\n  where: paper/dual.csv:4"),
        (TEXT + "\n", "expected 4 cells; got 0\n  where: paper/dual.csv:4"),
        (TEXT + ",AAD,1.0,1.0\n", "expected a value for each of model, problem; got ',AAD,1.0,1.0'"),
        (TEXT + "a,b,1.0,x\n", "expected a figure such as 37.1, or nothing; got option='x'\n  where: paper/dual.csv:4"),
        (TEXT + "a,b,-1.0,2.0\n", "got base='-1.0'"),
        (TEXT + "a,b,1 000,2.0\n", "got base='1 000'"),
        (TEXT + "a,b,nan,2.0\n", "got base='nan'"),
    ],
)  # fmt: skip
def test_damage_is_named_with_its_line(folder: Callable[..., Path], text: str, message: str) -> None:
    assert message in failure(folder(text))


def test_bytes_that_are_no_text(folder: Callable[..., Path]) -> None:
    path = folder()
    (path / "dual.csv").write_bytes(b"model,problem,base,option\n\xff,AAD,1.0,1.0\n")
    message = failure(path)
    assert "a readable file of published figures" in message and "paper/dual.csv" in message


def test_a_file_that_is_missing(folder: Callable[..., Path]) -> None:
    path = folder(file="other.csv")
    message = failure(path)
    assert "a readable file of published figures" in message and "paper/other.csv" in message


def test_a_description_of_another_shape(folder: Callable[..., Path]) -> None:
    assert "a description of a paper and its tables" in failure(folder(colour="red"))
    assert "paper/sources.json" in failure(folder(colour="red"))
    path = folder()
    (path / "sources.json").write_text("[", encoding="utf-8")
    assert "a description of a paper and its tables" in failure(path)


def test_tables_need_names_of_their_own(folder: Callable[..., Path]) -> None:
    path = folder()
    about = {"name": "paper", "title": "A Title", "read": "", "tables": [SHEET, SHEET]}
    (path / "sources.json").write_text(json.dumps(about), encoding="utf-8")
    assert "each with a name of its own; got names=['dual', 'dual']" in failure(path)
    (path / "sources.json").write_text(json.dumps(about | {"tables": []}), encoding="utf-8")
    assert "at least one table" in failure(path)


def test_a_page_is_made_of_keys_that_there_are(folder: Callable[..., Path]) -> None:
    assert "rows, columns and pages made of different keys" in failure(folder(down=["metric"]))
    assert "rows, columns and pages made of different keys" in failure(folder(pages=["model"]))
