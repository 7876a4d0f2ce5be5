"""Tables of published figures: one row a figure, and the pages of a table as people read it.

A figure keeps the text that the paper prints; nothing is turned into a float.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerable.core.errors import SettingsError
from answerable.core.records import Record


class Sheet(Record, frozen=True):
    """What one table is and how its file is laid out."""

    name: str
    """Short, for the command line."""
    place: str
    """Where the paper has it, for example ``table 1``."""
    what: str
    """What its figures are."""
    unit: str
    """Of every figure."""
    file: str
    """CSV file beside the description: the keys, then the columns; an empty cell is one the paper leaves empty."""
    keys: tuple[str, ...]
    """Columns that say which figure it is."""
    columns: tuple[str, ...]
    """The other columns: values of ``spread``, or kinds of figures where ``spread`` is empty."""
    down: tuple[str, ...]
    """Keys that make the rows of a page."""
    across: tuple[str, ...]
    """Keys that make its columns."""
    spread: str = ""
    """The key whose values the columns are; empty where a row of the file is one figure."""
    pages: tuple[str, ...] = ()
    """Keys that make a page of their own."""
    notes: tuple[str, ...] = ()
    """What to know about single figures."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all keys."""
        return (*self.keys, self.spread) if self.spread else self.keys

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures in a row."""
        return ("value",) if self.spread else self.columns


class About(Record, frozen=True):
    """A paper, and its tables."""

    name: str
    """Short, for the command line."""
    title: str
    """In full."""
    read: str
    """What was read, and how it was arranged."""
    tables: tuple[Sheet, ...]
    """The first is shown where none is named."""
    authors: tuple[str, ...] = ()
    """Initials and family names; empty where they are not known."""
    year: int | None = None
    """Of publication."""
    where: str = ""
    """Venue and identifier."""

    @property
    def cited(self) -> str:
        """In one line."""
        first = self.authors[0] + (" et al." if len(self.authors) > 1 else "") if self.authors else ""
        year = f" ({self.year})" if self.year else ""
        parts = (f"{first}{year}", self.title, self.where)
        return ", ".join(part.strip() for part in parts if part.strip())


class Page(Record, frozen=True):
    """A table as it is printed."""

    title: tuple[str, ...]
    """Values of the page keys."""
    columns: tuple[str, ...]
    """Headers; the parts of one are lines."""
    rows: tuple[tuple[str, ...], ...]
    """One text a header; a cell without a figure is ``-``."""


class Table(Record, frozen=True):
    """The figures of a table, one a row."""

    sheet: Sheet
    """What it is."""
    rows: tuple[tuple[str, ...], ...]
    """Keys, then figures, in the order of ``header``; the order of the file."""

    @property
    def header(self) -> tuple[str, ...]:
        """The names of what a row has."""
        return (*self.sheet.fields, *self.sheet.figures)

    def select(self, model: str = "", **wanted: str) -> Table:
        """The rows whose keys have these values, and whose model's name contains a text; case does not matter.

        Raises:
            SettingsError: the table has no such key, or none of its rows has the value; the message lists the choices.
        """
        rows = self.rows
        for key, value in {**wanted, "model": model}.items():
            if not value:
                continue
            place = self._place(key)
            names = dict.fromkeys(row[place] for row in rows)
            fits = {name for name in names if _fits(name, value, part=key == "model")}
            if not fits:
                expected = "part of the name of a model of" if key == "model" else f"a {key} of"
                raise SettingsError(f"{expected} '{self.sheet.name}', one of {', '.join(names)}", f"{value!r}", key)
            rows = tuple(row for row in rows if row[place] in fits)
        return Table(self.sheet, rows)

    def pages(self) -> tuple[Page, ...]:
        """The table as people read it: rows, columns and pages in the order in which their keys come."""
        found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for row in self.rows:
            found.setdefault(self._values(row, self.sheet.pages), []).append(row)
        return tuple(self._page(title, rows) for title, rows in found.items())

    def _page(self, title: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Page:
        sheet = self.sheet
        first = len(sheet.fields)
        cells: dict[tuple[str, ...], dict[tuple[str, ...], tuple[str, ...]]] = {}
        across: dict[tuple[str, ...], None] = {}
        for row in rows:
            column = self._values(row, sheet.across)
            across[column] = None
            cells.setdefault(self._values(row, sheet.down), {})[column] = row[first:]
        empty = ("",) * len(sheet.figures)
        named = sheet.figures if len(sheet.figures) > 1 or not sheet.across else ("",)
        headers = ("\n".join((*column, name)).strip() for column in across for name in named)
        lines = tuple(
            (*down, *(cell or "-" for column in across for cell in line.get(column, empty)))
            for down, line in cells.items()
        )
        return Page(title, (*sheet.down, *headers), lines)

    def _values(self, row: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
        return tuple(row[self.sheet.fields.index(key)] for key in keys)

    def _place(self, key: str) -> int:
        if key not in self.sheet.fields:
            raise SettingsError(
                f"a key of '{self.sheet.name}', one of {', '.join(self.sheet.fields)}", f"{key!r}", where=key
            )
        return self.sheet.fields.index(key)


def _fits(name: str, wanted: str, part: bool) -> bool:
    name, wanted = name.casefold(), wanted.casefold()
    return wanted in name if part else wanted == name


class Paper(Record, frozen=True):
    """A paper with its figures."""

    about: About
    """Title, authors, what was read."""
    tables: Mapping[str, Table]
    """By name."""

    def table(self, name: str = "") -> Table:
        """The table of this name; the first one without a name.

        Raises:
            SettingsError: the paper has no such table; the message lists those it has.
        """
        chosen = name or self.about.tables[0].name
        if chosen not in self.tables:
            raise SettingsError(f"a table of '{self.about.name}', one of {', '.join(self.tables)}", f"{name!r}")
        return self.tables[chosen]
