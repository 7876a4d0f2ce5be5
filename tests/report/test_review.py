"""The section of a report on what people said: every number is the file's, every text is text."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from answerable.core.agreement import FORMAT, Measured, ReviewScores
from answerable.core.codec import encode_pretty
from answerable.core.errors import FingerprintError, ReviewError
from answerable.core.scores import Figure
from answerable.report.build import build_report
from answerable.report.review import kappa_interval, kappa_text, load_review, review_part
from tests.report.conftest import Scored
from tests.report.fake import HOSTILE


def scores(fingerprint: str = "f" * 64) -> ReviewScores:
    """A review of thirty groups."""
    figure = Measured(
        question="decision", measure="Cohen's kappa", reviewers=("Ann", HOSTILE[1]), items=20, ratings=2, kappa=-0.125,
        exact=Fraction(-1, 8), interval=(-0.25, 0.5), undefined=17,
        agreement=Figure(value=0.75, numerator=15, denominator=20, interval=(0.5, 0.9)),
    )  # fmt: skip
    empty = Measured(
        question="image", measure="Fleiss' kappa", reviewers=(), items=0, ratings=2, kappa=None, exact=None,
        interval=None, undefined=10_000, agreement=Figure(value=None, numerator=0, denominator=0),
    )  # fmt: skip
    return ReviewScores(
        format=FORMAT, benchmark="b", benchmark_fingerprint=fingerprint, form="group", model="", wanted=2, items=30,
        votes={"2": 20, "1": 4, "0": 6}, outcomes={"keep": 18, "drop": 3, "disputed": 3, "open": 6}, disputed=("a",),
        reviewers={"Ann": 22, HOSTILE[1]: 22}, questions={"decision": "keep or drop", "image": "about the image?"},
        answers={}, figures=(figure, empty), draws=10_000, seed=1, notes=("Intervals draw whole groups.",),
    )  # fmt: skip


def test_a_review_in_words_and_cells() -> None:
    part = review_part(scores())
    assert part.heading == "What people said of the groups"
    assert part.sentence.startswith("2 reviewers voted on 24 of 30 groups, 2 on each")
    assert part.outcomes == (("kept", 18), ("dropped", 3), ("disputed", 3), ("without a vote", 6))
    first, second = part.rows
    assert (first.question, first.of, first.kappa, first.exact) == (
        "keep or drop", f"Cohen's kappa: Ann, {HOSTILE[1]}", "−0.125", "-1/8",
    )  # fmt: skip
    assert (first.interval, first.alike, first.alike_counts, first.undefined) == (
        "−0.250 to 0.500", "75.0\u202f%", "15/20", 17,
    )  # fmt: skip
    assert (second.of, second.kappa, second.exact, second.interval, second.alike) == ("Fleiss' kappa", "–", "", "", "–")
    explained = msgspec.structs.replace(
        scores(), form="explanation", model="lab/m", outcomes={"settled": 4, "open": 26}
    )
    assert review_part(explained).heading == "What people said of the explanations of lab/m"
    assert review_part(explained).outcomes == (("settled", 4), ("without a vote", 26))


def test_kappas_in_words() -> None:
    assert (kappa_text(None), kappa_text(1.0), kappa_interval(None)) == ("–", "1.000", "")
    assert kappa_interval((1.0, 1.0)) == "no spread"


def test_a_report_draws_it(scored: Scored, tmp_path: Path) -> None:
    path = tmp_path / "agreement.json"
    path.write_bytes(encode_pretty(scores(scored.scores.benchmark_fingerprint)))
    build_report(scored.folder, scored.benchmark, tmp_path / "with.html", review=path)
    build_report(scored.folder, scored.benchmark, tmp_path / "again.html", review=path)
    build_report(scored.folder, scored.benchmark, tmp_path / "without.html")
    page = (tmp_path / "with.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="review"') : page.index('<section id="gallery"')]
    for text in ("−0.125", "−0.250 to 0.500", "15/20", "without a vote", "Intervals draw whole groups."):
        assert text in section
    assert HOSTILE[1] not in section
    assert "&lt;img src=x" in section
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "with.html").read_bytes()
    assert 'id="review"' not in (tmp_path / "without.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected agreement.json of a review"), (b"[]", "expected agreement.json of a review"),
        (b"\xff", "expected agreement.json of a review"),
        (encode_pretty(msgspec.structs.replace(scores(), format=9)), "got format=9"),
    ],
)  # fmt: skip
def test_files_that_are_no_review(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "agreement.json"
    path.write_bytes(data)
    with pytest.raises(ReviewError) as caught:
        load_review(path, "f" * 64)
    assert message in str(caught.value)
    with pytest.raises(ReviewError, match="No such file"):
        load_review(tmp_path / "no", "f" * 64)


def test_a_review_of_another_benchmark(tmp_path: Path) -> None:
    path = tmp_path / "agreement.json"
    path.write_bytes(encode_pretty(scores()))
    with pytest.raises(FingerprintError) as caught:
        load_review(path, "e" * 64)
    assert "expected a review of this benchmark" in str(caught.value)
