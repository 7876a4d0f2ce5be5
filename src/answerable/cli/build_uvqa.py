"""``answerable build uvqa``: a folder of photos and a sheet of questions, checked, as a benchmark."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.cli.build_tubench import add_decisions, show

if TYPE_CHECKING:
    from answerable.build.authoring.uvqa import Authored

#: Lines printed of one kind of finding.
_SHOWN = 5


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    uvqa = domains.add_parser(
        "uvqa",
        allow_abbrev=False,
        help="your own yes-no questions on photos, some of them unanswerable",
        description="Read a sheet with the columns image, question, answer (Yes, No or Unanswerable), strategy (S.4 to "
        "S.8, for unanswerable questions only) and, if you like, id; check it, and build a benchmark. Rows with an "
        "error are left out and counted.",
    )
    uvqa.add_argument("--from", dest="source", type=Path, required=True, metavar="FOLDER", help="the photos")
    uvqa.add_argument("--questions", type=Path, required=True, metavar="FILE", help="a .csv, .tsv, .json or .yaml file")
    uvqa.add_argument("--out", type=Path, metavar="BENCH", help="a new folder (needed without --check)")
    uvqa.add_argument("--check", action="store_true", help="only print what was found; exit 1 when a row has an error")
    uvqa.add_argument(
        "--balance-limit", default="2", metavar="N",
        help="warn where one side has more than N times as many questions as the other (default 2)",
    )  # fmt: skip
    add_decisions(uvqa)
    uvqa.add_argument("--name", default="uvqa", help="name of the benchmark")
    uvqa.add_argument("--licence", default="unstated", metavar="TEXT", help="of the questions and pictures")
    uvqa.add_argument("--json", action="store_true", help="print the findings, or the manifest and the ledger, as JSON")
    uvqa.set_defaults(handler="answerable.cli.build_uvqa:main")


def main(args: argparse.Namespace) -> int:
    """Check, build unless only a check was asked for, and print what came of it."""
    from answerable.build.authoring.uvqa import SheetSettings, build, read
    from answerable.cli.console import print_json
    from answerable.core.decisions import Decisions
    from answerable.core.errors import SettingsError

    if args.out is None and not args.check:
        raise SettingsError("a folder to build, or only a check", "neither", where="--out", fix="add --out or --check")
    decisions = Decisions(tuple(args.decisions))
    authored = read(args.source, args.questions, SheetSettings(balance_limit=args.balance_limit))
    if args.check and args.json:
        print_json({"findings": authored.findings, "notes": authored.notes})
    elif not args.json:
        _print(authored)
    if args.check:
        return int(bool(authored.refused))
    return show(
        args,
        len(authored.groups),
        lambda tick: build(authored, args.out, name=args.name, licence=args.licence, decisions=decisions, on_kept=tick),
    )


def _print(authored: Authored) -> None:
    from answerable.cli.console import out, table

    counts: dict[tuple[str, str], list[str]] = {}
    for finding in authored.findings:
        counts.setdefault((finding.level, finding.what), []).append(finding.detail)
    rows = [
        [f"{level}: {what}", detail, str(len(details)) if not place else ""]
        for (level, what), details in counts.items()
        for place, detail in enumerate(details[:_SHOWN])
    ]
    if rows:
        table("found", ["what", "where", "how many"], rows)
    questions = sum(map(len, authored.groups))
    out(f"{questions} questions on {len(authored.groups)} photos, {len(authored.refused)} rows with an error")
