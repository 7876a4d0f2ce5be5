"""Recognising a mask from pixels alone: what a careful eye would call "something is covered here"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from answerable.domains.chart.families import rgb
from answerable.domains.chart.styles import AXIS, GRID, MASK_FILL

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Share of the picture that a patch covers at least.
_LEAST_PATCH = 0.004
#: Width in pixels of the narrowest gap.
_LEAST_GAP = 6


def sees_mask(pixels: NDArray[np.uint8]) -> bool:
    """Whether a chart shows a patch or a gap.

    Args:
        pixels: ``(height, width, 3)`` uint8, RGB.
    """
    wide = pixels.astype(np.uint32)
    packed: NDArray[np.uint32] = (wide[:, :, 0] << np.uint32(16)) | (wide[:, :, 1] << np.uint32(8)) | wide[:, :, 2]
    if (packed == _number(MASK_FILL)).mean() >= _LEAST_PATCH:
        return True
    return _gap(packed) or _gap(packed.T)


def _number(colour: str) -> int:
    red, green, blue = rgb(colour)
    return red << 16 | green << 8 | blue


def _gap(packed: NDArray[np.uint32]) -> bool:
    """Whether all gridlines that run across break at the same place, with bare paper there.

    A bar in front of a gridline is not paper, so only a removed strip leaves paper on every gridline at once.
    """
    across = (packed == _number(AXIS)).sum(axis=1)
    if across.max() < 0.3 * packed.shape[1]:
        return False
    lowest = len(across) - 1 - int(across[::-1].argmax())
    columns = np.flatnonzero(packed[lowest] == _number(AXIS))
    start, end = int(columns.min()) + 1, int(columns.max())
    rows = np.flatnonzero((packed[:, start:end] == _number(GRID)).sum(axis=1) >= 0.1 * (end - start))
    if len(rows) < 2:
        return False
    bare = (packed[rows, start:end] == _number("#ffffff")).all(axis=0)
    run = longest = 0
    for empty in bare:
        run = run + 1 if empty else 0
        longest = max(longest, run)
    return longest >= _LEAST_GAP
