"""Colours of code, from Pygments: one visible line at a time, so that nothing out of sight can colour what is seen."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from pygments.lexers.python import PythonLexer
from pygments.styles import get_style_by_name
from pygments.token import Error, Token

from answerable.domains.code.world import ThemeName

_LEXER = PythonLexer(stripnl=False)


class Theme(msgspec.Struct, frozen=True):
    """Colours of a window, ``#rrggbb``."""

    paper: str
    ink: str
    number: str
    """Of line numbers."""
    bar: str
    """Of the title bar."""
    cover: str
    edge: str
    dark: bool


class Span(msgspec.Struct, frozen=True, gc=False):
    """Part of a line in one look."""

    column: int
    text: str
    colour: str
    bold: bool
    italic: bool


@lru_cache(maxsize=32)
def theme(name: ThemeName) -> Theme:
    """The colours of a Pygments style; what it does not name is mixed from paper and ink."""
    style = get_style_by_name(name)
    paper = _full(style.background_color)
    dark = _light(paper) < 128
    own = style.style_for_token(Token)["color"]
    ink = f"#{own}" if own else ("#d8dade" if dark else "#1d2129")
    return Theme(
        paper=paper,
        ink=ink,
        number=_mix(paper, ink, 45),
        bar=_mix(paper, "#000000" if not dark else "#ffffff", 9),
        cover=_mix(paper, "#808893", 62),
        edge=_mix(paper, "#808893", 95),
        dark=dark,
    )


@lru_cache(maxsize=8192)
def spans(text: str, name: ThemeName) -> tuple[Span, ...]:
    """The coloured parts of one line; a line cut short is coloured as far as it goes."""
    style, look = get_style_by_name(name), theme(name)
    found, column = [], 0
    for kind, part in _LEXER.get_tokens(text):
        piece = part.rstrip("\n")
        if piece.strip():
            marks = style.style_for_token(kind if kind is not Error else Token)
            colour = f"#{marks['color']}" if marks["color"] else look.ink
            lead = len(piece) - len(piece.lstrip())
            found.append(Span(column + lead, piece.strip(), colour, bool(marks["bold"]), bool(marks["italic"])))
        column += len(piece)
    return tuple(found)


def _full(colour: str) -> str:
    """``#abc`` as ``#aabbcc``."""
    return colour.lower() if len(colour) == 7 else "#" + "".join(sign * 2 for sign in colour[1:]).lower()


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _light(colour: str) -> float:
    red, green, blue = _rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _mix(one: str, other: str, percent: int) -> str:
    """``percent`` of the other colour in the one."""
    pairs = zip(_rgb(one), _rgb(other), strict=True)
    return "#" + "".join(f"{(a * (100 - percent) + b * percent) // 100:02x}" for a, b in pairs)
