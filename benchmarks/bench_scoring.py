"""Scoring 72,000 replies with all intervals and all pairs, against scipy.stats.bootstrap called per figure.

Six made-up models answer 12,000 views in 3 sources (1,000 groups each of 5, 4 and 3 states). Ours is timed whole:
reading the reply texts, judging, counting, 10,000 draws, every metric of every model and every pair. SciPy is given
the finished per-group counts; a sample of its calls is timed and multiplied by the number of calls that all figures
take. Its resampling: percentile, paired, the same number of draws.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.records import UNSUPPORTED, Abstain, Answer, Evidence, Group, State, View
from answerable.core.runlog import PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling
from answerable.core.seeds import Stream
from answerable.score.metrics import METRICS
from answerable.score.metrics import measure as measure_metrics
from answerable.score.pipeline import score_runs
from answerable.score.stratum import Layout, Stratum

SOURCES: dict[str, tuple[State, ...]] = {
    "chart": ("F", "S", "C", "M", "I"),
    "scene": ("F", "S", "C", "M"),
    "photo": ("F", "S", "M"),
}
MODELS, GROUPS, DRAWS = 6, 1_000, 10_000
SAMPLED_CALLS = 6


def _view(group: str, source: str, state: State) -> View:
    number = int(digest_bytes(f"{group}{state == 'C'}".encode())[:8], 16)
    duty: Answer | Abstain = Answer(f"{number % 2_000_000}/100", "number")
    if state in UNSUPPORTED:
        duty = Abstain("missing")
    return View(
        id=digest_bytes(f"{group}{state}".encode())[:16], group=group, source=source, split="test", figure=group,
        state=state, question="How much?", obligation=duty, evidence=Evidence("derived"),
        image_sha256=digest_bytes(b"."), width=1, height=1,
    )  # fmt: skip


def make_benchmark(path: Path, groups: int) -> Benchmark:
    """A benchmark of views without pictures."""
    with BenchmarkWriter(path) as writer:
        for source, states in SOURCES.items():
            for number in range(groups):
                name = f"{source}-{number:05d}"
                views = tuple(_view(name, source, state) for state in states)
                writer.add(Group(name, source, "test", views), [b"."] * len(views), None)
        manifest = Manifest(
            format=1, name="bench", version="1", generator="bench", settings=msgspec.Raw(b"{}"), licence="Apache-2.0",
            prompt="answerability", reader="json", metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger((), 0, 0), "")
    return Benchmark(path)


def make_run(path: Path, benchmark: Benchmark, number: int) -> RunFolder:
    """A model that meets each obligation with its own probability."""
    sampling = Sampling()
    manifest = RunManifest(
        format=1, benchmark="bench", benchmark_fingerprint=benchmark.manifest.fingerprint, model=f"m{number}",
        provider="made up", endpoint="", prompt=PromptText("p", "", "{question}", "p"), sampling=sampling,
        sampling_sha256=digest(sampling), repeats=1, control="none", split="test", limit=None,
        views=benchmark.manifest.views, seed=0, versions={},
    )  # fmt: skip
    draw = Stream("bench", number)
    answers = '{{"answerable": true, "answer": "{}", "reason": "read at mark {}"}}'
    abstains = '{{"answerable": false, "answer": null, "reason": "no value at mark {}"}}'
    with RunLog(path, manifest, fsync_every=1_000_000) as log:
        for place, view in enumerate(benchmark.views("test")):
            duty = view.obligation
            target = duty.target if isinstance(duty, Answer) else ""
            meets = draw.below(100) < 70 + 4 * number
            # What is not met is an answer that is off, or the other decision.
            answer = target if meets else str(draw.below(1_000_000))
            gives = bool(answer) if meets else not target or draw.below(2) == 0
            text = answers.format(answer, place) if gives else abstains.format(place)
            log.reply(Reply(view.id, 0, "p", f"m{number}", manifest.sampling_sha256, "complete", text))
    return RunFolder(path)


def _scipy_call(columns: list[tuple[Any, Any]], draws: int) -> float:
    from scipy import stats

    def statistic(*values: Any, axis: int = -1) -> Any:
        numerator, denominator, *other = (np.sum(value, axis=axis) for value in values)
        share = numerator / denominator
        return share - other[0] / other[1] if other else share

    flat = tuple(column for pair in columns for column in pair)
    start = time.perf_counter()
    stats.bootstrap(
        flat, statistic, n_resamples=draws, paired=True, vectorized=True, method="percentile",
        rng=np.random.default_rng(0),
    )  # fmt: skip
    return time.perf_counter() - start


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def measure_scoring(groups: int = GROUPS, draws: int = DRAWS) -> list[dict[str, Any]]:
    """The rows of the table; smaller numbers for a quick look."""
    with tempfile.TemporaryDirectory() as folder:
        benchmark = make_benchmark(Path(folder) / "bench", groups)
        runs = [make_run(Path(folder) / f"m{number}", benchmark, number) for number in range(MODELS)]
        whole, scored = _timed(lambda: score_runs(benchmark, runs, draws=draws))
        reading, _ = _timed(lambda: score_runs(benchmark, runs, draws=1))
        layout = Layout("chart", "derived", [group for group in benchmark.groups("test") if group.source == "chart"])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = sum(len(source.metrics) for run in scored.scores.runs for source in run.sources.values())
    calls = figures + len(scored.scores.pairs)
    random = np.random.default_rng(1)
    terms = [
        measure_metrics(Stratum(layout, random.integers(0, 4, (len(layout.view_ids), 1))), METRICS) for _ in range(2)
    ]
    seconds = {"single": 0.0, "pair": 0.0}
    names = ["J", "B", "E", "E_A", "E_M", "A"][:SAMPLED_CALLS]
    for name in names:
        one, other = ((run[name][0].numerator, run[name][0].denominator) for run in terms)
        seconds["single"] += _scipy_call([one], draws) / len(names)
        seconds["pair"] += _scipy_call([one, other], draws) / len(names)
    scipy_total = seconds["single"] * figures + seconds["pair"] * len(scored.scores.pairs)
    return [
        {
            "name": "score 72,000 replies, all metrics and pairs" if groups == GROUPS else "score, smaller",
            "replies": sum(run.replied for run in scored.scores.runs), "draws": draws, "figures": figures,
            "pairs": len(scored.scores.pairs), "ours_s": round(whole, 3), "ours_without_draws_s": round(reading, 3),
            "scipy_s_a_figure": round(seconds["single"], 4), "scipy_s_a_pair": round(seconds["pair"], 4),
            "scipy_calls": calls, "scipy_sampled_calls": 2 * len(names),
            "scipy_s": round(scipy_total, 1), "times_faster": round(scipy_total / whole, 1),
            "resampling_times_faster": round(scipy_total / max(whole - reading, 1e-9), 1),
            "peak_memory_mb": round(memory),
            "note": "scipy_s is the mean of the sampled calls times the number of calls; ours_s includes reading",
        }
    ]  # fmt: skip


def measure() -> list[dict[str, Any]]:
    """The rows at full size."""
    return measure_scoring()


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows = measure()
    if arguments.json:
        json.dump(rows, sys.stdout, indent=2)
        print()
        return
    for row in rows:
        for name, value in row.items():
            print(f"{name:>28}  {value}")


if __name__ == "__main__":
    main()
