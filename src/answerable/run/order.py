"""The order of requests: shuffled over everything, so that a model never meets a group's views in a row."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from answerable.core.seeds import Stream

#: Places tried to part two neighbours before they stay together.
_TRIES = 64


def shuffled(groups: Sequence[int], repeats: int, seed: int) -> array[int]:
    """Jobs ``view * repeats + repeat`` in an order that depends on the seed only.

    Neighbours are of different groups wherever that is possible: after the shuffle, a job beside one of its own
    group changes places with another one, if neither gets a neighbour of its own group by it.

    Args:
        groups: number of the group of each view.
        repeats: times each view is asked.
    """
    jobs = array("q", range(len(groups) * repeats))
    stream = Stream("order of requests", seed, len(jobs))
    stream.shuffle(jobs)

    def group(place: int) -> int:
        return groups[jobs[place] // repeats] if 0 <= place < len(jobs) else -1

    def fits(place: int) -> bool:
        return group(place) not in (group(place - 1), group(place + 1))

    for place in range(len(jobs)):
        for _ in range(_TRIES):
            if fits(place):
                break
            other = stream.below(len(jobs))
            jobs[place], jobs[other] = jobs[other], jobs[place]
            if not (fits(place) and fits(other)):
                jobs[place], jobs[other] = jobs[other], jobs[place]
    return jobs
