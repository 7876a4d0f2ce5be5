"""``answerable build choice``: unsolvable problems with proofs, on made-up charts, tables or code."""

from __future__ import annotations

import argparse

from answerable.cli.build import add_common, run_build, words


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    choice = domains.add_parser(
        "choice",
        allow_abbrev=False,
        help="multiple-choice questions made unsolvable, with proofs, on charts, tables or code",
        description="Unsolvable problem detection (AAD, IASD, IVQD) on worlds, so that every obligation is proved. "
        "--groups and --train-groups count the groups of each problem.",
    )
    choice.add_argument("--domain", dest="worlds", default="chart", metavar="DOMAIN", help="chart, table or code")
    add_common(choice, "choice")
    choice.add_argument(
        "--problems",
        default="all",
        metavar="LIST",
        help="aad (answer taken away), iasd (options of another question), ivqd (another picture); "
        "all (default): those the domain has",
    )
    choice.add_argument(
        "--settings",
        default="all",
        metavar="LIST",
        help="how a question is put: base, option, instruction, original (default all)",
    )
    choice.add_argument("--programs", default="all", metavar="LIST", help="families of questions (default all)")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    import msgspec

    from answerable.build.choice_bases import BASES
    from answerable.build.choice_benchmarks import ChoiceSettings, base_of, build
    from answerable.core.errors import SettingsError
    from answerable.core.records import PROBLEMS, SETTINGS

    if args.worlds not in BASES.names():
        raise SettingsError(f"one of {', '.join(BASES.names())}", repr(args.worlds), where="--domain")
    base = base_of(args.worlds)
    problems = base.problems if args.problems == "all" else tuple(name.upper() for name in words(args.problems))
    chosen = SETTINGS if args.settings == "all" else words(args.settings)
    for flag, names, known in (("--problems", problems, tuple(PROBLEMS)), ("--settings", chosen, SETTINGS)):
        for name in names:
            if name not in known:
                raise SettingsError(f"some of {', '.join(known).lower()}", repr(name.lower()), where=flag)
    settings = msgspec.convert(
        {
            "domain": args.worlds,
            "groups": args.groups,
            "train_groups": args.train_groups,
            "seed": args.seed,
            "problems": problems,
            "settings": chosen,
            "programs": () if args.programs == "all" else words(args.programs),
        },
        ChoiceSettings,
    )
    total = (settings.groups + settings.train_groups) * len(settings.problems)
    return run_build(
        args, total, lambda workers, kept: build(settings, args.out, workers, name=args.name, on_kept=kept)
    )
