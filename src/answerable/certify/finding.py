"""What every kernel says when a group is not accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from answerable.core.records import Record


class Finding(Record, frozen=True):
    """A premise that does not hold."""

    premise: str
    """One of the kernel's."""
    detail: str


def first_found(steps: Iterable[Iterator[Finding]]) -> Finding | None:
    """The first premise that fails, or None.

    Args:
        steps: generators, one a premise: each runs only when the ones before it found nothing.
    """
    return next((finding for step in steps for finding in step), None)
