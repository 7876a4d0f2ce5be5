"""GQA as it is published: every program is read, graphs are read, and photos become groups end to end.

The shared scene graphs are of other photos than the shared ones, so the photos' graphs are our own, drawn by eye.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from answerable.build.photo_benchmarks import PhotoSettings, build
from answerable.build.recipes import read_recipe
from answerable.build.recipes_photo import rebuild
from answerable.build.sources.gqa import GqaSource
from answerable.core.benchmark import Benchmark, Ledger
from answerable.core.records import Refusal
from answerable.core.runlog import RunFolder, Sampling
from answerable.domains.photo.asked import PLACES, Asked
from answerable.domains.photo.execute import check
from answerable.domains.photo.graph import Graph
from answerable.domains.photo.pictures import GREY, read_photo
from answerable.domains.photo.program import OPERATIONS, Written, read_program
from answerable.exec import ThisProcess
from answerable.run.prompts import PROMPTS
from answerable.run.providers.base import ProviderSettings
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.runner import run
from answerable.run.settings import RunSettings
from answerable.score.pipeline import score_runs
from tests.real.gqa_graphs import GRAPHS
from tests.shared import SHARED, needs_shared

FOLDER = SHARED / "data" / "gqa"
QUESTIONS, WITH_PHOTOS = FOLDER / "val_balanced_questions.json", FOLDER / "questions_with_photos.json"
GRAPH_FILE, IMAGES = FOLDER / "debug_sceneGraphs.json", FOLDER / "images"

pytestmark = needs_shared


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, GqaSource, Ledger]:
    """The five questions on their photos, as many as give a group."""
    folder = tmp_path_factory.mktemp("gqa")
    (folder / "graphs.json").write_text(json.dumps(GRAPHS), encoding="utf-8")
    source = GqaSource((WITH_PHOTOS,), (folder / "graphs.json",))
    _, ledger = build(
        PhotoSettings(groups=5, per_photo=2), source, IMAGES, folder / "bench", ThisProcess(), recipe=folder / "r.jsonl"
    )
    return folder, source, ledger


def test_every_published_program_is_read() -> None:
    seen: Counter[str] = Counter()
    beside = 0
    for path in (QUESTIONS, WITH_PHOTOS):
        for entry in json.loads(path.read_bytes()).values():
            program = read_program(msgspec.convert(entry["semantic"], tuple[Written, ...]))
            seen.update(step.operation for step in program.steps)
            # An answer is yes or no exactly where the program ends in a truth.
            assert program.boolean == (entry["answer"] in ("yes", "no"))
            named = {
                mark for place in entry["annotations"].values() for marks in place.values() for mark in marks.split(",")
            }
            beside += not named <= set(program.ids)
    # Words of two mean an object that no step names, such as the fence in "in front or behind the fence".
    assert beside == 2
    assert sum(seen.values()) > 500 and set(seen) <= set(OPERATIONS)


def test_every_published_question_waits_for_its_graph_only() -> None:
    source = GqaSource((QUESTIONS,), (GRAPH_FILE,))
    found = [source.asked(name) for name in source.ids()]
    assert Counter(one.reason for one in found if isinstance(one, Refusal)) == {"no scene graph": 200}


def test_published_graphs_are_read_and_a_question_on_one_is_checked() -> None:
    graphs = msgspec.json.decode(GRAPH_FILE.read_bytes(), type=dict[str, Graph])
    assert [len(graph.objects) for graph in graphs.values()] == [21, 12, 20, 6]
    # "What is on the white wall?" (02930152's neighbour in the file of programs): its objects are in the graph.
    steps = (
        Written("select", (), "wall (722332)"),
        Written("filter color", (0,), "white"),
        Written("relate", (1,), "_,on,s (722335)"),
        Written("query", (2,), "name"),
    )
    verdict = check(read_program(steps), graphs["2375429"], "pipe", {"color": frozenset({"white"})})
    assert verdict.checked == "agrees"
    assert check(read_program(steps), graphs["2375429"], "horse", {}).checked == "contradicts"


def test_every_photo_is_read_at_its_size() -> None:
    sizes = {"1159529": (800, 533), "2351608": (375, 500), "2358679": (500, 334)}
    for name, (width, height) in sizes.items():
        # The first has an EXIF orientation of 0, which the standard does not know.
        found = read_photo((IMAGES / f"{name}.jpg").read_bytes(), width, height, name)
        assert isinstance(found, np.ndarray) and found.shape == (height, width, 3)


def test_photos_become_groups(built: tuple[Path, GqaSource, Ledger]) -> None:
    folder, source, ledger = built
    (line,) = ledger.lines
    assert (line.scanned, line.kept, line.refused) == (5, 4, {"another thing of the name stays visible": 1})
    bench = Benchmark(folder / "bench")
    bench.verify()
    assert {view.state for view in bench.views()} == {"F", "S", "M"}
    assert {group.views[0].question for group in bench.groups()} == {
        "Are there carts near the pond?",
        "What is the device on the traffic signal that is on the left side?",
        "Who is wearing a shirt?",
        "Are the vase and the pitcher made of the same material?",
    }
    checked = [one.checked for one in map(source.asked, source.ids()) if isinstance(one, Asked)]
    assert Counter(checked) == {"agrees": 4, "not executable": 1}


def test_the_pictures_are_the_photo_and_its_masks(built: tuple[Path, GqaSource, Ledger]) -> None:
    images: dict[str, dict[str, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]] = {}
    for view, data in Benchmark(built[0] / "bench").views_with_images():
        with Image.open(io.BytesIO(data)) as image:
            images.setdefault(view.figure, {})[view.state] = np.asarray(image)
    for name, pictures in images.items():
        with Image.open(IMAGES / f"{name}.jpg") as photo:
            assert (pictures["F"] == np.asarray(photo.convert("RGB"))).all()
        for state in "SM":
            changed = (pictures[state] != pictures["F"]).any(axis=2)
            assert 0 < changed.mean() < 0.5
            assert (pictures[state][changed] == GREY).all()
    # The man in the mangroves and the cart by the water are gone in M.
    assert (images["2351608"]["M"][145:190, 175:195] == GREY).all()
    assert (images["1159529"]["M"][230:390, 95:305] == GREY).all()


def test_the_oracle_succeeds_on_every_group(built: tuple[Path, GqaSource, Ledger], tmp_path: Path) -> None:
    bench = Benchmark(built[0] / "bench")
    provider = ReferenceProvider(ProviderSettings("reference/oracle", PROMPTS.load("json-answerability"), Sampling()))
    run(bench, provider, RunSettings(), tmp_path / "run")
    scores = score_runs(bench, [RunFolder(tmp_path / "run")], draws=50).scores
    found = scores.runs[0].sources["photo-gqa"]
    assert {name: found.metrics[name].value for name in ("J", "B", "J_3", "B_3", "B_FSM")} == dict.fromkeys(
        ("J", "B", "J_3", "B_3", "B_FSM"), 1.0
    )
    assert found.level == "derived"
    assert {part.value for part in found.parts if part.facet == "topic"} == {"boolean answer", "text answer"}


def test_a_recipe_gives_them_again(built: tuple[Path, GqaSource, Ledger], tmp_path: Path) -> None:
    folder, source, _ = built
    manifest, _ = rebuild(read_recipe(folder / "r.jsonl"), source, IMAGES, tmp_path / "back", ThisProcess())
    assert manifest.fingerprint == Benchmark(folder / "bench").manifest.fingerprint


def test_places_are_answers_of_their_own() -> None:
    answers = Counter(entry["answer"] for entry in json.loads(QUESTIONS.read_bytes()).values())
    assert sum(answers[place] for place in PLACES) == 25
