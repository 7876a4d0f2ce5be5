"""What tables cost: one picture to PNG on one core, and building and certifying a benchmark on every core.

usage: python benchmarks/bench_tables.py [--groups N] [--pictures N] [--json]

Pictures are made-up tables of all styles, each drawn once, so that no cache helps; times are medians in
milliseconds. Groups are of all families of questions, starting the processes included.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from answerable.build.assembly import assemble
from answerable.build.sources.table_worlds import TableSamplerSource
from answerable.build.table_benchmarks import TableRecipe, TableSettings
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from answerable.domains.table.layout import render
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.styles import STYLES
from answerable.domains.table.templates import TEMPLATES
from answerable.exec import executor

SEED = 5


def picture_times(count: int) -> list[float]:
    """Milliseconds from a world to PNG bytes, one table after the other."""
    times = []
    for index in range(count + 20):
        made = sample_world(Stream("bench-tables", index), tuple(STYLES))
        start = time.perf_counter()
        png.encode(render(made))
        if index >= 20:
            times.append((time.perf_counter() - start) * 1000)
    return times


def measure(groups: int = 1000, pictures: int = 400) -> list[dict[str, object]]:
    """Rows: name, value, unit, goal."""
    times = picture_times(pictures)
    settings = TableSettings(groups=groups, seed=SEED, programs=tuple(TEMPLATES), mask="mixed")
    workers = executor(0)
    try:
        with tempfile.TemporaryDirectory(prefix="bench-tables-") as name:
            out = Path(name) / "bench"
            start = time.perf_counter()
            assemble(TableRecipe(settings, TableSamplerSource(SEED)), out, workers, name="tables")
            built = time.perf_counter()
            certificate = certify(Benchmark(out), workers)
            certified = time.perf_counter()
    finally:
        workers.close()
    accepted = certificate.statuses.get("accepted", 0)
    return [
        {"name": "table to PNG, median", "value": round(statistics.median(times), 2), "unit": "ms", "goal": "5"},
        {"name": "table to PNG, 95 of 100", "value": round(statistics.quantiles(times, n=20)[-1], 2), "unit": "ms",
         "goal": "5"},
        {"name": f"build {groups} groups", "value": round(built - start, 2), "unit": "s", "goal": ""},
        {"name": f"certify {groups} groups, {accepted} accepted", "value": round(certified - built, 2), "unit": "s",
         "goal": "20"},
    ]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.groups, args.pictures):
        print(
            json.dumps(row) if args.json else f"{row['name']:44} {row['value']:>8} {row['unit']}  (goal {row['goal']})"
        )
