"""A label with its explanation: "Unanswerable" first, a declared one, and one on the last line."""

from __future__ import annotations

import pytest

from answerable.score.readers.options import READER
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.unanswerable import says_unanswerable
from answerable.score.readers.yes_no import READER as YES_NO

ITEM = Item({"A": "7", "B": "sqrt{2}", "C": "12", "D": "5"})
BUT = "BC is not given, but AB is; however, C is likely 12."


def read(text: str) -> Reading:
    return READER.read(text, "complete", ITEM)


@pytest.mark.parametrize(
    "text",
    [
        "Unanswerable", f"Unanswerable. {BUT}", f"**Unanswerable**\n\n{BUT}", f"UNANSWERABLE: {BUT}",
        f"Answer: Unanswerable. {BUT}", f"Answer: Unanswerable\nExplanation: {BUT}", f"**Answer:** Unanswerable. {BUT}",
        f"The answer is unanswerable because {BUT}", f'"Unanswerable" - {BUT}', f"Unanswerable ({BUT})",
        f"Unanswerable, since {BUT}", "答案：Unanswerable\n解释：没有BC，但有AB。", "无法回答。没有BC，但有AB。",
        "答案：无法回答。没有BC，但有AB。", "無法回答", f"E. Unanswerable. {BUT}", f"(e) Unanswerable\n{BUT}",
        f"{BUT}\n\nUnanswerable", f"{BUT}\n**Unanswerable.**", f"Explanation: {BUT}\nAnswer: Unanswerable",
    ],
)  # fmt: skip
def test_the_label_abstains_whatever_its_explanation_says(text: str) -> None:
    assert isinstance(read(text), Abstained), read(text)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("(b) because AB is 3, but unanswerable otherwise", "B"), ("(b) sqrt{2}\n\nExplanation: it is", "B"),
        ("Answer: C\nExplanation: 12, though not unanswerable", "C"), ("答案：B，解释：因为AB=3，但BC不知。", "B"),
        ("答案是 (c) 12。解释：……", "C"), ("B\n\n解释：根据勾股定理，但", "B"), ("选B。因为AB=3", "B"),
        ("AB is 3 and BC is 4.\n(B)", "B"), ("AB is 3.\n\n**(B) sqrt{2}**", "B"), ("AB is 3.\nb. sqrt{2}", "B"),
        ("Explanation: AB is 3.\nAnswer: (d)", "D"), ("AB is 3.\nC", "C"), ("C\nAB is 3.\nC", "C"),
    ],
)  # fmt: skip
def test_a_choice_with_its_explanation(text: str, letter: str) -> None:
    found = read(text)
    assert isinstance(found, Answered) and found.text == letter, found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("B. Unanswerable", "contradiction"), ("(b) Unanswerable. BC is missing", "contradiction"),
        ("Unanswerable\n(B)", "several_choices"), ("Unanswerable, B", "several_choices"),
        ("AB is 3.\n(A)\nor rather\n(B)", "several_choices"),
        ("Options:\n(A) 7\n(B) sqrt{2}\n(C) 12", "several_choices"),
        ("It cannot be determined.\n(B)", "contradiction"), ("AB is 3.\n(B) 12", "no_choice"),
        ("AB is 3.\nE", "no_choice"),
        ("AB is 3.\n" + "x" * 500, "no_choice"),
    ],
)  # fmt: skip
def test_what_stays_unread(text: str, why: str) -> None:
    found = read(text)
    assert isinstance(found, Invalid) and found.why == why, found


def test_an_offered_abstention_beside_the_word_abstains() -> None:
    offered = Item(ITEM.options | {"E": "Unanswerable"}, "E", abstain_instructed=True)
    for text in ("E. Unanswerable", "(E)", "Unanswerable", "AB is 3.\nE. Unanswerable"):
        assert isinstance(READER.read(text, "complete", offered), Abstained)


def test_a_cut_reply_keeps_the_label_that_came_first() -> None:
    assert READER.read("Unanswerable. The length of", "truncated", ITEM) == Abstained("unanswerable_label")
    assert READER.read("AB is 3.\nB", "truncated", ITEM) == Invalid("truncated", "status")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The code prints 3.\nYes", "Yes"), ("The code prints 3.\n\n**No**", "No"), ("No dog is here.\nYes.", "Yes"),
        ("It loops.\nUnanswerable", "Unanswerable"), ("Is it? Yes.\nYes", "Yes"), ("It loops.\nAnswer: No", "No"),
        ("Is it? No.\nYes", None), ("Yes\nNo", None), ("It cannot be determined.\nNo", None),
        ("It loops.\nNo idea", None),
        ("It loops.\nPerhaps", None), ("Yes or no?\nNo", None),
    ],
)  # fmt: skip
def test_a_yes_or_no_on_the_last_line(text: str, label: str | None) -> None:
    assert YES_NO.read_case({"response": text}).reading in ((label,) if label else (None, "Unanswerable"))


def test_the_word_inside_others_is_no_label() -> None:
    assert not says_unanswerable("unanswerableness.") and not says_unanswerable("not unanswerable.")
    assert not says_unanswerable("unanswerable questions") and not says_unanswerable("")
