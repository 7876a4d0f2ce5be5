"""``answerable build choice`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark


def build(out: Path, *words: str) -> int:
    return run_command(["build", "choice", "--out", str(out), "--workers", "1", *words])


def certify(folder: Path, *words: str) -> int:
    return run_command(["certify", str(folder), "--workers", "1", *words])


def test_made_up_charts_certify_and_every_planted_fault_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "b"
    assert build(out, "--groups", "3", "--seed", "4", "--settings", "base,option", "--name", "my choices") == 0
    text = capsys.readouterr().out
    made = Benchmark(out)
    made.verify()
    assert (made.manifest.name, made.manifest.groups) == ("my choices", 9)
    for name in ("chart-aad (test)", "chart-iasd (test)", "chart-ivqd (test)"):
        assert name in text
    assert f"fingerprint {made.manifest.fingerprint}" in text
    assert certify(out, "--audit", "--trials", "6") == 0


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--domain", "table", "--problems", "ivqd,AAD", "--settings", "instruction", "--programs", "sum,count",
             "--groups", "2", "--train-groups", "1", "--seed", "9", "--json"]  # fmt: skip
    assert build(tmp_path / "b", *words) == 0
    settings = json.loads(capsys.readouterr().out)["benchmark"]["settings"]["choice"]
    assert settings == {
        "domain": "table", "groups": 2, "train_groups": 1, "seed": 9, "problems": ["IVQD", "AAD"],
        "settings": ["instruction"], "programs": ["sum", "count"],
    }  # fmt: skip


def test_code_has_all_problems(tmp_path: Path) -> None:
    assert build(tmp_path / "b", "--domain", "code", "--groups", "2", "--settings", "base") == 0
    assert {view.state for view in Benchmark(tmp_path / "b").views()} == {"F", "AAD", "IASD", "IVQD"}


def test_an_explanation_tells_the_premises_and_draws_the_views(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path / "b", "--groups", "1", "--problems", "ivqd", "--settings", "option") == 0
    group = next(Benchmark(tmp_path / "b").groups()).id
    capsys.readouterr()
    assert certify(tmp_path / "b", "--explain", group, "--out", str(tmp_path / "sheet.png")) == 0
    text = capsys.readouterr().out
    assert "unsolvable" in text
    assert "accepted: every premise holds" in text
    assert (tmp_path / "sheet.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--domain", "scene"], "one of chart, table, code; got 'scene'"),
        (["--problems", "aad,xyz"], "some of aad, iasd, ivqd; got 'xyz'"),
        (["--settings", "hard"], "some of base, option, instruction, original; got 'hard'"),
        (["--programs", "riddle"], "got 'riddle'"),
        (["--domain", "code", "--problems", "ivqd", "--programs", "output"], "a family of questions for IVQD"),
    ],
)
def test_what_cannot_be_built_is_said(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path / "b", "--groups", "1", *words) != 0
    assert said in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
