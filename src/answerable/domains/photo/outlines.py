"""Outlines of things as masks of pixels: polygons, and runs of pixels in columns (COCO's ``segmentation``).

A pixel belongs to a polygon when its middle lies inside, by the even-odd rule; the polygons of one thing are joined.
COCO's own tools also fill pixels that the outline only touches, so theirs are larger by part of the outline's length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec

from answerable.core.errors import SourceError
from answerable.core.records import Record
from answerable.domains.photo.boxes import Box
from answerable.domains.raster.png import MAX_PIXELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

#: Numbers of one outline.
MAX_NUMBERS = 200_000
Polygon = Annotated[tuple[float, ...], msgspec.Meta(max_length=MAX_NUMBERS)]
Runs = Annotated[tuple[Annotated[int, msgspec.Meta(ge=0)], ...], msgspec.Meta(max_length=MAX_NUMBERS)]


class Polygons(Record, frozen=True, tag="polygons"):
    """Closed lines; x and y in turn, in pixels from the upper left corner."""

    lines: tuple[Polygon, ...]


class RunLengths(Record, frozen=True, tag="runs"):
    """Numbers of pixels outside and inside in turn, outside first, down the columns from the left."""

    width: int
    height: int
    counts: Runs


Outline = Polygons | RunLengths


def mask_of(outline: Outline, width: int, height: int, where: str = "") -> Mask:
    """The pixels of an outline on a picture of this size; what reaches over the edge is cut off.

    Args:
        where: of the outline, for errors.

    Returns:
        Shape (height, width), bool.

    Raises:
        SourceError: the picture is too large, a line is no polygon, or the runs are not of this picture.
    """
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise SourceError(f"1 to {MAX_PIXELS} pixels", f"{width}x{height}", where=where)
    if isinstance(outline, RunLengths):
        return _unrolled(outline, width, height, where)
    import numpy as np

    mask = np.zeros((height, width), np.bool_)
    for line in outline.lines:
        mask |= _filled(line, width, height, where)
    return mask


def _unrolled(runs: RunLengths, width: int, height: int, where: str) -> Mask:
    import numpy as np

    total = sum(runs.counts)
    if (runs.width, runs.height) != (width, height) or total != width * height:
        raise SourceError(
            f"runs of {width}x{height} pixels, {width * height} in all",
            f"{runs.width}x{runs.height}, {total} in all", where=where,
        )  # fmt: skip
    inside = np.arange(len(runs.counts)) % 2 == 1
    return np.ascontiguousarray(np.repeat(inside, runs.counts).reshape(width, height).T)


def _filled(line: Sequence[float], width: int, height: int, where: str) -> Mask:
    """Even-odd filling: along each row of pixel middles, every edge that is crossed flips what follows."""
    import numpy as np

    if len(line) < 6 or len(line) % 2:
        raise SourceError("a polygon of three points or more, x and y in turn", f"{len(line)} numbers", where=where)
    points = np.asarray(line, np.float64).reshape(-1, 2)
    if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
        raise SourceError("finite points of at most a million pixels", "others", where=where)
    flips = np.zeros((height, width + 1), np.int64)
    for (x0, y0), (x1, y1) in zip(points, np.roll(points, -1, axis=0), strict=True):
        low, high = sorted((y0, y1))
        # Rows whose middle y + 1/2 lies in [low, high).
        first, last = max(int(np.ceil(low - 0.5)), 0), min(int(np.ceil(high - 0.5)), height)
        if first >= last:
            continue
        rows = np.arange(first, last)
        crossed = x0 + (rows + 0.5 - y0) * (x1 - x0) / (y1 - y0)
        np.add.at(flips, (rows, np.clip(np.ceil(crossed - 0.5), 0, width).astype(np.int64)), 1)
    return np.asarray(np.cumsum(flips, axis=1)[:, :width] % 2 == 1)


def hidden_share(mask: Mask, boxes: Sequence[Box]) -> float:
    """The share of a mask's pixels that boxes hide together; 1 for a mask without any."""
    import numpy as np

    total = int(mask.sum())
    if not total:
        return 1.0
    seen = np.array(mask)
    for box in boxes:
        seen[max(box.top, 0) : max(box.bottom, 0), max(box.left, 0) : max(box.right, 0)] = False
    return 1 - int(seen.sum()) / total
