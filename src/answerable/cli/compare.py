"""``answerable compare``: paired differences between runs, sorted by whether their interval excludes zero."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answerable.core.scores import PairDifference, Scores

#: Shown when no metric is named; ``J_k`` and ``B_k`` stand for every k.
DEFAULT_METRICS = ("J", "B", "J_k", "B_k", "E", "E_A", "E_M", "E_I", "A")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    from answerable.cli.score import add_scoring_flags

    parser = subparsers.add_parser(
        "compare",
        help="paired differences between runs",
        description="Every pair of runs on the groups both were asked: difference of each metric with its 95 % interval"
        " from the same bootstrap draws, not adjusted for the number of comparisons.",
    )
    add_scoring_flags(parser)
    parser.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="a metric to compare; repeatable ('all' for all)"
    )
    parser.set_defaults(handler="answerable.cli.compare:main")


def main(args: argparse.Namespace) -> int:
    """Score the runs and print their differences."""
    from answerable.cli.console import out, print_json, table
    from answerable.cli.score import score_folders
    from answerable.core.errors import SettingsError

    if len(args.runs) < 2:
        raise SettingsError("at least two runs to compare", "one", "RUN", "name another run folder")
    scores = score_folders(args).scores
    chosen = choose(scores, args.metric)
    clear = [pair for pair in chosen if pair.excludes_zero]
    unclear = [pair for pair in chosen if not pair.excludes_zero]
    if args.json:
        parts = (("excludes_zero", clear), ("includes_zero", unclear))
        print_json({name: [_plain(pair) for pair in part] for name, part in parts} | {"notes": list(scores.notes)})
        return 0
    for heading, part in (("interval excludes zero", clear), ("interval does not exclude zero", unclear)):
        if part:
            table(
                _title(scores, heading),
                ["pair", "source", "metric", "difference", "95 % interval", "groups"],
                _rows(part),
            )
        else:
            out(f"{heading}: none")
    for note in scores.notes:
        out(note)
    return 0


def choose(scores: Scores, metrics: Sequence[str]) -> list[PairDifference]:
    """The differences of the named metrics, in the order of the scores.

    Raises:
        SettingsError: no difference has such a metric, or the runs share no group.
    """
    from answerable.core.errors import SettingsError

    if not scores.pairs:
        raise SettingsError("runs that share groups", "no group that two of them were asked", "RUN")
    known = list(dict.fromkeys(pair.metric for pair in scores.pairs))
    for name in metrics:
        if name not in (*known, "all", "J_k", "B_k"):
            raise SettingsError(f"a metric, one of {', '.join(known)} or all", f"{name!r}", "--metric")
    wanted = set(metrics or DEFAULT_METRICS)
    return [pair for pair in scores.pairs if "all" in wanted or wanted & {pair.metric, _family(pair.metric)}]


def _family(metric: str) -> str:
    return f"{metric[:2]}k" if metric[:2] in ("J_", "B_") and metric[2:].isdigit() else metric


def _title(scores: Scores, heading: str) -> str:
    missing = sum(run.failed + run.not_run for run in scores.runs)
    warning = f"; INCOMPLETE: {missing} missing replies count as failed" if missing else ""
    return f"{heading} (per cent points){warning}"


def _rows(pairs: Sequence[PairDifference]) -> list[list[str]]:
    return [
        [
            f"{pair.a} - {pair.b}",
            pair.source,
            pair.metric,
            "undefined" if pair.value is None else f"{100 * pair.value:+.2f}",
            "undefined" if pair.interval is None else f"[{100 * pair.interval[0]:+.2f}, {100 * pair.interval[1]:+.2f}]",
            str(pair.groups),
        ]
        for pair in pairs
    ]


def _plain(pair: PairDifference) -> dict[str, Any]:
    return {
        "a": pair.a, "b": pair.b, "source": pair.source, "metric": pair.metric, "value": pair.value,
        "interval": None if pair.interval is None else list(pair.interval), "groups": pair.groups,
    }  # fmt: skip
