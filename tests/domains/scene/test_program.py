"""Programs: the whole function set, and what is none."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given

from answerable.core.codec import decode, encode
from answerable.domains.scene.program import (
    FUNCTIONS,
    SIGNATURES,
    Node,
    Program,
    depth,
    family,
    program_problem,
    type_of,
)
from tests.domains.scene.make import program, programs


def test_every_function_has_a_signature() -> None:
    assert set(SIGNATURES) == set(FUNCTIONS)
    assert len(FUNCTIONS) == 27


@given(programs())
def test_programs_survive_writing_and_reading(one: Program) -> None:
    assert decode(encode(one), Program) == one


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ([], "expected 1 to 100 nodes; got 0"),
        (["scene", "count 0", "count 0"], "node 1 (count): expected every node to be used; nothing reads it"),
        (["scene"], "expected a last node that gives an answer; got scene, which gives ObjectSet"),
        (["scene", "unique 0"], "expected a last node that gives an answer; got unique, which gives Object"),
        (["scene", "juggle 0"], "node 1 (juggle): expected a function of CLEVR"),
        (["scene", "count"], "node 1 (count): expected 1 inputs; got 0"),
        (["scene", "count 0 0"], "node 1 (count): expected 1 inputs; got 2"),
        (
            ["count 0"],
            "node 0 (count): expected inputs among the nodes before it, so that nothing goes in a circle; got",
        ),
        (["count 1", "scene"], "node 0 (count): expected inputs among the nodes before it"),
        (["scene", "query_color 0"], "expected an input of type Object; got node 0 (scene) of type ObjectSet"),
        (["scene", "filter_color large 0", "count 1"], "expected a value out of gray, red"),
        (["scene", "filter_color 0", "count 1"], "node 1 (filter_color): expected a value out of gray, red"),
        (["scene", "count red 0"], "node 1 (count): expected no value; got 'red'"),
        (["scene", "unique 0", "relate above 1", "count 2"], "expected a value out of left, right, behind, front"),
        (
            ["scene", "unique 0", "query_color 1", "query_size 1", "equal_color 2 3"],
            "expected an input of type Color; got node 3 (query_size) of type Size",
        ),
    ],
)
def test_what_is_no_program_is_refused(calls: list[str], message: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        program(*calls)
    assert message in str(caught.value)


def test_negative_inputs_are_refused() -> None:
    assert "got input -1" in program_problem((Node(function="scene"), Node(function="count", inputs=(-1,))))


def test_a_program_that_is_too_long_is_refused() -> None:
    nodes = [Node(function="scene")]
    nodes += [Node(function="filter_color", inputs=(place,), value="red") for place in range(99)]
    nodes += [Node(function="count", inputs=(99,))]
    assert program_problem(nodes) == "expected 1 to 100 nodes; got 101"


def test_what_is_no_program_is_refused_when_read() -> None:
    good = encode(program("scene", "count 0"))
    with pytest.raises(msgspec.ValidationError, match="nothing goes in a circle"):
        decode(good.replace(b"[0]", b"[1]"), Program)
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value 'juggle'"):
        decode(good.replace(b"count", b"juggle"), Program)


def test_types_depth_and_family() -> None:
    count = program("scene", "filter_color red 0", "count 1")
    assert (type_of(count), depth(count), family(count)) == ("Integer", 3, "count")
    both = program("scene", "unique 0", "query_color 1", "query_color 1", "equal_color 2 3")
    assert (type_of(both), depth(both), family(both)) == ("Boolean", 4, "compare attributes")
    number = program("scene", "count 0", "scene", "filter_size large 2", "count 3", "less_than 1 4")
    assert (type_of(number), depth(number), family(number)) == ("Boolean", 4, "compare numbers")
    assert family(program("scene", "unique 0", "query_shape 1")) == "query"
