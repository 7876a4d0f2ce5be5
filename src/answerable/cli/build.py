"""``answerable build DOMAIN``: make a benchmark folder. Each domain's flags are in a file of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.exec import CHUNK

if TYPE_CHECKING:
    from answerable.build.assembly import Recipe
    from answerable.core.benchmark import Ledger, Manifest
    from answerable.exec import Executor

#: Domains with a module ``answerable.cli.build_<domain>`` that has ``add_domain``.
DOMAINS = (
    "chart", "choice", "code", "mcq", "photo", "replaced", "scene", "table", "tubench", "ugeoqa", "uvqa", "variations",
)  # fmt: skip


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    parser = subparsers.add_parser(
        "build",
        allow_abbrev=False,
        help="make a benchmark of proved questions",
        description="Make a benchmark folder: groups of views with obligations and proofs.",
    )
    domains = parser.add_subparsers(dest="domain", metavar="DOMAIN", required=True)
    for domain in DOMAINS:
        import_module(f"answerable.cli.build_{domain}").add_domain(domains)


def add_common(parser: argparse.ArgumentParser, domain: str) -> None:
    """Flags that every domain has."""
    parser.add_argument("--groups", type=int, required=True, metavar="N", help="groups of the test split")
    parser.add_argument("--train-groups", type=int, default=0, metavar="N", help="groups of a training split")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="same seed and settings, same bytes (default 0)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="BENCH", help="a new folder")
    parser.add_argument("--name", default=f"{domain}s" if domain != "code" else domain, help="name of the benchmark")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print the manifest and the ledger as JSON")
    parser.set_defaults(handler=f"answerable.cli.build_{domain}:main")


def run_recipe(args: argparse.Namespace, recipe: Recipe, chunk: int = CHUNK) -> int:
    """Build, and print what came of it."""
    from answerable.build.assembly import assemble

    def build(executor: Executor, on_kept: Callable[[], None]) -> tuple[Manifest, Ledger]:
        return assemble(recipe, args.out, executor, name=args.name, on_kept=on_kept)

    return run_build(args, recipe.test_groups + recipe.train_groups, build, chunk)


def run_build(
    args: argparse.Namespace,
    groups: int,
    build: Callable[[Executor, Callable[[], None]], tuple[Manifest, Ledger]],
    chunk: int = CHUNK,
) -> int:
    """Build with progress over ``groups`` on as many processes as asked, and print what came of it."""
    from answerable.cli.console import print_json, progress
    from answerable.exec import executor

    workers = executor(args.workers, chunk)
    try:
        with progress("building", groups, "groups") as bar:
            manifest, ledger = build(workers, bar.advance)
    finally:
        workers.close()
    if args.json:
        print_json({"benchmark": manifest, "ledger": ledger})
    else:
        print_result(args.out, manifest, ledger)
    return 0


def files_under(given: Path) -> tuple[Path, ...]:
    """The file that ``--from`` names, or every file of the folder, in order.

    Raises:
        SourceError: nothing is there.
    """
    from answerable.core.errors import SourceError

    if not given.exists():
        raise SourceError("a file or folder", f"{given}, which is not there", where="--from")
    return tuple(sorted(path for path in given.rglob("*") if path.is_file())) if given.is_dir() else (given,)


def tables_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Those that are tables by their ending."""
    return tuple(path for path in paths if path.suffix.lower() in (".csv", ".tsv", ".parquet"))


def families(text: str, every: Iterable[str]) -> tuple[str, ...]:
    """Families of questions from a comma-separated list, or ``all`` of them."""
    return tuple(every) if text == "all" else words(text)


def words(text: str) -> tuple[str, ...]:
    """The different words of a comma-separated list."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def print_result(out: Path, manifest: Manifest, ledger: Ledger) -> None:
    """A short table: what was kept, what was refused and why."""
    from answerable.cli.console import out as write
    from answerable.cli.console import table

    rows = [
        [f"{count.source} ({count.split})", str(count.groups), str(count.views), " ".join(count.states)]
        for count in manifest.sources
    ]
    table(f"{manifest.name}: {out}", ["source", "groups", "views", "states"], rows)
    for line in ledger.lines:
        if line.refused:
            reasons = [
                [reason, str(count), (ledger.examples.get(reason) or ("",))[0]]
                for reason, count in sorted(line.refused.items(), key=lambda item: -item[1])
            ]
            table("refused", ["reason", "candidates", "for example"], reasons)
    write(f"fingerprint {manifest.fingerprint}")
    if ledger.kept < ledger.asked:
        write(f"kept {ledger.kept} of {ledger.asked} groups asked for: the source gives no more")
