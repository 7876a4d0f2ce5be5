"""A world of code: a program, and the editor window that shows it."""

from __future__ import annotations

import re
from typing import Literal

from answerable.core.records import Record
from answerable.domains.code.checking import problems
from answerable.domains.code.language import Program
from answerable.domains.code.printing import lines

MAX_ROWS, MAX_COLUMNS = 40, 80
#: Numbers a hidden place may be declared to hold.
MAX_DOMAIN = 32
_FILE = re.compile(r"[a-z0-9_]{1,24}\.py", re.ASCII)

ThemeName = Literal[
    "monokai", "github-dark", "one-dark", "dracula", "nord", "solarized-light", "friendly", "vs", "xcode",
    "gruvbox-light",
]  # fmt: skip
THEMES: tuple[ThemeName, ...] = (
    "monokai", "github-dark", "one-dark", "dracula", "nord", "solarized-light", "friendly", "vs", "xcode",
    "gruvbox-light",
)  # fmt: skip
Frame = Literal["buttons", "tab", "none"]
FRAMES: tuple[Frame, ...] = ("buttons", "tab", "none")


class Window(Record, frozen=True):
    """Fixed facts: the size is declared, so that no hidden text can move anything."""

    file: str
    theme: ThemeName
    frame: Frame
    cell: int
    """Pixels a column is wide."""
    rows: int
    columns: int


class CodeWorld(Record, frozen=True):
    """A complete program in its window."""

    program: Program
    window: Window
    low: int
    """Numbers out of sight lie between ``low`` and ``high``, both included; the question says so."""
    high: int


def texts(world: CodeWorld) -> tuple[str, ...]:
    """The lines of the program."""
    return tuple(line.text for line in lines(world.program))


def world_problems(world: CodeWorld) -> tuple[str, ...]:
    """What makes a world malformed, whatever its picture and its meaning."""
    window, found = world.window, []
    if not (1 <= window.rows <= MAX_ROWS and 16 <= window.columns <= MAX_COLUMNS):
        found.append(f"expected 1 to {MAX_ROWS} rows of 16 to {MAX_COLUMNS}; got {window.rows} of {window.columns}")
    if not 7 <= window.cell <= 12:
        found.append(f"expected columns of 7 to 12 pixels; got {window.cell}")
    if not _FILE.fullmatch(window.file):
        found.append(f"expected a file name like main.py; got {window.file[:40]!r}")
    if not 0 <= world.low < world.high < 100 or world.high - world.low >= MAX_DOMAIN:
        found.append(f"expected 2 to {MAX_DOMAIN} numbers from 0 to 99; got {world.low} to {world.high}")
    return (*found, *problems(world.program))
