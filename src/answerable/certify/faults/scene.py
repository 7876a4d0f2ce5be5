"""Faults planted in groups of scenes.

A picture is drawn anew only where nothing but pixels could give the fault away: drawing takes seconds, and the
premises before are decided without any.
"""

from __future__ import annotations

import msgspec

from answerable.certify.checks import Parcel
from answerable.certify.faults import Plant
from answerable.certify.faults.parts import (
    Parts,
    apart,
    falsify_target,
    pass_off_as_determined,
    plant_equal_answers,
    plant_pixel,
    together,
)
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from answerable.domains.scene.proof import Inside, SceneProof, put
from answerable.domains.scene.renderers import renderer
from answerable.domains.scene.visibility import Hide, stage_of
from answerable.domains.scene.vocabulary import ATTRIBUTES, VALUES, Attribute
from answerable.domains.scene.world import Scene, with_thing, with_value


def _open(parcel: Parcel) -> Parts[SceneProof]:
    return apart(parcel, SceneProof)


def _hidden(parts: Parts[SceneProof], state: str = "M") -> Hide:
    hide = next(claim.hide for claim in parts.proof.claims if claim.state == state)
    if hide is None:
        raise ValueError(f"expected something hidden in state {state}")
    return hide


def _claim(parts: Parts[SceneProof], state: str, **changes: object) -> None:
    """Change what the proof says of one view."""
    claims = (msgspec.structs.replace(one, **changes) if one.state == state else one for one in parts.proof.claims)
    parts.replace_proof(claims=tuple(claims))


def _standing(scene: Scene, hide: Hide) -> int | None:
    return next((n for n, thing in enumerate(scene.things) if (thing.x, thing.y) == (hide.x, hide.y)), None)


def plant_target(parcel: Parcel, stream: Stream) -> Parcel:
    """Another target in a supported view."""
    parts = _open(parcel)
    falsify_target(parts, [word for attribute in ATTRIBUTES for word in VALUES[attribute]], stream)
    return together(parcel, parts)


def plant_words(parcel: Parcel, stream: Stream) -> Parcel:
    """Words that ask for something else: one word of the question becomes another of its kind."""
    parts = _open(parcel)
    wording = parts.proof.wording
    words = [word for values in VALUES.values() for word in values if f" {word}" in wording.partition("?")[0]]
    swaps = {
        word: stream.pick([w for w in next(v for v in VALUES.values() if word in v) if w != word]) for word in words
    }
    old = stream.pick(sorted(swaps)) if swaps else ""
    # A question without such a word is made to count what it asked of.
    other = wording.replace(old, swaps[old], 1) if old else f"How many things are there? {wording}"
    _ask(parts, wording=other)
    return together(parcel, parts)


def _ask(parts: Parts[SceneProof], **changes: object) -> None:
    parts.replace_proof(**changes)
    hide = _hidden(parts)
    question = put(parts.proof.wording, parts.proof.inside, hide.cover)
    parts.replace_proof(question=question)
    for state in parts.views:
        parts.replace_view(state, question=question)


def plant_inside(parcel: Parcel, _: Stream) -> Parcel:
    """The question says other things of what may be hidden than the proof."""
    parts = _open(parcel)
    other: Inside = "one" if parts.proof.inside == "at most one" else "at most one"
    question = put(parts.proof.wording, other, _hidden(parts).cover)
    parts.replace_proof(question=question)
    for state in parts.views:
        parts.replace_view(state, question=question)
    return together(parcel, parts)


def plant_observation(parcel: Parcel, _: Stream) -> Parcel:
    """M hides the deciding thing from the camera alone: its light still reaches the picture, drawn so."""
    parts = _open(parcel)
    full, draw = parts.proof.worlds["F"], renderer(parts.proof.renderer).render
    shown = png.encode(draw(stage_of(full, _hidden(parts), take_away=False)))
    if shown == parts.images["M"]:
        # No light tells, as inside a closed box: the cover itself is taken off.
        shown = png.encode(draw(stage_of(full)))
    parts.images["M"] = shown
    return together(parcel, parts)


def plant_other_place(parcel: Parcel, _: Stream) -> Parcel:
    """M hides another place than the one that decides."""
    parts = _open(parcel)
    hide, full = _hidden(parts), parts.proof.worlds["F"]
    other = next(thing for thing in full.things if (thing.x, thing.y) != (hide.x, hide.y))
    moved = msgspec.structs.replace(hide, x=other.x, y=other.y, rotation=other.rotation)
    _claim(parts, "M", hide=moved)
    return together(parcel, parts)


def plant_determined(parcel: Parcel, _: Stream) -> Parcel:
    """M is passed off as D: the same picture, said to have the answer of F."""
    parts = _open(parcel)
    pass_off_as_determined(parts)
    return together(parcel, parts)


def plant_control(parcel: Parcel, _: Stream) -> Parcel:
    """K hides what decides the answer; without a K, S is edited where the answer rests."""
    parts = _open(parcel)
    if "K" in parts.views:
        _claim(parts, "K", hide=_hidden(parts))
        parts.images["K"] = parts.images["M"]
    else:
        parts.replace_proof(worlds=parts.proof.worlds | {"S": parts.proof.worlds["C"]})
        parts.images["S"] = parts.images["C"]
    return together(parcel, parts)


def plant_small_cover(parcel: Parcel, _: Stream) -> Parcel:
    """The cover of M is too small for what may be there, or turned otherwise than what is."""
    parts = _open(parcel)
    hide = _hidden(parts)
    small = msgspec.structs.replace(hide, largest="small")
    large = any(
        thing.size == "large"
        for world in parts.proof.worlds.values()
        for thing in world.things
        if (thing.x, thing.y) == (hide.x, hide.y)
    )
    _claim(parts, "M", hide=small if large else msgspec.structs.replace(hide, rotation=hide.rotation + 45.0))
    return together(parcel, parts)


def plant_inadmissible(parcel: Parcel, stream: Stream) -> Parcel:
    """A world with a thing that has moved into another one, or that floats above the ground."""
    parts = _open(parcel)
    name = stream.pick(sorted(parts.proof.worlds))
    world = parts.proof.worlds[name]
    thing = world.things[0]
    other = world.things[-1]
    moved = (
        msgspec.structs.replace(thing, z=thing.z + 0.5)
        if stream.below(2)
        else msgspec.structs.replace(thing, x=other.x + 0.1, y=other.y)
    )
    parts.replace_proof(worlds=parts.proof.worlds | {name: with_thing(world, 0, moved)})
    return together(parcel, parts)


def plant_second_edit(parcel: Parcel, stream: Stream) -> Parcel:
    """C or S differs from F in something else as well."""
    parts = _open(parcel)
    name = stream.pick(("S", "C"))
    world, hide = parts.proof.worlds[name], _hidden(parts)
    full = parts.proof.worlds["F"]
    # A place at which both worlds have the same, so that one more change is a second one.
    free = [
        number for number, thing in enumerate(world.things)
        if thing in full.things and (thing.x, thing.y) != (hide.x, hide.y)
    ]  # fmt: skip
    number = stream.pick(free)
    attribute: Attribute = "color" if stream.below(2) else "material"
    value = stream.pick([value for value in VALUES[attribute] if value != world.things[number].value(attribute)])
    parts.replace_proof(worlds=parts.proof.worlds | {name: with_value(world, number, attribute, value)})
    return together(parcel, parts)


def plant_lamp(parcel: Parcel, _: Stream) -> Parcel:
    """C is lit by a lamp that stands elsewhere."""
    parts = _open(parcel)
    world = parts.proof.worlds["C"]
    jitter = world.jitter
    if jitter is None:
        return parcel
    x, y, z = jitter.key
    moved = msgspec.structs.replace(world, jitter=msgspec.structs.replace(jitter, key=(x + 0.5, y, z)))
    parts.replace_proof(worlds=parts.proof.worlds | {"C": moved})
    return together(parcel, parts)


FAULTS: dict[str, Plant] = {
    "target": plant_target,
    "words": plant_words,
    "what may be inside": plant_inside,
    "one pixel": plant_pixel(SceneProof),
    "equal answers": plant_equal_answers(SceneProof),
    "observation condition": plant_observation,
    "another place hidden": plant_other_place,
    "undetermined as determined": plant_determined,
    "control": plant_control,
    "cover too small": plant_small_cover,
    "inadmissible world": plant_inadmissible,
    "second edit": plant_second_edit,
    "another lamp": plant_lamp,
}
