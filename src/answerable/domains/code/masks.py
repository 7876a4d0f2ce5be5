"""Recognising a covered line end from pixels alone. A window cropped above has no mask to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from answerable.domains.code.highlight import theme
from answerable.domains.code.world import THEMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A cover is at least this high, in pixels; text of its colour never fills the picture's edge.
_LEAST = 10


def sees_cover(pixels: NDArray[np.uint8]) -> bool:
    """Whether a line's end is covered: a cover runs into the right edge of the picture.

    Args:
        pixels: ``(height, width, 3)`` uint8, RGB.
    """
    edge = pixels[:, -1]
    for name in THEMES:
        colour = np.frombuffer(bytes.fromhex(theme(name).cover[1:]), np.uint8)
        if (edge == colour).all(axis=1).sum() >= _LEAST:
            return True
    return False
