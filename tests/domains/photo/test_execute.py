"""Programs run on scene graphs: what the graph says, what it contradicts, and what it leaves open."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.domains.photo.execute import Truth, Unknown, Words, check, execute
from answerable.domains.photo.graph import Graph
from answerable.domains.photo.program import Written, read_program
from tests.domains.photo.make import GRAPH, step

SEEN = decode(encode(GRAPH | {"weather": "sunny"}), Graph)
WORDS = {"color": frozenset({"red", "brown", "white"}), "size": frozenset({"small", "large"})}


def run(*steps: dict[str, Any]) -> Truth | Words | Unknown:
    return execute(read_program(msgspec.convert(steps, tuple[Written, ...])), SEEN, WORDS)


DOG, BALL, CAT, BENCH, CUP = (
    step("select", f"{name} ({mark})")
    for name, mark in (("dog", "o1"), ("ball", "o2"), ("cat", "o3"), ("bench", "o4"), ("cup", "o5"))
)
NO_BIKE = step("select", "bike (-)")


@pytest.mark.parametrize(
    ("steps", "due"),
    [
        ([DOG, step("query", "name", 0)], Words(("dog",))),
        ([DOG, step("query", "color", 0)], Words(("brown",))),
        ([DOG, step("query", "hposition", 0)], Words(("left",))),
        ([BENCH, step("query", "vposition", 0)], Words(("bottom",))),
        ([step("select", "scene (-)"), step("query", "weather", 0)], Words(("sunny",))),
        ([step("select", "scene"), step("query", "weather", 0)], Words(("sunny",))),
        ([BALL, step("relate", "_,near,s (o1)", 0), step("query", "name", 1)], Words(("dog",))),
        ([DOG, step("relate", "_,near,o (o2)", 0), step("query", "name", 1)], Words(("ball",))),
        ([DOG, step("relate", "_,near,s (o2)", 0), step("exist", "?", 1)], Truth(False)),
        ([DOG, step("relate", "toy,near,o (o3)", 0), step("exist", "?", 1)], Truth(False)),
        ([NO_BIKE, step("exist", "?", 0)], Truth(False)),
        # A program that says there is none is held to the graph.
        ([step("select", "dog (-)"), step("exist", "?", 0)], Truth(True)),
        ([DOG, step("exist", "?", 0), NO_BIKE, step("exist", "?", 2), step("and", "", 1, 3)], Truth(False)),
        ([DOG, step("exist", "?", 0), NO_BIKE, step("exist", "?", 2), step("or", "", 1, 3)], Truth(True)),
        ([DOG, step("verify color", "brown", 0)], Truth(True)),
        ([DOG, step("verify color", "red", 0)], Truth(False)),
        ([DOG, step("verify color", "not(red)", 0)], Truth(True)),
        ([DOG, step("verify hposition", "left", 0)], Truth(True)),
        ([DOG, step("verify rel", "ball,near,o (o2)", 0)], Truth(True)),
        ([DOG, step("verify rel", "cat,near,o (o3)", 0)], Truth(False)),
        ([step("select", "scene (-)"), step("verify weather", "cloudy", 0)], Truth(False)),
        ([DOG, step("choose color", "brown|red", 0)], Words(("brown",))),
        ([DOG, step("choose name", "cow|dog", 0)], Words(("dog",))),
        ([DOG, step("choose vposition", "top|bottom", 0)], Words(("top",))),
        (
            [DOG, step("choose rel", "cat,to the left of|to the right of,s (o3)", 0)],
            Words(("to the right of", "right")),
        ),
        ([DOG, step("filter color", "brown", 0), step("query", "name", 1)], Words(("dog",))),
        ([DOG, step("filter color", "red", 0), step("exist", "?", 1)], Truth(False)),
        ([DOG, step("filter color", "not(red)", 0), step("exist", "?", 1)], Truth(True)),
        ([DOG, BENCH, step("same color", "", 0, 1)], Truth(True)),
        ([DOG, BALL, step("same color", "", 0, 1)], Truth(False)),
        ([DOG, BALL, step("different color", "", 0, 1)], Truth(True)),
        ([step("select", "things (o1,o4)"), step("same", "color", 0)], Truth(True)),
        ([step("select", "things (o1,o4)"), step("different name", "", 0)], Truth(True)),
        ([BALL, CUP, step("common", "", 0, 1)], Words(("color",))),
        ([NO_BIKE, step("query", "name", 0)], Words(())),
    ],
)
def test_what_the_graph_says(steps: list[dict[str, Any]], due: object) -> None:
    assert run(*steps) == due


@pytest.mark.parametrize(
    "steps",
    [
        [DOG, step("query", "size", 0)],
        [step("select", "scene (-)"), step("query", "place", 0)],
        [step("select", "scene (-)"), step("verify", "happy", 0)],
        [step("select", "scene (-)"), step("filter color", "red", 0), step("exist", "?", 1)],
        [DOG, step("relate", "thing,same color,_ (o4)", 0), step("query", "name", 1)],
        [DOG, step("relate", "thing,same color,s (o4)", 0), step("query", "name", 1)],
        [DOG, CAT, step("choose older", "", 0, 1)],
        [DOG, CAT, step("same size", "", 0, 1)],
        [DOG, CAT, step("same", "", 0, 1)],
        [DOG, CAT, step("common", "", 0, 1)],
        [DOG, step("choose size", "small|large", 0)],
        [DOG, step("choose rel", "bench,above|under,s (o4)", 0)],
        [NO_BIKE, step("verify color", "red", 0)],
    ],
)
def test_what_it_leaves_open_is_unknown(steps: list[dict[str, Any]]) -> None:
    found = run(*steps)
    assert isinstance(found, Unknown) and found.why


@pytest.mark.parametrize(
    ("answer", "steps", "checked"),
    [
        ("dog", [DOG, step("query", "name", 0)], "agrees"),
        ("Dog", [DOG, step("query", "name", 0)], "agrees"),
        ("cat", [DOG, step("query", "name", 0)], "contradicts"),
        ("right", [DOG, step("choose rel", "cat,to the left of|to the right of,s (o3)", 0)], "agrees"),
        ("left", [DOG, step("choose rel", "cat,to the left of|to the right of,s (o3)", 0)], "contradicts"),
        ("yes", [DOG, step("exist", "?", 0)], "agrees"),
        ("no", [DOG, step("exist", "?", 0)], "contradicts"),
        ("large", [DOG, step("query", "size", 0)], "not executable"),
    ],
)
def test_an_answer_is_held_against_the_graph(answer: str, steps: list[dict[str, Any]], checked: str) -> None:
    program = read_program(msgspec.convert(steps, tuple[Written, ...]))
    assert check(program, SEEN, answer, WORDS).checked == checked
