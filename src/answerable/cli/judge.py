"""``answerable judge``: let a model read the replies that no rule could."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.core.records import Record

if TYPE_CHECKING:
    from answerable.core.benchmark import Benchmark
    from answerable.core.judgements import JudgeCase
    from answerable.core.records import View
    from answerable.core.runlog import Reply, RunFolder
    from answerable.run.judge import JudgeSummary
    from answerable.run.providers.base import Provider
    from answerable.run.settings import RunSettings
    from answerable.score.readers.reading import Reader, Reading

_EXAMPLES = """examples:
  answerable judge RUN --model NAME --base-url http://127.0.0.1:8000/v1
  answerable judge RUN --reader mcq-published --model NAME --base-url https://host/v1
  answerable judge RUN --sheet check.csv

Repeat the same command to resume: what has a judgement is not asked again, what failed is. Then score with
'answerable score RUN --judged' (and the same --reader).
"""
#: Columns of the sheet for a human check.
SHEET = (
    "view", "repeat", "question", "options", "reply", "reader_says", "judge_replied", "judge_says", "your_letter",
)  # fmt: skip


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its flags."""
    from answerable.cli.asking import asking_flags
    from answerable.cli.run import _server_flags

    parser = subparsers.add_parser(
        "judge",
        help="let a model read the replies that no rule could",
        description="Put replies to multiple-choice questions that the reader cannot read to a judge model.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="run folder; judgements are written into it")
    parser.add_argument("--model", default="", help="the server's name of the judge")
    parser.add_argument("--reader", metavar="NAME", help="mcq or mcq-published (default: the benchmark's)")
    parser.add_argument("--benchmark", type=Path, metavar="BENCH", help="its folder, when the run does not lead to it")
    parser.add_argument(
        "--agreement", type=int, default=50, metavar="N",
        help="also judge up to so many replies that the reader reads, to see how far the two agree (50)",
    )  # fmt: skip
    parser.add_argument("--sheet", type=Path, metavar="FILE.csv", help="write judged replies for a human check")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the sample and the order of requests (0)")
    _server_flags(parser)
    asking_flags(
        parser, "how the judge is asked (kept; a resumed judging must repeat it)", tokens=32, reply="a judgement",
        schema='ask for {"letter": "B"} by JSON schema',
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(handler="answerable.cli.judge:main")


class Found(Record, frozen=True):
    """A reply that is judged, or may be."""

    case: JudgeCase
    reading: Reading
    """What the reader says, before any judge."""


def main(args: argparse.Namespace) -> int:
    """Find what is unread, put it to the judge, and write the sheet."""
    from answerable.cli.asking import asking_settings
    from answerable.cli.common import find_benchmark
    from answerable.cli.console import out, print_json
    from answerable.core.errors import SettingsError
    from answerable.core.runlog import RunFolder

    if not args.model and args.sheet is None:
        raise SettingsError("a judge, or a sheet of what was judged", "neither", "--model, --sheet")
    if args.agreement < 0:
        raise SettingsError("a number of at least 0", str(args.agreement), "--agreement")
    run = RunFolder(args.run)
    benchmark = find_benchmark(args.run, args.benchmark)
    reader = option_reader(args.reader or benchmark.manifest.reader)
    unread, readable = sort_replies(run, benchmark, reader)
    code = 0
    if args.model:
        wanted = [found.case for found in unread + sample(readable, args.agreement, args.seed)]
        summary = judged(run, reader.name, wanted, make_judge(args), asking_settings(args), args.model)
        code = 130 if summary.ended == "interrupted" else 0 if summary.complete else 4
        if args.json:
            print_json(summary)
        else:
            show(summary, args)
    if args.sheet is not None:
        rows = write_sheet(run, reader, unread + readable, args.sheet)
        if not args.json:
            out(f"written: {args.sheet}, {rows} judged replies; fill in your_letter without looking at judge_says")
    return code


def option_reader(name: str) -> Reader:
    """The reader, which must be one of lettered options.

    Raises:
        SettingsError: it reads something else.
    """
    from answerable.core.errors import SettingsError
    from answerable.score.readers import READERS
    from answerable.score.readers.options import OptionsReader

    reader = READERS.load(name)
    if not isinstance(reader, OptionsReader):
        raise SettingsError(
            "a reader of lettered options, mcq or mcq-published", repr(name), "--reader",
            fix="a judge reads replies to multiple-choice questions only",
        )  # fmt: skip
    return reader


def sort_replies(run: RunFolder, benchmark: Benchmark, reader: Reader) -> tuple[list[Found], list[Found]]:
    """Replies that a judge may be asked about because no rule reads them, and replies that the reader reads.

    Raises:
        LogError: a reply for a view that is not in the run's split.
    """
    from answerable.score.collect import item_of
    from answerable.score.judged import case_of, judgeable
    from answerable.score.readers.reading import Invalid
    from answerable.score.readers.reflection import first_turn

    views = {view.id: view for group in benchmark.groups(run.manifest.split) for view in group.views}
    unread: list[Found] = []
    readable: list[Found] = []
    for reply in map(first_turn, run.replies()):
        view = _view_of(views, reply, run)
        case = case_of(view, reply)
        if case is None:
            continue
        reading = reader.read(reply.text, reply.status, item_of(view))
        if judgeable(reply, reading):
            unread.append(Found(case, reading))
        elif not isinstance(reading, Invalid):
            readable.append(Found(case, reading))
    return unread, readable


def _view_of(views: dict[str, View], reply: Reply, run: RunFolder) -> View:
    from answerable.core.errors import LogError

    view = views.get(reply.view)
    if view is None:
        raise LogError(
            f"replies to views of split {run.manifest.split!r}", f"one for view={reply.view}", where=str(run.path),
            fix="remove the line that does not belong, or name the benchmark that the run was made with",
        )  # fmt: skip
    return view


def sample(readable: Sequence[Found], count: int, seed: int) -> list[Found]:
    """Up to ``count`` replies that the reader reads; the same ones whatever the order of the log."""
    from answerable.core.seeds import Stream

    ordered = sorted(readable, key=lambda found: (found.case.view, found.case.repeat))
    return Stream("judge agreement", seed, len(ordered)).sample(ordered, min(count, len(ordered)))


def judged(
    run: RunFolder, reader: str, cases: Sequence[JudgeCase], judge: Provider, settings: RunSettings, model: str
) -> JudgeSummary:
    """Judge with a progress bar."""
    from answerable.cli.run import watching
    from answerable.run.judge import judge_replies

    with watching(f"judge {model}") as watch:
        return judge_replies(run, reader, cases, judge, settings, watch=watch)


def make_judge(args: argparse.Namespace) -> Provider:
    """The provider that the flags ask for, with our prompt for judges."""
    from answerable.cli.run import provider_with
    from answerable.run.prompts.judge_choice import PROMPT

    return provider_with(args, PROMPT)


def show(summary: JudgeSummary, args: argparse.Namespace) -> None:
    """What became of it, in words."""
    from answerable.cli.console import out

    out(
        f"{args.model} on {args.run}: {summary.replies} replies to judge, {summary.kept} known, {summary.new} new"
        f" from {summary.questions} questions, {summary.unread} not one offered letter; {summary.seconds:.1f} s,"
        f" tokens in {summary.prompt_tokens}, out {summary.completion_tokens}"
        + ("" if summary.cost is None else f", cost ${summary.cost:.4g}")
    )
    for kind, count in summary.failed.items():
        out(f"failed, {kind}: {count}")
    if summary.message:
        out(f"ended early: {summary.message}")
    if summary.missing:
        out(f"{summary.missing} replies have no judgement: repeat the command to ask again")
    reader = f" --reader {args.reader}" if args.reader else ""
    out(f"next: answerable score {args.run} --judged{reader}")


def sheet_rows(run: RunFolder, reader: Reader, found: Sequence[Found]) -> Iterator[list[str]]:
    """A row a judged reply, in the order of the log."""
    from answerable.core.errors import RunError
    from answerable.core.judgements import check_place, judgements_path, read_judgements
    from answerable.score.judged import judged_reading

    path = judgements_path(run.path, reader.name)
    stored = read_judgements(path)
    if stored is None:
        raise RunError(
            f"judgements on what reader {reader.name!r} left unread", f"no {path.name}", where=str(run.path),
            fix=f"answerable judge {run.path} --reader {reader.name} --model NAME",
        )  # fmt: skip
    for one in found:
        case = one.case
        judgement = check_place(stored, path, case.view, case.repeat, case.put, case.reply)
        if judgement is not None:
            options = "\n".join(f"{letter}. {text}" for letter, text in case.put.options)
            yield [
                case.view, str(case.repeat), case.put.question, options, case.reply, in_words(one.reading),
                judgement.text or "", in_words(judged_reading(judgement, case.put)), "",
            ]  # fmt: skip


def in_words(reading: Reading) -> str:
    """``answered B``, ``abstained`` or ``unread: no_choice``."""
    from answerable.score.readers.reading import Abstained, Answered

    match reading:
        case Answered(text, _):
            return f"answered {text}"
        case Abstained(_):
            return "abstained"
        case _:
            return f"unread: {reading.why}"


def write_sheet(run: RunFolder, reader: Reader, found: Sequence[Found], path: Path) -> int:
    """Write judged replies as CSV that a spreadsheet runs nothing of; returns the number of rows.

    Raises:
        RunError: nothing was judged with this reader.
        StorageError: the disk refused the write.
    """
    import csv

    from answerable.core.files import replacing
    from answerable.report.sheet import MARK, safe

    rows = list(sheet_rows(run, reader, found))
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*SHEET, MARK])
        for row in rows:
            changed = [name for name, cell in zip(SHEET, row, strict=True) if safe(cell) != cell]
            writer.writerow([*map(safe, row), " ".join(changed)])
    return len(rows)
