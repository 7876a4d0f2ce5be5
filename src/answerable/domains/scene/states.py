"""From a scene and a question to a group: its states, their pictures and their proof.

S edits something that the answer does not rest on, C something that it does. M hides the place where C differs from F:
the two scenes then give one picture. K hides a thing that the question does not rest on, D one that it refers to while
the answer is the same whatever is hidden.

Source: "When Does an Image Determine the Answer?", sections 3.1 and 3.2, for scenes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal

import msgspec

from answerable.core.records import Obligation, Refusal, State
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft, Sheet, assemble_group, obligation_of
from answerable.domains.raster import png
from answerable.domains.scene.dependencies import (
    Candidates,
    HiddenPlace,
    admissible_values,
    answers_over,
    candidates,
    thing_at,
)
from answerable.domains.scene.objects import execute
from answerable.domains.scene.outcomes import IllPosed, result_of
from answerable.domains.scene.program import Program, depth, family, type_of
from answerable.domains.scene.proof import DOMAIN, Claim, Inside, SceneCase, SceneProof, place_of, put
from answerable.domains.scene.renderers import Renderer, renderer
from answerable.domains.scene.sampler import free_place
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.views import whole_problems
from answerable.domains.scene.visibility import Cover, Hide, stage_of
from answerable.domains.scene.vocabulary import ATTRIBUTES
from answerable.domains.scene.world import Scene, with_thing

#: Edits, and things to hide, that are tried for one state.
_TRIES = 12
NOTES: dict[State, str] = {
    "F": "the complete scene",
    "S": "one attribute that the answer does not rest on changed",
    "K": "a thing that the question does not rest on hidden the way M hides",
    "C": "something that the answer rests on changed",
    "D": "a thing that the question refers to hidden; the answer is the same whatever it is",
    "M": "a place that decides the answer hidden; two complete scenes give these pixels",
}


class Request(msgspec.Struct, frozen=True):
    """What to make of a scene and a question."""

    source: str
    figure: str
    split: Literal["test", "train"]
    wording: str
    program: Program
    cover: Cover
    inside: Inside
    renderer: str
    names: tuple[str | int, ...]
    """Seed of every choice below."""


Shown = tuple[State, str, Hide | None]


class _Plan(msgspec.Struct):
    """The worlds of a group, and which of them each state shows, how."""

    worlds: dict[str, Scene]
    shown: list[Shown]


def make_group(scene: Scene, request: Request) -> Draft | Refusal:
    """Build every state that the scene allows, or say why not. Refusals have one of the reasons of the ledger.

    F, S, C and M are always there; K and D where something may be hidden so.

    Raises:
        MissingExtraError: the renderer is not installed.
        RenderError: it failed.
    """
    stream = Stream(*request.names)
    problems = whole_problems(scene)
    if problems:
        return problems[0]
    found = candidates(scene, request.program)
    if isinstance(found, IllPosed):
        return Refusal("no answer", f"{found.found} things instead of one")
    changed = _changed(scene, request, found, stream)
    if changed is None:
        return Refusal(
            "nothing to hide", "no admissible change of what is hidden gives another answer and two whole views"
        )
    plan = _plan(scene, request, found, changed, stream)
    if isinstance(plan, Refusal):
        return plan
    drawing = renderer(request.renderer)
    stages = {state: stage_of(plan.worlds[world], hide) for state, world, hide in plan.shown}
    if stage_of(plan.worlds["C"], changed[1]) != stages["M"]:
        return Refusal("witness fails", "the hidden stages of the two worlds differ")
    images = {state: png.encode(drawing.render(stage)) for state, stage in stages.items()}
    return _assemble(request, plan, images, drawing)


def _plan(
    scene: Scene, request: Request, found: Candidates, changed: tuple[Scene, Hide], stream: Stream
) -> _Plan | Refusal:
    other, hide = changed
    worlds = {"F": scene, "C": other}
    # The case that the proof will be checked with says what is read and what is determined; S adds no place.
    case = SceneCase(_proof(request, _Plan(worlds, []), (), ""), {}, renderer(request.renderer))
    read = case.reads()
    same = next((edit for edit in _same(found, stream, scene, read) if not whole_problems(edit)), None)
    if same is None:
        return Refusal("nothing else to edit", "no attribute is left that the answer does not rest on")
    worlds["S"] = same
    shown: list[Shown] = [("F", "F", None), ("S", "S", None)]
    controls: tuple[State, ...] = ("K", "D")
    for state in controls:
        control = _control(scene, request, case, read, stream, wanted=state == "D")
        if control is not None:
            shown.append((state, "F", control))
    shown += [("C", "C", None), ("M", "F", hide)]
    order = list(NOTES)
    shown.sort(key=lambda one: order.index(one[0]))
    return _Plan(worlds, shown)


def _same(found: Candidates, stream: Stream, scene: Scene, read: frozenset[tuple[str, str]]) -> Iterator[Scene]:
    """S, in random order."""
    edits = [
        edit for edit in found.same if (place_of(scene.things[edit.thing]), edit.attribute) not in read
    ]  # fmt: skip
    for edit in islice(stream.sample(edits, len(edits)), _TRIES):
        yield edit.world


def _changed(scene: Scene, request: Request, found: Candidates, stream: Stream) -> tuple[Scene, Hide] | None:
    """C, and the operation under which F and C look alike."""
    pairs = _by_edit(scene, request, found, stream) if request.inside == "one" else _by_place(scene, request, stream)
    for other, hide in islice(pairs, _TRIES):
        if not any(whole_problems(world, cover) for world, cover in ((scene, hide), (other, None), (other, hide))):
            return other, hide
    return None


def _by_edit(
    scene: Scene, request: Request, found: Candidates, stream: Stream
) -> Iterator[tuple[Scene, Hide]]:  # fmt: skip
    for edit in stream.sample(found.changed, len(found.changed)):
        yield edit.world, hide_thing(scene, edit.thing, request.cover)


def _by_place(scene: Scene, request: Request, stream: Stream) -> Iterator[tuple[Scene, Hide]]:
    """A thing taken out of the scene, or put into it."""
    now = execute(request.program, scene)
    for _ in range(_TRIES):
        if stream.below(2):
            number = stream.below(len(scene.things))
            without = with_thing(scene, number, None)
            found = execute(request.program, without)
            if found != now and not isinstance(found, IllPosed):
                yield without, hide_thing(scene, number, request.cover)
            continue
        place = free_place(scene, stream)
        if place is None:
            continue
        worlds = [one for one in answers_over(scene, request.program, HiddenPlace(*place)) if not one.absent]
        other = [one for one in worlds if one.outcome != now and not isinstance(one.outcome, IllPosed)]
        if other:
            yield stream.pick(other).world, _hide_place(scene, place, request.cover)


def hide_thing(scene: Scene, number: int, cover: Cover) -> Hide:
    """The operation that hides a thing, whatever it may be instead."""
    thing = scene.things[number]
    largest: Literal["large", "small"] = "large" if "large" in admissible_values(scene, number, "size") else "small"
    return Hide(thing.x, thing.y, thing.rotation, largest, cover)


def _hide_place(scene: Scene, place: tuple[float, float], cover: Cover) -> Hide:
    thing = thing_at(scene, *place)
    if thing is None:
        raise ValueError(f"expected a free place; got {place}")
    more = msgspec.structs.replace(scene, things=(*scene.things, thing))
    return msgspec.structs.replace(hide_thing(more, len(scene.things), cover), rotation=thing.rotation)


def _control(
    scene: Scene,
    request: Request,
    case: SceneCase,
    read: frozenset[tuple[str, str]],
    stream: Stream,
    *,
    wanted: bool,
) -> Hide | None:
    """An operation for K, or for D where what it hides is ``wanted`` to be read; None where there is none."""
    order = stream.sample(range(len(scene.things)), len(scene.things))
    for number in order:
        place = place_of(scene.things[number])
        met = any((place, attribute) in read for attribute in ATTRIBUTES)
        if met != wanted:
            continue
        hide = hide_thing(scene, number, request.cover)
        if not whole_problems(scene, hide) and not case.undetermined(hide):
            return hide
    return None


def _proof(request: Request, plan: _Plan, claims: tuple[Claim, ...], version: str) -> SceneProof:
    return SceneProof(
        question=put(request.wording, request.inside, request.cover),
        wording=request.wording,
        program=request.program,
        inside=request.inside,
        renderer=request.renderer,
        version=version,
        worlds=plan.worlds,
        claims=claims,
    )


def _obligation(request: Request, plan: _Plan, state: str, world: str) -> Obligation:
    return obligation_of(state, result_of(execute(request.program, plan.worlds[world])))


def _assemble(request: Request, plan: _Plan, images: dict[State, bytes], drawing: Renderer) -> Draft:
    program = request.program
    return assemble_group(
        request,
        DOMAIN,
        [plan.worlds["F"], program, request.cover, request.inside],
        plan.shown,
        images,
        dict.fromkeys(images, (WIDTH, HEIGHT)),
        Sheet(
            put(request.wording, request.inside, request.cover), NOTES, drawing.version, family(program), depth(program)
        ),
        lambda state, world: _obligation(request, plan, state, world),
        Claim,
        lambda claims: _proof(request, plan, claims, drawing.version),
    )


def counts_things(program: Program) -> bool:
    """Whether an answer may hang on whether something is there at all."""
    return type_of(program) in ("Integer", "Boolean")
