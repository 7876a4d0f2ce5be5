"""Scene graphs as they are read, and names that are alike."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from answerable.core.codec import decode, encode
from answerable.domains.photo.graph import MAX_THINGS, Graph, one_of, plain
from tests.domains.photo.make import GRAPH, box, graph, node


def test_a_graph_is_read_with_what_we_do_not_know_left_out() -> None:
    found = decode(encode(GRAPH | {"location": "park", "weather": None, "camera": "x"}), Graph)
    assert (found.width, found.height, found.location) == (120, 80, "park")
    assert found.thing("o2").box == box(40, 50, 12, 12)
    assert found.objects["o1"].relations[0].name == "near"


@pytest.mark.parametrize(
    "change",
    [
        {"width": 0},
        {"height": "80"},
        {"width": 10**9},
        {"objects": []},
        {"objects": {"o1": {"name": "dog"}}},
        {"objects": {"o1": node("dog", 1, 1, 1, 1) | {"x": 1.5}}},
        {"objects": {"o1": node("dog" * 50, 1, 1, 1, 1)}},
        {"objects": {str(place): node("dog", 1, 1, 1, 1) for place in range(MAX_THINGS + 1)}},
    ],
)
def test_another_shape_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(encode(graph() | change), Graph)


@pytest.mark.parametrize(
    ("one", "other"),
    [("snow suit", "snowsuit"), ("T-Shirt", "t shirt"), ("ﬁre", "fire"), ("Dog", "dog")],
)
def test_names_are_compared_by_their_letters(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("cows", "cow"), ("dresses", "dress"), ("women", "woman"), ("bushes", "bush"), ("benches", "bench"),
        ("ladies", "lady"), ("boxes", "box"), ("grass", "grass"), ("glass", "glass"), ("bus", "bus"), ("cow", "cow"),
    ],
)  # fmt: skip
def test_plurals_are_like_their_singular(many: str, one: str) -> None:
    assert one_of(many) == one_of(one)


def test_different_things_stay_different() -> None:
    assert len({one_of(name) for name in ("man", "woman", "cow", "crow", "glass", "glasses case", "bench")}) == 7
