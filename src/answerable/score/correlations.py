"""Which figures of unsolvable problem detection are held against each other over the runs (Miyai et al., table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from answerable.core.scores import Correlation, RunScores
from answerable.score.correlation import pearson, spearman
from answerable.score.metrics.upd import DUAL, OC_DUAL, ORIGINAL_STANDARD, STANDARD, UPD

#: Fewer points than this always lie on a line, or have no correlation at all.
LEAST_RUNS = 3


def correlations(runs: Iterable[RunScores]) -> tuple[Correlation, ...]:
    """Of every source that three runs or more cover, in the order of its metrics."""
    held = list(runs)
    sources = dict.fromkeys(source for run in held for source in run.sources)
    return tuple(found for source in sources for found in _of_source(held, source))


def _of_source(runs: list[RunScores], source: str) -> Iterator[Correlation]:
    metrics = [run.sources[source].metrics for run in runs if source in run.sources]
    if len(metrics) < LEAST_RUNS:
        return
    for x, y in _pairs(dict.fromkeys(name for found in metrics for name in found)):
        points = [
            (one, other)
            for found in metrics
            if x in found and y in found
            and (one := found[x].value) is not None
            and (other := found[y].value) is not None
        ]  # fmt: skip
        first, second = [one for one, _ in points], [other for _, other in points]
        yield Correlation(
            source=source, x=x, y=y, pearson=pearson(first, second), spearman=spearman(first, second), runs=len(points)
        )


def _pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    known = set(names)
    for name in names:
        kind, _, setting = name.rpartition("_")
        if kind in (STANDARD, UPD, DUAL) and ORIGINAL_STANDARD in known:
            yield ORIGINAL_STANDARD, name
        if kind == OC_DUAL and f"{DUAL}_{setting}" in known:
            yield f"{DUAL}_{setting}", name
