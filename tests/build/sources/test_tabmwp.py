"""Word problems from a file in the form of TabMWP; all problems here are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerable.build.sources.table_worlds import TableFigure
from answerable.build.sources.tabmwp import ProblemSource, table_world
from answerable.core.errors import SourceError
from answerable.core.records import Refusal

SHOP = "red kite | $12.50\nglass marble | $0.25\ndrum | $8.00"


def problem(**changes: Any) -> dict[str, Any]:
    made = {
        "question": "How much more does a red kite cost than a drum?",
        "table": SHOP,
        "table_title": None,
        "choices": None,
        "answer": "4.50",
        "solution": "Subtract.\n\n$12.50 - $8.00 = $4.50",
    }
    return made | changes


def read(folder: Path, *problems: Any) -> list[TableFigure | Refusal]:
    path = folder / "problems.json"
    path.write_text(json.dumps({str(number): entry for number, entry in enumerate(problems)}), encoding="utf-8")
    return list(ProblemSource(path).figures())


def test_a_problem_becomes_a_table_and_its_question(tmp_path: Path) -> None:
    (figure,) = read(tmp_path, problem())
    assert isinstance(figure, TableFigure)
    assert figure.world is not None
    assert (figure.world.header, figure.world.rows) == (False, ("red kite", "glass marble", "drum"))
    assert (figure.id, figure.wording, figure.answer) == ("tabmwp-0", problem()["question"], "4.50")


def test_headers_are_told_from_lists() -> None:
    assert table_world("Name | Shells\nAmy | 3\nBen | 4", "", "n").header
    assert table_world("Country | 1999 | 2004\nPeru | 3 | 5\nChad | 4 | 1", "", "n").header
    assert table_world("Subject | Begin\nArt | 8:30 A.M.\nGym | 9:10 A.M.", "", "n").fields[0].kind == "time"
    assert not table_world(SHOP, "", "n").header


def test_labels_yes_no_and_fractions_are_compared(tmp_path: Path) -> None:
    counted = "Name | Shells\nAmy | 3\nBen | 9"
    schedule = "Club | Begin | End\nChess | 9:00 A.M. | 10:00 A.M.\nChoir | 10:00 A.M. | 11:00 A.M."
    made = read(
        tmp_path,
        problem(question="Who found the most shells?", table=counted, answer="Ben", solution="Ben has 9."),
        problem(question="What fraction of the shells were for Amy? Simplify your answer.", table=counted, answer="1/4",
                solution="\\frac{1}{4} of them"),
        problem(question="Ann has $20. Does she have enough to buy a red kite and a drum?", answer="no",
                solution="Ann does not have enough money."),
        problem(question="Which club ends at 10.00 A.M.?", table=schedule, answer="Chess club",
                solution="Chess club ends then"),
    )  # fmt: skip
    assert [type(figure).__name__ for figure in made] == ["TableFigure"] * 4


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"table": "Stem | Leaf\n1 | 2, 3"}, "cells are lists", "stem-and-leaf"),
        ({"table": "a | 1\nb | ?"}, "empty cell", "empty or asked for"),
        ({"table": "a | 1\nb |"}, "empty cell", "empty or asked for"),
        ({"table": "a | 1\nb | 2 | 3"}, "not a table of rows", "different lengths"),
        ({"table": "a\nb"}, "not a table of rows", "a single column"),
        ({"table": ""}, "not a table of rows", ""),
        ({"table": "a | x\nb | y"}, "no column of numbers", ""),
        ({"table": "drum | $1.00\ndrum | $2.00"}, "malformed table", "different names"),
        ({"table": "東 | $1.00\ndrum | $2.00"}, "no glyph", "6771"),
        ({"table": "word " * 60 + "| $1.00\ndrum | $2.00"}, "malformed table", "at most 200 signs"),
        ({"question": "Which is nicest?"}, "question not understood", "nicest"),
        ({"question": "When does Art begin?", "answer": "8:30 A.M."}, "asks for a time of day", "Art"),
        ({"answer": "4.51"}, "program gives another answer", "'4.51'"),
        ({"answer": "four"}, "program gives another answer", "'four'"),
        ({"answer": "9/0"}, "program gives another answer", "'9/0'"),
        ({"solution": "It is obvious."}, "solution does not give the answer", "'4.50'"),
        ({"question": 3}, "not a problem", "expected texts"),
        ({"table_title": 3}, "not a problem", "expected a title"),
        ({"choices": "yes"}, "not a problem", "expected a title and a list of choices"),
    ],
)
def test_what_cannot_be_proved_is_refused_with_a_reason(
    changes: dict[str, Any], reason: str, detail: str, tmp_path: Path
) -> None:
    (found,) = read(tmp_path, problem(**changes))
    assert isinstance(found, Refusal)
    assert found.reason == reason
    assert found.detail.startswith("0: ")
    assert detail in found.detail


def test_an_entry_that_is_no_object_is_refused(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "a text")
    assert isinstance(found, Refusal)
    assert found.reason == "not a problem"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[1]", "expected an object of problems by their number; got list"),
        (b"{", "expected a JSON file of problems"),
        (b"\xff", "expected a JSON file of problems"),
        (b"[" * 100_000, "expected a JSON file of problems"),
    ],
)
def test_files_that_hold_no_problems_are_errors(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "problems.json"
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        list(ProblemSource(path).figures())
    assert message in str(caught.value)


def test_the_source_names_its_licence_and_file(tmp_path: Path) -> None:
    path = tmp_path / "problems.json"
    path.write_text("{}", encoding="utf-8")
    source = ProblemSource(path)
    assert "NC" in source.licence
    assert source.describe()[0].startswith("problems.json sha256=")
