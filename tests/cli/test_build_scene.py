"""``answerable build scene`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.domains.scene.renderers import renderer
from tests.build.test_scene_benchmarks import question_file, scene_file


def build(out: Path, *words: str) -> int:
    return run_command(["build", "scene", "--out", str(out), "--workers", "1", *words])


def test_made_up_scenes_are_built_and_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path / "b", "--groups", "4", "--seed", "4", "--renderer", "flat") == 0
    text = capsys.readouterr().out
    benchmark = Benchmark(tmp_path / "b")
    benchmark.verify()
    assert (benchmark.manifest.name, benchmark.manifest.groups) == ("scenes", 4)
    assert "scene-sampler (test)" in text
    assert run_command(["certify", str(tmp_path / "b"), "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["certificate"]["statuses"] == {"accepted": 4}


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--groups", "2", "--train-groups", "1", "--seed", "9", "--renderer", "flat", "--covers", "panel",
             "--questions", "query-0,exist-0", "--name", "mine", "--json"]  # fmt: skip
    assert build(tmp_path / "b", *words) == 0
    found = json.loads(capsys.readouterr().out)["benchmark"]
    assert found["name"] == "mine"
    assert found["settings"]["scene"] == {
        "groups": 2, "train_groups": 1, "seed": 9, "renderer": "flat", "covers": ["panel"],
        "questions": ["query-0", "exist-0"],
    }  # fmt: skip
    assert found["settings"]["source"] == ["made-up scenes from seed 9", "drawn by flat 1"]


def test_official_files_are_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenes, questions = scene_file(tmp_path, 5), question_file(tmp_path, 5)
    common = ("--groups", "9", "--renderer", "flat", "--from", str(scenes))
    assert build(tmp_path / "ours", *common) == 0
    assert "scene-clevr (test)" in capsys.readouterr().out
    assert build(tmp_path / "theirs", *common, "--clevr-questions", str(questions)) == 0
    text = capsys.readouterr().out
    assert "scene-clevr-official" in text
    assert "of 9 groups asked for: the source gives no more" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--groups", "0"], "expected at least one group; got groups=0"),
        (["--groups", "1", "--covers", "box,bag"], "expected some of box, panel; got 'bag'"),
        (["--groups", "1", "--covers", ","], "expected some of box, panel; got none"),
        (["--groups", "1", "--questions", "why"], "got 'why'"),
        (["--groups", "1", "--renderer", "povray"], "expected some of mitsuba, blender, flat; got 'povray'"),
        (["--groups", "1", "--clevr-questions", "q.json"], "expected a file of scenes for the questions; got none"),
        (["--groups", "1", "--from", "no-such.json"], "no-such.json"),
    ],
)
def test_bad_settings_are_said(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path / "b", "--renderer", "flat", *words) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_missing_blender_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANSWERABLE_BLENDER", "no-such-program")
    renderer.cache_clear()
    assert build(tmp_path / "b", "--groups", "1", "--renderer", "blender") == 3
    text = " ".join(capsys.readouterr().err.split())
    assert "got ANSWERABLE_BLENDER=no-such-program, which is no program" in text
    assert "'--renderer mitsuba' works without" in text
    assert not (tmp_path / "b").exists()
