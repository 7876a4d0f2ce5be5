"""A finished group on its way into a benchmark; every domain's builder gives these."""

from __future__ import annotations

import msgspec

from answerable.core.benchmark import ProofRecord
from answerable.core.records import Group


class Draft(msgspec.Struct, frozen=True):
    """A group with its image files, in the order of its views, and its proof."""

    group: Group
    images: tuple[bytes, ...]
    proof: ProofRecord | None
    content: str
    """Digest of what makes the group what it is: equal for groups that are alike."""
