"""``answerable build replaced`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.build.importers import put, uvqa

FOLDERS = (3, 5, 8)


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    assert run_command(["build", "tubench", "--from", str(uvqa(tmp_path / "in", folders=FOLDERS)), "--out",
                        str(tmp_path / "bench")]) == 0  # fmt: skip
    return tmp_path / "bench"


def command(bench: Path, *words: str) -> int:
    out = bench.parent / "out"
    return run_command(["build", "replaced", "--from", str(bench), "--out", str(out), "--images",
                        str(bench.parent / "in"), *words])  # fmt: skip


def captions(root: Path) -> Path:
    rows = [{"image": f"{n}/COCO_{n}.jpg", "caption": f"a {word}"} for n, word in zip(FOLDERS, "xxy", strict=True)]
    return put(root / "captions.jsonl", "\n".join(map(json.dumps, [*rows, {"image": "x.jpg", "caption": "x"}])))


def test_built_run_and_scored(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, run = str(bench.parent / "out"), str(bench.parent / "run")
    assert command(bench, "--random", "--similar", str(captions(bench.parent)), "--seed", "3") == 0
    text = capsys.readouterr().out
    assert "nearest by caption: 3 captions for 3 pictures; lines on no picture of the benchmark: 1" in text
    assert "no similar picture" in text
    made = Benchmark(bench.parent / "out").manifest
    assert (made.groups, made.views) == (10, 30)
    settings = json.loads(bytes(made.settings))["replaced"]
    assert settings == {
        "random": True, "similar": "caption", "seed": 3, "source": Benchmark(bench).manifest.fingerprint,
    }  # fmt: skip
    assert run_command(["certify", out]) == 0
    assert run_command(["run", out, "--model", "reference/always-abstain", "--out", run]) == 0
    capsys.readouterr()
    assert run_command(["score", run, "--draws", "20"]) == 0
    lines = [" ".join(line.replace("│", " ").split()) for line in capsys.readouterr().out.splitlines()]
    assert "unanswerable questions on other pictures: replaced, split test" in " ".join(lines)
    # Recall of OUA, SUA and RUA in the table that has that title.
    title = next(place for place, line in enumerate(lines) if line.startswith("unanswerable questions on other"))
    row = next(line for line in lines[title:] if line.startswith("run tubench-uvqa-replaced"))
    assert row.replace("[", " ").split().count("100.0") >= 3
    assert run_command(["score", run, "--json", "--draws", "20"]) == 0
    (sources,) = json.loads(capsys.readouterr().out).values()
    figures = sources["tubench-uvqa-replaced"]
    assert {figures[f"R_unanswerable_{name}"]["denominator"] for name in ("OUA", "SUA", "RUA")} == {10}
    # The set itself is the questions on their own pictures.
    assert figures["R_unanswerable"]["denominator"] == 10


def test_vectors_and_picks(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = ([1.0, 0.1], [1.0, 0.2], [0.0, 1.0])
    rows = ({"image": f"{n}/COCO_{n}.jpg", "vector": vector} for n, vector in zip(FOLDERS, vectors, strict=True))
    (bench.parent / "v.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert command(bench, "--similar-embeddings", str(bench.parent / "v.jsonl"), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["benchmark"]["views"] == 30
    assert any(note.startswith("v.jsonl sha256=") for note in found["ledger"]["lines"][0]["notes"])
    view = next(view for view in Benchmark(bench).views() if view.state == "M")
    other = next(one.image_sha256 for one in Benchmark(bench).views() if one.image_sha256 != view.image_sha256)
    sheet = put(bench.parent / "p.csv", f"view,image\n{view.id},{other}\n")
    assert run_command(["build", "replaced", "--from", str(bench), "--out", str(bench.parent / "p"), "--picked",
                        str(sheet)]) == 0  # fmt: skip
    (group,) = Benchmark(bench.parent / "p").groups()
    assert [one.ability for one in group.views] == ["OUA", "SUA"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected pictures to put in; got neither random nor similar ones"),
        (["--images", "nowhere", "--random"], "expected a folder; got nowhere, which is none"),
        (["--similar", "nowhere.jsonl"], "expected a file of JSON lines in UTF-8"),
    ],
)
def test_flags_that_cannot_be_met(
    bench: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(bench, *words) == 2
    assert message in capsys.readouterr().err
