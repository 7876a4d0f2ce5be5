"""From a picture to shapes, and what keeps a picture from being whole."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from answerable.core.records import Refusal
from answerable.domains.chart.shapes import Drawing, Rect, Shape, Text
from answerable.domains.chart.styles import PAPER
from answerable.domains.table.cells import admits
from answerable.domains.table.frame import anchor, baseline, frame
from answerable.domains.table.styles import MASKS, STYLES
from answerable.domains.table.visibility import Hide, Picture, show
from answerable.domains.table.world import TableWorld, place_of, shape_problems

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from answerable.domains.chart.families.skia_raster import SkiaFamily

#: Raised whenever the same world would be drawn differently (frame, layout, styles).
REVISION = 1


def draw(picture: Picture) -> Drawing:
    """The picture as shapes in two layers: the frame, then the cells that may be seen and the patches."""
    world, style = picture.world, STYLES[picture.world.style]
    fixed = frame(world)
    fill, edge = MASKS[picture.appearance]
    moving: list[Shape] = []
    for line, boxes in zip(picture.texts, fixed.cells, strict=True):
        for field, text, box in zip(world.fields, line, boxes, strict=True):
            if text is None:
                moving.append(Rect(*box, edge))
                moving.append(Rect(box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1, fill))
                continue
            x, align = anchor(box[0], box[2] - box[0], style, numbers=field.numeric)
            moving.append(Text(x, baseline(box[1] - 1, style), text, style.size, style.ink, align))
    return Drawing(fixed.width, fixed.height, PAPER, fixed.shapes, tuple(moving))


def whole_problems(world: TableWorld, hide: Hide | None = None) -> tuple[Refusal, ...]:
    """Why the world does not render whole under an operation; empty when it does.

    Hiding only takes texts away, so what is whole stays whole under it.
    """
    problems = _world_problems(world)
    if problems or hide is None:
        return problems
    absent = [cell for cell in hide.cells if place_of(world, cell) is None]
    if absent:
        return (Refusal(reason="nothing to hide", detail=f"no cell {absent[0][0][:60]!r}, {absent[0][1][:60]!r}"),)
    return ()


@lru_cache(maxsize=64)
def _world_problems(world: TableWorld) -> tuple[Refusal, ...]:
    malformed = shape_problems(world)
    if malformed:
        return tuple(Refusal(reason="malformed world", detail=text) for text in malformed)
    if world.style not in STYLES:
        return (Refusal(reason="malformed world", detail=f"no style {world.style[:40]!r}"),)
    found = [
        Refusal(reason="value not in its column's format", detail=f"{value} in the column {field.name[:60]!r}")
        for line in world.values
        for field, value in zip(world.fields, line, strict=True)
        if not admits(field, value)
    ]
    return (*found, *frame(msgspec.structs.replace(world, values=())).problems)


def scene(world: TableWorld, hide: Hide | None = None) -> Drawing:
    """Shapes of a world under an operation."""
    return draw(show(world, hide))


@lru_cache(maxsize=1)
def _painter() -> SkiaFamily:
    from answerable.domains.chart.families.skia_raster import SkiaFamily

    return SkiaFamily()


def version() -> str:
    """Of what draws tables, as proofs name it."""
    return f"{_painter().version} table r{REVISION}"


def render(world: TableWorld, hide: Hide | None = None) -> NDArray[np.uint8]:
    """Pixels ``(height, width, 3)``, uint8, RGB; the same for the same world, whatever was drawn before."""
    return _painter().render(scene(world, hide))
