"""What the verbs print with: text and tables on stdout, progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from answerable.core.codec import encode_pretty

if TYPE_CHECKING:
    from rich.console import Console


class Progress(Protocol):
    """A bar under way."""

    def advance(self, n: int = 1, note: str = "") -> None:
        """Count ``n`` more as done; ``note`` is shown at the end of the line."""


def console() -> Console:
    """A console on stderr, for notes that are not results."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False)


def out(text: str) -> None:
    """Write a result to stdout; a character its encoding lacks is escaped, never an error."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def print_json(value: Any) -> None:
    """Write canonical, indented JSON to stdout."""
    out(encode_pretty(value).decode().rstrip("\n"))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table to stdout: first column left, the others right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=Text(title), title_justify="left", header_style="bold")
    for index, column in enumerate(columns):
        drawn.add_column(Text(column), justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    width = None if sys.stdout.isatty() else 160
    Console(file=sys.stdout, highlight=False, markup=False, width=width, safe_box=True).print(drawn)


@contextmanager
def progress(description: str, total: int | None, unit: str) -> Iterator[Progress]:
    """A bar with rate and remaining time on stderr; nothing when stderr is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}  {task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    shown = console()
    with Bars(*columns, console=shown, disable=not shown.is_terminal, transient=True) as bars:
        task = bars.add_task(description, total=total, unit=unit, rate="", note="")

        class _Bar:
            def advance(self, n: int = 1, note: str = "") -> None:
                speed = bars.tasks[0].speed
                bars.update(task, advance=n, note=note, rate=f"{speed:.1f}/s" if speed else "")

        yield _Bar()
