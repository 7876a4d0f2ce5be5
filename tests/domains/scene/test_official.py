"""CLEVR's own JSON: read strictly, written back unchanged, and every fault named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from answerable.core.errors import InputError, SourceError
from answerable.domains.scene.official import (
    Published,
    disagreements,
    published,
    read_question,
    read_scene,
    write_program,
    write_scene,
)
from answerable.domains.scene.program import Program
from answerable.domains.scene.world import Scene
from tests.domains.scene.make import program, programs, sampled


def seen(scene: Scene) -> Scene:
    """The scene as if a camera had looked at it."""
    things = tuple(replace(thing, pixel=(10 * place, 20, 9.5)) for place, thing in enumerate(scene.things))
    return replace(scene, things=things, jitter=None)


def entry(number: int = 1) -> dict[str, Any]:
    """A scene as a file has it."""
    return write_scene(published(seen(sampled(number)), number, f"CLEVR_own_{number:06d}.png", "own"))


def question(**changes: Any) -> dict[str, Any]:
    """A question as a file has it."""
    found = {
        "question": "How many red things are there?", "image_filename": "CLEVR_own_000001.png", "split": "own",
        "image_index": 1, "question_index": 0, "question_family_index": 2, "answer": "2",
        "program": write_program(program("scene", "filter_color red 0", "count 1")),
    }  # fmt: skip
    return found | changes


def read(found: dict[str, Any]) -> Published:
    return read_scene(json.dumps(found).encode(), "scenes[0]")


@pytest.mark.parametrize("number", range(10))
def test_scenes_survive_the_round_trip(number: int) -> None:
    found = read(entry(number))
    assert found.scene == seen(sampled(number))
    assert write_scene(found) == entry(number)
    assert json.loads(json.dumps(write_scene(found))) == json.loads(json.dumps(entry(number)))
    assert disagreements(found) == ()


Spoil = Callable[[dict[str, Any]], object]

FAULTS: list[tuple[Spoil, str, str]] = [
    (lambda e: e.pop("split"), "missing required field `split`", "scenes[0]"),
    (lambda e: e.update(weather="fair"), "unknown field `weather`", "scenes[0]"),
    (lambda e: e.update(image_index="1"), "Expected `int`, got `str`", "scenes[0]"),
    (lambda e: e.update(image_index=-1), "expected an index of 0 to", "scenes[0]"),
    (lambda e: e.update(split=""), "expected the name of a split", "scenes[0]"),
    (lambda e: e.update(image_filename="../../x.png"), "the plain name of a picture's file", "scenes[0]"),
    (lambda e: e.update(image_filename=".x.png"), "the plain name of a picture's file", "scenes[0]"),
    (lambda e: e["objects"][2].pop("color"), "missing required field `color`", "scenes[0].objects[2]"),
    (lambda e: e["objects"][2].update(color="pink"), "Invalid enum value 'pink'", "scenes[0].objects[2]"),
    (lambda e: e["objects"][0].update(mask="x"), "unknown field `mask`", "scenes[0].objects[0]"),
    (lambda e: e["objects"][0].update({"3d_coords": [1, 2]}), "Expected `array` of length 3", "scenes[0].objects[0]"),
    (lambda e: e["objects"][0].update({"3d_coords": [1, 2, 1e9]}), "expected a finite z", "scenes[0].objects[0]"),
    (lambda e: e["objects"][0].update(rotation=True), "Expected `float`, got `bool`", "scenes[0].objects[0]"),
    (lambda e: e["objects"][1].update(pixel_coords=None), "Expected `array`, got `null`", "scenes[0].objects[1]"),
    (lambda e: e["directions"].pop("above"), "missing required field `above`", "scenes[0].directions"),
    (lambda e: e["directions"].update(left=[9, 0, 0]), "expected a finite left", "scenes[0].directions"),
    (lambda e: e["relationships"].pop("left"), "expected the relations left, right", "scenes[0].relationships"),
    (lambda e: e["relationships"].update(above=[]), "expected the relations left, right", "scenes[0].relationships"),
    (lambda e: e["relationships"]["left"].pop(), "expected a list for each of the", "scenes[0].relationships.left"),
    (
        lambda e: e["relationships"]["front"].__setitem__(1, [99]),
        "expected numbers of other objects, 0 to",
        "scenes[0].relationships.front[1]",
    ),
    (
        lambda e: e["relationships"]["front"].__setitem__(1, [1]),
        "expected numbers of other objects",
        "scenes[0].relationships.front[1]",
    ),
    (
        lambda e: e["relationships"]["front"].__setitem__(1, [-1]),
        "expected numbers of other objects",
        "scenes[0].relationships.front[1]",
    ),
    (
        lambda e: e["relationships"]["front"].__setitem__(1, [0, 0]),
        "expected every object once",
        "scenes[0].relationships.front[1]",
    ),
    (lambda e: e.update(objects=e["objects"] * 10), "expected at most 20 objects", "scenes[0]"),
]


@pytest.mark.parametrize(("spoil", "message", "where"), FAULTS)
def test_faults_of_scenes_say_where(spoil: Spoil, message: str, where: str) -> None:
    found = entry()
    spoil(found)
    with pytest.raises(SourceError) as caught:
        read(found)
    assert message in str(caught.value)
    assert caught.value.where == where


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_anything_else_is_refused(data: bytes) -> None:
    for reader in (read_scene, read_question):
        with pytest.raises(SourceError):
            reader(data, "here")


def test_numbers_that_are_none_are_refused() -> None:
    text = json.dumps(entry())
    for bad in ("NaN", "Infinity", "1e999"):
        with pytest.raises(SourceError):
            read_scene(text.replace(': "own"', f': "own", "image_index": {bad}').encode(), "here")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(SourceError):
        read_scene(b"[" * 100_000, "here")


def test_stored_relationships_are_checked_against_the_coordinates() -> None:
    found = entry()
    right = found["relationships"]["right"]
    place = next(place for place, line in enumerate(right) if line)
    lost = right[place].pop()
    wrong = disagreements(read(found))
    assert len(wrong) == 1
    assert wrong[0].startswith(f"right of object {place}: stored {right[place]}; by the coordinates")
    assert str(lost) in wrong[0].partition("coordinates")[2]
    # Moved objects disagree too; the order of a list does not matter.
    right[place].insert(0, lost)
    assert disagreements(read(found)) == ()
    first, last = found["objects"][0], found["objects"][-1]
    first["3d_coords"], last["3d_coords"] = last["3d_coords"], first["3d_coords"]
    assert disagreements(read(found))


def test_a_scene_that_nobody_looked_at_cannot_be_written() -> None:
    with pytest.raises(InputError, match="expected the pixel of every object; got none"):
        write_scene(published(sampled(1), 1, "a.png", "own"))


@given(programs())
def test_programs_survive_the_round_trip_in_both_forms(one: Program) -> None:
    nodes = write_program(one)
    asked = question(program=nodes)
    assert read_question(json.dumps(asked).encode(), "q").program == one
    generator = [
        {"type": node["function"], "inputs": node["inputs"], "_output": [0, {"a": None}]}
        | ({"side_inputs": node["value_inputs"]} if node["value_inputs"] else {})
        for node in nodes
    ]
    assert read_question(json.dumps(question(program=generator)).encode(), "q").program == one


def test_questions_are_read() -> None:
    found = read_question(json.dumps(question()).encode(), "q")
    assert (found.text, found.filename, found.answer) == (question()["question"], "CLEVR_own_000001.png", "2")
    bare = {key: value for key, value in question().items() if key not in ("program", "answer")}
    found = read_question(json.dumps(bare).encode(), "q")
    assert found.program is None
    assert found.answer is None
    for given_, answer in ((True, "yes"), (False, "no"), (0, "0"), (10, "10"), ("metal", "metal")):
        assert read_question(json.dumps(question(answer=given_)).encode(), "q").answer == answer


def nodes(*more: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"function": "scene", "inputs": [], "value_inputs": []}, *more]


@pytest.mark.parametrize(
    ("changes", "message", "where"),
    [
        ({"question": " "}, "expected a question of 1 to 2000 signs", "q"),
        ({"answer": "maybe"}, "expected an answer: yes, no, a count, or a word of CLEVR; got answer='maybe'", "q"),
        ({"answer": "01"}, "expected an answer", "q"),
        ({"answer": -1}, "expected an answer", "q"),
        ({"answer": "9" * 5000}, "expected an answer", "q"),
        ({"answer": ["yes"]}, "| null`, got `array`", "q"),
        ({"hint": "x"}, "unknown field `hint`", "q"),
        ({"program": []}, "expected 1 to 100 nodes; got 0", "q.program"),
        ({"program": nodes({"inputs": [0]})}, "under one of the keys function and type", "q.program[1]"),
        (
            {"program": nodes({"function": "count", "type": "count", "inputs": [0]})},
            "under one of the keys function and type", "q.program[1]",
        ),
        (
            {"program": nodes({"function": "filter_unique", "inputs": [0]})},
            "templates' own functions must be expanded first", "q.program[1]",
        ),
        ({"program": nodes({"function": "count", "inputs": [0], "x": 1})}, "unknown field `x`", "q.program[1]"),
        ({"program": nodes({"function": "count", "inputs": ["0"]})}, "Expected `int`, got `str`", "q.program[1]"),
        (
            {"program": nodes({"function": "count", "inputs": [0], "value_inputs": ["a", "b"]})},
            "expected one value at most; got 2", "q.program[1]",
        ),
        (
            {"program": nodes({"function": "count", "inputs": [0], "value_inputs": ["a"], "side_inputs": ["a"]})},
            "expected one of the keys value_inputs and side_inputs; got both", "q.program[1]",
        ),
        (
            {"program": nodes({"function": "count", "inputs": [1]})},
            "node 1 (count): inputs among the nodes before it, so that nothing goes in a circle; got input 1",
            "q.program",
        ),
        (
            {"program": nodes({"function": "query_size", "inputs": [0]})},
            "an input of type Object; got node 0 (scene) of type ObjectSet", "q.program",
        ),
        ({"program": nodes()}, "a last node that gives an answer; got scene, which gives ObjectSet", "q.program"),
        (
            {"program": nodes({"function": "count", "inputs": [0]}, {"function": "count", "inputs": [0]})},
            "every node to be used", "q.program",
        ),
    ],
)  # fmt: skip
def test_faults_of_questions_say_where(changes: dict[str, Any], message: str, where: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_question(json.dumps(question(**changes)).encode(), "q")
    assert message in str(caught.value)
    assert caught.value.where == where
