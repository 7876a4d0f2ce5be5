"""Unanswerable questions on other pictures than their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from answerable.build.authoring.likeness import Captions
from answerable.build.authoring.replaced import (
    Picked,
    Pictures,
    ReplacedSettings,
    Replacing,
    build,
    pixels_of,
    read_picked,
)
from answerable.build.importers.tubench import build as build_set
from answerable.build.importers.tubench import read
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger
from answerable.core.codec import digest_bytes
from answerable.core.decisions import Decisions
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError, SourceError
from answerable.core.records import Abstain, Evidence, Group
from answerable.domains.raster import png
from tests.build.authoring.test_ugeoqa import decide, groups
from tests.build.importers import put, uvqa
from tests.core.small import picture

LETTERS = {3: "dog", 5: "dog", 8: "boat"}


def source(tmp_path: Path, folders: Sequence[int] = (3, 5, 8)) -> Benchmark:
    """Photos with two answerable and five unanswerable questions each."""
    build_set(read(uvqa(tmp_path / "in", folders=tuple(folders))), tmp_path / "bench")
    return Benchmark(tmp_path / "bench")


def shown(number: int) -> str:
    return digest_bytes(picture("uvqa", number))


def captions() -> Captions:
    return Captions({shown(number): text for number, text in LETTERS.items()})


def made(
    tmp_path: Path, bench: Benchmark, similar: Captions | Picked | None = None, *, name: str = "out", seed: int = 0,
    random: bool = True, decisions: Decisions | None = None,
) -> tuple[list[Group], Ledger]:  # fmt: skip
    settings = ReplacedSettings(random=random, similar="caption" if similar else "", seed=seed)
    pictures = Pictures(bench)
    replacing = Replacing(bench, pictures, similar, settings, decisions or Decisions(()))
    _, ledger = build(
        bench, replacing, tmp_path / name, settings=settings, notes=("note",), name=name, decisions=decisions
    )
    Benchmark(tmp_path / name).verify()
    return groups(tmp_path / name), ledger


def test_the_three_views_of_a_question(tmp_path: Path) -> None:
    bench = source(tmp_path)
    found, ledger = made(tmp_path, bench, captions())
    # Pictures 3 and 5 are alike; nothing is like 8.
    assert ledger.lines[0].refused == {"no similar picture": 5}
    assert len(found) == 10
    asked = {view.id: view for view in bench.views() if view.state == "M"}
    for group in found:
        own, similar, random = group.views
        assert [view.ability for view in group.views] == ["OUA", "SUA", "RUA"]
        assert [view.state for view in group.views] == ["M", "IVQD", "IVQD"]
        assert len({(view.question, view.instruction, view.topic) for view in group.views}) == 1
        assert len({view.image_sha256 for view in group.views}) == 3
        assert {own.image_sha256, similar.image_sha256} == {shown(3), shown(5)}
        assert random.image_sha256 == shown(8)
        (before,) = [view for name, view in asked.items() if name in own.evidence.note]
        assert (own.question, own.obligation) == (before.question, before.obligation)
        assert own.evidence.note.startswith(f"OUA: view {before.id}, annotated there; {before.ability}; item ")
        assert similar.obligation == random.obligation == Abstain(reason="incompatible_image")
        assert [view.evidence.level for view in group.views] == ["annotated", "derived", "derived"]
        assert similar.evidence.note == "SUA: another picture, nearest by caption; nobody looked"
        assert random.evidence.note == "RUA: another picture, drawn at random; nobody looked"
        assert group.source == "tubench-uvqa-replaced"
    assert len({view.id for group in found for view in group.views}) == 30


def test_the_seed_decides(tmp_path: Path) -> None:
    bench = source(tmp_path, range(12))
    drawn = {
        name: [group.views[1].image_sha256 for group in made(tmp_path, bench, name=name, seed=seed)[0]]
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    }
    assert drawn["a"] == drawn["b"] != drawn["c"]
    assert len(drawn["a"]) == 60
    # Every picture is somebody's, and none is the question's own.
    assert len(set(drawn["a"])) == 12
    own = [view.image_sha256 for view in bench.views() if view.state == "M"]
    assert all(one != other for one, other in zip(drawn["a"], own, strict=True))


def test_pictures_that_look_the_same_are_no_others(tmp_path: Path) -> None:
    root = uvqa(tmp_path / "in", folders=(3, 5))
    # The same pixels in another file.
    pixels = png.decode((root / "3/COCO_3.jpg").read_bytes())
    from PIL import Image

    Image.fromarray(pixels).save(root / "5/COCO_5.jpg", format="PNG", compress_level=0)
    build_set(read(root), tmp_path / "bench")
    bench = Benchmark(tmp_path / "bench")
    assert len(Pictures(bench).known) == 2
    with pytest.raises(SettingsError, match=r"refused: \{'no other picture': 10\}"):
        made(tmp_path, bench)


def test_only_similar_ones(tmp_path: Path) -> None:
    found, _ = made(tmp_path, source(tmp_path), captions(), random=False)
    assert {tuple(view.ability for view in group.views) for group in found} == {("OUA", "SUA")}


def test_reviewers_look_at_them(tmp_path: Path) -> None:
    bench = source(tmp_path)
    first, second, third = made(tmp_path, bench, captions(), name="before")[0][:3]
    decisions = decide(tmp_path / "d.jsonl", (first.id, "keep"), (second.id, "drop"))
    found, ledger = made(tmp_path, bench, captions(), decisions=decisions)
    assert [group.id for group in found[:2]] == [first.id, third.id]
    assert [view.evidence.level for view in found[0].views] == ["annotated"] * 3
    assert found[0].views[2].evidence.note == "RUA: another picture, drawn at random; kept in review"
    assert ledger.lines[0].refused == {"dropped in review: wrong": 1, "no similar picture": 5}


def test_picked_by_hand(tmp_path: Path) -> None:
    bench = source(tmp_path, (3, 5))
    views = [view for view in bench.views() if view.state == "M"]
    other = put(tmp_path / "away/new.png", picture("new"))
    own = put(tmp_path / "away/own.png", picture("uvqa", 3))
    mine = {view.id: view for view in views}
    at = {3: [view for view in views if view.image_sha256 == shown(3)]}
    rows = [(at[3][0].id, other.name), (at[3][1].id, shown(5)), (at[3][2].id, own.name)]
    sheet = put(tmp_path / "picked.csv", "\n".join(["view,image", *(",".join(row) for row in rows)]))
    picked = read_picked(sheet, bench, Pictures(bench), other.parent)
    assert picked.note == "picked by hand: 3 pictures"
    found, ledger = made(tmp_path, bench, picked)
    assert ledger.lines[0].refused == {
        "no picture was picked": 7, "no other picture": 1, "the picked picture is the question's own": 1,
    }  # fmt: skip
    (group,) = found
    assert group.views[0].evidence.note.startswith(f"OUA: view {rows[0][0]}, ")
    assert mine[rows[0][0]].question == group.views[0].question
    assert group.views[1].image_sha256 == digest_bytes(picture("new"))
    assert group.views[1].evidence.level == "annotated"
    assert group.views[1].evidence.note == "SUA: another picture, picked by hand"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["odd,a.png"], "got view='odd', no unanswerable question of the benchmark"),
        (["{view},{own}", "{view},{own}"], "a second time"),
        (["{view},nowhere.png"], "expected a picture: an image_sha256 of the benchmark, or a file; got no image"),
        (["{view},../bench/README.md"], "got the file lies outside the folder"),
    ],
)
def test_picks_that_are_none(tmp_path: Path, rows: list[str], message: str) -> None:
    bench = source(tmp_path, (3, 5))
    view = next(view for view in bench.views() if view.state == "M")
    lines = [row.format(view=view.id, own=view.image_sha256) for row in rows]
    sheet = put(tmp_path / "sheet/picked.csv", "\n".join(["view,image", *lines]))
    with pytest.raises(SourceError) as caught:
        read_picked(sheet, bench, Pictures(bench), None)
    assert message in str(caught.value)


def test_names_of_pictures(tmp_path: Path) -> None:
    bench = source(tmp_path, (3,))
    put(tmp_path / "files/x.png", picture("uvqa", 3))
    put(tmp_path / "files/y.png", picture("another"))
    assert Pictures(bench).resolve(shown(3)) == shown(3)
    assert Pictures(bench).resolve("x.png") is None
    named = Pictures(bench, tmp_path / "files")
    assert [named.resolve(name) for name in ("x.png", "y.png", "z.png", "../bench/README.md")] == [
        shown(3), None, None, None,
    ]  # fmt: skip


def test_a_proved_question_is_as_its_source_says(tmp_path: Path) -> None:
    bench = source(tmp_path)
    view = next(view for view in bench.views() if view.state == "M")
    proved = msgspec.structs.replace(
        view, evidence=Evidence(level="proved", proof="p", note="n"), renderer="r", depth=2
    )
    settings = ReplacedSettings(random=True, similar="")
    replacing = Replacing(bench, Pictures(bench), None, settings, Decisions(()))
    own = replacing._group(proved, []).group.views[0]
    assert (own.evidence.level, own.evidence.proof, own.renderer, own.depth) == ("derived", "", "", 0)
    assert own.evidence.note == f"OUA: view {view.id}, proved there; {view.ability}; n"


def test_something_must_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="expected pictures to put in; got neither random nor similar ones"):
        made(tmp_path, source(tmp_path), random=False)


def test_a_benchmark_that_was_edited_or_holds_no_pictures(tmp_path: Path) -> None:
    bench = source(tmp_path, (3,))
    card = tmp_path / "bench/ledger.json"
    card.write_text(card.read_text().replace('"kept"', '"kept" ', 1).replace('"asked": 1', '"asked": 2'))
    with pytest.raises(FingerprintError):
        Pictures(bench)
    group = next(bench.groups())
    view = msgspec.structs.replace(group.views[0], image_sha256=digest_bytes(b"nothing"))
    with BenchmarkWriter(tmp_path / "odd") as writer:
        writer.add(msgspec.structs.replace(group, views=(view,)), (b"nothing",), None)
        writer.finish(bench.manifest, Ledger(lines=(), asked=1, kept=1), "")
    with pytest.raises(BenchmarkError, match=r"expected pictures that can be read; got the image cannot be read: "):
        Pictures(Benchmark(tmp_path / "odd"))


def test_pixels_are_what_is_seen() -> None:
    plain = picture("x")
    assert pixels_of(plain) != pixels_of(picture("y"))
    assert pixels_of(png.encode(png.decode(plain).reshape(5, 4, 3))) != pixels_of(plain)
