"""Scoring needs nobody: no judge, no server (case run-041), and only replies to the pictures of the benchmark."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from answerable.core.errors import LogError
from answerable.core.runlog import RunFolder, RunLog
from answerable.score.pipeline import score_runs
from tests.score import fake


def _no_network(*_: object, **__: object) -> None:
    raise AssertionError("scoring opened a connection")


def test_scoring_asks_no_judge_and_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = fake.write_benchmark(tmp_path / "bench", fake.groups_of(3))
    run = fake.write_run(tmp_path / "run", benchmark, lambda _: "I would say that the answer is 7.")
    monkeypatch.setattr(socket, "socket", _no_network)
    monkeypatch.setattr(socket, "create_connection", _no_network)
    source = score_runs(benchmark, [run], draws=10).scores.runs[0].sources["chart"]
    # What the reader cannot read stays unread: no other rule steps in.
    assert source.counts["I"] == source.views
    assert source.metrics["J"].numerator == 0


def test_a_reply_to_another_picture_is_refused(tmp_path: Path) -> None:
    benchmark = fake.write_benchmark(tmp_path / "bench", fake.groups_of(2))
    manifest = fake.manifest_of(benchmark)
    view = next(benchmark.views("test"))
    with RunLog(tmp_path / "run", manifest) as log:
        log.reply(fake.reply_of(manifest, view.id, fake.oracle(view), image_sha256="0" * 64))
    with pytest.raises(LogError, match="one to another image") as caught:
        score_runs(benchmark, [RunFolder(tmp_path / "run")], draws=10, allow_incomplete=True)
    assert view.id in str(caught.value)
    assert "run again into a new folder" in str(caught.value)
