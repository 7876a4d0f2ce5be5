"""The order of requests: shuffled over everything, so that a model never meets a group's views in a row."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from answerable.core.seeds import Stream

#: Passes over the whole order, and places tried in each to part two neighbours. A benchmark of many groups needs one
#: pass; only where one group is nearly half of everything may some stay together.
_PASSES, _TRIES = 16, 64


def shuffled(groups: Sequence[int], repeats: int, seed: int) -> array[int]:
    """Jobs ``view * repeats + repeat`` in an order that depends on the seed only.

    Neighbours are of different groups: after the shuffle, a job beside one of its own group changes places with
    others until it is not.

    Args:
        groups: number of the group of each view.
        repeats: times each view is asked.
    """
    jobs = array("q", range(len(groups) * repeats))
    stream = Stream("order of requests", seed, len(jobs))
    stream.shuffle(jobs)

    def group(place: int) -> int:
        return groups[jobs[place] // repeats] if 0 <= place < len(jobs) else -1

    def meetings(place: int) -> int:
        """How many neighbours are of its own group."""
        own = group(place)
        return (group(place - 1) == own) + (group(place + 1) == own)

    for _ in range(_PASSES):
        meeting = [place for place in range(len(jobs)) if meetings(place)]
        if not meeting:
            break
        for place in meeting:
            for _ in range(_TRIES):
                before = meetings(place)
                if not before:
                    break
                other = stream.below(len(jobs))
                before += meetings(other)
                jobs[place], jobs[other] = jobs[other], jobs[place]
                if meetings(place) + meetings(other) > before:
                    jobs[place], jobs[other] = jobs[other], jobs[place]
    return jobs
