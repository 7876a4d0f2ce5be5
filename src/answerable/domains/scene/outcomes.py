"""What a program over a scene gives: a number, a word, a truth, or the reason why there is no answer.

Two outcomes are the same when they are equal. An ill-posed program is an outcome like any other, not an error: the
question presupposes one object where the scene has none, or several.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from answerable.core.records import Answer, Record
from answerable.domains.scene.world import MAX_THINGS
from answerable.logic.program import Defined, Named, Truth, Undefined


class IllPosed(Record, frozen=True, tag="ill-posed"):
    """The program has no answer on this scene."""

    function: Literal["unique"]
    """The function that could not be carried out."""
    node: int
    """Its place in the program; the first such one."""
    found: int
    """How many objects it met instead of one."""


WellPosed = Defined | Named | Truth
Outcome = Defined | Named | Truth | IllPosed
#: The counts that there are.
COUNTS: tuple[Defined, ...] = tuple(Defined(value=Fraction(count)) for count in range(MAX_THINGS + 1))


def answer_of(outcome: Outcome) -> Answer | None:
    """The obligation that an outcome is: digits, yes or no, or a word; None without an answer."""
    if isinstance(outcome, Defined):
        return Answer(target=str(outcome.value), type="integer")
    if isinstance(outcome, Truth):
        return Answer(target="yes" if outcome.value else "no", type="boolean")
    return Answer(target=outcome.value, type="text") if isinstance(outcome, Named) else None


def result_of(outcome: Outcome) -> WellPosed | Undefined:
    """The outcome as the results of the logic room, for the proof kernel."""
    if isinstance(outcome, IllPosed):
        return Undefined(reason="nothing selected" if outcome.found == 0 else "tie")
    return outcome
