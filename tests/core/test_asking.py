"""What a model is asked: the question, the options offered, the instruction, and nothing else."""

from __future__ import annotations

import msgspec

from answerable.core.asking import asked_text
from answerable.core.records import Option
from tests.score.fake import view_of

PLAIN = view_of("g", "F", "chart")


def test_a_question_without_options_is_asked_as_it_stands() -> None:
    assert asked_text(PLAIN) == PLAIN.question


def test_options_stand_a_line_each_in_their_order_and_the_instruction_last() -> None:
    view = msgspec.structs.replace(
        PLAIN,
        question="Which colour?",
        options=(Option("B", "red"), Option("A", "blue"), Option("C", "None of the above", "abstain")),
        instruction="Answer with a letter.",
        withheld="green",
        setting="option",
        ability="Colour",
    )
    assert asked_text(view) == "Which colour?\nB. red\nA. blue\nC. None of the above\nAnswer with a letter."


def test_an_option_that_only_the_instruction_names_has_no_line() -> None:
    view = msgspec.structs.replace(
        PLAIN,
        options=(Option("A", "red"), Option("F", "None of the above", "instructed")),
        instruction="If all are wrong, answer F. None of the above.",
    )
    assert asked_text(view).splitlines()[1:] == ["A. red", "If all are wrong, answer F. None of the above."]
