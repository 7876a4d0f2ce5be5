"""Benchmarks of photos: what is kept, refused and said, and the same bytes everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answerable.build.photo_benchmarks import PhotoSettings, attempt, build, jobs
from answerable.build.recipes import read_recipe
from answerable.build.recipes_photo import rebuild
from answerable.build.sources.coco import CocoSource
from answerable.core.benchmark import Benchmark
from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Refusal
from answerable.domains.photo.asked import PLACE
from answerable.domains.photo.planning import Masking
from answerable.exec import ProcessPool, ThisProcess
from tests.build.photo_files import COUNT, Files, bytes_of, entry
from tests.domains.photo.make import GRAPH, graph, node, photo, question, rotated, step


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "files")


def test_questions_become_groups_of_three(files: Files) -> None:
    manifest, ledger = files.build()
    assert (manifest.groups, manifest.views, manifest.proofs) == (COUNT, 3 * COUNT, 0)
    assert (manifest.prompt, manifest.reader) == ("json-answerability", "json")
    (source,) = manifest.sources
    assert (source.source, source.states) == ("photo-gqa", ("F", "S", "M"))
    bench = Benchmark(files.folder / "out")
    bench.verify()
    groups = list(bench.groups())
    assert {view.evidence.level for group in groups for view in group.views} == {"derived"}
    assert sorted(group.views[0].ability == PLACE for group in groups) == [False] * 3 + [True] * 3
    assert {group.views[0].topic for group in groups} == {"boolean answer", "text answer"}
    assert ledger.lines[0].kept == COUNT


def test_the_ledger_and_the_card_say_what_was_checked_and_that_nothing_is_proved(files: Files) -> None:
    _, ledger = files.build()
    notes = "\n".join(ledger.lines[0].notes)
    assert f"checked true {COUNT}, not executable 0, no program 0 (false is refused)" in notes
    assert f"yes or no 3 of {COUNT}; left, right, top, bottom 3" in notes
    assert f"masks of S beside those of M, {COUNT} pairs: areas median " in notes
    assert f"name stays visible: 0 of {COUNT}" in notes
    card = (files.folder / "out" / "README.md").read_text(encoding="utf-8")
    assert "**Nothing here is proved.**" in card and "license_name: cc-by-4.0" in card
    assert notes.split("\n")[-1] in card


def test_the_same_bytes_in_one_process_and_in_many(files: Files) -> None:
    files.questions["bad"] = entry(1) | {"imageId": "none"}
    files.build("one")
    pool = ProcessPool(2, chunk=1)
    try:
        files.build("two", pool)
    finally:
        pool.close()
    assert bytes_of(files.folder / "one") == bytes_of(files.folder / "two")
    assert (files.folder / "one.jsonl").read_bytes() == (files.folder / "two.jsonl").read_bytes()


def test_the_seed_draws_order_and_ids(files: Files) -> None:
    one, _ = files.build("one")
    again, _ = files.build("again")
    other, _ = files.build("other", seed=1)
    assert one.fingerprint == again.fingerprint != other.fingerprint


def test_the_quota_holds_and_splits_share_no_photo(tmp_path: Path) -> None:
    files = Files(tmp_path / "files", 20)
    manifest, ledger = files.build(groups=2, train_groups=2)
    assert {(count.split, count.groups) for count in manifest.sources} == {("test", 2), ("train", 2)}
    figures = [{view.figure for view in Benchmark(files.folder / "out").views(split)} for split in ("test", "train")]
    assert figures[0].isdisjoint(figures[1])
    assert "split: train" in (files.folder / "out" / "README.md").read_text(encoding="utf-8")
    assert ledger.asked == 4


def test_a_photo_has_as_many_questions_as_asked(files: Files) -> None:
    more = question("Is there a bench?", "yes", step("select", "bench (o4)"), step("exist", "?", 0), photo="0")
    files.questions["more"] = more
    _, ledger = files.build(groups=7)
    assert ledger.lines[0].refused == {"the photo has its questions": 1}
    manifest, _ = files.build("two", groups=7, per_photo=2)
    assert manifest.groups == 7


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.unlink(), "no photo"),
        (lambda path: path.write_bytes(photo("JPEG", "CMYK")), "the photo is not 8-bit RGB or grey"),
        (lambda path: path.write_bytes(photo("JPEG")[:-99]), "the photo cannot be read"),
        (lambda path: path.write_bytes(rotated(6)), "the photo has a rotation mark"),
        (lambda path: path.write_bytes(photo("JPEG", size=(90, 80))), "the photo is of another size"),
    ],
)
def test_a_photo_that_cannot_be_used_is_counted(files: Files, spoil: Callable[[Path], object], reason: str) -> None:
    spoil(files.images / "3.jpg")
    manifest, ledger = files.build()
    assert manifest.groups == COUNT - 1
    assert ledger.lines[0].refused == {reason: 1}
    assert ledger.examples[reason][0].startswith("3.jpg")


def test_every_refusal_is_counted_in_its_place(files: Files) -> None:
    files.questions |= {
        "wrong": entry(1) | {"answer": "right", "question": "Which side?"},
        "whole": question("Is it there?", "no", step("select", "cow (-)"), step("exist", "?", 0)),
        "lacks": question("Is it there?", "no", step("select", "cow (o77)"), step("exist", "?", 0), photo="1"),
        "circle": question("Is it?", "no", step("exist", "?", 0), photo="1"),
        "twins": question("Is there a dog?", "yes", step("select", "dog (o1)"), step("exist", "?", 0), photo="9"),
    }
    files.graphs |= {"7": GRAPH, "9": graph(o1=node("dog", 10, 10, 20, 20), o2=node("dogs", 50, 12, 20, 20))}
    _, ledger = files.build(groups=20)
    (line,) = ledger.lines
    assert line.refused == {
        "the program gives another answer": 1,
        "nothing to mask": 1,
        "the scene graph lacks an object": 1,
        "the program is none": 1,
        "another thing of the name stays visible": 1,
    }
    assert line.scanned == sum(line.refused.values()) + line.kept + line.unattempted


def test_nothing_kept_is_an_error_with_the_reasons(files: Files) -> None:
    for path in files.images.iterdir():
        path.unlink()
    with pytest.raises(SettingsError, match=r"refused: \{'no photo': 6\}"):
        files.build()
    assert not list((files.folder / "out").iterdir())


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"groups": 0}, "--groups"),
        ({"per_photo": 0}, "--per-photo"),
        ({"masking": Masking(distance=2)}, "--distance"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(files: Files, settings: dict[str, Any], where: str) -> None:
    with pytest.raises(SettingsError, match=where):
        files.build(**settings)


def test_a_folder_of_photos_must_be_there(files: Files) -> None:
    files.images = files.folder / "elsewhere"
    with pytest.raises(SourceError, match="a folder of photos"):
        files.build()


def test_a_photo_may_not_lie_outside(files: Files) -> None:
    (files.folder / "secret.jpg").write_bytes(photo("JPEG"))
    (files.images / "3.jpg").unlink()
    (files.images / "3.jpg").symlink_to(files.folder / "secret.jpg")
    _, ledger = files.build()
    assert ledger.lines[0].refused == {"the photo lies outside the folder": 1}


def test_a_worker_needs_its_work_only(files: Files) -> None:
    (job, *_) = [
        one for one in jobs(PhotoSettings(groups=3), files.source(), files.images) if not isinstance(one, Refusal)
    ]
    made = attempt(job.work)
    Path(job.work.path).unlink()
    gone = attempt(job.work)
    assert not isinstance(made, Refusal)
    assert isinstance(gone, Refusal) and gone.reason == "the photo cannot be read"


def test_a_sheet_on_instances_becomes_groups_too(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(photo("JPEG"))
    things = [
        {
            "id": place, "image_id": 1, "category_id": place, "bbox": bounds,
            "segmentation": [[left, top, left + wide, top, left + wide, top + high, left, top + high]],
        }
        for place, bounds in ((5, (10, 10, 20, 20)), (6, (50, 12, 22, 18)))
        for left, top, wide, high in (bounds,)
    ]  # fmt: skip
    file = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 120, "height": 80}], "annotations": things,
        "categories": [{"id": 5, "name": "dog"}, {"id": 6, "name": "cat"}],
    }  # fmt: skip
    (tmp_path / "i.json").write_text(json.dumps(file), encoding="utf-8")
    (tmp_path / "s.csv").write_text("image,question,answer,instances\na.jpg,What is it?,dog,5\n", encoding="utf-8")
    source = CocoSource(tmp_path / "s.csv", tmp_path / "i.json", Masking())
    manifest, ledger = build(
        PhotoSettings(groups=1), source, tmp_path, tmp_path / "out", ThisProcess(), recipe=tmp_path / "r.jsonl"
    )
    assert (manifest.groups, manifest.sources[0].source) == (1, "photo-coco")
    assert "no program 1" in "\n".join(ledger.lines[0].notes)
    again, _ = rebuild(read_recipe(tmp_path / "r.jsonl"), source, tmp_path, tmp_path / "back", ThisProcess())
    assert again == manifest
