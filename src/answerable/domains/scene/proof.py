"""Proofs about scenes, and how the kernel gets at what they speak of.

A cell is an attribute of a place: ``("1.5 -0.25", "color")``. Places are named by where they are, so that a world with
one thing fewer, or one more, has the same cells; where nothing stands their content is ``none``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

import msgspec

from answerable.core.codec import decode, digest
from answerable.core.errors import ProofError
from answerable.core.records import Record, Refusal
from answerable.domains.draft import Shown
from answerable.domains.raster import png
from answerable.domains.scene import objects, relational
from answerable.domains.scene.asking import asks, told
from answerable.domains.scene.dependencies import (
    HiddenPlace,
    HiddenThing,
    relevant,
    relevant_presence,
    thing_at,
    touched,
)
from answerable.domains.scene.filling import fillings
from answerable.domains.scene.outcomes import IllPosed, result_of
from answerable.domains.scene.program import Program
from answerable.domains.scene.renderers import Renderer, renderer
from answerable.domains.scene.views import whole_problems
from answerable.domains.scene.visibility import Cover, Hide, stage_of, studio_faults
from answerable.domains.scene.vocabulary import ATTRIBUTES
from answerable.domains.scene.world import Scene, Thing, placement_faults
from answerable.logic.outcomes import Outcome
from answerable.logic.program import Cell

DOMAIN = "scene"
#: What stands where nothing stands.
NOTHING = "none"
#: Worlds a proof may have; ours have three.
MAX_WORLDS = 4
#: Signs of the name and of the version of a renderer.
_MAX_NAME, _MAX_VERSION = 100, 400
#: What may stand where something is hidden; said after the question, in every view alike.
Inside = Literal["one", "at most one"]
_SAID: dict[Inside, dict[Cover, str]] = {
    "one": {
        "box": "exactly one thing is inside it",
        "panel": "exactly one thing is hidden behind it",
    },
    "at most one": {
        "box": "it is empty or one thing is inside it",
        "panel": "at most one thing is hidden behind it",
    },
}


class Claim(Shown, frozen=True):
    """One view: which world it shows, and what of it is hidden."""

    hide: Hide | None = None


class SceneProof(Record, frozen=True):
    """Everything needed to draw a group's views again and to answer its question again."""

    question: str
    """As it is asked."""
    wording: str
    """The question alone, without what is said of boxes and panels."""
    program: Program
    inside: Inside
    """How many things may be hidden at a place."""
    renderer: str
    version: str
    """Of what drew the views; pixels are only compared with the same one."""
    worlds: dict[str, Scene]
    """``F``, ``S`` and ``C``. F and C are the two complete worlds of the witness for M."""
    claims: tuple[Claim, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.worlds) <= MAX_WORLDS or "F" not in self.worlds:
            names = [name[:20] for name in sorted(self.worlds)[:9]]
            raise ValueError(f"expected a world F and at most {MAX_WORLDS} worlds; got {names}")
        for name, most in (("renderer", _MAX_NAME), ("version", _MAX_VERSION)):
            if len(getattr(self, name)) > most:
                raise ValueError(f"expected a {name} of at most {most} signs; got {len(getattr(self, name))}")


def put(wording: str, inside: Inside, cover: Cover) -> str:
    """The question as it is asked."""
    said = _SAID[inside][cover]
    return f"{wording} If a plain black {cover} stands in the scene, it is none of the things asked about, and {said}."


def place_of(thing: Thing | Hide) -> str:
    """The name of the place where a thing stands."""
    return f"{thing.x!r} {thing.y!r}"


def cells_of(place: str) -> frozenset[Cell]:
    """The cells of a place."""
    return frozenset((place, attribute) for attribute in ATTRIBUTES)


def reads(scene: Scene, program: Program, places: tuple[tuple[float, float], ...]) -> frozenset[Cell]:
    """The cells that the answer rests on: of which a change alone may give another answer, or that it refers to.

    A change that would only leave the question without an answer does not count: *the* red cube is the only one.

    Args:
        places: where things may stand besides; all of such a place is read where something there would change the
            answer.
    """
    facts = set(relevant(scene, program, answered=True))
    seen = touched(scene, program)
    facts |= {fact for fact in seen.attributes if fact[0] in seen.members}
    found: set[Cell] = {(place_of(scene.things[number]), attribute) for number, attribute in facts}
    for number in relevant_presence(scene, program, answered=True):
        found |= cells_of(place_of(scene.things[number]))
    now = objects.execute(program, scene)
    for x, y in places:
        thing = thing_at(scene, x, y)
        if thing is None:
            continue
        hidden = HiddenPlace(x, y)
        outcomes = (objects.execute(program, filled) for filled in fillings(scene, hidden))
        if any(one != now and not isinstance(one, IllPosed) for one in outcomes):
            found |= cells_of(place_of(thing))
    return frozenset(found)


_EXECUTORS = {"objects": objects.execute, "relational": relational.execute}


class SceneCase:
    """What the kernel asks of the domain: outcomes and pixels, all made anew from the proof's worlds."""

    executors = tuple(_EXECUTORS)
    offers: tuple[str, ...] = ()
    instruction = ""

    def __init__(self, proof: SceneProof, images: Mapping[str, bytes], drawn_by: Renderer) -> None:
        self._proof, self._images, self._renderer = proof, images, drawn_by
        self.question, self.claims = proof.question, proof.claims
        self.worlds = tuple(proof.worlds)

    @property
    def versions(self) -> tuple[str, str]:
        """The version that drew the views, and the one that would draw now."""
        return self._proof.version, self._renderer.version

    def execute(self, executor: str, world: str) -> Outcome:
        """The program's outcome on a world."""
        return result_of(_EXECUTORS[executor](self._proof.program, self._proof.worlds[world]))

    def asked(self) -> bool:
        """Whether the words ask for what the program computes, and say what may be hidden."""
        proof = self._proof
        covers = {claim.hide.cover for claim in proof.claims if claim.hide is not None}
        if len(covers) != 1:
            return not covers and proof.question == proof.wording and asks(proof.wording, proof.program)
        return proof.question == put(proof.wording, proof.inside, covers.pop()) and asks(proof.wording, proof.program)

    @cached_property
    def _places(self) -> tuple[tuple[float, float], ...]:
        """Every place at which something stands in some world, in order."""
        return tuple(sorted({(thing.x, thing.y) for scene in self._proof.worlds.values() for thing in scene.things}))

    def _free(self, scene: Scene) -> tuple[tuple[float, float], ...]:
        taken = {(thing.x, thing.y) for thing in scene.things}
        return tuple(place for place in self._places if place not in taken)

    def reads(self) -> frozenset[Cell]:
        """The cells that the answer rests on."""
        return self._read

    @cached_property
    def _read(self) -> frozenset[Cell]:
        full = self._proof.worlds["F"]
        return reads(full, self._proof.program, self._free(full))

    def facts(self, world: str) -> dict[Cell, str]:
        """Every attribute of every place."""
        scene = self._proof.worlds[world]
        found: dict[Cell, str] = {}
        for x, y in self._free(scene):
            found |= {(f"{x!r} {y!r}", attribute): NOTHING for attribute in ATTRIBUTES}
        for thing in scene.things:
            found |= {(place_of(thing), attribute): thing.value(attribute) for attribute in ATTRIBUTES}
        return found

    def admissible(self, world: str) -> tuple[str, ...]:
        """Where a world breaks the rules for placing things, or stands in another studio than CLEVR's."""
        scene = self._proof.worlds[world]
        return (*placement_faults(scene), *studio_faults(scene))

    def fixed_facts(self, world: str) -> str:
        """Digest of the studio. How things are turned is a look, since a world may lack one."""
        scene = self._proof.worlds[world]
        return digest([scene.directions, scene.jitter])

    def looks(self, world: str) -> dict[str, str]:
        """How each thing is turned; of a thing that F lacks, nothing can be said."""
        full = {place_of(thing) for thing in self._proof.worlds["F"].things}
        return {
            place_of(thing): repr(thing.rotation)
            for thing in self._proof.worlds[world].things
            if place_of(thing) in full
        }

    def problems(self, world: str, hide: Hide | None) -> tuple[Refusal, ...]:
        """What is not seen well enough, not hidden, or not as the question says."""
        scene = self._proof.worlds[world]
        found = "" if hide is None else what_is_hidden(scene, hide, self._proof.inside)
        if isinstance(found, str) and found:
            return (Refusal("not what the question says is hidden", found),)
        return whole_problems(scene, hide)

    def hidden(self, world: str, hide: Hide) -> frozenset[Cell]:
        """The attributes of the hidden place."""
        del world
        return cells_of(place_of(hide))

    def look(self, hide: Hide) -> str:
        """A box or a panel."""
        return hide.cover

    def undetermined(self, hide: Hide) -> str:
        """Runs both executors on all that may be hidden; empty when every world with an answer has that of F.

        Of a thing that the answer rests on, every world must have an answer. Of another one, worlds in which the
        question would have none are those that the question itself rules out: *the* red cube is the only one.
        """
        full, program = self._proof.worlds["F"], self._proof.program
        hidden = what_is_hidden(full, hide, self._proof.inside)
        if isinstance(hidden, str):
            return hidden
        now = objects.execute(program, full)
        strict = bool(self.reads() & self.hidden("F", hide))
        for filled in fillings(full, hidden):
            found = [execute(program, filled) for execute in _EXECUTORS.values()]
            if found[0] != found[1]:
                return "the executors disagree on something that may be hidden"
            if found[0] != now and (strict or not isinstance(found[0], IllPosed)):
                return "something that may be hidden gives another answer"
        return ""

    def told(self) -> str:
        """What the program computes, in words."""
        return told(self._proof.program)

    def named(self, cell: Cell) -> str:
        """A cell for people."""
        return f"{cell[1]} at ({cell[0].replace(' ', ', ')})"

    def settled(self, hide: Hide) -> str:
        """What was gone through where ``undetermined`` finds nothing, in words."""
        full = self._proof.worlds["F"]
        hidden = what_is_hidden(full, hide, self._proof.inside)
        count = 0 if isinstance(hidden, str) else sum(1 for _ in fillings(full, hidden))
        return (
            f"with each of {count} things that may be hidden there, both executors find one answer wherever the "
            "question has one"
        )

    def leak(self, hide: Hide, step: int) -> Fraction:
        """Share of pixels where F and C differ by more than ``step``, of 255, if what is hidden is only covered."""
        one, other = (
            self._renderer.render(stage_of(self._proof.worlds[world], hide, take_away=False)).astype(int)
            for world in ("F", "C")
        )
        differing = (abs(one - other) > step).any(axis=2)
        return Fraction(int(differing.sum()), differing.size)

    def rendered(self, world: str, hide: Hide | None) -> bytes:
        """Size and pixels of a world, drawn now."""
        return png.comparable(self._renderer.render(stage_of(self._proof.worlds[world], hide)))

    def stored(self, view: str) -> bytes:
        """Size and pixels of a stored image, decoded now."""
        return png.comparable(png.decode(self._images[view]))


def what_is_hidden(scene: Scene, hide: Hide, inside: Inside) -> HiddenThing | HiddenPlace | str:
    """What an operation leaves open, or what is wrong with it."""
    number = next((n for n, thing in enumerate(scene.things) if (thing.x, thing.y) == (hide.x, hide.y)), None)
    if inside == "at most one":
        return HiddenPlace(hide.x, hide.y, number)
    return "nothing stands at the hidden place" if number is None else HiddenThing(number)


def open_case(body: bytes, images: Mapping[str, bytes]) -> SceneCase:
    """Read a proof about a scene.

    Args:
        body: canonical JSON of a ``SceneProof``.
        images: image files by view id.

    Raises:
        ProofError: not such a proof.
        SettingsError: no renderer has the name that it says.
        MissingExtraError: the renderer is not installed.
    """
    try:
        proof = decode(body, SceneProof)
    except msgspec.MsgspecError as error:
        raise ProofError("a proof about a scene", str(error)) from error
    return SceneCase(proof, images, renderer(proof.renderer))
