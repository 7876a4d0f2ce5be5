"""``answerable build tubench`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.build.importers import put, ucr, ugeoqa, utabmwp, uvqa

MAKE = {"ucr": ucr, "uvqa": uvqa, "ugeoqa": ugeoqa, "utabmwp": utabmwp}


def command(source: Path, out: Path, *words: str) -> int:
    return run_command(["build", "tubench", "--from", str(source), "--out", str(out), *words])


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ugeoqa(tmp_path / "UGeoQA")
    put(root / "readme.txt", "")
    assert command(tmp_path, tmp_path / "b", "--name", "geometry") == 0
    text = capsys.readouterr().out
    made = Benchmark(tmp_path / "b")
    assert f"fingerprint {made.manifest.fingerprint}" in text
    assert made.manifest.name == "geometry"
    assert "an extra file" in text
    assert "questions read: 1 answerable, 1 unanswerable, 1 images; part of the set (published: 487, 487, 487)" in text


def test_json_and_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--set", "ugeoqa", "--language", "en", "--json"]
    assert command(ugeoqa(tmp_path / "in"), tmp_path / "b", *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["benchmark"]["settings"]["tubench"] == {"set": "ugeoqa", "language": "en"}
    assert found["ledger"]["lines"][0]["kept"] == 1
    assert [view.question for view in Benchmark(tmp_path / "b").views()] == [
        "OA = 2, OB = 4, then AB = ()", "OA = 2, then AB = ()",
    ]  # fmt: skip


@pytest.mark.parametrize("name", MAKE)
def test_certified_run_and_scored(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    bench, run = str(tmp_path / "b"), str(tmp_path / "run")
    assert command(MAKE[name](tmp_path / "in"), tmp_path / "b") == 0
    assert run_command(["certify", bench]) == 0
    assert run_command(["run", bench, "--model", "reference/oracle", "--out", run]) == 0
    capsys.readouterr()
    assert run_command(["score", run, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (scores,) = found.values()
    figures = scores[f"tubench-{name}"]
    strategies = {"ucr": (1, 2, 3), "uvqa": (4, 5, 6, 7, 8), "ugeoqa": (9,), "utabmwp": (10,)}[name]
    for figure in ("J", "F1_unanswerable", "ACC2", "OACC", *(f"R_unanswerable_S_{number}" for number in strategies)):
        assert figures[figure]["value"] == 1.0, figure


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "odd"], "expected one of ucr, uvqa, ugeoqa, utabmwp, hf; got 'odd'"),
        (["--language", "fr"], "expected a language of the set ugeoqa: zh, en; got 'fr'"),
        (["--set", "uvqa"], "expected a folder that gives at least one group; got none; refused: "),
    ],
)
def test_flags_that_cannot_be_met(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(ugeoqa(tmp_path / "in"), tmp_path / "b", *words) == 2
    assert message in capsys.readouterr().err
