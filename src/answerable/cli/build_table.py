"""``answerable build table``: made-up tables, tables of your own, or word problems over tables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.cli.build import add_common, families, files_under, run_recipe, tables_of, words

if TYPE_CHECKING:
    from answerable.build.sources.table_worlds import TableSource


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    table = domains.add_parser(
        "table", allow_abbrev=False, help="questions on tables: made up, from your table, or TabMWP word problems"
    )
    table.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE_OR_FOLDER",
        help="CSV, TSV or Parquet table, a folder of them, or problems.json of TabMWP; without it tables are made up",
    )
    add_common(table, "table")
    table.add_argument(
        "--styles", default="ruled,zebra,sheet,book", metavar="LIST", help="families of styles (default: all four)"
    )
    table.add_argument("--held-out", metavar="FAMILY", help="a family of styles that draws test groups only")
    table.add_argument("--mask", default="patch", choices=["patch", "ink", "mixed"], help="how hidden cells look")
    table.add_argument(
        "--programs", default="look-up", metavar="LIST", help="families of questions, or all (default: look-up)"
    )
    table.add_argument("--choices", action="store_true", help="questions offer choices, computed from the table")
    table.add_argument("--per-figure", type=int, metavar="N", help="groups of one table (0: every cell)")
    table.add_argument(
        "--as", dest="put", choices=["utabmwp"], help="put and scored as TUBench's UTabMWP; choices get letters"
    )
    table.add_argument("--title", default="", help="title of your tables (default: the file's name)")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.asking import FREE
    from answerable.build.manners import UTABMWP
    from answerable.build.table_benchmarks import TableRecipe, TableSettings
    from answerable.domains.table.templates import TEMPLATES

    settings = TableSettings(
        groups=args.groups,
        train_groups=args.train_groups,
        seed=args.seed,
        styles=words(args.styles),
        held_out=args.held_out,
        mask=args.mask,
        programs=families(args.programs, TEMPLATES),
        choices=args.choices or args.put is not None,
        per_figure=args.per_figure,
    )
    return run_recipe(args, TableRecipe(settings, open_source(args), UTABMWP if args.put else FREE))


def open_source(args: argparse.Namespace) -> TableSource:
    """The source that ``--from`` names.

    Raises:
        SourceError: nothing there that tables can be made of.
    """
    from answerable.build.sources.table_worlds import TABLE_SOURCES
    from answerable.core.errors import SourceError

    if args.source is None:
        return TABLE_SOURCES.load("sampler")(args.seed)
    given: Path = args.source
    paths = files_under(given)
    tables = tables_of(paths)
    problems = tuple(path for path in paths if path.suffix.lower() == ".json")
    if tables and problems:
        raise SourceError("tables or problems", "both", where=f"{given}", fix="put them into folders of their own")
    if tables:
        return TABLE_SOURCES.load("sheet")(tables, args.title)
    if len(problems) == 1:
        return TABLE_SOURCES.load("tabmwp")(problems[0])
    raise SourceError(
        "a .csv, .tsv or .parquet table, or one .json file of problems",
        f"{len(problems)} .json files" if problems else f"{given.name}",
        where="--from",
        fix="'answerable build table --help' describes the forms",
    )
