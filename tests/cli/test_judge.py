"""``answerable judge`` as a user calls it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from answerable.cli import judge as verb
from answerable.cli.common import remember_benchmark
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.judgements import judgements_path, read_judgements
from answerable.core.runlog import RunFolder
from answerable.run.providers.base import Failed, Replied
from answerable.score.readers import READERS
from tests.run.test_judge import NAMES, FakeJudge, choice_benchmark, says
from tests.score.fake import groups_of, oracle, write_benchmark, write_run

Captured = pytest.CaptureFixture[str]
TEXTS = dict(zip(NAMES, ("A", "The answer is B", "=HYPERLINK(1) or so", "Hm", "Hm", "None of the above"), strict=True))


def call(*arguments: object) -> int:
    return run_command([str(argument) for argument in arguments])


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    return choice_benchmark(tmp_path / "bench")


@pytest.fixture
def run(tmp_path: Path, bench: Benchmark) -> RunFolder:
    run = write_run(tmp_path / "run", bench, lambda view: TEXTS[view.group])
    remember_benchmark(run.path, bench.path)
    return run


Hire = Callable[[Callable[[str], Replied | Failed]], FakeJudge]


@pytest.fixture
def hire(monkeypatch: pytest.MonkeyPatch) -> Hire:
    """Put a judge of this process in the place of a server."""

    def put(answer: Callable[[str], Replied | Failed]) -> FakeJudge:
        judge = FakeJudge(answer)
        monkeypatch.setattr(verb, "make_judge", lambda _: judge)
        return judge

    return put


def test_only_what_no_rule_reads_is_judged_and_a_sample(run: RunFolder, hire: Hire, capsys: Captured) -> None:
    judge = hire(lambda _: says("C"))
    assert call("judge", run.path, "--model", "m", "--agreement", 1) == 0
    assert len(judge.asked) == 3
    text = capsys.readouterr().out
    assert "4 replies to judge, 0 known, 4 new from 3 questions, 0 not one offered letter" in text
    assert f"next: answerable score {run.path} --judged" in text
    assert call("judge", run.path, "--model", "m", "--agreement", 1, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["kept"], summary["questions"], summary["missing"]) == (4, 0, 0)
    assert call("score", run.path, "--judged", "--draws", 20) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "3 of 6 replies (50.0 %) were read by the judge judge-1" in text
    assert "on a sample of 1 replies that the reader mcq reads" in text


def test_more_is_judged_for_the_published_reader(run: RunFolder, hire: Hire, capsys: Captured) -> None:
    hire(lambda _: says("B"))
    assert call("judge", run.path, "--model", "m", "--reader", "mcq-published", "--agreement", 0) == 0
    assert "5 replies to judge" in capsys.readouterr().out
    stored = read_judgements(judgements_path(run.path, "mcq-published"))
    assert stored is not None and len(stored.by_place) == 5
    assert call("score", run.path, "--judged", "--reader", "mcq-published", "--draws", 20, "--json") == 0
    assert json.loads(capsys.readouterr().out)["run"]["mcq"]["A"]["numerator"] == 5


def test_failures_are_told_and_the_exit_code_says_so(run: RunFolder, hire: Hire, capsys: Captured) -> None:
    hire(lambda _: Failed("server_error", "down", 503))
    assert call("judge", run.path, "--model", "m", "--agreement", 0) == 4
    text = capsys.readouterr().out
    assert "failed, server_error: 2" in text
    assert "3 replies have no judgement: repeat the command to ask again" in text


def test_the_sheet_is_safe_and_hides_no_text(run: RunFolder, hire: Hire, tmp_path: Path, capsys: Captured) -> None:
    hire(lambda text: says("not a letter" if "HYPERLINK" in text else "B"))
    sheet = tmp_path / "check.csv"
    assert call("judge", run.path, "--model", "m", "--sheet", sheet) == 0
    assert "6 judged replies; fill in your_letter" in capsys.readouterr().out
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [*rows[0]] == [*verb.SHEET, "spreadsheet_safe"]
    (risky,) = [row for row in rows if row["spreadsheet_safe"]]
    assert (risky["reply"], risky["spreadsheet_safe"]) == ("'=HYPERLINK(1) or so", "reply")
    assert (risky["judge_replied"], risky["judge_says"]) == ("not a letter", "unread: judge_unread")
    assert {row["your_letter"] for row in rows} == {""}
    assert {row["reader_says"] for row in rows} == {"answered A", "answered B", "abstained", "unread: no_choice"}
    assert call("judge", run.path, "--sheet", tmp_path / "again.csv") == 0
    assert (tmp_path / "again.csv").read_bytes() == sheet.read_bytes()


def test_the_sample_does_not_depend_on_the_order_of_the_log(run: RunFolder, bench: Benchmark) -> None:
    _, readable = verb.sort_replies(run, bench, READERS.load("mcq"))
    assert len(readable) == 3
    assert verb.sample(readable, 2, 5) == verb.sample(readable[::-1], 2, 5)
    assert len(verb.sample(readable, 50, 5)) == 3


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "a judge, or a sheet of what was judged; got neither"),
        (["--sheet", "x.csv"], "judgements on what reader 'mcq' left unread; got no judgements-mcq.jsonl"),
        (["--model", "m"], "give --base-url URL"),
        (["--model", "reference/oracle"], "a model as the judge; got 'reference/oracle'"),
        (["--model", "m", "--agreement", -1], "a number of at least 0; got -1"),
        (["--model", "m", "--reader", "json"], "a reader of lettered options, mcq or mcq-published; got 'json'"),
        (["--model", "m", "--base-url", "http://h", "--max-cost", 1], "prices beside --max-cost"),
    ],
)
def test_bad_flags(run: RunFolder, capsys: Captured, flags: list[object], words: str) -> None:
    assert call("judge", run.path, *flags) == 2
    assert words in capsys.readouterr().err
    assert not list(run.path.glob("judgements-*"))


def test_a_benchmark_without_options_is_not_judged(tmp_path: Path, capsys: Captured) -> None:
    bench = write_benchmark(tmp_path / "charts", groups_of(1))
    run = write_run(tmp_path / "r", bench, oracle)
    assert call("judge", run.path, "--benchmark", bench.path, "--model", "m") == 2
    assert "a judge reads replies to multiple-choice questions only" in capsys.readouterr().err


def test_the_key_is_never_a_flag(run: RunFolder) -> None:
    with pytest.raises(SystemExit):
        call("judge", run.path, "--model", "m", "--api-key", "sk-1")
