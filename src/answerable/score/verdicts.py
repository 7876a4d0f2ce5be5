"""One reply against one obligation: the outcome, and whether decision and answer are right (paper, section 4)."""

from __future__ import annotations

from typing import Literal

from answerable.core.records import Answer, Record, View
from answerable.core.scores import OUTCOMES, Outcome
from answerable.score.compare_answers import same_answer
from answerable.score.readers.reading import Abstained, Answered, Invalid, Reading

#: Place of each outcome in ``OUTCOMES``; arrays hold these numbers.
CODE: dict[Outcome, int] = {outcome: code for code, outcome in enumerate(OUTCOMES)}
#: The decision is met: answered a supported view (rightly or not), abstained on an unsupported one.
DECISION_MET: tuple[Outcome, ...] = ("correct", "wrong_answer")
#: A valid reply whose decision is wrong: the paper's ``W``.
DISAGREES: tuple[Outcome, ...] = ("false_rejection", "false_acceptance")
#: A valid reply: the paper's ``V``.
VALID: tuple[Outcome, ...] = (*DECISION_MET, *DISAGREES)
#: No reply at all; in full-denominator scores these fail like the invalid ones.
Missing = Literal["failed", "not_run"]


class Verdict(Record, frozen=True):
    """What became of one view in one repeat."""

    outcome: Outcome
    reading: str
    """``answered``, ``abstained``, ``invalid``, ``failed`` or ``not_run``."""
    answer: str | None
    """The answer as given; None when none was."""
    rule: str
    """The reading rule that decided; empty when there was nothing to read."""
    why: str
    """Why it cannot be read; empty when it can."""

    @property
    def decision_right(self) -> bool:
        """The decision meets the obligation."""
        return self.outcome in DECISION_MET

    @property
    def answer_right(self) -> bool:
        """Everything the obligation asks is met."""
        return self.outcome == "correct"


def judge(view: View, reading: Reading | Missing) -> Verdict:
    """Hold a reading, or the lack of one, against the view's obligation.

    Raises:
        BenchmarkError: the target of a number question is no number.
    """
    supported = isinstance(view.obligation, Answer)
    match reading:
        case Answered(text, rule):
            outcome: Outcome = "false_acceptance"
            if isinstance(view.obligation, Answer):
                right = text is not None and same_answer(view.obligation, text)
                outcome = "correct" if right else "wrong_answer"
            return Verdict(outcome, "answered", text, rule, "")
        case Abstained(rule):
            return Verdict("false_rejection" if supported else "correct", "abstained", None, rule, "")
        case Invalid(why, rule):
            return Verdict("invalid", "invalid", None, rule, why)
        case _:
            return Verdict(reading, reading, None, "", "")
