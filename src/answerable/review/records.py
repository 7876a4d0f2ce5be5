"""What the page, the database and the export say to one another."""

from __future__ import annotations

import msgspec

from answerable.core.records import Record
from answerable.review.forms import FormName


class Project(Record, frozen=True):
    """What is reviewed. A database belongs to one project."""

    form: FormName
    benchmark: str
    fingerprint: str
    """Of the benchmark."""
    run: str = ""
    """Digest of the run's settings, for the form on explanations; else empty."""
    model: str = ""
    """Whose replies they are."""


class Item(Record, frozen=True):
    """One thing to vote on."""

    id: str
    """Of a group; or ``view/repeat`` of a reply."""
    group: str
    """Intervals draw whole groups."""
    digest: str = ""
    """sha256 of the reply's text."""
    why: tuple[str, ...] = ()
    """Why a program finds it doubtful, where a review list says so."""


class Cast(Record, frozen=True):
    """A vote as the page sends it."""

    id: str
    """Made by the page."""
    reviewer: str
    item: int
    """Place of the item."""
    body: msgspec.Raw
    base: str = ""
    """Id of the vote that the page showed as the reviewer's own; empty where it showed none."""


class Undo(Record, frozen=True):
    """Take a vote back: what stood before it stands again."""

    id: str
    reviewer: str
    item: int
    vote: str
    """Id of the vote that is taken back."""


class Ballot(Record, frozen=True):
    """A vote that stands."""

    seq: int
    """Votes in the order they were taken."""
    id: str
    reviewer: str
    item: int
    body: msgspec.Raw
    extra: bool
    """Cast when as many votes as are wanted stood: it settles conflicts, and is no measure of agreement."""


class Ack(Record, frozen=True):
    """What stands after a vote or an undo was taken."""

    id: str
    item: int
    vote: str = ""
    """Id of the reviewer's vote that stands; empty when none does."""
    body: msgspec.Raw | None = None
    replaced: msgspec.Raw | None = None
    """A vote of the same reviewer that the page did not know of, and that this one replaced."""
