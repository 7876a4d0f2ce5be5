"""Hiding in a scene: a plain black box over a place, or a plain black panel before it; and the stage that is drawn.

The operation acts before light is traced. Light carries colours into reflections, shadows and onto the ground, so a
patch over the picture would prove nothing. What stands at the hidden place is taken away whole; only its place decides
what is put there, so that the stages of two scenes which differ there alone are equal, and so are their pictures.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

from msgspec.structs import force_setattr, replace

from answerable.core.records import Record
from answerable.domains.scene.stage import CAMERA, LAMPS, SUN, Lamp, Solid, Stage, Vector, basis, project
from answerable.domains.scene.vocabulary import RADIUS, RGB
from answerable.domains.scene.world import MAX_COORDINATE, Scene, Thing

Cover = Literal["box", "panel"]
COVERS: tuple[Cover, ...] = get_args(Cover)
#: How much wider than the largest object a box is, and how far a panel reaches beyond what it covers.
_ROOM, _MARGIN = 1.03, 0.06
_THICKNESS = 0.02
#: Linear. No thing of CLEVR's is black, and the floor never is: what covers stands out wherever it stands.
BLACK: Vector = (0.02, 0.02, 0.02)
#: CLEVR moves the camera by up to half a unit along each axis, and each lamp by up to one; the camera of a published
#: scene is estimated.
MOST_CAMERA, MOST_LAMP = 0.75, 1.0
#: Cosine of how far ``right`` and ``behind`` may be from the camera's own.
_ALIGNED = 0.97
#: Stands behind a panel instead of what is hidden, whatever that is.
_STAND_IN = 0.3


class Hide(Record, frozen=True):
    """One place hidden."""

    x: float
    y: float
    rotation: float
    """Of whatever stands there, as a thing's."""
    largest: Literal["large", "small"]
    """The largest size that may stand there."""
    cover: Cover

    def __post_init__(self) -> None:
        for name, most in (("x", MAX_COORDINATE), ("y", MAX_COORDINATE), ("rotation", 3600.0)):
            value: float = getattr(self, name)
            if not (math.isfinite(value) and abs(value) <= most):
                raise ValueError(f"expected a finite {name} of at most {most:g} either way; got {name}={value!r}")
            # As in a thing: zero has no sign, so that a place has one name.
            force_setattr(self, name, float(value) + 0.0)


def hides(hide: Hide, thing: Thing) -> bool:
    """Whether a thing stands at the hidden place."""
    return (thing.x, thing.y) == (hide.x, hide.y)


def stage_of(scene: Scene, hide: Hide | None = None, *, take_away: bool = True) -> Stage:
    """What is drawn.

    Args:
        take_away: False leaves the thing where it is, beside what covers it: for measuring what light would tell.
    """
    camera, lamps = _studio(scene)
    shown = [thing for thing in scene.things if hide is None or not (take_away and hides(hide, thing))]
    solids = [solid_of(thing) for thing in shown]
    if hide is not None:
        solids += covers(hide, camera)
        if hide.cover == "panel" and take_away:
            solids.append(_plain((hide.x, hide.y, _STAND_IN), (_STAND_IN,) * 3, math.radians(hide.rotation)))
    # Solids stand in an order of their own, so that a thing taken out of the middle leaves no trace in the stage.
    return Stage(solids=tuple(sorted(solids, key=_order)), camera=camera, lamps=lamps, sun=SUN)


def _order(solid: Solid) -> tuple[object, ...]:
    return solid.at, solid.form, solid.half, solid.color


def _studio(scene: Scene) -> tuple[Vector, tuple[Lamp, ...]]:
    if scene.jitter is None:
        return CAMERA, LAMPS
    moved = (scene.jitter.key, scene.jitter.fill, scene.jitter.back)
    lamps = tuple(replace(lamp, at=_sum(lamp.at, by)) for lamp, by in zip(LAMPS, moved, strict=True))
    return _sum(CAMERA, scene.jitter.camera), lamps


def _sum(one: Vector, other: Vector) -> Vector:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def studio_faults(scene: Scene) -> tuple[str, ...]:
    """Where camera, lamps or directions are not those of CLEVR's studio, in words.

    Words such as *left* mean what they say only where the directions are the camera's own.
    """
    found = []
    if scene.jitter is not None:
        for name in scene.jitter.__struct_fields__:
            moved, most = max(abs(part) for part in getattr(scene.jitter, name)), MOST_LAMP
            if name == "camera":
                most = MOST_CAMERA
            if moved > most:
                found.append(f"{name} is moved by {moved:g}, more than {most:g}")
    if found:
        return tuple(found)
    right, _, forward = basis(camera_of(scene))
    flat = math.hypot(forward[0], forward[1])
    for name, (x, y, _), (a, b) in (
        ("right", scene.directions.right, right[:2]),
        ("behind", scene.directions.behind, (forward[0] / flat, forward[1] / flat)),
    ):
        if x * a + y * b < _ALIGNED:
            found.append(f"{name} is not the camera's own: {x:.3f}, {y:.3f} against {a:.3f}, {b:.3f}")
    return tuple(found)


def camera_of(scene: Scene) -> Vector:
    """Where the camera stands."""
    return _studio(scene)[0]


def solid_of(thing: Thing) -> Solid:
    """A thing as it is drawn."""
    radius = RADIUS[thing.size]
    red, green, blue = RGB[thing.color]
    return Solid(
        form=thing.shape, at=(thing.x, thing.y, thing.z), half=(radius, radius, radius), turn=turn_of(thing.rotation),
        finish=thing.material, color=(red / 255, green / 255, blue / 255),
    )  # fmt: skip


def turn_of(rotation: float) -> float:
    """The turn that a scene's ``rotation`` is drawn with, in radians.

    CLEVR's script hands the number of degrees to Blender as radians; the published pictures show that turn.
    """
    return math.fmod(rotation, 2 * math.pi)


def _plain(at: Vector, half: Vector, turn: float) -> Solid:
    return Solid(form="slab", at=at, half=half, turn=turn, finish="matte", color=BLACK)


def covers(hide: Hide, camera: Vector) -> list[Solid]:
    """The box or the panel."""
    radius = RADIUS[hide.largest]
    if hide.cover == "box":
        half = radius * _ROOM
        return [_plain((hide.x, hide.y, half), (half, half, half), turn_of(hide.rotation))]
    away = math.hypot(camera[0] - hide.x, camera[1] - hide.y)
    toward = ((camera[0] - hide.x) / away, (camera[1] - hide.y) / away)
    corners = _corners(hide, radius)
    gap = max((x - hide.x) * toward[0] + (y - hide.y) * toward[1] for x, y, _ in corners) + _MARGIN
    across = (-toward[1], toward[0])
    reach, height = 0.0, 0.0
    for x, y, z in corners:
        # Where the line of sight to a corner meets the panel's plane.
        ahead = (x - hide.x) * toward[0] + (y - hide.y) * toward[1]
        part = (away - gap) / (away - ahead)
        aside = (x - hide.x) * across[0] + (y - hide.y) * across[1]
        reach = max(reach, abs(aside * part))
        height = max(height, camera[2] + (z - camera[2]) * part)
    height += _MARGIN
    at = (hide.x + toward[0] * gap, hide.y + toward[1] * gap, height / 2)
    return [_plain(at, (_THICKNESS, reach + _MARGIN, height / 2), math.atan2(toward[1], toward[0]))]


def _corners(hide: Hide, radius: float) -> list[Vector]:
    """The corners of the largest cube that may stand there; it holds every other shape."""
    cos, sin = math.cos(turn_of(hide.rotation)), math.sin(turn_of(hide.rotation))
    return [
        (hide.x + radius * (a * cos - b * sin), hide.y + radius * (a * sin + b * cos), height)
        for a in (-1, 1) for b in (-1, 1) for height in (0.0, 2 * radius)
    ]  # fmt: skip


def largest_cube(hide: Hide) -> Solid:
    """The largest thing that may stand at the hidden place; every other fits inside it."""
    radius = RADIUS[hide.largest]
    return _plain((hide.x, hide.y, radius), (radius, radius, radius), turn_of(hide.rotation))


def seen_at(scene: Scene, thing: Thing) -> tuple[float, float, float]:
    """Where a thing's centre is in the picture: column, row and depth."""
    return project(camera_of(scene), (thing.x, thing.y, thing.z))
