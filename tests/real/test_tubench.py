"""Published geometry pairs of TUBench."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from answerable.build.authoring.clauses import clauses
from answerable.build.authoring.conditions import candidates
from answerable.build.authoring.ugeoqa import GeometrySettings
from answerable.build.authoring.ugeoqa import build as build_candidates
from answerable.build.authoring.ugeoqa import read as read_geometry
from answerable.build.importers.tubench import build, read
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.records import Abstain, Answer
from tests.shared import SHARED, needs_shared

PAIRS = SHARED / "data" / "tubench"


@needs_shared
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_pair_is_read_as_published(tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    imported = read(PAIRS, language=language)
    assert not imported.refused
    manifest, ledger = build(imported, tmp_path / "b")
    assert (manifest.groups, manifest.views, manifest.proofs) == (120, 240, 0)
    assert ledger.lines[0].notes[-1] == (
        "questions read: 120 answerable, 120 unanswerable, 120 images; part of the set (published: 487, 487, 487)"
    )
    prefix = "eng_" if language == "en" else ""
    rows = {
        row[f"{prefix}subject"].strip(): row
        for row in (json.loads(path.read_text(encoding="utf-8")) for path in PAIRS.glob("UGeoQA/*/*.json"))
    }
    for group in Benchmark(tmp_path / "b").groups():
        whole, without = group.views
        row = rows[whole.question]
        assert (whole.state, without.state) == ("F", "M")
        assert without.question == row[f"unanswerable_{prefix}subject"].strip()
        assert [option.text for option in whole.options] == [text.strip() for text in row["choices"]]
        assert whole.obligation == Answer(target="ABCD"[row["label"]], type="text")
        assert without.obligation == Abstain(reason="missing")
        assert whole.image_sha256 == without.image_sha256
        assert {view.evidence.level for view in group.views} == {"annotated"}
    capsys.readouterr()
    assert run_command(["certify", str(tmp_path / "b"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["certificate"]["statuses"] == {"unproved": 120}


@needs_shared
def test_labels_are_those_of_the_worked_solutions() -> None:
    said = 0
    letters = {group[0].pair: group[0].answer for group in read(PAIRS).groups}
    for path in PAIRS.glob("UGeoQA/*/*.json"):
        found = re.search(r"故选[:：]?([A-D])", json.loads(path.read_text(encoding="utf-8"))["answer"])
        if found:
            said += 1
            assert letters[path.stem] == found[1]
    assert said > 50


def rows() -> list[dict[str, Any]]:
    paths = sorted(PAIRS.glob("UGeoQA/*/*.json"), key=lambda path: int(path.stem))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def told(text: str) -> str:
    """A text without space and marks between clauses; the point of a number stays."""
    plain = re.sub(r"(?<=[0-9])\.(?=[0-9])", "·", unicodedata.normalize("NFKC", text))
    return "".join(
        sign for sign in plain
        if not sign.isspace() and sign not in ",.;:、。" and unicodedata.category(sign) != "Cf"
    )  # fmt: skip


@needs_shared
@pytest.mark.parametrize(("prefix", "found", "made"), [("", 113, 556), ("eng_", 113, 548)])
def test_what_the_annotators_removed_is_among_the_candidates(prefix: str, found: int, made: int) -> None:
    """The figures that docs/how-to/build-ugeoqa.md prints."""
    language = "en" if prefix else "zh"
    hits = count = 0
    for row in rows():
        given = candidates(row[f"{prefix}subject"].strip(), "en" if prefix else "zh")
        count += len(given)
        hits += told(row[f"unanswerable_{prefix}subject"]) in {told(one.text) for one in given}
    assert (hits, count) == (found, made), language


@needs_shared
@pytest.mark.parametrize("language", ["zh", "en"])
def test_clauses_of_every_question_are_its_text(language: str) -> None:
    for row in rows():
        text = row["eng_subject" if language == "en" else "subject"].strip()
        parts = clauses(text, "en" if language == "en" else "zh")
        assert "".join(text[one.start : one.joiner] for one in parts) == text
        assert "()" in text[parts[-1].start :].replace(" ", "")
        # Something is asked once, and of every question a condition can be taken out.
        assert [one.kind for one in parts].count("asked") in (1, 2)
        assert "condition" in {one.kind for one in parts}


@needs_shared
def test_candidates_of_every_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest, ledger = build_candidates(read_geometry(PAIRS / "UGeoQA", GeometrySettings()), tmp_path / "b")
    assert (manifest.groups, manifest.proofs, ledger.lines[0].refused) == (556, 0, {})
    assert {view.evidence.level for view in Benchmark(tmp_path / "b").views()} == {"derived"}
    run = str(tmp_path / "run")
    assert run_command(["run", str(tmp_path / "b"), "--model", "reference/oracle", "--out", run]) == 0
    capsys.readouterr()
    assert run_command(["score", run, "--json", "--draws", "20"]) == 0
    (sources,) = json.loads(capsys.readouterr().out).values()
    figures = sources["ugeoqa-candidates"]
    assert figures["J"]["value"] == 1.0
    # Until people keep them, no annotated figure counts them.
    assert not {"F1_unanswerable", "ACC2", "OACC"} & set(figures)
