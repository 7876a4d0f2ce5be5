"""``answerable evaluate``: from a benchmark, a file of multiple-choice questions, or photos, to a report at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from answerable.cli.steps import folder_name, run_steps


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the verb."""
    parser = subparsers.add_parser(
        "evaluate",
        allow_abbrev=False,
        help="ask models, score and report in one command",
        description="Ask every model named, score whole questions and write a report. Given a file or folder of "
        "multiple-choice questions instead of a benchmark, build their unsolvable problems first ('answerable build "
        "mcq' has the flags for that). Given COCO's instances and --images, build variants first: masked, restyled and "
        "in other words ('answerable build variations'). Where a benchmark has variants, their consistency is measured "
        "too. Each step is printed as the command that does it alone. Repeat the command to resume.",
    )
    parser.add_argument("what", type=Path, metavar="BENCH", help="a benchmark folder, or a file of questions")
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="NAME",
        help="the server's name of a model, or reference/NAME; repeatable",
    )
    parser.add_argument("--base-url", metavar="URL", help="the OpenAI-compatible server of the models")
    parser.add_argument("--api-key-env", default="OPENAI_API_KEY", metavar="VAR", help="where its key is")
    parser.add_argument("--prompt", metavar="NAME", help="default: the one that the benchmark is meant for")
    parser.add_argument("--images", type=Path, metavar="FOLDER", help="photos; BENCH is then COCO's file of instances")
    parser.add_argument("--restyle", default="grayscale", metavar="LIST", help="styles of the photos (grayscale)")
    parser.add_argument(
        "--embedder", default="exact", metavar="NAME", help="what compares replies to variants (exact); see consistency"
    )
    parser.add_argument("--captions", type=Path, metavar="FILE", help="COCO's captions: photos are described too")
    parser.add_argument(
        "--repeats", type=int, metavar="N", help="times each view is asked (1); 2 or more measure sampling"
    )
    parser.add_argument("--limit", type=int, metavar="GROUPS", help="ask only the first groups")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="runs, scores and report; to resume too"
    )
    parser.set_defaults(handler="answerable.cli.evaluate:main")


def main(args: argparse.Namespace) -> int:
    """Run the steps; the report's place is printed last."""
    from answerable.cli.console import out
    from answerable.core.errors import SettingsError

    names = [folder_name(model) for model in args.model]
    if len(set(names)) != len(names):
        raise SettingsError("models whose names give different folders", ", ".join(args.model), "--model")
    if args.captions is not None and args.images is None:
        raise SettingsError("--images with the photos that are described", "none", "--captions")
    if not args.what.exists():
        raise SettingsError("a benchmark folder, or a file of questions", f"nothing at {args.what}", "BENCH")
    code = run_steps(steps(args))
    if not code:
        out(f"\nreport: {args.out / 'report.html'}")
    return code


def steps(args: argparse.Namespace) -> list[list[str]]:
    """The commands; a benchmark that is there already is kept."""
    folder: Path = args.out
    bench: Path = args.what
    commands = []
    if not (bench / "benchmark.json").is_file():
        bench = folder / "bench"
        if not (bench / "benchmark.json").is_file():
            commands.append(_build(args, bench))
    server = ["--base-url", args.base_url, "--api-key-env", args.api_key_env] if args.base_url else []
    asked = ["--prompt", args.prompt] if args.prompt else []
    asked += ["--limit", str(args.limit)] if args.limit else []
    asked += ["--repeats", str(args.repeats)] if args.repeats is not None else []
    runs = []
    for model in args.model:
        runs.append(str(folder / "runs" / folder_name(model)))
        own = [] if model.startswith("reference/") else server
        commands.append(["run", str(bench), "--model", model, *own, *asked, "--out", runs[-1]])
    commands.append(["score", *runs, "--benchmark", str(bench), "--out", str(folder / "scores")])
    compared = []
    if args.images is not None or has_variants(bench):
        made = str(folder / "scores")
        commands.append(
            ["consistency", *runs, "--benchmark", str(bench), "--embedder", args.embedder, "--out", made]
        )  # fmt: skip
        compared = ["--consistency", str(folder / "scores" / "consistency.json")]
    report = ["report", *runs, "--benchmark", str(bench), *compared, "--out", str(folder / "report.html")]
    return [*commands, report]


def _build(args: argparse.Namespace, bench: Path) -> list[str]:
    if args.images is None:
        return ["build", "mcq", "--from", str(args.what), "--out", str(bench)]
    photos = ["--from-coco", str(args.what), "--images", str(args.images)]
    photos += ["--captions", str(args.captions)] if args.captions is not None else []
    varied = ["--occlude", "--restyle", args.restyle, "--rephrase", "own"]
    return ["build", "variations", *photos, *varied, "--out", str(bench)]


def has_variants(bench: Path) -> bool:
    """Whether a benchmark, if it is there already, has variants of its questions."""
    from answerable.core.benchmark import Benchmark
    from answerable.core.consistency import VARIATIONS
    from answerable.core.errors import BenchmarkError

    if not (bench / "benchmark.json").is_file():
        return False
    try:
        return any(view.topic in VARIATIONS for view in Benchmark(bench).views())
    except BenchmarkError:
        # The next step says what is wrong with it.
        return False
