"""Hiding part of a program's text: lines above what the picture shows, or the ends of lines.

What is hidden never reaches the renderer: ``show`` gives it the visible text alone. Where a cover lies depends on a
line's number and a column, never on what stands there. Source: TUBench 3.1, strategies S.2 and S.3.
"""

from __future__ import annotations

from answerable.core.records import Record
from answerable.domains.code.language import Program
from answerable.domains.code.printing import Line, lines


class Above(Record, frozen=True, tag="above"):
    """The first lines are out of the picture (S.2)."""

    lines: int


class End(Record, frozen=True, tag="end"):
    """The end of one line is covered, from a column on (S.3)."""

    line: int
    """From 1."""
    column: int
    """From 0; the first one that is covered."""


Hide = Above | End


class Picture(Record, frozen=True):
    """All a renderer is told."""

    first: int
    """Number of the first line in the picture."""
    texts: tuple[str, ...]
    cover: End | None = None


def shown(texts: tuple[str, ...], hide: Hide | None) -> Picture:
    """The picture of a program's lines under an operation (None: everything is seen)."""
    if isinstance(hide, Above):
        return Picture(hide.lines + 1, texts[hide.lines :])
    if isinstance(hide, End):
        place = hide.line - 1
        return Picture(1, (*texts[:place], texts[place][: hide.column], *texts[place + 1 :]), hide)
    return Picture(1, texts)


def hidden_lines(program: Program, hide: Hide) -> tuple[tuple[int, Line], ...]:
    """Number and line of all that is hidden, whole or in part."""
    numbered = tuple(enumerate(lines(program), 1))
    if isinstance(hide, Above):
        return numbered[: hide.lines]
    return tuple((number, line) for number, line in numbered if number == hide.line and len(line.text) > hide.column)
