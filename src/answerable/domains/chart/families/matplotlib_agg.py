"""Matplotlib's Agg: the library people know.

The fixed layer is drawn once and restored for every picture that shares it, and artists are reused; the result
is byte-identical to drawing the whole figure anew (``fresh``), which tests hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import patheffects
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Rectangle
from matplotlib.path import Path
from matplotlib.text import Text as TextArtist
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from answerable.domains.chart.families import drop_alpha, installed_version
from answerable.domains.chart.shapes import Dot, Drawing, Line, Rect, Shape, Text
from answerable.domains.chart.styles import STYLES
from answerable.domains.chart.text import font_file

_DPI = 100
_PX = 72 / _DPI


@lru_cache(maxsize=64)
def _font(size: float, bold: bool) -> FontProperties:
    return FontProperties(fname=str(font_file(bold=bold)), size=size * _PX)


class MatplotlibFamily:
    """Draws on an Agg canvas; keeps the last canvases with their fixed layers."""

    name = "matplotlib"
    style = STYLES["matplotlib"]

    def __init__(self) -> None:
        self.version = installed_version("matplotlib")
        self._kept: dict[tuple[object, ...], _Sheet] = {}

    def render(self, drawing: Drawing) -> NDArray[np.uint8]:
        """See ``Family.render``."""
        key = (drawing.width, drawing.height, drawing.background, drawing.fixed)
        with _calm():
            sheet = self._kept.get(key)
            if sheet is None:
                sheet = _Sheet(drawing)
                while len(self._kept) >= 4:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = sheet
            return sheet.draw(drawing.moving)

    def fresh(self, drawing: Drawing) -> NDArray[np.uint8]:
        """The same pixels the slow way: a new figure, all artists drawn in one go."""
        with _calm():
            figure = _figure(drawing)
            for shape in (*drawing.fixed, *drawing.moving):
                figure.add_artist(_artist(shape, drawing.height))
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            return drop_alpha(np.asarray(canvas.buffer_rgba()))


@lru_cache(maxsize=1)
def _plain() -> dict[str, Any]:
    """Only settings that touch text and paths; the defaults of the library, not of the user."""
    names = (
        "text.hinting",
        "text.hinting_factor",
        "text.antialiased",
        "text.kerning_factor",
        "text.parse_math",
        "text.usetex",
        "path.simplify",
        "path.simplify_threshold",
        "path.snap",
        "path.sketch",
        "path.effects",
        "agg.path.chunksize",
        "lines.antialiased",
        "patch.antialiased",
    )
    plain = {name: mpl.rcParamsDefault[name] for name in names if name in mpl.rcParamsDefault}
    return plain | {"text.hinting": "none", "text.parse_math": False}


@contextmanager
def _calm() -> Iterator[None]:
    """Settings under which pixels do not depend on the user's matplotlibrc, for as long as we draw."""
    if all(mpl.rcParams[name] == value for name, value in _plain().items()):
        yield
        return
    with mpl.rc_context():
        mpl.rcParams.update(_plain())
        yield


def _figure(drawing: Drawing) -> Figure:
    return Figure(
        figsize=(drawing.width / _DPI, drawing.height / _DPI),
        dpi=_DPI,
        facecolor=drawing.background,
        edgecolor="none",
        linewidth=0,
        layout="none",
    )


class _Sheet:
    """One canvas with its fixed layer. What moves is drawn on the renderer itself, without an artist each time."""

    def __init__(self, drawing: Drawing) -> None:
        self._height = drawing.height
        self._figure = _figure(drawing)
        self._canvas = FigureCanvasAgg(self._figure)
        for shape in drawing.fixed:
            self._figure.add_artist(_artist(shape, self._height))
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self._figure.bbox)
        self._extents: dict[tuple[str, float, bool], float] = {}

    def draw(self, shapes: Iterable[Shape]) -> NDArray[np.uint8]:
        self._canvas.restore_region(self._background)
        renderer = self._canvas.get_renderer()
        for shape in shapes:
            if isinstance(shape, Rect):
                self._rect(renderer, shape)
            elif isinstance(shape, Text) and not shape.halo:
                self._text(renderer, shape)
            else:
                artist = _artist(shape, self._height)
                artist.set_figure(self._figure)
                artist.draw(renderer)
        return drop_alpha(np.asarray(self._canvas.buffer_rgba()))

    def _rect(self, renderer: Any, shape: Rect) -> None:
        graphics = renderer.new_gc()
        graphics.set_linewidth(0)
        graphics.set_snap(False)
        place = Affine2D.from_values(shape.x1 - shape.x0, 0, 0, shape.y1 - shape.y0, shape.x0, self._height - shape.y1)
        renderer.draw_path(graphics, _SQUARE, place, to_rgba(shape.fill))

    def _text(self, renderer: Any, shape: Text) -> None:
        font = _font(shape.size, shape.bold)
        key = (shape.text, shape.size, shape.bold)
        long = self._extents.get(key)
        if long is None:
            long = self._extents[key] = renderer.get_text_width_height_descent(shape.text, font, False)[0]
        back = {"left": 0.0, "center": long / 2, "right": long}[shape.align]
        x, y = (shape.x - back, shape.y) if shape.upright else (shape.x, shape.y + back)
        graphics = renderer.new_gc()
        graphics.set_foreground(shape.colour)
        renderer.draw_text(graphics, x, y, shape.text, font, 0 if shape.upright else 90)


_SQUARE = Path.unit_rectangle()


def _place(artist: TextArtist, shape: Text, height: int) -> None:
    artist.set_text(shape.text)
    artist.set_position((shape.x, height - shape.y))
    artist.set_color(shape.colour)
    artist.set_horizontalalignment(shape.align)
    artist.set_rotation(0 if shape.upright else 90)
    artist.set_fontproperties(_font(shape.size, shape.bold))


def _artist(shape: Shape, height: int) -> Any:
    """A new artist in pixel coordinates (matplotlib's run from the bottom)."""
    if isinstance(shape, Rect):
        made: Any = Rectangle(
            (shape.x0, height - shape.y1),
            shape.x1 - shape.x0,
            shape.y1 - shape.y0,
            facecolor=shape.fill,
            edgecolor="none",
            linewidth=0,
            antialiased=True,
            snap=False,
        )
    elif isinstance(shape, Line):
        xs, ys = zip(*shape.points, strict=True)
        made = Line2D(
            xs,
            [height - y for y in ys],
            color=shape.colour,
            linewidth=shape.width * _PX,
            linestyle="-",
            solid_joinstyle="round",
            solid_capstyle="round",
            marker="None",
        )
    elif isinstance(shape, Dot):
        made = Circle((shape.x, height - shape.y), shape.radius, facecolor=shape.colour, edgecolor="none", linewidth=0)
    else:
        made = TextArtist(
            0, 0, "", verticalalignment="baseline", rotation_mode="anchor", parse_math=False, usetex=False
        )
        _place(made, shape, height)
        if shape.halo:
            made.set_path_effects([patheffects.withStroke(linewidth=3 * _PX, foreground="#ffffff")])
    made.set_transform(Affine2D())
    made.set_clip_on(False)
    made.set_zorder(1)  # drawn in the order given
    return made
