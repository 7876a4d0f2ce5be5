"""Whether a picture shows what it must: every thing seen well enough, what is hidden covered whole, nothing touched."""

from __future__ import annotations

import math

from answerable.core.records import Refusal
from answerable.domains.scene.casting import seen
from answerable.domains.scene.stage import HEIGHT, WIDTH, Solid, Stage
from answerable.domains.scene.visibility import (
    Hide,
    camera_of,
    covers,
    hides,
    largest_cube,
    seen_at,
    stage_of,
)
from answerable.domains.scene.vocabulary import RADIUS
from answerable.domains.scene.world import Scene, Thing

#: Pixels of a thing that must be seen, as in CLEVR.
LEAST_PIXELS = 200
#: Pixels between a thing's centre and the picture's edge.
_EDGE = 8
#: Free space between what covers and the things that stay.
_CLEAR = 0.02


def whole_problems(scene: Scene, hide: Hide | None = None) -> tuple[Refusal, ...]:
    """What keeps a view from being whole; empty when nothing does."""
    return (
        *_off_picture(scene), *_larger(scene, hide), *_touching(scene, hide), *_unseen(scene, hide),
        *_uncovered(scene, hide),
    )  # fmt: skip


def _larger(scene: Scene, hide: Hide | None) -> tuple[Refusal, ...]:
    """What covers is made for the largest thing that may be there, turned as the one that is."""
    for thing in scene.things:
        if hide is not None and hides(hide, thing):
            if RADIUS[thing.size] > RADIUS[hide.largest]:
                return (Refusal("what is hidden is too large", f"a {thing.size} thing, a cover for {hide.largest}"),)
            if thing.rotation != hide.rotation:
                return (Refusal("the cover is turned otherwise", f"{hide.rotation} against {thing.rotation}"),)
    return ()


def _off_picture(scene: Scene) -> tuple[Refusal, ...]:
    found = []
    for thing in scene.things:
        column, row, depth = seen_at(scene, thing)
        inside = _EDGE <= column <= WIDTH - _EDGE and _EDGE <= row <= HEIGHT - _EDGE
        if depth <= 0 or not inside:
            found.append(Refusal("a thing is off the picture", f"its centre is at {column:.0f}, {row:.0f}"))
    return tuple(found)


def _unseen(scene: Scene, hide: Hide | None) -> tuple[Refusal, ...]:
    stage = stage_of(scene, hide)
    counts = {solid: count for solid, count in zip(stage.solids, seen(stage), strict=True) if solid.finish != "matte"}
    return tuple(
        Refusal("a thing is hardly seen", f"{count} pixels, of at least {LEAST_PIXELS}")
        for count in counts.values() if count < LEAST_PIXELS
    )  # fmt: skip


def _uncovered(scene: Scene, hide: Hide | None) -> tuple[Refusal, ...]:
    """The largest cube that may be hidden, beside what hides it alone, must not be seen at all."""
    if hide is None:
        return ()
    camera = camera_of(scene)
    stage = stage_of(scene)
    alone = Stage((largest_cube(hide), *covers(hide, camera)), camera, stage.lamps, stage.sun)
    count = seen(alone, step=1)[0]
    return (Refusal("what is hidden shows", f"{count} pixels of it"),) if count else ()


def _touching(scene: Scene, hide: Hide | None) -> tuple[Refusal, ...]:
    if hide is None:
        return ()
    for solid in covers(hide, camera_of(scene)):
        for thing in scene.things:
            if not hides(hide, thing) and _near(solid, thing):
                return (Refusal("the cover touches a thing", f"the {thing.shape} at {thing.x}, {thing.y}"),)
    return ()


def _near(solid: Solid, thing: Thing) -> bool:
    """Whether the cover's rectangle on the ground comes near the circle around a thing's footprint."""
    radius = RADIUS[thing.size] * (math.sqrt(2) if thing.shape == "cube" else 1.0) + _CLEAR
    cos, sin = math.cos(solid.turn), math.sin(solid.turn)
    x, y = thing.x - solid.at[0], thing.y - solid.at[1]
    along, across = abs(x * cos + y * sin) - solid.half[0], abs(y * cos - x * sin) - solid.half[1]
    return math.hypot(max(along, 0.0), max(across, 0.0)) < radius
