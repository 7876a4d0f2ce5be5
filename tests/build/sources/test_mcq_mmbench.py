"""MMBench: the TSV with its rotations and shared pictures, and the samples with picture files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from answerable.build.sources.mcq_mmbench import SamplesSource, TsvSource
from answerable.build.sources.mcq_open import open_source
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from tests.build.sources.test_mcq import all_of, base64_of
from tests.core.small import picture

COLUMNS = ("index", "question", "hint", "A", "B", "C", "D", "answer", "category", "l2-category", "image", "split")


def row(index: object, **changes: str) -> dict[str, str]:
    """A good row."""
    return {
        "index": str(index), "question": "Which animal?", "hint": "nan", "A": "cat", "B": "dog", "C": "cow", "D": "nan",
        "answer": "B", "category": "ocr", "l2-category": "perception", "image": base64_of(picture(index)),
        "split": "dev",
    } | changes  # fmt: skip


def write(path: Path, rows: list[dict[str, str]], columns: tuple[str, ...] = COLUMNS) -> Path:
    """A TSV, quoted where it must be."""
    out = io.StringIO()
    lines = csv.DictWriter(out, columns, delimiter="\t", lineterminator="\n", extrasaction="ignore")
    lines.writeheader()
    lines.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def test_a_row_is_read_as_text(tmp_path: Path) -> None:
    rows = [row(3, A="None", B="nan", C='two\nlines, "quoted"', hint="See\tthis."), row("4.0", split="train")]
    source = open_source(write(tmp_path / "x.tsv", rows))
    assert isinstance(source, TsvSource)
    (one, two), refused = all_of(source)
    assert refused == []
    assert one.options == ("None", "nan", 'two\nlines, "quoted"')
    assert (one.id, one.hint, one.answer, one.ability, one.topic) == ("3", "See\tthis.", 1, "ocr", "perception")
    assert (one.split, two.split, two.hint, two.id) == ("test", "train", "", "4")
    assert one.image == picture(3)
    assert source.describe()[0].startswith("x.tsv sha256=")


def test_rotations_are_never_counted_twice(tmp_path: Path) -> None:
    turned = row(1_000_005, A="dog", B="cow", C="cat", answer="A", image="5")
    other = row(2_000_005, A="dog", B="cow", C="pig", answer="A", image="5")
    wrong = row(3_000_005, A="dog", B="cow", C="cat", answer="B", image="5")
    (found,), refused = all_of(TsvSource(write(tmp_path / "x.tsv", [turned, row(5), other, wrong, row(1_000_006)])))
    assert (found.id, found.options) == ("5", ("cat", "dog", "cow"))
    assert refused == [
        Refusal("a rotation of another row", "index 1000005: index 5"),
        Refusal("a rotation unlike its base row", "index 2000005: index 5 has other options or answer"),
        Refusal("a rotation unlike its base row", "index 3000005: index 5 has other options or answer"),
        Refusal("a rotation without its base row", "index 1000006: index 6 is not there"),
    ]


def test_a_picture_may_be_that_of_another_row(tmp_path: Path) -> None:
    found, refused = all_of(TsvSource(write(tmp_path / "x.tsv", [row(7, image="8"), row(8), row(9, image="99")])))
    assert [one.image for one in found] == [picture(8), picture(8)]
    assert refused == [Refusal("the image is another row's, which is not there", "index 9: index 99")]


def test_every_row_that_is_no_question_is_counted(tmp_path: Path) -> None:
    rows = [row(1, answer="nan"), row(2, image="nan"), row(3, image="%%%"), row(4, A="B"), row(5, A=""), row(6)]
    path = write(tmp_path / "x.tsv", rows)
    with path.open("a", encoding="utf-8") as file:
        file.write("8\tshort\n")
    found, refused = all_of(TsvSource(path))
    assert [one.id for one in found] == ["6"]
    assert [one.reason for one in refused] == [
        "no answer", "the image is no base64", "the image is no base64", "an option is a letter of another",
        "an option is empty", "a row of another length",
    ]  # fmt: skip
    assert refused[-1].detail == "line 8: 2 cells, not 12"


def test_a_huge_cell_is_read(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    (found,), _ = all_of(TsvSource(write(tmp_path / "x.tsv", [row(1, comment="x"), row(2, hint="h" * 200_000)])))
    assert found.id == "1"
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a header and rows; got an empty file"),
        ("index\tquestion\n", "expected columns index, question, A, B, answer, image, each once; got no A, B, answer"),
        ("index\tquestion\tA\tA\tB\tanswer\timage\n", "got index, question, A, A, B, answer, image"),
        ('index\tquestion\tA\tB\tanswer\timage\n1\t"a"b\ta\tb\tA\tx\n', "expected a table of delimited text"),
        ("index\tquestion\tA\tB\tanswer\timage\nx\tq\ta\tb\tA\ti\n", "expected a whole number in the column index"),
        ("index\tquestion\tA\tB\tanswer\timage\n-1\tq\ta\tb\tA\ti\n", "got '-1'"),
    ],
)
def test_files_that_are_no_table_of_questions(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        list(TsvSource(path).questions())
    assert message in str(caught.value)


def test_an_index_that_is_there_twice_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", [row(1), row("01"), row(2), row("2.0"), row(3)])
    with pytest.raises(SourceError) as caught:
        list(TsvSource(path).questions())
    assert "expected every index once; got more than one row for 1, 2" in str(caught.value)
    assert "next:  remove the rows that are there twice" in str(caught.value)


def sample(**changes: Any) -> dict[str, Any]:
    """A good entry."""
    return {
        "source": "X", "image": "X/1.png", "category": "Coarse Perception: Image Scene", "language": "en",
        "question": "Where?", "options": {"A": "here", "B": "there"}, "answer": "A",
    } | changes  # fmt: skip


def samples(tmp_path: Path, entries: Any) -> SamplesSource:
    """A file of samples beside a folder of one picture."""
    (tmp_path / "images").mkdir(exist_ok=True)
    (tmp_path / "images" / "1.png").write_bytes(picture(1))
    (tmp_path / "samples.json").write_text(json.dumps(entries), encoding="utf-8")
    source = open_source(tmp_path)
    assert isinstance(source, SamplesSource)
    return source


def test_samples(tmp_path: Path) -> None:
    entries = [sample(), sample(category="OCR", id="mine", options=["3", "4", None], answer="B")]
    (one, two), refused = all_of(samples(tmp_path, entries))
    assert refused == []
    assert (one.id, one.topic, one.ability, one.language) == ("X/1.png#0", "Coarse Perception", "Image Scene", "en")
    assert (two.id, two.topic, two.ability, two.options, two.answer) == ("mine", "", "OCR", ("3", "4"), 1)
    assert one.image == picture(1)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("text", "not a question"),
        (sample(options=None), "no options"),
        (sample(options={"A": "x", "C": "y"}), "options are not lettered"),
        (sample(options={"A": "x", "AB": "y"}), "options are not lettered"),
        (sample(options={f"{n}": f"word {n}" for n in range(27)}), "more than 26 options"),
        (sample(options=[f"word {n}" for n in range(27)]), "more than 26 options"),
        (sample(options=["x", ["y"]]), "options are not texts"),
        (sample(options={"A": "x", "B": None, "C": "z"}), "an option is empty"),
        (sample(answer=["A"]), "a field is not text"),
        (sample(answer=None), "no answer"),
        (sample(image=None), "no image"),
        (sample(image="X/2.png"), "no image"),
        (sample(image="../secret.png"), "the image lies outside the folder"),
    ],
)
def test_samples_that_are_no_questions(entry: Any, reason: str, tmp_path: Path) -> None:
    found, refused = all_of(samples(tmp_path, [sample(), entry]))
    assert len(found) == 1
    assert [one.reason for one in refused] == [reason]


def test_samples_with_one_id_twice(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="more than one row for a"):
        list(samples(tmp_path, [sample(id="a"), sample(id="a")]).questions())
