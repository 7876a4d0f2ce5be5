"""Scenes and questions of CLEVR v1.0 as they are published."""

from __future__ import annotations

import json
import math
from pathlib import Path

from answerable.build.assembly import assemble
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
from answerable.build.sources.clevr import ClevrFigure, ClevrSource, read_questions, read_scenes
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark
from answerable.core.records import Refusal
from answerable.domains.scene import objects, relational
from answerable.domains.scene.dependencies import Candidates, candidates
from answerable.domains.scene.estimation import with_camera
from answerable.domains.scene.official import disagreements, write_program, write_scene
from answerable.domains.scene.outcomes import answer_of
from answerable.domains.scene.program import SIGNATURES, TYPES
from answerable.domains.scene.visibility import seen_at, studio_faults
from answerable.domains.scene.vocabulary import COLORS, MATERIALS, RADIUS, RELATIONS, RGB, SHAPES, SIZES, VALUES
from answerable.domains.scene.world import DIRECTIONS, Scene, placement_faults, relations
from answerable.exec import ThisProcess
from tests.domains.scene.make import thing
from tests.shared import SHARED, needs_shared

FOLDER = SHARED / "data" / "clevr"
SCENES, QUESTIONS = FOLDER / "CLEVR_val_scenes.json", FOLDER / "questions_v1_two_real.json"

pytestmark = needs_shared


def test_every_scene_survives_the_round_trip() -> None:
    _, scenes = read_scenes(SCENES)
    raw = json.loads(SCENES.read_bytes())["scenes"]
    assert len(scenes) == 200
    assert [write_scene(scene) for scene in scenes] == raw


def test_every_stored_relationship_is_that_of_the_coordinates() -> None:
    _, scenes = read_scenes(SCENES)
    assert [disagreements(scene) for scene in scenes] == [()] * 200
    # The files sort their lists, so they are equal as they stand.
    assert all(relations(scene.scene) == scene.relationships for scene in scenes)


def test_every_scene_obeys_the_rules_for_placing() -> None:
    _, scenes = read_scenes(SCENES)
    for scene in scenes:
        assert placement_faults(scene.scene) == (), scene.filename
        assert scene.scene.directions == DIRECTIONS


def test_pictures_have_scenes() -> None:
    names = {scene.filename for scene in read_scenes(SCENES)[1]}
    pictures = {path.name for path in (FOLDER / "images").iterdir()}
    assert pictures - names == {"CLEVR_train_000000.png"}


#: The scene of the training question is not shared; what its picture shows was written down by eye. Places are made up:
#: the program reads none.
BY_EYE = (
    "large green metal cylinder", "large brown metal cylinder", "small gray rubber cube", "large blue rubber cube",
    "small cyan rubber cube", "large brown metal sphere",
)  # fmt: skip


def by_eye() -> Scene:
    return Scene(things=tuple(thing(words, place - 2.5) for place, words in enumerate(BY_EYE)))


def test_every_question_has_its_answer_by_both_executors() -> None:
    scenes = {scene.filename: scene.scene for scene in read_scenes(SCENES)[1]} | {"CLEVR_train_000000.png": by_eye()}
    answered = 0
    for question in read_questions(QUESTIONS):
        if question.program is None:
            assert question.answer is None
            assert question.split == "test"
            continue
        for execute in (objects.execute, relational.execute):
            answer = answer_of(execute(question.program, scenes[question.filename]))
            assert answer is not None
            assert answer.target == question.answer
        answered += 1
    assert answered == 2


def test_programs_survive_the_round_trip() -> None:
    raw = [entry["program"] for entry in json.loads(QUESTIONS.read_bytes()) if "program" in entry]
    found = [question.program for question in read_questions(QUESTIONS) if question.program is not None]
    assert [write_program(program) for program in found] == raw


def test_the_source_keeps_what_has_a_scene() -> None:
    found = list(ClevrSource(SCENES, QUESTIONS).figures())
    assert [one.reason if isinstance(one, Refusal) else one.answer for one in found] == ["no scene", "no", "no scene"]
    (kept,) = (one for one in found if isinstance(one, ClevrFigure))
    states = candidates(kept.scene, kept.program)
    assert isinstance(states, Candidates)
    assert states.same
    assert states.changed
    assert states.missing


def test_words_and_figures_are_those_of_the_assets() -> None:
    found = json.loads((FOLDER / "assets" / "properties.json").read_bytes())
    assert {name: list(RGB[name]) for name in COLORS} == found["colors"]
    assert set(COLORS) == set(found["colors"])
    assert found["sizes"] == RADIUS
    assert (set(SHAPES), set(MATERIALS), set(SIZES)) == (
        set(found["shapes"]), set(found["materials"]), set(found["sizes"]),
    )  # fmt: skip


def test_signatures_are_those_of_the_metadata() -> None:
    found = json.loads((FOLDER / "question_templates" / "metadata.json").read_bytes())
    functions = {one["name"]: one for one in found["functions"] if not one.get("template_only")}
    assert set(SIGNATURES) == set(functions)
    words = {type_: set(VALUES[attribute]) for attribute, type_ in TYPES.items()} | {"Relation": set(RELATIONS)}
    for name, signature in SIGNATURES.items():
        official = functions[name]
        assert list(signature.inputs) == official["inputs"]
        assert signature.output.replace("Boolean", "Bool") == official["output"]
        taken = [words[type_] for type_ in official.get("side_inputs", [])]
        assert ([set(signature.values)] if signature.values else []) == taken
    for type_ in ("Shape", "Color", "Size", "Material", "Relation"):
        assert set(found["types"][type_]) == words[type_]


def test_the_camera_of_every_scene_is_found() -> None:
    """Stored pixels are whole, so a thing is seen again within half a pixel or little more."""
    worst = []
    for scene in read_scenes(SCENES)[1]:
        found = with_camera(scene.scene)
        assert found.jitter is not None
        assert studio_faults(found) == ()
        assert max(map(abs, found.jitter.camera)) < 0.6
        for known, now in zip(scene.scene.things, found.things, strict=True):
            assert known.pixel is not None
            column, row, depth = seen_at(found, now)
            worst.append(math.hypot(column - known.pixel[0], row - known.pixel[1]))
            assert abs(depth - known.pixel[2]) < 0.1
    assert max(worst) < 1.5
    assert sum(worst) / len(worst) < 0.6


def test_official_scenes_give_proved_groups(tmp_path: Path) -> None:
    settings = SceneSettings(groups=10, seed=2, renderer="flat")
    _, ledger = assemble(SceneRecipe(settings, SCENES), tmp_path / "b", ThisProcess(), name="clevr")
    benchmark = Benchmark(tmp_path / "b")
    assert ledger.kept == 10
    assert {view.evidence.level for view in benchmark.views()} == {"proved"}
    assert {view.figure[:16] for view in benchmark.views()} == {"clevr-CLEVR_val_"}
    found = certify(benchmark, ThisProcess())
    assert found.holds
    assert found.statuses == {"accepted": 10}


def test_the_official_question_that_has_its_scene_gives_a_derived_group(tmp_path: Path) -> None:
    settings = SceneSettings(groups=3, seed=2, renderer="flat")
    _, ledger = assemble(SceneRecipe(settings, SCENES, QUESTIONS), tmp_path / "b", ThisProcess(), name="clevr")
    (line,) = ledger.lines
    assert (line.scanned, line.kept, line.refused) == (3, 1, {"no scene": 2})
    benchmark = Benchmark(tmp_path / "b")
    views = list(benchmark.views())
    assert {view.evidence.level for view in views} == {"derived"}
    published = {question.text for question in read_questions(QUESTIONS)}
    assert views[0].question.partition(" If a plain black")[0] in published
    assert {"F", "S", "C", "M"} <= {view.state for view in views}
    assert certify(benchmark, ThisProcess()).statuses == {"unproved": 1}
