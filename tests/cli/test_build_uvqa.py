"""``answerable build uvqa`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.build.importers import put
from tests.core.small import picture

SHEET = "image,question,answer,strategy\na.png,Is it day?,Yes,\na.png,Who is it?,Unanswerable,S.4\n"


def command(root: Path, *words: str, sheet: str = SHEET) -> int:
    put(root / "photos/a.png", picture("a"))
    put(root / "q.csv", sheet)
    return run_command(["build", "uvqa", "--from", str(root / "photos"), "--questions", str(root / "q.csv"), *words])


def test_built_run_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, run = str(tmp_path / "b"), str(tmp_path / "run")
    assert command(tmp_path, "--out", out) == 0
    text = capsys.readouterr().out
    assert "2 questions on 1 photos, 0 rows with an error" in text
    assert "warning: strategies without a question" in text
    assert f"fingerprint {Benchmark(tmp_path / 'b').manifest.fingerprint}" in text
    assert run_command(["certify", out]) == 0
    assert run_command(["run", out, "--model", "reference/oracle", "--out", run]) == 0
    capsys.readouterr()
    assert run_command(["score", run, "--json", "--draws", "20"]) == 0
    (sources,) = json.loads(capsys.readouterr().out).values()
    assert sources["uvqa"]["F1_unanswerable"]["value"] == sources["uvqa"]["R_unanswerable_S_4"]["value"] == 1.0


def test_a_check_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    assert command(tmp_path, "--check") == 0
    assert "warning: strategies without a question" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "photos", "q.csv"])
    assert command(tmp_path, "--check", "--json", sheet=f"{SHEET}b.png,Is it?,Yes,\n") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["findings"][0] == {"level": "error", "what": "no image", "detail": "row 4: b.png"}


def test_rows_with_an_error_are_shown_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = SHEET + "".join(f"a.png,Is it {n}?,Perhaps,\n" for n in range(7))
    assert command(tmp_path, "--out", str(tmp_path / "b"), "--json", sheet=sheet) == 0
    assert json.loads(capsys.readouterr().out)["ledger"]["lines"][0]["refused"] == {"the answer is no label": 7}
    assert command(tmp_path, "--check", sheet=sheet) == 1
    text = capsys.readouterr().out
    # The first five of a kind, and how many there are.
    assert "row 8" in text
    assert "row 9" not in text
    assert "2 questions on 1 photos, 7 rows with an error" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected a folder to build, or only a check; got neither"),
        (["--check", "--balance-limit", "half"], "expected a number of 1 or more; got 'half'"),
    ],
)
def test_flags_that_cannot_be_met(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path, *words) == 2
    assert message in capsys.readouterr().err
