"""Recipes: the same bytes from somebody's own photos, and every difference named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from answerable.build.recipes import MAX_LINE, Line, Recipe, read_recipe
from answerable.build.recipes_photo import rebuild
from answerable.core.benchmark import Manifest
from answerable.core.codec import decode, digest_bytes, encode
from answerable.core.errors import AnswerableError, SourceError
from answerable.domains.photo.boxes import Box
from answerable.exec import Executor, ProcessPool, ThisProcess
from tests.build.photo_files import COUNT, Files, bytes_of, entry
from tests.domains.photo.make import photo


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "files")


def back(files: Files, recipe: Recipe | None = None, executor: Executor | None = None) -> Manifest:
    made = recipe or files.recipe()
    return rebuild(made, files.source(), files.images, files.folder / "back", executor or ThisProcess())[0]


def failed(files: Files, recipe: Recipe | None = None) -> str:
    with pytest.raises(AnswerableError) as caught:
        back(files, recipe)
    folder = files.folder / "back"
    assert not (folder / "benchmark.json").exists()
    assert not list(folder.iterdir()) if folder.exists() and "first line" not in str(caught.value) else True
    return str(caught.value)


def test_a_recipe_gives_the_same_bytes(files: Files) -> None:
    files.questions["bad"] = entry(1) | {"imageId": "none"}
    manifest, _ = files.build(groups=4, train_groups=1)
    pool = ProcessPool(2, chunk=1)
    try:
        assert back(files, executor=pool) == manifest
    finally:
        pool.close()
    assert bytes_of(files.folder / "back") == bytes_of(files.folder / "out")


def test_a_recipe_holds_no_pixel_and_no_question(files: Files) -> None:
    files.build()
    text = (files.folder / "out.jsonl").read_text(encoding="utf-8")
    assert "On which side" not in text and "JFIF" not in text
    recipe = files.recipe()
    assert len(recipe.lines) == COUNT
    for line in recipe.lines:
        assert line.photo_sha256 == digest_bytes((files.images / line.file).read_bytes())
    assert set(recipe.header.made_with) == {"pillow", "zlib-ng", "numpy"}


def test_a_recipe_does_not_depend_on_other_questions_of_the_files(files: Files) -> None:
    manifest, _ = files.build()
    # The same question with another answer elsewhere in the files would be a refusal in a new build.
    files.questions["more"] = entry(1) | {"answer": "right"}
    assert back(files) == manifest


def test_missing_photos_are_listed_and_counted(files: Files) -> None:
    files.build()
    (files.images / "1.jpg").unlink()
    (files.images / "4.jpg").unlink()
    said = failed(files)
    assert "expected all photos of the recipe's 6 groups; got 2 groups without: no photo: 1.jpg, 4.jpg" in said
    assert "nothing was written" in said


def test_missing_questions_and_graphs_are_too(files: Files) -> None:
    files.build()
    del files.questions["q2"]
    assert "1 groups without: no such question: q2" in failed(files)


def test_another_photo_is_named_with_both_digests(files: Files) -> None:
    files.build()
    due = digest_bytes((files.images / "2.jpg").read_bytes())
    (files.images / "2.jpg").write_bytes(photo("JPEG", quality=33))
    said = failed(files)
    assert "2.jpg" in said and due in said and digest_bytes(photo("JPEG", quality=33)) in said


def changed(files: Files, place: int, **changes: Any) -> Recipe:
    recipe = files.recipe()
    lines = list(recipe.lines)
    lines[place] = msgspec.structs.replace(lines[place], **changes)
    return Recipe(header=recipe.header, lines=tuple(lines))


def test_another_picture_is_named_with_both_digests(files: Files) -> None:
    files.build()
    line = files.recipe().lines[1]
    pictures = msgspec.structs.replace(line.pictures, S="0" * 64)
    said = failed(files, changed(files, 1, pictures=pictures))
    assert f"the picture S with sha256={'0' * 64}" in said
    assert f"sha256={line.pictures.S}" in said and line.file in said and "get the recipe anew" in said


def test_another_decoder_is_named(files: Files) -> None:
    files.build()
    line = files.recipe().lines[0]
    recipe = changed(files, 0, pictures=msgspec.structs.replace(line.pictures, F="1" * 64))
    header = msgspec.structs.replace(recipe.header, made_with=recipe.header.made_with | {"pillow": "1.0"})
    assert "install pillow==1.0 (here " in failed(files, Recipe(header=header, lines=recipe.lines))


def test_changed_masks_are_found(files: Files) -> None:
    files.build()
    line = files.recipe().lines[0]
    edits = msgspec.structs.replace(line.edits, missing=(Box(left=1, top=1, width=9, height=9),))
    assert "the picture M with" in failed(files, changed(files, 0, edits=edits))
    for outside in (Box(left=100, top=1, width=90, height=9), Box(left=-4, top=1, width=9, height=9)):
        edits = msgspec.structs.replace(line.edits, missing=(outside,))
        assert "the question is on another photo" in failed(files, changed(files, 0, edits=edits))


def test_another_wording_or_answer_is_found(files: Files) -> None:
    files.build()
    files.questions["q2"]["question"] = "Is there a cat here?"
    said = failed(files)
    assert "question and answer with sha256=" in said and "question q2" in said


def test_another_first_line_is_found(files: Files) -> None:
    files.build()
    recipe = files.recipe()
    manifest = msgspec.structs.replace(recipe.header.manifest, name="other")
    header = msgspec.structs.replace(recipe.header, manifest=manifest)
    assert "fingerprint=" in failed(files, Recipe(header=header, lines=recipe.lines))


def test_a_recipe_of_another_source_is_refused(files: Files) -> None:
    files.build()
    recipe = files.recipe()
    header = msgspec.structs.replace(recipe.header, source="photo-coco")
    assert "the files of the source photo-coco" in failed(files, Recipe(header=header, lines=recipe.lines))


def lines_of(files: Files) -> list[bytes]:
    return (files.folder / "out.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [], "a line of a recipe of photos"),
        (lambda lines: lines[:-1], "6 groups, as the first line says; got 5"),
        (lambda lines: [*lines[:-1], lines[-2]], "every question once"),
        (lambda lines: [*lines[:-1], b"{}\n"], "line 7"),
        (lambda lines: [*lines[:-1], b"x" * (MAX_LINE + 2)], "lines of at most"),
        (
            lambda lines: [lines[0].replace(b'"recipe":"photos"', b'"recipe":"charts"'), *lines[1:]],
            "'charts' in format",
        ),
        (lambda lines: [lines[0][:100], *lines[1:]], "line 1"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"left":', b'"left":1e400,"x":')], "line 7"),
    ],
)
def test_a_file_that_is_no_whole_recipe_is_refused(
    files: Files, spoil: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    files.build()
    path = files.folder / "spoilt.jsonl"
    path.write_bytes(b"".join(spoil(lines_of(files))))
    with pytest.raises(SourceError) as caught:
        read_recipe(path)
    assert message in str(caught.value)


def test_a_recipe_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="--from-recipe"):
        read_recipe(tmp_path / "none.jsonl")


def test_lines_survive_the_round_trip(files: Files) -> None:
    files.build()
    assert [encode(decode(line, Line)) + b"\n" for line in lines_of(files)[1:]] == lines_of(files)[1:]
