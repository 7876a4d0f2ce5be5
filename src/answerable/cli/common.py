"""What several verbs share: how a run finds its benchmark, and how figures are printed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, RunMismatchError
from answerable.core.files import write_bytes
from answerable.core.runlog import RunFolder

if TYPE_CHECKING:
    from answerable.core.scores import Figure

#: Beside ``run.json``: where the benchmark was when the run was made. A help to find it, no part of the run.
BENCHMARK_PATH = "benchmark.path"


def remember_benchmark(run_folder: Path, benchmark_folder: Path) -> None:
    """Note where the benchmark of a run lies, relative to the run folder where that is possible.

    Raises:
        StorageError: the disk refused the write.
    """
    target, start = benchmark_folder.resolve(), run_folder.resolve()
    # Folders on two drives have no relative path between them.
    text = os.path.relpath(target, start) if target.drive == start.drive else str(target)
    write_bytes(run_folder / BENCHMARK_PATH, text.encode() + b"\n")


def find_benchmark(run_folder: Path, given: Path | None) -> Benchmark:
    """The benchmark a run was made with: the folder that is given, else the one noted beside ``run.json``.

    The fingerprint decides: a folder of another benchmark is refused, wherever its path came from.

    Raises:
        RunError: ``run_folder`` is no run.
        BenchmarkError: no path is known, or what lies there is no benchmark.
        RunMismatchError: it is another benchmark.
    """
    manifest = RunFolder(run_folder).manifest
    folder = given
    if folder is None:
        note = run_folder / BENCHMARK_PATH
        if not note.is_file():
            raise BenchmarkError(
                f"to know where benchmark {manifest.benchmark!r} lies",
                f"no {BENCHMARK_PATH} in the run folder",
                where=str(run_folder),
                fix="name its folder: --benchmark BENCH",
            )
        folder = run_folder / note.read_text(encoding="utf-8").strip()
        if not folder.is_dir():
            raise BenchmarkError(
                f"benchmark {manifest.benchmark!r} where it was when the run was made",
                f"nothing at {folder.resolve()}",
                where=str(note),
                fix="name its folder: --benchmark BENCH",
            )
    benchmark = Benchmark(folder)
    if benchmark.manifest.fingerprint != manifest.benchmark_fingerprint:
        raise RunMismatchError(
            f"benchmark {manifest.benchmark!r} with fingerprint {manifest.benchmark_fingerprint[:16]}...",
            f"{benchmark.manifest.name!r} with {benchmark.manifest.fingerprint[:16]}...",
            where=str(folder),
            fix="name the benchmark that this run was made with: --benchmark BENCH",
        )
    return benchmark


def expected_replies(runs: Sequence[RunFolder]) -> int:
    """Replies that the runs should hold, for progress."""
    return sum(run.manifest.views * run.manifest.repeats for run in runs)


def percent(value: float | None, digits: int = 1) -> str:
    """``57.0``; ``undefined`` where there is nothing to divide by."""
    return "undefined" if value is None else f"{100 * value:.{digits}f}"


def in_percent(figure: Figure) -> str:
    """``57.0 [54.0, 60.1]``: the value and its 95 % interval, in per cent; a ``w`` marks a Wilson interval."""
    bounds = figure.wilson or figure.interval
    if figure.value is None or bounds is None:
        return percent(figure.value)
    mark = "w" if figure.wilson else ""
    return f"{percent(figure.value)} [{percent(bounds[0])}, {percent(bounds[1])}]{mark}"
