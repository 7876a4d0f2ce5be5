"""What TUBench's naive responders get (He et al., appendix C.2), exactly, and the average over data sets.

Two things in the paper's table follow only when they are taken as they are here. The F1 of random chance is that of the
expected counts, 2E[TP] / (2E[TP] + E[FP] + E[FN]), not the expected F1. And one row of frequent guess holds two
responders: its 2ACC says the more frequent class, which is answerable on UCR, but its F1 there is that of saying
unanswerable throughout, since F1 would be 0 otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from answerable.core.errors import SettingsError
from answerable.core.records import Record


class Classes(Record, frozen=True):
    """How many questions of each class a data set has."""

    answerable: int
    """Questions with an answer."""
    unanswerable: int
    """Questions without one."""

    @property
    def questions(self) -> int:
        """All of them.

        Raises:
            SettingsError: there is none, or a count is below 0.
        """
        if min(self.answerable, self.unanswerable) < 0 or not self.answerable + self.unanswerable:
            raise SettingsError("at least one question, and no count below 0", f"{self}", where="classes")
        return self.answerable + self.unanswerable


class Naive(Record, frozen=True):
    """A naive responder on a data set."""

    f1: Fraction
    """Of the class unanswerable, from expected counts."""
    acc2: Fraction
    """Expected two-class accuracy."""
    oacc: Fraction | None
    """Expected overall accuracy; None where it needs each question's choices and they are not known."""


def random_chance(classes: Classes, choices: Mapping[int, int] | None = None) -> Naive:
    """Either class with probability 1/2; for the overall accuracy, one of the choices with equal probability.

    Args:
        classes: questions by class.
        choices: number of choices, Unanswerable among them -> questions that have as many.

    Raises:
        SettingsError: no questions, or ``choices`` is not about as many.
    """
    half = Fraction(1, 2)
    hits, false = half * classes.unanswerable, half * classes.answerable
    # 2 TP + FP + FN, where TP + FN is the class itself. Nothing to find and nothing claimed cannot both be.
    f1 = 2 * hits / (hits + false + classes.unanswerable) if classes.questions else Fraction(0)
    if choices is None:
        return Naive(f1, half, None)
    if sum(choices.values()) != classes.questions or min(choices) < 1:
        raise SettingsError(f"choices of {classes.questions} questions", f"{dict(choices)}", where="choices")
    return Naive(f1, half, sum((Fraction(n, size) for size, n in choices.items()), Fraction(0)) / classes.questions)


def frequent_guess(classes: Classes) -> Naive:
    """The more frequent class for 2ACC; Unanswerable throughout for F1 and OACC, as the paper has it.

    Raises:
        SettingsError: no questions.
    """
    lost = classes.unanswerable
    return Naive(
        f1=Fraction(2 * lost, lost + classes.questions),
        acc2=Fraction(max(classes.answerable, lost), classes.questions),
        oacc=Fraction(lost, classes.questions),
    )


def average(values: Iterable[Fraction | None]) -> Fraction | None:
    """The plain mean over data sets, however many questions each has; None when one is undefined or there is none."""
    found: Sequence[Fraction | None] = tuple(values)
    known = [value for value in found if value is not None]
    return sum(known, Fraction(0)) / len(known) if known and len(known) == len(found) else None
