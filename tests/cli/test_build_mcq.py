"""``answerable build mcq`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from tests.core.small import picture

KINDS = (("cat", "dog", "cow"), ("red", "blue", "green"), ("one", "two", "three"), ("here", "there", "away"))


def questions(folder: Path, *more: dict[str, Any]) -> Path:
    """A file of eight questions, and more, beside their pictures."""
    folder.mkdir(exist_ok=True)
    lines = [
        {"id": f"q{n}", "question": f"Which thing number {n}?", "options": [f"{text}{n // 4}" for text in KINDS[n % 4]],
         "answer": "ABC"[n % 3], "image": f"{n}.png", "ability": f"kind {n % 4}"}
        for n in range(8)
    ] + list(more)  # fmt: skip
    for n in range(10):
        (folder / f"{n}.png").write_bytes(picture("cli", n))
    path = folder / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


MANY = {"id": "many", "question": "How many?", "options": ["11", "12", "13"], "answer": "A", "image": "9.png"}
NO_IMAGE = {"id": "lost", "question": "Which?", "options": ["sun", "moon"], "answer": "A", "image": "lost.png"}


def command(source: Path, out: Path, *words: str) -> int:
    return run_command(["build", "mcq", "--from", str(source), "--out", str(out), "--workers", "1", *words])


def test_your_own_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "b"
    assert command(questions(tmp_path / "in", MANY, NO_IMAGE), out, "--seed", "3", "--name", "my questions") == 0
    text = capsys.readouterr().out
    made = Benchmark(out)
    made.verify()
    assert (made.manifest.name, made.manifest.prompt, made.manifest.reader) == ("my questions", "as-asked", "mcq")
    assert [(one.source, one.groups) for one in made.manifest.sources] == [
        ("mcq-aad", 9), ("mcq-iasd", 9), ("mcq-ivqd", 8),
    ]  # fmt: skip
    assert "my questions: " in text
    assert "refused for mcq-ivqd, of 10" in text
    assert "suits most pictures, and no reviewer kept it" in text
    assert f"fingerprint {made.manifest.fingerprint}" in text
    review = [json.loads(line) for line in (tmp_path / "review.jsonl").read_text(encoding="utf-8").splitlines()]
    left = sum(line["left_out"] for line in review)
    assert left == 1
    assert f"{len(review)} doubtful pairs to review, 1 of them left out until decided" in text


def test_settings_reach_the_builder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--problems", "ivqd,aad", "--settings", "base,original", "--groups", "2", "--seed", "9", "--without",
             "text-only,both-all", "--review", str(tmp_path / "r.jsonl"), "--json"]  # fmt: skip
    assert command(questions(tmp_path / "in"), tmp_path / "b", *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["benchmark"]["settings"]["mcq"] == {
        "problems": ["IVQD", "AAD"], "settings": ["base", "original"], "groups": 2, "seed": 9,
        "similarity": 0, "preparation": ["none-of-these", "cannot-judge", "image-quality", "two-options", "suits-most"],
    }  # fmt: skip
    assert found["agreement"] == []
    assert (tmp_path / "r.jsonl").exists()
    assert not (tmp_path / "review.jsonl").exists()
    assert {view.setting for view in Benchmark(tmp_path / "b").views()} == {"base", "original"}


def test_decisions_are_read_and_agreement_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = questions(tmp_path / "in", MANY)
    assert command(source, tmp_path / "a") == 0
    groups = [one.id for one in Benchmark(tmp_path / "a").groups()]
    (left,) = [
        line["group"]
        for line in map(json.loads, (tmp_path / "review.jsonl").read_text(encoding="utf-8").splitlines())
        if line["left_out"]
    ]
    ann = {left: "keep", groups[0]: "drop", groups[1]: "keep", groups[2]: "keep", "nowhere": "keep"}
    bo = {left: "keep", groups[0]: "drop", groups[1]: "drop", groups[2]: "keep"}
    files = []
    for name, said in (("Ann", ann), ("Bo", bo)):
        files += ["--decisions", str(tmp_path / f"{name}.jsonl")]
        lines = [{"group": g, "decision": d, "reviewer": name, "reason": "no" * (d == "drop")} for g, d in said.items()]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    capsys.readouterr()
    assert command(source, tmp_path / "b", *files) == 0
    text = capsys.readouterr().out
    assert "dropped in review: no" in text
    assert "reviewers disagree" in text
    # 3 of 4 alike; chance: (3 x 2 + 1 x 2) / 16 = 1/2; so kappa is 1/2.
    assert "Cohen's kappa: Ann, Bo" in text
    assert "0.500" in text
    assert "1 decisions name no group of this build, for example nowhere" in text
    kept = {one.id for one in Benchmark(tmp_path / "b").groups()}
    assert left in kept
    assert not kept & {groups[0], groups[1]}


def test_the_text_only_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(questions(tmp_path / "in"), tmp_path / "b", "--text-only", str(tmp_path / "no")) == 2
    assert "expected a scores folder with scores.json and verdicts.parquet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--problems", "aad,xyz"], "expected some of AAD, IASD, IVQD; got 'XYZ'"),
        (["--settings", "odd"], "expected some of base, option, instruction, original, given; got 'odd'"),
        (["--without", "odd"], "expected steps among none-of-these"),
        (["--images", "nowhere"], "expected a folder of pictures, DIR or PREFIX=DIR; got 'nowhere'"),
        (["--decisions", "nowhere"], "expected a file of decisions"),
        (["--groups", "0"], "expected at least one group"),
    ],
)
def test_flags_that_cannot_be_met(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(questions(tmp_path / "in"), tmp_path / "b", *words) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "b").exists()


def test_a_source_that_is_not_there_and_one_that_gives_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path / "nowhere", tmp_path / "b") == 2
    assert "expected a file or folder; got " in capsys.readouterr().err
    path = tmp_path / "empty.jsonl"
    path.write_text(json.dumps(NO_IMAGE), encoding="utf-8")
    assert command(path, tmp_path / "b") == 2
    assert "expected a source that gives at least one group; got none; refused: {'no image': 3}" in (
        capsys.readouterr().err
    )


def test_somebodys_work_is_never_replaced_by_the_review_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "review.jsonl").write_text('{"group": "a", "decision": "keep", "reviewer": "Ann"}', encoding="utf-8")
    assert command(questions(tmp_path / "in"), tmp_path / "b") == 2
    assert "expected a place for the review list" in capsys.readouterr().err
    assert "Ann" in (tmp_path / "review.jsonl").read_text(encoding="utf-8")
    assert not (tmp_path / "b").exists()
