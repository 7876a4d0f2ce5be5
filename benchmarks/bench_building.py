"""What building and certifying cost beside the rendering they need.

usage: python benchmarks/bench_building.py [--groups N] [--json]

A group needs seven renderings to build (six views, and the second world of the witness once hidden) and seven to
certify. The yardstick draws the same pictures to PNG with the same family on the same number of processes, and
does nothing else. Memory is the largest resident set of this process and the largest of its workers.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode
from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene
from answerable.domains.chart.proof import ChartProof
from answerable.domains.raster import png
from answerable.exec import Executor, executor

SEED = 5


def draw_group(body: bytes) -> int:
    """The fourteen renderings of one group, to PNG; returns their bytes."""
    proof = decode(body, ChartProof)
    drawn = family(proof.family)
    hide = next(claim.hide for claim in proof.claims if claim.state == "M")
    pictures = [(claim.world, claim.hide) for claim in proof.claims] + [("C", hide)]
    return sum(
        len(png.encode(drawn.render(scene(proof.worlds[name], drawn.style, hidden))))
        for name, hidden in pictures
        for _ in range(2)
    )


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    done = work()
    return time.perf_counter() - start, done


def _warm(workers: Executor, names: tuple[str, ...]) -> None:
    """Start the processes and load the libraries in each, so that no row pays for it."""
    list(workers.map(partial(_load, names), range(64)))


def _load(names: tuple[str, ...], _: int) -> None:
    for name in names:
        family(name)
    time.sleep(0.01)


def measure(groups: int = 1000) -> list[dict[str, object]]:
    """Rows: name, groups, seconds, times the pure rendering, megabytes."""
    rows: list[dict[str, object]] = []
    settings = ChartSettings(groups=groups, seed=SEED, families=("skia",))
    workers = executor(0)
    try:
        _warm(workers, settings.families)
        with tempfile.TemporaryDirectory(prefix="bench-building-") as name:
            out = Path(name) / "bench"
            building, _ = _timed(lambda: build(settings, SamplerSource(SEED), out, workers))
            certifying, certificate = _timed(lambda: certify(Benchmark(out), workers))
            bodies = [bytes(proof.body) for proof in Benchmark(out).proofs()]
            pure, _ = _timed(lambda: sum(workers.map(draw_group, bodies)))
    finally:
        workers.close()
    kept = certificate.statuses.get("accepted", 0)
    memory = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    for label, seconds in (("pure rendering", pure), ("build", building), ("certify", certifying),
                           ("build and certify", building + certifying)):  # fmt: skip
        rows.append(
            {"name": label, "groups": groups, "accepted": kept, "seconds": round(seconds, 2),
             "times_pure": round(seconds / pure, 2), "mb": round(memory)}
        )  # fmt: skip
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.groups):
        print(json.dumps(row))
