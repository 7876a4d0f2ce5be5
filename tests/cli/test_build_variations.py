"""``answerable build variations`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode
from answerable.core.rewordings import Put
from tests.build.variations import onnx_files
from tests.build.variations.coco_files import Coco
from tests.core import small
from tests.core.test_rewordings import ASKED, JUDGE, said

Captured = pytest.CaptureFixture[str]


def call(*words: object) -> int:
    return run_command(["build", "variations", *map(str, words)])


@pytest.fixture
def files(tmp_path: Path) -> Coco:
    return Coco(tmp_path / "coco")


def test_coco_from_end_to_end(files: Coco, tmp_path: Path, capsys: Captured) -> None:
    out, run = tmp_path / "b", tmp_path / "run"
    words = ("--from-coco", files.write(), "--images", files.images, "--workers", 1)
    assert call(*words, "--occlude", "--restyle", "grayscale", "--rephrase", "own", "--out", out) == 0
    text = capsys.readouterr().out
    assert "coco-occluded (test)" in text and "coco-things (test)" in text
    assert f"fingerprint {Benchmark(out).manifest.fingerprint}" in text
    assert run_command(["certify", str(out)]) == 0
    assert run_command(["run", str(out), "--model", "reference/oracle", "--out", str(run)]) == 0
    capsys.readouterr()
    assert run_command(["score", str(run), "--json", "--draws", "20"]) == 0
    (sources,) = json.loads(capsys.readouterr().out).values()
    assert sources["coco-occluded"]["J"]["value"] == sources["coco-things"]["J"]["value"] == 1.0


def test_the_same_settings_give_the_same_bytes(files: Coco, tmp_path: Path, capsys: Captured) -> None:
    words = ("--from-coco", files.write(), "--images", files.images, "--occlude", "--groups", 3, "--json")
    made = []
    for name, workers in (("a", 1), ("b", 2)):
        assert call(*words, "--out", tmp_path / name, "--workers", workers) == 0
        made.append(json.loads(capsys.readouterr().out))
    assert made[0] == made[1]
    assert made[0]["benchmark"]["settings"]["variations"]["occluding"] == {"high": "0.25", "low": "0.10", "masks": 3}


def test_own_words_of_a_proved_benchmark(tmp_path: Path, capsys: Captured) -> None:
    source, out = tmp_path / "tables", tmp_path / "b"
    assert run_command(["build", "table", "--groups", "2", "--workers", "1", "--out", str(source)]) == 0
    assert call("--from", source, "--rephrase", "own", "--states", "F,M", "--workers", 1, "--out", out) == 0
    for group in Benchmark(out).groups():
        assert [(view.state, view.ability) for view in group.views] == [
            ("F", ""), ("S", "wording=1"), ("S", "wording=2"), ("S", "wording=3"),
            ("M", ""), ("M", "wording=1"), ("M", "wording=2"), ("M", "wording=3"),
        ]  # fmt: skip
        assert len({view.question for view in group.views}) == 4
        assert {view.evidence.level for view in group.views} == {"derived"}
        assert "the domain's checker reads the same program" in group.views[1].evidence.note
        assert ", proved there" in group.views[1].evidence.note
    capsys.readouterr()
    # The proofs stay with the benchmark that was varied; nothing here claims one.
    assert run_command(["certify", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["certificate"]["statuses"] == {"unproved": 2}


def test_files_of_a_model_and_a_judge(tmp_path: Path) -> None:
    small.write(tmp_path / "small")
    asked = "What is the “größte” number 1?"
    texts = [f"Which number, 1, {n} the “größte”?" for n in ("is called", "would be", "was once")]
    reply = json.dumps({"wordings": texts})
    rewordings, meanings = tmp_path / "r.jsonl", tmp_path / "m.jsonl"
    rewordings.write_bytes(encode(ASKED) + b"\n" + encode(said(Put(asked), reply)) + b"\n")
    verdicts = [
        encode(said(Put(asked, text), word, JUDGE))
        for text, word in zip(texts, ("SAME", "SAME", "DIFFERENT"), strict=True)
    ]
    meanings.write_bytes(b"\n".join((encode(JUDGE), *verdicts)) + b"\n")
    flags = ("--from", tmp_path / "small", "--rephrase", rewordings, "--meaning", meanings, "--workers", 1)
    assert call(*flags, "--over-words", 3, "--out", tmp_path / "b") == 0
    (group,) = Benchmark(tmp_path / "b").groups()
    assert [view.question for view in group.views if view.state in ("F", "S")] == [asked, *texts[:2]]
    (line,) = Benchmark(tmp_path / "b").ledger().lines
    assert "rewordings in files: kept 2; refused: a judge finds another meaning 1" in line.notes
    assert line.refused == {"nothing to vary": 2}


def test_a_network_of_ones_own(files: Coco, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    network = onnx_files.put(tmp_path, "c.onnx", onnx_files.clipped(255))
    words = ("--from-coco", files.write(), "--images", files.images, "--workers", 1)
    assert call(*words, "--style", f"candy={network}", "--resolution", "64,128", "--out", tmp_path / "b") == 0
    found = {view.ability: view.width for view in Benchmark(tmp_path / "b").views()}
    assert found == {"": 96, "style=candy;resolution=64": 64, "style=candy;resolution=128": 128}
    text = (tmp_path / "b" / "benchmark.json").read_text(encoding="utf-8")
    assert "NCHW, any size, 0..255 (probed)" in text and str(tmp_path) not in text


def test_a_sheet_beside_photos_that_are_masked(files: Coco, tmp_path: Path) -> None:
    sheet = tmp_path / "q.csv"
    sheet.write_text("image,question,answer\n0.jpg,What is it?,a cup\n", encoding="utf-8")
    words = ("--questions", sheet, "--from-coco", files.write(), "--images", files.images, "--workers", 1)
    assert call(*words, "--occlude", "--restyle", "grayscale", "--out", tmp_path / "b") == 0
    counts = {one.source: one.groups for one in Benchmark(tmp_path / "b").manifest.sources}
    assert counts == {"questions": 1, "coco-occluded": 4}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a benchmark, or questions on pictures; got neither"),
        (["--from", "x", "--from-coco", "y"], "a benchmark, or questions on pictures; got both"),
        (["--from-coco", "y"], "the folder of the pictures; got none"),
        (["--questions", "q.csv", "--images", "x", "--occlude"], "--from-coco or --from with --occlude; got none"),
        (["--from", "x", "--captions", "c"], "--from-coco with --captions; got none"),
        (["--from", "x", "--rephrase", "own", "--meaning", "m"], "--rephrase FILE with --meaning; got none"),
        (["--from", "x", "--train-percent", "5", "--restyle", "grayscale"], "a benchmark, which keeps its splits"),
        (["--from", "x"], "something to vary; got nothing"),
        (["--from", "x", "--restyle", "candy"], "the file of the published network 'candy'"),
        (["--from", "x", "--restyle", "grayscale", "--resolution", "big"], "whole numbers of pixels; got 'big'"),
        (["--from", "x", "--restyle", "grayscale", "--resolution", "5"], "a side of 32 to 2048 pixels; got 5"),
        (["--from", "x", "--restyle", "grayscale", "--states", "F,Q"], "IVQD; got 'Q'"),
        (["--from", "x", "--rephrase", "own", "--wordings", "9"], "1 to 16 rewordings"),
        (["--from", "x", "--rephrase", "no.jsonl"], "a file of rewordings; got no.jsonl"),
        (["--from", "x", "--restyle", "grayscale"], "a benchmark folder with benchmark.json"),
        (["--questions", "x", "--images", ".", "--restyle", "grayscale"], "a sheet of questions; got x"),
        (["--questions", "x", "--images", "nowhere", "--restyle", "grayscale"], "a folder of photos; got nowhere"),
        (["--from-coco", "x", "--images", ".", "--occlude", "--masks", "0"], "1 to 48 masks; got masks=0"),
        (["--from-coco", "x", "--images", ".", "--occlude", "--object-share", "a,b,c"], "two shares"),
    ],
)  # fmt: skip
def test_flags_that_cannot_be_met(
    tmp_path: Path, words: list[str], message: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(*words, "--out", "b") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
