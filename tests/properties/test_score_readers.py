"""Readers on anything at all: they never raise, never stall, and never take a letter from inside a word."""

from __future__ import annotations

import json
import string
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.runlog import ReplyStatus
from answerable.score.readers import READERS
from answerable.score.readers.number import fraction_text, parse_number
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item
from answerable.score.readers.wrappers import PAIRS, TWINS, peel, tidy

NAMES = READERS.names()
OPTIONS = Item({"A": "red", "B": "blue", "C": "green", "D": "a very long text " * 90})
#: Reader -> the answers that it may give, nothing included where it counts as answerable.
LABELS: dict[str, set[str | None]] = {
    "mcq": {*OPTIONS.options}, "mcq-published": {*OPTIONS.options}, "choice-published": {*OPTIONS.options, None},
    "yes-no": {"Yes", "No"}, "yes-no-published": {"Yes", "No", None},
}  # fmt: skip
NOTHING_IS_ANSWERABLE = ("choice-published", "yes-no-published")
STATUSES: tuple[ReplyStatus, ...] = ("complete", "truncated", "refused", "empty")

#: Pieces that rules look for; replies made of them go deeper than random text.
PIECES = (
    "A", "B", "b", "E", "red", "blue", "answer", "Answer: ", "the answer is ", "not ", "is correct", "yes", "no", "Yes",
    "unanswerable", "I cannot tell", "none of the above", "答案是", "<think>", "</think>", "```", "```json\n", "{", "}",
    '"answer": ', '"answerable": true', "null", ",", ".", ":", " ", "\n", "(", ")", "**", "$", "\\boxed{", "-", "'",
    "1",
    "/", "%", "1,000", "\u200b", "é", "\ud800", "\x00",
)  # fmt: skip
replies = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(replies, st.sampled_from(NAMES), st.sampled_from(STATUSES))
def test_a_reading_is_always_one_of_three_kinds_with_a_rule(text: str, name: str, status: ReplyStatus) -> None:
    found = READERS.load(name).read(text, status, OPTIONS)
    assert isinstance(found, Answered | Abstained | Invalid)
    assert found.rule
    if status == "empty" and name in NOTHING_IS_ANSWERABLE:
        assert isinstance(found, Answered) and found.text is None
    elif status in ("refused", "empty"):
        assert isinstance(found, Invalid) and found.why == status
    if name in LABELS and isinstance(found, Answered):
        assert found.text in LABELS[name]


EXPLANATIONS = st.lists(
    st.sampled_from(
        ["the", "code", "length", "of", "AB", "is", "given", "but", "however", "likely", "not", "shown", "12", "BC",
         "knows", "Norway", "yesterday", "bad", "(1)", "x = 3", "因为", "但"]
    ),
    min_size=1, max_size=12,
).map(" ".join)  # fmt: skip
FORMS = (
    "{label}", "{label}. Here {why}", "{label}\n\nExplanation: {why}", "Answer: {label}\n{why}", "**{label}**\n{why}",
    "{why}\n{label}", "{why}.\nAnswer: {label}", "Answer: {label}. Here {why}",
)  # fmt: skip


#: Pieces of which a long reply is made; what stands at its end may be read last.
LONG = (
    "yes ", "no.\n", "A\n", "(A) red\n", "Unanswerable\n", "unanswerable, ", "answer is unanswerable ", "no.)", "”",
    "no'", "答案：", "(", " ", "x",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(LABELS))
def test_a_reply_of_a_million_characters_takes_linear_time(name: str) -> None:
    reader = READERS.load(name)
    for piece in LONG:
        whole = (piece * 1_000_000)[:999_900] + "\nno.) B"
        times = []
        for text in (whole[-250_000:], whole):
            start = time.perf_counter()
            reader.read(text, "complete", OPTIONS)
            times.append(time.perf_counter() - start)
        # Four times the text; a square would take sixteen times as long.
        assert times[1] < max(0.5, 9 * times[0]), (piece, times)


@given(EXPLANATIONS, st.sampled_from(FORMS), st.sampled_from(["Yes", "No", "Unanswerable"]))
def test_a_label_is_read_whatever_its_explanation_says(why: str, form: str, label: str) -> None:
    found = READERS.load("yes-no").read_case({"response": form.format(label=label, why=why)})
    assert found.reading == label, found.rule


@given(EXPLANATIONS, st.sampled_from(FORMS), st.sampled_from(["(a)", "(B)", "C", "d", "Unanswerable"]))
def test_a_choice_is_read_whatever_its_explanation_says(why: str, form: str, label: str) -> None:
    item = {letter: f"choice number {letter * 2}" for letter in "ABCD"}
    found = READERS.load("mcq").read_case({"response": form.format(label=label, why=why), "options": item})
    assert found.reading == ("none" if label == "Unanswerable" else label.strip("()").upper()), found.rule


@given(replies, st.sampled_from(NAMES))
def test_reading_twice_gives_the_same(text: str, name: str) -> None:
    reader = READERS.load(name)
    assert reader.read(text, "complete", OPTIONS) == reader.read(text, "complete", OPTIONS)


WORDS = st.text(string.ascii_letters, min_size=2, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_words_without_single_letters_never_give_a_letter(words: list[str]) -> None:
    item = Item({letter: f"unlikely option {letter * 3}" for letter in string.ascii_uppercase})
    for text in (" ".join(words), "Answer: " + " ".join(words), "_".join(words), "-".join(words)):
        assert not isinstance(READERS.load("mcq").read(text, "complete", item), Answered)


@given(st.sampled_from("ABCD"), st.lists(st.sampled_from((*PAIRS, *((mark, mark) for mark in TWINS))), max_size=4))
def test_peeling_marks_does_not_change_the_reading_of_a_letter(letter: str, marks: list[tuple[str, str]]) -> None:
    text = letter
    for opening, closing in marks:
        # The same mark twice in a row is another mark: ** around * is ***.
        if text[0] == opening[-1] or text[-1] == closing[0] or opening[0] in text:
            continue
        text = f"{opening}{text}{closing}"
    found = READERS.load("mcq").read(text, "complete", OPTIONS)
    assert isinstance(found, Answered), text
    assert found.text == letter


@given(st.sampled_from(["The answer is B.", "B. blue", "I cannot tell.", "bored", "A and B"]))
def test_marks_around_the_whole_reply_do_not_change_its_reading(text: str) -> None:
    reader = READERS.load("mcq")
    plain = reader.read(text, "complete", OPTIONS)
    for wrapped in (f"**{text}**", f"```\n{text}\n```", f"“{text}”", f"<think>It is A.</think>{text}", f"  {text}\n"):
        found = reader.read(wrapped, "complete", OPTIONS)
        assert type(found) is type(plain), wrapped
        assert getattr(found, "text", None) == getattr(plain, "text", None), wrapped


@given(st.text())
def test_tidying_and_peeling_twice_change_nothing(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)
    assert len(peel(text)) <= len(text)


@given(st.fractions(max_denominator=10**9))
def test_every_fraction_is_read_back(value: Fraction) -> None:
    assert parse_number(fraction_text(value)) == value
    assert parse_number(str(value)) == value


@given(st.integers(-(10**15), 10**15), st.integers(0, 6), st.booleans(), st.sampled_from(["", "%", "$", "K"]))
def test_decimals_are_exact(whole: int, places: int, grouped: bool, mark: str) -> None:
    value = Fraction(whole, 10**places)
    digits = f"{abs(whole) // 10**places:{',' if grouped else ''}d}"
    if places:
        digits += f".{abs(whole) % 10**places:0{places}d}"
    sign = "-" if whole < 0 else ""
    text = f"{sign}{'$' if mark == '$' else ''}{digits}{mark if mark in ('%', 'K') else ''}"
    assert parse_number(text) == value * (1000 if mark == "K" else 1)


@given(st.text("0123456789.,/-+eE %$KMBbn½ ", max_size=25))
def test_a_number_has_a_bounded_size(text: str) -> None:
    value = parse_number(text)
    assert value is None or len(str(value)) < 2000


@given(
    st.fixed_dictionaries(
        {"answerable": st.booleans() | st.none() | st.integers(), "answer": st.none() | st.text(), "reason": st.text()}
    ),
    st.booleans(),
)
def test_json_agrees_with_the_standard_parser(value: dict[str, object], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    found = READERS.load("json").read(text, "complete", Item())
    answerable, answer, reason = value["answerable"], value["answer"], value["reason"]
    if not isinstance(answerable, bool) or not str(reason).strip() or (not answerable and answer is not None):
        assert isinstance(found, Invalid)
    elif answerable:
        assert found == Answered(answer if isinstance(answer, str) else None, "object")
    else:
        assert found == Abstained("object")


SEEDS = (
    *PIECES, " ", "\n", "((", "****", "``", "answer is not ", "<think></think>", '\\"', '{"a":', "I choose ", "a b ",
    "é",
    "B is correct ", "option ", "- ", "1/", "½", "\u0300", "是", "...", ". ", "A and ", "so ", "it is ", "\r\n", "~~~",
    "image and question are ", "based on the ", "____", "x_x_", "yes, ", "No. ", "the information ", "none of ",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", SEEDS, ids=[ascii(seed) for seed in SEEDS])
def test_repetition_cannot_stall_a_reader(name: str, seed: str) -> None:
    """A rule that backtracks takes minutes here; the bound is generous so that a busy machine does not fail."""
    reader = READERS.load(name)
    text = (seed * (100_000 // len(seed)))[:100_000] + "B"
    start = time.process_time()
    reader.read(text, "complete", OPTIONS)
    reader.read(text, "truncated", OPTIONS)
    assert time.process_time() - start < 10
