"""``answerable demo``: the whole job at a small size, with no key, network or GPU."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from answerable.cli.steps import folder_name, run_steps

#: The responders that need no model, in the order of the table.
RESPONDERS = ("oracle", "mask-shy", "always-answer", "always-abstain", "frequent", "random")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    parser = subparsers.add_parser(
        "demo",
        allow_abbrev=False,
        help="build, certify, run, score and report at a small size, offline",
        description="Build chart questions with proofs, certify them, put them to reference responders (and to your "
        "model, if you name one), score whole questions and write a report. Each step is printed as the command that "
        "does it alone. Repeat the command to resume.",
    )
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="FOLDER", help="default: demo")
    parser.add_argument("--groups", type=int, default=40, metavar="N", help="questions (default 40)")
    parser.add_argument("--seed", type=int, default=7, metavar="S", help="default 7")
    parser.add_argument("--model", metavar="NAME", help="also ask this model")
    parser.add_argument("--base-url", metavar="URL", help="its OpenAI-compatible server")
    parser.add_argument("--api-key-env", default="OPENAI_API_KEY", metavar="VAR", help="where its key is")
    parser.add_argument("--no-open", action="store_true", help="do not open the report in a browser")
    parser.set_defaults(handler="answerable.cli.demo:main")


def main(args: argparse.Namespace) -> int:
    """Run the steps in order; stop at the first that fails."""
    from answerable.cli.console import out
    from answerable.core.errors import SettingsError

    if (args.model is None) != (args.base_url is None):
        raise SettingsError("--model and --base-url together", f"model={args.model} base_url={args.base_url}")
    code = run_steps(steps(args))
    if code:
        return code
    page = args.out / "report.html"
    out(f"\nreport: {page}")
    if not args.no_open and _has_screen():
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return 0


def steps(args: argparse.Namespace) -> list[list[str]]:
    """The commands of the demo; a benchmark that is there already is kept."""
    folder: Path = args.out
    bench = folder / "bench"
    commands = []
    if not (bench / "benchmark.json").is_file():
        commands.append(["build", "chart", "--groups", str(args.groups), "--seed", str(args.seed), "--out", str(bench)])
    commands.append(["certify", str(bench), "--audit"])
    runs = []
    for name in RESPONDERS:
        runs.append(str(folder / "runs" / name))
        commands.append(["run", str(bench), "--model", f"reference/{name}", "--out", runs[-1]])
    if args.model is not None:
        runs.append(str(folder / "runs" / folder_name(args.model)))
        server = ["--base-url", args.base_url, "--api-key-env", args.api_key_env]
        commands.append(["run", str(bench), "--model", args.model, *server, "--out", runs[-1]])
    commands.append(["score", *runs])
    commands.append(["report", *runs, "--out", str(folder / "report.html")])
    return commands


def _has_screen() -> bool:
    """Whether a browser window can appear: a terminal on a desktop, and not a remote or CI one."""
    if not sys.stdout.isatty() or "CI" in os.environ or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
