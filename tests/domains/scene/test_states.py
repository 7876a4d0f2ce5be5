"""Groups of scenes: their states, what each shows, and why a scene gives none."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from answerable.core.records import Abstain, Answer, Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from answerable.domains.scene import states
from answerable.domains.scene.objects import execute
from answerable.domains.scene.outcomes import result_of
from answerable.domains.scene.program import Program
from answerable.domains.scene.proof import Inside, place_of, put, reads
from answerable.domains.scene.questions import Question, ask
from answerable.domains.scene.relational import execute as execute_relational
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.states import NOTES, counts_things, hide_thing, make_group
from answerable.domains.scene.templates import FAMILIES
from answerable.domains.scene.visibility import COVERS, Cover, stage_of
from answerable.domains.scene.vocabulary import ATTRIBUTES
from answerable.domains.scene.world import Scene, placement_faults
from answerable.logic.outcomes import answer_of
from tests.domains.scene.drawn import drawn, opened, request
from tests.domains.scene.make import program, row, sampled, thing

SORTS: tuple[tuple[str, Cover, Inside], ...] = (
    ("query-0", "box", "one"), ("query-1", "panel", "one"), ("count-0", "box", "at most one"),
    ("exist-0", "panel", "at most one"), ("compare-numbers", "box", "one"), ("same-exist", "panel", "one"),
)  # fmt: skip


@pytest.mark.parametrize(("family", "cover", "inside"), SORTS)
def test_every_view_is_what_its_state_says(family: str, cover: Cover, inside: Inside) -> None:
    made = drawn(family, cover, inside)
    proof = opened(made)
    views = {view.state: view for view in made.group.views}
    assert list(views) == [state for state in NOTES if state in views]
    assert {"F", "S", "C", "M"} <= set(views)
    answers = {name: answer_of(result_of(execute(proof.program, world))) for name, world in proof.worlds.items()}
    again = {
        name: answer_of(result_of(execute_relational(proof.program, world))) for name, world in proof.worlds.items()
    }
    assert answers == again
    assert answers["F"] == answers["S"] != answers["C"]
    assert None not in answers.values()
    for claim in proof.claims:
        duty: Any = Abstain(reason="missing") if claim.state == "M" else answers[claim.world]
        assert views[claim.state].obligation == duty
        assert (claim.hide is not None) == (claim.state in "KDM")
        if claim.hide is not None:
            assert (claim.world, claim.hide.cover) == ("F", cover)
    assert {view.question for view in made.group.views} == {put(proof.wording, inside, cover)}
    assert {view.evidence.level for view in made.group.views} == {"proved"}
    assert {view.evidence.note for view in made.group.views} <= set(NOTES.values())
    assert all(placement_faults(world) == () for world in proof.worlds.values())


@pytest.mark.parametrize(("family", "cover", "inside"), SORTS)
def test_pictures_are_those_of_the_worlds(family: str, cover: Cover, inside: Inside) -> None:
    made = drawn(family, cover, inside)
    proof, draw = opened(made), renderer("flat").render
    for claim, data in zip(proof.claims, made.images, strict=True):
        assert png.encode(draw(stage_of(proof.worlds[claim.world], claim.hide))) == data
        if claim.state == "M":
            assert png.encode(draw(stage_of(proof.worlds["C"], claim.hide))) == data
    assert len(set(made.images)) == len(made.images)


def differing(one: Scene, other: Scene) -> list[Any]:
    """Things of the second that the first lacks."""
    return [thing for thing in other.things if thing not in one.things]


def test_s_edits_one_thing_in_one_way_that_is_not_read() -> None:
    for family, cover, inside in SORTS:
        proof = opened(drawn(family, cover, inside))
        full, same = proof.worlds["F"], proof.worlds["S"]
        (edited,) = differing(full, same)
        before = next(one for one in full.things if (one.x, one.y) == (edited.x, edited.y))
        (attribute,) = [name for name in ATTRIBUTES if before.value(name) != edited.value(name)]
        assert (place_of(edited), attribute) not in reads(full, proof.program, ())


def test_where_one_thing_is_hidden_both_worlds_have_one() -> None:
    for family, cover, inside in SORTS:
        proof = opened(drawn(family, cover, inside))
        hide = next(claim.hide for claim in proof.claims if claim.state == "M")
        assert hide is not None
        there = [
            sum((one.x, one.y) == (hide.x, hide.y) for one in proof.worlds[name].things) for name in ("F", "C")
        ]  # fmt: skip
        assert there == [1, 1] if inside == "one" else sum(there) >= 1


def test_a_thing_may_come_or_go_where_at_most_one_is_hidden() -> None:
    counts = {
        (len(opened(made).worlds["F"].things), len(opened(made).worlds["C"].things))
        for seed in range(8)
        for made in [drawn("count-0", "box", "at most one", seed)]
    }
    changes = {after - before for before, after in counts}
    assert {-1, 1} <= changes <= {-1, 0, 1}


def test_k_and_d_hide_what_cannot_matter() -> None:
    made = drawn("compare-numbers", states="FSKCDM")
    proof = opened(made)
    assert [view.state for view in made.group.views] == list("FSKCDM")
    full = proof.worlds["F"]
    read = {cell[0] for cell in reads(full, proof.program, ())}
    hides = {claim.state: claim.hide for claim in proof.claims if claim.hide is not None}
    assert set(hides) == set("KDM")
    assert place_of(hides["K"]) not in read
    assert place_of(hides["D"]) in read
    assert place_of(hides["M"]) in read
    assert len({place_of(hide) for hide in hides.values()}) == 3


def test_the_same_request_gives_the_same_group() -> None:
    made = drawn()
    proof = opened(made)
    asked = Question("query-0", proof.wording, proof.program, Answer(target="x", type="text"))
    names = ("again", 1)
    one, other = (make_group(proof.worlds["F"], request(asked, names=names)) for _ in range(2))
    assert one == other
    assert isinstance(one, Draft)
    # Other names give other choices and other view ids, and the group is the same one.
    another = make_group(proof.worlds["F"], request(asked, names=("again", 2)))
    assert isinstance(another, Draft)
    assert (another.group.id, another.content) == (one.group.id, one.content)
    assert {view.id for view in another.group.views}.isdisjoint(view.id for view in one.group.views)


# ---- refusals

WIDE = row("large red rubber cube", "small cyan metal sphere", "large blue rubber cylinder")
WORDING = "Which material does the red thing have?"


def attempt(scene: Scene, asked: Program, **changes: Any) -> Draft | Refusal:
    return make_group(scene, request(Question("by hand", WORDING, asked, Answer(target="x", type="text")), **changes))


def refused(scene: Scene, asked: Program, **changes: Any) -> Refusal:
    found = attempt(scene, asked, **changes)
    assert isinstance(found, Refusal), found.group.views
    return found


RED_MATERIAL = program("scene", "filter_color red 0", "unique 1", "query_material 2")


def test_a_scene_that_is_not_whole_is_refused() -> None:
    behind = Scene(things=(thing("large red rubber cube", 1.1, -0.95), thing("small cyan rubber cube", 0.0, 0.0)))
    assert refused(behind, RED_MATERIAL).reason == "a thing is hardly seen"


def test_a_question_without_an_answer_is_refused() -> None:
    green = program("scene", "filter_color green 0", "unique 1", "query_material 2")
    assert refused(WIDE, green) == Refusal("no answer", "0 things instead of one")


@pytest.mark.parametrize("inside", ["one", "at most one"])
def test_a_question_whose_answer_nothing_changes_is_refused(inside: Inside) -> None:
    constant = program("scene", "count 0", "equal_integer 1 1")
    assert refused(WIDE, constant, inside=inside).reason == "nothing to hide"


def test_a_count_of_everything_is_open_only_where_a_place_may_be_empty() -> None:
    everything = program("scene", "count 0")
    assert refused(WIDE, everything).reason == "nothing to hide"
    # Then every attribute of every thing is read, as part of a thing that may be gone, so that there is no S.
    made = {refused(WIDE, everything, inside="at most one", names=("count", n)).reason for n in range(6)}
    assert "nothing else to edit" in made


def test_a_scene_without_anything_else_to_edit_is_refused() -> None:
    alone = row("large red rubber cube")
    asked = program(
        "scene", "filter_size large 0", "filter_color red 1", "filter_shape cube 2", "unique 3", "query_material 4"
    )
    assert refused(alone, asked).reason == "nothing else to edit"


def test_stages_that_differ_once_hidden_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cannot happen while hiding takes things away; if it did, no picture would be drawn."""
    monkeypatch.setattr(states, "stage_of", lambda scene, hide=None: stage_of(scene, hide, take_away=False))
    assert refused(WIDE, RED_MATERIAL) == Refusal("witness fails", "the hidden stages of the two worlds differ")


def test_an_empty_scene_gives_no_question() -> None:
    for family in FAMILIES:
        assert isinstance(ask(Scene(things=()), family, Stream("empty", family)), Refusal)


# ---- parts


@pytest.mark.parametrize("cover", COVERS)
def test_what_hides_a_thing_is_made_for_the_largest_that_fits(cover: Cover) -> None:
    for number in range(10):
        scene = sampled(number)
        for place, one in enumerate(scene.things):
            hide = hide_thing(scene, place, cover)
            assert (hide.x, hide.y, hide.rotation, hide.cover) == (one.x, one.y, one.rotation, cover)
            if one.size == "large":
                assert hide.largest == "large"
    near = Scene(things=(thing("large red rubber cube"), thing("small red rubber cube", 0.0, 1.35)))
    assert hide_thing(near, 1, cover).largest == "small"
    assert hide_thing(WIDE, 1, cover).largest == "large"


def test_counts_and_truths_hang_on_what_is_there() -> None:
    assert counts_things(program("scene", "count 0"))
    assert counts_things(program("scene", "exist 0"))
    assert not counts_things(RED_MATERIAL)


def test_content_tells_covers_and_what_may_be_hidden_apart() -> None:
    proof = opened(drawn())
    asked = Question("query-0", proof.wording, proof.program, Answer(target="x", type="text"))
    contents = set()
    for cover in COVERS:
        made = make_group(proof.worlds["F"], request(asked, cover=cover, names=("content",)))
        if isinstance(made, Draft):
            contents.add(made.content)
    assert len(contents) == 2
    assert replace(proof, wording="x") != proof
