"""Parquet files from anyone: what is damaged or hostile is refused in words, whoever reads them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from answerable.core.errors import InputError


class Checkable(Protocol):
    """A table or a column."""

    def validate(self, *, full: bool = False) -> None:
        """Raise what is wrong."""


def check(read: Checkable) -> None:
    """Check what reading does not: that text is UTF-8, and that lists end where they say.

    Raises:
        pyarrow.ArrowInvalid: something is not so; inside ``readable`` it becomes words.
    """
    read.validate(full=True)


@contextlib.contextmanager
def readable(path: Path, kind: type[InputError], what: str = "") -> Iterator[None]:
    """Whatever reading a file raises becomes an error of ours.

    Args:
        kind: the error.
        what: what the file should hold, such as ``" of views"``.
    """
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise kind(f"a readable Parquet file{what}", str(error), where=str(path)) from error
