"""``answerable build tubench``: the published TUBench data sets as groups."""

from __future__ import annotations

import argparse
from pathlib import Path


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
    tubench.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    tubench.set_defaults(handler="answerable.cli.build_tubench:main")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.importers.tubench import build, read
    from answerable.cli.build import print_result
    from answerable.cli.console import out as write
    from answerable.cli.console import print_json, progress

    imported = read(args.source, args.set, args.language)
    with progress("building", len(imported.groups), "groups") as bar:
        manifest, ledger = build(imported, args.out, name=args.name, on_kept=bar.advance)
    if args.json:
        print_json({"benchmark": manifest, "ledger": ledger})
        return 0
    print_result(args.out, manifest, ledger)
    for note in ledger.lines[0].notes:
        write(note)
    return 0
