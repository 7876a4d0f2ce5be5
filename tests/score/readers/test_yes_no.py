"""Yes, No, Unanswerable: invented replies."""

from __future__ import annotations

import pytest

from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.yes_no import READER, abstain_wording, declared, final_label, leading_label, whole_label


def reading(reply: str | None, finish: str | None = None) -> object:
    return READER.read_case({"response": reply, "finish_reason": finish}).reading


READ = {
    "Yes": "Yes", "yes.": "Yes", "YES!": "Yes", "**No**": "No", "(no)": "No", '"Yes"': "Yes", "Ｎｏ": "No",
    "No ❌": "No",
    "Yes, it is taller": "Yes", "No, it is shorter.": "No", "Yes it is": "Yes", "No it isn't": "No",
    "Yes - the left one": "Yes", "No because it is red": "No", "Yes\n\nThe bar is taller.": "Yes",
    "No: there are no bars": "No", "Yes (see the axis)": "Yes",
    "Yes, no dog is there": "Yes", "Yes\n\nNo dogs there.": "Yes", "Yes\nYes": "Yes", "No, unlike yes-men": "No",
    "There's not enough information to tell": "Unanswerable", "Answer: Yes": "Yes", "The answer is yes.": "Yes",
    "Final answer: **No**": "No", "\\boxed{Yes}": "Yes",
    "The answer is: Yes, because no bar is taller": "Yes", "The answer is \\boxed{\\text{No}}": "No",
    "Yes. But wait, the answer is no.": "No", "<answer>No</answer>": "No", "答案：Yes": "Yes",
    "I think no": "No", "Definitely yes.": "Yes", "Most likely, no": "No", "So yes.": "Yes",
    "As far as I can see: no.": "No", "```\nYes\n```": "Yes", "<think>no</think>\nYes": "Yes", "no</think>yes": "Yes",
    '{"answer":"No"}': "No", '{"label": "yes, it is"}': "Yes", '{"answer": "I don\'t know"}': "Unanswerable",
    "unanswerable": "Unanswerable", "Answer: Unanswerable": "Unanswerable",
    "Unanswerable (missing data)": "Unanswerable",
    "Unanswerable: the label is hidden": "Unanswerable", "The question is unanswerable.": "Unanswerable",
    "This question is unanswerable because data is missing": "Unanswerable", "It cannot be determined.": "Unanswerable",
    "I cannot answer this based on the image": "Unanswerable", "There is not enough information.": "Unanswerable",
    "The answer cannot be determined": "Unanswerable", "I don't know.": "Unanswerable",
}  # fmt: skip


@pytest.mark.parametrize(("reply", "label"), READ.items())
def test_read(reply: str, label: str) -> None:
    assert reading(reply) == label


@pytest.mark.parametrize(
    "reply",
    [
        "know", "eyes", "Notice", "nothing", "none", "yesterday", "Nope", "Yeah", "Not sure", "No-one",
        "no one is there",
        "No dog is visible.", "No doubt about it", "No. 5 is taller", "No longer", "The answer is no longer visible",
        "The answer is no one", "The answer is not yes", "I don't think the answer is yes.", "Is the answer no?x",
        "Yes or no?", "Yes,No", "No\n\nYes, but", "Yes, no, or unanswerable", "Yes, no or unanswerable?",
        "(Yes/No)", "No, unanswerable",
        "Yes/No", "Yes. No.", "No, wait, yes", "Yes, no", "Answer: yes and no", "Yes and also no",
        "Yes, it is impossible to say", "No. I cannot tell.", "Not unanswerable", "It is not unanswerable",
        "answerable",
        "Ja", "是", "Oui", "Sí", "No se puede determinar", "false", "N", "0", "Error 500: no response", "", " \n",
        "I'm unable to help with that", "yes: or rather: no", "<think>yes", '{"answer": true}', '{"answer": "maybe"}',
    ],
)  # fmt: skip
def test_unreadable(reply: str) -> None:
    assert reading(reply) is None


@pytest.mark.parametrize(
    ("reply", "label"), [("No, the b", "No"), ("Yes", None), ("The answer is no", None), ("It is impossible to", None)]
)
def test_a_cut_reply_counts_only_for_what_cannot_change(reply: str, label: str | None) -> None:
    assert reading(reply, "length") == label


def test_each_rule_fires_alone() -> None:
    fired: list[tuple[Reading | None, Reading]] = [
        (whole_label("**yes**."), Answered("Yes", "whole_label")),
        (declared("the answer is no"), Answered("No", "declared_english")),
        (leading_label("Yes, it is"), Answered("Yes", "leading_label")),
        (final_label("I know it: no."), Answered("No", "final_label")),
        (abstain_wording("I cannot tell"), Abstained("abstain_cannot_know")),
    ]
    for found, expected in fired:
        assert found == expected
    for rule in (whole_label, declared, leading_label, final_label, abstain_wording):
        assert rule("The weather was fine.") is None


def test_kinds_of_unreadable_stay_apart() -> None:
    kinds = {
        "Yes. No.": "several_choices", "Yes, it is impossible to say": "contradiction", "maybe": "no_choice",
        "I can't assist with that.": "refused", "<think>yes": "unclosed_reasoning", "<think>a</think>": "empty",
    }  # fmt: skip
    for reply, why in kinds.items():
        found = READER.read(reply, "complete", Item())
        assert isinstance(found, Invalid), reply
        assert found.why == why, reply
