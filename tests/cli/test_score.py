"""``answerable score`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.common import find_benchmark, remember_benchmark
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, RunMismatchError
from answerable.core.records import Answer, View
from answerable.score.pipeline import read_scores
from tests.score.choices import choice_group
from tests.score.fake import (
    FAILED,
    answered,
    asking,
    group_of,
    groups_of,
    oracle,
    scripted,
    write_benchmark,
    write_run,
    wrong,
)

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return write_benchmark(tmp_path / "bench", groups_of(5) + groups_of(3, "photo", ("F", "S", "M")))


def call(*arguments: object) -> int:
    return run_command([str(argument) for argument in arguments])


def test_json_holds_runs_sources_and_figures_only(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    runs = [write_run(tmp_path / name, benchmark, policy).path for name, policy in (("gold", oracle), ("bad", wrong))]
    assert call("score", *runs, "--benchmark", benchmark.path, "--json", "--draws", 50) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"gold", "bad"}
    assert set(found["gold"]) == {"chart", "photo"}
    for source in found["gold"].values():
        assert {"J", "B", "E", "E_A", "E_M", "E_I", "A"} <= set(source)
    joint = found["gold"]["chart"]["J"]
    assert (joint["value"], joint["numerator"], joint["denominator"], joint["interval"]) == (1.0, 5, 5, [1.0, 1.0])
    assert joint["wilson"][0] < 1
    assert found["gold"]["photo"]["E_I"] == {"value": None, "numerator": 0, "denominator": 0}
    assert found["bad"]["chart"]["J"]["value"] == 0


def test_the_table_and_the_folder(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    run = write_run(tmp_path / "gold", benchmark, oracle)
    remember_benchmark(run.path, benchmark.path)
    assert call("score", run.path, "--out", tmp_path / "scores", "--draws", 50) == 0
    text = capsys.readouterr().out
    assert "gold" in text and "chart" in text and "J_5" in text and "J_3" in text and "undefined" in text
    assert "95 % percentile intervals of 50 bootstrap draws" in text
    assert "100.0 [56.6, 100.0]w" in text and "w: Wilson interval over groups" in text
    assert "INCOMPLETE" not in text
    assert read_scores(tmp_path / "scores").runs[0].name == "gold"


@pytest.fixture
def programs(tmp_path: Path) -> Benchmark:
    kinds = [("look-up", 1), ("comparison", 2), ("comparison", 3)]
    return write_benchmark(
        tmp_path / "programs",
        [asking(group_of(f"g{n}"), *kind) for n, kind in enumerate(kinds)] + groups_of(1, "photo"),
    )


def test_splits_are_shown_and_printed_as_json(programs: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    run = write_run(tmp_path / "r", programs, scripted({"g1": {"M": answered("7")}})).path
    asked = ["score", run, "--benchmark", programs.path, "--draws", 50, "--by", "program", "--by", "depth"]
    assert call(*asked, "--by", "state") == 0
    text = capsys.readouterr().out
    assert "by program family" in text and "by levels of the program" in text and "by state" in text
    row = next(line for line in text.splitlines() if "comparison" in line)
    assert "50.0 [" in row and "r" in row and "chart" in row
    assert call(*asked, "--by", "state", "--json") == 0
    found = json.loads(capsys.readouterr().out)["r"]
    split = found["chart"]["by"]
    assert split["program"]["comparison"]["J"]["numerator"] == 1
    assert split["program"]["look-up"]["J"]["value"] == 1
    assert list(split["depth"]) == ["1", "2", "3"]
    assert split["state"]["M"]["failure"]["numerator"] == 1 and split["state"]["M"]["views"] == 3
    assert split["state"]["M"]["outcomes"]["false_acceptance"] == 1
    assert found["photo"]["by"]["program"] == {}


def test_unsolvable_problems_have_a_table_and_are_split_by_ability(tmp_path: Path, capsys: Captured) -> None:
    groups = [choice_group("g0"), choice_group("g1", ability="Shape")]
    bench = write_benchmark(tmp_path / "mc", groups, reader="mcq")

    def policy(view: View) -> str:
        return view.obligation.target if isinstance(view.obligation, Answer) else "None of the above."

    runs = [write_run(tmp_path / name, bench, policy).path for name in ("a", "b", "c")]
    assert call("score", *runs, "--benchmark", bench.path, "--draws", 20, "--by", "ability") == 0
    text = capsys.readouterr().out
    assert "unsolvable problems" in text and "OC_Dual" in text and "by ability" in text and "Dual_instruction" in text
    assert "correlations over runs" in text and "Original and Dual_base" in text and "undefined" in text
    row = next(line for line in text.splitlines() if "instruction" in line and "mc-aad" in line and " a " in line)
    assert row.count("100.0") >= 5


def test_told_answers_have_a_table(tmp_path: Path, capsys: Captured) -> None:
    bench = write_benchmark(tmp_path / "mc", [choice_group("g", settings=("option", "given"))], reader="mcq")
    run = write_run(tmp_path / "a", bench, lambda view: "A").path
    assert call("score", run, "--benchmark", bench.path, "--draws", 20) == 0
    text = capsys.readouterr().out
    assert "told the answer" in text and "Language_bottleneck" in text


def test_a_benchmark_without_programs_says_that_there_is_nothing_to_split(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured
) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle).path
    assert call("score", run, "--benchmark", benchmark.path, "--draws", 20, "--by", "depth") == 0
    assert "no split by levels of the program: no question of this benchmark has one" in capsys.readouterr().out


def test_an_incomplete_run_is_refused_then_allowed_and_marked(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured
) -> None:
    run = write_run(tmp_path / "r", benchmark, scripted({"chart-00001": {"M": FAILED}}))
    assert call("score", run.path, "--benchmark", benchmark.path) == 2
    error = capsys.readouterr().err
    assert "1 missing, of which 1 failed" in error and "--allow-incomplete" in error
    assert call("score", run.path, "--benchmark", benchmark.path, "--allow-incomplete", "--draws", 20) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "INCOMPLETE: 1 missing replies count as failed" in text
    assert "INCOMPLETE r: 1 of 34 replies are missing (1 failed, 0 not run); they count as failed." in text


@pytest.mark.parametrize(
    ("gates", "code", "words"),
    [
        (["J>=0.8"], 0, ""), (["J>=80%", "E_M<=20%"], 0, ""), (["J>0.8"], 1,
        "gate 'J>0.8' failed: r, chart: J = 0.8 (4/5)"),
        (["J>=0.5", "A==1"], 1, "gate 'A==1' failed: r, chart: A = 0.933333 (14/15)"),
        (["E_I<=1"], 1, "gate 'E_I<=1' failed: r, photo: E_I is undefined (0 of 0)"),
    ],
)  # fmt: skip
def test_gates_set_the_exit_code(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured, gates: list[str], code: int, words: str
) -> None:
    run = write_run(tmp_path / "r", benchmark, scripted({"chart-00001": {"F": answered("8")}}))
    flags = [flag for gate in gates for flag in ("--gate", gate)]
    assert call("score", run.path, "--benchmark", benchmark.path, "--draws", 20, "--json", *flags) == code
    captured = capsys.readouterr()
    assert set(json.loads(captured.out)) == {"r"}
    assert words in captured.err
    assert bool(captured.err) is bool(code)


def test_bad_gates_are_input_errors(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    run = write_run(tmp_path / "r", benchmark, oracle)
    assert call("score", run.path, "--benchmark", benchmark.path, "--gate", "J=1") == 2
    assert "--gate 'J>=0.4'" in capsys.readouterr().err
    assert call("score", run.path, "--benchmark", benchmark.path, "--draws", 20, "--gate", "Q>=1") == 2
    assert "a metric of source 'chart': J, B, J_5" in capsys.readouterr().err


def test_how_a_run_finds_its_benchmark(benchmark: Benchmark, tmp_path: Path) -> None:
    run = write_run(tmp_path / "runs" / "r", benchmark, oracle).path
    with pytest.raises(BenchmarkError, match=r"no benchmark\.path in the run folder"):
        find_benchmark(run, None)
    remember_benchmark(run, benchmark.path)
    assert (run / "benchmark.path").read_text(encoding="utf-8") == "../../bench\n"
    assert find_benchmark(run, None).manifest == benchmark.manifest
    assert find_benchmark(run, benchmark.path).manifest == benchmark.manifest
    (run / "benchmark.path").write_text(str(benchmark.path), encoding="utf-8")
    assert find_benchmark(run, None).manifest == benchmark.manifest
    (run / "benchmark.path").write_text("../gone", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="nothing at") as caught:
        find_benchmark(run, None)
    assert "--benchmark BENCH" in str(caught.value)


def test_the_fingerprint_decides(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    other = write_benchmark(tmp_path / "other", groups_of(2))
    run = write_run(tmp_path / "r", benchmark, oracle).path
    with pytest.raises(RunMismatchError, match="with fingerprint"):
        find_benchmark(run, other.path)
    assert call("score", run, "--benchmark", other.path) == 2
    assert "name the benchmark that this run was made with" in capsys.readouterr().err


def test_what_is_no_run(tmp_path: Path, capsys: Captured) -> None:
    assert call("score", tmp_path) == 2
    assert "a run folder with run.json" in capsys.readouterr().err
