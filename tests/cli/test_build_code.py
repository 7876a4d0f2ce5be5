"""``answerable build code`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark


def build(out: Path, *words: str) -> int:
    return run_command(["build", "code", "--out", str(out), "--workers", "1", *words])


def test_made_up_code_is_built_and_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path / "b", "--groups", "6", "--seed", "4", "--programs", "all") == 0
    text = capsys.readouterr().out
    benchmark = Benchmark(tmp_path / "b")
    benchmark.verify()
    assert (benchmark.manifest.name, benchmark.manifest.groups) == ("code", 6)
    assert "code-s1 (test)" in text
    assert "F S K C D M" in text
    assert run_command(["certify", str(tmp_path / "b"), "--workers", "1", "--audit", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["holds"]
    assert found["certificate"]["statuses"] == {"accepted": 6}
    assert all(line["refused"] == line["trials"] == 20 for line in found["audit"]["lines"])


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--groups", "3", "--train-groups", "1", "--seed", "9", "--strategies", "s3,s2", "--programs", "random",
             "--themes", "vs,nord", "--held-out", "vs", "--name", "mine", "--json"]  # fmt: skip
    assert build(tmp_path / "b", *words) == 0
    found = json.loads(capsys.readouterr().out)["benchmark"]
    assert found["name"] == "mine"
    assert found["settings"]["code"] == {
        "groups": 3, "train_groups": 1, "seed": 9, "strategies": ["s3", "s2"], "programs": "random",
        "themes": ["vs", "nord"], "held_out": "vs",
    }  # fmt: skip
    assert found["settings"]["source"] == ["made-up programs from seed 9"]
    card = (tmp_path / "b" / "README.md").read_text(encoding="utf-8")
    assert "The theme `vs` is in test groups only." in card


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--groups", "0"], "expected at least one group; got groups=0"),
        (["--groups", "1", "--strategies", "s4"], "expected some of s1, s2, s3; got 's4'"),
        (["--groups", "1", "--strategies", ","], "expected some of s1, s2, s3; got none"),
        (["--groups", "1", "--programs", "hard"], "expected some of all, plain, random; got 'hard'"),
        (["--groups", "1", "--themes", "pink"], "got 'pink'"),
        (["--groups", "1", "--held-out", "pink"], "got 'pink'"),
        (["--groups", "1", "--themes", "vs", "--held-out", "nord"], "a held-out theme among vs; got 'nord'"),
    ],
)
def test_bad_settings_are_said(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path / "b", *words) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "b").exists()
