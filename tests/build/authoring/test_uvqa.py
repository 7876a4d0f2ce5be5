"""Questions that somebody writes on photos: what is checked, and what is built."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from answerable.build.authoring.findings import TELLING, Finding, balance, counts_of, repeated, tell_tales
from answerable.build.authoring.uvqa import Authored, SheetSettings, build, read
from answerable.build.importers.items import Item
from answerable.core.benchmark import Benchmark
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Abstain, Answer
from tests.build.authoring.test_ugeoqa import decide, groups
from tests.build.importers import put
from tests.core.small import picture

HEAD = "image,question,answer,strategy,id"
GOOD = [
    "a.png,Is it day?,Yes,,1", "a.png,Who is it?,Unanswerable,S.4,2", "b/b.jpg,Is it wet?,no,,3",
    "b/b.jpg,Is it far?,unanswerable,s.7,4",
]  # fmt: skip


def photos(root: Path) -> Path:
    for name in ("a.png", "b/b.jpg", "spare.png"):
        put(root / name, picture("photo", name))
    put(root / "notes.txt", "")
    return root


def written(tmp_path: Path, *lines: str, limit: str = "2") -> Authored:
    sheet = put(tmp_path / "q.csv", "\n".join((HEAD, *lines)) + "\n")
    return read(photos(tmp_path / "photos"), sheet, SheetSettings(balance_limit=limit))


def said(findings: tuple[Finding, ...], level: str) -> dict[str, int]:
    return dict(Counter(one.what for one in findings if one.level == level))


def test_a_sheet_becomes_a_benchmark(tmp_path: Path) -> None:
    authored = written(tmp_path, *GOOD)
    assert not authored.refused
    manifest, ledger = build(authored, tmp_path / "b")
    assert (manifest.groups, manifest.views, manifest.reader, manifest.prompt) == (2, 4, "yes-no", "as-asked")
    Benchmark(tmp_path / "b").verify()
    first, second = groups(tmp_path / "b")
    assert [(view.state, view.question, view.ability) for view in first.views] == [
        ("F", "Is it day?", ""), ("M", "Who is it?", "S.4"),
    ]  # fmt: skip
    assert [view.obligation for view in second.views] == [
        Answer(target="No", type="text"), Abstain(reason="indeterminate"),
    ]  # fmt: skip
    assert {(view.source, view.topic, view.evidence.level) for view in first.views} == {("uvqa", "UVQA", "annotated")}
    assert first.views[1].evidence.note == "item 2; S.4: what is asked for is occluded; labelled by the annotators"
    notes = ledger.lines[0].notes
    assert "Yes 1, No 1, Unanswerable 2, S.4 1, S.5 0, S.6 0, S.7 1, S.8 0" in notes
    assert any(note.startswith("warning: strategies without a question: S.5") for note in notes)
    again, _ = build(written(tmp_path, *GOOD), tmp_path / "again")
    assert again.fingerprint == manifest.fingerprint


@pytest.mark.parametrize(("licence", "word"), [("CC-BY-4.0; Ann", "cc-by-4.0"), ("a: [b]", "a"), ("许可", "unstated")])
def test_the_licence_is_on_the_card(tmp_path: Path, licence: str, word: str) -> None:
    manifest, _ = build(written(tmp_path, *GOOD), tmp_path / "b", licence=licence)
    assert manifest.licence == licence
    card = (tmp_path / "b/README.md").read_text()
    assert f"license_name: {word}\n" in card
    assert f"Licence: {licence}." in card


@pytest.mark.parametrize("licence", ["", " ", "a\nb", "x" * 201])
def test_a_licence_that_is_none(tmp_path: Path, licence: str) -> None:
    with pytest.raises(SettingsError, match="expected a licence in one line"):
        build(written(tmp_path, *GOOD), tmp_path / "b", licence=licence)


def test_a_group_is_dropped_in_review(tmp_path: Path) -> None:
    authored = written(tmp_path, *GOOD)
    build(authored, tmp_path / "b")
    first, second = groups(tmp_path / "b")
    _, ledger = build(authored, tmp_path / "c", decisions=decide(tmp_path / "d.jsonl", (first.id, "drop")))
    assert [group.id for group in groups(tmp_path / "c")] == [second.id]
    assert ledger.lines[0].refused == {"dropped in review: wrong": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nowhere.png,Is it?,Yes,,", "no image"),
        ("../q.csv,Is it?,Yes,,", "the file lies outside the folder"),
        ("notes.txt,Is it?,Yes,,", "the image cannot be read"),
        (",Is it?,Yes,,", "no image"),
        ("a.png,,Yes,,", "no question"),
        ("a.png,Is it?,,,", "no answer"),
        ("a.png,Is it?,Maybe,,", "the answer is no label"),
        ("a.png,Is it?,Unanswerable,,", "an unanswerable question without a strategy"),
        ("a.png,Is it?,Unanswerable,S.9,", "an unknown strategy"),
        ("a.png,Is it?,Unanswerable,4,", "an unknown strategy"),
        ("a.png,Is it?,Yes,S.4,", "an answerable question with a strategy"),
        ("a.png,is it  DAY?,Yes,,", "the question is there twice"),
    ],
)
def test_rows_that_are_no_question(tmp_path: Path, line: str, reason: str) -> None:
    authored = written(tmp_path, *GOOD, line)
    assert [one.reason for one in authored.refused] == [reason]
    assert authored.refused[0].detail.startswith("row 6")
    assert said(authored.findings, "error") == {reason: 1}
    assert sum(map(len, authored.groups)) == 4
    _, ledger = build(authored, tmp_path / "b")
    assert ledger.lines[0].refused == {reason: 1}


def test_contradictions_take_both_rows(tmp_path: Path) -> None:
    authored = written(tmp_path, *GOOD, "a.png,Is it DAY?,No,,", "b/b.jpg,Is it so?,No,,4")
    assert Counter(one.reason for one in authored.refused) == {
        "one question with two answers": 2, "the id is there twice": 2,
    }  # fmt: skip
    assert [item.id for group in authored.groups for item in group] == ["2", "3"]


def test_unused_and_equal_pictures(tmp_path: Path) -> None:
    authored = written(tmp_path, *GOOD)
    assert [one.detail for one in authored.findings if one.what == "an image that no question uses"] == ["spare.png"]
    put(tmp_path / "photos/copy.png", (tmp_path / "photos/a.png").read_bytes())
    authored = written(tmp_path, *GOOD, "copy.png,Is it day?,No,,")
    notes = {one.what: one.detail for one in authored.findings if one.level == "note"}
    assert notes == {
        "one picture under several names": "a.png, copy.png",
        "a question of several pictures": "'Is it day?': No 1, Yes 1",
    }


def item(question: str, answer: str | None, strategy: str = "S.4", pair: str = "p") -> Item:
    return Item(
        id=question, pair=pair, image=pair.encode(), question=question, answer=answer,
        strategy="" if answer else strategy,
    )  # fmt: skip


def test_balance_by_hand() -> None:
    items = [item(f"y{n}", "Yes") for n in range(5)] + [item(f"n{n}", "No") for n in range(2)]
    items += [item(f"u{n}", None, f"S.{n}") for n in range(4, 9)] + [item(f"more{n}", None) for n in range(2)]
    assert counts_of(items) == "Yes 5, No 2, Unanswerable 7, S.4 3, S.5 1, S.6 1, S.7 1, S.8 1"
    found = {one.what: one.detail for one in balance(items, Fraction(2))}
    assert found == {
        "unbalanced answers": "Yes 5, No 2: more than 2 to 1",
        "unbalanced strategies": "S.4 3, S.5 1, S.6 1, S.7 1, S.8 1: more than 2 to 1",
    }
    # Five to two is not more than 5/2 to one.
    assert [one.what for one in balance(items, Fraction(5, 2))] == ["unbalanced strategies"]
    assert list(balance(items, Fraction(3))) == []
    only = [one.detail for one in balance(items[:5], Fraction(3))]
    assert only == ["Yes 5, No 0: more than 3 to 1", "answerable 5, unanswerable 0: more than 3 to 1"]


def test_beginnings_that_tell() -> None:
    items = [item(f"Can you see who {n} is?", None) for n in range(TELLING)]
    items += [item(f"Is it {n}?", "Yes" if n % 2 else "No") for n in range(TELLING)]
    items += [item(f"Is there {n}?", "No") for n in range(TELLING - 1)]
    assert [(one.what, one.detail) for one in tell_tales(items)] == [
        ("a beginning that gives the label away", "'can': 5 of 5 questions are Unanswerable"),
        ("a beginning that is always answerable", "'is': 9 of 9 questions"),
        ("a beginning that is always answerable", "'is it': 5 of 5 questions"),
    ]
    # Where there is one label only, nothing is given away.
    assert list(tell_tales(items[:TELLING])) == []
    assert list(tell_tales([*items[:TELLING], item("Can you?", "Yes")])) != list(tell_tales(items[:TELLING]))


def test_repeated_questions() -> None:
    items = [item("Is it?", "Yes", pair="a"), item("is it?", None, pair="b"), item("Or?", "No", pair="a")]
    assert [one.detail for one in repeated(items)] == ["'Is it?': Unanswerable 1, Yes 1"]


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1/0", "0.5", "1" * 30])
def test_a_limit_that_is_none(tmp_path: Path, limit: str) -> None:
    with pytest.raises(SettingsError, match="expected a number of 1 or more"):
        written(tmp_path, *GOOD, limit=limit)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a folder of photos"):
        read(tmp_path / "none", tmp_path / "q.csv", SheetSettings())
    with pytest.raises(SourceError, match="expected a sheet of questions"):
        read(tmp_path, tmp_path / "q.csv", SheetSettings())
    authored = written(tmp_path, "nowhere.png,Is it?,Yes,,")
    with pytest.raises(SettingsError, match=r"got none; refused: \{'no image': 1\}"):
        build(authored, tmp_path / "b")
