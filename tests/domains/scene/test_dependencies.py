"""What answers rest on: cases worked out by hand, and the second executor as a witness of all that is claimed."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from answerable.domains.scene import objects, relational
from answerable.domains.scene.dependencies import (
    Candidates,
    Edited,
    HiddenPlace,
    HiddenThing,
    Occluded,
    admissible_values,
    answers_over,
    candidates,
    occluded,
    relevant,
    relevant_presence,
    thing_at,
    touched,
)
from answerable.domains.scene.outcomes import COUNTS, IllPosed
from answerable.domains.scene.program import Program
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES
from answerable.domains.scene.world import Scene, placement_faults, with_thing, with_value
from answerable.logic.program import Named, Truth
from tests.domains.scene.make import program, programs, row, sampled, scenes

SCENE = row("large red rubber cube", "small red metal sphere", "small blue metal cube", "large blue metal cylinder")
REDS = program("scene", "filter_color red 0", "count 1")
ANY_RED = program("scene", "filter_color red 0", "exist 1")
SPHERE = program("scene", "filter_shape sphere 0", "unique 1", "query_color 2")
RIGHT_OF_SPHERE = program(
    "scene", "filter_shape sphere 0", "unique 1", "relate right 2", "filter_shape cube 3", "count 4"
)


def found(scene: Scene, one: Program) -> Candidates:
    candidate = candidates(scene, one)
    assert isinstance(candidate, Candidates)
    return candidate


def hidden(occlusions: tuple[Occluded, ...]) -> list[int]:
    return [one.hidden.thing for one in occlusions if isinstance(one.hidden, HiddenThing)]


def test_touched_follows_the_run() -> None:
    seen = touched(SCENE, RIGHT_OF_SPHERE)
    assert seen.places == (1,)
    assert seen.members == (1, 2)
    assert seen.attributes == tuple((place, "shape") for place in range(4))
    query = touched(SCENE, SPHERE)
    assert query.attributes == ((0, "shape"), (1, "color"), (1, "shape"), (2, "shape"), (3, "shape"))
    # The second filter looks only at what the first let through.
    two = touched(SCENE, program("scene", "filter_color red 0", "filter_shape cube 1", "count 2"))
    assert two.attributes == ((0, "color"), (0, "shape"), (1, "color"), (1, "shape"), (2, "color"), (3, "color"))
    same = touched(SCENE, program("scene", "filter_shape sphere 0", "unique 1", "same_size 2", "exist 3"))
    assert [fact for fact in same.attributes if fact[1] == "size"] == [(place, "size") for place in range(4)]


def test_what_is_relevant() -> None:
    assert relevant(SCENE, REDS) == tuple((place, "color") for place in range(4))
    # Either red object alone is enough, and a third one adds nothing.
    assert relevant(SCENE, ANY_RED) == ()
    assert relevant_presence(SCENE, ANY_RED) == ()
    assert relevant_presence(SCENE, REDS) == (0, 1)
    # A second sphere makes the question ill-posed; the sphere's color is the answer.
    assert relevant(SCENE, SPHERE) == ((0, "shape"), (1, "color"), (1, "shape"), (2, "shape"), (3, "shape"))
    assert relevant_presence(SCENE, SPHERE) == (1,)


def test_states_of_a_count() -> None:
    one = found(SCENE, REDS)
    assert one.outcome == COUNTS[2]
    assert hidden(one.missing) == [0, 1, 2, 3]
    assert one.determined == one.controls == ()
    assert {(edit.thing, edit.attribute) for edit in one.changed} == {(place, "color") for place in range(4)}
    assert all(edit.attribute != "color" and edit.outcome == COUNTS[2] for edit in one.same)
    answers = one.missing[2].answers
    assert [answer.outcome for answer in answers] == [COUNTS[2], COUNTS[3]]
    assert answers[0].changes == ()
    assert answers[0].world == SCENE
    assert answers[1].changes == (("color", "red"),)
    assert answers[1].world == with_value(SCENE, 2, "color", "red")


def test_states_of_an_existence() -> None:
    one = found(SCENE, ANY_RED)
    assert one.missing == ()
    assert one.changed == ()
    assert hidden(one.determined) == [0, 1]
    assert hidden(one.controls) == [2, 3]
    assert all(not each.ill_posed and each.even_absent for each in (*one.determined, *one.controls))


def test_states_of_a_query() -> None:
    one = found(SCENE, SPHERE)
    assert hidden(one.missing) == [1]
    assert len(one.missing[0].answers) == len(VALUES["color"])
    assert one.missing[0].ill_posed
    assert not one.missing[0].even_absent
    # Another object may be a sphere too: relevant, for the question might have no answer.
    assert one.controls == one.determined == ()
    assert {(edit.thing, edit.attribute) for edit in one.changed} == {(1, "color")}
    assert (0, "shape") not in {(edit.thing, edit.attribute) for edit in one.same}


def test_objects_out_of_the_way_are_controls() -> None:
    one = program("scene", "filter_size small 0", "filter_shape cube 1", "unique 2", "query_color 3")
    everything = found(SCENE, one)
    # One change makes no second small cube of the cylinder, two do: well-posed worlds have one answer.
    assert hidden(everything.controls) == [3]
    assert everything.controls[0].ill_posed
    assert hidden(everything.missing) == [2]


def test_an_ill_posed_program_has_no_states() -> None:
    one = program("scene", "filter_color red 0", "unique 1", "query_size 2")
    assert candidates(SCENE, one) == IllPosed(function="unique", node=2, found=2)


def test_a_hidden_place_may_be_empty() -> None:
    at = SCENE.things[1]
    answers = answers_over(SCENE, REDS, HiddenPlace(x=at.x, y=at.y, thing=1))
    assert [(one.outcome, one.absent) for one in answers] == [(COUNTS[2], False), (COUNTS[1], False)]
    answers = answers_over(SCENE, program("scene", "count 0"), HiddenPlace(x=at.x, y=at.y, thing=1))
    assert [(one.outcome, one.absent, one.world) for one in answers] == [
        (COUNTS[4], False, SCENE),
        (COUNTS[3], True, with_thing(SCENE, 1, None)),
    ]


def test_a_free_place_may_hold_something() -> None:
    free = HiddenPlace(x=-2.5, y=2.5)
    answers = answers_over(SCENE, REDS, free)
    assert [(one.outcome, one.absent) for one in answers] == [(COUNTS[2], True), (COUNTS[3], False)]
    assert answers[1].changes[1] == ("color", "red")
    assert len(answers[1].world.things) == 5
    assert placement_faults(answers[1].world) == ()
    assert occluded(SCENE, ANY_RED, free).even_absent
    assert len(occluded(SCENE, ANY_RED, free).answers) == 1
    # Where nothing may stand, nothing can be hidden.
    beside = HiddenPlace(x=SCENE.things[0].x + 0.3, y=SCENE.things[0].y)
    assert thing_at(SCENE, beside.x, beside.y) is None
    assert [one.outcome for one in answers_over(SCENE, REDS, beside)] == [COUNTS[2]]


def test_no_object_grows_into_another() -> None:
    close = row("small red metal cube", "large blue metal cube")
    near = Scene(things=(close.things[0], with_value(close, 1, "color", "gray").things[1]))
    assert admissible_values(near, 0, "size") == VALUES["size"]
    moved = near.things[1]
    tight = with_thing(near, 1, type(moved)(
        shape="cube", size="large", material="metal", color="blue", x=near.things[0].x + 1.16,
        y=near.things[0].y + 0.648, z=0.7, rotation=0.0,
    ))  # fmt: skip
    assert placement_faults(tight) == ()
    assert admissible_values(tight, 0, "size") == ("small",)
    small = program("scene", "filter_size small 0", "count 1")
    assert len(answers_over(tight, small, HiddenThing(thing=0))) == 1
    assert len(answers_over(near, small, HiddenThing(thing=0))) == 2


@settings(max_examples=25, deadline=None)
@given(programs(), scenes().filter(lambda scene: len(scene.things) in range(1, 4)))
def test_answers_are_those_of_all_assignments(one: Program, scene: Scene) -> None:
    """Against the second executor over every assignment, scene by scene."""
    options = [admissible_values(scene, 0, attribute) for attribute in ATTRIBUTES]
    expected = set()
    for values in product(*options):
        world = scene
        for attribute, value in zip(ATTRIBUTES, values, strict=True):
            world = with_value(world, 0, attribute, value)
        expected.add(relational.execute(one, world))
    answers = answers_over(scene, one, HiddenThing(thing=0))
    assert {answer.outcome for answer in answers} == expected
    assert len(answers) == len(expected)
    assert answers[0].outcome == objects.execute(one, scene)
    for answer in answers:
        assert relational.execute(one, answer.world) == answer.outcome


ASKED = (
    REDS, ANY_RED,
    program("scene", "filter_size large 0", "count 1"),
    program("scene", "count 0", "scene", "filter_shape cube 2", "count 3", "greater_than 1 4"),
    program("scene", "filter_color red 0", "scene", "filter_material metal 2", "union 1 3", "count 4"),
)  # fmt: skip


@pytest.mark.parametrize("one", ASKED)
def test_every_candidate_keeps_what_it_claims(one: Program) -> None:
    for number in range(8):
        scene = sampled(number)
        states = found(scene, one)
        assert states == found(scene, one)
        facts = set(states.relevant)
        edits: tuple[tuple[bool, tuple[Edited, ...]], ...] = ((False, states.same), (True, states.changed))
        for differs, group in edits:
            for edit in group:
                assert edit.world.things[edit.thing].value(edit.attribute) == edit.value
                assert relational.execute(one, edit.world) == edit.outcome
                assert (edit.outcome != states.outcome) == differs
                assert ((edit.thing, edit.attribute) in facts) == differs
                assert placement_faults(edit.world) == ()
        for occlusion in states.missing:
            assert len({answer.outcome for answer in occlusion.answers}) == len(occlusion.answers) >= 2
            for answer in occlusion.answers:
                assert relational.execute(one, answer.world) == answer.outcome
                assert placement_faults(answer.world) == ()
        places = [*hidden(states.missing), *hidden(states.determined), *hidden(states.controls)]
        assert len(set(places)) == len(places)


def test_truths_and_words_are_kept_apart() -> None:
    same = program("scene", "filter_shape sphere 0", "unique 1", "same_color 2", "exist 3")
    states = found(SCENE, same)
    assert states.outcome == Truth(value=True)
    first = next(edit for edit in states.changed if edit.thing == 0)
    assert (first.attribute, first.outcome) == ("color", Truth(value=False))
    query = found(SCENE, SPHERE)
    assert [edit.outcome for edit in query.changed] == [Named(value=word) for word in VALUES["color"] if word != "red"]
