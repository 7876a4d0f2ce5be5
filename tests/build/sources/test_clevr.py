"""Files of CLEVR: read whole or refused with the place, and questions kept where both executors agree with the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from answerable.build.sources.clevr import ClevrFigure, ClevrSource, read_questions, read_scenes
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.scene.official import published, write_program, write_scene
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.world import Scene

INFO = {"split": "own", "license": "ours", "version": "1.0", "date": "1/1/2020"}
COUNT = [
    {"function": "scene", "inputs": [], "value_inputs": []},
    {"function": "count", "inputs": [0], "value_inputs": []},
]


def scene(number: int) -> Scene:
    found = sample_scene(Stream("clevr-file", number))
    assert isinstance(found, Scene)
    return replace(found, things=tuple(replace(one, pixel=(1, 2, 3.0)) for one in found.things), jitter=None)


def name(number: int) -> str:
    return f"CLEVR_own_{number:06d}.png"


def scenes_file() -> dict[str, Any]:
    return {"info": INFO, "scenes": [write_scene(published(scene(at), at, name(at), "own")) for at in range(4)]}


def question(number: int, **changes: Any) -> dict[str, Any]:
    asked = ask(scene(number), "count-0", Stream("clevr-question", number))
    assert isinstance(asked, Question)
    return {
        "question": asked.wording, "program": write_program(asked.program), "answer": asked.answer.target,
        "image_filename": name(number), "image_index": number, "split": "own", "question_index": number,
    } | changes  # fmt: skip


def source(folder: Path, scenes: Any, questions: Any) -> ClevrSource:
    for file, content in (("scenes.json", scenes), ("questions.json", questions)):
        (folder / file).write_text(json.dumps(content), encoding="utf-8")
    return ClevrSource(folder / "scenes.json", folder / "questions.json")


def test_questions_meet_their_scenes(tmp_path: Path) -> None:
    every = [question(2), question(0), question(1)]
    for questions in (every, {"questions": every}, {"info": INFO, "questions": every}):
        found = list(source(tmp_path, scenes_file(), questions).figures())
        assert [one.id for one in found if isinstance(one, ClevrFigure)] == [
            "CLEVR_own_000002.png#0", "CLEVR_own_000000.png#1", "CLEVR_own_000001.png#2",
        ]  # fmt: skip
        first = found[0]
        assert isinstance(first, ClevrFigure)
        assert first.scene == scene(2)
        assert (first.wording, first.answer) == (every[0]["question"], every[0]["answer"])


def test_a_mark_at_the_beginning_does_not_matter(tmp_path: Path) -> None:
    made = source(tmp_path, scenes_file(), [question(0)])
    for file in ("scenes.json", "questions.json"):
        path = tmp_path / file
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [type(one) for one in made.figures()] == [ClevrFigure]


def test_what_was_read_is_described(tmp_path: Path) -> None:
    lines = source(tmp_path, scenes_file(), [question(0)]).describe()
    assert lines[0].startswith("scenes.json sha256=")
    assert lines[1].startswith("questions.json sha256=")
    assert lines == source(tmp_path, scenes_file(), [question(0)]).describe()


def _moved(scenes: list[dict[str, Any]]) -> None:
    scenes[0]["relationships"]["left"], scenes[0]["relationships"]["right"] = (
        scenes[0]["relationships"]["right"], scenes[0]["relationships"]["left"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "spoil", "reason", "detail"),
    [
        ({"image_filename": "CLEVR_own_000099.png"}, None, "no scene", "the file of scenes has no such picture"),
        ({"program": None}, None, "no program", "the question has no program, or no answer"),
        ({"answer": None}, None, "no program", "the question has no program, or no answer"),
        ({"answer": "11"}, None, "program gives another answer", "where the file says 11"),
        (
            {"program": [*COUNT[:1], {"function": "unique", "inputs": [0]}, {"function": "query_size", "inputs": [1]}]},
            None, "ill-posed", "IllPosed(function='unique', node=1",
        ),
        ({}, _moved, "relationships disagree", "CLEVR_own_000000.png: left of object 0: stored"),
        (
            {}, lambda scenes: scenes[0]["objects"][0].update(pixel_coords=[-5, 7, 1.0]),
            "misplaced objects", "object 0 is off the picture: pixel=(-5, 7)",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, changes: dict[str, Any], spoil: Callable[[Any], None] | None, reason: str, detail: str
) -> None:
    scenes = scenes_file()
    if spoil is not None:
        spoil(scenes["scenes"])
    first, second = source(tmp_path, scenes, [question(0, **changes), question(1)]).figures()
    assert isinstance(first, Refusal)
    assert first.reason == reason
    assert detail in first.detail
    assert isinstance(second, ClevrFigure)


def test_overlapping_objects_are_refused(tmp_path: Path) -> None:
    standing = scene(0)
    first = standing.things[0]
    near = replace(standing, things=(first, replace(standing.things[1], x=first.x + 0.1, y=first.y)))
    scenes = {"info": INFO, "scenes": [write_scene(published(near, 0, name(0), "own"))]}
    (found,) = source(tmp_path, scenes, [question(0)]).figures()
    assert isinstance(found, Refusal)
    assert found.reason == "misplaced objects"
    assert "object 1 overlaps object 0 by" in found.detail


@pytest.mark.parametrize(
    ("spoil", "message", "where"),
    [
        (lambda f: f["info"].update(version="2"), "expected version 1.0 of CLEVR's files; got version='2'", ": info"),
        (lambda f: f["info"].pop("version"), "missing required field `version`", "scenes.json"),
        (lambda f: f.pop("info"), "missing required field `info`", "scenes.json"),
        (lambda f: f.update(more=1), "unknown field `more`", "scenes.json"),
        (lambda f: f.update(scenes={}), "Expected `array`, got `object`", "scenes.json"),
        (lambda f: f["scenes"][2].pop("objects"), "missing required field `objects`", "scenes.json: scenes[2]"),
        (
            lambda f: f["scenes"][1]["objects"][0].update(color="pink"),
            "Invalid enum value 'pink'", "scenes.json: scenes[1].objects[0]",
        ),
        (
            lambda f: f["scenes"][3]["relationships"]["left"].__setitem__(0, [77]),
            "expected numbers of other objects", "scenes.json: scenes[3].relationships.left[0]",
        ),
        (lambda f: f["scenes"].append(f["scenes"][0]), "more than one row for CLEVR_own_000000.png", "scenes.json"),
    ],
)  # fmt: skip
def test_faults_of_files_say_where(tmp_path: Path, spoil: Callable[[Any], object], message: str, where: str) -> None:
    scenes = json.loads(json.dumps(scenes_file()))
    spoil(scenes)
    source(tmp_path, scenes, [])
    with pytest.raises(SourceError) as caught:
        read_scenes(tmp_path / "scenes.json")
    assert message in str(caught.value)
    assert caught.value.where.endswith(where)


def test_faults_of_questions_say_where(tmp_path: Path) -> None:
    source(tmp_path, scenes_file(), [question(0), question(1, program=COUNT[1:])])
    with pytest.raises(SourceError, match="nothing goes in a circle") as caught:
        read_questions(tmp_path / "questions.json")
    assert caught.value.where == "questions.json: questions[1].program"
    source(tmp_path, scenes_file(), {"questions": [], "info": INFO | {"version": "1.1"}})
    with pytest.raises(SourceError, match=r"expected version 1\.0"):
        read_questions(tmp_path / "questions.json")


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 50_000, b"null", b"[1, 2"])
def test_what_is_no_file_of_clevr_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    for read in (read_scenes, read_questions):
        with pytest.raises(SourceError):
            read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="a file that can be read"):
        read_scenes(tmp_path / "none.json")
