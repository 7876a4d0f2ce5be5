"""``answerable build chart`` from end to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.build.sources.figures import figure, put

CSV = "Year,North,Süd\n2019,15,20\n2020,25,30\n2021,35,12\n2022,18,27\n"


def build(out: Path, *words: str) -> int:
    return run_command(["build", "chart", "--out", str(out), "--families", "skia", "--workers", "1", *words])


def test_made_up_charts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path / "b", "--groups", "3", "--seed", "4", "--name", "my charts") == 0
    text = capsys.readouterr().out
    benchmark = Benchmark(tmp_path / "b")
    benchmark.verify()
    assert (benchmark.manifest.name, benchmark.manifest.groups) == ("my charts", 3)
    assert "chart-sampler (test)" in text
    assert "F S K C M I" in text
    assert f"fingerprint {benchmark.manifest.fingerprint}" in text


def test_json_holds_manifest_and_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path / "b", "--groups", "2", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["benchmark"]["fingerprint"] == Benchmark(tmp_path / "b").manifest.fingerprint
    assert found["ledger"]["kept"] == 2
    assert found["benchmark"]["settings"]["chart"]["families"] == ["skia"]


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--groups", "2", "--train-groups", "1", "--seed", "9", "--kinds", "line,vbar", "--mask", "gap",
             "--no-value-labels", "--json"]  # fmt: skip
    assert build(tmp_path / "b", *words) == 0
    settings = json.loads(capsys.readouterr().out)["benchmark"]["settings"]["chart"]
    expected = {
        "groups": 2, "train_groups": 1, "seed": 9, "families": ["skia"], "held_out": None, "kinds": ["vbar", "line"],
        "mask": "gap", "value_labels": False, "per_figure": None,
    }  # fmt: skip
    assert {name: settings[name] for name in expected} == expected


@pytest.mark.parametrize("name", ["data.csv", "data.tsv"])
def test_a_table(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_text(CSV.replace(",", "\t") if name.endswith("tsv") else CSV, encoding="utf-8")
    words = ["--from", str(path), "--groups", "50", "--unit", "kg", "--value-title", "Sales", "--title", "A title"]
    assert build(tmp_path / "b", *words) == 0
    assert "kept 8 of 50 groups asked for: the source gives no more" in capsys.readouterr().out
    world = json.loads(bytes(next(Benchmark(tmp_path / "b").proofs()).body))["worlds"]["F"]
    assert (world["title"], world["value_title"], world["unit"]) == ("A title", "Sales", "kg")


def test_a_folder_of_tables(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.csv", "b.csv", "notes.txt"):
        (folder / name).write_text(CSV, encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(folder), "--groups", "12") == 0
    assert {view.figure for view in Benchmark(tmp_path / "b").views()} == {"a.csv#0", "b.csv#1"}


def test_annotations(tmp_path: Path) -> None:
    path = put(tmp_path, [figure(), figure("line"), figure("pie")])
    assert build(tmp_path / "b", "--from", str(path), "--groups", "5") == 0
    assert Benchmark(tmp_path / "b").ledger().lines[0].refused == {"unsupported figure type": 1}
    bare = figure()
    del bare["general_figure_info"]["y_axis"]["rule"]
    path = put(tmp_path, bare, "bare.json")
    assert build(tmp_path / "c", "--from", str(path), "--groups", "1") == 2
    assert build(tmp_path / "c", "--from", str(path), "--groups", "1", "--axis", "data") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--groups", "0"], "expected at least one group; got groups=0"),
        (["--groups", "1", "--kinds", "pie"], "expected kinds of chart among vbar, hbar, line, dot_line; got 'pie'"),
        (["--groups", "1", "--kinds", ""], "expected kinds of chart among vbar, hbar, line, dot_line; got none"),
        (["--groups", "1", "--families", "gnuplot"], "one of matplotlib, vega, skia; got 'gnuplot'"),
        (["--groups", "1", "--families", ","], "expected at least one rendering family; got none"),
        (["--groups", "1", "--held-out", "vega"], "where: --held-out"),
        (["--groups", "1", "--train-groups", "1", "--held-out", "skia"], "a family for training besides the held-out"),
        (["--groups", "1", "--per-figure", "-1"], "where: --per-figure"),
        (["--groups", "1", "--workers", "-2"], "got workers=-2"),
        (["--groups", "1", "--from", "/no/such/file.csv"], "which is not there"),
    ],
)
def test_bad_settings_name_the_flag_and_leave_nothing(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path / "b", *words) == 2
    found = capsys.readouterr().err
    assert message in found
    assert found.startswith("answerable build: expected ")
    assert not (tmp_path / "b").exists() or not any((tmp_path / "b").iterdir())


def test_bad_tables_name_file_line_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(CSV.replace("35", "many"), encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(path), "--groups", "2") == 2
    message = capsys.readouterr().err
    assert f"where: {path}, line 4, column 'North'" in message
    assert "next:  put units in --unit" in message
    assert not any((tmp_path / "b").iterdir())
    # The same folder takes the repaired table.
    path.write_text(CSV, encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(path), "--groups", "2") == 0


def test_a_source_of_no_known_form_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    assert build(tmp_path / "b", "--from", str(folder), "--groups", "1") == 2
    assert "expected a .csv, .tsv or .parquet table or a .json annotation file" in capsys.readouterr().err
    (folder / "a.csv").write_text(CSV, encoding="utf-8")
    put(folder, figure())
    assert build(tmp_path / "b", "--from", str(folder), "--groups", "1") == 2
    assert "expected tables or annotations; got both" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["mine", None])
def test_an_occupied_out_is_left_alone(content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "b"
    if content is None:
        out.mkdir()
        (out / "notes.txt").write_text("mine", encoding="utf-8")
    else:
        out.write_text(content, encoding="utf-8")
    assert build(out, "--groups", "1") == 2
    assert "fix" not in capsys.readouterr().out
    assert (out / "notes.txt" if content is None else out).read_text(encoding="utf-8") == "mine"


def test_a_full_disk_is_exit_5_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from answerable.cli.main import run_command\n"
        "import answerable.build.pipeline, skia, pyarrow.parquet\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))\n"
        "sys.exit(run_command(sys.argv[1:]))\n"
    )
    words = ["build", "chart", "--groups", "6", "--families", "skia", "--workers", "1", "--out", str(tmp_path / "b")]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 5, done.stderr
    assert done.stderr.startswith("answerable build: expected to write the file; got ")
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "b").iterdir()) == []


def test_the_same_command_gives_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    for name, workers in (("one", "1"), ("two", "2")):
        words = ["build", "chart", "--groups", "4", "--families", "skia", "--seed", "3", "--workers", workers]
        assert run_command([*words, "--out", str(tmp_path / name)]) == 0
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two
