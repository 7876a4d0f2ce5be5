"""One published question with its picture, the ten strategies, and a folder read so that nothing in it is trusted."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answerable.build.sources.mcq import (
    MAX_IMAGE,
    MAX_TEXT,
    UnusableError,
    check_options,
    parse_json,
    refused,
    whole_image,
)
from answerable.core.codec import digest, digest_bytes
from answerable.core.errors import InputError, SourceError
from answerable.core.files import inside
from answerable.core.records import AbstainReason, Record, Refusal
from answerable.domains.raster import png
from answerable.domains.raster.kinds import media_type

#: A file of questions may not be larger, and a folder may not hold more entries.
MAX_FILE, MAX_ENTRIES = 1 << 26, 100_000
#: The sets whose answers are labels, and the labels; the last is no answer.
LABELS = {"yes": "Yes", "no": "No", "unanswerable": None}
PICTURES = (".png", ".jpg", ".jpeg")
_NUMBER = re.compile(r"[0-9]{1,9}")


class Strategy(Record, frozen=True):
    """How a question was made unanswerable."""

    words: str
    """For people."""
    reason: AbstainReason = "missing"
    """Why there is nothing to answer."""


#: "TUBench" (He et al.), section 3.1. Every one leaves what the question refers to in place, so none gives state I. A
#: random call and an undetermined position hide nothing: the picture is whole and does not decide (protocols: S.7 is
#: spatially indeterminate), hence another reason than ``missing``.
STRATEGIES: dict[str, Strategy] = {
    "S.1": Strategy(words="a random function in the code", reason="indeterminate"),
    "S.2": Strategy(words="the initialisation of a variable left out"),
    "S.3": Strategy(words="lines of the code incomplete"),
    "S.4": Strategy(words="what is asked for is occluded"),
    "S.5": Strategy(words="details are hard or impossible to discern"),
    "S.6": Strategy(words="what is asked for is out of the frame"),
    "S.7": Strategy(words="the spatial relation is indeterminate", reason="indeterminate"),
    "S.8": Strategy(words="what is asked for is not indicated"),
    "S.9": Strategy(words="a condition removed from the text"),
    "S.10": Strategy(words="a critical cell occluded"),
}


class Item(Record, frozen=True):
    """A question on a picture, as published."""

    id: str
    """Unique in the set."""
    pair: str
    """Items of one pair become one group."""
    image: bytes
    """The picture's file, sendable as it is."""
    question: str
    """As the data set words it."""
    options: tuple[str, ...] = ()
    """In the published order; empty where the answers are labels."""
    answer: str | None = None
    """``Yes``, ``No``, or a capital letter; None when the question is unanswerable."""
    strategy: str = ""
    """Code of the strategy behind the picture or the question; empty when there is none, or none is said."""
    language: str = "en"
    masked: bool = False
    """Something irrelevant is hidden in the picture."""
    topic: str = ""
    """The data set that it is from, where a file holds several."""


class Folder:
    """A folder of somebody's files: sizes are bounded, and no name leads out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[str, str] = {}
        self._gbk: list[str] = []
        self._bared = 0

    def names(self, under: str = "") -> tuple[str, ...]:
        """Names of what lies there, numbers first and in their order.

        Raises:
            SourceError: it cannot be listed, or holds too much.
        """
        where = self._path(under)
        try:
            found = [path.name for path, _ in zip(where.iterdir(), range(MAX_ENTRIES + 1), strict=False)]
        except OSError as error:
            raise SourceError("a folder that can be read", error.strerror or "an error", where=str(where)) from error
        if len(found) > MAX_ENTRIES:
            raise SourceError(f"at most {MAX_ENTRIES} entries in a folder", "more", where=str(where))
        return tuple(sorted(found, key=lambda name: (not numbered(name), int(name) if numbered(name) else 0, name)))

    def places(self) -> Iterator[str | Refusal]:
        """The numbered folders, in order; a refusal for everything else.

        Raises:
            SourceError: two folders have one number, as ``7`` and ``007``.
        """
        seen: dict[int, str] = {}
        for name in self.names():
            if not numbered(name) or not (self.root / name).is_dir():
                yield extra(name)
                continue
            twin = seen.setdefault(int(name), name)
            if twin != name:
                raise SourceError(
                    "every number once", f"the folders {twin} and {name}", where=str(self.root),
                    fix="remove one of them; nothing decides which is meant",
                )  # fmt: skip
            try:
                self._path(name)
            except UnusableError as error:
                yield refused(name, error)
            else:
                yield name

    def text(self, name: str) -> str:
        """A file as text: UTF-8 with or without a mark, else GBK, which the ledger then says.

        Raises:
            UnusableError: it is not there, too large, or neither.
        """
        data = self._bytes(name, MAX_FILE, "no file of questions", "the file is too large")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
        try:
            found = data.decode("gbk")
        except UnicodeDecodeError as error:
            raise UnusableError("neither UTF-8 nor GBK", f"{name}: byte {error.start}") from error
        self._gbk.append(name)
        return found

    def fields(self, name: str) -> dict[str, Any]:
        """The JSON object of a file; numbers stay text.

        Raises:
            UnusableError: it is none.
        """
        return an_object(self.text(name), name)

    def picture(self, name: str) -> bytes:
        """A picture's file, sendable.

        Raises:
            UnusableError: it is not there, or no whole picture.
        """
        data = whole_image(self._bytes(name, MAX_IMAGE, "no image", "the image is too large"))
        if media_type(data) == "image/png" and png.extra_chunks(data):
            self._bared += 1
            return _pixels_only(data)
        return data

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: what was read."""
        lines = [f"{len(self._read)} files sha256={digest(sorted(self._read.items()))}"]
        if self._gbk:
            lines.append(f"read as GBK: {len(self._gbk)} files, for example {self._gbk[0]}")
        if self._bared:
            lines.append(f"pictures whose file carried more than pixels, stored without: {self._bared}")
        return tuple(lines)

    def _bytes(self, name: str, most: int, absent: str, large: str) -> bytes:
        path = self._path(name)
        try:
            size = path.stat().st_size if path.is_file() else None
            data = path.read_bytes() if size is not None and size <= most else b""
        except OSError as error:
            raise UnusableError(absent, f"{name[:80]}: {error.strerror}") from error
        if size is None:
            raise UnusableError(absent, name[:80])
        if size > most:
            raise UnusableError(large, f"{name}: {size} bytes, of at most {most}")
        self._read[name] = digest_bytes(data)
        return data

    def _path(self, name: str) -> Path:
        try:
            return inside(self.root, name)
        except InputError as error:
            raise UnusableError("the file lies outside the folder", repr(name[:80])) from error


def _pixels_only(data: bytes) -> bytes:
    """The same pixels without text, dates or colour profiles; the file was read whole before."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
        return png.encode(np.array(image.convert("RGB")))


def numbered(name: str) -> bool:
    """Whether a name is a number."""
    return _NUMBER.fullmatch(name) is not None


def extra(name: str) -> Refusal:
    """A file or folder that the layout does not know."""
    return refused(name, UnusableError("an extra file"))


def an_object(text: str, name: str) -> dict[str, Any]:
    """The JSON object that a text is.

    Raises:
        UnusableError: it is none.
    """
    try:
        found = parse_json(text, name)
    except SourceError as error:
        raise UnusableError("no JSON", f"{name}: {error.got}") from error
    if not isinstance(found, dict):
        raise UnusableError("no JSON", f"{name}: expected an object; got {type(found).__name__}")
    return found


def worded(text: object, what: str) -> str:
    """A text that is there, of bounded length and Unicode, without the space around it.

    Raises:
        UnusableError: naming ``what``.
    """
    if not isinstance(text, str) or not text.strip():
        raise UnusableError(f"no {what}", "it is empty" if isinstance(text, str) else f"it is {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise UnusableError("text is too long", f"{len(text)} characters, of at most {MAX_TEXT}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnusableError("text is not Unicode", ascii(text[:40])) from error
    return text.strip()


def choices(given: object) -> tuple[str, ...]:
    """Options from a list of texts.

    Raises:
        UnusableError: they cannot be offered under letters.
    """
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise UnusableError("no options", f"expected a list of texts; got {type(given).__name__}")
    found = tuple(each.strip() for each in given)
    check_options(found)
    return found


def label(text: str) -> str | None:
    """Yes, No, or None for Unanswerable.

    Raises:
        UnusableError: it is none of them.
    """
    word = text.strip().casefold()
    if word not in LABELS:
        raise UnusableError("the answer is no label", f"{text[:40]!r}: expected Yes, No or Unanswerable")
    return LABELS[word]
