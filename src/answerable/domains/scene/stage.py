"""What a renderer of scenes is given: solids, lamps and a camera, as numbers, and nothing of what they mean.

Whatever is to be hidden is left out of a stage before any light is traced; a renderer cannot leak what it never got.

Lengths are in the units of CLEVR, where a large object is 1.4 across; angles in radians. The facts of the studio
(lamps, camera, backdrop) are those of CLEVR's base scene: Johnson et al., "CLEVR", CVPR 2017, and its generation code.
"""

from __future__ import annotations

import math
from typing import Literal

from answerable.core.records import Record

Vector = tuple[float, float, float]
Form = Literal["cube", "sphere", "cylinder", "slab"]
Finish = Literal["rubber", "metal", "matte"]

#: Pixels.
WIDTH, HEIGHT = 480, 320
#: Focal length over sensor width; the sensor lies along the picture's width.
FOCAL = 35 / 32
CAMERA: Vector = (7.481131553649902, -6.5076398849487305, 5.34366512298584)


class Lamp(Record, frozen=True):
    """A square lamp that lights one way, along the direction it faces."""

    at: Vector
    facing: Vector
    """Unit vector."""
    side: float
    power: float
    """Watts, as Blender counts them: the radiance is ``power / (pi side^2)``."""
    color: Vector
    """Linear."""


class Sun(Record, frozen=True):
    """A distant lamp."""

    facing: Vector
    irradiance: float
    """Watts a square metre on a surface that faces it."""
    angle: float
    """Apparent diameter, radians."""


class Solid(Record, frozen=True):
    """One thing that light meets."""

    form: Form
    at: Vector
    """Of its centre."""
    half: Vector
    """Half its size along its own three axes."""
    turn: float
    """About the vertical, radians."""
    finish: Finish
    color: Vector
    """Linear."""


class Stage(Record, frozen=True):
    """A scene ready to be drawn."""

    solids: tuple[Solid, ...]
    camera: Vector
    """It looks at the origin."""
    lamps: tuple[Lamp, ...]
    sun: Sun


KEY = Lamp(
    (6.446710109710693, -2.905174732208252, 4.258398056030273),
    (-0.7810088992118835, 0.35195741057395935, -0.5158982872962952),
    0.5, 78.53981633974483, (1.0, 0.9323092103004456, 0.8166635632514954),
)  # fmt: skip
FILL = Lamp(
    (-4.671124458312988, -4.01359748840332, 3.0112245082855225),
    (0.6813836693763733, 0.5854692459106445, -0.4392516613006592),
    0.5, 23.561944901923447, (0.7616661787033081, 0.8177196383476257, 1.0),
)  # fmt: skip
BACK = Lamp(
    (-1.168501377105713, 2.646024465560913, 5.815736770629883),
    (0.17989800870418549, -0.4073718190193176, -0.8953685760498047),
    1.0, 39.269908169872416, (1.0, 1.0, 1.0),
)  # fmt: skip
LAMPS = (KEY, FILL, BACK)
SUN = Sun((-0.41449564695358276, 0.1945834904909134, -0.8890054225921631), 0.45, 0.19933730363845825)

#: The backdrop, a floor that bends up far behind the things: where its own axes start, and how they are turned.
BACKDROP_TURN = 2.697981595993042
BACKDROP_AT: Vector = (-24.062761306762695, -17.99666976928711, 0.0)
BACKDROP_WIDTH = 56.484859466552734


def basis(camera: Vector) -> tuple[Vector, Vector, Vector]:
    """Right, up and forward of a camera that looks at the origin, unit vectors."""
    x, y, z = camera
    far = math.sqrt(x * x + y * y + z * z)
    forward = (-x / far, -y / far, -z / far)
    flat = math.hypot(forward[0], forward[1])
    right = (forward[1] / flat, -forward[0] / flat, 0.0)
    up = (
        right[1] * forward[2] - right[2] * forward[1],
        right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )
    return right, up, forward


def project(camera: Vector, point: Vector) -> tuple[float, float, float]:
    """Where a point is in the picture.

    Returns:
        Pixels from the left and from the top, and the distance along the view.
    """
    right, up, forward = basis(camera)
    away = tuple(p - c for p, c in zip(point, camera, strict=True))
    across, above, depth = (sum(a * b for a, b in zip(away, axis, strict=True)) for axis in (right, up, forward))
    scale = FOCAL * WIDTH / depth
    return WIDTH / 2 + across * scale, HEIGHT / 2 - above * scale, depth
