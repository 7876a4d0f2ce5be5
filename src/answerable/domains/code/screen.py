"""Editor windows: places, text that can be drawn, and drawing by skia.

Every place follows from the window's declared size and from line numbers and columns.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import bidirectional, category

import numpy as np
import skia
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

from answerable.core.errors import RenderError
from answerable.core.records import Refusal
from answerable.domains.chart.families import drop_alpha, rgb
from answerable.domains.chart.text import font_folder
from answerable.domains.code.highlight import Theme, spans, theme
from answerable.domains.code.language import Assign, ImportRandom, Int, at
from answerable.domains.code.slots import divides, tail, tail_column
from answerable.domains.code.visibility import Above, Hide, Picture, hidden_lines, shown
from answerable.domains.code.world import CodeWorld, Window, texts

#: Raised whenever the same world would be drawn differently.
REVISION = 1
#: Advance of every glyph of the font, in its own units an em.
_ADVANCE, _EM = 1233, 2048
_FACES = {
    (False, False): "DejaVuSansMono.ttf",
    (True, False): "DejaVuSansMono-Bold.ttf",
    (False, True): "DejaVuSansMono-Oblique.ttf",
    (True, True): "DejaVuSansMono-BoldOblique.ttf",
}
_BUTTONS = ("#ff5f56", "#febc2e", "#28c840")


@lru_cache(maxsize=1)
def version() -> str:
    """What draws, as proofs name it."""
    from importlib.metadata import version as installed

    return f"skia-python {installed('skia-python')} Pygments {installed('Pygments')} r{REVISION}"


def problems(world: CodeWorld, hide: Hide | None = None) -> tuple[Refusal, ...]:
    """What keeps a picture from being whole, or what is hidden from being what the question says."""
    found, window, written = [], world.window, texts(world)
    if len(written) > window.rows or max(map(len, written), default=0) > window.columns:
        found.append(Refusal(reason="does not fit", detail=f"more than {window.rows} lines of {window.columns} signs"))
    bad = "".join(sorted({sign for text in written for sign in undrawable(text)}))
    if bad:
        found.append(Refusal(reason="no glyph", detail=f"for {bad[:20]!r}"))
    if hide is not None:
        found.extend(Refusal(reason="hidden otherwise than said", detail=why) for why in _other_form(world, hide))
    return tuple(found)


def _other_form(world: CodeWorld, hide: Hide) -> list[str]:
    """How the hidden part differs from what the question says of it."""
    rows = len(texts(world))
    if isinstance(hide, Above):
        if not 1 <= hide.lines < rows:
            return [f"{hide.lines} lines of {rows}"]
    elif not (1 <= hide.line <= rows and 1 <= hide.column < world.window.columns):
        return [f"line {hide.line}, column {hide.column}"]
    found = []
    hidden = hidden_lines(world.program, hide)
    if not hidden:
        found.append("nothing is hidden")
    for number, line in hidden:
        statement = at(world.program.statements, line.path)
        literal = tail(statement)
        if isinstance(hide, Above) and isinstance(statement, ImportRandom):
            continue
        whole = not isinstance(hide, Above) or (isinstance(statement, Assign) and isinstance(statement.value, Int))
        if not whole or not isinstance(literal, Int) or divides(statement):
            found.append(f"line {number} holds more than a number")
        elif not world.low <= literal.value <= world.high:
            found.append(f"line {number} holds {literal.value}")
        elif not isinstance(hide, Above) and hide.column != tail_column(line.text, literal):
            found.append(f"line {number} is cut elsewhere than before its last number")
    return found


@lru_cache(maxsize=4)
def _glyphs(face: str) -> frozenset[int]:
    with TTFont(font_folder() / face, lazy=True) as font:
        return frozenset(font.getBestCmap())


@lru_cache(maxsize=8192)
def undrawable(text: str) -> str:
    """Signs that one of the faces lacks, or that need shaping (right-to-left scripts, combining marks)."""
    return "".join(sorted({sign for sign in text if not _plain(sign)}))


def _plain(sign: str) -> bool:
    shaped = bidirectional(sign) in ("R", "AL", "AN") or category(sign) in ("Mn", "Mc", "Me")
    return sign.isprintable() and not shaped and all(ord(sign) in _glyphs(face) for face in _FACES.values())


class Places:
    """Where everything lies in a window, in whole pixels."""

    def __init__(self, window: Window) -> None:
        self.cell = window.cell
        self.line = window.cell * 7 // 3
        self.bar = {"buttons": 34, "tab": 36, "none": 0}[window.frame]
        self.top = self.bar + 10
        self.gutter = 12 + 3 * window.cell
        """Right edge of the line numbers."""
        self.left = self.gutter + 2 * window.cell
        self.width = self.left + window.columns * window.cell + 16
        self.height = self.top + window.rows * self.line + 12

    def row(self, place: int) -> int:
        """Top of a row, from 0."""
        return self.top + place * self.line

    def baseline(self, place: int) -> int:
        """Baseline of a row."""
        return self.row(place) + self.line * 5 // 7

    def column(self, number: int) -> int:
        """Left edge of a column, from 0."""
        return self.left + number * self.cell


@lru_cache(maxsize=4)
def _typeface(bold: bool, italic: bool) -> skia.Typeface:
    path = font_folder() / _FACES[bold, italic]
    if not path.is_file():
        raise RenderError(f"the font {path.name} in matplotlib's package", f"none in {path.parent}")
    # An empty manager: the system's fonts and their configuration are never looked at.
    return skia.FontMgr.New_Custom_Empty().makeFromFile(str(path))


@lru_cache(maxsize=32)
def _font(cell: int, bold: bool, italic: bool) -> skia.Font:
    """A font whose columns are whole pixels wide."""
    font = skia.Font(_typeface(bold, italic), cell * _EM / _ADVANCE)
    font.setSubpixel(True)
    font.setHinting(skia.FontHinting.kNone)
    font.setEdging(skia.Font.Edging.kAntiAlias)
    return font


@lru_cache(maxsize=16384)
def _blob(text: str, cell: int, bold: bool, italic: bool) -> skia.TextBlob:
    return skia.TextBlob.MakeFromString(text, _font(cell, bold, italic))


@lru_cache(maxsize=256)
def _fill(colour: str) -> skia.Paint:
    return skia.Paint(Color=skia.Color(*rgb(colour)), AntiAlias=True)


def render(world: CodeWorld, hide: Hide | None = None) -> NDArray[np.uint8]:
    """Pixels ``(height, width, 3)``, uint8, RGB; the same for the same visible text, whatever was drawn before."""
    return draw(world.window, shown(texts(world), hide))


def draw(window: Window, picture: Picture) -> NDArray[np.uint8]:
    """A window with the visible text; see ``render``."""
    places, look = Places(window), theme(window.theme)
    pixels = np.empty((places.height, places.width, 4), np.uint8)
    surface = skia.Surface(pixels, colorType=skia.kRGBA_8888_ColorType)
    canvas = surface.getCanvas()
    canvas.clear(skia.Color(*rgb(look.paper)))
    _frame(canvas, window, places, look)
    for place, text in enumerate(picture.texts):
        base, number = places.baseline(place), str(picture.first + place)
        left = places.gutter - len(number) * places.cell
        canvas.drawTextBlob(_blob(number, places.cell, False, False), left, base, _fill(look.number))
        for span in spans(text, window.theme):
            blob = _blob(span.text, places.cell, span.bold, span.italic)
            canvas.drawTextBlob(blob, places.column(span.column), base, _fill(span.colour))
    if picture.cover is not None:
        x, y = places.column(picture.cover.column) - 2, places.row(picture.cover.line - picture.first)
        _rect(canvas, (x, y, places.width, y + places.line), look.edge)
        _rect(canvas, (x + 1, y + 1, places.width, y + places.line - 1), look.cover)
    surface.flushAndSubmit()
    return drop_alpha(pixels)


def _rect(canvas: skia.Canvas, box: tuple[int, int, int, int], colour: str) -> None:
    canvas.drawRect(skia.Rect.MakeLTRB(*box), _fill(colour))


def _frame(canvas: skia.Canvas, window: Window, places: Places, look: Theme) -> None:
    """The title bar."""
    if window.frame == "none":
        return
    _rect(canvas, (0, 0, places.width, places.bar), look.bar)
    name = _blob(window.file, 8, False, False)
    wide = 8 * len(window.file)
    if window.frame == "buttons":
        for index, colour in enumerate(_BUTTONS):
            canvas.drawCircle(20 + 20 * index, places.bar / 2, 6, _fill(colour))
        canvas.drawTextBlob(name, (places.width - wide) // 2, places.bar // 2 + 5, _fill(look.number))
        return
    _rect(canvas, (0, 0, wide + 48, places.bar), look.paper)
    _rect(canvas, (0, 0, wide + 48, 2), "#4c8bf5")
    canvas.drawTextBlob(name, 18, places.bar // 2 + 5, _fill(look.ink))
