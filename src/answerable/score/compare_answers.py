"""Whether a given answer is the target (paper, appendix B)."""

from __future__ import annotations

from answerable.core.errors import BenchmarkError
from answerable.core.records import Answer
from answerable.score.readers.number import parse_number
from answerable.score.readers.text import same_text


def same_answer(target: Answer, given: str) -> bool:
    """Numbers by exact rational value; text, Boolean and integer answers by exact value when both sides are
    numbers, else by normalised text. No tolerance, no unit conversion.

    Raises:
        BenchmarkError: the target of a number question is no number, so no reply could be right.
    """
    right, answer = parse_number(target.target), parse_number(given)
    if target.type == "number":
        if right is None:
            raise BenchmarkError(
                "a number as the target of a number question",
                f"target={target.target[:80]!r}",
                fix="build the benchmark again: 'answerable certify' refuses such an item",
            )
        return right == answer
    if right is not None and answer is not None:
        return right == answer
    return same_text(target.target, given)


def answer_key(given: str | None) -> str | None:
    """A form in which equal answers are equal, to tell whether repeats agree; None stays None."""
    if given is None:
        return None
    value = parse_number(given)
    return f"number {value}" if value is not None else f"text {' '.join(given.split())}"
