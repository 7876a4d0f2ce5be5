"""``answerable build table`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark

CSV = "Day,Kind,Visitors,Income\nMon,a,120,$12.50\nTue,b,80,$11.00\nWed,a,99,$9.25\nThu,c,140,$10.00\n"
PROBLEM = {
    "question": "How much more does a kite cost than a drum?", "table": "kite | $12.50\ndrum | $8.00\nball | $1.00",
    "table_title": None, "choices": None, "answer": "4.50", "solution": "$12.50 - $8.00 = $4.50",
}  # fmt: skip


def build(out: Path, *words: str) -> int:
    return run_command(["build", "table", "--out", str(out), "--workers", "1", *words])


def test_made_up_tables_of_all_programs_certify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "b"
    assert build(out, "--groups", "14", "--seed", "4", "--programs", "all", "--name", "my tables") == 0
    text = capsys.readouterr().out
    made = Benchmark(out)
    made.verify()
    assert (made.manifest.name, made.manifest.groups) == ("my tables", 14)
    assert "table-sampler (test)" in text
    assert f"fingerprint {made.manifest.fingerprint}" in text
    assert run_command(["certify", str(out), "--workers", "1"]) == 0


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--groups", "3", "--train-groups", "1", "--seed", "9", "--styles", "book,sheet", "--held-out", "book",
             "--mask", "ink", "--programs", "sum,any", "--choices", "--per-figure", "1", "--json"]  # fmt: skip
    assert build(tmp_path / "b", *words) == 0
    settings = json.loads(capsys.readouterr().out)["benchmark"]["settings"]["table"]
    assert settings == {
        "groups": 3, "train_groups": 1, "seed": 9, "styles": ["book", "sheet"], "held_out": "book", "mask": "ink",
        "programs": ["sum", "any"], "choices": True, "per_figure": 1,
    }  # fmt: skip


def test_a_table_of_your_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "visits.csv"
    path.write_text(CSV, encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(path), "--groups", "50", "--title", "A title") == 0
    assert "kept 8 of 50 groups asked for" in capsys.readouterr().out
    world = json.loads(bytes(next(Benchmark(tmp_path / "b").proofs()).body))["worlds"]["F"]
    assert (world["title"], [field["kind"] for field in world["fields"]]) == ("A title", ["text", "integer", "money"])


def test_a_folder_of_tables(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.csv", "b.csv", "notes.txt"):
        (folder / name).write_text(CSV, encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(folder), "--groups", "12") == 0
    assert {view.figure for view in Benchmark(tmp_path / "b").views()} == {"a.csv#0", "b.csv#0"}


def test_word_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "problems.json"
    path.write_text(json.dumps({"1": PROBLEM, "2": PROBLEM | {"answer": "5"}}), encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(path), "--groups", "9", "--json") == 0
    ledger = json.loads(capsys.readouterr().out)["ledger"]
    assert ledger["lines"][0]["refused"] == {"program gives another answer": 1}
    assert (ledger["kept"], ledger["asked"]) == (1, 9)
    assert {view.question for view in Benchmark(tmp_path / "b").views()} == {PROBLEM["question"]}
    assert run_command(["certify", str(tmp_path / "b"), "--workers", "1"]) == 0


@pytest.mark.parametrize(
    ("files", "given", "message"),
    [
        ({}, "nowhere.csv", "expected a file or folder"),
        ({"a.txt": "x"}, "a.txt", "expected a .csv, .tsv or .parquet table"),
        ({"d/a.csv": CSV, "d/b.json": "{}"}, "d", "expected tables or problems; got both"),
        ({"d/a.json": "{}", "d/b.json": "{}"}, "d", "got 2 .json files"),
        ({"a.csv": "n,k\nx,y\n"}, "a.csv", "expected a column of numbers or times"),
        ({"a.json": "{}"}, "a.json", "expected a source that gives at least one group"),
    ],
)
def test_sources_that_give_nothing(
    files: dict[str, str], given: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(tmp_path / given), "--groups", "3") == 2
    assert message in capsys.readouterr().err


def test_unknown_programs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path / "b", "--groups", "1", "--programs", "median") == 2
    text = capsys.readouterr().err
    assert "'median'" in text
    assert "look-up" in text
    assert not (tmp_path / "b" / "benchmark.json").exists()


def test_texts_that_cannot_be_drawn_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,k,a\nx,שלום,1\ny,b,2\nz,c,3\n", encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(path), "--groups", "3") == 2
    assert "no glyph" in capsys.readouterr().err
