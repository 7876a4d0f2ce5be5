"""Certification of scenes: sound groups are accepted, every planted fault is refused by a premise meant for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from answerable.certify.audit import audit
from answerable.certify.checks import Parcel, certify, check_parcel
from answerable.certify.faults import FAULTS, Plant
from answerable.certify.faults.parts import Parts, apart, together
from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, ProofRecord
from answerable.core.codec import encode
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from answerable.domains.scene.objects import execute
from answerable.domains.scene.outcomes import result_of
from answerable.domains.scene.program import Node, Program
from answerable.domains.scene.proof import Inside, SceneProof, put
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.visibility import Cover, Hide, stage_of
from answerable.domains.scene.world import DIRECTIONS, Directions, Jitter, Scene, with_thing
from answerable.exec import ThisProcess
from answerable.logic.outcomes import answer_of
from tests.certify.forge import parcel
from tests.core.small import manifest
from tests.domains.scene.drawn import drawn
from tests.domains.scene.make import program, thing

PLANTS: dict[str, Plant] = dict(FAULTS.load("scene"))
MEANT = {
    "target": {"answers"},
    "words": {"bound"},
    "what may be inside": {"bound"},
    "one pixel": {"pixels", "witness"},
    "equal answers": {"answers"},
    "observation condition": {"witness"},
    "another place hidden": {"complete", "hidden", "witness"},
    "undetermined as determined": {"determined"},
    "control": {"answers", "hidden"},
    "cover too small": {"complete"},
    "inadmissible world": {"admissible"},
    "second edit": {"answers", "edits", "complete", "witness"},
    "another lamp": {"admissible"},
}
SORTS: tuple[tuple[str, Cover, Inside], ...] = (
    ("query-0", "panel", "one"), ("query-1", "box", "one"), ("count-0", "box", "at most one"),
    ("exist-0", "panel", "at most one"), ("compare-numbers", "box", "one"), ("same-exist", "panel", "one"),
    ("or-count", "box", "at most one"), ("and-query", "panel", "one"),
)  # fmt: skip


def sound(family: str = "query-0", cover: Cover = "panel", inside: Inside = "one") -> Parcel:
    return parcel(drawn(family, cover, inside))


@pytest.mark.parametrize(("family", "cover", "inside"), SORTS)
def test_sound_groups_are_accepted(family: str, cover: Cover, inside: Inside) -> None:
    assert check_parcel(sound(family, cover, inside)).status == "accepted"


def test_a_group_with_every_state_is_accepted() -> None:
    made = drawn("compare-numbers", states="FSKCDM")
    assert [view.state for view in made.group.views] == list("FSKCDM")
    assert check_parcel(parcel(made)).status == "accepted"


def test_all_faults_have_a_premise_that_is_meant_for_them() -> None:
    assert list(PLANTS) == list(MEANT)


@pytest.mark.parametrize("name", PLANTS)
def test_each_fault_changes_the_group_and_is_refused(name: str) -> None:
    for turn, (family, cover, inside) in enumerate(SORTS[:4]):
        good = sound(family, cover, inside)
        for trial in (turn, turn + 4):
            planted = PLANTS[name](good, Stream("test", trial))
            assert planted != good
            found = check_parcel(planted)
            assert (found.status, found.premise in MEANT[name]) == ("refused", True), found
            assert planted.proof is not None
            assert {view.evidence.proof for view in planted.group.views} == {planted.proof.digest()}


def test_the_audit_plants_every_fault_and_sees_it_refused(tmp_path: Any) -> None:
    with BenchmarkWriter(tmp_path / "b") as writer:
        for family, cover, inside in SORTS[1:3]:
            good = sound(family, cover, inside)
            writer.add(good.group, list(good.images), good.proof)
        writer.finish(manifest(), Ledger(lines=(), asked=2, kept=2), "card")
    benchmark = Benchmark(tmp_path / "b")
    assert certify(benchmark, ThisProcess()).statuses == {"accepted": 2}
    found = audit(benchmark, ThisProcess(), trials=2)
    assert [(line.domain, line.fault, line.trials, line.refused) for line in found.lines] == [
        ("scene", name, 2, 2) for name in MEANT
    ]


# ---- by hand


def redrawn(good: Parcel, change: Any = None, **changes: Any) -> Parcel:
    """The proof changed, every picture drawn anew and every answer given anew, as far as that goes."""
    parts: Parts[SceneProof] = apart(good, SceneProof)
    parts.replace_proof(**changes)
    if change is not None:
        change(parts)
    proof = parts.proof
    for claim in proof.claims:
        world = proof.worlds[claim.world]
        parts.images[claim.state] = png.encode(renderer("flat").render(stage_of(world, claim.hide)))
        answer = answer_of(result_of(execute(proof.program, world)))
        if answer is not None and isinstance(parts.views[claim.state].obligation, Answer):
            parts.replace_view(claim.state, obligation=answer)
    return together(good, parts)


def hidden(good: Parcel, state: str = "M") -> Hide:
    hide = next(claim.hide for claim in apart(good, SceneProof).proof.claims if claim.state == state)
    assert hide is not None
    return hide


def hiding(state: str, hide: Hide) -> Any:
    """A change of what one view hides."""

    def change(parts: Parts[SceneProof]) -> None:
        claims = (replace(one, hide=hide) if one.state == state else one for one in parts.proof.claims)
        parts.replace_proof(claims=tuple(claims))

    return change


def refused(found: Parcel, *premises: str) -> str:
    verdict = check_parcel(found)
    assert (verdict.status, verdict.premise in premises) == ("refused", True), verdict
    assert len(verdict.detail) < 600
    return verdict.detail


def large() -> Parcel:
    """A group whose M hides a large thing."""
    for family, cover, inside in SORTS:
        good = sound(family, cover, inside)
        proof, hide = apart(good, SceneProof).proof, hidden(good)
        if any((one.x, one.y, one.size) == (hide.x, hide.y, "large") for one in proof.worlds["F"].things):
            return good
    raise AssertionError("no group hides a large thing")


def test_redrawing_alone_changes_nothing() -> None:
    assert check_parcel(redrawn(sound())).status == "accepted"


def test_a_cover_for_small_things_does_not_hide_a_large_one() -> None:
    good = large()
    detail = refused(redrawn(good, hiding("M", replace(hidden(good), largest="small"))), "complete")
    assert "what is hidden is too large: a large thing, a cover for small" in detail


def test_a_cover_turned_otherwise_is_refused() -> None:
    good = sound("query-1", "box")
    hide = hidden(good)
    detail = refused(redrawn(good, hiding("M", replace(hide, rotation=hide.rotation + 0.7))), "complete")
    assert "the cover is turned otherwise" in detail


def test_a_cover_beside_what_it_hides_is_refused() -> None:
    good = sound()
    hide = hidden(good)
    detail = refused(redrawn(good, hiding("M", replace(hide, x=hide.x + 1e-9))), "complete")
    assert "nothing stands at the hidden place" in detail


def test_covers_of_two_sorts_are_refused() -> None:
    made = parcel(drawn("compare-numbers", states="FSKCDM"))
    refused(redrawn(made, hiding("K", replace(hidden(made, "K"), cover="panel"))), "bound", "hidden", "complete")


STILL = (0.0, 0.0, 0.0)


def studio(**changes: Any) -> Jitter:
    moved: dict[str, Any] = {"camera": STILL, "key": STILL, "fill": STILL, "back": STILL}
    return Jitter(**moved | changes)


def moved_to(good: Parcel, **changes: Any) -> Parcel:
    """Every world in another studio."""
    worlds = {name: replace(world, **changes) for name, world in apart(good, SceneProof).proof.worlds.items()}
    return redrawn(good, worlds=worlds)


def in_another(good: Parcel, **changes: Any) -> Parcel:
    """The same without pictures, of a studio that nothing can be drawn in."""
    parts: Parts[SceneProof] = apart(good, SceneProof)
    parts.replace_proof(worlds={name: replace(world, **changes) for name, world in parts.proof.worlds.items()})
    return together(good, parts)


def test_worlds_of_another_studio_are_refused() -> None:
    good = sound()
    proof = apart(good, SceneProof).proof
    other = proof.worlds | {"C": replace(proof.worlds["C"], jitter=studio(back=(0.3, 0.0, 0.0)))}
    assert "other fixed facts than F" in refused(redrawn(good, worlds=other), "admissible")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"jitter": studio(key=(0.0, 0.0, 50.0))}, "key is moved by 50, more than 1"),
        ({"jitter": studio(camera=(-7.481131553649902, 6.5076398849487305, -5.34366512298584))}, "camera is moved by"),
        ({"jitter": studio(camera=(-7.481131553649902, 6.5076398849487305, 0.0))}, "camera is moved by"),
        ({"jitter": studio(camera=(0.0, 0.0, -8.0))}, "camera is moved by 8"),
    ],
)
def test_a_studio_that_is_not_clevrs_is_refused(changes: dict[str, Any], words: str) -> None:
    assert words in refused(in_another(sound(), **changes), "admissible")


def test_words_that_mean_another_direction_are_refused() -> None:
    """The proof would call left what the picture shows on the right."""
    mirrored = Directions(
        left=DIRECTIONS.right, right=DIRECTIONS.left, behind=DIRECTIONS.behind, front=DIRECTIONS.front,
        above=DIRECTIONS.above, below=DIRECTIONS.below,
    )  # fmt: skip
    assert "right is not the camera's own" in refused(moved_to(sound(), directions=mirrored), "admissible")


def test_a_witness_that_the_question_rules_out_is_refused() -> None:
    """The question says that one thing is hidden; a world without it is none of those that it asks about."""
    good = sound("count-0", "box", "at most one")
    proof, hide = apart(good, SceneProof).proof, hidden(good)

    def said(parts: Parts[SceneProof]) -> None:
        question = put(proof.wording, "one", "box")
        parts.replace_proof(inside="one", question=question)
        for state in parts.views:
            parts.replace_view(state, question=question)

    there = {
        name: any((one.x, one.y) == (hide.x, hide.y) for one in proof.worlds[name].things) for name in ("F", "C")
    }  # fmt: skip
    assert sorted(there.values()) == [False, True]
    detail = refused(redrawn(good, said), "complete")
    assert "not what the question says is hidden: nothing stands at the hidden place" in detail


def test_a_second_thing_put_into_a_world_is_found() -> None:
    good = sound("count-0", "box", "at most one")
    proof = apart(good, SceneProof).proof
    world = proof.worlds["C"]
    gone = next(n for n, one in enumerate(world.things) if one in proof.worlds["F"].things)
    refused(redrawn(good, worlds=proof.worlds | {"C": with_thing(world, gone, None)}), "answers", "edits", "witness")


# ---- hostile proofs


def of_body(good: Parcel, body: bytes) -> Parcel:
    """A parcel with another proof, all names made right."""
    assert good.proof is not None
    proof = ProofRecord(group=good.group.id, domain="scene", body=msgspec.Raw(body))
    views = tuple(
        replace(view, evidence=replace(view.evidence, proof=proof.digest())) for view in good.group.views
    )  # fmt: skip
    return Parcel(replace(good.group, views=views), good.images, proof)


def hostile(name: str) -> bytes:
    proof = apart(sound(), SceneProof).proof
    body = encode(proof)
    full = proof.worlds["F"]
    thing_text = encode(full.things[0])
    x = f'"x":{full.things[0].x!r}'.encode()
    node = b'{"function":"scene","inputs":[],"value":""}'
    many = {
        "a number too large": body.replace(x, b'"x":1e999'),
        "not a number": body.replace(x, b'"x":NaN'),
        "far away": body.replace(x, b'"x":1e308'),
        "an endless text": body.replace(proof.wording.encode(), b"x" * 3_000_000),
        "a huge program": body.replace(b'"nodes":[', b'"nodes":[' + (node + b",") * 200_000),
        "far too many things": body.replace(thing_text, b",".join([thing_text] * 200_000), 1),
        "thousands of worlds": body.replace(
            b'"worlds":{', b'"worlds":{' + b"".join(b'"%d%s":{"things":[]},' % (n, b"w" * 500) for n in range(5000))
        ),
        "deep nesting": b'{"claims":' + b"[" * 200_000,
        "a long name": body.replace(b'"renderer":"flat"', b'"renderer":"' + b"r" * 100_000 + b'"'),
        "an unknown renderer": body.replace(b'"renderer":"flat"', b'"renderer":"../flat"'),
        "another domain's proof": b'{"grid":1}',
        "nothing": b"null",
    }
    return many[name]


@pytest.mark.parametrize(
    "name",
    [
        "a number too large", "not a number", "far away", "an endless text", "a huge program", "far too many things",
        "thousands of worlds", "deep nesting", "a long name", "an unknown renderer", "another domain's proof",
        "nothing",
    ],
)  # fmt: skip
def test_hostile_proofs_are_refused_in_few_words(name: str) -> None:
    body = hostile(name)
    assert body != hostile("nothing") or name == "nothing"
    refused(of_body(sound(), body), "bound")


def test_as_many_things_and_nodes_as_may_be_are_still_decided() -> None:
    """The largest proof that can be read: what it costs is bounded."""
    good = sound()
    proof = apart(good, SceneProof).proof
    crowd = Scene(
        things=tuple(
            thing("small red rubber cube", -3 + 1.5 * (n % 5), -3 + 1.5 * (n // 5)) for n in range(20)
        ),
        jitter=proof.worlds["F"].jitter,
    )  # fmt: skip
    nodes = [Node(function="scene"), *(Node(function="union", inputs=(n, n)) for n in range(98))]
    nodes.append(Node(function="count", inputs=(98,)))
    worlds = dict.fromkeys(proof.worlds, crowd)
    parts: Parts[SceneProof] = apart(good, SceneProof)
    parts.replace_proof(worlds=worlds, program=Program(nodes=tuple(nodes)))
    refused(together(good, parts), "bound", "admissible", "complete", "answers")


def test_another_program_of_the_same_answers_is_not_what_is_asked() -> None:
    good = sound()
    constant = program("scene", "count 0", "equal_integer 1 1")
    parts: Parts[SceneProof] = apart(good, SceneProof)
    parts.replace_proof(program=constant)
    assert "does not ask for what the program reads" in refused(together(good, parts), "bound")


def test_another_version_of_the_renderer_is_said_and_pixels_are_not_compared() -> None:
    good = sound()
    parts: Parts[SceneProof] = apart(good, SceneProof)
    parts.replace_proof(version="flat 0")
    found = check_parcel(together(good, parts))
    assert (found.status, found.premise) == ("other_renderer", "pixels")
    assert found.detail == "drawn by flat 0, here is flat 1: pixels were not compared"
