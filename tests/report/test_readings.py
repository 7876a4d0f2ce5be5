"""The section on two readers: what it says, and that a reply stays text."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.cli.common import remember_benchmark
from answerable.cli.main import run_command
from answerable.core.scores import ReadingComparison, ReadingCounts, Scores
from answerable.report.data import load_scores
from answerable.report.readings import readings
from tests.score.fake import write_benchmark, write_run
from tests.score.test_tubench import question, says

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> It cannot be determined \u202egnp.exe" + "x" * 900


@pytest.fixture
def run(tmp_path: Path) -> Path:
    bench = write_benchmark(tmp_path / "bench", [question("a", ["Yes", None])], reader="yes-no")
    write_run(tmp_path / "r", bench, says({"a-0": "Yes. Never unanswerable.", "a-1": HOSTILE}))
    remember_benchmark(tmp_path / "r", tmp_path / "bench")
    return tmp_path / "r"


def test_the_page_shows_counts_and_replies_as_text(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The pictures of this benchmark are no pictures; the section needs none.
    out = tmp_path / "report.html"
    assert run_command(["score", str(run), "--out", str(tmp_path / "scores"), "--draws", "20"]) == 0
    shown = capsys.readouterr().out
    assert "read by yes-no 2 > yes-no-published 1" in shown and "Yes > abstained 1" in shown
    scores = load_scores(tmp_path / "scores")
    found = readings(scores)
    assert found is not None and found.heading == "Where strict and published reading differ"
    (source,) = found.sources
    assert [(row.part, row.replies, row.differ) for row in source.rows] == [("all", 2, 2), ("UCR · S.1", 2, 2)]
    assert source.rows[0].as_words == ("Yes → abstained: 1", "invalid → no answer: 1")
    from answerable.core.benchmark import Benchmark
    from answerable.report.data import source_parts
    from answerable.report.page import Gallery, facts, render

    known = facts(Benchmark(tmp_path / "bench").manifest, scores, "t", 1, ("F", "M"), {"annotated": 2})
    empty = Gallery(shown=0, total=0, chosen=True, note="", islands=())
    page = render(known, scores, source_parts(scores), None, empty, folder=False)
    out.write_text(page, encoding="utf-8")
    assert "Where strict and published reading differ" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page and "<script>alert" not in page and "<img src=x" not in page
    assert f"{len(HOSTILE):,} characters" in page


def test_other_pairs_and_none(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for against, heading in (("text", "Where two readers differ"), ("none", None)):
        folder = tmp_path / against
        assert run_command(["score", str(run), "--out", str(folder), "--against", against, "--draws", "20"]) == 0
        found = readings(load_scores(folder))
        assert (found.heading if found else None) == heading
        assert ("which decides no figure" in capsys.readouterr().out) is (heading is not None)
    assert run_command(["score", str(run), "--against", "yes-no", "--draws", "20"]) == 2
    assert "another reader than 'yes-no'" in capsys.readouterr().err


def test_parts_without_names_are_named() -> None:
    part = ReadingCounts(run="r", source="s", topic="", ability="", replies=0, alike=0, read_as={})
    scores = Scores(
        format=1, benchmark="b", benchmark_fingerprint="", split="test", draws=1, seed=0, reader="a 1", rules="",
        definitions={}, runs=(), pairs=(),
        readings=ReadingComparison(reader="a 1", against="b 1", against_rules="", counts=(part,), examples=()),
    )  # fmt: skip
    found = readings(scores)
    assert found is not None
    assert (found.sources[0].rows[0].part, found.sources[0].rows[0].step) == ("no strategy named", 0)
