"""Scenes of our own, placed as CLEVR places its objects.

Whether every object is seen by enough pixels is for whoever draws the scene to say; here they keep their distances.
Numbers are drawn with four decimals, so that proofs stay short.
"""

from __future__ import annotations

from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.scene.dependencies import thing_at
from answerable.domains.scene.vocabulary import COLORS, MATERIALS, RADIUS, SHAPES, SIZES
from answerable.domains.scene.world import DIRECTIONS, MAX_THINGS, REACH, Jitter, Scene, Thing, Vector, fits

#: As published scenes have them.
LEAST, MOST = 3, 10
#: Places tried for an object before all are placed anew, and how often that is done.
TRIES, RESTARTS = 50, 200
#: How far the camera and the lamps may stand from their places, along each axis, in world units.
CAMERA_JITTER, LAMP_JITTER = 0.5, 1.0
DECIMALS = 4


def sample_scene(stream: Stream, least: int = LEAST, most: int = MOST) -> Scene | Refusal:
    """One scene with ``least`` to ``most`` objects; a refusal where they found no room.

    Raises:
        SettingsError: the bounds leave no number of objects.
    """
    if not 1 <= least <= most <= MAX_THINGS:
        raise SettingsError(f"1 <= least <= most <= {MAX_THINGS} objects", f"least={least}, most={most}")
    count = stream.between(least, most)
    jitter = Jitter(
        camera=_around(stream, CAMERA_JITTER),
        key=_around(stream, LAMP_JITTER),
        fill=_around(stream, LAMP_JITTER),
        back=_around(stream, LAMP_JITTER),
    )
    for _ in range(RESTARTS):
        scene = Scene(things=(), directions=DIRECTIONS, jitter=jitter)
        while len(scene.things) < count:
            thing = _placed(scene, stream)
            if thing is None:
                break
            scene = Scene(things=(*scene.things, thing), directions=DIRECTIONS, jitter=jitter)
        if len(scene.things) == count:
            return scene
    return Refusal(reason="no room", detail=f"{count} objects were placed {RESTARTS} times, and one never fitted")


def _between(stream: Stream, most: float) -> float:
    """A number from ``-most`` to ``most``."""
    return round((2 * stream.unit() - 1) * most, DECIMALS)


def _around(stream: Stream, most: float) -> Vector:
    return (_between(stream, most), _between(stream, most), _between(stream, most))


def _placed(scene: Scene, stream: Stream) -> Thing | None:
    """An object that fits beside the others; None when no place was found for it."""
    size = stream.pick(SIZES)
    shape, color, material = stream.pick(SHAPES), stream.pick(COLORS), stream.pick(MATERIALS)
    rotation = round(stream.unit() * 360, DECIMALS)
    for _ in range(TRIES):
        thing = Thing(
            shape=shape, size=size, material=material, color=color, x=_between(stream, REACH),
            y=_between(stream, REACH), z=RADIUS[size], rotation=rotation,
        )  # fmt: skip
        if fits(scene, thing):
            return thing
    return None


def free_place(scene: Scene, stream: Stream) -> tuple[float, float] | None:
    """A place where one more object, at least a small one, could stand; None when none was found."""
    for _ in range(TRIES):
        x, y = _between(stream, REACH), _between(stream, REACH)
        if thing_at(scene, x, y) is not None:
            return x, y
    return None
