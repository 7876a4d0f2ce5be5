"""What makes a row a question, and pictures that are there, whole, and inside their folder."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest

from answerable.build.sources.mcq import (
    Fields,
    Question,
    UnusableError,
    checked,
    folded,
    no_duplicates,
    parse_json,
    present,
    read_bytes,
    read_text,
    words_of,
)
from answerable.build.sources.mcq_images import Pictures, decoded, places_of, resolved
from answerable.build.sources.mcq_open import open_source
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Refusal
from tests.core.small import picture


def jpeg(*names: object, size: tuple[int, int] = (8, 6)) -> bytes:
    """A JPEG of a few pixels, its own for every name."""
    from PIL import Image

    seed = sum(ord(sign) * (place + 3) for place, sign in enumerate(repr(names)))
    out = io.BytesIO()
    Image.new("RGB", size, (seed % 256, seed // 3 % 256, seed // 7 % 256)).save(out, "JPEG", quality=95)
    return out.getvalue()


def base64_of(data: bytes) -> str:
    """As it stands in a cell."""
    return base64.b64encode(data).decode()


def question(name: str = "q1", **changes: Any) -> Question:
    """A question of four options; its picture is its own."""
    fields: dict[str, Any] = {
        "id": name, "text": f"Which animal is on {name}?", "hint": "", "options": ("cat", "dog", "cow", "hen"),
        "answer": 1, "image": picture(name), "ability": "Recognition", "topic": "Perception", "source": "made",
    } | changes  # fmt: skip
    return Question(**fields)


def fields(**changes: Any) -> Fields:
    """The texts of a good row."""
    given: dict[str, Any] = {
        "id": "7", "text": "Which?", "hint": "", "options": ("cat", "dog", "cow"), "answer": "B",
    } | changes  # fmt: skip
    return Fields(**given)


def refusal(**changes: Any) -> tuple[str, str]:
    """Reason and detail of a row that is no question."""
    with pytest.raises(UnusableError) as caught:
        checked(fields(**changes), picture("x"), "made")
    return caught.value.reason, caught.value.detail


def test_a_good_row() -> None:
    found = checked(fields(split="TRAIN", ability=" OCR ", answer=" b ", hint=" Look. "), picture("x"), "made")
    assert (found.answer, found.split, found.ability, found.hint, found.source) == (1, "train", "OCR", "Look.", "made")
    assert found.image == picture("x")
    assert checked(fields(split="dev"), picture("x"), "made").split == "test"


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"text": " \n"}, "no question", "its text is empty"),
        ({"text": "x" * 20_001}, "text is too long", "20001 characters, of at most 20000"),
        ({"options": ("a\ud800", "cat")}, "text is not Unicode", "'a\\ud800'"),
        ({"options": ("cat",)}, "fewer than two options", "1"),
        ({"options": ()}, "fewer than two options", "0"),
        ({"options": ("cat", " ", "dog")}, "an option is empty", "('cat', ' ', 'dog')"),
        ({"options": tuple(f"word {n}" for n in range(27))}, "more than 26 options", "27"),
        ({"options": ("Cat", "dog", " cat. ")}, "two options are equal", "'Cat'"),
        ({"options": ("２", "2", "3")}, "two options are equal", "'２'"),
        ({"options": ("cat", "(c)", "dog")}, "an option is a letter of another", "'(c)'"),
        ({"options": ("cat", "D", "dog")}, "an option is a letter of another", "'D'"),
        ({"options": ("cat", "dog", "A and B")}, "an option names others by letter", "'A and B'"),
        ({"options": ("cat", "dog", "Both A, and B")}, "an option names others by letter", "'Both A, and B'"),
        ({"options": ("cat", "dog", "option A")}, "an option names others by letter", "'option A'"),
        ({"answer": ""}, "no answer", "the row gives no letter"),
        ({"answer": "D"}, "the answer is no option", "'D' of 3 options"),
        ({"answer": "AB"}, "the answer is no option", "'AB' of 3 options"),
        ({"answer": "1"}, "the answer is no option", "'1' of 3 options"),
    ],
)
def test_rows_that_are_no_question(changes: dict[str, Any], reason: str, detail: str) -> None:
    assert refusal(**changes) == (reason, detail)


@pytest.mark.parametrize(
    "options",
    [
        ("None", "nan", "null"), ("1", "2", "3.5"), ("X", "Z"), ("Vitamin A and Vitamin B", "iron"), ("Both", "cat"),
        tuple(f"word {n}" for n in range(26)), ("A Coruña", "Bilbao"), ("I", "you"),
    ],
)  # fmt: skip
def test_options_that_look_odd_and_are_fine(options: tuple[str, ...]) -> None:
    assert checked(fields(options=options), picture("x"), "made").options == options


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "expected an image file"),
        (b"GIF87a no", "expected"),
        (b"<svg/>", "expected an image file (PNG, JPEG, WebP, GIF, TIFF or BMP)"),
        (jpeg("cut", size=(90, 90))[:-150], "OSError: image file is truncated"),
        (picture("cut")[:-40], "OSError: image file is truncated"),
    ],
)
def test_images_that_cannot_be_read(data: bytes, detail: str) -> None:
    with pytest.raises(UnusableError) as caught:
        checked(fields(), data, "made")
    assert caught.value.reason == "the image cannot be read"
    assert caught.value.detail.startswith(detail)


def test_an_image_that_must_not_be_sent_as_it_is_becomes_one_that_may() -> None:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGBA", (3, 2), (10, 20, 30, 128)).save(out, "PNG")
    stored = checked(fields(), out.getvalue(), "made").image
    with Image.open(io.BytesIO(stored)) as image:
        assert (image.mode, image.size) == ("RGB", (3, 2))


@pytest.mark.parametrize(
    ("cells", "answer", "blanks", "found"),
    [
        (["a", "b", "nan", ""], "A", ("", "nan"), ("a", "b")),
        (["a", "nan", "c", "nan"], "A", ("", "nan"), ("a", "nan", "c")),
        (["a", "b", "nan"], "C", ("", "nan"), ("a", "b", "nan")),
        (["a", "b", "nan"], "A", ("",), ("a", "b", "nan")),
        (["a", "", "c"], "A", ("",), ("a", "", "c")),
        (["None", "none of it", None], "A", ("",), ("None", "none of it")),
        ([" a ", "b"], "", ("",), ("a", "b")),
        (["", ""], "A", ("",), ()),
    ],
)
def test_which_options_are_there(cells: list[str], answer: str, blanks: tuple[str, ...], found: tuple[str]) -> None:
    assert present(cells, answer, blanks=blanks) == found


def test_texts_are_compared_without_case_white_space_and_full_stop() -> None:
    assert folded(" The  Ｃat. ") == folded("the cat") == "the cat"


def test_numbers_of_json_stay_the_text_they_were() -> None:
    assert parse_json('{"a": 1.50, "b": 1e400, "c": NaN}', "x") == {"a": "1.50", "b": "1e400", "c": None}
    with pytest.raises(SourceError, match="expected JSON"):
        parse_json("[" * 100_000, "x")


def test_a_field_that_is_no_text() -> None:
    assert words_of({"a": None, "b": "", "c": "x"}, "a", "b", "c") == "x"
    assert words_of({}, "a") == ""
    with pytest.raises(UnusableError, match="a field is not text"):
        words_of({"a": ["x"]}, "a")


def test_indexes_that_are_there_twice_are_named(tmp_path: Path) -> None:
    no_duplicates(["1", "2"], tmp_path)
    with pytest.raises(SourceError) as caught:
        no_duplicates([*"aabbcde", *map(str, range(9)), *map(str, range(9))], tmp_path)
    assert "got more than one row for 0, 1, 2, 3, 4, 5, 6, 7 and 3 more" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="expected a file that can be read; got No such file"):
        read_bytes(tmp_path / "no")
    (tmp_path / "x").write_bytes(b"ab\xff")
    with pytest.raises(SourceError, match="expected a file in UTF-8; got a byte that is none at 2"):
        read_text(tmp_path / "x")
    monkeypatch.setattr("answerable.build.sources.mcq.MAX_BYTES", 2)
    with pytest.raises(SourceError, match="expected a file of at most 2 bytes; got 3"):
        read_bytes(tmp_path / "x")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "no image"),
        ("  ", "no image"),
        ("[base64 JPEG, 3600 chars]", "no image"),
        ("abc", "the image is no base64"),
        ("not base64!", "the image is no base64"),
        ("data:image/png;base64,", "no image"),
    ],
)
def test_cells_that_are_no_image(cell: str, reason: str) -> None:
    with pytest.raises(UnusableError) as caught:
        decoded(cell)
    assert caught.value.reason == reason


def test_base64_in_lines_and_behind_a_data_prefix() -> None:
    text = base64_of(picture("x"))
    assert decoded(f"{text[:40]}\n{text[40:]}") == picture("x")
    assert decoded(f"data:image/png;base64,{text}") == picture("x")


def test_a_picture_that_is_another_rows() -> None:
    cells = {"1": "abcd" * 5, "2": "1", "3": " 2 ", "4": "9", "5": "6", "6": "5", "7": "7"}
    assert resolved(cells, "3") == "abcd" * 5
    for name, reason in (("4", "which is not there"), ("5", "in a circle"), ("7", "in a circle")):
        with pytest.raises(UnusableError, match=reason):
            resolved(cells, name)


def folder_of_pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "images").mkdir(parents=True)
    (folder / "a").mkdir()
    (folder / "a" / "1.png").write_bytes(picture("a1"))
    (folder / "images" / "2.png").write_bytes(picture("2"))
    (folder / "images" / "1.png").write_bytes(picture("one of them"))
    (tmp_path / "outside.png").write_bytes(picture("outside"))
    return folder


def test_where_pictures_are_looked_for(tmp_path: Path) -> None:
    folder = folder_of_pictures(tmp_path)
    found = Pictures(folder, (), ["a/1.png", "b/1.png", "b/2.png", "c/3.png"])
    assert found.read("a/1.png") == picture("a1")
    assert found.read("b/2.png") == picture("2")
    # images/1.png may be that of a/ or of b/: nothing says which.
    with pytest.raises(UnusableError) as caught:
        found.read("b/1.png")
    assert caught.value.detail == "'b/1.png' is not there, and '1.png' may be that of a/1.png"
    named = Pictures(folder, (("b", folder / "images"),), ["a/1.png", "b/1.png"])
    assert named.read("b/1.png") == picture("one of them")
    with pytest.raises(UnusableError, match=r"no file 'c/3\.png'"):
        found.read("c/3.png")
    with pytest.raises(UnusableError, match="the row names none"):
        found.read(" ")


@pytest.mark.parametrize("name", ["../outside.png", "/etc/hostname", "a/../../outside.png", "link.png", "a\0b"])
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    folder = folder_of_pictures(tmp_path)
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    with pytest.raises(UnusableError) as caught:
        Pictures(folder, (), [name]).read(name)
    assert caught.value.reason == "the image lies outside the folder"


def test_pictures_by_index(tmp_path: Path) -> None:
    folder = folder_of_pictures(tmp_path)
    found = Pictures(folder, (("", folder / "images"),))
    assert found.of_index("2") == picture("2")
    with pytest.raises(UnusableError, match=r"no file 3\.jpg or the like"):
        found.of_index("3")
    with pytest.raises(UnusableError, match="outside the folder"):
        found.of_index("../../outside")


def test_folders_of_pictures(tmp_path: Path) -> None:
    assert places_of([str(tmp_path), f"MM/={tmp_path}"]) == (("", tmp_path), ("MM", tmp_path))
    with pytest.raises(SettingsError) as caught:
        places_of(["nowhere"])
    assert "expected a folder of pictures, DIR or PREFIX=DIR; got 'nowhere'" in str(caught.value)
    assert caught.value.where == "--images"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "a .tsv of MMBench"),
        ({"a.txt": ""}, "a .tsv of MMBench"),
        (
            {"a.tsv": "x", "b.csv": "y"},
            "expected one data file, or several .json files of MM-UPD rows; got a.tsv, b.csv",
        ),
        ({"a.json": "{}"}, "expected a JSON list of questions; got dict"),
        ({"a.json": "["}, "expected JSON"),
        ({"a.json": '[{"options": []}]', "b.json": "[]"}, "expected one data file"),
    ],
)
def test_folders_that_hold_no_questions(files: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        open_source(tmp_path)
    assert message in str(caught.value)
    with pytest.raises(SourceError, match="which is not there"):
        open_source(tmp_path / "nowhere")


def all_of(source: Any) -> tuple[list[Question], list[Refusal]]:
    """The questions and the refusals of a source."""
    found = list(source.questions())
    return [one for one in found if isinstance(one, Question)], [one for one in found if isinstance(one, Refusal)]
