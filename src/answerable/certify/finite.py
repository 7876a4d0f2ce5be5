"""The finite audit: four rules for labelling a question unanswerable, against every completion.

Exhaustive enumeration says of each case whether all completions give one answer (constant) or not (ambiguous). The
rules: *mentions* calls a question ambiguous when its program refers to a hidden cell; *all low, all high* compares
two completions; *intervals* propagates bounds; *smt* asks Z3. What one method says against what must hold is counted
(wrongly rejected, missed, undecided), and what can never differ (a proof by intervals, SMT, ``decide``, the two
worlds under two executors) is checked on every case: a difference is a fault of ours, and is reported with the case.

Source: "When Does an Image Determine the Answer?", section 3.3 and appendix D; its counts were 1,024 and 432 cases,
822 ambiguous, 634 constant. The families here are ours, so the counts are too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal

import msgspec

from answerable.certify.finite_cases import FAMILIES, HIGH, LOW, TREE, Case, case
from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.exec import Executor
from answerable.logic import direct, smt, sql
from answerable.logic.decide import Ambiguous, Determined, decide
from answerable.logic.enumeration import Found, enumerate_all
from answerable.logic.intervals import propagate
from answerable.logic.program import Grid
from answerable.logic.recheck import recheck_ambiguous
from answerable.logic.types import cells, result_words, words

Rule = Literal["mentions", "ends", "intervals", "smt"]
#: Each rule in words, in the order of tables.
RULES: dict[Rule, str] = {
    "mentions": "mentions a hidden cell",
    "ends": "all low against all high",
    "intervals": "interval propagation",
    "smt": "SMT (Z3)",
}
Says = Literal["ambiguous", "constant", "undecided"]

CASES, TREES, SEED = 1_024, 432, 20260915
MAX_CASES = 10_000_000
_BATCH = 64
#: Cases named for each kind of error, and disagreements written out.
_EXAMPLES, _WRITTEN = 2, 20


class RuleCounts(Record, frozen=True):
    """How one rule labels the cases of one family."""

    wrongly_rejected: int = 0
    """Constant cases called ambiguous."""
    missed: int = 0
    """Ambiguous cases called constant."""
    undecided_constant: int = 0
    """Constant cases about which the rule says nothing."""
    undecided_ambiguous: int = 0
    """Ambiguous cases about which the rule says nothing."""
    examples: tuple[str, ...] = ()
    """The first cases that it labels wrongly."""


class FamilyCounts(Record, frozen=True):
    """The cases of one family."""

    family: str
    cases: int = 0
    constant: int = 0
    """One answer in every completion."""
    ambiguous: int = 0
    """Two answers or more."""
    undefined: int = 0
    """Constant cases whose one outcome is "undefined"."""
    completions: int = 0
    """Completions that enumeration ran."""
    witnesses: int = 0
    """Ambiguous cases whose two worlds both executors tell apart."""
    rules: dict[Rule, RuleCounts] = msgspec.field(default_factory=dict)
    disagreements: tuple[str, ...] = ()
    """What must never differ and did, with the case; the first 20."""
    disagreeing: int = 0
    """How many there are."""


class FiniteAudit(Record, frozen=True):
    """Everything the audit counts. The same for the same settings, on one process or many."""

    seed: int
    cases: int
    """Cases of the eight families."""
    trees: int
    """Cases of recursive trees."""
    smt: bool
    """Whether the rule ``smt`` was asked."""
    low: int
    high: int
    families: tuple[FamilyCounts, ...]
    """In the order of tables, trees last."""
    total: FamilyCounts
    """All of them together."""

    @property
    def holds(self) -> bool:
        """Whether everything agrees that must, and every ambiguous case has its two worlds."""
        return self.total.disagreeing == 0 and self.total.witnesses == self.total.ambiguous


class _Job(Record, frozen=True):
    seed: int
    tree: bool
    start: int
    stop: int
    smt: bool


def audit_finite(
    workers: Executor,
    *,
    cases: int = CASES,
    trees: int = TREES,
    seed: int = SEED,
    use_smt: bool = True,
    on_cases: Callable[[int], object] | None = None,
) -> FiniteAudit:
    """Run the audit, streamed: memory does not grow with the number of cases.

    Args:
        workers: where the work runs.
        cases: cases of the eight families, shared out evenly.
        trees: cases of recursive trees.
        seed: names the cases.
        use_smt: ask Z3 too.
        on_cases: called with the number of cases just finished.

    Raises:
        SettingsError: a number of cases out of bounds.
        MissingExtraError: ``use_smt`` and Z3 is not installed.
    """
    for name, count in (("--cases", cases), ("--trees", trees)):
        if not 0 <= count <= MAX_CASES:
            raise SettingsError(f"a number of cases from 0 to {MAX_CASES}", f"{count}", where=name)
    if cases + trees == 0:
        raise SettingsError("at least one case", "none", where="--cases, --trees")
    if use_smt:
        smt.require("z3")
    order = [*FAMILIES, TREE]
    found = {name: FamilyCounts(family=name) for name in order}
    for part in workers.map(_batch, _jobs(seed, cases, trees, use_smt)):
        for counts in part:
            found[counts.family] = _merged(counts.family, found[counts.family], counts)
        if on_cases is not None:
            on_cases(sum(counts.cases for counts in part))
    total = FamilyCounts(family="all")
    for name in order:
        total = _merged("all", total, found[name])
    families = tuple(found[name] for name in order if found[name].cases)
    return FiniteAudit(
        seed=seed, cases=cases, trees=trees, smt=use_smt, low=LOW, high=HIGH, families=families, total=total
    )  # fmt: skip


def _jobs(seed: int, cases: int, trees: int, use_smt: bool) -> Iterator[_Job]:
    for tree, count in ((False, cases), (True, trees)):
        for start in range(0, count, _BATCH):
            yield _Job(seed=seed, tree=tree, start=start, stop=min(start + _BATCH, count), smt=use_smt)


def _batch(job: _Job) -> list[FamilyCounts]:
    """A few cases in a row; case ``i`` belongs to family ``i mod 8``."""
    names = list(FAMILIES)
    found: dict[str, FamilyCounts] = {}
    for index in range(job.start, job.stop):
        family, number = (TREE, index) if job.tree else (names[index % len(names)], index // len(names))
        counts = examine(case(job.seed, family, number), use_smt=job.smt)
        found[family] = _merged(family, found.get(family, FamilyCounts(family=family)), counts)
    return list(found.values())


def _merged(family: str, one: FamilyCounts, other: FamilyCounts) -> FamilyCounts:
    rules: dict[Rule, RuleCounts] = {}
    for rule in RULES:
        parts = [counts.rules[rule] for counts in (one, other) if rule in counts.rules]
        if parts:
            rules[rule] = RuleCounts(
                wrongly_rejected=sum(part.wrongly_rejected for part in parts),
                missed=sum(part.missed for part in parts),
                undecided_constant=sum(part.undecided_constant for part in parts),
                undecided_ambiguous=sum(part.undecided_ambiguous for part in parts),
                examples=tuple(example for part in parts for example in part.examples)[:_EXAMPLES],
            )
    return FamilyCounts(
        family=family,
        cases=one.cases + other.cases,
        constant=one.constant + other.constant,
        ambiguous=one.ambiguous + other.ambiguous,
        undefined=one.undefined + other.undefined,
        completions=one.completions + other.completions,
        witnesses=one.witnesses + other.witnesses,
        rules=rules,
        disagreements=(one.disagreements + other.disagreements)[:_WRITTEN],
        disagreeing=one.disagreeing + other.disagreeing,
    )


def examine(one: Case, *, use_smt: bool = True) -> FamilyCounts:
    """One case under every method."""
    domains = one.domains()
    every = enumerate_all(one.program, one.visible, domains)
    truth: Says = "constant" if every.other is None else "ambiguous"
    says: dict[Rule, Says] = {
        "mentions": "ambiguous" if cells(one.program, one.visible) & set(one.visible.hidden()) else "constant",
        "ends": _ends(one),
        "intervals": "undecided" if propagate(one.program, one.visible, domains).only() is None else "constant",
    }
    if use_smt:
        says["smt"] = _smt(one, every)
    faults = list(_faults(one, every, truth, says))
    witness = truth == "ambiguous" and not _unwitnessed(one, every, faults)
    return FamilyCounts(
        family=one.family,
        cases=1,
        constant=int(truth == "constant"),
        ambiguous=int(truth == "ambiguous"),
        undefined=int(truth == "constant" and result_words(every.first).startswith("undefined")),
        completions=every.completions,
        witnesses=int(witness),
        rules={rule: _judged(said, truth, one) for rule, said in says.items()},
        disagreements=tuple(f"{one.name}: {fault}: {words(one.program)}" for fault in faults),
        disagreeing=len(faults),
    )


def _judged(said: Says, truth: Says, one: Case) -> RuleCounts:
    wrong = said not in ("undecided", truth)
    return RuleCounts(
        wrongly_rejected=int(wrong and truth == "constant"),
        missed=int(wrong and truth == "ambiguous"),
        undecided_constant=int(said == "undecided" and truth == "constant"),
        undecided_ambiguous=int(said == "undecided" and truth == "ambiguous"),
        examples=(f"{words(one.program)}, hidden {_hidden_words(one)}",) if wrong else (),
    )


def _hidden_words(one: Case) -> str:
    return " and ".join(f"{series}[{position}]" for series, position in one.visible.hidden())


def _world(one: Case, value: int) -> Grid:
    return one.visible.completed(dict.fromkeys(one.visible.hidden(), Fraction(value)))


def _ends(one: Case) -> Says:
    low, high = (direct.execute(one.program, _world(one, value)) for value in (LOW, HIGH))
    return "constant" if low == high else "ambiguous"


def _smt(one: Case, every: Found) -> Says:
    """What Z3 says; the first completion's answer is the reference."""
    reply = smt.another(one.program, one.visible, one.domains(), every.first, "z3")
    if isinstance(reply, smt.Unsure):
        return "undecided"
    return "ambiguous" if isinstance(reply, smt.Varies) else "constant"


def _faults(one: Case, every: Found, truth: Says, says: dict[Rule, Says]) -> Iterator[str]:
    """What no two right methods can differ in."""
    if says["intervals"] == "constant" and truth == "ambiguous":
        yield "intervals find one answer, enumeration two"
    if "smt" in says and says["smt"] != truth:
        yield f"Z3 says {says['smt']}, enumeration {truth}"
    decision = decide(one.program, one.visible, one.domains(), solvers=())
    if isinstance(decision, Determined):
        if truth != "constant" or decision.answer != every.first:
            yield f"decide says {result_words(decision.answer)} always, enumeration {truth}"
    elif not isinstance(decision, Ambiguous) or truth != "ambiguous":
        yield f"decide says {type(decision).__name__.lower()}, enumeration {truth}"


def _unwitnessed(one: Case, every: Found, faults: list[str]) -> bool:
    """Whether the two worlds fail under an executor; says so among the faults."""
    if every.worlds is None:
        return True
    # A hidden cell that the program does not refer to takes one value in both.
    spare = dict.fromkeys(one.visible.hidden(), Fraction(LOW))
    complete = [one.visible.completed({**spare, **world}) for world in every.worlds]
    verdict = recheck_ambiguous(
        one.program, one.visible, one.domains(), (complete[0], complete[1]), (direct.execute, sql.execute)
    )
    if verdict.status != "holds":
        faults.append(f"the two worlds do not hold: {verdict.detail}")
    return verdict.status != "holds"
