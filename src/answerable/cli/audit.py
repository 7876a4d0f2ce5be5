"""``answerable audit``: the rules for labelling questions unanswerable, and what light tells of hidden things."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.certify.finite import FiniteAudit

_DEFAULTS = {"cases": 1_024, "trees": 432, "seed": 20260915}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    parser = subparsers.add_parser(
        "audit",
        allow_abbrev=False,
        help="check what labels and pictures rest on",
        description="Check the logic that labels are made with, on cases small enough to try everything; and measure "
        "what light would tell of things that are only covered.",
    )
    kinds = parser.add_subparsers(dest="audit", metavar="KIND", required=True)
    finite = kinds.add_parser(
        "finite",
        allow_abbrev=False,
        help="four label rules against exhaustive enumeration",
        description="Enumerate every completion of small cases, and compare four rules for calling a question "
        "unanswerable with what comes out. Exit code 1 when methods differ that must agree.",
    )
    finite.add_argument(
        "--cases", type=int, default=_DEFAULTS["cases"], metavar="N", help="cases of eight families (default 1024)"
    )
    finite.add_argument(
        "--trees", type=int, default=_DEFAULTS["trees"], metavar="N", help="recursive expression trees (default 432)"
    )
    finite.add_argument("--seed", type=int, default=_DEFAULTS["seed"], metavar="S", help="names the cases")
    finite.add_argument("--no-smt", action="store_true", help="leave out the rule that needs the extra 'smt'")
    finite.add_argument("--plot", type=Path, metavar="FILE", help="draw the comparison: .svg or .png")
    finite.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    finite.add_argument("--json", action="store_true", help="print every count as JSON")
    finite.set_defaults(handler="answerable.cli.audit:main")
    leak = kinds.add_parser(
        "leak",
        allow_abbrev=False,
        help="what shadows and reflections would tell, were hidden things only covered",
        description="Draw both complete worlds of a scene's M with the cover and the hidden thing in place, and say in "
        "how many pixels they differ by more than 2 of 255.",
    )
    leak.add_argument("benchmark", type=Path, metavar="BENCH")
    leak.add_argument("--groups", type=int, default=20, metavar="N", help="groups that are drawn (default 20)")
    leak.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    leak.add_argument("--json", action="store_true", help="print the shares as JSON")
    leak.set_defaults(handler="answerable.cli.audit:main_leak")


def main(args: argparse.Namespace) -> int:
    """Run the audit, print and draw it; 1 when anything differs that must not."""
    from answerable.certify.finite import audit_finite
    from answerable.certify.finite_plot import check_plot_path, save_plot
    from answerable.cli.console import out, print_json, progress
    from answerable.exec import executor

    if args.plot is not None:
        check_plot_path(args.plot)
    workers = executor(args.workers)
    try:
        with progress("enumerating", args.cases + args.trees, "cases") as bar:
            audit = audit_finite(
                workers,
                cases=args.cases,
                trees=args.trees,
                seed=args.seed,
                use_smt=not args.no_smt,
                on_cases=bar.advance,
            )
    finally:
        workers.close()
    if args.plot is not None:
        save_plot(audit, args.plot)
    if args.json:
        print_json({"audit": audit, "holds": audit.holds})
    else:
        print_audit(audit)
        if args.plot is not None:
            out(f"drawn: {args.plot}")
    return 0 if audit.holds else 1


def main_leak(args: argparse.Namespace) -> int:
    """Measure and print; nothing here can fail a benchmark, whose own pictures hold no hidden thing."""
    from answerable.certify.leak import audit_leak
    from answerable.cli.common import percent
    from answerable.cli.console import out, print_json, progress, table
    from answerable.core.benchmark import Benchmark
    from answerable.exec import executor

    benchmark = Benchmark(args.benchmark)
    workers = executor(args.workers)
    try:
        with progress("drawing", min(args.groups, benchmark.manifest.groups), "groups") as bar:
            found = audit_leak(benchmark, workers, groups=args.groups, on_group=bar.advance)
    finally:
        workers.close()
    if args.json:
        print_json({"leak": found})
        return 0
    table(
        f"pixels that differ by more than {found.step} of 255 when hidden things are only covered",
        ["cover", "groups", "with any such pixel", "median, % of pixels", "most, % of pixels"],
        [
            [line.cover, str(line.groups), str(line.leaking), percent(line.median, 2), percent(line.most, 2)]
            for line in found.lines
        ],
    )
    out("in the benchmark's pictures hidden things are taken away before light is traced: there they tell nothing")
    return 0


def print_audit(audit: FiniteAudit) -> None:
    """The tables for people."""
    from answerable.certify.finite import RULES
    from answerable.cli.common import percent
    from answerable.cli.console import out, table

    total = audit.total
    table(
        f"{total.cases} cases of four cells, hidden ones from {audit.low} to {audit.high}, seed {audit.seed}",
        ["family", "cases", "constant", "ambiguous", "witnesses", "completions"],
        [
            [part.family, *(f"{n:,}" for n in (part.cases, part.constant, part.ambiguous, part.witnesses)),
             f"{part.completions:,}"]
            for part in (*audit.families, total)
        ],
    )  # fmt: skip
    rows = []
    for rule, name in RULES.items():
        counts = total.rules.get(rule)
        if counts is None:
            continue
        rejected, missed = counts.wrongly_rejected, counts.missed
        rows.append(
            [
                name,
                f"{rejected:,} ({percent(rejected / total.constant if total.constant else None)} %)",
                f"{missed:,} ({percent(missed / total.ambiguous if total.ambiguous else None)} %)",
                f"{counts.undecided_constant:,}",
                f"{counts.undecided_ambiguous:,}",
            ]
        )
    table(
        "what each rule gets wrong, against every completion",
        ["rule", "constant called ambiguous", "ambiguous called constant", "constant undecided", "ambiguous undecided"],
        rows,
    )
    for rule, name in RULES.items():
        counts = total.rules.get(rule)
        for example in counts.examples if counts is not None else ():
            out(f"wrong by '{name}': {example}")
    if not audit.smt:
        out("SMT was left out (--no-smt): nothing is said about it")
    if audit.holds:
        out(f"all methods agree where they must; {total.witnesses:,} of {total.ambiguous:,} ambiguous cases witnessed")
        return
    out(f"METHODS DISAGREE: {total.disagreeing:,} times")
    for text in total.disagreements:
        out(f"  {text}")
