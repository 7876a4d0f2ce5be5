"""From questions to groups: states, headings, evidence, the same bytes anywhere, and everything refused is counted."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from answerable.build.sources.coco import Instances
from answerable.build.variation_benchmarks import VariationSettings, build, check_settings
from answerable.build.variations.occlude import COLORS, Occluding
from answerable.build.variations.own_words import own_wordings
from answerable.build.variations.rephrase import Rephrasing, Rewording, Rewordings
from answerable.build.variations.restyle import styles_of
from answerable.build.variations.sources import BenchSource, CocoSource, SheetSource, Wording, check_train
from answerable.build.variations.things import BEHIND, DESCRIBE, LARGEST, OTHER_WORDS, read_captions
from answerable.build.variations.vary import Looks
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark, Ledger, Manifest
from answerable.core.consistency import kinds_of
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError, SourceError
from answerable.core.records import Abstain, Answer, View
from answerable.exec import Executor, ProcessPool, ThisProcess
from tests.build.photo_files import bytes_of
from tests.build.variations.coco_files import HEIGHT, WIDTH, Coco
from tests.core import small

GREY = Looks(styles_of(["grayscale"], []))
PLAIN = Looks()
OCCLUDING = Occluding()


def coco(
    files: Coco,
    out: str,
    *,
    looks: Looks = PLAIN,
    own: bool = False,
    captions: Path | None = None,
    occluding: Occluding | None = OCCLUDING,
    executor: Executor | None = None,
    **more: Any,
) -> tuple[Manifest, Ledger]:
    rephrasing = Rephrasing(own=True) if own else None
    settings = VariationSettings(
        occluding=occluding, rephrasing=rephrasing, styles=tuple(one.decides() for one in looks.styles), **more
    )
    wording = Wording(rephrasing)
    source = CocoSource(
        files.write(), files.images, wording, looks, occluding=occluding, captions=captions,
        asks=bool(looks.styles) or own, train=settings.train_percent, seed=settings.seed,
    )  # fmt: skip
    return build(settings, [source], looks.styles, wording, files.folder / out, executor or ThisProcess())


@pytest.fixture
def files(tmp_path: Path) -> Coco:
    return Coco(tmp_path / "coco")


def pixels(data: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "PNG" and image.mode == "RGB"
        return np.array(image)


def test_a_thing_is_framed_and_masked(files: Coco) -> None:
    manifest, _ = coco(files, "b")
    assert (manifest.groups, manifest.views) == (4, 16)
    bench = Benchmark(files.folder / "b")
    bench.verify()
    rows = list(bench.views_with_images())
    for group in bench.groups():
        first, *rest = group.views
        assert (first.state, first.topic, first.ability) == ("F", "", "")
        assert "framed, nothing hidden: cup (outline" in first.evidence.note
        assert {view.state for view in rest} == {"S"} and {view.topic for view in rest} == {"occlude"}
        assert len({view.ability for view in rest}) == 3
        for view in group.views:
            assert view.question == BEHIND and view.obligation == Answer("cup", "text")
            assert view.evidence.level == "derived" and (view.width, view.height) == (WIDTH, HEIGHT)
    plain = {view.figure: pixels(image) for view, image in rows if not view.topic}
    for view, image in rows:
        if view.topic:
            kinds = kinds_of(view)
            assert list(kinds) == ["lines", "shape", "color"]
            left = 8 + int(view.figure[0])
            box = slice(8, 40), slice(left, left + 40)
            inside, before = pixels(image)[box], plain[view.figure][box]
            color = {str(name): level for name, level in COLORS.items()}[kinds["color"]]
            covered = np.all(inside == np.array(color), axis=2)
            assert (inside[~covered] == before[~covered]).all()
            share = float(view.evidence.note.split(", ")[1].split(" of the outline hidden")[0])
            assert covered.mean() == pytest.approx(share, abs=0.001)


def test_the_same_bytes_in_one_process_or_many(files: Coco) -> None:
    made: list[dict[str, bytes]] = []
    executors: tuple[Executor, ...] = (ThisProcess(), ProcessPool(2, chunk=1))
    for place, executor in enumerate(executors):
        coco(files, f"b{place}", looks=GREY, own=True, groups=5, executor=executor)
        executor.close()
        made.append(bytes_of(files.folder / f"b{place}"))
    assert made[0] == made[1]
    coco(files, "other", looks=GREY, own=True, groups=5, seed=1)
    assert bytes_of(files.folder / "other") != made[0]


def test_the_largest_thing_in_other_words_and_grey(files: Coco) -> None:
    manifest, ledger = coco(files, "b", looks=GREY, own=True, occluding=None)
    assert manifest.groups == 4
    for group in Benchmark(files.folder / "b").groups():
        assert [view.topic for view in group.views] == ["", "rephrase", "rephrase", "rephrase", "restyle"]
        assert [view.ability for view in group.views][1:] == ["wording=1", "wording=2", "wording=3", "style=grayscale"]
        assert [view.question for view in group.views] == [LARGEST, *OTHER_WORDS[LARGEST], LARGEST]
        assert len({view.image_sha256 for view in group.views}) == 2
        assert "cup 0.208 of the photo, spoon 0.013" in group.views[0].evidence.note
    notes = ledger.lines[0].notes
    assert "questions, by their other words: reworded by templates of ours 4" in notes
    assert "views by what they vary: rephrase 12, restyle 4" in notes


def test_captions_are_references_and_photos_without_one_are_refused(files: Coco) -> None:
    captions = files.captions(_1="A cup\n on a table.", _0="Two.")
    _, ledger = coco(files, "b", looks=GREY, captions=captions, occluding=None)
    assert ledger.lines[0].refused == {"no reference answer": 2}
    targets = {view.figure: view.obligation for view in Benchmark(files.folder / "b").views()}
    assert targets == {"1.jpg": Answer("A cup on a table.", "text"), "0.jpg": Answer("Two.", "text")}
    assert {view.question for view in Benchmark(files.folder / "b").views()} == {DESCRIBE}


def test_captions_that_cannot_be_read(files: Coco) -> None:
    instances = Instances(files.write())
    path = files.folder / "c.json"
    for text, message in (("[]", "COCO's captions"), ('{"annotations": []}', "none of them")):
        path.write_text(text)
        with pytest.raises(SourceError, match=message):
            read_captions(path, instances)


def change(files: Coco, **fields: Any) -> None:
    files.things = [one | fields if one["category_id"] == 1 else one for one in files.things]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda files: change(files, iscrowd=1), "no thing of the size to hide"),
        (lambda files: change(files, bbox=[0, 0, 0, 0]), "no thing of the size to hide"),
        (lambda files: change(files, bbox=[500, 500, 40, 40]), "no thing of the size to hide"),
        (lambda files: change(files, segmentation=[[1, 2]]), "no thing of the size to hide"),
        (lambda files: (files.images / "0.jpg").unlink(), "no photo"),
        (lambda files: (files.images / "0.jpg").write_bytes(b"\xff\xd8\xff"), "the photo cannot be read"),
        (
            lambda files: Image.new("RGB", (9, 9)).save(files.images / "0.jpg", "JPEG"),
            "the photo is of another size",
        ),
    ],
)
def test_photos_that_cannot_be_masked_are_counted(files: Coco, spoil: Callable[[Coco], None], reason: str) -> None:
    spoil(files)
    try:
        _, ledger = coco(files, "b")
    except SettingsError as error:
        assert f"'{reason}': 4" in error.got
    else:
        assert ledger.lines[0].refused == {reason: 1} and ledger.kept == 3


def test_outlines_that_cannot_be_read_at_all(files: Coco) -> None:
    files.things = [one | {"segmentation": {"size": [1, 1], "counts": "abc"}} for one in files.things]
    with pytest.raises(SettingsError, match="'an outline cannot be read': 4"):
        coco(files, "b")


def test_two_kinds_of_one_size_are_not_asked_for(files: Coco) -> None:
    files.things = [one | {"category_id": 1 + one["id"] % 2, "segmentation": files.things[0]["segmentation"]}
                    for one in files.things]  # fmt: skip
    with pytest.raises(SettingsError, match="'no kind of thing stands out': 4"):
        coco(files, "b", looks=GREY, occluding=None)


def test_a_training_split_shares_no_photo(tmp_path: Path) -> None:
    files = Coco(tmp_path / "coco", 12)
    manifest, _ = coco(files, "b", looks=GREY, train_percent=50)
    assert {count.split for count in manifest.sources} == {"test", "train"}
    splits: dict[str, set[str]] = {}
    for view in Benchmark(files.folder / "b").views():
        splits.setdefault(view.figure, set()).add(view.split)
    assert all(len(each) == 1 for each in splits.values())
    with pytest.raises(SettingsError, match="0 to 99 per cent"):
        check_train(100)


# ---- benchmarks


def bench(tmp_path: Path, *, looks: Looks = GREY, words: Rewordings | None = None, states: tuple[str, ...] = (),
          **more: Any) -> tuple[Manifest, Ledger]:  # fmt: skip
    if not (tmp_path / "small").is_dir():
        small.write(tmp_path / "small")
    rephrasing = Rephrasing(words=2, **more) if words is not None else None
    wording = Wording(rephrasing, [] if words is None else [words])
    source = BenchSource(tmp_path / "small", wording, looks, states)
    settings = VariationSettings(styles=tuple(one.decides() for one in looks.styles), rephrasing=rephrasing)
    return build(settings, [source], looks.styles, wording, tmp_path / "b", ThisProcess())


def question(number: int) -> str:
    return f"What is the “größte” number {number}?"


def test_a_benchmark_keeps_its_states_splits_and_manners(tmp_path: Path) -> None:
    words = tuple(Rewording(f"Which number {{}} is the “größte”, {n}?", "m") for n in ("here", "then"))
    found = {question(n): tuple(Rewording(one.text.format(n), "m") for one in words) for n in (0, 2)}
    manifest, ledger = bench(tmp_path, words=Rewordings(found, frozenset(), ("from a file",)))
    source = Benchmark(tmp_path / "small").manifest
    assert (manifest.prompt, manifest.reader, manifest.licence) == (source.prompt, source.reader, source.licence)
    assert [(one.split, one.groups) for one in manifest.sources] == [("test", 2), ("train", 1)]
    first, second, third = Benchmark(tmp_path / "b").groups()
    duties = {"F": Answer("0", "number"), "M": Abstain("missing"), "I": Abstain("invalid_reference")}
    for view in first.views:
        assert view.obligation == duties["F" if view.state == "S" else view.state]
        assert view.evidence.level == "derived" and not view.evidence.proof
        assert f"of small ({source.fingerprint[:16]}), proved there; für Menschen" in view.evidence.note
    # A variant of F is an edit that keeps the answer; others stay in their state.
    assert [(view.state, view.ability) for view in first.views] == [
        ("F", ""), ("S", "wording=1"), ("S", "wording=2"), ("S", "style=grayscale"),
        ("M", ""), ("M", "wording=1"), ("M", "wording=2"), ("M", "style=grayscale"),
        ("I", ""), ("I", "wording=1"), ("I", "wording=2"), ("I", "style=grayscale"),
    ]  # fmt: skip
    assert [view.topic for view in second.views] == ["", "restyle"] * 3
    assert third.split == "train" and len(third.views) == 12
    notes = ledger.lines[0].notes
    assert "questions, by their other words: reworded from files 2, without rewordings in the files 1" in notes
    assert "rewordings in files: kept 4; refused: none" in notes and "from a file" in notes
    assert len({view.id for view in Benchmark(tmp_path / "b").views()}) == manifest.views


def test_rewordings_that_are_refused_are_counted_by_reason(tmp_path: Path) -> None:
    bad = ("Which number is the “größte”, 5 or 1?", "What is 1?\nIs it?", "", "What is the number 1 of all these?")
    words = Rewordings({question(1): tuple(Rewording(text, "m") for text in bad)}, frozenset({question(0)}), ())
    _, ledger = bench(tmp_path, words=words)
    notes = ledger.lines[0].notes
    refused = "no rewordings in the reply 1, nothing 1, two lines 1, changes a number 1, drops a name 1"
    assert f"rewordings in files: kept 0; refused: {refused}" in notes
    assert "questions, by their other words: fewer than 2 rewordings kept 1, without rewordings in the files 2" in notes
    assert any(note.startswith("refused, for example: two lines: ") for note in notes)


def test_without_any_variant_there_is_no_group(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="'nothing to vary': 3"):
        bench(tmp_path, looks=Looks(), words=Rewordings({}, frozenset(), ()))


def test_only_some_states(tmp_path: Path) -> None:
    bench(tmp_path, states=("F",))
    assert {view.state for view in Benchmark(tmp_path / "b").views()} == {"F", "S"}
    with pytest.raises(SettingsError, match="'no view to vary': 3"):
        build(
            VariationSettings(styles=(("grayscale",),)), [BenchSource(tmp_path / "small", Wording(None), GREY, ("K",))],
            GREY.styles, Wording(None), tmp_path / "c", ThisProcess(),
        )  # fmt: skip


def test_variants_are_not_varied_again(tmp_path: Path) -> None:
    bench(tmp_path)
    with pytest.raises(BenchmarkError, match="a benchmark whose views vary nothing"):
        BenchSource(tmp_path / "b", Wording(None), GREY)
    file = next((tmp_path / "small").glob("views-test-*"))
    small.edit_rows(file, lambda rows: [row | {"topic": "x"} for row in rows])
    with pytest.raises(FingerprintError):
        BenchSource(tmp_path / "small", Wording(None), GREY)


def test_words_from_a_file_are_held_against_a_proof(tmp_path: Path) -> None:
    """A table's checker knows words of its templates from others; a proof of another shape says nothing."""
    for domain in ("table", "choice"):
        flags = ["--domain", "table", "--problems", "aad"] if domain == "choice" else []
        words = ["build", domain, *flags, "--groups", "1", "--workers", "1", "--out", str(tmp_path / domain)]
        assert run_command(words) == 0
        made = Benchmark(tmp_path / domain)
        first = next(made.views())
        own = next(own_wordings(proof) for proof in made.proofs())
        assert bool(own) == (domain == "table")
        other = f"Please: {first.question[0].lower()}{first.question[1:]}"
        texts = [*own[:1], other, f"{other} Now?"]
        given = Rewordings({first.question: tuple(Rewording(text, "m") for text in texts)}, frozenset(), ())
        wording = Wording(Rephrasing(words=0, least=1), [given])
        source = BenchSource(tmp_path / domain, wording, PLAIN)
        settings = VariationSettings(rephrasing=Rephrasing(words=0, least=1))
        build(settings, [source], (), wording, tmp_path / f"{domain}-b", ThisProcess())
        notes = {view.question: view.evidence.note for view in Benchmark(tmp_path / f"{domain}-b").views()}
        assert [text for text in texts if "reads the same program" in notes.get(text, "")] == list(own[:1])


def test_proofs_in_other_words_are_the_same_in_one_process_or_many(tmp_path: Path) -> None:
    assert run_command(["build", "table", "--groups", "4", "--workers", "1", "--out", str(tmp_path / "t")]) == 0
    made = []
    for workers in ("1", "2"):
        out = tmp_path / f"w{workers}"
        words = ["--from", str(tmp_path / "t"), "--rephrase", "own", "--restyle", "grayscale", "--workers", workers]
        assert run_command(["build", "variations", *words, "--out", str(out)]) == 0
        made.append(bytes_of(out))
    assert made[0] == made[1]
    assert Benchmark(tmp_path / "w1").manifest.proofs == 4
    assert run_command(["certify", str(tmp_path / "w1"), "--workers", "1"]) == 0


def test_a_thing_of_every_scene_is_masked(tmp_path: Path) -> None:
    scenes = tmp_path / "scenes"
    made = ["build", "scene", "--renderer", "flat", "--groups", "2", "--seed", "3", "--workers", "1"]
    assert run_command([*made, "--out", str(scenes)]) == 0
    flags = ["--from", str(scenes), "--occlude", "--object-share", "0.01,0.25", "--masks", "2"]
    for name, more, views in (("a", [], 6), ("b", ["--restyle", "grayscale"], 6)):
        out = str(tmp_path / name)
        assert run_command(["build", "variations", *flags, *more, "--workers", "1", "--out", out]) == 0
        found = [group for group in Benchmark(tmp_path / name).groups() if group.source == "scene-occluded"]
        assert sum(len(group.views) for group in found) == views
        assert {one.source for one in Benchmark(tmp_path / name).manifest.sources} == (
            {"scene-occluded"} | ({"scene-sampler"} if more else set())
        )
    for group in found:
        assert [view.state for view in group.views] == ["F", "S", "S"] and group.views[0].question == BEHIND
        assert isinstance(group.views[0].obligation, Answer)
        assert group.views[0].obligation.target in ("cube", "sphere", "cylinder")
        assert {view.evidence.level for view in group.views} == {"derived"}
    assert len({group.id for group in found}) == 2
    assert bytes_of(tmp_path / "a") != bytes_of(tmp_path / "b")


def test_only_scenes_have_things_to_mask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.write(tmp_path / "small")
    words = ["build", "variations", "--from", str(tmp_path / "small"), "--occlude", "--out", str(tmp_path / "o")]
    assert run_command(words) == 2
    assert "'nothing is outlined': 3" in capsys.readouterr().err


# ---- sheets


def sheet(tmp_path: Path, rows: str, **more: Any) -> tuple[Manifest, Ledger]:
    (tmp_path / "p").mkdir(exist_ok=True)
    (tmp_path / "p" / "a.png").write_bytes(small.picture("a"))
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(out, "JPEG")
    (tmp_path / "p" / "b.jpg").write_bytes(out.getvalue())
    path = tmp_path / "q.csv"
    path.write_text(f"image,question,answer,type,id\n{rows}", encoding="utf-8")
    source = SheetSource(path, tmp_path / "p", Wording(None), GREY, train=0, seed=0)
    settings = VariationSettings(styles=tuple(one.decides() for one in GREY.styles))
    return build(settings, [source], GREY.styles, Wording(None), tmp_path / "b", ThisProcess(), **more)


def test_a_sheet_becomes_groups(tmp_path: Path) -> None:
    manifest, _ = sheet(
        tmp_path, 'a.png,What is it?,a dog,,\nb.jpg,How many?,"1,250.50",number,q2\nb.jpg,Is it?,YES,boolean,\n'
    )
    assert (manifest.groups, manifest.reader, manifest.licence) == (3, "json", "unstated")
    views: list[View] = list(Benchmark(tmp_path / "b").views())
    assert [view.obligation for view in views[::2]] == [
        Answer("a dog", "text"), Answer("1250.5", "number"), Answer("yes", "boolean"),
    ]  # fmt: skip
    assert {view.evidence.level for view in views} == {"annotated"}
    # A JPEG's original is stored as its variants are.
    assert all(pixels(image).shape[2] == 3 for _, image in Benchmark(tmp_path / "b").views_with_images())


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a.png,What?,,,", "no reference answer"),
        ("a.png,,x,,", "no question"),
        (",What?,x,,", "no image"),
        ("../q.csv,What?,x,,", "the file lies outside the folder"),
        ("z.png,What?,x,,", "no image"),
        ("a.png,How many?,many,number,", "the answer is not of its type"),
        ("a.png,How many?,1e999999999,number,", "the answer is not of its type"),
        ("a.png,How many?,1/0,number,", "the answer is not of its type"),
        ("a.png,Is it?,maybe,boolean,", "the answer is not of its type"),
        ("a.png,Is it?,x,letter,", "an unknown type of answer"),
        ("b.jpg,Ok?,y,,", "one question with two answers"),
        ("b.jpg,ok,x,,", "the question is there twice"),
        ("a.png,What?,x,,q", "the id is there twice"),
    ],
)
def test_rows_that_are_no_questions(tmp_path: Path, row: str, reason: str) -> None:
    rows = "b.jpg,Ok?,x,,q\n" if reason != "the question is there twice" else "b.jpg,ok,x,,q\n"
    extra = "a.png,Fine?,x,,\n"
    _, ledger = sheet(tmp_path, f"{rows}{row}\n{extra}")
    assert set(ledger.lines[0].refused) == {reason}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (VariationSettings(), "something to vary; got nothing"),
        (VariationSettings(groups=0, occluding=OCCLUDING), "at least one group; got groups=0"),
        (VariationSettings(resolutions=(224,), occluding=OCCLUDING), "a style to show pictures in at a resolution"),
    ],
)
def test_settings_that_vary_nothing(settings: VariationSettings, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check_settings(settings)
