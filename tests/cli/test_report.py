"""``answerable report`` from run folders to the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.cli.main import build_parser, run_command
from answerable.cli.report import gallery_size, published_rows
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest
from answerable.core.errors import SettingsError
from answerable.core.records import Answer
from answerable.core.runlog import Failure, PromptText, Reply, RunLog, RunManifest, Sampling
from answerable.report.build import build_report
from tests.report.fake import HOSTILE, make_benchmark
from tests.score.choices import choice_group
from tests.score.fake import write_benchmark, write_run


def make_run(folder: Path, benchmark: Benchmark, model: str, *, without: int = 0, failing: int = 0) -> Path:
    """A run that answers every view with its target, and never abstains; some views unasked, some failed."""
    sampling = Sampling()
    views = list(benchmark.views())
    manifest = RunManifest(
        format=1, benchmark="fake-charts", benchmark_fingerprint=benchmark.manifest.fingerprint, model=model,
        provider="openai", endpoint="http://localhost:1/v1",
        prompt=PromptText(name="json", system="", user="{question}", sha256="0" * 64), sampling=sampling,
        sampling_sha256=digest(sampling), repeats=1, control="none", split="test", limit=None, views=len(views),
        seed=1, versions={},
    )  # fmt: skip
    with RunLog(folder, manifest) as log:
        for number, view in enumerate(views[without:]):
            if number < failing:
                log.failure(Failure(view=view.id, repeat=0, kind="timeout", message="no answer in time"))
                continue
            target = view.obligation.target if isinstance(view.obligation, Answer) else "7"
            text = json.dumps({"answerable": True, "answer": target, "reason": HOSTILE[number % len(HOSTILE)]})
            log.reply(
                Reply(
                    view=view.id, repeat=0, prompt="0" * 64, model=model, sampling=digest(sampling),
                    status="complete", text=text, finish_reason="stop", image_sha256=view.image_sha256,
                )
            )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """A small benchmark."""
    return make_benchmark(tmp_path_factory.mktemp("cli") / "bench", 4)


def report(*words: str | Path) -> int:
    """The command with few resamples."""
    return run_command(["report", *map(str, words), "--draws", "200"])


def test_from_runs_to_a_page(benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [make_run(tmp_path / name, benchmark, name) for name in ("one", "two")]
    out = tmp_path / "report.html"
    assert report(*runs, "--benchmark", benchmark.path, "--out", out, "--csv", tmp_path / "v.csv") == 0
    said = capsys.readouterr().out
    assert f"{out}  (" in said
    assert "4 of 4 questions in its gallery" in said
    page = out.read_text(encoding="utf-8")
    assert "gets every picture of a question right for 0.0" in page
    assert (tmp_path / "report.scores" / "scores.json").is_file()
    assert (tmp_path / "v.csv").read_bytes().count(b"\r\n") == 1 + 2 * 24
    before = out.read_bytes()
    assert report(*runs, "--benchmark", benchmark.path, "--out", out) == 0
    assert out.read_bytes() == before


def test_published_models_stand_beside_runs_on_unsolvable_problems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = published_rows("upd")
    assert len(rows) == 22 and rows[0].values["AAD original"] == "74.4"
    assert published_rows(None) == []
    bench = write_benchmark(tmp_path / "mc", [choice_group("g")], reader="mcq")
    run = write_run(tmp_path / "run", bench, lambda view: "A").path
    out = tmp_path / "r.html"
    words = ["report", run, "--benchmark", bench.path, "--draws", 20, "--out", out, "--published", "upd"]
    assert run_command([str(word) for word in words]) == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("as published</span>") == 22 and "LLaVA1.5-13b" in page


def test_the_page_draws_the_scores_beside_it(benchmark: Benchmark, tmp_path: Path) -> None:
    run = make_run(tmp_path / "one", benchmark, "one")
    assert report(run, "--benchmark", benchmark.path, "--out", tmp_path / "r.html") == 0
    again = build_report(tmp_path / "r.scores", benchmark, tmp_path / "again.html")
    assert Path(again.path).read_bytes() == (tmp_path / "r.html").read_bytes()


def test_open_shows_the_file(benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    run = make_run(tmp_path / "one", benchmark, "one")
    assert report(run, "--benchmark", benchmark.path, "--out", tmp_path / "r.html") == 0
    assert shown == []
    assert report(run, "--benchmark", benchmark.path, "--out", tmp_path / "r.html", "--open") == 0
    assert shown == [(tmp_path / "r.html").as_uri()]


def test_json_says_what_was_written(benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(tmp_path / "one", benchmark, "one")
    words: list[Any] = [run, "--benchmark", benchmark.path, "--out", tmp_path / "r.html", "--groups", "all", "--json"]
    assert report(*words, "--scores", tmp_path / "s") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["scores"] == str(tmp_path / "s")
    assert said["report"]["folder"] == str(tmp_path / "r_files")
    assert said["report"]["shown"] == said["report"]["total"] == 4
    assert said["report"]["bytes"] == (tmp_path / "r.html").stat().st_size


def test_an_incomplete_run_needs_a_word_and_is_marked(
    benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path / "half", benchmark, "half", without=3, failing=2)
    words: list[Any] = [run, "--benchmark", benchmark.path, "--out", tmp_path / "r.html"]
    assert report(*words) == 2
    assert "--allow-incomplete" in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()
    assert report(*words, "--allow-incomplete") == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "incomplete: 19 of 24 replies" in page
    index = re.search(r'id="index">(.*?)</script>', page)
    assert index
    marks = msgspec.json.decode(index[1])["marks"]
    outcomes = {mark["outcome"] for mark in marks}
    assert {5, 6} <= outcomes


@pytest.mark.parametrize("text", ["0", "-1", "some", "1.5", "", "99999999999", "²"])
def test_a_wrong_number_of_groups(text: str) -> None:
    with pytest.raises(SettingsError, match="expected a number of groups of at least 1, or 'all'") as caught:
        gallery_size(text)
    assert caught.value.where == "--groups"


def test_sizes_of_the_gallery() -> None:
    assert gallery_size("choice") == "choice"
    assert gallery_size("all") == "all"
    assert gallery_size("12") == 12


def test_only_an_html_file_is_written(benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(tmp_path / "one", benchmark, "one")
    assert report(run, "--benchmark", benchmark.path, "--out", run / "run.json") == 2
    assert "expected the name of an HTML file" in capsys.readouterr().err
    assert json.loads((run / "run.json").read_bytes())["model"] == "one"


def test_the_parser_knows_the_verb() -> None:
    args = build_parser().parse_args(["report", "a", "b", "--groups", "all"])
    assert [str(path) for path in args.runs] == ["a", "b"]
    assert args.handler == "answerable.cli.report:main"
