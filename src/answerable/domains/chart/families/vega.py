"""Vega through vl-convert: a specification of marks, rasterised by its own engine."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from typing import Any

import numpy as np
import vl_convert
from numpy.typing import NDArray
from PIL import Image

from answerable.domains.chart.families import installed_version
from answerable.domains.chart.shapes import Dot, Drawing, Line, Rect, Shape, Text
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.text import FONT_FAMILY, font_folder


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    vl_convert.register_font_directory(str(font_folder()))


class VegaFamily:
    """Writes a Vega specification and has it drawn."""

    name = "vega"
    style = STYLES["vega"]

    def __init__(self) -> None:
        self.version = installed_version("vl-convert-python")

    def render(self, drawing: Drawing) -> NDArray[np.uint8]:
        """See ``Family.render``."""
        _register_fonts()
        data = vl_convert.vega_to_png(json.dumps(specification(drawing)), scale=1, ppi=72)
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            pixels = np.array(image.convert("RGB"))
        return np.ascontiguousarray(pixels)


def specification(drawing: Drawing) -> dict[str, Any]:
    """The Vega specification of a drawing: marks in pixel coordinates, in order."""
    return {
        "$schema": "https://vega.github.io/schema/vega/v5.json",
        "width": drawing.width,
        "height": drawing.height,
        "padding": 0,
        "autosize": "none",
        "background": drawing.background,
        "marks": [mark for shape in (*drawing.fixed, *drawing.moving) for mark in _marks(shape)],
    }


def _mark(kind: str, **channels: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "interactive": False,
        "encode": {"enter": {name: {"value": value} for name, value in channels.items()}},
    }


def _marks(shape: Shape) -> list[dict[str, Any]]:
    if isinstance(shape, Rect):
        return [_mark("rect", x=shape.x0, y=shape.y0, x2=shape.x1, y2=shape.y1, fill=shape.fill, strokeWidth=0)]
    if isinstance(shape, Dot):
        # Size is the area of the symbol's square.
        size = (2 * shape.radius) ** 2
        return [_mark("symbol", shape="circle", x=shape.x, y=shape.y, size=size, fill=shape.colour, strokeWidth=0)]
    if isinstance(shape, Line):
        path = "M" + "L".join(f"{x:.3f},{y:.3f}" for x, y in shape.points)
        return [
            _mark(
                "path",
                path=path,
                x=0,
                y=0,
                stroke=shape.colour,
                strokeWidth=shape.width,
                strokeCap="round",
                strokeJoin="round",
            )
        ]
    return _texts(shape)


def _texts(shape: Text) -> list[dict[str, Any]]:
    common: dict[str, Any] = {
        "x": shape.x,
        "y": shape.y,
        "text": shape.text,
        "font": FONT_FAMILY,
        "fontSize": shape.size,
        "fontWeight": "bold" if shape.bold else "normal",
        "align": shape.align,
        "baseline": "alphabetic",
        "angle": 0 if shape.upright else -90,
        "limit": 0,
    }
    marks = []
    if shape.halo:
        marks.append(_mark("text", **common, fill="#ffffff", stroke="#ffffff", strokeWidth=3, strokeJoin="round"))
    marks.append(_mark("text", **common, fill=shape.colour))
    return marks
