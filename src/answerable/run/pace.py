"""How many requests at once: more while the server keeps up, half when it says that it is too much."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from answerable.core.seeds import Stream

#: Latency may grow to this many times the best round's, and by this many seconds, before growth stops.
_TOLERANCE: Final = 2.0
_SLACK: Final = 0.05
#: First wait between attempts in seconds; it doubles each time up to the longest.
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 60.0


class Pace:
    """A gate whose width follows the server (additive increase, multiplicative decrease).

    It opens by doubling every round while latency holds, then by one a round. A round is as many replies as the gate
    is wide. One overload halves it once, however many requests were in flight.

    Args:
        start: requests at once in the beginning.
        most: never more than this.
        clock: seconds that only go forward.
    """

    def __init__(self, start: int, most: int, clock: Callable[[], float]) -> None:
        self._most, self._clock = most, clock
        self.limit = min(start, most)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._doubling = True
        self._best: float | None = None
        self._round, self._sum = 0, 0.0
        self._cut_at = float("-inf")
        self._resume_at = float("-inf")

    async def enter(self) -> None:
        """Wait for a place, and for the end of a pause the server asked for."""
        while True:
            pause = self.paused()
            if pause > 0:
                await asyncio.sleep(pause)
            elif self.in_flight < self.limit:
                self.in_flight += 1
                return
            else:
                place = asyncio.get_running_loop().create_future()
                self._waiting.append(place)
                try:
                    await place
                except asyncio.CancelledError:
                    # The place that woke us goes to the next one.
                    self._wake()
                    raise

    def leave(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._wake()

    def paused(self) -> float:
        """Seconds that the server asked us to wait, still to go."""
        return max(0.0, self._resume_at - self._clock())

    def succeeded(self, seconds: float) -> None:
        """A request took so long and was answered."""
        self._round += 1
        self._sum += seconds
        if self._round < self.limit:
            return
        latency, self._round, self._sum = self._sum / self._round, 0, 0.0
        best = latency if self._best is None else min(self._best, latency)
        holds = latency <= _TOLERANCE * best + _SLACK
        self._best = best
        if not holds:
            self._doubling = False
        elif self.limit < self._most:
            self.limit = min(self._most, self.limit * 2 if self._doubling else self.limit + 1)
            self._wake()

    def overloaded(self, started: float, wait: float | None) -> None:
        """The server refused or let a request of this start time wait in vain; ``wait`` is its own wish."""
        if started >= self._cut_at:
            self.limit = max(1, self.limit // 2)
            self._cut_at = self._clock()
            self._doubling = False
            self._round, self._sum = 0, 0.0
        if wait is not None:
            self._resume_at = max(self._resume_at, self._clock() + wait)

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1


def backoff(attempt: int, wait: float | None, draw: Stream) -> float:
    """Seconds before the next attempt: at least what the server asked for, spread so that no herd forms.

    Args:
        attempt: attempts made so far, from 1.
        wait: the server's ``Retry-After`` in seconds.
        draw: the only randomness.
    """
    step = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(attempt - 1, 30))
    jitter = step * (0.5 + 0.5 * draw.unit())
    return jitter if wait is None else wait + jitter * 0.5
