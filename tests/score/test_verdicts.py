"""Every reading against every kind of obligation."""

from __future__ import annotations

import pytest

from answerable.core.scores import OUTCOMES
from answerable.score.readers.reading import Abstained, Answered, Invalid, Reading
from answerable.score.verdicts import CODE, Missing, judge
from tests.score.fake import view_of


@pytest.mark.parametrize(
    ("state", "reading", "outcome", "decision", "answer"),
    [
        ("F", Answered("7.0", "r"), "correct", True, True), ("F", Answered("8", "r"), "wrong_answer", True, False),
        ("K", Answered(None, "r"), "wrong_answer", True, False), ("D", Answered("", "r"), "wrong_answer", True, False),
        ("S", Abstained("r"), "false_rejection", False, False), ("C", Invalid("not_json", "r"),
        "invalid", False, False),
        ("F", "failed", "failed", False, False), ("F", "not_run", "not_run", False, False),
        ("M", Abstained("r"), "correct", True, True), ("M", Answered("7", "r"), "false_acceptance", False, False),
        ("I", Answered(None, "r"), "false_acceptance", False, False), ("I", Invalid("empty", "r"),
        "invalid", False, False),
        ("M", "failed", "failed", False, False), ("I", "not_run", "not_run", False, False),
    ],
)  # fmt: skip
def test_outcomes(state: str, reading: Reading | Missing, outcome: str, decision: bool, answer: bool) -> None:
    found = judge(view_of("g", state, "chart"), reading)
    assert (found.outcome, found.decision_right, found.answer_right) == (outcome, decision, answer)
    assert found.reading in ("answered", "abstained", "invalid", "failed", "not_run")


def test_rule_and_kind_are_kept() -> None:
    found = judge(view_of("g", "M", "chart"), Invalid("truncated", "status"))
    assert (found.rule, found.why, found.answer) == ("status", "truncated", None)
    assert judge(view_of("g", "F", "chart"), Answered("8", "object")).answer == "8"


def test_codes_are_the_places_of_the_outcomes() -> None:
    assert [CODE[outcome] for outcome in OUTCOMES] == list(range(len(OUTCOMES)))
