"""What a screenshot of code costs to draw, and what its proofs cost to check.

usage: python benchmarks/bench_code.py [--groups N] [--json]

Drawing: one process, from world to PNG bytes, programs and themes in turn, so that no picture is drawn twice.
Certifying: every group of a benchmark, both executors, every picture drawn again, one process a core.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from answerable.build.code_benchmarks import CodeSettings, build
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode
from answerable.domains.code.proof import CodeProof
from answerable.domains.code.screen import render
from answerable.domains.raster import png
from answerable.exec import default_workers, executor


def drawing(benchmark: Benchmark) -> list[float]:
    """Milliseconds of each picture of the benchmark, to PNG."""
    times = []
    for proof in benchmark.proofs():
        body = decode(bytes(proof.body), CodeProof)
        for claim in body.claims:
            start = time.perf_counter()
            png.encode(render(body.worlds[claim.world], claim.hide))
            times.append((time.perf_counter() - start) * 1000)
    return times


def measure(groups: int = 1000) -> list[dict[str, object]]:
    """Rows: name, and figures."""
    with tempfile.TemporaryDirectory() as folder:
        workers = executor(0)
        try:
            start = time.perf_counter()
            build(CodeSettings(groups=groups, seed=1), Path(folder) / "b", workers)
            built = time.perf_counter() - start
            benchmark = Benchmark(Path(folder) / "b")
            start = time.perf_counter()
            certificate = certify(benchmark, workers)
            certified = time.perf_counter() - start
        finally:
            workers.close()
        times = drawing(benchmark)
    return [
        {"name": "picture to PNG, ms", "median": round(statistics.median(times), 2),
         "worst of 100": round(statistics.quantiles(times, n=100)[-1], 2), "pictures": len(times)},
        {"name": "building, s", "groups": groups, "seconds": round(built, 1), "workers": default_workers()},
        {"name": "certifying, s", "groups": groups, "seconds": round(certified, 1), "workers": default_workers(),
         "accepted": certificate.statuses.get("accepted", 0)},
    ]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.groups):
        print(json.dumps(row) if args.json else "  ".join(f"{key}: {value}" for key, value in row.items()))
