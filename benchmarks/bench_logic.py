"""What deciding costs on one core: the cases of the finite audit, method by method.

usage: python benchmarks/bench_logic.py [--cases N] [--trees N] [--json]

Every case is handed to each method in turn. Enumeration runs all completions of a case (none is skipped once two
answers are known); its rate counts the cost of setting up each small case. A second rate has two cells of 300 values
each, where that cost vanishes. The yardstick is the direct executor, run completion by completion.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from answerable.certify.finite import CASES, SEED, TREES, audit_finite
from answerable.certify.finite_cases import FAMILIES, TREE, Case, case
from answerable.exec import ThisProcess
from answerable.logic import direct, smt, sql
from answerable.logic.decide import decide
from answerable.logic.domains import Integers
from answerable.logic.enumeration import Completions, enumerate_all
from answerable.logic.intervals import propagate

Row = dict[str, object]


def some_cases(cases: int, trees: int) -> list[Case]:
    """The cases of the audit."""
    names = list(FAMILIES)
    found = [case(SEED, names[index % len(names)], index // len(names)) for index in range(cases)]
    return found + [case(SEED, TREE, index) for index in range(trees)]


def times(work: Callable[[Case], Any], every: list[Case]) -> list[float]:
    """Milliseconds a case, after a warm-up."""
    for one in every[:20]:
        work(one)
    found = []
    for one in every:
        start = time.perf_counter()
        work(one)
        found.append((time.perf_counter() - start) * 1000)
    return found


def _all_completions(one: Case) -> int:
    every = Completions(one.program, one.visible, one.domains())
    every.block(0, every.total)
    return every.total


def _one_by_one(one: Case) -> int:
    every = Completions(one.program, one.visible, one.domains())
    spare = one.visible.hidden()
    for number in range(every.total):
        world = dict.fromkeys(spare, Fraction(0)) | every.world(number)
        direct.execute(one.program, one.visible.completed(world))
    return every.total


def _large(every: list[Case]) -> tuple[int, float]:
    """Completions and seconds where each hidden cell has 300 values."""
    total, spent = 0, 0.0
    for one in every:
        domains = {cell: Integers(low=0, high=299) for cell in one.visible.hidden()}
        start = time.perf_counter()
        found = Completions(one.program, one.visible, domains)
        for block in range(0, found.total, 1 << 14):
            found.block(block, min(block + (1 << 14), found.total))
        total, spent = total + found.total, spent + time.perf_counter() - start
    return total, spent


def _rate(completions: int, milliseconds: float) -> int:
    return round(completions / milliseconds * 1000)


def measure(cases: int = CASES, trees: int = TREES) -> list[Row]:
    """Rows: name, value, unit, goal."""
    every = some_cases(cases, trees)
    completions = sum(Completions(one.program, one.visible, one.domains()).total for one in every)
    rows: list[Row] = []

    def add(name: str, value: float, unit: str, goal: str = "") -> None:
        rows.append({"name": name, "value": value, "unit": unit, "goal": goal})

    add("cases", len(every), "")
    add("completions of all cases", completions, "")
    add("enumeration, cases of the audit", _rate(completions, sum(times(_all_completions, every))), "completions/s",
        "100,000")  # fmt: skip
    two = [one for one in every if Completions(one.program, one.visible, one.domains()).total == 100][:100]
    large, spent = _large(two)
    add("enumeration, two cells of 300 values", _rate(large, 1000 * spent), "completions/s", "100,000")
    few = every[:: max(1, len(every) // 200)]
    ran = sum(Completions(one.program, one.visible, one.domains()).total for one in few)
    add("direct executor, one by one", _rate(ran, sum(times(_one_by_one, few))), "completions/s")
    reference = {one.name: enumerate_all(one.program, one.visible, one.domains()).first for one in every}
    solvers: tuple[tuple[smt.Name, str], ...] = (("z3", "5"), ("cvc5", ""))
    for solver, goal in solvers:
        spent_each = times(_ask(solver, reference), every)
        add(f"SMT by {solver}, median", round(statistics.median(spent_each), 3), "ms a case", goal)
        add(f"SMT by {solver}, slowest", round(max(spent_each), 1), "ms a case")
    methods: tuple[tuple[str, Callable[[Case], Any]], ...] = (
        ("intervals, median", lambda one: propagate(one.program, one.visible, one.domains())),
        ("decide, median", lambda one: decide(one.program, one.visible, one.domains())),
        ("SQL executor, one world, median", lambda one: sql.execute(one.program, _low(one))),
        ("direct executor, one world, median", lambda one: direct.execute(one.program, _low(one))),
    )
    for name, work in methods:
        add(name, round(statistics.median(times(work, every)), 4), "ms a case")
    start = time.perf_counter()
    audit = audit_finite(ThisProcess(), cases=cases, trees=trees)
    add(f"the whole audit, {audit.total.cases:,} cases", round(time.perf_counter() - start, 2), "s")
    return rows


def _low(one: Case) -> Any:
    return one.visible.completed(dict.fromkeys(one.visible.hidden(), Fraction(0)))


def _ask(solver: smt.Name, reference: dict[str, Any]) -> Callable[[Case], Any]:
    return lambda one: smt.another(one.program, one.visible, one.domains(), reference[one.name], solver)


def main() -> None:
    """Print the rows, as JSON lines or for people."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--trees", type=int, default=TREES)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.cases, args.trees):
        goal = f"   (goal {row['goal']})" if row["goal"] else ""
        print(json.dumps(row) if args.json else f"{row['name']:<42} {row['value']:>12,} {row['unit']}{goal}")


if __name__ == "__main__":
    main()
