"""This process and a pool of processes: same results, same order, same errors."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from answerable.core.errors import SettingsError, SourceError, WorkerError
from answerable.exec import EXECUTORS, Executor, ProcessPool, ThisProcess, default_workers, executor
from tests.exec import work

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPool]:
    """One pool for the module: starting processes is slow."""
    made = ProcessPool(2, chunk=4)
    yield made
    made.close()


@pytest.fixture(params=["this-process", "process-pool"])
def either(request: pytest.FixtureRequest, pool: ProcessPool) -> Executor:
    """Each executor in turn."""
    return pool if request.param == "process-pool" else ThisProcess()


def test_results_come_in_the_order_of_the_items(either: Executor) -> None:
    assert list(either.map(work.uneven, range(50))) == list(range(50))


def test_both_give_the_same(pool: ProcessPool) -> None:
    assert list(pool.map(work.square, range(101))) == list(ThisProcess().map(work.square, range(101)))


def test_nothing_gives_nothing(either: Executor) -> None:
    assert list(either.map(work.square, [])) == []


def test_an_error_of_ours_arrives_whole_and_after_earlier_results(either: Executor) -> None:
    seen: list[int] = []
    with pytest.raises(SourceError) as caught:
        seen.extend(either.map(work.refuse_seven, range(20)))
    # The pool raises for a chunk as a whole; the list keeps what came before.
    assert seen in (list(range(7)), list(range(4)))
    error = caught.value
    assert (error.expected, error.got, error.where, error.fix) == (
        "a number other than 7", "number=7", "line 7", "count otherwise",
    )  # fmt: skip


def test_an_error_of_python_arrives(either: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(either.map(work.divide, [1, 0]))


def test_an_executor_works_on_after_an_error(either: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(either.map(work.divide, [0]))
    assert list(either.map(work.square, [3])) == [9]


def test_an_endless_source_is_read_no_further_than_needed(either: Executor, pool: ProcessPool) -> None:
    pulled = 0

    def endless() -> Iterator[int]:
        nonlocal pulled
        while True:
            yield pulled
            pulled += 1

    results = either.map(work.square, endless())
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    # Four chunks of four a worker, and the one being handed out.
    assert pulled <= 4 * 2 * 4 + 4
    del results


def test_the_pool_uses_other_processes(pool: ProcessPool) -> None:
    where = set(pool.map(work.process, range(40)))
    assert os.getpid() not in where
    assert len(where) <= 2


def test_a_closed_pool_takes_no_more_work() -> None:
    made = ProcessPool(1)
    assert list(made.map(work.square, [2])) == [4]
    made.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        list(made.map(work.square, [2]))


def test_a_process_that_is_killed_is_said_so() -> None:
    made = ProcessPool(2, chunk=1)
    try:
        with pytest.raises(WorkerError, match="expected 2 processes to work on; got one of them was killed") as caught:
            list(made.map(work.killed, range(20)))
    finally:
        made.close()
    assert caught.value.exit_code == 6
    assert "fewer --workers" in caught.value.fix


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    script = f"""
from answerable.exec import ProcessPool
from tests.exec import work

if __name__ == "__main__":
    list(ProcessPool(2, chunk=1).map(work.note_process, [{str(tmp_path)!r}] * 2))
"""
    file = tmp_path / "script.py"
    file.write_text(script, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    started = subprocess.Popen([sys.executable, str(file)], cwd=ROOT, env=environment)

    def workers() -> list[int]:
        return [int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()]

    wait_until(lambda: len(workers()) == 2)
    started.kill()
    started.wait()
    wait_until(lambda: not any(map(alive, workers())))


def wait_until(done: Callable[[], bool]) -> None:
    """For at most a minute."""
    last = time.monotonic() + 60
    while not done():
        assert time.monotonic() < last
        time.sleep(0.05)


def alive(process: int) -> bool:
    """Whether a process still runs; one that nobody has asked after since it ended does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_the_number_of_workers_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(executor(1), ThisProcess)
    many = executor(2)
    assert isinstance(many, ProcessPool)
    assert many.workers == 2
    many.close()
    monkeypatch.setattr("answerable.exec.default_workers", lambda: 1)
    assert isinstance(executor(0), ThisProcess)


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(SettingsError, match="got workers=-1") as caught:
        executor(-1)
    assert caught.value.where == "--workers"


def test_the_table_holds_both() -> None:
    assert EXECUTORS.names() == ("this-process", "process-pool")
    assert default_workers() >= 1
