"""How much light would tell of what is hidden, if it were only covered and not taken away before drawing.

For every group whose M hides a place behind or inside something, both complete worlds are drawn with the cover and
with what stands there left in. Where the two pictures differ, shadows, reflections and coloured light give the hidden
thing away, although not one pixel of it is seen. The benchmark's own pictures cannot: in them it is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from answerable.certify.checks import Parcel, parcels
from answerable.core.benchmark import Benchmark
from answerable.core.errors import ImageError, ProofError, SettingsError
from answerable.core.records import Record
from answerable.domains import CASES
from answerable.exec import Executor

#: A channel that differs by more than this, of 255, differs visibly.
STEP = 2


@runtime_checkable
class Leaking(Protocol):
    """A case whose worlds can be drawn with what is hidden left in."""

    @property
    def claims(self) -> Sequence[Any]: ...
    def look(self, hide: Any) -> str:
        """How a mask looks."""

    def leak(self, hide: Any, step: int) -> Fraction:
        """Share of pixels in which F and C differ by more than ``step`` when what is hidden is only covered."""


class LeakLine(Record, frozen=True):
    """The groups with one sort of cover."""

    cover: str
    groups: int
    leaking: int
    """Groups in which at least one pixel differs."""
    median: float
    """Share of pixels."""
    most: float


class Leak(Record, frozen=True):
    """The result for a benchmark."""

    step: int
    groups: int
    """Groups that were drawn."""
    lines: tuple[LeakLine, ...]


class _Measured(Record, frozen=True):
    cover: str
    share: float


def measure(parcel: Parcel) -> _Measured | None:
    """One group; None where M hides nothing in this way, or the proof cannot be opened."""
    if parcel.proof is None:
        return None
    try:
        case = CASES.load(parcel.proof.domain)(bytes(parcel.proof.body), {})
    except (ProofError, SettingsError, ImageError):
        return None
    if not isinstance(case, Leaking):
        return None
    for claim in case.claims:
        if claim.state == "M" and claim.hide is not None:
            return _Measured(case.look(claim.hide), float(case.leak(claim.hide, STEP)))
    return None


def audit_leak(
    benchmark: Benchmark, executor: Executor, *, groups: int, on_group: Callable[[], None] = lambda: None
) -> Leak:
    """Measure the first groups of a benchmark; drawing takes two pictures each.

    Raises:
        SettingsError: no group is asked for, or none of the benchmark hides things in a scene.
    """
    if groups < 1:
        raise SettingsError("at least one group", f"groups={groups}", where="--groups")
    found: dict[str, list[float]] = {}
    for one in executor.map(measure, _first(benchmark, groups)):
        on_group()
        if one is not None:
            found.setdefault(one.cover, []).append(one.share)
    if not found:
        raise SettingsError("a benchmark with hidden places in scenes", benchmark.manifest.name, where="BENCH")
    lines = tuple(
        LeakLine(cover, len(shares), sum(share > 0 for share in shares), _median(shares), max(shares))
        for cover, shares in sorted(found.items())
    )
    return Leak(STEP, sum(line.groups for line in lines), lines)


def _first(benchmark: Benchmark, groups: int) -> Iterator[Parcel]:
    for parcel, _ in zip(parcels(benchmark), range(groups), strict=False):
        yield parcel


def _median(shares: list[float]) -> float:
    ordered, half = sorted(shares), len(shares) // 2
    return ordered[half] if len(shares) % 2 else (ordered[half - 1] + ordered[half]) / 2
