"""``answerable build ugeoqa`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.build.importers import put, ugeoqa


def command(source: Path, out: Path, *words: str) -> int:
    return run_command(["build", "ugeoqa", "--from", str(source), "--out", str(out), *words])


def test_candidates_are_kept_and_then_scored_as_tubench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ugeoqa(tmp_path / "in")
    assert command(root, tmp_path / "b", "--language", "en") == 0
    text = capsys.readouterr().out
    assert "candidates: 2" in text
    assert "ugeoqa-candidates (test)" in text
    first, second = Benchmark(tmp_path / "b").groups()
    said = [{"group": first.id, "decision": "keep", "reviewer": "r"}]
    said.append({"group": second.id, "decision": "drop", "reviewer": "r", "reason": "follows from the rest"})
    path = put(tmp_path / "said.jsonl", "\n".join(map(json.dumps, said)))
    assert command(root, tmp_path / "c", "--language", "en", "--decisions", str(path), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["benchmark"]["groups"] == 1
    assert found["ledger"]["lines"][0]["refused"] == {"dropped in review: follows from the rest": 1}
    assert run_command(["certify", str(tmp_path / "c")]) == 0
    run = str(tmp_path / "run")
    assert run_command(["run", str(tmp_path / "c"), "--model", "reference/oracle", "--out", run]) == 0
    capsys.readouterr()
    assert run_command(["score", run, "--json", "--draws", "20"]) == 0
    (sources,) = json.loads(capsys.readouterr().out).values()
    figures = sources["ugeoqa-candidates"]
    assert [figures[name]["value"] for name in ("J", "F1_unanswerable", "OACC", "R_unanswerable_S_9")] == [1.0] * 4
    # Four choices and Unanswerable.
    assert (figures["OACC_chance"]["numerator"], figures["OACC_chance"]["denominator"]) == (2, 10)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--language", "fr"], "expected one of auto, zh, en; got 'fr'"),
        (["--reviewed-only"], "got none; refused: {'not reviewed': 2}"),
        (["--decisions", "nowhere.jsonl"], "expected a file of decisions"),
    ],
)
def test_what_cannot_be_built(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(ugeoqa(tmp_path / "in"), tmp_path / "b", *words) == 2
    assert message in capsys.readouterr().err
