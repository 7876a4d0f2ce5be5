"""The layouts of TUBench: what a good folder gives, and what everything else is refused for."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from answerable.build.importers import tubench_hf, tubench_ucr, tubench_ugeoqa, tubench_utabmwp, tubench_uvqa
from answerable.build.importers.items import MAX_FILE, STRATEGIES, Folder, Item
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from tests.build.importers import hf, put, row, ucr, ugeoqa, utabmwp, uvqa
from tests.core.small import picture

READ = {
    "ucr": tubench_ucr.items,
    "uvqa": tubench_uvqa.items,
    "ugeoqa": tubench_ugeoqa.items,
    "utabmwp": tubench_utabmwp.items,
    "hf": tubench_hf.items,
}


def all_of(name: str, root: Path, language: str = "en") -> tuple[list[Item], list[Refusal]]:
    found = list(READ[name](Folder(root), language))
    return [one for one in found if isinstance(one, Item)], [one for one in found if isinstance(one, Refusal)]


def reasons(name: str, root: Path, language: str = "en") -> dict[str, int]:
    return dict(Counter(one.reason for one in all_of(name, root, language)[1]))


def test_the_ten_strategies() -> None:
    assert list(STRATEGIES) == [f"S.{number}" for number in range(1, 11)]
    assert [code for code, one in STRATEGIES.items() if one.reason == "indeterminate"] == ["S.1", "S.7"]


@pytest.mark.parametrize("stem", ["", "1"])
def test_ucr(tmp_path: Path, stem: str) -> None:
    found, refused = all_of("ucr", ucr(tmp_path, stem=stem))
    assert not refused
    assert len(found) == 18
    first = [item for item in found if item.pair.startswith("1: ")]
    assert [(item.question, item.answer, item.strategy) for item in first] == [
        ("Is the output 'Hello'?", "Yes", ""),
        ("Is the output 'hello'?", "No", ""),
        ("Is the output 'Hello'?", None, "S.1"),
        ("Is the output 'hello'?", "No", "S.1"),
        ("Is the chance 90%?", "Yes", "S.1"),
        ("Is the output 'Hello'?", None, "S.2"),
        ("Is the output 'hello'?", "Yes", "S.2"),
        ("Is the output 'Hello'?", None, "S.3"),
        ("Does it end with '!'?", None, "S.3"),
    ]
    # 'Hello' and 'hello' are two questions.
    assert len({item.pair for item in first}) == 4
    assert len({item.id for item in found}) == 18
    assert len({item.image for item in found}) == 8


def test_ucr_lines_and_screenshots_that_are_none(tmp_path: Path) -> None:
    ucr(tmp_path, folders=(1,))
    lines = ["Is it\ta tab?\tYes", "Is it?\tMaybe", "no label", "Is it so?\tno", "Is it so?\tYes", "", "Is it?\tYes\t"]
    put(tmp_path / "1/1.txt", "\r\n".join(lines))
    (tmp_path / "1/1_u1.png").unlink()
    (tmp_path / "1/1_u2.txt").unlink()
    put(tmp_path / "1/1_u3.png", picture("whole")[:60])
    put(tmp_path / "1/1_u4.txt", "Is it?\tYes")
    put(tmp_path / "1/1_negate_flip.txt", "Is it not?\tYes")
    put(tmp_path / "notes.txt", "")
    put(tmp_path / "2/readme.txt", "")
    put(tmp_path / "3/3.txt", "")
    put(tmp_path / "3/1.txt", "")
    found, refused = all_of("ucr", tmp_path)
    assert [(item.question, item.answer) for item in found] == [
        ("Is it\ta tab?", "Yes"), ("Is it so?", "No"), ("Is it?", "Yes"),
    ]  # fmt: skip
    known = ("an extra file", "the image cannot be read", "the folder holds no one program")
    assert {one.reason: one.detail for one in refused if one.reason not in known} == {
        "the answer is no label": "1/1.txt, line 2: 'Maybe': expected Yes, No or Unanswerable",
        "the line is no question with a label": "1/1.txt, line 3: 'no label'",
        "the question is there twice": "1/1.txt, line 5: 'Is it so?'",
        "no image": "1/1_u1: 1/1_u1.png",
        "no file of questions": "1/1_u2: 1/1_u2.txt",
        "an unknown strategy": "1/1_u4: u4: expected u1, u2 or u3",
    }
    assert [one.detail for one in refused if one.reason == "the folder holds no one program"] == [
        "2: no screenshot", "3: screenshots of two numbers",
    ]  # fmt: skip
    (unreadable,) = [one.detail for one in refused if one.reason == "the image cannot be read"]
    assert unreadable.startswith("1/1_u3: ")
    extra = {one.detail for one in refused if one.reason == "an extra file"}
    assert extra == {"1/1_negate_flip.txt", "notes.txt", "2/readme.txt"}


def test_uvqa(tmp_path: Path) -> None:
    found, refused = all_of("uvqa", uvqa(tmp_path))
    assert not refused
    assert [(item.answer, item.strategy) for item in found if item.pair == "7"] == [
        ("Yes", ""), ("No", ""), (None, "S.4"), (None, "S.5"), (None, "S.6"), (None, "S.7"), (None, "S.8"),
    ]  # fmt: skip
    assert [item.id for item in found][:3] == ["0:1", "0:2", "0:3"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("8\tIs it?\tUnanswerable\t6", "an unknown strategy"),
        ("8\tIs it?\tUnanswerable\tS.9", "an unknown strategy"),
        ("8\tIs it?\tYes\t2", "an answerable question with a strategy"),
        ("8\tIs it?\tPerhaps", "the answer is no label"),
        ("8\tIs it?\tPerhaps\t2", "the answer is no label"),
        ("8\tIs it?", "the line has too few fields"),
        ("1\tIs it?\tNo", "the number is there twice"),
        ("8\t \tNo", "no question"),
        (f"8\t{'x' * 20_001}\tNo", "text is too long"),
    ],
)
def test_uvqa_lines_that_are_none(tmp_path: Path, line: str, reason: str) -> None:
    uvqa(tmp_path, folders=(0,))
    path = tmp_path / "0/vqa.txt"
    path.write_text(path.read_text() + "\n" + line)
    assert reasons("uvqa", tmp_path) == {reason: 1}
    assert len(all_of("uvqa", tmp_path)[0]) == 7


def test_uvqa_a_tab_in_a_question_and_a_strategy_that_is_not_said(tmp_path: Path) -> None:
    uvqa(tmp_path, folders=(0,))
    put(tmp_path / "0/vqa.txt", "1\tIs\tit?\tUnanswerable\t2\n2\tIs it?\tUnanswerable\n3\tAnd?\tunanswerable\tS.8")
    found, refused = all_of("uvqa", tmp_path)
    assert not refused
    assert [(item.question, item.strategy) for item in found] == [("Is\tit?", "S.5"), ("Is it?", ""), ("And?", "S.8")]


def test_uvqa_photos(tmp_path: Path) -> None:
    uvqa(tmp_path, folders=(0, 1, 2))
    put(tmp_path / "0/second.png", picture("second"))
    (tmp_path / "1/COCO_1.jpg").unlink()
    put(tmp_path / "2/COCO_2.jpg", b"GIF87a no picture")
    assert reasons("uvqa", tmp_path) == {"several images": 1, "no image": 1, "the image cannot be read": 1}


@pytest.mark.parametrize(
    ("language", "whole", "without"),
    [
        ("zh", "已知OA=2,OB=4,则AB=()", "已知OA=2,则AB=()"),
        ("en", "OA = 2, OB = 4, then AB = ()", "OA = 2, then AB = ()"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk"])
def test_ugeoqa(tmp_path: Path, language: str, whole: str, without: str, encoding: str) -> None:
    folder = Folder(ugeoqa(tmp_path, 5, encoding))
    found = list(tubench_ugeoqa.items(folder, language))
    assert [item.question for item in found if isinstance(item, Item)] == [whole, without]
    first, second = (item for item in found if isinstance(item, Item))
    assert (first.answer, second.answer) == ("A", None)
    assert first.options == second.options == ("6m", "2m", "8m", "1m")
    assert (first.pair, first.strategy, first.language) == ("5", "S.9", language)
    assert any("read as GBK: 1 files, for example 5/5.json" in line for line in folder.describe()) == (
        encoding == "gbk"
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"label": 4}, "the answer is no option"),
        ({"label": -1}, "the answer is no option"),
        ({"label": None}, "the answer is no option"),
        ({"id": 6}, "the id is not the folder's"),
        ({"eng_subject": ""}, "no question in eng_subject"),
        ({"unanswerable_eng_subject": None}, "no question in unanswerable_eng_subject"),
        ({"unanswerable_eng_subject": "OA = 2, OB = 4, then AB = ()"}, "both questions are equal"),
        ({"choices": ["6m"]}, "fewer than two options"),
        ({"choices": "6m"}, "no options"),
        ({"choices": ["6m", None]}, "no options"),
        ({"choices": ["6m", "6m."]}, "two options are equal"),
    ],
)
def test_ugeoqa_pairs_that_are_none(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    assert reasons("ugeoqa", ugeoqa(tmp_path, **changed)) == {reason: 1}
    assert not all_of("ugeoqa", tmp_path)[0]


def test_ugeoqa_files(tmp_path: Path) -> None:
    for number in range(6):
        ugeoqa(tmp_path, number)
    (tmp_path / "0/0.json").unlink()
    (tmp_path / "1/1.png").unlink()
    put(tmp_path / "2/2.json", '{"id": 2')
    put(tmp_path / "3/3.json", "[1]")
    put(tmp_path / "4/4.json", b"\xff\xfe{\x00")
    put(tmp_path / "5/more.png", picture("more"))
    assert reasons("ugeoqa", tmp_path) == {
        "no file of questions": 1, "no image": 1, "no JSON": 2, "neither UTF-8 nor GBK": 1, "an extra file": 1,
    }  # fmt: skip
    assert len(all_of("ugeoqa", tmp_path)[0]) == 2


def test_two_folders_of_one_number(tmp_path: Path) -> None:
    ugeoqa(tmp_path, 7)
    (tmp_path / "007").mkdir()
    with pytest.raises(SourceError, match="expected every number once; got the folders 007 and 7"):
        all_of("ugeoqa", tmp_path)


def test_nothing_is_read_outside_the_folder(tmp_path: Path) -> None:
    ugeoqa(tmp_path / "away", 5)
    root = tmp_path / "set"
    root.mkdir()
    (root / "5").symlink_to(tmp_path / "away/5")
    ugeoqa(root, 6)
    (root / "6/6.png").unlink()
    (root / "6/6.png").symlink_to(tmp_path / "away/5/5.png")
    assert reasons("ugeoqa", root) == {"the file lies outside the folder": 2}
    hf(tmp_path / "hf", row("a", "Yes", file_name="../away/5/5.png"))
    assert reasons("hf", tmp_path / "hf") == {"the file lies outside the folder": 1}


def test_files_are_bounded(tmp_path: Path) -> None:
    ugeoqa(tmp_path, 5)
    with (tmp_path / "5/5.json").open("r+b") as file:
        file.truncate(MAX_FILE + 1)
    assert reasons("ugeoqa", tmp_path) == {"the file is too large": 1}


def test_utabmwp(tmp_path: Path) -> None:
    utabmwp(tmp_path, 3)
    utabmwp(tmp_path, 4, control=True)
    found, refused = all_of("utabmwp", tmp_path)
    assert not refused
    assert [(item.pair, item.answer, item.masked, item.strategy) for item in found] == [
        ("3", "B", False, "S.10"), ("3", None, False, "S.10"),
        ("4", "B", False, "S.10"), ("4", None, False, "S.10"), ("4", "B", True, "S.10"),
    ]  # fmt: skip
    assert len({item.image for item in found}) == 5


def test_utabmwp_pairs_that_are_none(tmp_path: Path) -> None:
    utabmwp(tmp_path, 1, answer="13")
    utabmwp(tmp_path, 2)
    (tmp_path / "2/2_u1.png").unlink()
    utabmwp(tmp_path, 3)
    put(tmp_path / "3/3_u1.png", (tmp_path / "3/3.png").read_bytes())
    utabmwp(tmp_path, 4, question=4)
    utabmwp(tmp_path, 5, answer="")
    assert reasons("utabmwp", tmp_path) == {
        "the answer is no option": 1, "no image": 1, "both pictures are equal": 1, "no answer": 1,
    }  # fmt: skip
    # A number is the text that it was.
    assert {item.question for item in all_of("utabmwp", tmp_path)[0]} == {"4"}


def test_hf(tmp_path: Path) -> None:
    hf(
        tmp_path,
        row("a", "Yes", pair="p", dataset="UVQA"),
        row("b", "Unanswerable", pair_id="p", strategy="S.4"),
        {"image": "images/2.png", "question": "Which?", "answer": "(b)", "choices": ["x1", "y1"], "language": "zh"},
        row("c", "y1", options=["x1", "y1"]),
        row("d", "Unanswerable", options=["x1", "y1"], strategy="S.10"),
    )
    found, refused = all_of("hf", tmp_path, "")
    assert not refused
    assert [(item.id, item.pair, item.answer, item.strategy, item.language, item.topic) for item in found] == [
        ("a", "p", "Yes", "", "en", "UVQA"),
        ("b", "p", None, "S.4", "en", ""),
        ("line 3", "alone: line 3", "B", "", "zh", ""),
        ("c", "alone: c", "B", "", "en", ""),
        ("d", "alone: d", None, "S.10", "en", ""),
    ]
    assert reasons("hf", tmp_path, "en") == {"another language": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no JSON"),
        ("3", "no JSON"),
        (json.dumps(row("a", "Yes", strategy="S.11")), "an unknown strategy"),
        (json.dumps(row("a", "Perhaps")), "the answer is no label"),
        (json.dumps(row("a", "C", options=["x1", "y1"])), "the answer is no option"),
        (json.dumps(row("a", "Yes", file_name="")), "no image"),
        (json.dumps(row("a", "Yes", file_name="images/9.png")), "no image"),
        (json.dumps(row("a", "Yes", file_name=["images/1.png"])), "a field is not text"),
        (json.dumps(row("a", "Yes", question="\ud800")), "text is not Unicode"),
    ],
)
def test_hf_lines_that_are_none(tmp_path: Path, line: str, reason: str) -> None:
    hf(tmp_path, row("good", "Yes"))
    path = tmp_path / "metadata.jsonl"
    path.write_text(path.read_text() + "\n" + line)
    assert reasons("hf", tmp_path) == {reason: 1}


def test_hf_an_id_that_is_there_twice(tmp_path: Path) -> None:
    hf(tmp_path, row("a", "Yes"), row("a", "No"))
    with pytest.raises(SourceError, match="expected every id once; got more than one line for a"):
        all_of("hf", tmp_path)


def test_hf_without_its_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"expected a readable metadata\.jsonl; got no file of questions"):
        all_of("hf", tmp_path)
