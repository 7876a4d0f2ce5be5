"""The files of GQA: JSON objects with an entry for every question or photo, kept as bytes until they are used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from answerable.build.sources.mcq import read_bytes
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import SourceError

_MARK = b"\xef\xbb\xbf"
#: What stands before an entry: the end of the one before it, and its name.
_NAME = re.compile(rb'\s*[,{]\s*"((?:[^"\\]|\\.)*)"\s*:\s*')
_END = re.compile(rb"\s*\}\s*")


class Entries:
    """The entries of one file, or of several that are one set.

    Raises:
        SourceError: a file is no JSON object, too large, or names an entry twice.
    """

    def __init__(self, paths: Sequence[Path], what: str) -> None:
        self.what = what
        self._lines: list[str] = []
        self._raw: dict[str, msgspec.Raw] = {}
        for path in paths:
            data = read_bytes(path).removeprefix(_MARK)
            self._lines.append(f"{what}: {path.name} sha256={digest_bytes(data)}")
            found = _entries(data, path, what)
            twice = next((name for name in found if name in self._raw), None)
            if twice is not None:
                raise SourceError("every entry in one file only", f"{twice[:60]!r} in two", where=str(path))
            self._raw.update(found)

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def __getitem__(self, name: str) -> bytes:
        return bytes(self._raw[name])

    def names(self) -> tuple[str, ...]:
        """In the order of the files."""
        return tuple(self._raw)

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests."""
        return tuple(self._lines)


def _entries(data: bytes, path: Path, what: str) -> dict[str, msgspec.Raw]:
    try:
        found = decode(data, dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"a JSON object of {what} by their ids", str(error)[:200], where=str(path)) from error
    twice = _repeated(data, found)
    if twice is not None:
        raise SourceError(
            "every entry once", f"{twice[:60]!r} more than once", where=str(path),
            fix="remove all but one; nothing decides which of them is meant",
        )  # fmt: skip
    return found


def _repeated(data: bytes, found: dict[str, msgspec.Raw]) -> str | None:
    """A name that the object has twice; None when there is none.

    A decoder keeps the last of them in the place of the first. So the entries are looked for one after the other: with
    a repeated name, the file goes on otherwise than the entries do.
    """
    place = 0
    for name, raw in found.items():
        head = _NAME.match(data, place)
        if head is None or data[head.end() : head.end() + len(bytes(raw))] != bytes(raw):
            return name
        if decode(b'"' + head[1] + b'"', str) != name:
            return decode(b'"' + head[1] + b'"', str)
        place = head.end() + len(bytes(raw))
    if not found or _END.fullmatch(data, place):
        return None
    head = _NAME.match(data, place)
    return decode(b'"' + head[1] + b'"', str) if head else "an entry"
