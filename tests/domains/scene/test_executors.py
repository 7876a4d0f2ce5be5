"""The two executors: right on cases worked out by hand, and equal on everything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from answerable.core.records import Answer
from answerable.domains.scene import objects, relational
from answerable.domains.scene.outcomes import COUNTS, IllPosed, Outcome, answer_of, result_of
from answerable.domains.scene.program import FUNCTIONS, Program
from answerable.domains.scene.world import Scene, with_thing, with_value
from answerable.logic.program import Named, Truth, Undefined
from tests.domains.scene.make import program, programs, row, sampled, scenes

SCENE = row("large red rubber cube", "small red metal sphere", "small blue metal cube", "large blue metal cylinder")
RED = ("scene", "filter_color red 0")
CUBE = ("scene", "filter_size large 0", "filter_shape cube 1", "unique 2")
YES, NO = Truth(value=True), Truth(value=False)

CASES: list[tuple[tuple[str, ...], Outcome]] = [
    (("scene", "count 0"), COUNTS[4]),
    ((*RED, "count 1"), COUNTS[2]),
    ((*RED, "exist 1"), YES),
    (("scene", "filter_color green 0", "exist 1"), NO),
    (("scene", "filter_material metal 0", "filter_size small 1", "count 2"), COUNTS[2]),
    ((*CUBE, "query_color 3"), Named(value="red")),
    ((*CUBE, "query_size 3"), Named(value="large")),
    ((*CUBE, "query_material 3"), Named(value="rubber")),
    ((*CUBE, "query_shape 3"), Named(value="cube")),
    ((*CUBE, "relate right 3", "count 4"), COUNTS[3]),
    ((*CUBE, "relate left 3", "exist 4"), NO),
    ((*CUBE, "relate front 3", "count 4"), COUNTS[3]),
    ((*CUBE, "relate behind 3", "count 4"), COUNTS[0]),
    ((*CUBE, "same_color 3", "count 4"), COUNTS[1]),
    ((*CUBE, "same_shape 3", "unique 4", "query_color 5"), Named(value="blue")),
    ((*CUBE, "same_size 3", "unique 4", "query_shape 5"), Named(value="cylinder")),
    ((*CUBE, "same_material 3", "exist 4"), NO),
    ((*RED, "scene", "filter_shape cube 2", "union 1 3", "count 4"), COUNTS[3]),
    ((*RED, "scene", "filter_shape cube 2", "intersect 1 3", "count 4"), COUNTS[1]),
    ((*RED, "count 1", "scene", "count 3", "less_than 2 4"), YES),
    ((*RED, "count 1", "scene", "count 3", "greater_than 2 4"), NO),
    ((*RED, "count 1", "scene", "count 3", "equal_integer 2 4"), NO),
    ((*CUBE, "query_color 3", "same_shape 3", "unique 5", "query_color 6", "equal_color 4 7"), NO),
    ((*CUBE, "query_shape 3", "same_shape 3", "unique 5", "query_shape 6", "equal_shape 4 7"), YES),
    ((*CUBE, "query_size 3", "same_shape 3", "unique 5", "query_size 6", "equal_size 4 7"), NO),
    ((*CUBE, "query_material 3", "same_size 3", "unique 5", "query_material 6", "equal_material 4 7"), NO),
    ((*CUBE, "same_shape 3", "unique 4", "same_shape 5", "unique 6", "equal_object 3 7"), YES),
    ((*CUBE, "same_shape 3", "unique 4", "equal_object 3 5"), NO),
    ((*RED, "unique 1", "query_shape 2"), IllPosed(function="unique", node=2, found=2)),
    (("scene", "filter_color cyan 0", "unique 1", "query_shape 2"), IllPosed(function="unique", node=2, found=0)),
    # The first of two is the one that counts.
    (
        ("scene", "filter_color cyan 0", "unique 1", "same_shape 2", "unique 3", "query_color 4"),
        IllPosed(function="unique", node=2, found=0),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("calls", "expected"), CASES)
def test_cases_worked_out_by_hand(calls: tuple[str, ...], expected: Outcome) -> None:
    for execute in (objects.execute, relational.execute):
        assert execute(program(*calls), SCENE) == expected


def test_every_function_has_a_case() -> None:
    assert {call.split()[0] for calls, _ in CASES for call in calls} == set(FUNCTIONS)


@settings(max_examples=400, deadline=None)
@given(programs(), scenes())
def test_executors_agree_on_everything(one: Program, scene: Scene) -> None:
    assert relational.execute(one, scene) == objects.execute(one, scene)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_executors_agree_on_sampled_scenes(one: Program) -> None:
    for number in range(3):
        assert relational.execute(one, sampled(number)) == objects.execute(one, sampled(number))


@settings(max_examples=150, deadline=None)
@given(programs(), scenes().filter(lambda scene: scene.things))
def test_an_edited_index_is_the_index_of_the_edited_scene(one: Program, scene: Scene) -> None:
    full, last = objects.index(scene), len(scene.things) - 1
    edited = full.with_values(0, {"color": "blue", "size": "small"})
    world = with_value(with_value(scene, 0, "color", "blue"), 0, "size", "small")
    assert objects.outcome(one, edited) == relational.execute(one, world)
    assert objects.outcome(one, full.without(last)) == relational.execute(one, with_thing(scene, last, None))
    # The index that was edited is as it was.
    assert objects.outcome(one, full) == relational.execute(one, scene)


def test_a_database_is_left_empty() -> None:
    one = program("scene", "count 0")
    assert relational.execute(one, SCENE) == relational.execute(one, SCENE) == COUNTS[4]
    assert relational.execute(one, Scene(things=())) == COUNTS[0]


def test_answers_have_one_form() -> None:
    assert answer_of(COUNTS[3]) == Answer(target="3", type="integer")
    assert answer_of(YES) == Answer(target="yes", type="boolean")
    assert answer_of(NO) == Answer(target="no", type="boolean")
    assert answer_of(Named(value="metal")) == Answer(target="metal", type="text")
    ill = IllPosed(function="unique", node=2, found=2)
    assert answer_of(ill) is None
    assert result_of(ill) == Undefined(reason="tie")
    assert result_of(IllPosed(function="unique", node=2, found=0)) == Undefined(reason="nothing selected")
    assert result_of(YES) == YES
