"""Pictures of multiple-choice questions: base64 in a cell, or a file beside the data, never anywhere else."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from answerable.build.sources.mcq import MAX_IMAGE, UnusableError
from answerable.core.codec import digest_bytes
from answerable.core.errors import InputError, SettingsError
from answerable.core.files import inside

#: A cell that is the index of another row, whose picture it shares.
_INDEX = re.compile(r"[0-9]{1,12}")
_DATA = re.compile(r"data:image/[a-z0-9.+-]{1,20};base64,", re.IGNORECASE)
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")
#: Where a data file's pictures lie when they are not where it says.
_FOLDER = "images"


def decoded(cell: str) -> bytes:
    """The bytes of a base64 cell.

    Raises:
        UnusableError: the cell is empty or no base64.
    """
    text = cell.strip()
    start = _DATA.match(text)
    text = "".join((text[start.end() :] if start else text).split())
    if not text:
        raise UnusableError("no image", "the row has none")
    if len(text) > MAX_IMAGE * 4 // 3 + 4:
        raise UnusableError("the image is too large", f"{len(text)} characters of base64")
    if text.startswith("[") and text.endswith("]"):
        # Published samples say in brackets that the bytes were taken out.
        raise UnusableError("no image", f"a note in its place: {cell.strip()[:60]!r}")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnusableError("the image is no base64", f"{str(error)[:60]}: {text[:16]!r}") from error


def resolved(cells: dict[str, str], name: str) -> str:
    """The base64 of a row, when its cell is the index of another row; followed as often as needed.

    Raises:
        UnusableError: the index leads nowhere, or in a circle.
    """
    seen = {name}
    cell = cells[name].strip()
    while _INDEX.fullmatch(cell):
        number = str(int(cell))
        if number in seen:
            raise UnusableError("the image is another row's, in a circle", f"index {number}")
        if number not in cells:
            raise UnusableError("the image is another row's, which is not there", f"index {number}")
        seen.add(number)
        cell = cells[number].strip()
    return cell


class Pictures:
    """Picture files that rows name.

    Args:
        folder: where the data file lies; a name is looked for there first.
        places: folders besides, each with the beginning of the names that lie there (empty: any name).
        names: every name that will be asked for; without its folder a name is looked for only if no other ends alike.
    """

    def __init__(self, folder: Path, places: tuple[tuple[str, Path], ...], names: Iterable[str] = ()) -> None:
        self._folder, self._places = folder, places
        whole = {name for name in names if name}
        self._endings: dict[str, set[str]] = {}
        for name in whole:
            self._endings.setdefault(PurePosixPath(name).name, set()).add(name)

    def read(self, name: str) -> bytes:
        """The file of that name.

        Raises:
            UnusableError: there is none, or the name leads out of its folder.
        """
        if not name.strip():
            raise UnusableError("no image", "the row names none")
        for folder, rest in self._candidates(name.strip()):
            try:
                path = inside(folder, rest)
            except InputError as error:
                raise UnusableError("the image lies outside the folder", repr(name[:80])) from error
            if _is_file(path):
                return _read(path, name)
        alike = self._endings.get(PurePosixPath(name).name, set())
        if len(alike) > 1 and _is_file(self._folder / _FOLDER / PurePosixPath(name).name):
            raise UnusableError(
                "no image", f"{name!r} is not there, and {PurePosixPath(name).name!r} may be that of "
                f"{', '.join(sorted(alike - {name}))[:80]}",
            )  # fmt: skip
        raise UnusableError("no image", f"no file {name[:80]!r}")

    def of_index(self, index: str) -> bytes:
        """The file that is called by the row's index, in the folders given.

        Raises:
            UnusableError: there is none.
        """
        for _, folder in self._places:
            for ending in ENDINGS:
                try:
                    path = inside(folder, f"{index}{ending}")
                except InputError as error:
                    raise UnusableError("the image lies outside the folder", repr(index[:80])) from error
                if _is_file(path):
                    return _read(path, path.name)
        raise UnusableError("no image", f"no file {index[:40]}.jpg or the like")

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger."""
        return tuple(
            f"pictures called {prefix}/... from a folder that was named"
            if prefix
            else "pictures from a folder that was named"
            for prefix, _ in self._places
        )

    def _candidates(self, name: str) -> Iterable[tuple[Path, str]]:
        yield self._folder, name
        for prefix, folder in self._places:
            if not prefix:
                yield folder, name
            elif name.startswith(f"{prefix}/"):
                yield folder, name[len(prefix) + 1 :]
        last = PurePosixPath(name).name
        if len(self._endings.get(last, ())) < 2 and last not in ("", ".", ".."):
            yield self._folder / _FOLDER, last
            for prefix, folder in self._places:
                if not prefix:
                    yield folder, last


def _is_file(path: Path) -> bool:
    """Whether a file is there; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read(path: Path, name: str) -> bytes:
    try:
        if path.stat().st_size > MAX_IMAGE:
            raise UnusableError("the image is too large", f"{name!r}: {path.stat().st_size} bytes")
        return path.read_bytes()
    except OSError as error:
        raise UnusableError("no image", f"{name!r}: {error.strerror}") from error


def places_of(given: Iterable[str]) -> tuple[tuple[str, Path], ...]:
    """Folders from ``DIR`` or ``PREFIX=DIR``.

    Raises:
        SettingsError: one is no folder.
    """
    found = []
    for text in given:
        prefix, equals, rest = text.partition("=")
        place = (prefix.strip("/"), Path(rest)) if equals and not Path(text).is_dir() else ("", Path(text))
        if not place[1].is_dir():
            raise SettingsError("a folder of pictures, DIR or PREFIX=DIR", f"{text!r}", where="--images")
        found.append(place)
    return tuple(found)


def file_line(path: Path, data: bytes) -> str:
    """A line for the ledger: a file and what it held."""
    return f"{path.name} sha256={digest_bytes(data)}"
