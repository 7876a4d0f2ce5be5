"""``answerable build code``: screenshots of made-up Python programs."""

from __future__ import annotations

import argparse

from answerable.cli.build import add_common, run_recipe, words


def add_domain(domains: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the domain's flags."""
    code = domains.add_parser(
        "code", allow_abbrev=False, help="yes-or-no questions on screenshots of short Python programs"
    )
    add_common(code, "code")
    code.add_argument(
        "--strategies",
        default="s1,s2,s3",
        metavar="LIST",
        help="what leaves the answer of M open: s1 random calls, s2 settings out of sight above, "
        "s3 covered ends of lines (default all)",
    )
    code.add_argument(
        "--programs",
        default="all",
        metavar="KIND",
        help="plain (what is printed is certain), random (it is drawn) or all (default)",
    )
    code.add_argument("--themes", default="all", metavar="LIST", help="editor themes (default all)")
    code.add_argument("--held-out", metavar="THEME", help="a theme of test groups only")
    code.add_argument("--as", dest="put", choices=["ucr"], help="put and scored as TUBench's UCR")


def main(args: argparse.Namespace) -> int:
    """Build, and print what came of it."""
    import msgspec

    from answerable.build.asking import FREE
    from answerable.build.code_benchmarks import PROGRAMS, CodeRecipe, CodeSettings
    from answerable.build.manners import UCR
    from answerable.core.errors import SettingsError
    from answerable.domains.code.generator import STRATEGIES
    from answerable.domains.code.world import THEMES

    themes = THEMES if args.themes == "all" else words(args.themes)
    held = () if args.held_out is None else (args.held_out,)
    for flag, chosen, known in (
        ("--strategies", words(args.strategies), STRATEGIES),
        ("--programs", (args.programs,), PROGRAMS),
        ("--themes", themes, THEMES),
        ("--held-out", held, THEMES),
    ):
        for name in chosen:
            if name not in known:
                raise SettingsError(f"some of {', '.join(known)}", repr(name), where=flag)
    settings = msgspec.convert(
        {
            "groups": args.groups,
            "train_groups": args.train_groups,
            "seed": args.seed,
            "strategies": words(args.strategies),
            "programs": args.programs,
            "themes": themes,
            "held_out": args.held_out,
        },
        CodeSettings,
    )
    return run_recipe(args, CodeRecipe(settings, UCR if args.put else FREE))
