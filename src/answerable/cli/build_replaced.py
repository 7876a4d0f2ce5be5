"""``answerable build replaced``: unanswerable questions on pictures that were put in their own one's place."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from answerable.cli.build_tubench import add_decisions, show

if TYPE_CHECKING:
    from answerable.build.authoring.likeness import Likeness
    from answerable.build.authoring.replaced import Picked, Pictures
    from answerable.core.benchmark import Benchmark

Kind = Literal["", "caption", "embedding", "picked"]


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    replaced = domains.add_parser(
        "replaced",
        allow_abbrev=False,
        help="controls of unanswerable questions: the same on a random or a similar picture",
        description="For every unanswerable question of a benchmark, a group of it on its own picture (OUA), on a "
        "similar one (SUA) and on a random one (RUA). Pictures that were put in are other pictures of the benchmark, "
        "or picked by hand.",
    )
    replaced.add_argument("--from", dest="source", type=Path, required=True, metavar="BENCH", help="such a benchmark")
    replaced.add_argument("--out", type=Path, required=True, metavar="BENCH2", help="a new folder")
    replaced.add_argument("--random", action="store_true", help="RUA: a random other picture")
    similar = replaced.add_mutually_exclusive_group()
    similar.add_argument(
        "--similar", type=Path, metavar="CAPTIONS",
        help='SUA: the picture nearest by caption; lines {"image", "caption"}',
    )  # fmt: skip
    similar.add_argument(
        "--similar-embeddings", type=Path, metavar="FILE",
        help='SUA: nearest by vectors; lines {"image", "vector"}',
    )  # fmt: skip
    similar.add_argument(
        "--picked", type=Path, metavar="FILE", help="SUA: picked by hand; a sheet with the columns view and image"
    )
    replaced.add_argument(
        "--images", type=Path, metavar="FOLDER",
        help="where files that are named lie; without it a picture is named by its image_sha256",
    )  # fmt: skip
    replaced.add_argument("--seed", type=int, default=0, metavar="S", help="of the random pictures (default 0)")
    add_decisions(replaced)
    replaced.add_argument("--name", default="replaced", help="name of the benchmark")
    replaced.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    replaced.set_defaults(handler="answerable.cli.build_replaced:main")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.authoring.replaced import Pictures, ReplacedSettings, Replacing, build
    from answerable.core.benchmark import Benchmark
    from answerable.core.decisions import Decisions
    from answerable.core.errors import SourceError

    if args.images is not None and not args.images.is_dir():
        raise SourceError("a folder", f"{args.images}, which is none", where="--images")
    decisions = Decisions(tuple(args.decisions))
    benchmark = Benchmark(args.source)
    pictures = Pictures(benchmark, args.images)
    kind, similar, notes = _similar(args, benchmark, pictures)
    settings = ReplacedSettings(random=args.random, similar=kind, seed=args.seed, source=benchmark.manifest.fingerprint)
    replacing = Replacing(benchmark, pictures, similar, settings, decisions)
    return show(
        args,
        None,
        lambda tick: build(
            benchmark, replacing, args.out, settings=settings, notes=notes, name=args.name, decisions=decisions,
            on_kept=tick,
        ),
    )  # fmt: skip


def _similar(
    args: argparse.Namespace, benchmark: Benchmark, pictures: Pictures
) -> tuple[Kind, Likeness | Picked | None, tuple[str, ...]]:
    """How similar pictures are found, and lines for the ledger."""
    from answerable.build.authoring.likeness import read_captions, read_vectors
    from answerable.build.authoring.replaced import read_picked

    if args.picked is not None:
        picked = read_picked(args.picked, benchmark, pictures, args.images)
        return "picked", picked, (picked.note, _digest(args.picked))
    likeness: Likeness
    if args.similar is not None:
        likeness, strange = read_captions(args.similar, pictures.resolve)
    elif args.similar_embeddings is not None:
        likeness, strange = read_vectors(args.similar_embeddings, pictures.resolve)
    else:
        return "", None, ()
    note = f"{likeness.describe()} for {len(pictures.known)} pictures; lines on no picture of the benchmark: {strange}"
    file = args.similar or args.similar_embeddings
    return "caption" if args.similar is not None else "embedding", likeness, (note, _digest(file))


def _digest(file: Path) -> str:
    from answerable.core.codec import digest_bytes

    return f"{file.name} sha256={digest_bytes(file.read_bytes())}"
