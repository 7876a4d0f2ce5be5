"""Published geometry pairs of TUBench."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

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
