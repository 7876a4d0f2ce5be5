"""Map work over this process or over a pool of processes: the same results in the same order, byte for byte."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeVar

from answerable.core.errors import SettingsError, WorkerError
from answerable.core.registry import Registry

#: Items sent to a process at a time.
CHUNK = 8
A = TypeVar("A")
B = TypeVar("B")


class Executor(Protocol):
    """Something that maps a picklable function over items and gives the results in their order."""

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Lazily; at most a bounded number of items is in flight."""
        ...

    def close(self) -> None:
        """Stop; items in flight are dropped."""
        ...


class ThisProcess:
    """Runs everything where it is called."""

    def __init__(self, workers: int = 1, chunk: int = 1) -> None:
        del workers, chunk

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Plain ``map``."""
        return map(function, items)

    def close(self) -> None:
        """Nothing to stop."""


class ProcessPool:
    """A pool of fresh processes.

    Args:
        workers: number of processes; 0 means one a core.
        chunk: items sent at a time.
    """

    def __init__(self, workers: int = 0, chunk: int = CHUNK) -> None:
        self.workers = workers or default_workers()
        self._chunk = chunk
        # A fresh interpreter, not a copy of this one: threads and open files of the caller never matter.
        self._pool = ProcessPoolExecutor(
            self.workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
        )

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in order; four chunks a worker are in flight at most.

        Raises:
            WorkerError: one of the processes was killed.
        """
        try:
            yield from self._map(function, items)
        except BrokenProcessPool as error:
            raise WorkerError(
                f"{self.workers} processes to work on", "one of them was killed", where="--workers",
                fix="often memory ran out: give fewer --workers, and repeat the command",
            ) from error  # fmt: skip

    def _map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        source = iter(items)
        window: deque[Future[list[B]]] = deque()
        try:
            while True:
                while len(window) < 4 * self.workers and (chunk := list(islice(source, self._chunk))):
                    window.append(self._pool.submit(_run_chunk, function, chunk))
                if not window:
                    return
                yield from window.popleft().result()
        finally:
            for future in window:
                future.cancel()

    def close(self) -> None:
        """Wait for nothing that has not started."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, however it went; work for nobody would go on otherwise."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _run_chunk(function: Callable[[A], B], items: list[A]) -> list[B]:
    return [function(item) for item in items]


class MakeExecutor(Protocol):
    """How an executor is made."""

    def __call__(self, workers: int, chunk: int) -> Executor: ...


EXECUTORS: Registry[MakeExecutor] = Registry(
    "executor",
    "answerable.executors",
    {"this-process": "answerable.exec:ThisProcess", "process-pool": "answerable.exec:ProcessPool"},
)


def default_workers() -> int:
    """One process a core this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def executor(workers: int, chunk: int = CHUNK) -> Executor:
    """The executor for a number of workers: 1 is this process, 0 a pool of one process a core.

    Args:
        chunk: items sent at a time; 1 where each takes seconds, so that none waits for another and little is in vain.

    Raises:
        SettingsError: ``workers`` is negative.
    """
    if workers < 0:
        raise SettingsError("a number of workers, 0 (one a core) or more", f"workers={workers}", where="--workers")
    count = workers or default_workers()
    return EXECUTORS.load("this-process" if count == 1 else "process-pool")(count, chunk)
