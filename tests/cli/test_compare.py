"""``answerable compare`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.score.fake import answered, groups_of, oracle, scripted, write_benchmark, write_run, wrong

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return write_benchmark(tmp_path / "bench", groups_of(8))


def call(benchmark: Benchmark, *arguments: object) -> int:
    return run_command([str(word) for word in ("compare", *arguments, "--benchmark", benchmark.path, "--draws", 100)])


def test_differences_are_sorted_by_whether_they_exclude_zero(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured
) -> None:
    close = scripted({"chart-00003": {"F": answered("8")}})
    runs = [
        write_run(tmp_path / name, benchmark, policy).path
        for name, policy in (("gold", oracle), ("close", close), ("bad", wrong))
    ]
    assert call(benchmark, *runs, "--metric", "J", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {(row["a"], row["b"]) for row in found["excludes_zero"]} == {("gold", "bad"), ("close", "bad")}
    [row] = found["includes_zero"]
    assert (row["a"], row["b"], row["source"], row["metric"], row["groups"]) == ("gold", "close", "chart", "J", 8)
    assert row["value"] == 1 / 8 and row["interval"][0] == 0 and row["interval"][1] > 0
    assert any("not adjusted" in note for note in found["notes"])


def test_the_tables(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    runs = [write_run(tmp_path / name, benchmark, policy).path for name, policy in (("gold", oracle), ("bad", wrong))]
    assert call(benchmark, *runs) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "interval excludes zero (per cent points)" in text
    assert "gold - bad" in text and "+100.00" in text and "[+100.00, +100.00]" in text and "J_5" in text
    assert "interval does not exclude zero: none" in text
    assert "same draws on shared groups" in text


def test_all_metrics_and_families(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    runs = [write_run(tmp_path / name, benchmark, oracle).path for name in ("a", "b")]
    assert call(benchmark, *runs, "--metric", "all", "--json") == 0
    every = json.loads(capsys.readouterr().out)["includes_zero"]
    assert {"J", "disagreement", "E_FSM", "A_F"} <= {row["metric"] for row in every}
    assert call(benchmark, *runs, "--metric", "J_k", "--metric", "E_M", "--json") == 0
    some = json.loads(capsys.readouterr().out)["includes_zero"]
    assert {row["metric"] for row in some} == {"J_5", "E_M"}


def test_shared_groups_are_printed(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    whole = write_run(tmp_path / "whole", benchmark, oracle).path
    part = write_run(tmp_path / "part", benchmark, wrong, limit=3).path
    assert call(benchmark, whole, part, "--metric", "B", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["groups"] for row in found["excludes_zero"]] == [3]
    assert any("LIMITED part: asked 3 of 8 groups" in note for note in found["notes"])


def test_bad_input(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    run = write_run(tmp_path / "a", benchmark, oracle).path
    assert call(benchmark, run) == 2
    assert "at least two runs to compare" in capsys.readouterr().err
    other = write_run(tmp_path / "b", benchmark, oracle).path
    assert call(benchmark, run, other, "--metric", "K") == 2
    assert "a metric, one of J, B" in capsys.readouterr().err


def test_incomplete_runs_are_said_to_be_so_in_the_tables(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured
) -> None:
    whole = write_run(tmp_path / "whole", benchmark, oracle).path
    part = write_run(tmp_path / "part", benchmark, lambda view: None if view.state == "I" else oracle(view)).path
    assert call(benchmark, whole, part) == 2
    assert "8 missing" in capsys.readouterr().err
    assert call(benchmark, whole, part, "--allow-incomplete") == 0
    assert "INCOMPLETE: 8 missing replies count as failed" in " ".join(capsys.readouterr().out.split())
