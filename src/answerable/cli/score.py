"""``answerable score``: read replies, count whole questions, put intervals on them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answerable.core.scores import Figure, Scores, SourceScores
    from answerable.score.pipeline import Scored

#: Two tables, so that each fits a terminal: whole groups, and single views.
_TABLES = {"whole groups": ("J", "B", "J_k", "B_k"), "views": ("E", "E_A", "E_M", "E_I", "A")}
#: What parts of a source are shown in.
_SPLIT = ("J", "B", "E_A", "E_M", "E_I", "A")


def add_scoring_flags(parser: argparse.ArgumentParser) -> None:
    """Flags of every verb that scores."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders over one benchmark")
    parser.add_argument("--benchmark", type=Path, metavar="BENCH", help="its folder, when the runs do not lead to it")
    parser.add_argument(
        "--allow-incomplete", action="store_true", help="count missing replies as failed instead of refusing"
    )
    parser.add_argument("--reader", metavar="NAME", help="read replies with this reader instead of the benchmark's own")
    parser.add_argument(
        "--against", metavar="NAME",
        help="count where this reader reads replies differently; it decides no figure. By default the strict reader"
        " beside a published one, and for TUBench the published one beside the strict; 'none' for none",
    )  # fmt: skip
    parser.add_argument(
        "--judged",
        action="store_true",
        help="let stored judgements of 'answerable judge' read what is unread",
    )
    parser.add_argument("--draws", type=int, default=10_000, help="bootstrap draws of whole groups (10000)")
    parser.add_argument("--seed", type=int, default=20260915, help="seed of the draws (20260915)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "score",
        help="score runs: whole questions, decisions, answers, intervals",
        description="Score runs over one benchmark. A group counts only when all of its views do.",
    )
    add_scoring_flags(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write scores.json and verdicts.parquet here")
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        choices=("program", "depth", "ability", "topic", "answer", "state"),
        help="also split every source by program family, depth of the program, ability, topic, or state; repeatable",
    )
    parser.add_argument(
        "--gate",
        action="append",
        default=[],
        metavar="CONDITION",
        help="like 'J>=0.4' or 'E_M<20%%'; must hold in every source of every run, else exit code 1; repeatable",
    )
    parser.set_defaults(handler="answerable.cli.score:main")


def score_folders(args: argparse.Namespace) -> Scored:
    """Open the runs and their benchmark and score them, with progress.

    Raises:
        AnswerableError: anything about them that cannot be scored.
    """
    from answerable.cli.common import expected_replies, find_benchmark
    from answerable.cli.console import progress
    from answerable.core.runlog import RunFolder
    from answerable.score.pipeline import score_runs

    runs = [RunFolder(path) for path in args.runs]
    benchmark = find_benchmark(args.runs[0], args.benchmark)
    with progress("reading replies", expected_replies(runs), "replies") as bar:
        return score_runs(
            benchmark, runs, draws=args.draws, seed=args.seed, allow_incomplete=args.allow_incomplete,
            reader=args.reader, judged=args.judged, against=args.against, tick=bar.advance,
        )  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Score, print, write, and hold the gates against the figures."""
    from answerable.cli.console import console, out, print_json, table
    from answerable.cli.readings import print_readings
    from answerable.score.gates import failing, parse_gate
    from answerable.score.pipeline import write_scores

    gates = [parse_gate(text) for text in args.gate]
    scored = score_folders(args)
    failures = failing(scored.scores, gates)
    if args.out is not None:
        write_scores(args.out, scored)
    if args.json:
        print_json(figures(scored.scores, args.by))
    else:
        for name, columns in _TABLES.items():
            heading = f"{name}: {title(scored.scores)}"
            table(heading, ["run", "source", "level", "groups", *columns, "invalid"], rows(scored.scores, columns))
        print_choices(scored.scores)
        print_tubench(scored.scores)
        print_readings(scored.scores)
        for facet in dict.fromkeys(args.by):
            print_split(scored.scores, facet)
        out("w: Wilson interval over groups, where the bootstrap interval of a rate of 0 or 1 has no width")
        for note in scored.scores.notes:
            out(note)
        if args.out is not None:
            out(f"written: {args.out}")
    for line in failures:
        console().print(line, soft_wrap=True)
    return 1 if failures else 0


def title(scores: Scores) -> str:
    """What the table shows; says so when replies are missing."""
    missing = sum(run.failed + run.not_run for run in scores.runs)
    text = f"{scores.benchmark}, split {scores.split}: per cent [95 % interval]"
    return f"{text}; INCOMPLETE: {missing} missing replies count as failed" if missing else text


def rows(scores: Scores, columns: Sequence[str]) -> list[list[str]]:
    """A row a run and source."""
    return [
        [
            _marked(run.name, run.failed + run.not_run),
            name,
            source.level,
            str(source.groups),
            *_cells(source, columns),
            _invalid(source),
        ]
        for run in scores.runs
        for name, source in run.sources.items()
    ]


def _marked(name: str, missing: int) -> str:
    return f"{name} (incomplete)" if missing else name


def _cells(source: SourceScores, columns: Sequence[str]) -> list[str]:
    from answerable.cli.common import in_percent

    cells = []
    for column in columns:
        if column.endswith("_k"):
            found = [name for name in source.metrics if name[:2] == column[:2] and name[2:].isdigit()]
            cells.append(f"{found[0]} {in_percent(source.metrics[found[0]])}" if found else "undefined")
        else:
            cells.append(in_percent(source.metrics[column]))
    return cells


def _invalid(source: SourceScores) -> str:
    invalid, missing = source.counts["I"], source.counts["missing"]
    return f"{invalid} + {missing} missing" if missing else str(invalid)


def print_split(scores: Scores, facet: str) -> None:
    """Every source of every run, split."""
    from answerable.cli.common import in_percent
    from answerable.cli.console import out, table
    from answerable.core.scores import FACETS, OUTCOMES

    if facet == "state":
        shown = [
            [run.name, name, tally.state, str(tally.views), in_percent(tally.failure)]
            + [str(tally.outcomes[outcome]) for outcome in OUTCOMES]
            for run in scores.runs
            for name, source in run.sources.items()
            for tally in source.tallies
        ]
        heads = [outcome.replace("_", " ") for outcome in OUTCOMES]
        table(f"by state: {title(scores)}", ["run", "source", "state", "views", "decision failed", *heads], shown)
        return
    words = next(words for known, words in FACETS.items() if known == facet)
    split = [
        (run.name, name, part)
        for run in scores.runs
        for name, source in run.sources.items()
        for part in source.parts
        if part.facet == facet
    ]
    if not split:
        out(f"no split by {words}: no question of this benchmark has one")
        return
    columns = _choice_columns(part.metrics for _, _, part in split) or _SPLIT
    shown = [
        [run, name, part.value, str(part.groups), *(_cell(part.metrics.get(metric)) for metric in columns)]
        for run, name, part in split
    ]
    table(f"by {words}: {title(scores)}", ["run", "source", words, "groups", *columns], shown)


def _choice_columns(figures: Iterable[Mapping[str, Figure]]) -> tuple[str, ...]:
    """What questions of a published protocol are told in: Original and Dual, or F1, 2ACC and OACC; else nothing."""
    names = dict.fromkeys(name for metrics in figures for name in metrics)
    told = ("Original", "F1_unanswerable", "ACC2", "OACC")
    return tuple(name for name in names if name in told or name.startswith("Dual_"))


def _cell(figure: Figure | None) -> str:
    from answerable.cli.common import in_percent

    return "-" if figure is None else in_percent(figure)


def print_choices(scores: Scores) -> None:
    """Unsolvable problem detection: a row a run, source and setting; nothing for sources without choices."""
    from answerable.cli.console import table
    from answerable.core.records import SETTINGS

    columns = ("Standard", "UPD", "Dual", "OC_Dual")
    shown = [
        [run.name, name, str(source.groups), setting, _cell(source.metrics.get("Original"))]
        + [_cell(source.metrics.get(f"{column}_{setting}")) for column in columns]
        for run in scores.runs
        for name, source in run.sources.items()
        for setting in SETTINGS
        if f"Dual_{setting}" in source.metrics
    ]
    if shown:
        heads = ["run", "source", "questions", "setting", "Original", *columns]
        table(f"unsolvable problems: {title(scores)}", heads, shown)
    probe = ("UPD_option", "UPD_given", "Vision_bottleneck", "Language_bottleneck")
    told = [
        [run.name, name, *(_cell(source.metrics[metric]) for metric in probe)]
        for run in scores.runs
        for name, source in run.sources.items()
        if all(metric in source.metrics for metric in probe)
    ]
    if told:
        table(f"told the answer: {title(scores)}", ["run", "source", *probe], told)
    rows = [
        [line.source, f"{line.x} and {line.y}", str(line.runs), *map(_coefficient, (line.pearson, line.spearman))]
        for line in scores.correlations
    ]
    if rows:
        table("correlations over runs", ["source", "metrics", "runs", "Pearson", "Spearman"], rows)


def print_tubench(scores: Scores) -> None:
    """F1, two-class and overall accuracy with naive responders and averages, and confusion matrices, where they apply;
    and the recall of unanswerable questions on their own pictures and on others put in their place.
    """
    from answerable.cli.common import percent
    from answerable.cli.console import table
    from answerable.score.tubench_baselines import Classes, average, frequent_guess, random_chance

    columns = ("F1_unanswerable", "P_unanswerable", "R_unanswerable", "ACC2", "OACC")
    heads = ["run", "source", *columns]
    shown, matrices = [], []
    naive: dict[tuple[str, Classes], Fraction | None] = {}
    for run in scores.runs:
        asked = {name: source for name, source in run.sources.items() if "F1_unanswerable" in source.metrics}
        for name, source in asked.items():
            figures = [source.metrics[column] for column in columns]
            shown.append([run.name, name, *map(_cell, figures)])
            lost, every = (figures[place].denominator // run.repeats for place in (2, 3))
            known = source.metrics.get("OACC_chance")
            naive[name, Classes(answerable=every - lost, unanswerable=lost)] = _exact(known) if known else None
            matrices += [
                [run.name, name, target, ", ".join(f"{label} {count}" for label, count in read.items())]
                for target, read in source.confusion.items()
            ]
        if len(asked) > 1:
            means = (average(_exact(source.metrics[column]) for source in asked.values()) for column in columns)
            shown.append([run.name, "average", *(percent(None if mean is None else float(mean)) for mean in means)])
    for (name, classes), guess in naive.items():
        for kind, found in (("random chance", random_chance(classes)), ("frequent guess", frequent_guess(classes))):
            value = guess if kind == "random chance" else found.oacc
            oacc = "-" if value is None else percent(float(value))
            shown.append([kind, name, percent(float(found.f1)), "-", "-", percent(float(found.acc2)), oacc])
    if shown:
        table(f"answerable or not: {title(scores)}", heads, shown)
        table("read as", ["run", "source", "target", "replies"], matrices)
    _print_replaced(scores)


def _print_replaced(scores: Scores) -> None:
    """Recall of unanswerable questions on their own pictures (OUA), similar ones (SUA) and random ones (RUA)."""
    from answerable.cli.console import table

    names = ("OUA", "SUA", "RUA")
    shown = [
        [run.name, name, *(_cell(source.metrics.get(f"R_unanswerable_{subset}")) for subset in names)]
        for run in scores.runs
        for name, source in run.sources.items()
        if any(f"R_unanswerable_{subset}" in source.metrics for subset in names)
    ]
    if shown:
        table(f"unanswerable questions on other pictures: {title(scores)}", ["run", "source", *names], shown)


def _exact(figure: Figure) -> Fraction | None:
    return Fraction(figure.numerator, figure.denominator) if figure.denominator else None


def _coefficient(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def figures(scores: Scores, by: Sequence[str] = ()) -> dict[str, dict[str, dict[str, Any]]]:
    """Run -> source -> metric -> figure; with ``by`` also source -> ``by`` -> facet -> value -> metric -> figure."""
    return {
        run.name: {
            name: {metric: _figure(figure) for metric, figure in source.metrics.items()}
            | ({"by": {facet: _split(source, facet) for facet in by}} if by else {})
            for name, source in run.sources.items()
        }
        for run in scores.runs
    }


def _split(source: SourceScores, facet: str) -> dict[str, Any]:
    if facet == "state":
        return {
            tally.state: {"failure": _figure(tally.failure), "views": tally.views, "outcomes": tally.outcomes}
            for tally in source.tallies
        }
    return {
        part.value: {metric: _figure(figure) for metric, figure in part.metrics.items()}
        for part in source.parts
        if part.facet == facet
    }


def _figure(figure: Figure) -> dict[str, Any]:
    found: dict[str, Any] = {
        "value": figure.value,
        "numerator": figure.numerator,
        "denominator": figure.denominator,
    }
    bounds: Sequence[tuple[str, tuple[float, float] | None]] = (
        ("interval", figure.interval),
        ("wilson", figure.wilson),
    )
    return found | {name: list(value) for name, value in bounds if value is not None}
