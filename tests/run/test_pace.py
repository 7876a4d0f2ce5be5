"""Concurrency follows the server."""

from __future__ import annotations

import asyncio

import pytest

from answerable.core.seeds import Stream
from answerable.run.pace import Pace, backoff


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def rounds(pace: Pace, count: int, seconds: float) -> None:
    """So many rounds of replies of this latency."""
    for _ in range(count):
        for _ in range(pace.limit):
            pace.succeeded(seconds)


def test_it_doubles_while_latency_holds() -> None:
    pace = Pace(2, 50, Clock())
    seen = [pace.limit]
    for _ in range(6):
        rounds(pace, 1, 1.0)
        seen.append(pace.limit)
    assert seen == [2, 4, 8, 16, 32, 50, 50]


def test_it_stops_growing_when_latency_does_not_hold() -> None:
    pace = Pace(4, 64, Clock())
    rounds(pace, 2, 1.0)
    assert pace.limit == 16
    rounds(pace, 3, 2.5)
    assert pace.limit == 16
    rounds(pace, 1, 1.5)
    assert pace.limit == 17  # one a round from now on


def test_it_halves_once_for_all_that_were_in_flight() -> None:
    clock = Clock()
    pace = Pace(32, 64, clock)
    for _ in range(20):
        pace.overloaded(started=clock.now - 1, wait=None)
    assert pace.limit == 16
    clock.now += 5
    pace.overloaded(started=clock.now - 1, wait=None)
    assert pace.limit == 8
    for _ in range(20):
        clock.now += 5
        pace.overloaded(started=clock.now, wait=None)
    assert pace.limit == 1
    rounds(pace, 3, 1.0)
    assert pace.limit == 4


async def test_the_gate_lets_in_as_many_as_the_limit() -> None:
    pace = Pace(3, 8, Clock())
    tasks = [asyncio.create_task(pace.enter()) for _ in range(6)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (sum(task.done() for task in tasks), pace.in_flight) == (3, 3)
    pace.leave()
    await asyncio.sleep(0.01)
    assert (sum(task.done() for task in tasks), pace.in_flight) == (4, 3)
    tasks[4].cancel()
    pace.leave()
    await asyncio.sleep(0.01)
    assert tasks[5].done()
    assert pace.in_flight == 3
    rounds(pace, 1, 1.0)
    assert pace.limit == 6


async def test_a_cancelled_waiter_passes_its_place_on() -> None:
    pace = Pace(1, 1, Clock())
    await pace.enter()
    first, second = asyncio.create_task(pace.enter()), asyncio.create_task(pace.enter())
    await asyncio.sleep(0)
    pace.leave()  # wakes the first
    first.cancel()
    await asyncio.wait_for(second, 1)
    assert pace.in_flight == 1
    assert first.cancelled()


async def test_retry_after_holds_everybody_back() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(4, 8, loop.time)
    pace.overloaded(loop.time(), wait=0.2)
    pace.overloaded(loop.time() - 1, wait=0.05)  # a shorter wish does not shorten the wait
    begin = loop.time()
    await asyncio.gather(pace.enter(), pace.enter())
    assert loop.time() - begin >= 0.19
    assert pace.paused() == 0


@pytest.mark.parametrize("attempt", [1, 2, 5, 50, 2000])
def test_waits_double_are_spread_and_bounded(attempt: int) -> None:
    step = min(60.0, 0.5 * 2.0 ** min(attempt - 1, 30))
    waits = [backoff(attempt, None, Stream("t", index)) for index in range(200)]
    assert step / 2 <= min(waits) < 0.6 * step
    assert 0.9 * step < max(waits) <= step
    asked = [backoff(attempt, 7.0, Stream("t", index)) for index in range(200)]
    assert min(asked) >= 7.0
    assert len(set(asked)) == 200
    assert waits[0] == backoff(attempt, None, Stream("t", 0))
