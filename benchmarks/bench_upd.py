"""Scoring at the size of MM-UPD: 2,095 questions, four settings, every rotation, 10,000 draws.

    python -m benchmarks.bench_upd [--json]

Questions, abilities and replies are made up; the numbers of questions and abilities are those of the published set.
Reading the replies is part of it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.records import (
    PROBLEMS,
    SETTINGS,
    Abstain,
    Answer,
    Evidence,
    Group,
    Obligation,
    Option,
    Problem,
    Setting,
    State,
    View,
)
from answerable.core.runlog import PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling
from answerable.core.seeds import Stream
from answerable.score.pipeline import score_runs

#: Questions and abilities of each problem in the published set.
SIZES: dict[Problem, tuple[int, int]] = {"AAD": (820, 18), "IASD": (919, 18), "IVQD": (356, 12)}
PIXEL = b"not looked at"
TEXTS = ("a red kite", "two dogs", "the left one", "nobody")


def views_of(problem: Problem, number: int, ability: str) -> Iterator[View]:
    """A question in every setting and rotation, both sides."""
    group = f"{problem}-{number:04d}"
    for setting in SETTINGS:
        states: tuple[State, ...] = ("F",) if setting == "original" else ("F", problem)
        for state in states:
            texts = TEXTS if state == "F" or problem != "AAD" else TEXTS[1:]
            for turn in range(len(texts)):
                yield _view(problem, group, ability, setting, state, texts[turn:] + texts[:turn], turn)


def _view(
    problem: Problem, group: str, ability: str, setting: Setting, state: State, texts: tuple[str, ...], turn: int
) -> View:
    options = [Option(letter, text) for letter, text in zip("ABCD", texts, strict=False)]
    if setting == "option":
        options.append(Option("ABCDE"[len(texts)], "None of the above", "abstain"))
    elif setting == "instruction":
        options.append(Option("F", "None of the above", "instructed"))
    duty: Obligation = Abstain(reason=PROBLEMS[problem])
    if state == "F":
        duty = Answer(target="ABCD"[texts.index(TEXTS[0])], type="text")
    return View(
        id=f"{group}-{setting}-{state}-{turn}", group=group, source=f"mm-{problem.lower()}", split="test", figure=group,
        state=state, question="What is there?", obligation=duty, evidence=Evidence(level="derived"),
        image_sha256=digest_bytes(PIXEL), width=1, height=1, options=tuple(options), setting=setting, rotation=turn,
        withheld="" if state == "F" else TEXTS[0], ability=ability, topic=ability[:9],
    )  # fmt: skip


def make(folder: Path) -> tuple[Benchmark, RunFolder]:
    """The benchmark, and a run that is right most of the time."""
    with BenchmarkWriter(folder / "bench") as writer:
        for problem, (questions, abilities) in SIZES.items():
            for number in range(questions):
                views = tuple(views_of(problem, number, f"ability {number % abilities:02d}"))
                group = Group(id=views[0].group, source=views[0].source, split="test", views=views)
                writer.add(group, [PIXEL] * len(views), None)
        manifest = Manifest(
            format=1, name="upd", version="1", generator="benchmarks", settings=msgspec.Raw(b"{}"), licence="CC0-1.0",
            prompt="as-asked", reader="mcq", metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger(lines=(), asked=0, kept=0), "")
    bench = Benchmark(folder / "bench")
    sampling, mark = Sampling(), digest(Sampling())
    run = RunManifest(
        format=1, benchmark="upd", benchmark_fingerprint=bench.manifest.fingerprint, model="m", provider="made-up",
        endpoint="", prompt=PromptText(name="as-asked", system="", user="{question}", sha256="0"), sampling=sampling,
        sampling_sha256=mark, repeats=1, control="none", split="test", limit=None, views=bench.manifest.views, seed=0,
        versions={},
    )  # fmt: skip
    with RunLog(folder / "run", run, fsync_every=1 << 20) as log:
        for view in bench.views("test"):
            log.reply(Reply(view.id, 0, prompt="0", model="m", sampling=mark, status="complete", text=_said(view)))
    return bench, RunFolder(folder / "run")


def _said(view: View) -> str:
    draw = Stream("upd", view.id).below(30)
    if draw == 0:
        return "A"
    if isinstance(view.obligation, Answer):
        return view.obligation.target if draw < 20 else f"The answer is {view.obligation.target}."
    return "None of the above." if draw < 20 else "I cannot answer this question from the image."


def measure(draws: int = 10_000) -> list[dict[str, object]]:
    """Rows: name, value, unit, goal."""
    with tempfile.TemporaryDirectory(prefix="bench-upd-") as name:
        bench, run = make(Path(name))
        begin = time.perf_counter()
        scored = score_runs(bench, [run], draws=draws)
        took = time.perf_counter() - begin
        begin = time.perf_counter()
        score_runs(bench, [run], draws=1)
        without = time.perf_counter() - begin
    figures = sum(
        len(source.metrics) + sum(len(part.metrics) for part in source.parts)
        for source in scored.scores.runs[0].sources.values()
    )
    views = bench.manifest.views
    return [
        {"name": f"score 2,095 questions, {views:,} replies, {figures:,} figures with intervals",
         "value": round(took, 2), "unit": "s", "goal": "3"},
        {"name": "the same without draws", "value": round(without, 2), "unit": "s", "goal": ""},
    ]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure():
        print(
            json.dumps(row) if args.json else f"{row['name']:70} {row['value']:>8} {row['unit']}  (goal {row['goal']})"
        )
