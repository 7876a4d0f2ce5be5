"""``answerable certify``: check every proof of a benchmark again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.certify.audit import Audit
    from answerable.certify.checks import Certificate
    from answerable.certify.told import Argument, Explanation, ViewTold, WorldTold

#: Cells that are listed in words; ``--json`` has all.
MOST_LISTED = 30


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    parser = subparsers.add_parser(
        "certify",
        allow_abbrev=False,
        help="check every proof of a benchmark again",
        description="Draw and compute everything a proof speaks of again, and compare it with what is stored. "
        "Exit code 1 when a claim does not hold.",
    )
    parser.add_argument("benchmark", type=Path, metavar="BENCH")
    parser.add_argument("--audit", action="store_true", help="also plant faults and see that each is refused")
    parser.add_argument("--trials", type=int, default=20, metavar="N", help="trials a fault (default 20)")
    parser.add_argument(
        "--explain", metavar="ID",
        help="instead: one group's proof in words and in a picture; ID is its id, one of its views', or a beginning",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FILE.png", help="the picture (proof-<group>.png)")
    parser.add_argument(
        "--redraw", type=int, metavar="N",
        help="draw the pictures of N groups again, chosen by --seed, where drawing is slow (default: of all)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="chooses the groups of --redraw (default 0)")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print the certificate as JSON")
    parser.set_defaults(handler="answerable.cli.certify:main")


def main(args: argparse.Namespace) -> int:
    """Certify, audit when asked, print; 1 when anything does not hold. Or explain one group."""
    from answerable.core.errors import SettingsError

    if args.explain is not None:
        return explain_group(args)
    if args.out is not None:
        raise SettingsError("--out together with --explain", "--out alone", where="--out", fix="add --explain ID")
    return certify_all(args)


def certify_all(args: argparse.Namespace) -> int:
    """Every group."""
    from answerable.certify.audit import audit
    from answerable.certify.checks import certify
    from answerable.cli.console import print_json, progress
    from answerable.core.benchmark import Benchmark
    from answerable.exec import executor

    benchmark = Benchmark(args.benchmark)
    workers = executor(args.workers)
    try:
        with progress("certifying", benchmark.manifest.groups, "groups") as bar:
            certificate = certify(benchmark, workers, redraw=args.redraw, seed=args.seed, on_group=bar.advance)
        faults = audit(benchmark, workers, trials=args.trials) if args.audit else None
    finally:
        workers.close()
    if args.json:
        print_json({"certificate": certificate, "audit": faults, "holds": certificate.holds})
    else:
        print_certificate(certificate)
        if faults is not None:
            print_audit(faults)
    return 0 if certificate.holds and (faults is None or faults.all_refused) else 1


def print_certificate(certificate: Certificate) -> None:
    """The result for people."""
    from answerable.cli.console import out, table

    order = ("accepted", "refused", "other_renderer", "stored", "unproved")
    words = {
        "other_renderer": "drawn by another version: pixels not compared",
        "stored": "all but the pixels holds: not drawn again (--redraw)",
        "unproved": "without a proof",
    }
    rows = [
        [words.get(name, name), str(certificate.statuses.get(name, 0))]
        for name in order
        if name != "stored" or certificate.statuses.get(name)
    ]
    table(f"{certificate.benchmark}: {certificate.groups} groups", ["proofs", "groups"], rows)
    if certificate.refusals:
        table(
            "not accepted",
            ["group", "premise", "what"],
            [[verdict.group, verdict.premise, verdict.detail] for verdict in certificate.refusals[:20]],
        )
    if certificate.orphans:
        out(f"proofs for groups that are not there: {', '.join(certificate.orphans[:10])}")
    out("fingerprint holds" if certificate.fingerprint_holds else f"FINGERPRINT: {certificate.fingerprint_detail}")


def print_audit(faults: Audit) -> None:
    """Which premise caught which fault."""
    from answerable.cli.console import table

    rows = [
        [
            f"{line.domain}: {line.fault}",
            str(line.trials),
            str(line.refused),
            ", ".join(f"{k} {v}" for k, v in line.premises.items()),
        ]
        for line in faults.lines
    ]
    table("planted faults", ["fault", "trials", "refused", "by premise"], rows)


def explain_group(args: argparse.Namespace) -> int:
    """One group: words on stdout, a picture in a file; 1 when its proof does not hold.

    Raises:
        SettingsError: the flags do not go together, or no group is meant.
        StorageError: the picture could not be written.
    """
    from answerable.certify.explain import explain
    from answerable.certify.sheet import draw
    from answerable.cli.console import print_json
    from answerable.core.benchmark import Benchmark
    from answerable.core.errors import SettingsError
    from answerable.core.files import write_bytes

    if args.audit:
        raise SettingsError("--explain or --audit", "both", where="--explain", fix="run them one after the other")
    if args.out is not None and (args.out.suffix.lower() != ".png" or args.out.is_dir()):
        raise SettingsError("the name of a PNG file", f"out={str(args.out)!r}", where="--out", fix="--out proof.png")
    told = explain(Benchmark(args.benchmark), args.explain)
    explained = told.explanation
    # A group's id may come from a stranger: only letters and digits of it make a file name.
    short = "".join(sign for sign in explained.group if sign.isascii() and sign.isalnum())[:8] or "group"
    out = args.out if args.out is not None else Path(f"proof-{short}.png")
    write_bytes(out, draw(told))
    if args.json:
        print_json({"explanation": explained, "picture": str(out), "holds": explained.holds})
    else:
        print_explanation(explained, str(out))
    return 0 if explained.holds else 1


def print_explanation(explained: Explanation, picture: str) -> None:
    """One proof for people."""
    from answerable.certify.told import NO_PROOF, STATUS_WORDS

    kind = f"{explained.domain}, " if explained.domain else ""
    _say(f"group {explained.group} ({kind}{explained.source}): {STATUS_WORDS[explained.status]}")
    if explained.detail:
        _say(f"{f'premise {explained.premise}: ' if explained.premise else ''}{explained.detail}", 1)
    _head("question")
    _say(explained.question, 1)
    if explained.program:
        _head("what the program computes")
        _say(explained.program, 1)
    if explained.reads:
        _say_reads(explained)
    if explained.worlds:
        _head("worlds, computed now")
        for world in explained.worlds:
            _say_world(world)
    _head("views")
    for view in explained.views:
        _say_view(view)
    _head("premises, in the order of checking")
    for premise in explained.premises:
        _say(f"{premise.name:<11} {premise.result:<13} {premise.establishes}", 1)
        if premise.detail:
            _say(premise.detail, 14)
    for argument in explained.arguments:
        _say_argument(argument)
    if explained.status == "unproved":
        _head(NO_PROOF)
    _head(f"picture: {picture}")


def _say_reads(explained: Explanation) -> None:
    _head(f"what it reads ({len(explained.reads)} of {explained.cells})")
    for fact in explained.reads[:MOST_LISTED]:
        _say(f"{fact.name}: {fact.content.strip()}", 1)
    if len(explained.reads) > MOST_LISTED:
        _say(f"and {len(explained.reads) - MOST_LISTED} more", 1)


def _say_world(world: WorldTold) -> None:
    found = ", ".join(f"{executor}: {outcome}" for executor, outcome in world.computed.items())
    _say(f"{world.name}  {world.meaning}", 1)
    for change in world.changes:
        _say(f"{change.name}: {change.before.strip()} -> {change.after.strip() or 'gone'}", 3)
    if world.changed > len(world.changes):
        _say(f"and {world.changed - len(world.changes)} more", 3)
    _say(found, 3)


def _say_view(view: ViewTold) -> None:
    _say(f"{view.state}  {view.meaning}  ({view.id})", 1)
    shown = f"shows world {view.world}, " if view.world else ""
    hidden = f"hidden: {', '.join(view.hidden)}; " if view.hidden else "nothing hidden; " if view.world else ""
    _say(f"{shown}{hidden}{view.duty}", 3)
    if view.offered:
        _say(f"{view.setting}: {'; '.join(view.offered)}", 3)
    _say(f"{view.level}{f': {view.note}' if view.note else ''}", 3)


def _say_argument(argument: Argument) -> None:
    _head(f"why {argument.state} must be {'answered' if argument.kind == 'determined' else 'abstained from'}")
    _say(argument.text, 1)
    for chance in argument.chances:
        _say(f"{chance.probability!s:>7}  {chance.output!r}: {chance.answer}", 1)


def _head(text: str) -> None:
    """The first line of a part."""
    _say("")
    _say(text)


def _say(text: str, depth: int = 0) -> None:
    """A line, indented; signs that a terminal would act on are escaped."""
    from answerable.cli.console import out

    out("  " * depth + "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text))
