"""``answerable rephrase`` as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from answerable.cli import rephrase as verb
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.rewordings import read_said
from answerable.core.runlog import Sampling
from answerable.run.prompts import judge_meaning, rephrase
from answerable.run.providers.base import Failed, ProviderSettings, Replied
from tests.core import small
from tests.run.test_judge import FakeJudge, says

Captured = pytest.CaptureFixture[str]
Hire = Callable[[Callable[[str], Replied | Failed]], FakeJudge]


def call(*words: object) -> int:
    return run_command(["rephrase", *map(str, words)])


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    small.write(tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture
def hire(monkeypatch: pytest.MonkeyPatch) -> Hire:
    """Put a model of this process in the place of a server."""

    def put(answer: Callable[[str], Replied | Failed]) -> FakeJudge:
        model = FakeJudge(answer)

        def make(args: object, prompt: object) -> FakeJudge:
            known = rephrase.PROMPT if prompt is rephrase.PROMPT else judge_meaning.PROMPT
            model.settings = ProviderSettings(model.model, known, Sampling())
            return model

        monkeypatch.setattr(verb, "make_provider", make)
        return model

    return put


def reworded(text: str) -> Replied:
    number = text.rstrip("?").split()[-1]
    said = [f"Which number {number} {word} the “größte”?" for word in ("is here", "was then", "will be")]
    return says(json.dumps({"wordings": said}))


def test_reworded_judged_and_built(bench: Path, hire: Hire, tmp_path: Path, capsys: Captured) -> None:
    model = hire(reworded)
    out, meanings = tmp_path / "r.jsonl", tmp_path / "m.jsonl"
    assert call(bench, "--model", "m", "--over-words", 5, "--out", out) == 0
    text = capsys.readouterr().out
    assert "m on 3 questions: 0 known, 3 new" in text
    assert "replies with rewordings 3 of 3, 9 rewordings, unchecked" in text
    assert f"next: answerable build variations --from {bench} --rephrase {out} --out BENCH2" in text
    # A question is asked for once, whatever the number of its views.
    assert len(model.asked) == 3
    judge = hire(lambda text: says("DIFFERENT" if "was then" in text else "SAME"))
    assert call(bench, "--check", out, "--model", "j", "--over-words", 5, "--out", meanings) == 0
    text = capsys.readouterr().out
    assert "j on 9 rewordings; rewordings that the rules refuse: none: 0 known, 9 new" in text
    assert "the same meaning 6, another 3, unread 0" in text
    assert len(judge.asked) == 9
    words = ["--from", str(bench), "--rephrase", str(out), "--meaning", str(meanings), "--over-words", "5"]
    assert run_command(["build", "variations", *words, "--workers", "1", "--out", str(tmp_path / "b")]) == 0
    assert {view.ability for view in Benchmark(tmp_path / "b").views()} == {"", "wording=1", "wording=2"}


def test_resumed_with_the_same_command(bench: Path, hire: Hire, tmp_path: Path, capsys: Captured) -> None:
    words = (bench, "--model", "m", "--over-words", 5, "--out", tmp_path / "r.jsonl")
    hire(lambda text: Failed("server_error", "down", 503) if "number 1" in text else reworded(text))
    assert call(*words, "--retries", 0) == 4
    text = capsys.readouterr().out
    assert "failed, server_error: 1" in text and "1 questions have no reply: repeat the command to ask again" in text
    hire(reworded)
    assert call(*words, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["texts"], summary["kept"], summary["new"], summary["missing"]) == (3, 2, 1, 0)


def test_a_sheet_and_a_limit(hire: Hire, tmp_path: Path) -> None:
    model = hire(reworded)
    sheet = tmp_path / "q.csv"
    sheet.write_text("image,question,answer\na.png,Is it 1?,yes\nb.png,Is it 2?,no\nb.png,Is it 1?,no\n")
    assert call(sheet, "--model", "m", "--over-words", 0, "--limit", 1, "--out", tmp_path / "r.jsonl") == 0
    assert [request.question for request in model.asked] == ["Is it 1?"]
    found = read_said(tmp_path / "r.jsonl", "reword")
    assert found is not None and len(found.said) == 1


def test_only_rewordings_that_the_rules_pass_are_judged(bench: Path, hire: Hire, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    hire(lambda _: says(json.dumps({"wordings": ["Yes.", "", "Which is it?\nOr not?"]})))
    assert call(bench, "--model", "m", "--over-words", 5, "--out", out) == 0
    judge = hire(lambda _: says("SAME"))
    assert call(bench, "--check", out, "--model", "j", "--over-words", 5, "--out", tmp_path / "m.jsonl") == 2
    assert judge.asked == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "m", "--out", "r.txt"], "a file that ends with .jsonl; got r.txt"),
        (["--model", "m", "--over-words", -1, "--out", "r.jsonl"], "at least 0 words"),
        (["--model", "m", "--limit", 0, "--out", "r.jsonl"], "at least one question"),
        (["--model", "m", "--out", "r.jsonl"], "questions of more than 10 words; got none among 0 questions"),
        (["--model", "m", "--over-words", 5, "--out", "r.jsonl"], "give --base-url URL"),
        (["--model", "reference/oracle", "--over-words", 5, "--out", "r.jsonl"], "which is told the right answers"),
        (["--model", "m", "--check", "no.csv", "--out", "r.jsonl"], "a file of rewordings; got no.csv"),
        (
            ["--model", "m", "--over-words", 5, "--base-url", "http://h", "--max-cost", 1, "--out", "r.jsonl"],
            "prices beside --max-cost",
        ),
    ],
)
def test_bad_flags(
    bench: Path, words: list[object], message: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bench.parent)
    assert call(bench, *words) == 2
    assert message in capsys.readouterr().err
    assert not list(bench.parent.glob("*.jsonl"))


def test_nothing_there(tmp_path: Path, capsys: Captured) -> None:
    assert call(tmp_path / "no", "--model", "m", "--out", tmp_path / "r.jsonl") == 2
    assert "a benchmark folder, or a sheet of questions" in capsys.readouterr().err


def test_the_key_is_never_a_flag(bench: Path) -> None:
    with pytest.raises(SystemExit):
        call(bench, "--model", "m", "--out", "r.jsonl", "--api-key", "sk-1")
