"""Recipes: a benchmark of photos without its photos, to be built again from somebody's own copy of them.

A recipe is a file of JSON lines. The first says how the benchmark was made; every other is one group: the source's
names of question and photo, the digest of the photo, the masks, and digests of everything that comes of it. It holds
no pixel, no question and no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from answerable.core.benchmark import Ledger, Manifest
from answerable.core.codec import decode, encode
from answerable.core.errors import SourceError
from answerable.core.files import replacing
from answerable.core.records import Record
from answerable.domains.photo.planning import Edits

FORMAT, KIND = 1, "photos"
#: Bytes of a recipe and of one line, and how many lines.
MAX_BYTES, MAX_LINE, MAX_LINES = 1 << 30, 1 << 20, 1_000_000
#: What decides how a photo's file becomes pixels, and pixels become a file.
_LIBRARIES = ("pillow", "zlib-ng", "numpy")

Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Text = Annotated[str, msgspec.Meta(max_length=1_000)]
T = TypeVar("T")


class Header(Record, frozen=True):
    """The first line."""

    recipe: str
    """``photos``."""
    format: int
    source: Text
    """Of the groups, for example ``photo-gqa``."""
    seed: int
    manifest: Manifest
    """Of the benchmark, its fingerprint included."""
    ledger: Ledger
    made_with: dict[str, str]
    """Versions of the libraries that decode photos and write pictures."""


class Pictures(Record, frozen=True):
    """Digests of a group's picture files."""

    F: Sha256
    S: Sha256
    M: Sha256


class Line(Record, frozen=True):
    """One group."""

    question: Text
    """The source's id of the question."""
    photo: Text
    """The source's name of the photo."""
    file: Text
    """Of the photo, in the folder of photos."""
    photo_sha256: Sha256
    """Of that file."""
    split: Literal["test", "train"]
    checked: Literal["agrees", "not executable", "no program"]
    """What re-executing the program said of the answer."""
    edits: Edits
    pictures: Pictures
    views: Sha256
    """Of the group's views: questions, answers and notes among them."""


class Recipe(Record, frozen=True):
    """A recipe as it was read."""

    header: Header
    lines: tuple[Line, ...]


def libraries() -> dict[str, str]:
    """The versions in use here."""
    return {name: version(name) for name in _LIBRARIES}


def write_recipe(path: Path, header: Header, lines: Iterable[Line]) -> None:
    """Write a recipe in one step.

    Raises:
        StorageError: the disk refused; the file keeps its old content.
    """
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(encode(header) + b"\n")
        for line in lines:
            file.write(encode(line) + b"\n")


def read_recipe(path: Path) -> Recipe:
    """Read a recipe; nothing in it is trusted.

    Raises:
        SourceError: it is none, or too large, or of another format, or names a question twice.
    """
    if not path.is_file():
        raise SourceError("a recipe", f"{path}, which is not there", where="--from-recipe")
    if path.stat().st_size > MAX_BYTES:
        raise SourceError(f"a recipe of at most {MAX_BYTES} bytes", f"{path.stat().st_size}", where=str(path))
    lines = _lines(path)
    header = _decoded(next(lines, b""), Header, f"{path}, line 1")
    if (header.recipe, header.format) != (KIND, FORMAT):
        raise SourceError(
            f"a recipe of {KIND!r} in format {FORMAT}", f"{header.recipe[:40]!r} in format {header.format}",
            where=str(path), fix="build it again with this version, or use the version that wrote it",
        )  # fmt: skip
    found = tuple(_decoded(line, Line, f"{path}, line {place}") for place, line in enumerate(lines, start=2))
    if not found or len(found) != header.manifest.groups:
        raise SourceError(f"{header.manifest.groups} groups, as the first line says", f"{len(found)}", where=str(path))
    if len({line.question for line in found}) < len(found):
        raise SourceError("every question once", "one twice", where=str(path))
    return Recipe(header=header, lines=found)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for number in range(1, MAX_LINES + 2):
            line = file.readline(MAX_LINE + 1)
            if not line:
                return
            if len(line) > MAX_LINE or number > MAX_LINES:
                raise SourceError(
                    f"at most {MAX_LINES} lines of at most {MAX_LINE} bytes", "more", where=f"{path}, line {number}"
                )
            yield line


def _decoded(line: bytes, kind: type[T], where: str) -> T:
    try:
        return decode(line, kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SourceError("a line of a recipe of photos", str(error)[:200], where=where) from error
