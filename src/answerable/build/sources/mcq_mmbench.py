"""MMBench: its TSV, in which rotations of a question may be rows of their own, and its samples with picture files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answerable.build.sources.mcq import (
    Fields,
    Question,
    UnusableError,
    checked,
    folded,
    no_duplicates,
    parse_json,
    present,
    read_text,
    refused,
    words_of,
)
from answerable.build.sources.mcq_images import Pictures, decoded, file_line, resolved
from answerable.core.choices import LETTERS
from answerable.core.errors import SourceError
from answerable.core.records import Refusal

#: From here on an index is that of a rotation: rotation ``index // SHIFT`` of row ``index % SHIFT``.
SHIFT = 1_000_000
MAX_CELL = 1 << 27
#: How an absent option is written.
_ABSENT = ("", "nan")

Row = dict[str, str]


class TsvSource:
    """The questions of one TSV file: columns index, question, A, B, ..., answer, image in base64, and more."""

    name = "mmbench"
    licence = "Apache-2.0 (MMBench); check the file's own"

    def __init__(self, path: Path) -> None:
        self._path = path

    def describe(self) -> tuple[str, ...]:
        """See ``McqSource.describe``."""
        return (
            file_line(self._path, self._path.read_bytes()),
            f"rows with an index of {SHIFT} or more are rotations of the row {SHIFT} below; the row below is used",
        )

    def questions(self) -> Iterator[Question | Refusal]:
        """See ``McqSource.questions``."""
        rows = read_table(self._path, "\t", ("index", "question", "A", "B", "answer", "image"))
        for row in rows:
            if isinstance(row, dict):
                row["index"] = _index(row["index"], self._path)
        no_duplicates([row["index"] for row in rows if isinstance(row, dict)], self._path)
        known = {row["index"]: row for row in rows if isinstance(row, dict)}
        cells = {name: row["image"] for name, row in known.items()}
        for row in rows:
            if isinstance(row, Refusal):
                yield row
                continue
            name = row["index"]
            try:
                if int(name) >= SHIFT:
                    raise _rotation(row, known.get(str(int(name) % SHIFT)))
                yield checked(_fields(row), decoded(resolved(cells, name)), self.name)
            except UnusableError as error:
                yield refused(f"index {name}", error)


def _index(text: str, path: Path) -> str:
    """An index as pandas may have written it: ``17`` or ``17.0``."""
    whole = text.strip().removesuffix(".0")
    if not whole.isascii() or not whole.isdigit() or len(whole) > 15:
        raise SourceError("a whole number in the column index", repr(text[:40]), where=str(path))
    return str(int(whole))


def _rotation(row: Row, base: Row | None) -> UnusableError:
    """Why a rotation is no question of its own."""
    if base is None:
        return UnusableError("a rotation without its base row", f"index {int(row['index']) % SHIFT} is not there")
    try:
        one, other = _fields(row), _fields(base)
        same = sorted(map(folded, one.options)) == sorted(map(folded, other.options)) and folded(
            one.options[LETTERS.index(one.answer.upper())]
        ) == folded(other.options[LETTERS.index(other.answer.upper())])
    except (ValueError, IndexError):
        same = False
    if not same:
        return UnusableError("a rotation unlike its base row", f"index {base['index']} has other options or answer")
    return UnusableError("a rotation of another row", f"index {base['index']}")


def _fields(row: Row) -> Fields:
    letters = [letter for letter in LETTERS if letter in row]
    answer = _plain(row, "answer").strip()
    return Fields(
        id=row["index"],
        text=row["question"],
        hint=_plain(row, "hint"),
        options=present([row[letter] for letter in letters], answer, blanks=_ABSENT),
        answer=answer,
        ability=_plain(row, "category"),
        topic=_plain(row, "l2-category"),
        split=_plain(row, "split"),
        language=_plain(row, "language"),
    )


def _plain(row: Row, name: str) -> str:
    text = row.get(name, "")
    return "" if text.strip() in _ABSENT else text


def read_table(path: Path, delimiter: str, needed: tuple[str, ...]) -> list[Row | Refusal]:
    """Rows as texts under their column's name; a refusal for a row of another length.

    Raises:
        SourceError: no header with the columns needed, a column twice, or no CSV.
    """
    before = csv.field_size_limit(MAX_CELL)
    try:
        reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise SourceError("a table of delimited text", str(error), where=str(path)) from error
    finally:
        csv.field_size_limit(before)
    if not lines:
        raise SourceError("a header and rows", "an empty file", where=str(path))
    header = [name.strip() for name in lines[0][1]]
    missing = [name for name in needed if name not in header]
    if missing or len(set(header)) != len(header):
        raise SourceError(
            f"columns {', '.join(needed)}, each once",
            f"no {', '.join(missing)}" if missing else f"{', '.join(header)[:120]}",
            where=f"{path}, line 1",
        )
    return [
        dict(zip(header, cells, strict=True))
        if len(cells) == len(header)
        else Refusal("a row of another length", f"line {line}: {len(cells)} cells, not {len(header)}")
        for line, cells in lines[1:]
    ]


class SamplesSource:
    """The questions of a JSON list whose entries have ``image`` (a path), ``question``, ``options`` and ``answer``."""

    licence = "Apache-2.0 (MMBench); check the file's own"

    def __init__(self, path: Path, places: tuple[tuple[str, Path], ...] = ()) -> None:
        self._path, self._places = path, places
        self.name = "mmbench"

    def describe(self) -> tuple[str, ...]:
        """See ``McqSource.describe``."""
        return (file_line(self._path, self._path.read_bytes()), *Pictures(self._path.parent, self._places).describe())

    def questions(self) -> Iterator[Question | Refusal]:
        """See ``McqSource.questions``."""
        entries = parse_json(read_text(self._path), str(self._path))
        if not isinstance(entries, list):
            raise SourceError("a JSON list of questions", type(entries).__name__, where=str(self._path))
        objects = [entry if isinstance(entry, dict) else {} for entry in entries]
        names = [_sample_name(entry, number) for number, entry in enumerate(objects)]
        no_duplicates(names, self._path)
        files = [entry["image"] for entry in objects if isinstance(entry.get("image"), str)]
        pictures = Pictures(self._path.parent, self._places, files)
        for name, entry in zip(names, entries, strict=True):
            try:
                yield _sample(name, entry, pictures, self.name)
            except UnusableError as error:
                yield refused(name, error)


def _sample_name(entry: dict[str, Any], number: int) -> str:
    """The entry's own id, else its image and place in the file: one image is asked about several times."""
    own = entry.get("id") or entry.get("index")
    return own if isinstance(own, str) else f"{str(entry.get('image') or 'entry')[:80]}#{number}"


def _sample(name: str, entry: Any, pictures: Pictures, source: str) -> Question:
    if not isinstance(entry, dict):
        raise UnusableError("not a question", f"expected an object; got {type(entry).__name__}")
    answer = words_of(entry, "answer")
    category = words_of(entry, "category", "ability")
    topic, colon, ability = category.partition(": ")
    fields = Fields(
        id=name,
        text=words_of(entry, "question"),
        hint=words_of(entry, "hint"),
        options=options_of(entry.get("options"), answer),
        answer=answer,
        ability=ability if colon else category,
        topic=topic if colon else words_of(entry, "topic"),
        split=words_of(entry, "split"),
        language=words_of(entry, "language"),
    )
    return checked(fields, pictures.read(words_of(entry, "image", "image_path")), source)


def options_of(node: Any, answer: str) -> tuple[str, ...]:
    """Options from an object by letter or from a list.

    Raises:
        UnusableError: neither, or letters that leave one out.
    """
    if isinstance(node, dict):
        if len(node) > len(LETTERS):
            raise UnusableError("more than 26 options", f"{len(node)}")
        if any(letter not in LETTERS[: len(node)] or len(letter) != 1 for letter in node):
            raise UnusableError("options are not lettered", f"{', '.join(map(str, node))[:80]}; expected A, B, ...")
        node = [node[letter] for letter in LETTERS[: len(node)]]
    if not isinstance(node, list):
        raise UnusableError("no options", f"expected an object or a list; got {type(node).__name__}")
    if any(not isinstance(text, str | None) for text in node):
        raise UnusableError("options are not texts", ", ".join(type(text).__name__ for text in node)[:80])
    return present(node, answer)
