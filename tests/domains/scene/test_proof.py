"""What the kernel is told of a scene: cells, what is read, what is hidden, and whether that can matter."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from answerable.core.codec import decode, encode
from answerable.core.errors import ProofError, SettingsError
from answerable.core.records import Refusal
from answerable.domains.raster import png
from answerable.domains.scene import proof as scene_proof
from answerable.domains.scene.dependencies import HiddenPlace, HiddenThing
from answerable.domains.scene.proof import (
    NOTHING,
    Claim,
    Inside,
    SceneCase,
    SceneProof,
    cells_of,
    open_case,
    place_of,
    put,
    reads,
    what_is_hidden,
)
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.states import hide_thing
from answerable.domains.scene.visibility import COVERS, Cover, Hide
from answerable.domains.scene.vocabulary import ATTRIBUTES
from answerable.domains.scene.world import Jitter, Scene, with_thing, with_value
from answerable.logic.program import Named, Truth, Undefined
from tests.domains.scene.drawn import drawn, opened
from tests.domains.scene.make import program, row, thing

SCENE = row("large red rubber cube", "small cyan metal sphere", "large blue rubber cylinder")
MATERIAL_OF_RED = program("scene", "filter_color red 0", "unique 1", "query_material 2")
WORDING = "Which material does the red thing have? Answer rubber or metal."
HOW_MANY_SMALL = program("scene", "filter_size small 0", "count 1")
STAND = {place_of(one): one for one in SCENE.things}
RED, CYAN, BLUE = STAND


def case(scene: Scene = SCENE, **changes: Any) -> SceneCase:
    settings: dict[str, Any] = {
        "question": put(WORDING, "one", "box"), "wording": WORDING, "program": MATERIAL_OF_RED, "inside": "one",
        "renderer": "flat", "version": "flat 1", "worlds": {"F": scene}, "claims": (),
    }  # fmt: skip
    return SceneCase(SceneProof(**settings | changes), {}, renderer("flat"))


# ---- cells and facts


def test_every_attribute_of_every_place_is_a_cell() -> None:
    found = case().facts("F")
    assert len(found) == 12
    assert found[RED, "material"] == "rubber"
    assert found[CYAN, "color"] == "cyan"
    assert f"{SCENE.things[0].x!r} {SCENE.things[0].y!r}" == RED


def test_worlds_with_more_or_fewer_things_have_the_same_cells() -> None:
    more = replace(SCENE, things=(*SCENE.things, thing("small gray metal cube", -1.5, 2.0)))
    fewer = with_thing(SCENE, 1, None)
    made = case(worlds={"F": SCENE, "C": more, "S": fewer})
    assert made.facts("F").keys() == made.facts("C").keys() == made.facts("S").keys()
    assert {made.facts("F")["-1.5 2.0", attribute] for attribute in ATTRIBUTES} == {NOTHING}
    assert {made.facts("S")[CYAN, attribute] for attribute in ATTRIBUTES} == {NOTHING}
    assert made.facts("C")["-1.5 2.0", "color"] == "gray"


def test_the_order_of_things_means_nothing() -> None:
    turned = replace(SCENE, things=SCENE.things[::-1])
    assert case(turned).facts("F") == case().facts("F")
    assert case(turned).reads() == case().reads()
    assert case(turned).looks("F") == case().looks("F")


def test_hiding_hides_all_attributes_of_a_place() -> None:
    assert case().hidden("F", hide_thing(SCENE, 1, "box")) == cells_of(CYAN)
    assert cells_of(CYAN) == frozenset((CYAN, attribute) for attribute in ATTRIBUTES)


# ---- what is read


def test_a_query_reads_what_it_asks_for_and_what_makes_the_thing_the_only_one() -> None:
    found = case().reads()
    assert {(RED, "material"), (RED, "color")} <= found
    # Another thing that became red would leave no answer: the question rules it out.
    assert not {(CYAN, "color"), (BLUE, "color")} & found
    assert (CYAN, "material") not in found
    assert (BLUE, "shape") not in found


def test_what_a_count_counts_is_read_even_where_one_change_changes_nothing() -> None:
    found = reads(SCENE, program("scene", "filter_color red 0", "exist 1"), ())
    assert (RED, "color") in found
    two = row("large red rubber cube", "small red metal sphere")
    kept = reads(two, program("scene", "filter_color red 0", "exist 1"), ())
    assert {(place_of(one), "color") for one in two.things} <= kept


def test_a_free_place_is_read_where_something_there_would_matter() -> None:
    free = ((-1.5, 2.0),)
    assert cells_of("-1.5 2.0") <= reads(SCENE, HOW_MANY_SMALL, free)
    # Nothing that stands far behind the only cylinder is in front of it.
    ahead = program("scene", "filter_shape cylinder 0", "filter_color blue 1", "filter_size large 2", "unique 3",
                    "relate front 4", "exist 5")  # fmt: skip
    found = reads(with_thing(SCENE, 1, None), ahead, free)
    assert (place_of(SCENE.things[2]), "shape") in found
    # A second large blue cylinder there would leave the question without an answer, and nothing else matters.
    assert not cells_of("-1.5 2.0") & found
    nothing = program("scene", "filter_shape cube 0", "filter_shape sphere 1", "count 2")
    assert not cells_of("-1.5 2.0") & reads(SCENE, nothing, free)


# ---- the words


@pytest.mark.parametrize("inside", ["one", "at most one"])
@pytest.mark.parametrize("cover", COVERS)
def test_the_words_say_what_may_be_hidden(inside: Inside, cover: Cover) -> None:
    hide = hide_thing(SCENE, 1, cover)
    claims = (Claim("F", "v", "s", "F"), Claim("M", "v", "s", "F", hide))
    assert case(question=put(WORDING, inside, cover), inside=inside, claims=claims).asked()
    other: Inside = "one" if inside == "at most one" else "at most one"
    assert not case(question=put(WORDING, other, cover), inside=inside, claims=claims).asked()
    wrong: Cover = "box" if cover == "panel" else "panel"
    assert not case(question=put(WORDING, inside, wrong), inside=inside, claims=claims).asked()
    assert not case(question=WORDING, inside=inside, claims=claims).asked()
    assert f"a plain black {cover} stands in the scene" in put(WORDING, inside, cover)
    assert ("exactly one thing" in put(WORDING, inside, cover)) == (inside == "one")


def test_words_for_another_program_do_not_ask() -> None:
    hide = hide_thing(SCENE, 1, "box")
    claims = (Claim("M", "v", "s", "F", hide),)
    assert not case(program=HOW_MANY_SMALL, claims=claims).asked()
    assert not case(wording="Anything?", question=put("Anything?", "one", "box"), claims=claims).asked()
    both = (*claims, Claim("K", "v", "s", "F", replace(hide, cover="panel")))
    assert not case(claims=both).asked()
    assert case(question=WORDING).asked()


# ---- what is hidden


def test_what_an_operation_leaves_open() -> None:
    hide = hide_thing(SCENE, 1, "box")
    assert what_is_hidden(SCENE, hide, "one") == HiddenThing(1)
    assert what_is_hidden(SCENE, hide, "at most one") == HiddenPlace(hide.x, hide.y, 1)
    free = Hide(-1.5, 2.0, 0.0, "large", "box")
    assert what_is_hidden(SCENE, free, "at most one") == HiddenPlace(-1.5, 2.0, None)
    assert what_is_hidden(SCENE, free, "one") == "nothing stands at the hidden place"


def test_where_one_thing_is_said_to_be_hidden_one_must_be() -> None:
    """Else a world without it would be a witness that the question's own words rule out."""
    hide = hide_thing(SCENE, 1, "box")
    made = case(worlds={"F": SCENE, "C": with_thing(SCENE, 1, None)})
    assert made.problems("C", hide) == (
        Refusal("not what the question says is hidden", "nothing stands at the hidden place"),
    )
    assert case(worlds={"F": SCENE, "C": with_thing(SCENE, 1, None)}, inside="at most one").problems("C", hide) != (
        made.problems("C", hide)
    )
    assert not any("question" in problem.reason for problem in made.problems("F", hide))


def test_hiding_what_decides_leaves_the_answer_open() -> None:
    assert case().undetermined(hide_thing(SCENE, 0, "box")) == "something that may be hidden gives another answer"


def test_of_what_is_read_every_world_must_have_an_answer() -> None:
    # Whatever else the red thing were, nothing would be red: its place alone does not make the question answerable.
    asked = program("scene", "filter_color red 0", "unique 1", "relate left 2", "count 3")
    made = case(program=asked)
    assert made.reads() & cells_of(RED)
    assert made.undetermined(hide_thing(SCENE, 0, "box")) == "something that may be hidden gives another answer"


def test_of_what_is_not_read_worlds_that_the_question_rules_out_do_not_count() -> None:
    """*The* small red cube is the only one, so what is hidden is none."""
    asked = program("scene", "filter_size large 0", "filter_color red 1", "filter_shape cube 2", "unique 3",
                    "query_material 4")  # fmt: skip
    made = case(program=asked)
    # No one change makes another thing a large red cube, three at once do.
    assert not made.reads() & cells_of(CYAN)
    assert made.undetermined(hide_thing(SCENE, 1, "box")) == ""
    assert made.undetermined(hide_thing(SCENE, 0, "box")) != ""


def test_something_more_that_is_counted_is_found() -> None:
    counted = program("scene", "filter_color red 0", "filter_shape cube 1", "filter_size large 2", "count 3")
    made = case(program=counted)
    assert not made.reads() & cells_of(CYAN)
    assert made.undetermined(hide_thing(SCENE, 1, "box")) == "something that may be hidden gives another answer"


def test_executors_that_disagree_on_what_may_be_hidden_determine_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scene_proof._EXECUTORS, "relational", lambda *_: Truth(value=True))
    found = case().undetermined(hide_thing(SCENE, 1, "box"))
    assert found == "the executors disagree on something that may be hidden"


def test_a_place_that_may_be_empty_is_gone_through_empty() -> None:
    everything = program("scene", "count 0")
    hide = hide_thing(SCENE, 1, "box")
    assert case(program=everything).undetermined(hide) == ""
    assert case(program=everything, inside="at most one").undetermined(hide) != ""
    free = Hide(-1.5, 2.0, 0.0, "large", "box")
    assert case(program=everything, inside="at most one").undetermined(free) != ""
    assert case(program=everything).undetermined(free) == "nothing stands at the hidden place"
    assert "each of 96 things" in case(program=everything).settled(hide)
    assert "each of 97 things" in case(program=everything, inside="at most one").settled(hide)


# ---- worlds


def test_both_executors_answer() -> None:
    made = case()
    assert made.executors == ("objects", "relational")
    assert {made.execute(executor, "F") for executor in made.executors} == {Named(value="rubber")}
    two = with_value(SCENE, 2, "color", "red")
    assert {case(two).execute(executor, "F") for executor in made.executors} == {Undefined(reason="tie")}
    none = with_value(SCENE, 0, "color", "green")
    assert {case(none).execute(executor, "F") for executor in made.executors} == {Undefined(reason="nothing selected")}


def test_the_studio_is_fixed_and_turns_are_looks() -> None:
    still = (0.0, 0.0, 0.0)
    lit = replace(SCENE, jitter=Jitter(camera=still, key=(0.1, 0.0, 0.0), fill=still, back=still))
    turned = replace(SCENE, things=(replace(SCENE.things[0], rotation=10.0), *SCENE.things[1:]))
    made = case(worlds={"F": SCENE, "S": lit, "C": turned, "X": with_thing(SCENE, 0, None)})
    assert made.fixed_facts("S") != made.fixed_facts("F")
    assert made.fixed_facts("C") == made.fixed_facts("F") == made.fixed_facts("X")
    assert made.looks("C") != made.looks("F")
    assert made.looks("X").items() < made.looks("F").items()


def test_worlds_that_break_the_rules_are_not_admissible() -> None:
    assert case().admissible("F") == ()
    floating = replace(SCENE, things=(replace(SCENE.things[0], z=1.4), *SCENE.things[1:]))
    assert "does not rest on the ground" in case(floating).admissible("F")[0]
    still = (0.0, 0.0, 0.0)
    below = replace(SCENE, jitter=Jitter(camera=(0.0, 0.0, -9.0), key=still, fill=still, back=still))
    assert case(below).admissible("F") == ("camera is moved by 9, more than 0.75",)


def test_stored_and_drawn_pixels_are_compared_as_pixels() -> None:
    made = drawn()
    views = made.group.views
    pictures = dict(zip((view.id for view in views), made.images, strict=True))
    found = open_case(bytes(made.proof.body) if made.proof else b"", pictures)
    for claim in found.claims:
        assert found.rendered(claim.world, claim.hide) == found.stored(claim.view)
    full, missing = views[0], views[-1]
    assert found.stored(full.id) != found.stored(missing.id)
    assert found.stored(full.id).startswith(b"480x320 ")
    assert found.versions == ("flat 1", "flat 1")
    again = SceneCase(opened(made), pictures | {full.id: png.encode(png.decode(made.images[0]))}, renderer("flat"))
    assert again.stored(full.id) == found.stored(full.id)


def test_how_much_light_would_tell() -> None:
    made = SceneCase(opened(drawn(cover="panel")), {}, renderer("flat"))
    hide = next(claim.hide for claim in made.claims if claim.state == "M")
    assert hide is not None
    # The flat renderer draws no shadow and no reflection: what is covered whole leaves no trace.
    assert made.leak(hide, 2) == 0
    moved = replace(hide, x=hide.x + 0.4, y=hide.y - 0.4)
    assert 0 <= made.leak(moved, 2) <= 1


def test_what_is_told_names_places_and_attributes() -> None:
    assert case().told() == "the material of the one thing that is red"
    assert case().named((CYAN, "color")) == f"color at ({CYAN.replace(' ', ', ')})"
    assert case().look(hide_thing(SCENE, 0, "panel")) == "panel"


# ---- the record


def test_a_proof_survives_the_round_trip() -> None:
    for inside in ("one", "at most one"):
        made = drawn("count-0", inside=inside)
        found = opened(made)
        assert decode(encode(found), SceneProof) == found
        assert made.proof is not None
        assert encode(found) == encode(msgspec.Raw(bytes(made.proof.body)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"worlds": {}}, "expected a world F and at most 4 worlds; got []"),
        ({"worlds": {"C": SCENE}}, r"got \['C'\]"),
        ({"worlds": dict.fromkeys("FSCXY", SCENE)}, "at most 4 worlds"),
        ({"renderer": "x" * 101}, "expected a renderer of at most 100 signs; got 101"),
        ({"version": "x" * 401}, "expected a version of at most 400 signs; got 401"),
    ],
)
def test_proofs_that_say_too_much_or_too_little_are_none(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("[]", r"\[\]")):
        case(**changes)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"question":1}', b"\xff", b"[" * 100_000])
def test_what_is_no_proof_is_said_to_be_none(body: bytes) -> None:
    with pytest.raises(ProofError, match="expected a proof about a scene"):
        open_case(body, {})


def test_a_renderer_nobody_knows_is_named() -> None:
    body = encode(replace(opened(drawn()), renderer="povray"))
    with pytest.raises(
        SettingsError, match="expected a renderer of scenes, one of mitsuba, blender, flat; got 'povray'"
    ):
        open_case(body, {})
