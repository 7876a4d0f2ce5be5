"""Where the camera of a published scene stood: its file says only where things are seen.

Coordinates in the picture are rounded to whole pixels, so the camera is found to a few hundredths of a unit by least
squares.
The lamps of a published scene are not known; they stay where the base scene has them.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from answerable.domains.scene.stage import CAMERA, Vector, project
from answerable.domains.scene.visibility import MOST_CAMERA
from answerable.domains.scene.world import Jitter, Scene

_STEPS, _NUDGE, DECIMALS = 12, 1e-4, 4
NOWHERE: Vector = (0.0, 0.0, 0.0)


def with_camera(scene: Scene) -> Scene:
    """The scene with its camera's place, found from where its things are seen; as it is where that is known already.

    Things of which no pixel is known leave the camera in its usual place.
    """
    if scene.jitter is not None:
        return scene
    known = [((thing.x, thing.y, thing.z), thing.pixel) for thing in scene.things if thing.pixel is not None]
    found = _camera([point for point, _ in known], [pixel for _, pixel in known]) if len(known) > 1 else CAMERA
    moved = tuple(round(a - b, DECIMALS) for a, b in zip(found, CAMERA, strict=True))
    if max(abs(part) for part in moved) > MOST_CAMERA:
        moved = NOWHERE
    things = tuple(replace(thing, pixel=None) for thing in scene.things)
    jitter = Jitter(camera=(moved[0], moved[1], moved[2]), key=NOWHERE, fill=NOWHERE, back=NOWHERE)
    return replace(scene, things=things, jitter=jitter)


def _camera(points: list[Vector], pixels: list[tuple[int, int, float]]) -> Vector:
    """Gauss and Newton's method on the camera's three coordinates."""
    seen = np.array([(column, row) for column, row, _ in pixels]).ravel()
    at = np.array(CAMERA)
    for _ in range(_STEPS):
        now = _shown(at, points)
        slope = np.stack([(_shown(at + step, points) - now) / _NUDGE for step in np.eye(3) * _NUDGE], axis=1)
        change, *_ = np.linalg.lstsq(slope, seen - now, rcond=None)
        at = at + change
        if np.abs(change).max() < 1e-6:
            break
    return float(at[0]), float(at[1]), float(at[2])


def _shown(at: np.ndarray, points: list[Vector]) -> np.ndarray:
    camera = (float(at[0]), float(at[1]), float(at[2]))
    return np.array([project(camera, point)[:2] for point in points]).ravel()
