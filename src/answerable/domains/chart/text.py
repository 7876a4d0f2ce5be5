"""Text on charts: one font, shipped inside matplotlib's package, so the system's fonts never matter."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, combining

from answerable.core.errors import RenderError

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FONT_FAMILY = "DejaVu Sans"
#: Parts of the em, from the font's own metrics: height of capitals and digits, depth of commas and tails.
CAP, DEPTH, TAIL = 0.73, 0.14, 0.24


@lru_cache(maxsize=1)
def font_folder() -> Path:
    """The folder of matplotlib's fonts, found without importing matplotlib.

    Raises:
        RenderError: the package is there without its fonts.
    """
    spec = find_spec("matplotlib")
    folder = Path(spec.origin or "").parent / "mpl-data" / "fonts" / "ttf" if spec else Path()
    if not (folder / "DejaVuSans.ttf").is_file():
        raise RenderError("the font DejaVuSans.ttf in matplotlib's package", f"none in {folder}")
    return folder


def font_file(*, bold: bool = False) -> Path:
    """The font file."""
    return font_folder() / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")


@lru_cache(maxsize=32)
def _font(size: int, bold: bool) -> FreeTypeFont:
    from PIL import ImageFont

    # The basic engine: the same advances whatever shaping library the system has.
    return ImageFont.truetype(str(font_file(bold=bold)), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=16384)
def width(text: str, size: float, bold: bool = False) -> float:
    """Advance width in pixels at ``size`` pixels an em."""
    return float(_font(100, bold).getlength(text)) * size / 100


@lru_cache(maxsize=2)
def _glyphs(bold: bool) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(font_file(bold=bold), lazy=True) as font:
        return frozenset(font.getBestCmap())


@lru_cache(maxsize=16384)
def missing_glyphs(text: str, bold: bool = False) -> str:
    """Characters of ``text`` that cannot be drawn alike by every family.

    Those the font lacks, those that are not drawn at all (controls, marks of order), and those that need shaping
    (right-to-left scripts, combining marks), which only some libraries do.
    """
    have = _glyphs(bold)
    return "".join(sorted({sign for sign in text if ord(sign) not in have or _needs_shaping(sign)}))


def _needs_shaping(sign: str) -> bool:
    rightwards = bidirectional(sign) in ("R", "AL", "AN", "RLE", "RLO", "RLI")
    return not sign.isprintable() or rightwards or combining(sign) != 0 or category(sign) in ("Mn", "Mc", "Me")


def wrapped(text: str, size: float, limit: float, *, bold: bool = False) -> tuple[str, ...]:
    """Lines of at most ``limit`` pixels, broken at spaces; a single word may be longer."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size, bold) <= limit:
            lines[-1] = joined
        else:
            lines.append(word)
    return tuple(lines)
