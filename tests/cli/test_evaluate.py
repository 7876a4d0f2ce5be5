"""``answerable evaluate``: one command from questions, or a benchmark, to a report."""

from __future__ import annotations

import base64
import csv
import json
from pathlib import Path

import msgspec
import pytest

from answerable.cli.evaluate import steps
from answerable.cli.main import build_parser, run_command
from answerable.core.records import Group
from tests.run.helpers import png
from tests.score.fake import group_of, write_benchmark

Captured = pytest.CaptureFixture[str]


def questions(path: Path, count: int = 5) -> Path:
    """A table of questions in MMBench's columns, of our own making."""
    colours = ("red", "green", "blue", "white", "black", "brown")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "hint", "A", "B", "C", "D", "answer", "category", "l2-category", "image"])
        for number in range(count):
            offered = [colours[(number + step) % 6] for step in range(4)]
            image = base64.b64encode(png(64, 48, (number * 40, 30, 200))).decode()
            writer.writerow(
                [
                    number,
                    f"What colour is the flag of team {number}?",
                    "",
                    *offered,
                    "B",
                    "attribute_recognition",
                    "perception",
                    image,
                ]
            )
    return path


def test_from_a_file_of_questions_to_a_report(tmp_path: Path, capsys: Captured) -> None:
    source, out = questions(tmp_path / "q.tsv"), tmp_path / "out"
    command = [
        "evaluate",
        str(source),
        "--model",
        "reference/oracle",
        "--model",
        "reference/always-answer",
        "--out",
        str(out),
    ]
    assert run_command(command) == 0
    text = capsys.readouterr().out
    assert text.count("$ answerable ") == 5 and "$ answerable build mcq" in text and "unsolvable problems" in text
    assert "Unsolvable problems" in (out / "report.html").read_text(encoding="utf-8")
    scores = json.loads((out / "scores" / "scores.json").read_text(encoding="utf-8"))
    oracle = next(run for run in scores["runs"] if run["name"] == "reference-oracle")
    assert {source["metrics"]["Dual_base"]["value"] for source in oracle["sources"].values()} == {1.0}
    assert run_command(command) == 0, "the same command resumes"
    assert "$ answerable build" not in capsys.readouterr().out


def test_a_benchmark_is_asked_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "benchmark.json").write_text("{}")
    words = [
        "evaluate",
        str(tmp_path / "b"),
        "--model",
        "org/m",
        "--base-url",
        "http://h",
        "--limit",
        "3",
        "--out",
        "o",
    ]
    found = steps(build_parser().parse_args(words))
    assert [step[0] for step in found] == ["run", "score", "report"]
    assert found[0][:6] == ["run", str(tmp_path / "b"), "--model", "org/m", "--base-url", "http://h"]
    assert "--limit" in found[0] and found[0][-2:] == ["--out", "o/runs/org-m"]


def test_photos_are_varied_first_and_variants_compared(tmp_path: Path) -> None:
    words = ["evaluate", "instances.json", "--images", "photos", "--model", "m", "--restyle", "lite-7", "--out", "o"]
    found = steps(build_parser().parse_args(words))
    assert [step[0] for step in found] == ["build", "run", "score", "consistency", "report"]
    assert found[0][1:] == [
        "variations", "--from-coco", "instances.json", "--images", "photos", "--occlude", "--restyle", "lite-7",
        "--rephrase", "own", "--out", "o/bench",
    ]  # fmt: skip
    assert "--repeats" not in found[1]
    assert found[3][found[3].index("--embedder") + 1] == "exact"
    assert found[4][found[4].index("--consistency") + 1] == "o/scores/consistency.json"


def test_repeats_and_captions_reach_their_steps() -> None:
    words = [
        "evaluate",
        "i.json",
        "--images",
        "p",
        "--captions",
        "c.json",
        "--repeats",
        "3",
        "--model",
        "m",
        "--out",
        "o",
    ]
    build, run, *_ = steps(build_parser().parse_args(words))
    assert build[build.index("--captions") + 1] == "c.json"
    assert run[run.index("--repeats") + 1] == "3"


def test_a_benchmark_with_variants_is_compared_and_another_is_not(tmp_path: Path) -> None:
    def verbs(group: Group, name: str) -> list[str]:
        write_benchmark(tmp_path / name, [group])
        words = ["evaluate", str(tmp_path / name), "--model", "m", "--out", "o"]
        return [step[0] for step in steps(build_parser().parse_args(words))]

    plain = group_of("g", states=("F", "S"))
    assert verbs(plain, "plain") == ["run", "score", "report"]
    full, other = plain.views
    varied = msgspec.structs.replace(plain, views=(full, msgspec.structs.replace(other, topic="restyle")))
    assert verbs(varied, "varied") == ["run", "score", "consistency", "report"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "--model", "m"], "a benchmark folder, or a file of questions; got nothing at nowhere"),
        ([".", "--model", "m", "--captions", "c"], "--images with the photos that are described; got none"),
        ([".", "--model", "a/b", "--model", "a-b"], "models whose names give different folders; got a/b, a-b"),
    ],
)
def test_bad_input_is_said_before_anything_is_asked(
    words: list[str], message: str, capsys: Captured, tmp_path: Path
) -> None:
    assert run_command(["evaluate", *words, "--out", str(tmp_path / "o")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
