"""``answerable certify``: check every proof of a benchmark again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.certify.audit import Audit
    from answerable.certify.checks import Certificate


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
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print the certificate as JSON")
    parser.set_defaults(handler="answerable.cli.certify:main")


def main(args: argparse.Namespace) -> int:
    """Certify, audit when asked, print; 1 when anything does not hold."""
    from answerable.certify.audit import audit
    from answerable.certify.checks import certify
    from answerable.cli.console import print_json, progress
    from answerable.core.benchmark import Benchmark
    from answerable.exec import executor

    benchmark = Benchmark(args.benchmark)
    workers = executor(args.workers)
    try:
        with progress("certifying", benchmark.manifest.groups, "groups") as bar:
            certificate = certify(benchmark, workers, on_group=bar.advance)
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

    order = ("accepted", "refused", "other_renderer", "unproved")
    words = {"other_renderer": "drawn by another version: pixels not compared", "unproved": "without a proof"}
    rows = [[words.get(name, name), str(certificate.statuses.get(name, 0))] for name in order]
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
