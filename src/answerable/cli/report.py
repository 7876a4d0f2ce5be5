"""``answerable report``: score runs and draw the result as one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from answerable.cli.score import add_scoring_flags, score_folders

if TYPE_CHECKING:
    from answerable.report.unsolvable import PublishedRow


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "report",
        help="score runs and write one self-contained HTML report",
        description="Score the runs into a folder beside the report, then draw it: tables, plots, and a gallery of "
        "questions with every reply. One HTML file that loads nothing from outside.",
    )
    add_scoring_flags(parser)
    parser.add_argument("--out", type=Path, default=Path("report.html"), help="the HTML file (report.html)")
    parser.add_argument("--scores", type=Path, metavar="FOLDER", help="scores folder to write (OUT's name + .scores)")
    parser.add_argument(
        "--groups", default="choice", metavar="N|all",
        help="questions in the gallery: by default a choice that shows every kind of result and fits into 25 MB; "
        "a number; or 'all', with a folder of pictures beside the file",
    )  # fmt: skip
    parser.add_argument("--title", default="", help="heading of the page (the benchmark's name)")
    parser.add_argument(
        "--published", choices=("upd",), help="put a paper's models beside yours, where its problems are asked"
    )
    parser.add_argument(
        "--review", type=Path, metavar="FILE", help="agreement.json of 'answerable review --export': what people said"
    )
    parser.add_argument(
        "--consistency", type=Path, metavar="FILE", help="consistency.json of 'answerable consistency --out'"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write the verdicts as CSV for spreadsheets")
    parser.add_argument("--open", action="store_true", help="show the report in the web browser")
    parser.set_defaults(handler="answerable.cli.report:main")


def gallery_size(text: str) -> Literal["choice", "all"] | int:
    """``choice``, ``all`` or a number of at least 1.

    Raises:
        SettingsError: anything else.
    """
    from answerable.core.errors import SettingsError

    words: dict[str, Literal["choice", "all"]] = {"choice": "choice", "all": "all"}
    if text in words:
        return words[text]
    if text.isascii() and text.isdigit() and 0 < len(text) < 8 and int(text) > 0:
        return int(text)
    raise SettingsError("a number of groups of at least 1, or 'all'", f"groups={text!r}", where="--groups")


def published_rows(paper: str | None) -> list[PublishedRow]:
    """The models of a paper's table 1; none without a paper."""
    from answerable.report.unsolvable import PublishedRow
    from answerable.score.published.upd import overall_results

    if paper is None:
        return []
    values: dict[str, dict[str, str]] = {}
    for result in overall_results():
        values.setdefault(result.model, {})[f"{result.problem} {result.setting}"] = result.printed
    return [PublishedRow(name=model, values=printed) for model, printed in values.items()]


def main(args: argparse.Namespace) -> int:
    """Score, draw, and say where it lies."""
    from answerable.cli import console
    from answerable.cli.common import find_benchmark
    from answerable.core.errors import SettingsError
    from answerable.report.build import build_report
    from answerable.report.sheet import write_csv
    from answerable.score.pipeline import write_scores

    groups = gallery_size(args.groups)
    out: Path = args.out
    if out.is_dir() or out.suffix.lower() not in (".html", ".htm"):
        raise SettingsError("the name of an HTML file", f"out={str(out)!r}", where="--out", fix="--out report.html")
    scores_folder: Path = args.scores or out.with_name(f"{out.stem}.scores")
    benchmark = find_benchmark(args.runs[0], args.benchmark)
    write_scores(scores_folder, score_folders(args))
    with console.progress("drawing the report", 4, "steps") as bar:
        built = build_report(
            scores_folder,
            benchmark,
            out,
            groups=groups,
            title=args.title,
            peers=published_rows(args.published),
            review=args.review,
            consistency=args.consistency,
            advance=bar.advance,
        )
    rows = write_csv(scores_folder, args.csv) if args.csv else 0
    if args.json:
        csv = {"csv": str(args.csv), "csv_rows": rows} if args.csv else {}
        console.print_json({"report": built, "scores": str(scores_folder), **csv})
    else:
        size = f"{built.bytes / 1e6:.1f} MB"
        console.out(f"{built.path}  ({size}; {built.shown} of {built.total} questions in its gallery)")
        if built.folder:
            console.out(f"{built.folder}/  (its pictures and data: keep it beside the file)")
        console.out(f"{scores_folder}/  (the scores it draws)")
        if args.csv:
            console.out(f"{args.csv}  ({rows} verdicts, safe for spreadsheets)")
    if args.open:
        import webbrowser

        webbrowser.open(out.resolve().as_uri())
    return 0
