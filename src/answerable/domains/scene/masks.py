"""Seeing that something in a picture of a scene is covered: nothing else there is black over so large a part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from answerable.domains.scene.stage import HEIGHT, WIDTH

#: No channel is brighter on a cover, of 255, and how far they are apart at most.
_DARK, _TINT = 40, 10
#: Pixels; the smallest box that is let pass has more, dark reflections in metal have fewer.
_LEAST = 1000


def sees_cover(pixels: NDArray[np.uint8]) -> bool:
    """Whether a picture, (height, width, 3), shows a box or a panel that covers something."""
    if pixels.shape != (HEIGHT, WIDTH, 3):
        return False
    high, low = pixels.max(axis=2).astype(int), pixels.min(axis=2).astype(int)
    return int(((high < _DARK) & (high - low < _TINT)).sum()) >= _LEAST
