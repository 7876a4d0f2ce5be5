"""``answerable build photo`` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from tests.build.photo_files import COUNT, Files, bytes_of


@pytest.fixture
def files(tmp_path: Path) -> Files:
    made = Files(tmp_path / "files")
    made.source()
    return made


def flags(files: Files, *more: str) -> list[str]:
    folder = files.folder
    return [
        "build", "photo", "--questions", str(folder / "q.json"), "--scene-graphs", str(folder / "g.json"),
        "--images", str(files.images), "--workers", "1", *more,
    ]  # fmt: skip


def test_a_build_prints_what_was_kept(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    out = files.folder / "bench"
    (files.images / "3.jpg").unlink()
    assert run_command(flags(files, "--groups", "9", "--out", str(out))) == 0
    said = capsys.readouterr().out
    assert "photo-gqa (test)" in said and "F S M" in said and "no photo" in said
    assert f"kept {COUNT - 1} of 9 groups asked for" in said
    assert run_command(["certify", str(out)]) == 0
    assert "without a proof" in capsys.readouterr().out


def test_flags_reach_the_settings(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    out = files.folder / "bench"
    more = ("--groups", "2", "--train-groups", "1", "--per-photo", "2", "--seed", "3", "--twins", "flag")
    bounds = ("--size-ratio", "3", "--aspect-ratio", "4", "--distance", "0.6", "--largest", "0.4", "--margin", "1")
    said = ("--name", "mine", "--licence", "CC0-1.0", "--json", "--out", str(out))
    assert run_command(flags(files, *more, *bounds, *said)) == 0
    manifest = json.loads(capsys.readouterr().out)["benchmark"]
    assert (manifest["name"], manifest["licence"]) == ("mine", "CC0-1.0")
    assert manifest["settings"]["photo"] == {
        "groups": 2, "train_groups": 1, "per_photo": 2, "seed": 3,
        "masking": {
            "twins": "flag", "size_ratio": 3.0, "aspect_ratio": 4.0, "distance": 0.6, "largest": 0.4, "smallest": 8,
            "margin": 1, "hidden": 0.9, "touched": 0.05,
        },
    }  # fmt: skip


def test_a_recipe_alone_and_the_benchmark_from_it(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    folder = files.folder
    recipe, out, back = folder / "new" / "r.jsonl", folder / "bench", folder / "back"
    assert run_command(flags(files, "--groups", "4", "--recipe-only", str(recipe))) == 0
    assert str(recipe) in capsys.readouterr().out.replace("\n", "")
    assert [path.name for path in recipe.parent.iterdir()] == ["r.jsonl"]
    assert run_command(flags(files, "--groups", "4", "--out", str(out), "--recipe", str(folder / "r2.jsonl"))) == 0
    assert recipe.read_bytes() == (folder / "r2.jsonl").read_bytes()
    assert run_command(flags(files, "--from-recipe", str(recipe), "--out", str(back))) == 0
    assert bytes_of(out) == bytes_of(back)


def test_a_missing_photo_stops_the_rebuild(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    recipe, back = files.folder / "r.jsonl", files.folder / "back"
    assert run_command(flags(files, "--groups", "4", "--recipe-only", str(recipe))) == 0
    for path in files.images.iterdir():
        path.unlink()
    assert run_command(flags(files, "--from-recipe", str(recipe), "--out", str(back))) == 2
    assert "4 groups without: no photo: " in capsys.readouterr().err
    assert not back.exists()


def test_folders_of_files_are_one_set(files: Files) -> None:
    parts = files.folder / "parts"
    parts.mkdir()
    for name, entry in files.questions.items():
        (parts / f"{name}.json").write_text(json.dumps({name: entry}), encoding="utf-8")
    (parts / "readme.txt").write_text("not a file of questions", encoding="utf-8")
    given = flags(files, "--groups", str(COUNT), "--out", str(files.folder / "bench"))
    given[given.index("--questions") + 1] = str(parts)
    assert run_command(given) == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--groups", "2"], "a folder to build, or only a recipe; got neither"),
        (["--groups", "2", "--out", "b", "--recipe-only", "r"], "a folder to build, or only a recipe; got both"),
        (["--out", "b"], "a number of groups"),
        (["--groups", "0", "--out", "b"], "at least one group"),
        (["--groups", "2", "--out", "b", "--instances", "i.json"], "--instances for a sheet; got both"),
        (["--from-recipe", "r.jsonl"], "--from-recipe with --out BENCH"),
        (["--from-recipe", "r.jsonl", "--out", "b"], "a recipe; got r.jsonl, which is not there"),
        (["--groups", "2", "--out", "b", "--licence", "a\nb"], "a licence in one line"),
    ],
)
def test_flags_that_do_not_go_together(
    files: Files, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert run_command(flags(files, *more)) == 2
    assert message in capsys.readouterr().err


def test_neither_graphs_nor_instances(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    given = flags(files, "--groups", "2", "--out", "b")
    place = given.index("--scene-graphs")
    del given[place : place + 2]
    assert run_command(given) == 2
    assert "--scene-graphs for GQA's questions, or --instances for a sheet; got neither" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--questions", "--scene-graphs", "--images"])
def test_what_is_not_there_is_said(files: Files, capsys: pytest.CaptureFixture[str], flag: str) -> None:
    given = flags(files, "--groups", "2", "--out", "b")
    given[given.index(flag) + 1] = str(files.folder / "nothing")
    assert run_command(given) == 2
    assert "which is not there" in capsys.readouterr().err
    given[given.index(flag) + 1] = str(files.folder)
    (files.folder / "nothing").mkdir()
    if flag != "--images":
        given[given.index(flag) + 1] = str(files.folder / "nothing")
        assert run_command(given) == 2
        assert "JSON files; got none" in capsys.readouterr().err
