"""``answerable build mcq``: unsolvable problem detection on multiple-choice questions of MMBench's form or your own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, cast

from answerable.cli.build import words

if TYPE_CHECKING:
    from answerable.build.mcq_benchmarks import McqRecipe, McqSettings
    from answerable.core.agreement import Agreement
    from answerable.core.benchmark import Ledger, Manifest
    from answerable.core.records import Problem, Setting


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    mcq = domains.add_parser(
        "mcq",
        allow_abbrev=False,
        help="unsolvable problem detection on multiple-choice questions",
        description="From multiple-choice questions on pictures: the right option absent (AAD), the options of another "
        "question (IASD), the picture of another question (IVQD), beside the standard question.",
    )
    mcq.add_argument(
        "--from",
        dest="source",
        type=Path,
        required=True,
        metavar="FILE_OR_FOLDER",
        help="MMBench .tsv; .json list of samples or of MM-UPD rows; your own .jsonl or .csv with image paths",
    )
    mcq.add_argument(
        "--images",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of pictures besides the file's own; PREFIX=DIR for names that begin with PREFIX/ (repeatable)",
    )
    mcq.add_argument("--problems", default="aad,iasd,ivqd", metavar="LIST", help="default: aad,iasd,ivqd")
    mcq.add_argument(
        "--settings",
        default="base,option,instruction,original",
        metavar="LIST",
        help="how questions are put (default: base,option,instruction,original); 'given' tells the answer (AAD only)",
    )
    mcq.add_argument("--groups", type=int, metavar="N", help="groups of a problem and split at most (default: all)")
    mcq.add_argument("--seed", type=int, default=0, metavar="S", help="same seed and settings, same bytes (default 0)")
    mcq.add_argument("--without", default="", metavar="LIST", help="steps of the preparation to switch off")
    _add_review(mcq)
    mcq.add_argument("--out", type=Path, required=True, metavar="BENCH", help="a new folder")
    mcq.add_argument("--name", default="mcq", help="name of the benchmark")
    mcq.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    mcq.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    mcq.set_defaults(handler="answerable.cli.build_mcq:main")


def _add_review(mcq: argparse.ArgumentParser) -> None:
    mcq.add_argument(
        "--text-only",
        type=Path,
        metavar="SCORES",
        help="scores of a run with --control text-only: what it answers goes",
    )
    mcq.add_argument(
        "--decisions",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="what reviewers decided (repeatable)",
    )
    mcq.add_argument(
        "--similarity",
        type=int,
        default=0,
        metavar="N",
        help="pairs that read alike, N of 100, go on the review list (extra 'similarity'; default 0: off)",
    )
    mcq.add_argument("--review", type=Path, metavar="FILE", help="the review list (default: review.jsonl beside BENCH)")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.mcq_benchmarks import McqRecipe, build
    from answerable.build.sources.mcq_images import places_of
    from answerable.build.sources.mcq_open import open_source
    from answerable.build.variations.review import check_review, write_review
    from answerable.cli.console import print_json, progress
    from answerable.core.agreement import agreements
    from answerable.core.decisions import Decisions
    from answerable.core.errors import SettingsError
    from answerable.exec import executor

    settings = settings_of(args)
    review = args.review or args.out.resolve().parent / "review.jsonl"
    check_review(review)
    decisions = Decisions(tuple(args.decisions))
    source = open_source(args.source, places_of(args.images))
    recipe = McqRecipe(settings, source, decisions=decisions, text_only=args.text_only)
    workers = executor(args.workers)
    try:
        with progress("building", recipe.test_groups + recipe.train_groups, "groups") as bar:
            manifest, ledger = build(recipe, args.out, workers, name=args.name, on_kept=bar.advance)
    except SettingsError:
        # Nothing was kept: the list says what a reviewer could let in.
        write_review(review, recipe.review)
        raise
    finally:
        workers.close()
    write_review(review, recipe.review)
    figures = agreements(decisions.said)
    if args.json:
        print_json({"benchmark": manifest, "ledger": ledger, "review": len(recipe.review), "agreement": figures})
    else:
        _print(args.out, review, recipe, manifest, ledger, figures)
    return 0


def settings_of(args: argparse.Namespace) -> McqSettings:
    """The settings that the flags say.

    Raises:
        SettingsError: naming the flag.
    """
    from answerable.build.mcq_benchmarks import McqSettings, check_settings
    from answerable.build.preparation import check_steps

    settings = McqSettings(
        seed=args.seed,
        # Checked below, so that the message names the flag.
        problems=cast("tuple[Problem, ...]", words(args.problems.upper())),
        settings=cast("tuple[Setting, ...]", words(args.settings.lower())),
        preparation=check_steps(words(args.without)),
        groups=args.groups,
        similarity=args.similarity,
    )
    check_settings(settings)
    return settings


def _print(
    out: Path, review: Path, recipe: McqRecipe, manifest: Manifest, ledger: Ledger, figures: tuple[Agreement, ...]
) -> None:
    from answerable.cli.console import out as write
    from answerable.cli.console import table

    rows = [
        [f"{count.source} ({count.split})", str(count.groups), str(count.views), " ".join(count.states)]
        for count in manifest.sources
    ]
    table(f"{manifest.name}: {out}", ["source", "groups", "views", "states"], rows)
    for line in ledger.lines:
        refused = sorted(line.refused.items(), key=lambda item: (-item[1], item[0]))
        if refused:
            reasons = [
                [reason, str(count), (ledger.examples.get(reason) or ("",))[0][:80]] for reason, count in refused
            ]
            table(f"refused for {line.source}, of {line.scanned}", ["reason", "questions", "for example"], reasons)
        for note in recipe.notes(cast("Problem", line.source.rpartition("-")[2].upper())):
            write(f"{line.source}: {note}")
    write(f"fingerprint {manifest.fingerprint}")
    left = sum(line.left_out for line in recipe.review)
    write(f"{len(recipe.review)} doubtful pairs to review, {left} of them left out until decided: {review}")
    if figures:
        rows = [
            [
                f"{figure.measure}: {', '.join(figure.reviewers)}", str(figure.groups), str(figure.agreed),
                "undefined" if figure.kappa is None else f"{float(figure.kappa):.3f}",
            ]
            for figure in figures
        ]  # fmt: skip
        table("agreement", ["of", "groups", "agreed", "kappa"], rows)
    if recipe.undecided:
        shown = ", ".join(recipe.undecided[:5])
        write(f"{len(recipe.undecided)} decisions name no group of this build, for example {shown}")
