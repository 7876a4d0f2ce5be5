"""``answerable review``: people vote on groups, or on a model's explanations, in a page on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.core.agreement import ReviewScores
    from answerable.core.benchmark import Benchmark
    from answerable.core.runlog import RunFolder
    from answerable.review.export import Exported
    from answerable.review.pages import Pages
    from answerable.review.queue import Tally
    from answerable.review.records import Project
    from answerable.review.store import Store


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Flags of the verb."""
    parser = subparsers.add_parser(
        "review",
        help="people vote on groups, or on explanations, in a local page",
        description="Serve a page in which reviewers vote on the groups of a benchmark without seeing each other's "
        "votes; with --run, on the answers and explanations of a run. Every vote is on the disk before the page says "
        "so. Ctrl-C ends it; the same command resumes.",
    )
    parser.add_argument("benchmark", type=Path, metavar="BENCH", help="benchmark folder")
    parser.add_argument("--run", type=Path, metavar="RUN", help="review the replies of this run instead of groups")
    parser.add_argument(
        "--db", type=Path, metavar="FILE", help="the votes (BENCH-review.sqlite, or RUN-review.sqlite, beside it)"
    )
    parser.add_argument("--export", type=Path, metavar="DIR", help="write decisions and agreement, and serve nothing")
    parser.add_argument("--status", action="store_true", help="say how far it is, and serve nothing")
    parser.add_argument("--json", action="store_true", help="print what --export or --status found as JSON")
    chosen = parser.add_argument_group("what to review, when a review is begun (the database keeps it)")
    chosen.add_argument("--sample", type=int, metavar="N", help="N groups, or replies, drawn by --seed")
    chosen.add_argument("--seed", type=int, default=0, metavar="S", help="of --sample (0)")
    chosen.add_argument("--group", action="append", default=[], metavar="ID", help="this group (repeatable)")
    chosen.add_argument("--list", type=Path, metavar="FILE", help="the groups that a review list names")
    chosen.add_argument("--reviewers", type=int, metavar="N", help="votes wanted on every item (2)")
    served = parser.add_argument_group("where it is served")
    served.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    served.add_argument("--port", type=int, default=0, help="port (0: that of the last time, or any that is free)")
    served.add_argument("--remote", action="store_true", help="let other machines in; nothing is encrypted")
    served.add_argument("--new-token", action="store_true", help="another address: the one of last time ends")
    served.add_argument("--open", action="store_true", help="show the page in the web browser")
    parser.set_defaults(handler="answerable.cli.review:main")


def main(args: argparse.Namespace) -> int:
    """Serve, export or tell."""
    from answerable.core.benchmark import Benchmark
    from answerable.core.errors import SettingsError
    from answerable.review.store import Store

    if args.reviewers is not None and not 1 <= args.reviewers <= 20:
        raise SettingsError("a number of votes from 1 to 20", f"reviewers={args.reviewers}", where="--reviewers")
    if args.json and not (args.export or args.status):
        raise SettingsError("--json with --export or --status", "--json alone", where="--json")
    benchmark = Benchmark(args.benchmark)
    run = _run_of(args, benchmark)
    project = _project(benchmark, run)
    path = args.db or _beside(args.run or args.benchmark)
    if args.export or args.status:
        store = Store(path, project, make=False)
        try:
            _told(args, store)
        finally:
            store.close()
        return 0
    return _serve(args, benchmark, run, project, path)


def _run_of(args: argparse.Namespace, benchmark: Benchmark) -> RunFolder | None:
    """The run whose replies are reviewed; one on another benchmark is refused."""
    from answerable.cli.common import find_benchmark
    from answerable.core.runlog import RunFolder

    if args.run is None:
        return None
    find_benchmark(args.run, benchmark.path)
    return RunFolder(args.run)


def _project(benchmark: Benchmark, run: RunFolder | None) -> Project:
    from answerable.review.pages import run_digest
    from answerable.review.records import Project

    known = benchmark.manifest
    if run is None:
        return Project("group", known.name, known.fingerprint)
    return Project("explanation", known.name, known.fingerprint, run_digest(run), run.manifest.model)


def _beside(folder: Path) -> Path:
    whole = folder.resolve()
    return whole.with_name(f"{whole.name}-review.sqlite")


def _serve(args: argparse.Namespace, benchmark: Benchmark, run: RunFolder | None, project: Project, path: Path) -> int:
    from answerable.review.pages import check_same
    from answerable.review.serve import Place, check_installed, check_place, is_loopback, listen
    from answerable.review.store import Store

    check_installed()
    place = Place(args.host, args.port, args.remote, args.new_token)
    check_place(place)
    begun = path.exists() and path.stat().st_size > 0
    if begun and not _chooses(args):
        store = Store(path, project, wanted=args.reviewers)
        pages = _pages(benchmark, run, {item.id: item.why for item in store.items})
    else:
        pages = _chosen(args, benchmark, run)
        store = Store(path, project, pages.items, wanted=args.reviewers)
    try:
        check_same(pages, store.items, str(path))
        if not is_loopback(args.host):
            _note(f"Everyone who reaches {args.host} and has the address can vote. Nothing is encrypted.")
        listen(store, pages, place, lambda url: _ready(args, store, url))
    finally:
        store.close()
    _note(f"Stopped. Every vote that the page called saved is in {path}. The same command resumes.")
    return 0


def _chooses(args: argparse.Namespace) -> bool:
    return args.sample is not None or bool(args.group) or args.list is not None


def _pages(benchmark: Benchmark, run: RunFolder | None, only: dict[str, tuple[str, ...]] | None) -> Pages:
    from answerable.cli.console import progress
    from answerable.review.pages import group_pages, reply_pages

    with progress("reading", benchmark.manifest.groups, "groups") as bar:
        if run is None:
            return group_pages(benchmark, only, bar.advance)
        pages, hidden = reply_pages(benchmark, run, only, bar.advance)
    if hidden:
        kinds = ", ".join(f"{count} {status}" for status, count in sorted(hidden.items()))
        _note(f"Replies without text are not shown: {kinds}")
    return pages


def _chosen(args: argparse.Namespace, benchmark: Benchmark, run: RunFolder | None) -> Pages:
    """The cards of what the flags name.

    Raises:
        SettingsError: nothing is named, or a group that is not there.
    """
    from answerable.core.errors import SettingsError
    from answerable.review.pages import read_list, sampled

    if not _chooses(args):
        return _pages(benchmark, run, None)
    if run is not None and (args.group or args.list):
        raise SettingsError("--sample to choose replies", "--group or --list with --run", where="--run")
    if run is not None:
        names = [item.id for item in _pages(benchmark, run, None).items]
        return _pages(benchmark, run, dict.fromkeys(sampled(names, args.sample, args.seed), ()))
    there = [group.id for group in benchmark.groups()]
    only = read_list(args.list) if args.list else {}
    known = set(there)
    unknown = [name for name in args.group if name not in known]
    if unknown:
        raise SettingsError("groups of the benchmark", f"{len(unknown)} others, the first {unknown[0]!r}", "--group")
    left = [name for name in only if name not in known]
    if left:
        _note(
            f"{len(left)} of {len(only)} groups of the list are not in the benchmark, so not shown: "
            f"{', '.join(left[:5])}{' ...' if len(left) > 5 else ''}"
        )
    only |= {name: only.get(name, ()) for name in args.group}
    names = [name for name in there if name in only] if args.group or args.list else there
    if not names:
        raise SettingsError("a group of the benchmark", "none of those named is in it", where="--list")
    if args.sample is not None:
        names = sampled(names, args.sample, args.seed)
    return _pages(benchmark, run, {name: only.get(name, ()) for name in names})


def _ready(args: argparse.Namespace, store: Store, url: str) -> None:
    import sys

    from answerable.cli.console import out

    what = "replies" if args.run else "groups"
    out(f"{len(store.items)} {what}, {store.wanted} votes each: {store.path}")
    out(url)
    out("Give every reviewer this address. Ctrl-C stops; the same command resumes.")
    sys.stdout.flush()
    if args.open:
        import webbrowser

        webbrowser.open(url)


def _note(text: str) -> None:
    """A line for people on stderr; a path in it stays whole."""
    from answerable.cli.console import console

    console().print(text, soft_wrap=True)


def _told(args: argparse.Namespace, store: Store) -> None:
    from answerable.cli.console import print_json
    from answerable.review.export import export
    from answerable.review.queue import tally

    counts = tally(store, store.standing())
    exported = export(store, args.export) if args.export else None
    if args.json:
        print_json({"status": counts} if exported is None else {"status": counts, "export": exported})
        return
    _print_status(store, counts)
    if exported is not None:
        _print_export(exported)


def _print_status(store: Store, counts: Tally) -> None:
    from answerable.cli.console import out, table

    out(f"{store.path}: {counts.items} items, {store.wanted} votes wanted on each")
    table("reviewers", ["name", "votes"], [[name, str(votes)] for name, votes in counts.reviewers.items()])
    votes = [[f"with {number} votes", str(items)] for number, items in sorted(counts.votes.items())]
    holds = [[word, str(items)] for word, items in sorted(counts.settled.items())]
    table("items", ["which", "items"], [*votes, *holds, ["reviewers differ", str(len(counts.disputed))]])


def _print_export(exported: Exported) -> None:
    from answerable.cli.console import out, table

    rows = _agreement_rows(exported.scores)
    if rows:
        table("agreement, 95 % intervals", ["of", "items", "alike", "kappa", "interval", "undefined draws"], rows)
    for note in exported.scores.notes:
        out(note)
    for name in exported.files:
        out(f"{exported.folder}/{name}")


def _agreement_rows(scores: ReviewScores) -> list[list[str]]:
    from answerable.cli.common import in_percent

    return [
        [
            f"{figure.question}: {figure.measure}, {', '.join(figure.reviewers)}", str(figure.items),
            in_percent(figure.agreement), "undefined" if figure.kappa is None else f"{figure.kappa:.3f}",
            "" if figure.interval is None else f"[{figure.interval[0]:.3f}, {figure.interval[1]:.3f}]",
            str(figure.undefined),
        ]
        for figure in scores.figures
    ]  # fmt: skip
