"""``answerable build ugeoqa``: geometry questions without one of their conditions, for people to review."""

from __future__ import annotations

import argparse
from pathlib import Path

from answerable.cli.build_tubench import add_decisions, show


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    ugeoqa = domains.add_parser(
        "ugeoqa",
        allow_abbrev=False,
        help="candidates of unanswerable geometry questions: one condition taken out of the text",
        description="From answerable geometry questions with choices, in Chinese or English, make a pair for every "
        "condition that can be taken out: the whole question, and the question without it. A pair is 'derived' until "
        "reviewers keep it, and 'annotated' then.",
    )
    ugeoqa.add_argument(
        "--from", dest="source", type=Path, required=True, metavar="FOLDER_OR_JSONL",
        help="a folder in the layout of UGeoQA, or lines with image, question, choices, answer and id",
    )  # fmt: skip
    ugeoqa.add_argument(
        "--language", default="auto", metavar="LANG", help="zh, en or auto (default auto: as the text is)"
    )
    add_decisions(ugeoqa)
    ugeoqa.add_argument("--reviewed-only", action="store_true", help="leave out what nobody decided on")
    ugeoqa.add_argument("--out", type=Path, required=True, metavar="CANDIDATES", help="a new folder")
    ugeoqa.add_argument("--name", default="ugeoqa", help="name of the benchmark")
    ugeoqa.add_argument("--licence", default="unstated", metavar="TEXT", help="of the questions and pictures")
    ugeoqa.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    ugeoqa.set_defaults(handler="answerable.cli.build_ugeoqa:main")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.authoring.ugeoqa import GeometrySettings, build, read
    from answerable.core.decisions import Decisions

    decisions = Decisions(tuple(args.decisions))
    geometry = read(args.source, GeometrySettings(language=args.language, reviewed_only=args.reviewed_only))
    # How many candidates there are is known when they are made.
    return show(
        args,
        None,
        lambda tick: build(geometry, args.out, name=args.name, licence=args.licence, decisions=decisions, on_kept=tick),
    )
