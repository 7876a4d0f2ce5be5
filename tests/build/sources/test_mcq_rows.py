"""Rows of MM-UPD, and questions of your own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answerable.build.sources.mcq_open import open_source
from answerable.build.sources.mcq_rows import OwnSource, UpdRowsSource
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from tests.build.sources.test_mcq import all_of, base64_of
from tests.core.small import picture


def standard(index: object = 1, **changes: Any) -> dict[str, Any]:
    """A standard row."""
    return {
        "index": str(index), "question": "Which animal?", "hint": "", "A": "cat", "B": "dog", "C": "cow", "D": "",
        "E": "", "answer": "B", "masked_answer": "", "category": "ocr", "l2-category": "perception",
        "image": base64_of(picture(index)), "split": "test", "type": "standard",
    } | changes  # fmt: skip


def aad(index: object = 1, **changes: Any) -> dict[str, Any]:
    """Its row without the right option."""
    return standard(index, B="cow", C="", answer="F", masked_answer="dog", type="upd") | changes


def iasd(index: object = 1, **changes: Any) -> dict[str, Any]:
    """Its row with other options."""
    other = {"A": "red", "B": "blue", "C": "", "option_index": "9"}
    return standard(index, answer="F", masked_answer="dog", type="upd", **other) | changes


def ivqd(index: object = 1, **changes: Any) -> dict[str, Any]:
    """Its row with another picture."""
    other = {"image": base64_of(picture("other")), "image_index": "9"}
    return standard(index, answer="F", type="upd", **other) | changes


def rows(tmp_path: Path, *files: list[dict[str, Any]], images: Path | None = None) -> UpdRowsSource:
    """A source of files of rows."""
    for number, content in enumerate(files):
        (tmp_path / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
    source = open_source(tmp_path, () if images is None else (("", images),))
    assert isinstance(source, UpdRowsSource)
    return source


def test_a_standard_row_takes_what_its_unsolvable_rows_pair_it_with(tmp_path: Path) -> None:
    (one, two), refused = all_of(rows(tmp_path, [standard(), standard(2)], [aad()], [iasd()], [ivqd(), standard()]))
    assert (one.options, one.answer, one.problems) == (("cat", "dog", "cow"), 1, ("AAD", "IASD", "IVQD"))
    assert (one.given_options, one.given_image) == (("red", "blue"), picture("other"))
    assert (two.problems, two.given_options, two.given_image) == ((), (), b"")
    counted = "an unsolvable row, counted with its standard row"
    assert refused == [
        Refusal(counted, "1.json, index 1: AAD"),
        Refusal(counted, "2.json, index 1: IASD"),
        Refusal(counted, "3.json, index 1: IVQD"),
        Refusal("the same standard row again", "3.json, index 1: in another file"),
    ]


def test_an_absent_answer_alone_is_completed_by_what_was_masked(tmp_path: Path) -> None:
    (found,), refused = all_of(rows(tmp_path, [aad(), iasd(2), ivqd(3)]))
    assert (found.options, found.answer, found.problems) == (("cat", "cow", "dog"), 2, ("AAD",))
    assert [one.reason for one in refused] == ["an unsolvable row without its standard row"] * 2


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (aad(A="pig"), "an unsolvable row unlike its standard row"),
        (aad(masked_answer="cow"), "an unsolvable row unlike its standard row"),
        (iasd(masked_answer="cow"), "an unsolvable row unlike its standard row"),
        (ivqd(A="pig"), "an unsolvable row unlike its standard row"),
        (aad(question="Who?"), "an unsolvable row unlike its standard row"),
    ],
)
def test_rows_that_do_not_fit_together(row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    found, refused = all_of(rows(tmp_path, [standard(), row]))
    assert found == []
    assert [one.reason for one in refused] == [reason, reason]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (aad(2, answer="A"), "an unsolvable row whose answer is not F"),
        (aad(2, masked_answer=""), "an unsolvable row of no known problem"),
        (aad(2, type="else"), "neither standard nor unsolvable"),
        (standard(2, image=""), "no image"),
        (standard(2, image="[base64 JPEG, 3600 chars]"), "no image"),
        (standard(2, image="x"), "the image is no base64"),
        (standard(2, answer="E"), "the answer is no option"),
        (standard(2, A=["x"]), "a field is not text"),
        (aad(2, masked_answer="cow"), "two options are equal"),
        (aad(1), "the same unsolvable row again"),
    ],
)
def test_rows_that_are_no_questions(row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    _, refused = all_of(rows(tmp_path, [aad(1)], [row]))
    assert reason in [one.reason for one in refused]


def test_given_options_are_checked_too(tmp_path: Path) -> None:
    found, refused = all_of(rows(tmp_path, [standard(), iasd(B="Red.")]))
    assert found == []
    assert refused[0].reason == "two options are equal"
    _, refused = all_of(rows(tmp_path, [standard(), iasd(B="x\ud800")]))
    assert refused[0].reason == "text is not Unicode"


def test_pictures_by_index(tmp_path: Path) -> None:
    images = tmp_path / "pictures"
    images.mkdir()
    (images / "1.png").write_bytes(picture("one"))
    (images / "9.png").write_bytes(picture("nine"))
    content = [standard(image=""), ivqd(image="[taken out]"), standard(2, image="")]
    (found,), refused = all_of(rows(tmp_path, content, images=images))
    assert (found.image, found.given_image) == (picture("one"), picture("nine"))
    assert refused[-1] == Refusal("no image", "0.json, index 2: no file 2.jpg or the like")


def test_rows_that_differ_under_one_index(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        list(rows(tmp_path, [standard()], [standard(A="pig")]).questions())
    assert "expected every index once; got rows that differ for 1" in str(caught.value)
    with pytest.raises(SourceError, match=r"rows that differ for 1 \(AAD\)"):
        list(rows(tmp_path, [aad()], [aad(A="pig")]).questions())


def test_rows_without_an_index(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a row with an index; got none in row 1"):
        list(rows(tmp_path, [standard(), standard() | {"index": None}]).questions())


def own(tmp_path: Path, text: str, ending: str = "jsonl") -> OwnSource:
    """A file of one's own, beside a picture."""
    (tmp_path / "p").mkdir(exist_ok=True)
    (tmp_path / "p" / "1.png").write_bytes(picture(1))
    path = tmp_path / f"mine.{ending}"
    path.write_text(text, encoding="utf-8")
    source = open_source(path)
    assert isinstance(source, OwnSource)
    return source


LINE: dict[str, Any] = {"question": "Which?", "options": ["cat", "dog", "3"], "answer": "c", "image": "p/1.png"}


def test_questions_of_your_own(tmp_path: Path) -> None:
    lines = [
        LINE | {"options": ["cat", "dog", 3.0], "ability": "x", "topic": "y"},
        LINE | {"id": "b", "split": "train"},
    ]
    source = own(tmp_path, "\n".join(map(json.dumps, lines)) + "\n\n")
    (one, two), refused = all_of(source)
    assert refused == []
    assert (one.id, one.options, one.answer, one.ability, one.topic) == ("row-1", ("cat", "dog", "3.0"), 2, "x", "y")
    assert (two.id, two.split, two.source) == ("b", "train", "mcq")
    assert source.licence == "as the user's data"


def test_a_csv_of_your_own(tmp_path: Path) -> None:
    text = "question,A,B,C,answer,image,id\nWhich?,None,nan,,B,p/1.png,n1\nWhich?,cat,dog,,C,p/1.png,n2\nshort\n"
    (found,), refused = all_of(own(tmp_path, text, "csv"))
    assert (found.id, found.options, found.answer) == ("n1", ("None", "nan"), 1)
    assert [one.reason for one in refused] == ["the answer is no option", "a row of another length"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1]", "not a question"),
        (json.dumps(LINE | {"image": "../p/1.png"}), "the image lies outside the folder"),
        (json.dumps(LINE | {"image": "/etc/passwd"}), "the image lies outside the folder"),
        (json.dumps(LINE | {"image": "p/2.png"}), "no image"),
        (json.dumps(LINE | {"image": {"a": 1}}), "a field is not text"),
        (json.dumps(LINE | {"image": "p/" + "x" * 5000}), "no image"),
        (json.dumps(LINE | {"image": "p/\ud800.png"}), "the image lies outside the folder"),
        (json.dumps(LINE | {"id": "\ud800"}), "text is not Unicode"),
        (json.dumps(LINE | {"answer": ""}), "no answer"),
        (json.dumps(LINE | {"options": 3}), "no options"),
        (json.dumps(LINE | {"options": ["\ud800", "x"]}), "text is not Unicode"),
    ],
)
def test_lines_that_are_no_questions(line: str, reason: str, tmp_path: Path) -> None:
    found, refused = all_of(own(tmp_path, f"{line}\n"))
    assert found == []
    assert [one.reason for one in refused] == [reason]
    assert refused[0].detail.encode()


def test_lines_that_are_no_json_and_ids_that_are_there_twice(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        list(own(tmp_path, json.dumps(LINE) + "\n{").questions())
    assert str(caught.value).endswith("mine.jsonl, line 2")
    text = f"{json.dumps(LINE | {'id': 'x'})}\n{json.dumps(LINE | {'id': ' x '})}"
    with pytest.raises(SourceError, match="more than one row for x"):
        list(own(tmp_path, text).questions())
