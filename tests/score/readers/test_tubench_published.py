"""The matching of TUBench's public evaluator: found anywhere, by words and pieces, and never right by default."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.runlog import ReplyStatus
from answerable.score.readers.reading import MAX_REPLY, Abstained, Answered, Invalid, Item, Reading
from answerable.score.readers.tubench_published import CHOICE, YES_NO, label_words, published_choice, published_label

ITEM = Item({"A": "7", "B": "sqrt{2}", "C": "12", "D": "None"})
TWO = Item({"A": "yes", "B": "no"})
NOTHING = Answered(None, "published_nothing_found")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes", "Yes"), ("no.", "No"), ("UNANSWERABLE!", "Unanswerable"), ("**No.** The loop ends.", "No"),
        ("Yes, there is no dog.", "Yes"), ("No, it is Yes.", "Yes"),
        ("The question is not unanswerable: yes.", "Unanswerable"),
        ("No. It is unanswerable", "Unanswerable"), ("answer:no", "No"), ('It prints "No".', "No"), ("(no)", "No"),
        ("no--really", "No"), ("so… no…", None), ("so... no...", "No"), ("It is no's turn", "No"),
        ("`yes`", "Yes"), ("<answer>No</answer>", "No"), ("Yes and no.", "Yes"), ("“yes”", "Yes"), ("'yes'", "Yes"),
        ("No.\n\nExplanation: the code", "No"), ("no: 5", "No"),
        ("Norway", None), ("I know", None), ("no-one", None), ("yes/no", None), ("_no_", None), ("no:5", None),
        ("no.because", None), ("no。", None), ("是", None), ("It's impossible to say.", None), ("", None),
        ("Cannot be determined from the image.", None), ("Y", None), ("none", None), ("yes,5", None),
    ],
)  # fmt: skip
def test_labels_are_words_anywhere(text: str, label: str | None) -> None:
    found = YES_NO.read(text, "complete", Item())
    expected: dict[str | None, Reading] = {
        "Unanswerable": Abstained("published_word"), None: NOTHING,
        "Yes": Answered("Yes", "published_word"), "No": Answered("No", "published_word"),
    }  # fmt: skip
    assert found == expected[label]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("(b) sqrt", "B"), ("c) 12", "C"), ("Answer: D", "D"), ("option a is it", "A"), ("The answer is C", "C"),
        ("(c) or (a)", "A"), ("The answer is an odd number", "A"), ("(d), not unanswerable", "D"),
        ("A", "A"), ("b.", "B"), ("  C \n", "C"), ("Unanswerable", "abstains"),
        ("it is UNANSWERABLE, as 7 is not given", "abstains"),
        ("The result equals 12", "C"), ("it is 7 or 12", "A"), ("SQRT{2}", "B"), ("none of these", "D"),
        ("B because AB is 3", None), ("B:", None), ("B, since", None), ("(e) 5", None),
        ("答案：B，解释", None), ("无法回答", None), ("答案：(b)", "B"), ("Cannot be determined", None),
    ],
)  # fmt: skip
def test_choices_are_pieces_anywhere(text: str, choice: str | None) -> None:
    found = CHOICE.read(text, "complete", ITEM)
    if choice == "abstains":
        assert isinstance(found, Abstained)
    else:
        assert isinstance(found, Answered) and found.text == choice


def test_a_letter_that_was_not_offered_answers_with_nothing() -> None:
    assert CHOICE.read("(c) maybe", "complete", TWO) == Answered(None, "published_form")
    assert CHOICE.read("C.", "complete", TWO) == Answered(None, "published_lone_letter")
    assert CHOICE.read("(b)", "complete", Item(TWO.options, "B")) == Abstained("published_form")


@pytest.mark.parametrize("reader", [YES_NO, CHOICE])
@pytest.mark.parametrize(
    ("text", "status", "reading"),
    [
        ("", "complete", NOTHING), (None, "empty", NOTHING), (" \n", "empty", NOTHING), ("x", "truncated", NOTHING),
        ("Unanswerable. The", "truncated", Abstained("published_word")), ("y" * (MAX_REPLY + 1), "complete", NOTHING),
        (None, "refused", Invalid("refused", "status")), ("Unanswerable", "refused", Invalid("refused", "status")),
        ("Failed to connect to OpenAI GPT4V API", "complete", Invalid("no_choice", "failed_call")),
        ("Error code: 429 - no quota (a)", "complete", Invalid("no_choice", "failed_call")),
    ],
)  # fmt: skip
def test_no_text_counts_as_answerable_and_no_reply_stays_unread(
    reader: object, text: str | None, status: ReplyStatus, reading: Reading
) -> None:
    assert isinstance(reader, type(YES_NO) | type(CHOICE))
    assert reader.read(text, status, ITEM) == reading


def slow_words(text: str) -> set[str]:
    """Another way to the same words: pad every mark with blanks, cut at blanks, and take sentence ends off."""
    padded = ""
    text = text.lower().strip()
    for place, char in enumerate(text):
        after = text[place + 1 : place + 2]
        apart = char in ';@#$%&?!*[](){}<>"`'
        apart = apart or (char in ",:" and not after.isdecimal())
        padded += f" {char} " if apart else char
    ends = "." if text else ""
    words = padded.split()
    return {word.removesuffix(ends) for word in words} & {"yes", "no", "unanswerable"}


PIECES = (
    "yes",
    "no",
    "Unanswerable",
    "No",
    "know",
    "dog",
    "5",
    "e.g",
    " ",
    "\n",
    ", ",
    ": ",
    ". ",
    "! ",
    "(",
    ")",
    "**",
    '"',
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_words_are_those_of_a_slow_tokeniser(text: str) -> None:
    assert set(label_words(text)) == slow_words(text)
    found, words = published_label(text), slow_words(text)
    if "unanswerable" in words:
        assert isinstance(found, Abstained)
    else:
        assert isinstance(found, Answered)
        assert found.text == ("Yes" if "yes" in words else "No" if "no" in words else None)


def slow_choice(text: str, choices: list[str]) -> str | None:
    """The rule as a list of things to look for, in the order in which the scripts look."""
    lowered = text.lower().strip()
    forms = ("({})", "{})", "answer: {}", "option {}", "answer is {}")
    wanted = [(form.format(letter) in lowered, letter.upper()) for letter in "abcd" for form in forms]
    wanted.append(("unanswerable" in lowered, "Unanswerable"))
    wanted += [(len(lowered) == 1 and letter in lowered, letter.upper()) for letter in "abcd"]
    wanted += [(len(lowered) == 2 and f"{letter}." in lowered, letter.upper()) for letter in "abcd"]
    wanted += [(choice.lower() in lowered, letter) for letter, choice in zip("ABCD", choices, strict=False)]
    return next((label for holds, label in wanted if holds), None)


CHOICE_PIECES = (
    "a", "b", "C", "(A)", "(d)", "e)", "answer: ", "Answer is ", "option ", "unanswerable", ".", ")", " ", "\n", "7",
    "yes", "no", "surplus", "答案",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(CHOICE_PIECES), max_size=8).map("".join),
    st.sampled_from([["7", "1", "12", "5"], ["yes", "no"], ["surplus", "shortage", "7"], list("badcef")]),
)
def test_choices_are_those_of_a_slow_transcription(text: str, choices: list[str]) -> None:
    item = Item(dict(zip("ABCDEF", choices, strict=False)))
    found, wanted = published_choice(text, item), slow_choice(text, choices)
    if wanted == "Unanswerable":
        assert isinstance(found, Abstained)
    else:
        assert isinstance(found, Answered)
        assert found.text == (wanted if wanted in item.options else None)


def test_they_are_readers_of_their_own() -> None:
    assert (YES_NO.name, CHOICE.name) == ("yes-no-published", "choice-published")
    assert YES_NO.read_case({"response": "I think no"}).reading == "No"
    assert YES_NO.read_case({"response": "hm"}).reading is None
    assert CHOICE.read_case({"response": "I think (b)", "options": ITEM.options}).reading == "B"
    assert CHOICE.read_case({"response": "hm", "options": TWO.options}).reading is None
    assert "never right" in YES_NO.rules and "never right" in CHOICE.rules
