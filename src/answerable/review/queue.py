"""Who votes on what: an item is open until enough have voted, and goes to one more reviewer where they differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

from answerable.core.decisions import settled
from answerable.core.records import Record
from answerable.review.records import Ballot
from answerable.review.store import Store


class Queue(Record, frozen=True):
    """What is not open to a reviewer, without a word of what anybody said."""

    closed: tuple[int, ...]
    """Items with enough votes of others that agree."""
    conflicts: tuple[int, ...]
    """Items with enough votes of others that do not: one more is asked for."""


class Tally(Record, frozen=True):
    """How far a review is."""

    items: int
    votes: dict[str, int]
    """Number of votes that an item has -> items."""
    settled: dict[str, int]
    """What holds -> items; of the form on explanations: ``settled``."""
    disputed: tuple[str, ...]
    """Ids of items whose reviewers differ."""
    reviewers: dict[str, int]
    """Name -> votes that stand."""


def by_item(ballots: Iterable[Ballot]) -> Mapping[int, list[Ballot]]:
    """Standing votes on each item, in the order they were taken."""
    found: dict[int, list[Ballot]] = defaultdict(list)
    for ballot in ballots:
        found[ballot.item].append(ballot)
    return found


def queue_for(store: Store, reviewer: str, ballots: Iterable[Ballot]) -> Queue:
    """What a reviewer need not look at, and where a further vote is wanted."""
    closed, conflicts = [], []
    for place, cast in sorted(by_item(ballots).items()):
        if len(cast) < store.wanted or any(ballot.reviewer == reviewer for ballot in cast):
            continue
        if len(cast) > 1 and verdict(store, cast) is None:
            conflicts.append(place)
        else:
            closed.append(place)
    return Queue(tuple(closed), tuple(conflicts))


def verdict(store: Store, cast: Iterable[Ballot]) -> Hashable | None:
    """What holds for an item; None where its reviewers differ, or nobody voted."""
    return settled([store.form.verdict(store.read(ballot.body)) for ballot in cast])


def tally(store: Store, ballots: Iterable[Ballot]) -> Tally:
    """Where the review stands."""
    found = by_item(ballots)
    votes: dict[str, int] = {}
    holds: dict[str, int] = {}
    reviewers: dict[str, int] = {}
    disputed = []
    for place, item in enumerate(store.items):
        cast = found.get(place, [])
        votes[str(len(cast))] = votes.get(str(len(cast)), 0) + 1
        for ballot in cast:
            reviewers[ballot.reviewer] = reviewers.get(ballot.reviewer, 0) + 1
        if not cast:
            continue
        word = verdict(store, cast)
        if word is None:
            disputed.append(item.id)
        else:
            name = word if isinstance(word, str) else "settled"
            holds[name] = holds.get(name, 0) + 1
    return Tally(
        items=len(store.items), votes=votes, settled=holds, disputed=tuple(disputed),
        reviewers=dict(sorted(reviewers.items())),
    )  # fmt: skip
