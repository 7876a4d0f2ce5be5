"""Functions that worker processes can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from answerable.core.errors import SourceError


def square(number: int) -> int:
    """Quick work."""
    return number * number


def uneven(number: int) -> int:
    """Later items finish earlier."""
    time.sleep(0.02 if number % 4 == 0 else 0)
    return number


def process(_: int) -> int:
    """Where the work is done."""
    return os.getpid()


def refuse_seven(number: int) -> int:
    """Raise an error of ours on one item."""
    if number == 7:
        raise SourceError("a number other than 7", f"number={number}", where="line 7", fix="count otherwise")
    return number


def divide(number: int) -> float:
    """Raise an error of Python's on zero."""
    return 1 / number


def killed(number: int) -> int:
    """End as a process does that the system kills."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def note_process(folder: str) -> None:
    """Say which process this is, and take long."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
