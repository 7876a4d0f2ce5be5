"""``answerable rephrase``: let a model reword questions, or say whether rewordings keep the meaning."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerable.core.records import Answer
    from answerable.core.rewordings import Put, Task
    from answerable.run.prompts import Prompt
    from answerable.run.providers.base import Provider
    from answerable.run.texts import TextSummary

_EXAMPLES = """examples:
  answerable rephrase BENCH --model NAME --base-url http://127.0.0.1:8000/v1 --out rewordings.jsonl
  answerable rephrase BENCH --check rewordings.jsonl --model JUDGE --base-url https://host/v1 --out meanings.jsonl
  answerable build variations --from BENCH --rephrase rewordings.jsonl --meaning meanings.jsonl --out BENCH2

Repeat the same command to resume: what has a reply is not asked again, what failed is.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its flags."""
    from answerable.cli.asking import asking_flags
    from answerable.cli.run import _server_flags

    parser = subparsers.add_parser(
        "rephrase",
        help="let a model reword questions, for 'build variations'",
        description="Ask a model for three other ways to put each question of a benchmark or a sheet, or, with "
        "--check, whether rewordings ask the same. No picture is sent and no answer told. Rules are held against "
        "rewordings when they are used.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "questions", type=Path, metavar="BENCH_OR_SHEET", help="a benchmark folder, or a sheet with a column question"
    )
    parser.add_argument("--model", required=True, help="the server's name of the model")
    parser.add_argument("--check", type=Path, metavar="FILE", help="rewordings (.jsonl or a sheet) to be judged")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl", help="new, or to resume")
    parser.add_argument(
        "--over-words", type=int, default=10, metavar="N", help="only questions of more than N words (10)"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N questions")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the order of requests (0)")
    _server_flags(parser)
    asking_flags(
        parser, "how the model is asked (kept; a resumed file must repeat it)", tokens=512, reply="a reply",
        schema="ask for rewordings by JSON schema",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(handler="answerable.cli.rephrase:main")


def main(args: argparse.Namespace) -> int:
    """Find the questions, ask about them, and sum up."""
    from answerable.cli.asking import asking_settings
    from answerable.cli.console import print_json
    from answerable.cli.run import watching
    from answerable.core.errors import SettingsError
    from answerable.run.prompts import judge_meaning, rephrase
    from answerable.run.texts import ask_texts

    if args.out.suffix.lower() != ".jsonl":
        raise SettingsError("a file that ends with .jsonl", args.out.name[:60], where="--out")
    if args.over_words < 0 or (args.limit is not None and args.limit < 1):
        got = f"over_words={args.over_words} limit={args.limit}"
        raise SettingsError("at least 0 words, and at least one question", got, where="--over-words, --limit")
    questions = questions_of(args.questions, args.over_words)
    chosen = dict(list(questions.items())[: args.limit])
    puts, refused = puts_of(chosen, args.check)
    if not puts:
        raise SettingsError(
            f"questions of more than {args.over_words} words" if args.check is None else "rewordings to judge",
            f"none among {len(questions)} questions{refused}", where=str(args.questions),
            fix="take shorter ones too: --over-words 0" if args.check is None else "see the reasons above",
        )  # fmt: skip
    task: Task = "reword" if args.check is None else "meaning"
    provider = make_provider(args, rephrase.PROMPT if args.check is None else judge_meaning.PROMPT)
    with watching(args.model) as watch:
        summary = ask_texts(args.out, task, puts, provider, asking_settings(args), watch=watch)
    if args.json:
        print_json(summary)
    else:
        show(summary, args, refused)
    return 130 if summary.ended == "interrupted" else 0 if summary.complete else 4


def questions_of(given: Path, over: int) -> dict[str, Answer | None]:
    """Every different question of more than ``over`` words, in order, with an answer that is due to it.

    Raises:
        BenchmarkError: a folder is no benchmark.
        SourceError: a sheet cannot be read.
    """
    from answerable.build.variations.rephrase import words_in
    from answerable.core.benchmark import Benchmark
    from answerable.core.records import Answer

    found: dict[str, Answer | None] = {}
    if given.is_dir():
        for view in Benchmark(given).views():
            duty = view.obligation if isinstance(view.obligation, Answer) else None
            found[view.question] = found.get(view.question) or duty
    else:
        found = dict.fromkeys(_sheet_questions(given))
    return {question: duty for question, duty in found.items() if words_in(question) > over}


def _sheet_questions(sheet: Path) -> list[str]:
    from answerable.build.authoring.sheets import read_rows
    from answerable.build.importers.items import Folder
    from answerable.core.errors import SourceError

    if not sheet.is_file():
        raise SourceError("a benchmark folder, or a sheet of questions", f"{sheet}, which is not there")
    rows = read_rows(Folder(sheet.parent), sheet.name, ("question",), ("image", "answer", "type", "id"))
    return [row.cells["question"] for row in rows if row.cells.get("question")]


def puts_of(questions: dict[str, Answer | None], check: Path | None) -> tuple[list[Put], str]:
    """What is put to the model: the questions, or the rewordings of theirs that the rules let pass.

    Returns:
        The texts, and in words how many rewordings the rules refuse.

    Raises:
        SourceError: the rewordings cannot be read.
    """
    from answerable.build.variations.rephrase import keep, read_rewordings, tally
    from answerable.core.rewordings import Put

    if check is None:
        return [Put(question) for question in questions], ""
    given = read_rewordings(check)
    puts: list[Put] = []
    refused: list[tuple[str, str]] = []
    for question, duty in questions.items():
        kept = keep(question, given.found.get(question, ()), duty, (), 16)
        puts += [Put(question, one.text) for one in kept.kept]
        refused += kept.refused
    return puts, f"; rewordings that the rules refuse: {tally(refused)}"


def make_provider(args: argparse.Namespace, prompt: Prompt) -> Provider:
    """The provider that the flags ask for."""
    from answerable.cli.run import provider_with

    return provider_with(args, prompt)


def show(summary: TextSummary, args: argparse.Namespace, refused: str) -> None:
    """What became of it, in words."""
    from answerable.cli.console import out

    what = "questions" if args.check is None else "rewordings"
    cost = "" if summary.cost is None else f", cost ${summary.cost:.4g}"
    out(
        f"{args.model} on {summary.texts} {what}{refused}: {summary.kept} known, {summary.new} new;"
        f" {summary.seconds:.1f} s, tokens in {summary.prompt_tokens}, out {summary.completion_tokens}{cost}"
    )
    for line in _told(summary, args):
        out(line)
    if summary.message:
        out(f"ended early: {summary.message}")
    if summary.missing:
        out(f"{summary.missing} {what} have no reply: repeat the command to ask again")
    flag = "--rephrase" if args.check is None else f"--rephrase {args.check} --meaning"
    out(f"next: answerable build variations --from {args.questions} {flag} {args.out} --out BENCH2")


def _told(summary: TextSummary, args: argparse.Namespace) -> Sequence[str]:
    """What the replies say, and which calls failed."""
    from answerable.core.rewordings import meaning_of, read_said, wordings_of

    stored = read_said(args.out, "reword" if args.check is None else "meaning")
    said = [] if stored is None else list(stored.said.values())
    if args.check is None:
        counts = [len(wordings_of(one) or ()) for one in said]
        line = f"replies with rewordings {sum(map(bool, counts))} of {len(said)}, {sum(counts)} rewordings, unchecked"
    else:
        verdicts = [meaning_of(one) for one in said]
        line = (
            f"the same meaning {verdicts.count(True)}, another {verdicts.count(False)}, unread {verdicts.count(None)}"
        )
    return [line, *(f"failed, {kind}: {count}" for kind, count in summary.failed.items())]
