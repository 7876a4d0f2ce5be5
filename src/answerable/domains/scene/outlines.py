"""The pixels in which each thing of a scene is seen, as outlines that photos have too."""

from __future__ import annotations

import numpy as np

from answerable.domains.photo.boxes import Box
from answerable.domains.photo.outlines import RunLengths
from answerable.domains.scene.casting import cast
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.visibility import solid_of, stage_of
from answerable.domains.scene.world import Scene


def outlines(scene: Scene) -> tuple[tuple[Box, RunLengths] | None, ...]:
    """Box and outline of each thing, in the scene's order; None for one that is not seen. Edges are taken as sharp."""
    stage = stage_of(scene)
    which = cast(stage, 1, slopes=False).which
    return tuple(_outline(which == stage.solids.index(solid_of(thing))) for thing in scene.things)


def _outline(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[Box, RunLengths] | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    left, top = int(columns[0]), int(rows[0])
    box = Box(left=left, top=top, width=int(columns[-1]) + 1 - left, height=int(rows[-1]) + 1 - top)
    down = mask.T.ravel()
    # Outside first, so an outline that begins with its first pixel has a run of none before it.
    turns = np.flatnonzero(np.diff(down, prepend=False))
    runs = np.diff(turns, prepend=0, append=down.size)
    return box, RunLengths(width=WIDTH, height=HEIGHT, counts=tuple(runs.tolist()))
