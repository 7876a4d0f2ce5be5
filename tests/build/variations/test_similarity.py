"""Pairs that read alike are doubtful; without the extra one sentence says what to install."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.mcq_benchmarks import McqSettings, check_settings
from answerable.build.variations.similarity import likeness, reads_alike
from answerable.cli.main import run_command
from answerable.core.errors import MissingExtraError, SettingsError
from tests.build.sources.test_mcq import question
from tests.run.helpers import png


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("What colour is the car?", "what colour is the  CAR?", 100, 100),
        ("Is the car red?", "red is the car?", 100, 100),
        ("What colour is the car?", "What color is the car?", 90, 99),
        ("What colour is the car?", "How many dogs are there?", 0, 60),
        ("", "", 100, 100),
    ],
)
def test_likeness(one: str, other: str, low: int, high: int) -> None:
    assert low <= likeness(one, other) <= high


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_has_no_direction(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 100 and likeness(one, one) == 100


def test_both_questions_and_answer_sets_are_looked_at() -> None:
    own = question(text="What colour is the car?", options=("red", "blue", "green", "white"))
    twin = msgspec.structs.replace(own, text="What color is the car?", options=("one", "two", "three", "four"))
    other = msgspec.structs.replace(own, text="How many dogs are there?")
    assert [doubt.split(" (")[0] for doubt in reads_alike(own, twin, 80)] == ["the questions read alike"]
    assert reads_alike(own, other, 80) == ("the answer sets read alike (100 of 100)",)
    assert reads_alike(own, msgspec.structs.replace(twin, text="How many?"), 80) == ()


@pytest.mark.parametrize("number", [-1, 101])
def test_the_number_is_of_100(number: int) -> None:
    with pytest.raises(SettingsError, match=f"from 0 .off. to 100; got similarity={number}"):
        check_settings(McqSettings(seed=0, similarity=number))


def test_without_the_extra_it_is_said_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    check_settings(McqSettings(seed=0))
    with pytest.raises(MissingExtraError, match=r'pip install "answerable\[similarity\]"'):
        check_settings(McqSettings(seed=0, similarity=80))


def test_pairs_that_read_alike_are_on_the_list(tmp_path: Path) -> None:
    """All questions are of one pattern; no option is another question's."""
    rows = []
    for number in range(4):
        (tmp_path / f"{number}.png").write_bytes(png(8, 6, (number * 50, 9, 9)))
        options = [f"{word} {number}" for word in ("kite", "lamp", "drum")]
        rows.append(
            {"id": f"q{number}", "question": f"What colour is flag {number}?", "options": options, "answer": "A"}
        )
    lines = (json.dumps(row | {"image": f"{number}.png"}) for number, row in enumerate(rows))
    source = tmp_path / "q.jsonl"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, more in (("plain", []), ("alike", ["--similarity", "80"])):
        folder = tmp_path / name
        words = ["--from", str(source), "--out", str(folder / "b"), "--problems", "iasd", *more]
        assert run_command(["build", "mcq", *words]) == 0
    plain, alike = ((tmp_path / name / "review.jsonl").read_text(encoding="utf-8") for name in ("plain", "alike"))
    assert "the questions read alike (" in alike and "read alike" not in plain
