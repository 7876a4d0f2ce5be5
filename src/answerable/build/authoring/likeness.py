"""Which of some pictures is most like another, by captions or by vectors that somebody computed.

Captions: cosine of word counts weighted by rarity (TF-IDF, weights rounded to whole millionths so that the comparison
is exact). Vectors: cosine. Of equally like pictures the one whose digest comes first is taken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from answerable.build.importers.items import MAX_FILE, an_object
from answerable.build.sources.mcq import UnusableError, words_of
from answerable.core.choices import tokens
from answerable.core.errors import SourceError

#: Numbers of all vectors of a file together.
MAX_NUMBERS = 1 << 26
_UNIT = 1_000_000

#: From a name in a file to the digest of the picture it means; None when it means none of the benchmark's.
Resolve = Callable[[str], str | None]


class Likeness(Protocol):
    """How like pictures are."""

    name: str
    """In words, for people."""

    def nearest(self, image: str, others: Iterable[str]) -> str | None:
        """The most like of ``others``; None when the picture, or every other, has no caption or vector, or none is
        like it at all.
        """
        ...

    def describe(self) -> str:
        """A line for the ledger."""
        ...


class Captions:
    """Likeness of captions.

    Args:
        texts: caption by digest of the picture.
    """

    name = "caption"

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {image: Counter(tokens(text)) for image, text in texts.items()}
        spread = Counter(word for words in counts.values() for word in words)
        rarity = {word: round(_UNIT * math.log(len(counts) / there)) for word, there in spread.items()}
        self._weights = {
            image: {word: count * rarity[word] for word, count in words.items() if rarity[word]}
            for image, words in counts.items()
        }

    def nearest(self, image: str, others: Iterable[str]) -> str | None:
        mine = self._weights.get(image)
        if not mine:
            return None
        # The cosine is not negative, and the picture's own length is the same for all: its square over theirs ranks.
        best, found = Fraction(0), None
        for other in sorted(others):
            theirs = self._weights.get(other)
            if not theirs:
                continue
            product = sum(weight * theirs[word] for word, weight in mine.items() if word in theirs)
            near = Fraction(product * product, sum(weight * weight for weight in theirs.values()))
            if near > best:
                best, found = near, other
        return found

    def describe(self) -> str:
        return f"nearest by caption: {len(self._weights)} captions"


class Vectors:
    """Likeness of vectors.

    Args:
        given: vector by digest of the picture, all of one length, finite and not zero.
    """

    name = "embedding"

    def __init__(self, given: Mapping[str, Any]) -> None:
        import numpy as np

        self._place = {image: place for place, image in enumerate(sorted(given))}
        rows = np.array([given[image] for image in self._place], dtype=np.float64).reshape(len(self._place), -1)
        # Scaled first, so that a square neither overflows nor vanishes.
        rows = rows / np.abs(rows).max(axis=1, keepdims=True)
        self._rows = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))

    def nearest(self, image: str, others: Iterable[str]) -> str | None:
        known = [other for other in sorted(others) if other in self._place]
        if image not in self._place or not known:
            return None
        places = [self._place[other] for other in known]
        # Rounded, so that the last bit of a sum decides nothing.
        near = (self._rows[places] * self._rows[self._place[image]]).sum(axis=1).round(9)
        return known[int(near.argmax())]

    def describe(self) -> str:
        return f"nearest by embedding: {len(self._place)} vectors"


def read_captions(path: Path, resolve: Resolve) -> tuple[Captions, int]:
    """Captions from JSON lines with ``image`` and ``caption``, and how many lines name no picture of the benchmark.

    Raises:
        SourceError: a line is none, or two are for one picture.
    """
    found: dict[str, str] = {}
    strange = 0
    for where, row in _lines(path):
        image = resolve(_text(row, where, "image", "file_name"))
        caption = _text(row, where, "caption", "text")
        if image is None:
            strange += 1
            continue
        _new(found, image, where)
        found[image] = caption
    return Captions(_some(found, path)), strange


def read_vectors(path: Path, resolve: Resolve) -> tuple[Vectors, int]:
    """Vectors from JSON lines with ``image`` and ``vector``, and how many name no picture of the benchmark.

    Raises:
        SourceError: the file cannot be read, a vector is none, or two are for one picture.
    """
    found: dict[str, list[float]] = {}
    strange = 0
    for where, name, vector in _vector_lines(path):
        if not vector or not all(math.isfinite(number) for number in vector) or not any(vector):
            raise SourceError("a vector of finite numbers, not all 0", f"{vector[:4]!r}", where=where)
        image = resolve(name)
        if image is None:
            strange += 1
            continue
        _new(found, image, where)
        length = len(next(iter(found.values()), vector))
        if len(vector) != length:
            raise SourceError("vectors of one length", f"{len(vector)} after {length}", where=where)
        found[image] = vector
    return Vectors(_some(found, path)), strange


def _lines(path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    try:
        if path.stat().st_size > MAX_FILE:
            raise SourceError(f"a file of at most {MAX_FILE} bytes", f"{path.stat().st_size}", where=str(path))
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError("a file of JSON lines in UTF-8", str(error)[:160], where=str(path)) from error
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        if line.strip():
            try:
                yield where, an_object(line, where)
            except UnusableError as error:
                raise SourceError("a JSON object a line", error.detail, where=where) from error


def _text(row: dict[str, Any], where: str, *names: str) -> str:
    try:
        found = words_of(row, *names).strip()
    except UnusableError as error:
        raise SourceError(f"a text in {names[0]}", error.detail, where=where) from error
    if not found:
        raise SourceError(f"a text in {names[0]}", "none", where=where)
    return found


def _new(found: Mapping[str, object], image: str, where: str) -> None:
    if image in found:
        raise SourceError("one line for a picture", f"a second for image_sha256={image[:16]}...", where=where)


def _some(found: dict[str, Any], path: Path) -> dict[str, Any]:
    if not found:
        raise SourceError(
            "names of pictures of the benchmark", "none", where=str(path),
            fix="name pictures by image_sha256, or by file and say where the files are: --images FOLDER",
        )  # fmt: skip
    return found


def _vector_lines(path: Path) -> Iterable[tuple[str, str, list[float]]]:
    total = 0
    for where, row in _lines(path):
        given = row.get("vector")
        # Numbers are still the text they were.
        try:
            if not isinstance(given, list):
                raise TypeError(f"vector is {type(given).__name__}")
            vector = [float(number) for number in given]
        except (TypeError, ValueError) as error:
            raise SourceError("a list of numbers in vector", str(error)[:120], where=where) from error
        total += len(vector)
        _bounded(total, where)
        yield where, _text(row, where, "image", "file_name"), vector


def _bounded(numbers: int, where: str) -> None:
    if numbers > MAX_NUMBERS:
        raise SourceError(f"at most {MAX_NUMBERS} numbers", f"{numbers}", where=where)
