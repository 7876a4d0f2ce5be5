"""Some items with their replies and how alike these are: the least and the most consistent, and some between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from answerable.core.consistency import ShownItem, ShownReply, ShownRun, ShownView, is_variant
from answerable.score.collect import RunVerdicts
from answerable.score.consistency.replies import NO_TRUTH, Alike, pairs_of
from answerable.score.consistency.similarity import UNIT
from answerable.score.consistency.text import truth_text
from answerable.score.stratum import Ints

if TYPE_CHECKING:
    from answerable.score.consistency.pipeline import Held

#: Items of a source, views of an item and characters of a text.
EXAMPLES, MOST_VIEWS, MOST_TEXT = 12, 12, 400


def gallery(
    source: str, held: Sequence[Held], read: Sequence[RunVerdicts], alike: Alike, wanted: int
) -> Iterator[ShownItem]:
    """Up to ``wanted`` items that all these runs were asked, by how alike the first run's replies are."""
    first = held[0]
    if not first.frame.varied:
        return
    shared = [one for one in held if one.frame is first.frame]
    for item in _chosen(first, alike, wanted):
        yield _shown(source, item, shared, read, alike)


def _chosen(held: Held, alike: Alike, wanted: int) -> list[int]:
    """Items spread evenly over the order of their mean similarity, both ends among them."""
    pairs = pairs_of(held.frame, held.replies, alike, "variants")
    items = len(held.frame.items)
    total = np.bincount(pairs.item[pairs.defined], weights=pairs.alike[pairs.defined], minlength=items)
    count = np.bincount(pairs.item[pairs.defined], minlength=items)
    compared: Ints = np.flatnonzero(count > 0)
    if not len(compared) or not wanted:
        return []
    order = compared[np.argsort(total[compared] / count[compared], kind="stable")]
    if len(order) <= wanted:
        return [int(place) for place in order]
    steps = [round(step * (len(order) - 1) / max(1, wanted - 1)) for step in range(wanted)]
    return [int(order[step]) for step in dict.fromkeys(steps)]


def _shown(source: str, item: int, held: Sequence[Held], read: Sequence[RunVerdicts], alike: Alike) -> ShownItem:
    frame = held[0].frame
    places = np.flatnonzero(frame.item_of == item)
    # The original first, whatever the order of the file.
    order = sorted((int(place) for place in places), key=lambda place: bool(frame.variant[place]))
    kept = order[:MOST_VIEWS]
    views = [frame.views[place] for place in kept]
    return ShownItem(
        group=views[0].group, source=source, target=_cut(truth_text(views[0]) or ""),
        views=tuple(
            ShownView(
                view=view.id, variation=view.topic if is_variant(view) else "",
                kind=view.ability if is_variant(view) else "", question=_cut(view.question),
            )
            for view in views
        ),
        more=len(order) - len(kept),
        runs=tuple(_of_run(one, kept, read[one.run].name, alike) for one in held),
    )  # fmt: skip


def _of_run(held: Held, views: Sequence[int], name: str, alike: Alike) -> ShownRun:
    replies = held.replies
    places = np.array(views, dtype=np.int64) * replies.repeats
    count = len(places)
    near, defined = alike.of(np.repeat(replies.text[places], count), np.tile(replies.text[places], count))
    matrix, known = near.reshape(count, count) / UNIT, defined.reshape(count, count)
    return ShownRun(
        run=name,
        replies=tuple(
            ShownReply(
                text=_cut(replies.answers[place]), length=len(replies.answers[place]), said=replies.said[place],
                right=None if replies.right[place] == NO_TRUTH else bool(replies.right[place]),
            )
            for place in places
        ),
        similarity=tuple(
            tuple(float(matrix[row, column]) if known[row, column] else None for column in range(count))
            for row in range(count)
        ),
    )  # fmt: skip


def _cut(text: str) -> str:
    return text[:MOST_TEXT]
