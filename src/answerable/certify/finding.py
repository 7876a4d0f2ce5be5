"""What every kernel says when a group is not accepted."""

from __future__ import annotations

from answerable.core.records import Record


class Finding(Record, frozen=True):
    """A premise that does not hold."""

    premise: str
    """One of the kernel's."""
    detail: str
