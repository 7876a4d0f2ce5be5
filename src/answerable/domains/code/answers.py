"""From what is printed, and how probably, to the answer of a question; once from each executor's own result.

The two functions share no code, like the executors they belong to.
"""

from __future__ import annotations

import re
from fractions import Fraction

from answerable.domains.code import cpython, interpreter
from answerable.domains.code.questions import Query
from answerable.logic.outcomes import Outcome, Several
from answerable.logic.program import Defined, Truth, Undefined

#: Digits of the longest number that counts as one.
_LONGEST = 30
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,29})", re.ASCII)
_VARIES = Several(values=("another output", "one output"))
_OPEN = Several(values=("no", "yes"))


def of_states(query: Query, found: interpreter.Distribution, file: str = "") -> Outcome:
    """The answer from the interpreter's distribution; ``Several`` where chance decides.

    Args:
        file: the name that the picture shows, for questions on a number.
    """
    if query.kind == "number":
        return _number_of_states(query, found, file)
    share = Fraction(0)
    for printed, weight in found.items():
        if (query.text in printed) if query.scope == "line" else printed == (query.text,):
            share += weight
    if query.kind == "can":
        return Truth(share > 0)
    if query.kind == "chance":
        return Truth({"=": share == query.chance, ">": share > query.chance, "<": share < query.chance}[query.than])
    return Truth(share == 1) if share in (0, 1) else _OPEN


def _number_of_states(query: Query, found: interpreter.Distribution, file: str) -> Outcome:
    if file != query.text:
        return Undefined(reason="no such file" if file else "nothing selected")
    if len(found) > 1:
        return _VARIES
    (printed,) = found
    if len(printed) == 1 and _WHOLE.fullmatch(printed[0]):
        return Defined(value=Fraction(printed[0]))
    return Undefined(reason="nothing selected")


def of_runs(query: Query, found: cpython.Distribution, file: str = "") -> Outcome:
    """The answer from CPython's runs."""
    if query.kind == "number":
        return _number_of_runs(query, sorted({"\n".join(printed) for printed in found}), file)
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


def _number_of_runs(query: Query, outputs: list[str], file: str) -> Outcome:
    if not file:
        return Undefined(reason="nothing selected")
    if file != query.text:
        return Undefined(reason="no such file")
    if outputs[1:]:
        return _VARIES
    digits = outputs[0].removeprefix("-")
    whole = digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0")
    if not whole or len(digits) > _LONGEST:
        return Undefined(reason="nothing selected")
    return Defined(value=Fraction(int(outputs[0])))


def _hit(query: Query, output: str) -> bool:
    return output == query.text if query.scope == "output" else query.text in output.split("\n")
