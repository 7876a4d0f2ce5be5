"""The flat renderer: colours shaded by slope alone, without shadows or reflections, in hundredths of a second.

It needs no optional part. It is for quick looks and for tests; models should see what the other renderers draw.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from answerable.domains.scene.casting import GROUND, SKY, cast
from answerable.domains.scene.renderers import Pixels
from answerable.domains.scene.stage import Stage, Vector

#: Towards the light; a unit vector.
_LIGHT: Vector = (0.48, -0.36, 0.8)
_FLOOR: Vector = (0.55, 0.55, 0.55)
_BEHIND: Vector = (0.35, 0.35, 0.35)
#: Light from everywhere, and from the light; metal gives the second back more sharply.
_AMBIENT, _DIRECT = 0.35, 0.65


class FlatRenderer:
    """See ``renderers.Renderer``."""

    version = "flat 1"

    def render(self, stage: Stage) -> Pixels:
        """See ``Renderer.render``."""
        found = cast(stage, 1)
        x, y, z = found.normal
        slope = np.maximum(x * _LIGHT[0] + y * _LIGHT[1] + z * _LIGHT[2], 0.0)
        picture = np.empty((*found.which.shape, 3))
        picture[found.which == SKY] = _BEHIND
        picture[found.which == GROUND] = _FLOOR
        for number, solid in enumerate(stage.solids):
            here = found.which == number
            lit = _lit(slope[here], shiny=solid.finish == "metal")
            picture[here] = lit[:, None] * np.array(solid.color)
        curved = np.sqrt(np.clip(picture, 0, 1))
        pixels: Pixels = (curved * 255 + 0.5).astype(np.uint8)
        return pixels


def _lit(slope: NDArray[np.float64], *, shiny: bool) -> NDArray[np.float64]:
    if not shiny:
        return _AMBIENT + _DIRECT * slope
    gloss = slope * slope
    gloss = gloss * gloss * gloss * gloss
    return 0.6 * _AMBIENT + _DIRECT * slope + 1.5 * gloss
