"""From what is printed, and how probably, to the answer of a question; once from each executor's own result.

The two functions share no code, like the executors they belong to.
"""

from __future__ import annotations

from fractions import Fraction

from answerable.domains.code import cpython, interpreter
from answerable.domains.code.questions import Query
from answerable.logic.outcomes import Outcome, Several
from answerable.logic.program import Truth

_OPEN = Several(values=("no", "yes"))


def of_states(query: Query, found: interpreter.Distribution) -> Outcome:
    """The answer from the interpreter's distribution; ``Several`` where chance decides."""
    share = Fraction(0)
    for printed, weight in found.items():
        if (query.text in printed) if query.scope == "line" else printed == (query.text,):
            share += weight
    if query.kind == "can":
        return Truth(share > 0)
    if query.kind == "chance":
        return Truth({"=": share == query.chance, ">": share > query.chance, "<": share < query.chance}[query.than])
    return Truth(share == 1) if share in (0, 1) else _OPEN


def of_runs(query: Query, found: cpython.Distribution) -> Outcome:
    """The answer from CPython's runs."""
    hits = [weight for printed, weight in found.items() if _hit(query, "\n".join(printed))]
    if query.kind == "prints":
        if hits and len(hits) < len(found):
            return _OPEN
        return Truth(bool(hits))
    if query.kind == "can":
        return Truth(bool(hits))
    difference = sum(hits, Fraction(0)) - query.chance
    if query.than == "=":
        return Truth(not difference)
    return Truth(difference > 0 if query.than == ">" else difference < 0)


def _hit(query: Query, output: str) -> bool:
    return output == query.text if query.scope == "output" else query.text in output.split("\n")
