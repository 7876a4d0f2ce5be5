"""Rows of MM-UPD (JSON lists of standard and unsolvable rows), and questions of your own (JSONL or CSV)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from answerable.build.sources.mcq import (
    Fields,
    Question,
    UnusableError,
    check_options,
    checked,
    folded,
    no_duplicates,
    parse_json,
    present,
    read_text,
    refused,
    whole_image,
    words_of,
)
from answerable.build.sources.mcq_images import Pictures, decoded, file_line
from answerable.build.sources.mcq_mmbench import options_of, read_table
from answerable.core.choices import LETTERS
from answerable.core.errors import SourceError
from answerable.core.records import PROBLEMS, Problem, Refusal

#: An answer of F says that no option is right; a masked answer is what was.
_NONE_RIGHT = "F"
_LETTERED = LETTERS[:5]


class UpdRowsSource:
    """MM-UPD rows: a standard row gives the question, an unsolvable one of the same index says what it is paired with.

    Without its standard row an AAD row is completed by its masked answer, put last.
    """

    name = "mm-upd"
    licence = "Apache-2.0 (MM-UPD); check the files' own"

    def __init__(self, paths: tuple[Path, ...], places: tuple[tuple[str, Path], ...] = ()) -> None:
        self._paths = paths
        self._pictures = Pictures(paths[0].parent, places)

    def describe(self) -> tuple[str, ...]:
        """See ``McqSource.describe``."""
        return (
            *(file_line(path, path.read_bytes()) for path in self._paths),
            "options and pictures that the rows pair a question with are used",
            "a row of an absent answer without its standard row is completed by the masked answer, put last",
            *self._pictures.describe(),
        )

    def questions(self) -> Iterator[Question | Refusal]:
        """See ``McqSource.questions``."""
        rows = [(path, row) for path in self._paths for row in read_rows(path)]
        standard, unsolvable = self._sorted(rows)
        used: set[tuple[str, Problem]] = set()
        for path, row in rows:
            name = f"{path.name}, index {_name(row)}"
            try:
                if _kind(row) == "standard":
                    if standard[_name(row)] is not row:
                        raise UnusableError("the same standard row again", "in another file")
                    yield self._question(row, unsolvable)
                    continue
                problem = problem_of(row)
                if (_name(row), problem) in used:
                    raise UnusableError("the same unsolvable row again", problem)
                used.add((_name(row), problem))
                if _name(row) in standard:
                    _fits(row, standard[_name(row)], problem)
                    raise UnusableError("an unsolvable row, counted with its standard row", problem)
                if problem != "AAD":
                    raise UnusableError("an unsolvable row without its standard row", problem)
                yield self._completed(row)
            except UnusableError as error:
                yield refused(name, error)

    def _sorted(
        self, rows: list[tuple[Path, dict[str, Any]]]
    ) -> tuple[dict[str, dict[str, Any]], dict[tuple[str, Problem], dict[str, Any]]]:
        """Standard rows by index; unsolvable rows by index and problem. The first of two equal rows counts."""
        standard: dict[str, dict[str, Any]] = {}
        unsolvable: dict[tuple[str, Problem], dict[str, Any]] = {}
        for path, row in rows:
            if _kind(row) == "standard":
                other = standard.setdefault(_name(row), row)
                if other is not row and other != row:
                    raise _twice(_name(row), path)
                continue
            try:
                problem = problem_of(row)
            except UnusableError:
                continue
            first = unsolvable.setdefault((_name(row), problem), row)
            if first is not row and first != row:
                raise _twice(f"{_name(row)} ({problem})", path)
        return standard, unsolvable

    def _question(self, row: dict[str, Any], unsolvable: dict[tuple[str, Problem], dict[str, Any]]) -> Question:
        name = _name(row)
        question = checked(_fields(row, words_of(row, "answer")), self._image(row, name), self.name)
        mine: dict[Problem, dict[str, Any]] = {
            problem: unsolvable[name, problem] for problem in PROBLEMS if (name, problem) in unsolvable
        }
        for problem, other in mine.items():
            _fits(other, row, problem)
        changes: dict[str, Any] = {"problems": tuple(mine)}
        if "IASD" in mine:
            changes["given_options"] = present([_cell(mine["IASD"], letter) for letter in _LETTERED], "")
            check_options(changes["given_options"])
        if "IVQD" in mine:
            index = words_of(mine["IVQD"], "image_index")
            changes["given_image"] = whole_image(self._image(mine["IVQD"], index))
        return msgspec.structs.replace(question, **changes)

    def _completed(self, row: dict[str, Any]) -> Question:
        fields = _fields(row, "")
        options = (*fields.options, words_of(row, "masked_answer").strip())
        fields = msgspec.structs.replace(fields, options=options, answer=LETTERS[len(options) - 1])
        question = checked(fields, self._image(row, _name(row)), self.name)
        return msgspec.structs.replace(question, problems=("AAD",))

    def _image(self, row: dict[str, Any], index: str) -> bytes:
        try:
            return decoded(words_of(row, "image"))
        except UnusableError as error:
            if error.reason != "no image" or not index:
                raise
            return self._pictures.of_index(index)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON list.

    Raises:
        SourceError: it is none, or a row has no index.
    """
    rows = parse_json(read_text(path), str(path))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SourceError("a JSON list of rows", type(rows).__name__, where=str(path))
    for number, row in enumerate(rows):
        if not isinstance(row.get("index"), str) or not row["index"]:
            raise SourceError("a row with an index", f"none in row {number}", where=str(path))
    return rows


def _twice(name: str, path: Path) -> SourceError:
    return SourceError(
        "every index once", f"rows that differ for {name}", where=str(path),
        fix="remove one of them; nothing decides which of them is meant",
    )  # fmt: skip


def _name(row: dict[str, Any]) -> str:
    return str(row["index"])


def _kind(row: dict[str, Any]) -> str:
    return str(row.get("type") or "standard")


def problem_of(row: dict[str, Any]) -> Problem:
    """Which problem an unsolvable row is one of.

    Raises:
        UnusableError: its answer is not F, or nothing tells.
    """
    if _kind(row) != "upd":
        raise UnusableError("neither standard nor unsolvable", f"type={_kind(row)[:20]!r}")
    answer = words_of(row, "answer").strip()
    if answer != _NONE_RIGHT:
        raise UnusableError("an unsolvable row whose answer is not F", repr(answer[:20]))
    if words_of(row, "option_index"):
        return "IASD"
    if words_of(row, "image_index"):
        return "IVQD"
    if words_of(row, "masked_answer").strip():
        return "AAD"
    raise UnusableError("an unsolvable row of no known problem", "no masked_answer, option_index or image_index")


def _fits(row: dict[str, Any], standard: dict[str, Any], problem: Problem) -> None:
    """Refuse an unsolvable row that is not the standard row with one thing changed."""
    one, other = _fields(row, ""), _fields(standard, words_of(standard, "answer"))
    masked = folded(words_of(row, "masked_answer"))
    places = LETTERS.find(other.answer) if len(other.answer) == 1 else -1
    right = folded(other.options[places]) if 0 <= places < len(other.options) else ""
    rest = [folded(option) for place, option in enumerate(other.options) if place != places]
    same = {
        "AAD": masked == right and [folded(option) for option in one.options] == rest,
        "IASD": masked == right,
        "IVQD": [folded(option) for option in one.options] == [folded(option) for option in other.options],
    }
    if folded(one.text) != folded(other.text) or not same[problem]:
        raise UnusableError("an unsolvable row unlike its standard row", problem)


def _cell(row: dict[str, Any], name: str) -> str:
    return words_of(row, name)


def _fields(row: dict[str, Any], answer: str) -> Fields:
    return Fields(
        id=_name(row),
        text=words_of(row, "question"),
        hint=words_of(row, "hint"),
        options=present([_cell(row, letter) for letter in _LETTERED], answer),
        answer=answer,
        ability=words_of(row, "category"),
        topic=words_of(row, "l2-category"),
        split=words_of(row, "split"),
        language=words_of(row, "language"),
    )


class OwnSource:
    """Questions of your own: a JSONL or CSV file whose ``image`` is a path inside the file's folder.

    A CSV has a column for each letter; a line of JSON has ``options``, as a list or by letter. ``answer`` is a letter.
    """

    licence = "as the user's data"

    def __init__(self, path: Path, places: tuple[tuple[str, Path], ...] = ()) -> None:
        self._path, self._places = path, places
        self.name = "mcq"

    def describe(self) -> tuple[str, ...]:
        """See ``McqSource.describe``."""
        return (file_line(self._path, self._path.read_bytes()), *Pictures(self._path.parent, self._places).describe())

    def questions(self) -> Iterator[Question | Refusal]:
        """See ``McqSource.questions``."""
        table = self._path.suffix.lower() == ".csv"
        rows = read_table(self._path, ",", ("question", "A", "B", "answer", "image")) if table else self._lines()
        names = [_own_name(row, number) for number, row in enumerate(rows, start=1)]
        no_duplicates(names, self._path)
        files = [str(row["image"]) for row in rows if isinstance(row, dict) and isinstance(row.get("image"), str)]
        pictures = Pictures(self._path.parent, self._places, files)
        for name, row in zip(names, rows, strict=True):
            if isinstance(row, Refusal):
                yield row
                continue
            try:
                yield self._question(name, row, pictures, lettered=table)
            except UnusableError as error:
                yield refused(name, error)

    def _lines(self) -> list[dict[str, Any] | Refusal]:
        found: list[dict[str, Any] | Refusal] = []
        for number, line in enumerate(read_text(self._path).split("\n"), start=1):
            if not line.strip():
                continue
            row = parse_json(line, f"{self._path}, line {number}")
            found.append(row if isinstance(row, dict) else Refusal("not a question", f"line {number}: no object"))
        return found

    def _question(self, name: str, row: dict[str, Any], pictures: Pictures, *, lettered: bool) -> Question:
        answer = words_of(row, "answer").strip()
        if lettered:
            options = present([row[letter] for letter in LETTERS if letter in row], answer)
        else:
            options = options_of(row.get("options"), answer)
        fields = Fields(
            id=name,
            text=words_of(row, "question"),
            hint=words_of(row, "hint"),
            options=options,
            answer=answer,
            ability=words_of(row, "ability", "category"),
            topic=words_of(row, "topic", "l2-category"),
            split=words_of(row, "split"),
            language=words_of(row, "language"),
        )
        return checked(fields, pictures.read(words_of(row, "image")), self.name)


def _own_name(row: dict[str, Any] | dict[str, str] | Refusal, number: int) -> str:
    """The row's own id, else its number."""
    own = None if isinstance(row, Refusal) else row.get("id") or row.get("index")
    return own.strip()[:200] if isinstance(own, str) and own.strip() else f"row-{number}"
