"""The fault-injection audit: plant faults in good groups and see that the kernel refuses every one.

A fault is planted the way an adversary would: digests and names are made right again afterwards, so that only the
premise that is meant to catch it can. Source: appendix D of the visual-answerability paper (five faults, twenty
trials each); every domain has faults of its own (``certify.faults``).
"""

from __future__ import annotations

from collections import Counter

from answerable.certify.checks import Parcel, Verdict, check_parcel, parcels
from answerable.certify.faults import FAULTS
from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.exec import Executor


class AuditLine(Record, frozen=True):
    """One kind of fault in one domain."""

    domain: str
    fault: str
    trials: int
    refused: int
    premises: dict[str, int]
    """Which premise refused how many."""


class Audit(Record, frozen=True):
    """All kinds."""

    lines: tuple[AuditLine, ...]

    @property
    def all_refused(self) -> bool:
        """Whether every planted fault was caught."""
        return all(line.trials == line.refused for line in self.lines)


def audit(benchmark: Benchmark, executor: Executor, *, trials: int = 20) -> Audit:
    """Plant each fault ``trials`` times, in groups that the kernel accepts.

    Raises:
        SettingsError: no trials are asked for; that would show nothing.
        BenchmarkError: the benchmark has no accepted group to plant faults in.
    """
    if trials < 1:
        raise SettingsError("at least one trial a fault", f"trials={trials}", where="--trials")
    lines = []
    for domain, sound in _sound(benchmark, executor, max(trials, 20)).items():
        for name, plant in FAULTS.load(domain).items():
            planted = [plant(sound[trial % len(sound)], Stream("audit", name, trial)) for trial in range(trials)]
            lines.append(_line(domain, name, list(executor.map(check_parcel, planted))))
    if not lines:
        raise BenchmarkError(
            "accepted groups to plant faults in",
            "none",
            where=str(benchmark.path),
            fix="certify first: an audit says nothing about groups that are refused anyway",
        )
    return Audit(lines=tuple(lines))


def _sound(benchmark: Benchmark, executor: Executor, limit: int) -> dict[str, list[Parcel]]:
    """Accepted parcels among the first ``limit`` of each domain, by domain."""
    found: dict[str, list[Parcel]] = {}
    for parcel in parcels(benchmark):
        if parcel.proof is not None and len(found.setdefault(parcel.proof.domain, [])) < limit:
            found[parcel.proof.domain].append(parcel)
    pool = [parcel for some in found.values() for parcel in some]
    accepted = dict(zip((id(parcel) for parcel in pool), executor.map(check_parcel, pool), strict=True))
    sound = {
        domain: [parcel for parcel in some if accepted[id(parcel)].status == "accepted"]
        for domain, some in sorted(found.items())
    }
    return {domain: some for domain, some in sound.items() if some}


def _line(domain: str, name: str, verdicts: list[Verdict]) -> AuditLine:
    refused = [verdict for verdict in verdicts if verdict.status == "refused"]
    premises = dict(sorted(Counter(verdict.premise for verdict in refused).items()))
    return AuditLine(domain=domain, fault=name, trials=len(verdicts), refused=len(refused), premises=premises)
