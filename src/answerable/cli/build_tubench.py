"""``answerable build tubench``: the published TUBench data sets as groups."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.core.benchmark import Ledger, Manifest


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    tubench = domains.add_parser(
        "tubench",
        allow_abbrev=False,
        help="the published TUBench sets, as their annotators labelled them",
        description="Import UCR (n/n.png, n.txt, n_u1 to n_u3), UVQA (a photo and vqa.txt), UGeoQA (id/id.json, "
        "id.png), UTabMWP (n/n.json, n.png, n_u1.png), or a metadata.jsonl beside its pictures. Nothing is proved: "
        "every view is annotated, with its strategy.",
    )
    tubench.add_argument("--from", dest="source", type=Path, required=True, metavar="FOLDER", help="the set's folder")
    tubench.add_argument("--set", metavar="SET", help="ucr, uvqa, ugeoqa, utabmwp or hf (default: as the folder looks)")
    tubench.add_argument(
        "--language", metavar="LANG", help="zh or en, for UGeoQA (default zh, as in the published results) and hf"
    )
    tubench.add_argument("--out", type=Path, required=True, metavar="BENCH", help="a new folder")
    tubench.add_argument("--name", default="tubench", help="name of the benchmark")
    add_decisions(tubench)
    tubench.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    tubench.set_defaults(handler="answerable.cli.build_tubench:main")


def add_decisions(parser: argparse.ArgumentParser) -> None:
    """The flag for what reviewers decided."""
    parser.add_argument(
        "--decisions", type=Path, action="append", default=[], metavar="FILE",
        help="what reviewers decided (repeatable): dropped and disputed groups are left out and counted",
    )  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.importers.tubench import build, read
    from answerable.core.decisions import Decisions

    decisions = Decisions(tuple(args.decisions))
    imported = read(args.source, args.set, args.language)
    return show(
        args,
        len(imported.groups),
        lambda tick: build(imported, args.out, name=args.name, decisions=decisions, on_kept=tick),
    )


def show(
    args: argparse.Namespace, groups: int | None, build: Callable[[Callable[[], None]], tuple[Manifest, Ledger]]
) -> int:
    """Build with progress over ``groups``, and print what came of it with the ledger's notes."""
    from answerable.cli.build import print_result
    from answerable.cli.console import out as write
    from answerable.cli.console import print_json, progress

    with progress("building", groups, "groups") as bar:
        manifest, ledger = build(bar.advance)
    if args.json:
        print_json({"benchmark": manifest, "ledger": ledger})
        return 0
    print_result(args.out, manifest, ledger)
    for note in ledger.lines[0].notes:
        write(note)
    return 0
