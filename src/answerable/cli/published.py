"""``answerable published``: the figures that papers print, with their source."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answerable.score.published.tables import Paper, Table

#: Flags that keep the rows with one value of a key.
KEYS = ("problem", "setting", "metric")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "published",
        help="figures that papers print, with their source",
        description="Print a table of a paper's figures; without a paper, list the papers and their tables.",
    )
    parser.add_argument(
        "paper", nargs="?", default="", metavar="PAPER", help="upd, visual-answerability, tubench, mm-r3"
    )
    parser.add_argument("--table", default="", metavar="NAME", help="which table; the paper's first one by default")
    parser.add_argument("--problem", default="", metavar="NAME", help="only this problem: AAD, IASD or IVQD")
    parser.add_argument("--setting", default="", metavar="NAME", help="only this setting: original, base, option ...")
    parser.add_argument("--metric", default="", metavar="NAME", help="only this metric: dual, upd, standard ...")
    parser.add_argument("--model", default="", metavar="TEXT", help="only models whose name contains the text")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, one object a figure")
    form.add_argument("--csv", action="store_true", help="print CSV, one row a figure")
    parser.set_defaults(handler="answerable.cli.published:main")


def main(args: argparse.Namespace) -> int:
    """Print one table, or the list of papers."""
    from answerable.cli.console import print_json
    from answerable.core.errors import SettingsError
    from answerable.score.published import PUBLISHED, load

    if not args.paper:
        if args.csv or args.table or args.model or any(getattr(args, key) for key in KEYS):
            raise SettingsError(f"a paper, one of {', '.join(PUBLISHED.names())}", "none", "PAPER")
        _list([load(name) for name in PUBLISHED.names()], args.json)
        return 0
    paper = load(args.paper)
    table = paper.table(args.table).select(args.model, **{key: getattr(args, key) for key in KEYS})
    if args.json:
        print_json(_plain(paper, table))
    elif args.csv:
        _csv(table)
    else:
        _show(paper, table)
    return 0


def _list(papers: list[Paper], as_json: bool) -> None:
    from answerable.cli.console import out, print_json, table

    if as_json:
        print_json([paper.about for paper in papers])
        return
    for paper in papers:
        table(
            f"{paper.about.name}: {paper.about.cited}",
            ["table", "in the paper", "figures"],
            [[sheet.name, sheet.place, sheet.what] for sheet in paper.about.tables],
        )
    out("answerable published PAPER --table NAME prints one")


def _plain(paper: Paper, table: Table) -> dict[str, Any]:
    about, sheet = paper.about, table.sheet
    return {
        "paper": {
            "name": about.name, "title": about.title, "authors": about.authors, "year": about.year,
            "where": about.where, "read": about.read,
        },
        "table": {
            "name": sheet.name, "place": sheet.place, "what": sheet.what, "unit": sheet.unit, "notes": sheet.notes,
        },
        "rows": [dict(zip(table.header, row, strict=True)) for row in table.rows],
    }  # fmt: skip


def _csv(table: Table) -> None:
    import csv
    import io

    from answerable.cli.console import out

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    out(text.getvalue().rstrip("\n"))


def _show(paper: Paper, found: Table) -> None:
    from answerable.cli.console import out, table

    sheet = found.sheet
    for page in found.pages():
        title = f"{sheet.what} ({sheet.unit})"
        table(": ".join(part for part in (", ".join(page.title), title) if part), page.columns, page.rows)
    for note in sheet.notes:
        out(f"note: {note}")
    out(f"source: {paper.about.cited}; {sheet.place}")
