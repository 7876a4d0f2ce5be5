"""One small scored benchmark for all tests of the report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from answerable.core.benchmark import Benchmark
from answerable.core.scores import Scores
from tests.report.fake import make_benchmark, make_scores, verdict_rows


@dataclass(frozen=True)
class Scored:
    """A benchmark and a scores folder on it."""

    benchmark: Benchmark
    folder: Path
    scores: Scores
    rows: list[dict[str, Any]]


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    """Three runs, thirty groups, six states; one run incomplete, hostile texts everywhere."""
    base = tmp_path_factory.mktemp("scored")
    benchmark = make_benchmark(base / "bench")
    rows = verdict_rows(benchmark)
    return Scored(benchmark, base / "scores", make_scores(base / "scores", benchmark, rows), rows)
