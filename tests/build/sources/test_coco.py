"""COCO's instances, their outlines, and a sheet of questions on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from answerable.build.sources.coco import CocoSource, Instances
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.domains.photo.asked import Asked
from answerable.domains.photo.outlines import Polygons, RunLengths
from answerable.domains.photo.planning import Edits, Masking, plan
from tests.domains.photo.make import box

SQUARE = [[10, 10, 30, 10, 30, 30, 10, 30]]
FILE: dict[str, Any] = {
    "info": {"year": 2017},
    "images": [{"id": 1, "file_name": "a.jpg", "width": 120, "height": 80, "license": 3}],
    "categories": [{"id": 18, "name": "dog", "supercategory": "animal"}, {"id": 17, "name": "cat"}],
    "annotations": [
        {"id": 5, "image_id": 1, "category_id": 18, "bbox": [10.2, 10, 19.5, 20], "segmentation": SQUARE},
        {
            "id": 6, "image_id": 1, "category_id": 17, "bbox": [50, 12, 22, 18], "iscrowd": 1,
            "segmentation": {"size": [80, 120], "counts": [50 * 80, 22 * 80, 48 * 80]},
        },
    ],
}  # fmt: skip
SHEET = "image,question,answer,instances,id\na.jpg,What is it?,dog,5,first\n"


def written(folder: Path, file: Any = FILE, sheet: str = SHEET) -> tuple[Path, Path]:
    (folder / "i.json").write_text(json.dumps(file), encoding="utf-8")
    (folder / "s.csv").write_text(sheet, encoding="utf-8")
    return folder / "s.csv", folder / "i.json"


def instances(folder: Path, **changes: Any) -> Instances:
    return Instances(written(folder, FILE | changes)[1])


def changed(place: int, **changes: Any) -> list[dict[str, Any]]:
    found = [dict(each) for each in FILE["annotations"]]
    found[place] |= changes
    return found


def test_boxes_hold_every_pixel_they_touch(tmp_path: Path) -> None:
    found = instances(tmp_path)
    assert [(thing.id, thing.name, thing.box) for thing in found.on("a.jpg")] == [
        ("5", "dog", box(10, 10, 20, 20)),
        ("6", "cat", box(50, 12, 22, 18)),
    ]
    assert found.ids() == (5, 6)


def test_a_box_without_width_holds_nothing(tmp_path: Path) -> None:
    (dog, _) = instances(tmp_path, annotations=changed(0, bbox=[10.5, 10, 0, 20])).on("a.jpg")
    assert dog.box.area == 0


def test_outlines_become_pixels(tmp_path: Path) -> None:
    found = instances(tmp_path)
    assert isinstance(found.outline(5), Polygons) and isinstance(found.outline(6), RunLengths)
    dog, cat = found.mask_of(5), found.mask_of(6)
    assert dog.shape == cat.shape == (80, 120)
    assert dog.sum() == 400 and dog[10:30, 10:30].all()
    assert np.flatnonzero(cat.all(axis=0)).tolist() == list(range(50, 72)) and cat.sum() == 22 * 80


@pytest.mark.parametrize(
    ("segmentation", "message"),
    [
        ({"size": [80, 120], "counts": "abc1"}, "runs of pixels as a list of numbers; got a compressed text"),
        ({"size": [80, 120], "counts": [5, -1]}, "polygons, or runs of pixels"),
        ({"size": [120, 80], "counts": [9600]}, "runs of 120x80 pixels"),
        ([], "polygons, or runs of pixels; got none"),
        ([[1, 2]], "a polygon of three points or more"),
        ("abc", "polygons, or runs of pixels"),
    ],
)
def test_other_outlines_are_errors_that_say_where(tmp_path: Path, segmentation: Any, message: str) -> None:
    found = instances(tmp_path, annotations=changed(0, segmentation=segmentation))
    with pytest.raises(SourceError) as caught:
        found.mask_of(5)
    assert message in str(caught.value) and "i.json: annotation 5" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"annotations": changed(1, id=5)}, "two of id 5"),
        ({"annotations": changed(1, image_id=9)}, "an instance of an image and a category"),
        ({"annotations": changed(1, category_id=9)}, "an instance of an image and a category"),
        ({"annotations": changed(1, bbox=[1, 2, 3])}, "COCO's instances"),
        ({"images": [FILE["images"][0], FILE["images"][0] | {"id": 2}]}, "every file name once"),
        ({"categories": None}, "COCO's instances"),
    ],
)
def test_a_file_that_contradicts_itself_is_an_error(tmp_path: Path, changes: Any, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        instances(tmp_path, **changes)
    assert message in str(caught.value)


def source(folder: Path, sheet: str = SHEET, file: Any = FILE) -> CocoSource:
    return CocoSource(*written(folder, file, sheet), Masking())


def test_a_row_is_a_question_on_its_instances(tmp_path: Path) -> None:
    made = source(tmp_path)
    assert made.ids() == ("first",)
    found = made.asked("first")
    assert isinstance(found, Asked)
    assert ([thing.id for thing in found.needed], [thing.id for thing in found.others]) == (["5"], ["6"])
    assert (found.photo, found.file, found.checked, found.boolean) == ("a.jpg", "a.jpg", "no program", False)
    edits = plan(found, Masking())
    assert isinstance(edits, Edits)
    audited = made.audit(found, edits)
    assert isinstance(audited, Edits)
    assert (audited.least, audited.touched) == (1.0, 0.0)
    assert [line.split(" sha256=")[0] for line in made.describe()] == ["sheet: 1 files", "instances: i.json"]


def test_the_audit_is_of_outlines(tmp_path: Path) -> None:
    # The outline reaches out of its box, so a mask of the box leaves a third of it visible.
    wide = changed(0, segmentation=[[10, 10, 40, 10, 40, 30, 10, 30]])
    made = source(tmp_path, file=FILE | {"annotations": wide})
    found = made.asked("first")
    assert isinstance(found, Asked)
    edits = plan(found, Masking())
    assert isinstance(edits, Edits)
    refused = made.audit(found, edits)
    assert isinstance(refused, Refusal) and refused.reason == "M leaves part of an outline visible"
    long = changed(0, segmentation=[*SQUARE, [50, 12, 60, 12, 60, 22, 50, 22]])
    touched = source(tmp_path, file=FILE | {"annotations": long}).audit(
        found, Edits(missing=(box(0, 0, 120, 80),), same=(box(50, 12, 22, 18),))
    )
    assert isinstance(touched, Refusal) and touched.reason == "S hides what is needed"
    packed = changed(0, segmentation={"size": [80, 120], "counts": "abc1"})
    unread = source(tmp_path, file=FILE | {"annotations": packed}).audit(found, edits)
    assert isinstance(unread, Refusal) and unread.reason == "an outline cannot be read"
    assert str(tmp_path) not in unread.detail


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("b.jpg,What?,dog,5", "the photo is not among the instances"),
        (",What?,dog,5", "no image"),
        ("a.jpg,,dog,5", "no question"),
        ("a.jpg,What?,,5", "no answer"),
        ("a.jpg,What?,dog,7", "an instance is not on the photo"),
        ("a.jpg,What?,dog,5;x", "an instance is not on the photo"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused(tmp_path: Path, row: str, reason: str) -> None:
    found = source(tmp_path, f"image,question,answer,instances\n{row}\n").asked("row 2")
    assert isinstance(found, Refusal) and found.reason == reason


def test_instances_are_told_apart_by_spaces_commas_or_semicolons(tmp_path: Path) -> None:
    for cell in ("5;6", "5 6", '"5, 6"', "5;;6;5"):
        found = source(tmp_path, f"image,question,answer,instances\na.jpg,What?,dog,{cell}\n").asked("row 2")
        assert isinstance(found, Asked) and [thing.id for thing in found.needed] == ["5", "6"]
    none = source(tmp_path, "image,question,answer,instances\na.jpg,What?,dog,\n").asked("row 2")
    assert isinstance(none, Asked)
    refused = plan(none, Masking())
    assert isinstance(refused, Refusal) and refused.reason == "nothing to mask"


def test_one_question_with_two_answers_is_none(tmp_path: Path) -> None:
    made = source(tmp_path, SHEET + "a.jpg,what is  it?,cat,6,second\n")
    assert all(isinstance(made.asked(name), Refusal) for name in made.ids())
    assert isinstance(made.asked("first", checked=False), Asked)


def test_a_sheet_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="every id once"):
        source(tmp_path, SHEET + "a.jpg,Why?,cat,6,first\n")
    with pytest.raises(SourceError, match="instances"):
        source(tmp_path, "image,question,answer\na.jpg,What?,dog\n")
    with pytest.raises(SourceError, match="a sheet of questions"):
        CocoSource(tmp_path / "none.csv", written(tmp_path)[1], Masking())
