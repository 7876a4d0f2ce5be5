"""Skia: the fast one, for scale."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import skia
from numpy.typing import NDArray

from answerable.domains.chart.families import drop_alpha, installed_version, rgb
from answerable.domains.chart.shapes import Dot, Drawing, Line, Rect, Shape, Text
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.text import font_file, width


@lru_cache(maxsize=2)
def _typeface(bold: bool) -> skia.Typeface:
    # An empty manager: the system's fonts and their configuration are never looked at.
    return skia.FontMgr.New_Custom_Empty().makeFromFile(str(font_file(bold=bold)))


@lru_cache(maxsize=64)
def _font(size: float, bold: bool) -> skia.Font:
    font = skia.Font(_typeface(bold), size)
    font.setSubpixel(True)
    font.setHinting(skia.FontHinting.kNone)
    font.setEdging(skia.Font.Edging.kAntiAlias)
    return font


@lru_cache(maxsize=8192)
def _blob(text: str, size: float, bold: bool) -> skia.TextBlob:
    return skia.TextBlob.MakeFromString(text, _font(size, bold))


@lru_cache(maxsize=256)
def _fill(colour: str) -> skia.Paint:
    return skia.Paint(Color=skia.Color(*rgb(colour)), AntiAlias=True)


@lru_cache(maxsize=256)
def _stroke(colour: str, thickness: float) -> skia.Paint:
    return skia.Paint(
        Color=skia.Color(*rgb(colour)),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=thickness,
        StrokeJoin=skia.Paint.kRound_Join,
        StrokeCap=skia.Paint.kRound_Cap,
    )


class SkiaFamily:
    """Draws on a raster surface; the fixed layer of recent charts is kept."""

    name = "skia"
    style = STYLES["skia"]

    def __init__(self) -> None:
        self.version = installed_version("skia-python")
        self._kept: dict[tuple[object, ...], NDArray[np.uint8]] = {}
        self._surfaces: dict[tuple[int, int], tuple[skia.Surface, NDArray[np.uint8]]] = {}

    def render(self, drawing: Drawing) -> NDArray[np.uint8]:
        """See ``Family.render``."""
        surface, pixels = self._surface(drawing.width, drawing.height)
        fixed = self._kept.get(_fixed_key(drawing))
        if fixed is None:
            fixed = self._draw_fixed(drawing)
        # Skia draws straight into this array, so the fixed layer is put back by a plain copy.
        np.copyto(pixels, fixed)
        _paint(surface.getCanvas(), drawing.moving)
        surface.flushAndSubmit()
        return drop_alpha(pixels)

    def _surface(self, width: int, height: int) -> tuple[skia.Surface, NDArray[np.uint8]]:
        kept = self._surfaces.get((width, height))
        if kept is None:
            pixels = np.zeros((height, width, 4), np.uint8)
            kept = (skia.Surface(pixels, colorType=skia.kRGBA_8888_ColorType), pixels)
            self._surfaces = {(width, height): kept}
        return kept

    def _draw_fixed(self, drawing: Drawing) -> NDArray[np.uint8]:
        surface, pixels = self._surface(drawing.width, drawing.height)
        canvas = surface.getCanvas()
        canvas.clear(skia.Color(*rgb(drawing.background)))
        _paint(canvas, drawing.fixed)
        surface.flushAndSubmit()
        while len(self._kept) >= 4:
            self._kept.pop(next(iter(self._kept)))
        self._kept[_fixed_key(drawing)] = kept = pixels.copy()
        return kept


def _fixed_key(drawing: Drawing) -> tuple[object, ...]:
    return (drawing.width, drawing.height, drawing.background, drawing.fixed)


def _paint(canvas: skia.Canvas, shapes: Sequence[Shape]) -> None:
    for shape in shapes:
        if isinstance(shape, Rect):
            canvas.drawRect(skia.Rect.MakeLTRB(shape.x0, shape.y0, shape.x1, shape.y1), _fill(shape.fill))
        elif isinstance(shape, Text):
            _paint_text(canvas, shape)
        elif isinstance(shape, Line):
            path = skia.Path()
            path.addPoly([skia.Point(x, y) for x, y in shape.points], False)
            canvas.drawPath(path, _stroke(shape.colour, shape.width))
        elif isinstance(shape, Dot):
            canvas.drawCircle(shape.x, shape.y, shape.radius, _fill(shape.colour))


def _paint_text(canvas: skia.Canvas, shape: Text) -> None:
    blob = _blob(shape.text, shape.size, shape.bold)
    length = width(shape.text, shape.size, shape.bold) if shape.align != "left" else 0.0
    start = {"left": 0.0, "center": -length / 2, "right": -length}[shape.align]
    if not shape.upright:
        canvas.save()
        canvas.translate(shape.x, shape.y)
        canvas.rotate(-90)
        canvas.drawTextBlob(blob, start, 0, _fill(shape.colour))
        canvas.restore()
        return
    if shape.halo:
        canvas.drawTextBlob(blob, shape.x + start, shape.y, _stroke("#ffffff", 3.0))
    canvas.drawTextBlob(blob, shape.x + start, shape.y, _fill(shape.colour))
