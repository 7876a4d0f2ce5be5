"""``answerable build chart``: made-up charts, or charts from tables and annotations."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.cli.build import add_common, families, files_under, run_recipe, tables_of, words

if TYPE_CHECKING:
    from answerable.build.sources import Source
    from answerable.domains.chart.world import Kind


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    chart = domains.add_parser(
        "chart", allow_abbrev=False, help="questions on charts: made up, from your table, or from annotations"
    )
    chart.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE_OR_FOLDER",
        help="CSV, TSV or Parquet table, PlotQA/FigureQA annotations (.json), or a folder of them; "
        "without it charts are made up",
    )
    add_common(chart, "chart")
    chart.add_argument(
        "--families",
        default="skia,matplotlib",
        metavar="LIST",
        help="rendering families: skia, matplotlib, vega (default skia,matplotlib)",
    )
    chart.add_argument("--held-out", metavar="FAMILY", help="a family that draws test groups only")
    chart.add_argument("--kinds", default="vbar,hbar,line,dot_line", metavar="LIST", help="kinds of chart")
    chart.add_argument("--mask", default="mixed", choices=["patch", "gap", "mixed"], help="how hidden parts look")
    chart.add_argument(
        "--programs", default="look-up", metavar="LIST", help="families of questions, or all (default: look-up)"
    )
    chart.add_argument("--no-value-labels", action="store_true", help="values on gridlines, no labels at the marks")
    chart.add_argument("--per-figure", type=int, metavar="N", help="groups of one source figure (0: every cell)")
    table = chart.add_argument_group("for tables")
    table.add_argument("--title", default="", help="title of the charts (default: the file's name)")
    table.add_argument("--value-title", default="Value", help="what the numbers are")
    table.add_argument("--position-title", default="", help="what the first column is (default: its name)")
    table.add_argument("--unit", default="", help="unit of the numbers as they stand in the file")
    table.add_argument("--scale", type=int, default=0, metavar="N", help="show them divided by 1000, 1000000 ...")
    table.add_argument("--shape", default="auto", choices=["auto", "wide", "long"], help="form of the table")
    chart.add_argument(
        "--axis",
        default="annotation",
        choices=["annotation", "data"],
        help="for annotations: the value axis from the file, or a round one around the values",
    )


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    from answerable.build.pipeline import ChartRecipe, ChartSettings
    from answerable.domains.chart.templates import TEMPLATES

    settings = ChartSettings(
        groups=args.groups,
        train_groups=args.train_groups,
        seed=args.seed,
        families=words(args.families),
        held_out=args.held_out,
        kinds=_kinds(args.kinds),
        mask=args.mask,
        value_labels=not args.no_value_labels,
        programs=families(args.programs, TEMPLATES),
        per_figure=args.per_figure,
    )
    return run_recipe(args, ChartRecipe(settings, open_source(args)))


def _kinds(text: str) -> tuple[Kind, ...]:
    from answerable.core.errors import SettingsError
    from answerable.domains.chart.world import KINDS

    chosen = words(text)
    for kind in chosen:
        if kind not in KINDS:
            raise SettingsError(f"kinds of chart among {', '.join(KINDS)}", f"{kind!r}", where="--kinds")
    return tuple(kind for kind in KINDS if kind in chosen)


def open_source(args: argparse.Namespace) -> Source:
    """The source that ``--from`` names.

    Raises:
        SourceError: nothing there that charts can be made of.
    """
    from answerable.build.sources import SOURCES
    from answerable.build.sources.table import TableOptions
    from answerable.core.errors import SourceError

    if args.source is None:
        return SOURCES.load("sampler")(args.seed)
    given: Path = args.source
    paths = files_under(given)
    tables = tables_of(paths)
    files = tuple(
        path for path in paths if path.suffix.lower() == ".json" and not path.stem.endswith(("qas", "questions"))
    )
    if tables and files:
        raise SourceError("tables or annotations", "both", where=f"{given}", fix="put them into folders of their own")
    if tables:
        options = TableOptions(
            title=args.title,
            value_title=args.value_title,
            position_title=args.position_title,
            unit=args.unit,
            scale=args.scale,
            shape=args.shape,
        )
        return SOURCES.load("table")(tables, _kinds(args.kinds), options, value_labels=not args.no_value_labels)
    if files:
        return SOURCES.load("annotations")(files, value_labels=not args.no_value_labels, axis=args.axis)
    raise SourceError(
        "a .csv, .tsv or .parquet table or a .json annotation file",
        f"{given.name}",
        where="--from",
        fix="'answerable build chart --help' describes the forms",
    )
