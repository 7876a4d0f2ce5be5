"""Lazy tables of ``name -> "module:object"``, open to other people's packages by entry points."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar, cast

from answerable.core.errors import MissingExtraError, SettingsError

T = TypeVar("T")


class Registry(Generic[T]):
    """Named things that are imported only when asked for.

    Args:
        kind: what an entry is, in words, for messages (``"rendering family"``).
        group: entry-point group in which other packages register theirs.
        table: ``name -> "module:object"``.
        extras: ``name -> extra`` for entries that need an optional part.
    """

    def __init__(
        self, kind: str, group: str, table: Mapping[str, str], extras: Mapping[str, str] | None = None
    ) -> None:
        self.kind, self.group = kind, group
        self._table, self._extras = dict(table), dict(extras or {})

    def names(self) -> tuple[str, ...]:
        """Every known name: ours first, then those of other packages, in order."""
        theirs = sorted(point.name for point in entry_points(group=self.group))
        return (*self._table, *(name for name in theirs if name not in self._table))

    def load(self, name: str) -> T:
        """Import and return the entry.

        Raises:
            SettingsError: no entry has this name.
            MissingExtraError: its optional part is not installed.
        """
        if name in self._table:
            module, _, attribute = self._table[name].partition(":")
            try:
                return cast("T", getattr(import_module(module), attribute))
            except ModuleNotFoundError as error:
                if name in self._extras and not (error.name or "").startswith("answerable"):
                    raise MissingExtraError.for_extra(self._extras[name], error.name or module) from error
                raise
        for point in entry_points(group=self.group):
            if point.name == name:
                return cast("T", point.load())
        raise SettingsError(f"a {self.kind}, one of {', '.join(self.names())}", f"{name!r}")
