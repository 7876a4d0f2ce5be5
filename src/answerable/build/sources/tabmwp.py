"""Word problems of TabMWP: a ``problems.json`` whose entries have a table as text, a question, a solution, an answer.

A problem is kept where its words can be read as a program over its table and that program gives the answer that is
stated, so that the group can be proved. The table is drawn anew: its picture in the data set is not used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from answerable.build.sources.columns import Format, declare, format_of
from answerable.build.sources.decimals import parse_decimal
from answerable.build.sources.table_worlds import TableFigure
from answerable.core.codec import digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.table.layout import whole_problems
from answerable.domains.table.problems import read_problem
from answerable.domains.table.styles import STYLES
from answerable.domains.table.world import TableWorld, grid, shape_problems
from answerable.logic.direct import execute
from answerable.logic.program import Defined, Expression, Named, Truth

MAX_BYTES = 1 << 28
#: Styles of a table with a header row, and of a plain list.
_BOOK = tuple(name for name, style in STYLES.items() if style.family == "book")
_TEXTS = ("question", "table", "answer", "solution")
_YEAR = re.compile(r"(?:1[89]|20)[0-9]{2}")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2} [AP]\.M\.")


class _UnusableError(ValueError):
    """A problem that gives no world or no program; becomes a refusal."""


class ProblemSource:
    """The problems of one file, in the order of the file."""

    name = "table-tabmwp"
    licence = "CC-BY-NC-SA-4.0 (TabMWP); check the file's own"
    per_figure = 1
    controls = False

    def __init__(self, path: Path) -> None:
        self._path = path

    def describe(self) -> tuple[str, ...]:
        """See ``TableSource.describe``."""
        return (
            f"{self._path.name} sha256={digest_bytes(self._path.read_bytes())}",
            "tables drawn anew from their text; a problem is kept where a program read from its words gives its answer",
        )

    def figures(self) -> Iterator[TableFigure | Refusal]:
        """See ``TableSource.figures``."""
        for name, entry in _read(self._path).items():
            try:
                yield _figure(f"tabmwp-{name}", entry)
            except _UnusableError as error:
                reason, _, detail = str(error).partition(": ")
                yield Refusal(reason=reason, detail=f"{name}: {detail}")


def _read(path: Path) -> dict[str, Any]:
    if path.stat().st_size > MAX_BYTES:
        raise SourceError(f"a file of at most {MAX_BYTES} bytes", f"{path.stat().st_size}", where=str(path))
    try:
        found = json.loads(path.read_bytes().decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SourceError("a JSON file of problems", str(error)[:200], where=str(path)) from error
    if not isinstance(found, dict):
        raise SourceError("an object of problems by their number", type(found).__name__, where=str(path))
    return found


def _figure(name: str, entry: Any) -> TableFigure:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in _TEXTS):
        raise _UnusableError(f"not a problem: expected texts for {', '.join(_TEXTS)}")
    title, choices = entry.get("table_title"), entry.get("choices")
    if not isinstance(title, str | None) or not isinstance(choices, list | None):
        raise _UnusableError("not a problem: expected a title and a list of choices, or null")
    world = table_world(entry["table"], title or "", name)
    program = _program(entry, world)
    result = execute(program, grid(world))
    if not _gives(result, entry["answer"]):
        raise _UnusableError(f"program gives another answer: {result!r:.120} for {entry['answer'][:60]!r}")
    if not _shown_in(entry["solution"], entry["answer"]):
        raise _UnusableError(f"solution does not give the answer: {entry['answer'][:60]!r}")
    return TableFigure(
        id=name,
        world=world,
        wording=" ".join(entry["question"].split()),
        answer=entry["answer"],
        choices=tuple(str(choice) for choice in choices or ()),
    )


def table_world(text: str, title: str, name: str) -> TableWorld:
    """A table from lines of cells with bars between them.

    Raises:
        ValueError: the table is not one of labels and typed cells; the text begins with the reason for the ledger.
    """
    lines = [[cell.strip() for cell in line.split("|")] for line in text.split("\n") if line.strip()]
    if len({len(line) for line in lines}) != 1 or len(lines[0]) < 2:
        raise _UnusableError("not a table of rows: lines of different lengths, or a single column")
    if lines[0][0] == "Stem":
        raise _UnusableError("cells are lists: a stem-and-leaf plot")
    if any(cell in ("", "?") for line in lines[1:] for cell in line):
        raise _UnusableError("empty cell: a cell of the table is empty or asked for")
    headed = _has_header(lines)
    header, body = (lines[0], lines[1:]) if headed else (["", *_names(lines[0])], lines)
    formats = [format_of([line[place] for line in body]) for place in range(1, len(header))]
    if not body or all(form.kind == "text" for form in formats):
        raise _UnusableError("no column of numbers: every column holds texts, or cells that are written differently")
    columns = [
        declare(header[place], formats[place - 1], [line[place] for line in body]) for place in range(1, len(header))
    ]
    world = TableWorld(
        style=Stream("style", name).pick(_BOOK),
        title=title,
        corner=header[0],
        fields=tuple(field for field, _ in columns),
        rows=tuple(line[0] for line in body),
        values=tuple(zip(*(values for _, values in columns), strict=True)),
        header=headed,
    )
    malformed = shape_problems(world)
    if malformed:
        raise _UnusableError(f"malformed table: {malformed[0]}")
    problems = whole_problems(world)
    if problems:
        raise _UnusableError(f"{problems[0].reason}: {problems[0].detail}")
    return world


def _has_header(lines: list[list[str]]) -> bool:
    """Whether the first line names the columns: it is not written like the cells below, or lists years."""
    if len(lines) < 2:
        return False
    if lines[0][0] and all(_YEAR.fullmatch(cell) for cell in lines[0][1:]):
        return True
    below = [format_of([line[place] for line in lines[1:]]) for place in range(1, len(lines[0]))]
    whole = [format_of([line[place] for line in lines]) for place in range(1, len(lines[0]))]
    return any(_unlike(one, other) for one, other in zip(below, whole, strict=True))


def _unlike(below: Format, whole: Format) -> bool:
    return below.kind != "text" and whole.kind == "text"


def _names(first: list[str]) -> list[str]:
    """Names for the columns of a list without a header; they are never drawn."""
    return ["Value"] if len(first) == 2 else [f"Column {place}" for place in range(1, len(first))]


def _program(entry: dict[str, Any], world: TableWorld) -> Expression:
    program = read_problem(" ".join(entry["question"].split()), world)
    if program is not None:
        return program
    if _TIME.fullmatch(entry["answer"]):
        raise _UnusableError(f"asks for a time of day: {entry['question'][:80]!r}")
    raise _UnusableError(f"question not understood: {entry['question'][-120:]!r}")


def _gives(result: object, answer: str) -> bool:
    """Whether a program's result is the answer that is stated."""
    if isinstance(result, Defined):
        top, _, bottom = answer.partition("/")
        over = parse_decimal(bottom) if bottom else Fraction(1)
        value = parse_decimal(top)
        return value is not None and over is not None and over != 0 and value / over == result.value
    if isinstance(result, Truth):
        return answer.casefold() == ("yes" if result.value else "no")
    if not isinstance(result, Named):
        return False
    said, label = " ".join(answer.casefold().split()), " ".join(result.value.casefold().split())
    # "Physics class" where the row is called "Physics".
    return said == label or (said.startswith(f"{label} ") and " " not in said[len(label) + 1 :])


def _shown_in(solution: str, answer: str) -> bool:
    """Whether the solution arrives at the answer: its digits or words occur there."""
    if answer.casefold() in ("yes", "no"):
        return re.search(r"\b(?:does|do) (?:not )?have enough\b", solution) is not None
    plain = re.sub(r"[\s,.]", "", solution.casefold())
    over = re.fullmatch(r"(-?[0-9,]+)/([0-9,]+)", answer)
    wanted = rf"\frac{{{over[1]}}}{{{over[2]}}}" if over else answer
    return re.sub(r"[\s,.]", "", wanted.casefold()) in plain
