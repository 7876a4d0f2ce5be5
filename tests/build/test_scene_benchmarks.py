"""Building benchmarks of scenes: quotas, balance, splits, settings, official files, and the same bytes every time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from answerable.build import scene_benchmarks
from answerable.build.assembly import Job, assemble
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings, attempt, check_settings
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark, Ledger
from answerable.core.codec import decode
from answerable.core.errors import MissingExtraError, SettingsError, SourceError
from answerable.core.records import Answer, Refusal, View
from answerable.domains.draft import Draft
from answerable.domains.scene.balance import TYPES
from answerable.domains.scene.objects import execute
from answerable.domains.scene.official import published, write_program, write_scene
from answerable.domains.scene.outcomes import answer_of
from answerable.domains.scene.program import Program
from answerable.domains.scene.proof import SceneProof
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.visibility import seen_at
from answerable.domains.scene.world import Scene
from answerable.exec import ProcessPool, ThisProcess
from tests.domains.scene.drawn import whole
from tests.domains.scene.make import program

SETTINGS = SceneSettings(groups=12, seed=5, train_groups=4, renderer="flat")


def build(settings: SceneSettings, out: Path, *files: Path) -> Ledger:
    return assemble(SceneRecipe(settings, *files), out, ThisProcess(), name="scenes")[1]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("scenes") / "b"
    build(SETTINGS, out)
    return out


@pytest.fixture(scope="module")
def views(built: Path) -> list[View]:
    return list(Benchmark(built).views())


def proofs(folder: Path) -> list[SceneProof]:
    return [decode(bytes(proof.body), SceneProof) for proof in Benchmark(folder).proofs()]


def test_quotas_are_met(built: Path) -> None:
    benchmark = Benchmark(built)
    benchmark.verify()
    counts = {(count.source, count.split): count.groups for count in benchmark.manifest.sources}
    assert counts == {("scene-sampler", "test"): 12, ("scene-sampler", "train"): 4}
    assert {"F", "S", "C", "M"} <= set(benchmark.manifest.sources[0].states) <= set("FSKCDM")
    ledger = benchmark.ledger()
    assert (ledger.asked, ledger.kept, benchmark.manifest.proofs) == (16, 16, 16)
    assert benchmark.manifest.licence == "CC0-1.0"
    (line,) = ledger.lines
    assert line.notes == ("made-up scenes from seed 5", "drawn by flat 1")
    assert line.attempted == line.kept + sum(line.refused.values())
    assert all(isinstance(example, str) and example for found in ledger.examples.values() for example in found)
    assert "drawn by flat" in (built / "README.md").read_text(encoding="utf-8")


def test_what_is_built_certifies(built: Path) -> None:
    found = certify(Benchmark(built), ThisProcess())
    assert found.holds
    assert found.statuses == {"accepted": 16}


def test_splits_never_share_a_scene(views: list[View]) -> None:
    by_split = {split: {view.figure for view in views if view.split == split} for split in ("test", "train")}
    assert by_split["test"]
    assert by_split["train"]
    assert not by_split["test"] & by_split["train"]
    assert {view.renderer for view in views} == {"flat 1"}


def test_covers_and_what_may_be_hidden_take_turns(built: Path) -> None:
    found = proofs(built)
    covers = Counter(claim.hide.cover for one in found for claim in one.claims if claim.state == "M" and claim.hide)
    assert set(covers) == {"box", "panel"}
    assert min(covers.values()) >= 4
    assert {one.inside for one in found} == {"one", "at most one"}


def jobs(settings: SceneSettings, count: int) -> list[scene_benchmarks.Work]:
    found = [job.work for _, job in zip(range(count), SceneRecipe(settings).jobs(), strict=False)
             if isinstance(job, Job)]  # fmt: skip
    assert len(found) == count
    return found


def test_sorts_types_and_answers_are_wished_for_evenly() -> None:
    works = jobs(replace(SETTINGS, groups=100), 480)
    kinds = Counter(FAMILIES[work.family].type for work in works)
    assert kinds == dict.fromkeys(TYPES, 160)
    assert {work.family for work in works} == set(FAMILIES)
    truths = Counter(work.wanted for work in works if FAMILIES[work.family].type == "boolean")
    assert truths == {"yes": 80, "no": 80}
    words = Counter(work.wanted for work in works if FAMILIES[work.family].type == "text")
    assert max(words.values()) < 40
    # Words and colours can be asked for where one thing is hidden; whether a thing is there, of counts and truths only.
    assert {work.inside for work in works if FAMILIES[work.family].type == "text"} == {"one"}
    told = Counter(work.inside for work in works if FAMILIES[work.family].type != "text")
    assert told == {"one": 160, "at most one": 160}
    assert Counter(work.cover for work in works) == {"box": 240, "panel": 240}


@pytest.mark.parametrize("family", FAMILIES)
def test_one_sort_alone_can_be_asked(family: str) -> None:
    works = jobs(replace(SETTINGS, questions=(family,)), 40)
    assert {work.family for work in works} == {family}
    if FAMILIES[family].type == "boolean":
        assert set(Counter(work.wanted for work in works)) == {"yes", "no"}
        assert min(Counter(work.wanted for work in works).values()) >= 12


def test_built_groups_have_the_answers_that_were_wished_for() -> None:
    kept = 0
    for work in jobs(SETTINGS, 6):
        found = attempt(SETTINGS, work)
        if isinstance(found, Draft):
            duty = found.group.views[0].obligation
            assert isinstance(duty, Answer)
            assert work.wanted in ("", duty.target)
            assert attempt(SETTINGS, work) == found
            kept += 1
    assert kept > 3


def test_the_same_bytes_on_one_process_or_two(tmp_path: Path) -> None:
    settings = SceneSettings(groups=4, seed=8, renderer="flat")
    build(settings, tmp_path / "one")
    pool = ProcessPool(2, chunk=2)
    try:
        assemble(SceneRecipe(settings), tmp_path / "two", pool, name="scenes")
    finally:
        pool.close()
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_another_seed_gives_other_groups(built: Path, tmp_path: Path) -> None:
    build(SceneSettings(groups=2, seed=6, renderer="flat"), tmp_path / "b")
    assert {group.id for group in Benchmark(tmp_path / "b").groups()}.isdisjoint(
        group.id for group in Benchmark(built).groups()
    )


# ---- settings


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"groups": 0}, "groups=0", "--groups"),
        ({"train_groups": -1}, "train_groups=-1", "--groups"),
        ({"covers": ()}, "got none", "--covers"),
        ({"covers": ("bag",)}, "expected some of box, panel; got 'bag'", "--covers"),
        ({"questions": ()}, "got none", "--questions"),
        ({"questions": ("query-0", "why")}, "got 'why'", "--questions"),
        ({"renderer": "povray"}, "expected some of mitsuba, blender, flat; got 'povray'", "--renderer"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(changes: dict[str, Any], words: str, where: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(replace(SETTINGS, **changes))
    assert words in str(caught.value)
    assert caught.value.where == where


def test_a_renderer_that_is_not_installed_is_said_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERABLE_BLENDER", "no-such-program")
    renderer.cache_clear()
    with pytest.raises(MissingExtraError, match="'--renderer mitsuba' works without"):
        SceneRecipe(replace(SETTINGS, renderer="blender"))


def test_questions_need_scenes(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="expected a file of scenes for the questions; got none"):
        SceneRecipe(SETTINGS, None, tmp_path / "questions.json")


def test_a_build_that_never_fits_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_benchmarks, "make_group", lambda *_: Refusal(reason="never", detail="x"))
    monkeypatch.setattr(scene_benchmarks, "_SCENES", 1)
    with pytest.raises(SettingsError, match="expected a source that gives at least one group; got none"):
        build(SceneSettings(groups=1, seed=0, renderer="flat", questions=("query-0",)), tmp_path / "b")


# ---- official files


def with_pixels(scene: Scene) -> Scene:
    """As a published file has it."""

    def pixel(thing: Any) -> tuple[int, int, float]:
        column, row, depth = seen_at(scene, thing)
        return round(column), round(row), round(depth, 3)

    return replace(scene, things=tuple(replace(one, pixel=pixel(one)) for one in scene.things))


INFO = {"split": "val", "license": "CC BY 4.0", "version": "1.0", "date": "2/14/2017"}


def scene_file(folder: Path, count: int = 8, spoilt: int | None = None) -> Path:
    """Scenes of our own as an official file has them; one may have relationships that its coordinates deny."""
    raws: list[Any] = [
        write_scene(published(with_pixels(whole(number)), number, f"CLEVR_val_{number:06}.png", "val"))
        for number in range(count)
    ]
    if spoilt is not None:
        left = raws[spoilt]["relationships"]["left"]
        raws[spoilt]["relationships"]["left"] = [[], *left[1:]] if left[0] else [[1], *left[1:]]
    path = folder / "scenes.json"
    path.write_text(json.dumps({"info": INFO, "scenes": raws}), encoding="utf-8")
    return path


ASKED = program("scene", "filter_color red 0", "count 1")


def question_file(folder: Path, count: int, answers: dict[int, str] | None = None) -> Path:
    """One question for each scene, worded by somebody."""
    raws = [
        {
            "question": "Is that so many red ones here, then?", "image_filename": f"CLEVR_val_{number:06}.png",
            "split": "val", "image_index": number, "question_index": number, "program": write_program(ASKED),
            "answer": (answers or {}).get(number, _right(whole(number), ASKED)),
        }
        for number in range(count)
    ]  # fmt: skip
    path = folder / "questions.json"
    path.write_text(json.dumps({"info": INFO, "questions": raws}), encoding="utf-8")
    return path


def _right(scene: Scene, asked: Program) -> str:
    answer = answer_of(execute(asked, scene))
    assert answer is not None
    return answer.target


def test_official_scenes_give_proved_groups(tmp_path: Path) -> None:
    ledger = build(SceneSettings(groups=20, seed=3, renderer="flat"), tmp_path / "b", scene_file(tmp_path, spoilt=2))
    benchmark = Benchmark(tmp_path / "b")
    assert {count.source for count in benchmark.manifest.sources} == {"scene-clevr"}
    assert "CC-BY-4.0" in benchmark.manifest.licence
    (line,) = ledger.lines
    assert line.scanned == 8
    assert line.kept == benchmark.manifest.groups >= 3
    assert line.kept + sum(line.refused.values()) == 8
    assert line.notes[0].startswith("scenes.json sha256=")
    figures = [view.figure for view in benchmark.views()]
    assert "clevr-CLEVR_val_000002.png" not in figures
    assert {view.evidence.level for view in benchmark.views()} == {"proved"}
    assert certify(benchmark, ThisProcess()).statuses == {"accepted": line.kept}
    # The camera stands where the pixels say that it stood.
    for number in range(8):
        jitter = whole(number).jitter
        assert jitter is not None
        for proof in proofs(tmp_path / "b"):
            full = proof.worlds["F"]
            if {(one.x, one.y) for one in full.things} == {(one.x, one.y) for one in whole(number).things}:
                assert full.jitter is not None
                assert full.jitter.camera == pytest.approx(jitter.camera, abs=0.2)


def test_official_questions_give_derived_groups(tmp_path: Path) -> None:
    scenes, questions = scene_file(tmp_path), question_file(tmp_path, 8, {1: "9"})
    ledger = build(SceneSettings(groups=20, seed=3, renderer="flat"), tmp_path / "b", scenes, questions)
    benchmark = Benchmark(tmp_path / "b")
    assert {count.source for count in benchmark.manifest.sources} == {"scene-clevr-official"}
    (line,) = ledger.lines
    assert line.kept >= 2
    assert (line.scanned, benchmark.manifest.proofs) == (8, 0)
    found = list(benchmark.views())
    assert {view.evidence.level for view in found} == {"derived"}
    assert all(view.evidence.note.startswith("official question; ") for view in found)
    assert all(not view.evidence.proof for view in found)
    assert all(view.question.startswith("Is that so many red ones here, then? If a plain black") for view in found)
    assert "clevr-CLEVR_val_000001.png" not in {view.figure for view in found}
    assert "nothing checks that they ask for their programs" in (tmp_path / "b" / "README.md").read_text(
        encoding="utf-8"
    )
    certificate = certify(benchmark, ThisProcess())
    assert certificate.holds
    assert certificate.statuses == {"unproved": line.kept}


def test_official_files_give_the_same_bytes_again(tmp_path: Path) -> None:
    path = scene_file(tmp_path, 4)
    for name in ("one", "two"):
        build(SceneSettings(groups=4, seed=3, renderer="flat"), tmp_path / name, path)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_files_that_are_none_are_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"missing\.json"):
        build(SETTINGS, tmp_path / "b", tmp_path / "missing.json")
    path = tmp_path / "other.json"
    path.write_text('{"info": {}, "scenes": []}', encoding="utf-8")
    with pytest.raises(SourceError, match="expected a file of scenes"):
        build(SETTINGS, tmp_path / "b", path)


def test_an_empty_scene_is_refused_and_the_others_are_built(tmp_path: Path) -> None:
    path = scene_file(tmp_path, 3)
    found = json.loads(path.read_text(encoding="utf-8"))
    empty = write_scene(published(Scene(things=()), 9, "CLEVR_val_000009.png", "val"))
    found["scenes"].insert(0, empty)
    path.write_text(json.dumps(found), encoding="utf-8")
    ledger = build(SceneSettings(groups=9, seed=3, renderer="flat"), tmp_path / "b", path)
    assert ledger.lines[0].scanned == 4
    assert ledger.kept >= 1


def test_settings_are_data() -> None:
    assert decode(msgspec.json.encode(SETTINGS), SceneSettings) == SETTINGS
