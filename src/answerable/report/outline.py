"""Where a picture of a group differs from its first one, so that a reader can ask to see it outlined."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from answerable.core.records import View
from answerable.report.pictures import MAX_PIXELS, sniff

#: A channel that differs by more than this, of 255, is seen to differ; light that a moved thing throws about is not.
STEP = 24
#: Left, top, width and height, in thousandths of the picture.
Box = tuple[int, int, int, int]


def outlines(views: Sequence[View], read: Callable[[View], bytes]) -> tuple[Box | None, ...]:
    """For each view the smallest upright box around all that differs from the first view's picture.

    Args:
        views: of one group, F first.
        read: a view's image file.

    Returns:
        None for the first picture, for one of another size, and where nothing differs or a picture cannot be decoded.
    """
    first = views[0]
    full: NDArray[np.int16] | None = None
    found: list[Box | None] = []
    for view in views:
        alike = view.image_sha256 == first.image_sha256 or (view.width, view.height) != (first.width, first.height)
        if alike:
            found.append(None)
            continue
        full = _pixels(read(first)) if full is None else full
        other = _pixels(read(view))
        found.append(None if full is None or other is None or full.shape != other.shape else _box(full, other))
    return tuple(found)


def _pixels(data: bytes) -> NDArray[np.int16] | None:
    from PIL import Image

    if not sniff(data):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as image:
                if image.width * image.height > MAX_PIXELS:
                    return None
                return np.asarray(image.convert("RGB"), dtype=np.int16)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return None


def _box(full: NDArray[np.int16], other: NDArray[np.int16]) -> Box | None:
    differs = (np.abs(full - other) > STEP).any(axis=2)
    if not differs.any():
        return None
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    high, wide = differs.shape
    left, top = int(columns[0]) * 1000 // wide, int(rows[0]) * 1000 // high
    right, bottom = -(-(int(columns[-1]) + 1) * 1000 // wide), -(-(int(rows[-1]) + 1) * 1000 // high)
    return left, top, right - left, bottom - top
