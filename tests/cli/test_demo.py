"""The demo: the whole job offline, and what its table must say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small demo, run once."""
    out = tmp_path_factory.mktemp("demo") / "demo"
    assert run_command(["demo", "--out", str(out), "--groups", "12", "--no-open"]) == 0
    return out


def figures(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, dict[str, float]]]:
    runs = sorted(str(path) for path in (folder / "runs").iterdir())
    capsys.readouterr()
    assert run_command(["score", *runs, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {run: dict(sources["chart-sampler"]) for run, sources in found.items()}


def test_headline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(folder, capsys)
    assert found["oracle"]["J"]["value"] == 1
    for name in ("always-answer", "always-abstain", "mask-shy", "frequent", "random"):
        assert found[name]["J"]["value"] == 0
        assert found[name]["J"]["denominator"] == 12


def test_mask_shy_fails_exactly_on_k(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shy = figures(folder, capsys)["mask-shy"]
    assert (shy["E_K"]["numerator"], shy["E_K"]["denominator"]) == (12, 12)
    assert shy["J_5"]["value"] == 1
    assert (shy["E"]["numerator"], shy["E"]["denominator"]) == (12, 72)


def test_report_is_written_and_loads_nothing(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "mask-shy" in page
    assert 'src="http' not in page
    assert 'href="http' not in page


def test_a_second_demo_keeps_what_is_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "bench" / "benchmark.json").read_bytes()
    assert run_command(["demo", "--out", str(folder), "--groups", "12", "--no-open"]) == 0
    assert (folder / "bench" / "benchmark.json").read_bytes() == before
    assert "0 new" in capsys.readouterr().out


def test_model_needs_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["demo", "--out", str(tmp_path / "d"), "--model", "mine"]) == 2
    assert "--model and --base-url together" in capsys.readouterr().err
    assert not (tmp_path / "d").exists()
