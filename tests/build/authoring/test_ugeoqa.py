"""Geometry questions to candidates, and what reviewers make of them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.authoring.conditions import candidates
from answerable.build.authoring.ugeoqa import MAX_QUESTION, GeometrySettings, build, read
from answerable.core.benchmark import Benchmark
from answerable.core.decisions import Decisions
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Abstain, Answer, Group
from tests.build.importers import GEOMETRY, put, ugeoqa
from tests.core.small import picture

QUESTION: dict[str, Any] = {
    "image": "a.png",
    "question": "AB = 3.0, BC = 4.0, then AC = ()",
    "choices": ["7", "1"],
    "answer": "7",
}


def lines(root: Path, *rows: dict[str, Any]) -> Path:
    """A file of lines beside a picture."""
    put(root / "a.png", picture("a"))
    return put(root / "set.jsonl", "\n".join(json.dumps(row) for row in rows))


def decide(path: Path, *said: tuple[str, str]) -> Decisions:
    """Decisions of one reviewer; a drop has a reason."""
    rows = [{"group": group, "decision": word, "reviewer": "r", "reason": "wrong"} for group, word in said]
    return Decisions((put(path, "\n".join(map(json.dumps, rows))),))


def groups(path: Path) -> list[Group]:
    return list(Benchmark(path).groups())


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("auto", ["已知OB=4,则AB=()", "已知OA=2,则AB=()"]),
        ("en", ["OB = 4, then AB = ()", "OA = 2, then AB = ()"]),
    ],
)
def test_a_folder(tmp_path: Path, language: str, texts: list[str]) -> None:
    root = ugeoqa(tmp_path / "in", unanswerable_subject=None, unanswerable_eng_subject=None)
    settings = GeometrySettings(language="en" if language == "en" else "auto")
    manifest, ledger = build(read(root, settings), tmp_path / "b")
    assert (manifest.groups, manifest.views, manifest.reader) == (2, 4, "mcq")
    found = groups(tmp_path / "b")
    assert [group.views[1].question for group in found] == texts
    for group in found:
        whole, without = group.views
        assert (whole.state, without.state) == ("F", "M")
        assert whole.question == GEOMETRY["eng_subject" if language == "en" else "subject"]
        assert (whole.obligation, without.obligation) == (
            Answer(target="A", type="text"), Abstain(reason="missing"),
        )  # fmt: skip
        assert whole.image_sha256 == without.image_sha256
        assert {view.evidence.level for view in group.views} == {"derived"}
        assert {(view.ability, view.topic) for view in group.views} == {("S.9", "UGeoQA")}
    assert found[0].views[1].evidence.note == (
        f"item 5:answerable; condition removed (clause): {'OA=2' if language == 'auto' else 'OA = 2'}; not reviewed"
    )
    assert ledger.lines[0].notes[-1] == "candidates: 2"
    assert "nobody has said yet" in (tmp_path / "b/README.md").read_text()
    Benchmark(tmp_path / "b").verify()


def test_lines(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        QUESTION | {"id": "one"},
        QUESTION | {"question": "如图,AB=3,则AC=()"},
        QUESTION | {"id": "none", "question": "Which is it?"},
        QUESTION | {"id": "lost", "answer": "Unanswerable"},
        QUESTION | {"id": "free", "choices": None, "answer": "Yes"},
        QUESTION | {"id": "long", "question": "AB = 3.0, " * 200 + "then AC = ()"},
        QUESTION | {"id": "away", "image": "../a.png"},
    ]
    geometry = read(lines(tmp_path / "in", *rows), GeometrySettings())
    assert [item.language for item in geometry.questions] == ["en", "zh", "en", "en"]
    _, ledger = build(geometry, tmp_path / "b")
    assert ledger.lines[0].refused == {
        "already unanswerable": 1, "no condition can be taken out": 1, "no options": 1, "text is too long": 1,
        "the file lies outside the folder": 1,
    }  # fmt: skip
    assert [group.views[1].question for group in groups(tmp_path / "b")] == [
        "BC = 4.0, then AC = ()", "AB = 3.0, then AC = ()", "如图,AC=()",
    ]  # fmt: skip
    only = read(tmp_path / "in/set.jsonl", GeometrySettings(language="zh"))
    assert [one.reason for one in only.refused].count("another language") == 3


def test_reviewers_decide(tmp_path: Path) -> None:
    geometry = read(lines(tmp_path / "in", QUESTION | {"question": "AB = 1, BC = 2, CD = 3, then AD = ()"}),
                    GeometrySettings())  # fmt: skip
    before, _ = build(geometry, tmp_path / "before")
    first, second, third = groups(tmp_path / "before")
    decisions = decide(tmp_path / "d.jsonl", (first.id, "keep"), (second.id, "drop"), ("odd", "keep"))
    after, ledger = build(geometry, tmp_path / "after", decisions=decisions)
    found = groups(tmp_path / "after")
    # Kept or not, a group and its views have the ids that were reviewed.
    assert [group.id for group in found] == [first.id, third.id]
    assert [view.id for view in found[0].views] == [view.id for view in first.views]
    assert [{view.evidence.level for view in group.views} for group in found] == [{"annotated"}, {"derived"}]
    assert found[0].views[1].evidence.note.endswith("condition removed (clause): AB = 1; kept in review")
    assert ledger.lines[0].refused == {"dropped in review: wrong": 1}
    assert ledger.lines[0].notes[-1] == (
        "groups in review: kept 1, dropped 1, disputed 0, undecided 1; decisions on no group of this build: 1"
    )
    assert before.fingerprint != after.fingerprint
    only = read(tmp_path / "in/set.jsonl", GeometrySettings(reviewed_only=True))
    _, ledger = build(only, tmp_path / "only", decisions=decisions)
    assert [group.id for group in groups(tmp_path / "only")] == [first.id]
    assert ledger.lines[0].refused == {"dropped in review: wrong": 1, "not reviewed": 1}


def test_the_same_bytes_again(tmp_path: Path) -> None:
    source = lines(tmp_path / "in", QUESTION)
    made = [build(read(source, GeometrySettings()), tmp_path / name)[0].fingerprint for name in ("a", "b")]
    assert made[0] == made[1]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"expected a folder or a file of lines; got .*, which is not there"):
        read(tmp_path / "nowhere", GeometrySettings())
    with pytest.raises(SettingsError, match="expected one of auto, zh, en; got 'fr'"):
        read(tmp_path, msgspec.structs.replace(GeometrySettings(), language="fr"))
    source = lines(tmp_path / "in", QUESTION | {"question": "Which?"})
    with pytest.raises(SettingsError, match=r"refused: \{'no condition can be taken out': 1\}"):
        build(read(source, GeometrySettings()), tmp_path / "b")


@pytest.mark.parametrize("text", ["a, " * 700, "AB=" * 700, " " * 2_000, "(" * 2_000, "A、" * 1_000, "and a is " * 220])
def test_a_long_text_takes_no_long_time(text: str) -> None:
    assert len(text) <= MAX_QUESTION + 100
    began = time.perf_counter()
    candidates(text, "en")
    candidates(text, "zh")
    assert time.perf_counter() - began < 20
