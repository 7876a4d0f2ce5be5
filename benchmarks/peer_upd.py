"""Our published scores beside those of the public MM-UPD evaluator, on the same synthetic replies, its judge stubbed.

    python -m benchmarks.peer_upd --evaluator calculate_scores.py

The file named is that of the public repository; what it imports besides is replaced by stand-ins, and its functions
``eval_sub_data`` and below run as they are. The judge says ``H`` (none of the options) to everything, which is what an
unread reply is to us. Three rounds: every row there; one rotation of some questions missing; one side missing.
"""

from __future__ import annotations

import argparse
import base64
import csv
import importlib.util
import json
import math
import sys
import tempfile
import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest
from answerable.core.records import Answer, Group, View
from answerable.core.runlog import PromptText, Reply, ReplyStatus, RunFolder, RunLog, RunManifest, Sampling
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from answerable.score.pipeline import score_runs

QUESTIONS = 300
TYPES = {"base": "base", "option": "option", "instruction": "inst"}
THINGS = (
    "red",
    "green",
    "blue",
    "white",
    "black",
    "brown",
    "one dog",
    "two cats",
    "a USB, cable",
    "Vitamin D",
    "B-side",
    "none",
)


def evaluator(path: Path) -> types.ModuleType:
    """The public evaluator, with stand-ins for what it imports and does not need here."""
    stands: dict[str, dict[str, Any]] = {
        "pandas": {"isna": lambda value: isinstance(value, float) and math.isnan(value)},
        "tqdm": {"tqdm": list},
        "datasets": {"load_dataset": None},
        "utils": {"OpenAI": None},
        "utils.common_utils": dict.fromkeys(("load", "dump", "report_acc", "eval_result_dual", "plot_radar_chart"))
        | {"double_log": lambda *_: None},
    }
    before = {name: sys.modules.get(name) for name in stands}
    for name, members in stands.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module
    spec = importlib.util.spec_from_file_location("peer_evaluator", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot be read: {path}")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    for name, module_before in before.items():
        # Nobody else may meet a stand-in.
        del sys.modules[name]
        if module_before is not None:
            sys.modules[name] = module_before
    return found


class Rows:
    """As much of a data frame as the evaluator uses."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.iloc = list(rows)

    def __len__(self) -> int:
        return len(self.iloc)


class Judge:
    """Says that none of the options fits."""

    def generate(self, _: list[str]) -> list[str]:
        """One reply to one prompt."""
        return ["H"]


def questions(path: Path) -> Path:
    """A file of made-up questions."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "A", "B", "C", "D", "answer", "category", "l2-category", "image"])
        for number in range(QUESTIONS):
            stream = Stream("peer", number)
            offered = stream.sample(THINGS, 3 + number % 2) + [""] * (1 - number % 2)
            pixels = np.full((24, 32, 3), (number % 256, number // 256 * 90, 77), np.uint8)
            image = base64.b64encode(png.encode(pixels)).decode()
            writer.writerow(
                [number, f"What is on card {number}?", *offered, "ABC"[number % 3], "ocr", "perception", image]
            )
    return path


def said(view: View) -> str:
    """A reply in one of many forms; right more often than not."""
    stream = Stream("reply", view.id)
    letters = [option.letter for option in view.options]
    content = [option.letter for option in view.options if option.role == "content"]
    abstain = [letter for letter in letters if letter not in content]
    if isinstance(view.obligation, Answer):
        letter = view.obligation.target if stream.below(20) else stream.pick(content)
    else:
        letter = stream.pick(abstain) if abstain and stream.below(20) else stream.pick(content)
    text = next(option.text for option in view.options if option.letter == letter)
    forms = (
        letter, f"{letter}. {text}", f"({letter}) {text}", f"{letter}) {text}", f"{letter}, {text}", f" {letter}\n",
        f"{letter}.{text}", letter, f"{letter}. {text}", f"({letter})", letter, letter,
    )  # fmt: skip
    rare = (
        f"The answer is {letter}.",
        text,
        "I cannot answer this.",
        f"{letter}. {text}, not {content[0]}.",
        f"{letter} {text}",
        "",
    )
    return stream.pick(rare) if stream.below(60) == 0 else stream.pick(forms)


def ours(bench: Benchmark, replies: dict[str, str], folder: Path) -> dict[tuple[str, str, bool], bool]:
    """Whether every rotation is there and right, by group, setting and side, as our published reader has it."""
    sampling = Sampling()
    prompt = PromptText(name="as-asked", system="", user="{question}", sha256="0")
    views = list(bench.views("test"))
    manifest = RunManifest(
        format=1, benchmark=bench.manifest.name, benchmark_fingerprint=bench.manifest.fingerprint, model="made-up",
        provider="made-up", endpoint="", prompt=prompt, sampling=sampling, sampling_sha256=digest(sampling), repeats=1,
        control="none", split="test", limit=None, views=len(views), seed=0, versions={},
    )  # fmt: skip
    with RunLog(folder, manifest, fsync_every=1 << 20) as log:
        for view in views:
            if view.id in replies:
                status: ReplyStatus = "complete" if replies[view.id].strip() else "empty"
                mark = digest(sampling)
                log.reply(
                    Reply(view.id, 0, prompt="0", model="made-up", sampling=mark, status=status, text=replies[view.id])
                )
    scored = score_runs(bench, [RunFolder(folder)], draws=1, allow_incomplete=True, reader="mcq-published")
    right = dict(zip(scored.verdicts["view"], scored.verdicts["answer_right"], strict=True))
    found: dict[tuple[str, str, bool], bool] = {}
    for view in views:
        key = (view.group, view.setting, isinstance(view.obligation, Answer))
        found[key] = found.get(key, True) and bool(right[view.id])
    return found


def theirs(peer: types.ModuleType, group: Group, setting: str, supported: bool, replies: dict[str, str]) -> int | None:
    """The evaluator's hit of one question; None where it drops the question."""
    problem = group.source.rpartition("-")[2]
    mine = sorted(
        (view for view in group.views if view.setting == setting and isinstance(view.obligation, Answer) == supported),
        key=lambda view: view.rotation,
    )
    rows: list[dict[str, Any]] = []
    answers: dict[int, str] = {}
    texts: dict[int, str] = {}
    for view in mine:
        index = view.rotation * 1_000_000 + 1
        shown = {option.letter: option.text for option in view.options if option.role != "instructed"}
        answers[index] = view.obligation.target if isinstance(view.obligation, Answer) else abstaining(view)
        texts[index] = view.withheld
        if view.id in replies:
            row = {"index": index, "question": view.question, "prediction": replies[view.id]}
            rows.append(row | {letter: shown.get(letter, "nan") for letter in "ABCDE"})
    if not any(row["index"] < 1_000_000 + 1 for row in rows):
        # It goes through the rows of the first rotation.
        return None
    side = "standard" if supported else problem
    with_texts = texts if side in ("aad", "iasd") else None
    return int(peer.eval_sub_data(Judge(), Rows(rows), answers, with_texts, TYPES[setting], side, problem))


def abstaining(view: View) -> str:
    """The letter that the evaluator's data names as right where nothing is."""
    return next((option.letter for option in view.options if option.role == "abstain"), "F")


def compare(
    peer: types.ModuleType, bench: Benchmark, replies: dict[str, str], folder: Path
) -> Iterator[dict[str, Any]]:
    """A line for each source and setting: questions, Dual by both, and where they differ."""
    mine = ours(bench, replies, folder)
    groups = list(bench.groups("test"))
    for source in sorted({group.source for group in groups}):
        for setting in TYPES:
            counts: dict[str, int] = defaultdict(int)
            for group in groups:
                if group.source != source:
                    continue
                pair = [theirs(peer, group, setting, side, replies) for side in (True, False)]
                both = mine[group.id, setting, True] and mine[group.id, setting, False]
                counts["questions"] += 1
                counts["ours"] += both
                counts["sides differ"] += sum(
                    hit is not None and bool(hit) != mine[group.id, setting, side]
                    for side, hit in zip((True, False), pair, strict=True)
                )
                if None not in pair:
                    # Its table joins both sides by index, so a question without one of them is gone.
                    counts["its questions"] += 1
                    counts["its"] += all(pair)
            yield {"source": source, "setting": setting, **counts}


def main() -> None:
    """Print the three rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluator", type=Path, required=True)
    args = parser.parse_args()
    peer = evaluator(args.evaluator)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = ["build", "mcq", "--from", str(questions(folder / "q.tsv")), "--out", str(folder / "b"), "--json"]
        if run_command(build):
            raise SystemExit("the benchmark could not be built")
        bench = Benchmark(folder / "b")
        views = list(bench.views("test"))
        whole = {view.id: said(view) for view in views}
        rounds: dict[str, Callable[[View], bool]] = {
            "every row there": lambda _: True,
            "a later rotation missing": lambda view: view.rotation != 1 or bool(Stream("gone", view.id).below(4)),
            "the first rotation missing": lambda view: view.rotation != 0 or bool(Stream("gone", view.id).below(4)),
        }
        for number, (title, keep) in enumerate(rounds.items()):
            kept = {view.id: whole[view.id] for view in views if keep(view)}
            for line in compare(peer, bench, kept, folder / f"run{number}"):
                print(json.dumps({"round": title} | line))


if __name__ == "__main__":
    main()
