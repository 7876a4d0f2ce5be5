"""What the kernel compares: the result of a program, or the several results of one whose outcome is not determined."""

from __future__ import annotations

from answerable.core.codec import answer_text
from answerable.core.records import Answer, Record
from answerable.logic.program import Defined, Named, Result, Truth


class Several(Record, frozen=True, tag="several"):
    """Two outcomes or more, with nothing hidden: chance decides."""

    values: tuple[str, ...]
    """The possible outcomes, each once, in order."""

    def __post_init__(self) -> None:
        if len(self.values) < 2 or list(self.values) != sorted(set(self.values)):
            raise ValueError(f"expected two different outcomes or more, in order; got {self.values[:5]!r}")


Outcome = Result | Several


def answer_of(outcome: Outcome) -> Answer | None:
    """The obligation that an outcome is: numbers exact, labels as text, truth as yes or no; None without an answer."""
    if isinstance(outcome, Truth):
        return Answer(target="yes" if outcome.value else "no", type="boolean")
    if isinstance(outcome, Named):
        return Answer(target=outcome.value, type="text")
    if isinstance(outcome, Defined):
        return Answer(target=answer_text(outcome.value), type="number")
    return None
