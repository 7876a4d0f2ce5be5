"""Multiple-choice questions on pictures: what one is, and what makes a row of a file none.

A row that cannot be used becomes a refusal with its reason, so that the ledger counts it; nothing is dropped silently
and nothing is guessed. Text stays text: an option called "None" or "nan" is an option.
"""

from __future__ import annotations

import io
import json
import re
import struct
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from answerable.core.choices import LETTERS
from answerable.core.errors import ImageError, SourceError
from answerable.core.records import Problem, Record, Refusal
from answerable.domains.raster.images import inspect, make_sendable

MAX_BYTES = 1 << 30
#: An image file, and a text of a question or an option, may not be larger.
MAX_IMAGE, MAX_TEXT = 1 << 26, 20_000
_LETTER_TEXT = re.compile(r"\(?([A-Za-z])[.):]?")
#: "A and B", "both B, C", "A, B & C": options that name others by their letters, which rotation moves.
_NAMES_OTHERS = re.compile(
    r"(?i:both |all of |only |neither |either |options? )?[A-Z](?: ?,)?(?: ?(?:,|and|or|&|nor|\+) ?[A-Z](?: ?,)?)+"
    r"(?: are (?:right|correct|true))?\.?|(?i:options?) [A-Z]\.?"
)


class Question(Record, frozen=True):
    """A question of a source, with everything that was read and nothing that was changed."""

    id: str
    """The source's own name for it, unique in the source."""
    text: str
    hint: str
    """Said before the question; empty when there is none."""
    options: tuple[str, ...]
    """In the source's order."""
    answer: int | None
    """Place of the right option, from 0; None when the source does not say."""
    image: bytes
    """The picture's file, sendable as it is."""
    ability: str = ""
    """What the source says it tests."""
    topic: str = ""
    """The wider heading above ``ability``."""
    source: str = "mcq"
    """Name of the data set."""
    split: str = "test"
    """``train`` or ``test``; whatever else the source says counts as ``test``."""
    language: str = ""
    """As the source says; empty when it does not."""
    problems: tuple[Problem, ...] = ()
    """The only problems a curated source makes of it; empty means any."""
    given_options: tuple[str, ...] = ()
    """Options of another question that a curated source pairs with it."""
    given_image: bytes = b""
    """Picture of another question that a curated source pairs with it."""


class McqSource(Protocol):
    """A source of questions."""

    name: str
    """Beginning of the names of the groups' sources."""
    licence: str

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests, and what was read how."""
        ...

    def questions(self) -> Iterator[Question | Refusal]:
        """Questions in a fixed order; a refusal for each row looked at that is none."""
        ...


class UnusableError(ValueError):
    """A row that is no question; becomes a refusal."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


class Fields(msgspec.Struct, frozen=True):
    """The texts of one row."""

    id: str
    text: str
    hint: str
    options: tuple[str, ...]
    answer: str
    """A letter; empty when there is none."""
    ability: str = ""
    topic: str = ""
    split: str = ""
    language: str = ""


def folded(text: str) -> str:
    """For comparing texts: compatible forms, case and white space do not count, nor a full stop at the end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".")


def checked(fields: Fields, image: bytes, source: str) -> Question:
    """A question of these texts and this image file.

    Raises:
        UnusableError: it is none.
    """
    _check_texts(fields)
    check_options(fields.options)
    place = _place(fields)
    return Question(
        id=fields.id,
        text=fields.text.strip(),
        hint=fields.hint.strip(),
        options=fields.options,
        answer=place,
        image=whole_image(image),
        ability=fields.ability.strip(),
        topic=fields.topic.strip(),
        source=source,
        split="train" if fields.split.strip().casefold() == "train" else "test",
        language=fields.language.strip(),
    )


def _check_texts(fields: Fields) -> None:
    for text in (fields.id, fields.text, fields.hint, fields.ability, fields.topic, fields.language):
        _check_text(text)
    if not fields.text.strip():
        raise UnusableError("no question", "its text is empty")


def _check_text(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise UnusableError("text is too long", f"{len(text)} characters, of at most {MAX_TEXT}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnusableError("text is not Unicode", repr(text[:40])) from error


def check_options(options: tuple[str, ...]) -> None:
    """Refuse options that cannot be offered under letters that rotate.

    Raises:
        UnusableError: with the reason.
    """
    if len(options) > len(LETTERS):
        raise UnusableError("more than 26 options", f"{len(options)}")
    for option in options:
        _check_text(option)
    if any(not option.strip() for option in options):
        raise UnusableError("an option is empty", repr(tuple(option[:20] for option in options)))
    if len(options) < 2:
        raise UnusableError("fewer than two options", f"{len(options)}")
    alike = [folded(option) for option in options]
    for option, text in zip(options, alike, strict=True):
        if alike.count(text) > 1:
            raise UnusableError("two options are equal", repr(option[:60]))
    offered = LETTERS[: len(options) + 1]
    for option in options:
        letter = _LETTER_TEXT.fullmatch(option.strip())
        if letter and letter[1].upper() in offered:
            # A reply that is this letter would name an option by its text and another by its place.
            raise UnusableError("an option is a letter of another", repr(option[:20]))
        if _NAMES_OTHERS.fullmatch(option.strip()):
            raise UnusableError("an option names others by letter", repr(option[:60]))


def _place(fields: Fields) -> int:
    letter = fields.answer.strip().upper()
    if not letter:
        raise UnusableError("no answer", "the row gives no letter")
    if len(letter) != 1 or letter not in LETTERS[: len(fields.options)]:
        raise UnusableError("the answer is no option", f"{fields.answer[:20]!r} of {len(fields.options)} options")
    return LETTERS.index(letter)


def whole_image(data: bytes) -> bytes:
    """The file as it is stored and sent; every pixel was read once.

    Raises:
        UnusableError: it is no whole image, or one that must not be sent.
    """
    if len(data) > MAX_IMAGE:
        raise UnusableError("the image is too large", f"{len(data)} bytes, of at most {MAX_IMAGE}")
    try:
        sendable = make_sendable(data)
        inspect(sendable)
    except ImageError as error:
        raise UnusableError("the image cannot be read", f"expected {error.expected}; got {error.got}") from error
    _decode(sendable)
    return sendable


def _decode(data: bytes) -> None:
    """Read every pixel; the header was checked before, so the size is bounded."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(data)) as image:
                image.load()
    except (OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, struct.error, Warning) as error:
        raise UnusableError("the image cannot be read", f"{type(error).__name__}: {error}"[:160]) from error


def present(cells: Sequence[str | None], answer: str, *, blanks: tuple[str, ...] = ("",)) -> tuple[str, ...]:
    """The options among cells that may be absent at the end.

    Only cells at the end can be absent, and never the one that the answer names: "nan" in the middle is an option.
    An empty cell with an option after it stays, and is refused later.
    """
    letter = answer.strip().upper()
    least = LETTERS.index(letter) + 1 if len(letter) == 1 and letter in LETTERS else 0
    found = ["" if cell is None else cell for cell in cells]
    while found and (not found[-1].strip() or (found[-1].strip() in blanks and len(found) > least)):
        found.pop()
    return tuple(cell.strip() for cell in found)


def refused(name: str, error: UnusableError) -> Refusal:
    """The refusal of a row; a name that is no Unicode is escaped, so that the ledger can be written."""
    detail = f"{name[:200]}: {error.detail}" if error.detail else name[:200]
    return Refusal(reason=error.reason, detail=detail.encode("utf-8", "backslashreplace").decode())


def read_bytes(path: Path) -> bytes:
    """A data file, bounded.

    Raises:
        SourceError: it is too large or cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(f"a file of at most {MAX_BYTES} bytes", f"{size}", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise SourceError("a file that can be read", error.strerror or str(error), where=str(path)) from error


def read_text(path: Path) -> str:
    """A data file as text.

    Raises:
        SourceError: it is no UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError("a file in UTF-8", f"a byte that is none at {error.start}", where=str(path)) from error


def parse_json(text: str, where: str) -> Any:
    """JSON whose numbers stay the text they were; NaN is null.

    Raises:
        SourceError: it is no JSON.
    """
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=lambda _: None)
    except (json.JSONDecodeError, RecursionError) as error:
        raise SourceError("JSON", str(error)[:200], where=where) from error


def words_of(entry: Mapping[str, Any], *names: str) -> str:
    """The text of the first of these fields that is there; empty when none is.

    Raises:
        UnusableError: it is neither text nor number.
    """
    for name in names:
        value = entry.get(name)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise UnusableError("a field is not text", f"{name} is {type(value).__name__}")
        return value
    return ""


def no_duplicates(names: Sequence[str], path: Path) -> None:
    """Refuse a file that uses an index twice.

    Raises:
        SourceError: naming them.
    """
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        shown = ", ".join(twice[:8]) + (f" and {len(twice) - 8} more" if len(twice) > 8 else "")
        raise SourceError(
            "every index once", f"more than one row for {shown}", where=str(path),
            fix="remove the rows that are there twice; nothing decides which of them is meant",
        )  # fmt: skip
