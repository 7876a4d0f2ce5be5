"""Which groups a report shows when it does not show all of them.

Every kind of result must be seen: each outcome of each run in each state, each way a reply ended, each reason
why one cannot be read. That is a set cover, solved greedily; then the choice is filled up with groups spread
evenly over the benchmark. The same scores give the same choice.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence

from answerable.report.verdicts import Mark

#: Reasons why replies cannot be read may be free text; past this many, each is no longer a kind of its own.
MOST_REASONS = 60


def kinds(marks: Sequence[Mark]) -> tuple[tuple[int, ...], ...]:
    """For each mark the kinds of result it shows, as numbers.

    Each outcome x state x run, each status x run, and each reason why a reply is invalid.
    """
    names: dict[tuple[str, ...], int] = {}
    reasons: set[str] = set()
    shown = []
    for mark in marks:
        keys: list[tuple[str, ...]] = [("outcome", mark.outcome, mark.state, mark.run)]
        if mark.status:
            keys.append(("status", mark.status, mark.run))
        if mark.why and (mark.why in reasons or len(reasons) < MOST_REASONS):
            reasons.add(mark.why)
            keys.append(("why", mark.why))
        shown.append(tuple(names.setdefault(key, len(names)) for key in keys))
    return tuple(shown)


def cover(groups: Mapping[str, Iterable[int]]) -> list[str]:
    """A small set of groups in which every kind occurs, best first.

    Args:
        groups: group -> its kinds, in benchmark order; earlier groups win ties.
    """
    have = {group: frozenset(found) for group, found in groups.items()}
    missing = set().union(*have.values()) if have else set()
    # A group's gain only falls as others are taken, so an entry that is still best when refreshed is the best.
    heap = [(-len(found), place, group) for place, (group, found) in enumerate(have.items())]
    heapq.heapify(heap)
    chosen: list[str] = []
    while missing and heap:
        _, place, group = heapq.heappop(heap)
        gain = len(have[group] & missing)
        if gain == 0:
            continue
        if heap and (-gain, place) > heap[0][:2]:
            heapq.heappush(heap, (-gain, place, group))
            continue
        chosen.append(group)
        missing -= have[group]
    return chosen


def spread(groups: Sequence[str], taken: Iterable[str]) -> list[str]:
    """The groups not taken yet, ordered so that any first part of them is spread over the whole."""
    used = set(taken)
    left = [group for group in groups if group not in used]
    width = max(1, (len(left) - 1).bit_length()) if left else 1
    # Counting with the bits in reverse order halves the gaps again and again.
    order = sorted(range(len(left)), key=lambda index: int(f"{index:0{width}b}"[::-1], 2))
    return [left[index] for index in order]


def choose(groups: Mapping[str, Iterable[int]], wanted: int, fits: Callable[[str], bool]) -> list[str]:
    """The groups to show, in benchmark order.

    Args:
        groups: group -> its kinds, in benchmark order.
        wanted: how many to show if they fit; the cover is shown whole even when it is larger.
        fits: asked once for each group in turn; once it says no, nothing more is added. Groups of the cover
            are announced to it too, and stay whatever it says.
    """
    order = list(groups)
    chosen = cover(groups)
    for group in chosen:
        fits(group)
    for group in spread(order, chosen):
        if len(chosen) >= wanted or not fits(group):
            break
        chosen.append(group)
    places = {group: place for place, group in enumerate(order)}
    return sorted(chosen, key=places.__getitem__)
