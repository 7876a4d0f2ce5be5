"""Consistency of 20,000 replies in 5,000 items, against a call for every pair.

    python -m benchmarks.bench_consistency [--json] [--embedder hash|minilm] [--items N] [--pairs N]

Replies are short made-up answers. A call per pair (of the bare embedder, and of our own similarity, which checks what
it gets) is timed on a part of the pairs and scaled up. ``hash`` makes a row of 384 numbers of a digest, and is timed
three times; ``minilm`` needs the extra ``consistency``. With --json and ``hash``, the rows of ``minilm`` follow,
measured by the Python that ANSWERABLE_TORCH_PYTHON names (default: this one), where that has the extra.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.consistency import kinds_text
from answerable.core.records import Answer, Evidence, Group, View
from answerable.core.runlog import PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling
from answerable.core.seeds import Stream
from answerable.score.consistency.pipeline import score_consistency
from answerable.score.consistency.similarity import UNIT, Embedded, Embedder, Rows, open_similarity

VARIANTS, WIDTH = 4, 384
PIXEL = b"not looked at"
STYLES = ("candy", "mosaic", "udnie", "grayscale")
THINGS = ("cat", "dog", "church", "bridge", "market", "harbour", "tower", "garden", "train", "museum")
PLACES = ("by the sea", "in the snow", "at night", "in a large city", "near a river", "on a hill", "under trees")


class HashEmbedder:
    """Rows from digests: what is measured is everything but a model."""

    name, model, words = "hash", "hash-384", "numbers from a digest"

    def embed(self, texts: Sequence[str], /) -> Rows:
        """Unit rows."""
        digests = b"".join(hashlib.blake2b(text.encode()).digest() for text in texts)
        rows = np.frombuffer(digests, dtype=np.uint8).reshape(len(texts), 64).astype(np.float32) - 127.5
        rows = np.tile(rows, (1, WIDTH // 64))
        return np.asarray(rows / np.linalg.norm(rows, axis=1)[:, None], dtype=np.float32)


def said(stream: Stream, number: int) -> str:
    """A reply of a few words; one in five is the item's own, so that some pairs agree."""
    if stream.below(5) == 0:
        return f"A {THINGS[number % len(THINGS)]} {PLACES[number % len(PLACES)]}, number {number}."
    return f"There is a {stream.pick(THINGS)} {stream.pick(PLACES)}, and {stream.below(400)} people are there."


def make(folder: Path, items: int) -> tuple[Benchmark, RunFolder]:
    """A restyled benchmark and a run on it."""
    with BenchmarkWriter(folder / "bench") as writer:
        for number in range(items):
            views = tuple(_view(number, style) for style in STYLES[:VARIANTS])
            group = Group(id=f"g{number:05d}", source="photo", split="test", views=views)
            writer.add(group, [PIXEL] * VARIANTS, None)
        manifest = Manifest(
            format=1, name="bench", version="1", generator="bench", settings=msgspec.Raw(b"{}"), licence="CC0-1.0",
            prompt="answerability", reader="text", metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger(lines=(), asked=0, kept=0), "")
    benchmark = Benchmark(folder / "bench")
    sampling = Sampling()
    run = RunManifest(
        format=1, benchmark="bench", benchmark_fingerprint=benchmark.manifest.fingerprint, model="m", provider="bench",
        endpoint="", prompt=PromptText(name="p", system="", user="{question}", sha256="p"), sampling=sampling,
        sampling_sha256=digest(sampling), repeats=1, control="none", split="test", limit=None, views=items * VARIANTS,
        seed=0, versions={},
    )  # fmt: skip
    with RunLog(folder / "run", run, fsync_every=1_000_000) as log:
        for number in range(items):
            stream = Stream("bench", number)
            for style in STYLES[:VARIANTS]:
                log.reply(
                    Reply(
                        view=f"g{number:05d}-{style}", repeat=0, prompt="p", model="m", sampling=digest(sampling),
                        status="complete", text=said(stream, number),
                    )
                )  # fmt: skip
    return benchmark, RunFolder(folder / "run")


def _view(number: int, style: str) -> View:
    group = f"g{number:05d}"
    return View(
        id=f"{group}-{style}", group=group, source="photo", split="test", figure=group, state="S",
        question="Please describe the place in the image in two sentences.",
        obligation=Answer(THINGS[number % len(THINGS)], "text"), evidence=Evidence(level="derived"),
        image_sha256=digest_bytes(PIXEL), width=1, height=1, topic="restyle",
        ability=kinds_text({"style": style, "resolution": "640"}),
    )  # fmt: skip


def replies_by_item(run: RunFolder) -> list[list[str]]:
    """The texts of every item."""
    found: dict[str, list[str]] = {}
    for reply in run.replies():
        found.setdefault(reply.view.partition("-")[0], []).append(reply.text or "")
    return list(found.values())


def pairs_at_once(items: list[list[str]], embedder: Embedder) -> tuple[float, float]:
    """Seconds and mean similarity: each distinct text embedded once, all pairs multiplied together."""
    start = time.perf_counter()
    texts = [text for item in items for text in item]
    one, other = np.triu_indices(VARIANTS, 1)
    base = np.arange(len(items))[:, None] * VARIANTS
    alike = Embedded(embedder).of_pairs(texts, (base + one).ravel(), (base + other).ravel(), lambda _: None)
    return time.perf_counter() - start, float(alike.mean()) / UNIT


def a_call_per_pair(items: list[list[str]], call: Callable[[str, str], float], most: int) -> tuple[float, int]:
    """Seconds for the first pairs, and how many they were."""
    done, start = 0, time.perf_counter()
    for item in items:
        for place, one in enumerate(item):
            for other in item[place + 1 :]:
                call(one, other)
                done += 1
        if done >= most:
            break
    return time.perf_counter() - start, done


def bare(embedder: Embedder) -> Callable[[str, str], float]:
    """Embeds two texts and multiplies; nothing is checked."""

    def call(one: str, other: str) -> float:
        rows = embedder.embed([one, other])
        return float(rows[0] @ rows[1])

    return call


def checked(embedder: Embedder) -> Callable[[str, str], float]:
    """Our own similarity, for one pair."""
    similarity, first, second = Embedded(embedder), np.array([0]), np.array([1])
    return lambda one, other: int(similarity.of_pairs([one, other], first, second, lambda _: None)[0]) / UNIT


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--embedder", choices=("hash", "minilm"), default="hash")
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--pairs", type=int, default=0, help="pairs of the slow way that are timed (0: all)")
    args = parser.parse_args()
    embedder: Embedder = HashEmbedder()
    if args.embedder == "minilm":
        from answerable.score.consistency.sentences import minilm

        embedder = minilm()
    embedder.embed(["loads the model"])
    with tempfile.TemporaryDirectory() as name:
        benchmark, run = make(Path(name), args.items)
        items = replies_by_item(run)
        distinct = len({text for item in items for text in item})
        pairs = args.items * VARIANTS * (VARIANTS - 1) // 2
        fast = min(pairs_at_once(items, embedder)[0] for _ in range(1 if args.embedder == "minilm" else 3))
        most = args.pairs or pairs
        slow, done = a_call_per_pair(items, bare(embedder), most)
        careful, _ = a_call_per_pair(items, checked(embedder), most)
        start = time.perf_counter()
        score_consistency(benchmark, [run], Embedded(embedder))
        whole = time.perf_counter() - start
        start = time.perf_counter()
        score_consistency(benchmark, [run], open_similarity("exact"))
        exact = time.perf_counter() - start
    slow, careful = slow * pairs / done, careful * pairs / done
    rows = [
        (f"replies, in {args.items} items", args.items * VARIANTS, ""), ("distinct texts", distinct, ""),
        ("pairs", pairs, ""), (f"embedding and all pairs at once, {embedder.name}", round(fast, 3), "s"),
        (f"a call of the embedder per pair ({done} timed)", round(slow, 3), "s"),
        ("times as fast", round(slow / fast, 1), ""),
        (f"a call of the similarity per pair, checks and all ({done} timed)", round(careful, 3), "s"),
        ("times as fast as that", round(careful / fast, 1), ""),
        (f"everything: logs, {embedder.name}, all splits, 10,000 draws", round(whole, 2), "s"),
        ("everything with exact match", round(exact, 2), "s"),
    ]  # fmt: skip
    if args.embedder == "minilm":
        # Whatever needs no embedder is said with the other one.
        rows = [
            (f"{label}, {embedder.name}" if label.startswith("times") else label, *rest) for label, *rest in rows[3:8]
        ]
    for label, figure, unit in rows:
        print(
            json.dumps({"name": label, "value": figure, "unit": unit})
            if args.json
            else f"{label:70} {figure:>10,} {unit}"
        )
    if args.json and args.embedder == "hash":
        print(with_minilm(), end="")


def with_minilm() -> str:
    """The rows of a real embedder; none where it is not installed, which is said on standard error."""
    python = os.environ.get("ANSWERABLE_TORCH_PYTHON", sys.executable)
    more = ["--embedder", "minilm", "--pairs", "600", "--json"]
    command = [python, "-m", "benchmarks.bench_consistency", *more]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"minilm is not measured: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return ""
    return done.stdout


if __name__ == "__main__":
    main()
