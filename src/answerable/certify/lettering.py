"""Any text on a sheet: broken into lines that fit, signs without a glyph boxed, right-to-left runs in order.

Charts and tables refuse text that their font cannot draw; a sheet must show whatever a stranger's question holds.
There is no shaping: Arabic letters stand unjoined.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import bidirectional, category, normalize

from answerable.domains.chart.text import font_file, width, wrapped

#: Stands for a sign that the font lacks, or that is not drawn at all.
BOX = "□"
#: Between the lines of a printed output.
NEW_LINE = "⏎"
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
_RIGHTWARDS = ("R", "AL")
_DIGITS = ("EN", "AN")


@lru_cache(maxsize=2)
def _glyphs(bold: bool) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(font_file(bold=bold), lazy=True) as font:
        return frozenset(font.getBestCmap())


def drawable(text: str, *, bold: bool = False) -> str:
    """The text in signs that the font has; what it lacks becomes ``BOX``, white space one space.

    Marks of order and joiners, which have no form of their own, go.
    """
    have = _glyphs(bold)
    plain = " ".join("".join(sign for sign in normalize("NFC", text) if category(sign) != "Cf").split())
    return "".join(sign if sign.isprintable() and ord(sign) in have else BOX for sign in plain)


def folded(text: str, size: float, limit: float, *, bold: bool = False, most: int = 100) -> tuple[str, ...]:
    """Lines of at most ``limit`` pixels, ready to be drawn; words that are longer are broken.

    Args:
        text: anything.
        most: lines at most; the last one then ends with an ellipsis.
    """
    # Far more than ``most`` lines hold: a text of megabytes is not measured word by word.
    clean = drawable(text[: int(most * limit)], bold=bold)
    lines: list[str] = []
    for line in wrapped(clean, size, limit, bold=bold):
        lines += _broken(line, size, limit, bold=bold)
        if len(lines) > most:
            break
    if len(lines) > most or (lines and len(text) > most * limit):
        lines = lines[:most]
        lines[-1] = _ended(lines[-1], size, limit, bold=bold)
    return tuple(visual(line) for line in lines)


def _broken(line: str, size: float, limit: float, *, bold: bool) -> list[str]:
    """A line cut wherever it reaches the limit; one sign a line at least."""
    found = [""]
    for sign in line:
        if found[-1] and width(found[-1] + sign, size, bold) > limit:
            found.append("")
        found[-1] += sign
    return found


def _ended(line: str, size: float, limit: float, *, bold: bool) -> str:
    """The line with an ellipsis at its end, shortened until both fit."""
    while line and width(f"{line}…", size, bold) > limit:
        line = line[:-1]
    return f"{line.rstrip()}…"


def visual(line: str) -> str:
    """Signs from left to right as they are read; a plain form of Unicode's bidirectional algorithm (UAX 9)."""
    # What is boxed is mostly of scripts that run from left to right.
    kinds = ["L" if sign == BOX else bidirectional(sign) for sign in line]
    strong = [kind for kind in kinds if kind in ("L", *_RIGHTWARDS)]
    if not set(strong) & set(_RIGHTWARDS):
        return line
    levels = _levels(kinds, 1 if strong[0] in _RIGHTWARDS else 0)
    signs = [sign.translate(_MIRRORED) if level % 2 else sign for sign, level in zip(line, levels, strict=True)]
    # Rule L2: from the highest level down, every run of that level or above is turned round.
    for level in range(max(levels), 0, -1):
        start = 0
        while start < len(signs):
            end = start
            while end < len(signs) and levels[end] >= level:
                end += 1
            signs[start:end] = signs[start:end][::-1]
            levels[start:end] = levels[start:end][::-1]
            start = max(end, start + 1)
    return "".join(signs)


def _levels(kinds: list[str], base: int) -> list[int]:
    """The level of each sign: even from left to right, odd from right to left."""
    known: list[int | None] = []
    last = base
    for kind in kinds:
        if kind == "L":
            last = 2 * base
            known.append(last)
        elif kind in _RIGHTWARDS:
            last = 1
            known.append(last)
        else:
            # Numbers in a run from right to left still read from left to right.
            known.append((2 if last == 1 else last) if kind in _DIGITS else None)
    found: list[int] = []
    for place, level in enumerate(known):
        before = found[-1] if found else base
        after = next((other for other in known[place:] if other is not None), base)
        between = before if before == after else 1 if before and after and base == 0 else base
        found.append(between if level is None else level)
    return found
