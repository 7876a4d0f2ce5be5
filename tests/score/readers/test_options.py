"""Multiple choice: invented replies for every rule, and for what must stay unread."""

from __future__ import annotations

import pytest

from answerable.core.errors import InputError
from answerable.score.readers.choices import whole_letter
from answerable.score.readers.declared import declared
from answerable.score.readers.labels import leading_label
from answerable.score.readers.options import READER, abstain_wording, option_in_sentence, option_text
from answerable.score.readers.reading import Abstained, Answered, Invalid, Item, Reading

COLOURS = {"A": "red", "B": "blue", "C": "green", "D": "black"}
WITH_NONE = COLOURS | {"E": "None of the above"}
TEN = {letter: f"value {place}" for place, letter in enumerate("ABCDEFGHIJ")}
ITEM = Item(COLOURS)


def reading(reply: str | None, options: dict[str, str] = COLOURS, finish: str | None = None) -> object:
    abstain = "E" if options is WITH_NONE else None
    case = {"response": reply, "options": options, "abstain_letter": abstain, "finish_reason": finish}
    return READER.read_case(case).reading


WHOLE = {
    "B": "B", "b": "B", "B)": "B", "B.": "B", "B:": "B", "B!": "B", "[B]": "B", "(b).": "B", "**B**": "B", "*C*": "C",
    "__C__": "C", "$B$": "B", '"B"': "B", "'C'": "C", "“D”": "D", "「B」": "B", "【B】": "B", "（C）": "C", "Ⓑ": "B",
    "𝐁": "B", "Ｄ．": "D", "\\boxed{\\text{b}}": "B", "$\\boxed{D}$": "D", "\\(A\\)": "A", "<b>A</b>": "A",
    "<|begin_of_box|>C<|end_of_box|>": "C", "```text\nB\n```": "B", "```B```": "B", "Option C": "C",
    "option (c).": "C", "**Option C**": "C", "> B": "B", "* D": "D", "\ufeffB\u200b": "B", "\u00adA": "A",
}  # fmt: skip


@pytest.mark.parametrize(("reply", "letter"), WHOLE.items())
def test_a_whole_reply_that_is_one_letter(reply: str, letter: str) -> None:
    found = READER.read(reply, "complete", ITEM)
    assert found == Answered(letter, found.rule)
    assert found.rule == "whole_letter"


DECLARED = {
    "Answer: B": "B", "answer: b": "B", "Answer: a": "A", "Answer:B": "B", "Answer:\nB": "B", "Answer B.": "B",
    "The answer is (C).": "C", "The correct answer is **C**.": "C", "The answer is: D": "D", "The answer is A.": "A",
    "The answer is A because it is red.": "A", "Answer: A, because it's red": "A", "Answer: B (not A)": "B",
    "The answer is A, not B.": "A", "Option B is incorrect. The answer is D.": "D", "B is correct.": "B",
    "Option C is the correct answer": "C", "First, the answer is A. No: the answer is C.": "C", "I choose B": "B",
    "I would go with option D.": "D", "I'd pick C because of the colour": "C", "Therefore, B.": "B",
    "I think it is B.": "B", "So the answer is \\boxed{C}": "C", "Let me think... $\\boxed{D}$": "D", "#### B": "B",
    "**Final answer:** **(B)**": "B", "The best answer is D": "D", "The right choice is C": "C", "My choice: C": "C",
    "The answer is\n\n**B**": "B", "The answer is option D: black": "D", "The answer is D) black": "D",
    "blah <answer>C</answer>": "C", "The answer is blue.": "B", "Answer: blue": "B", "The answer is I": None,
    "Answer: C\nExplanation: option A is red and option B is blue.": "C", "The answer is probably D": "D",
    "The answer is C. I don't think the answer is B.": "C", "答案：B": "B", "答案为 C。": "C", "选B": "B",
    "我认为答案是B，因为A不对": "B", "正解：C": "C", "答えはDです": "D", "정답은 D입니다": "D",
    "Die Antwort ist B.": "B",
    "Lösung: C": "C", "La respuesta correcta es la B": "B", "La réponse est A.": "A", "Réponse : B": "B",
    "A resposta é C.": "C", "La risposta è B": "B", "Ответ: B": "B", "Odpowiedź: C": "C", "Svaret är B": "B",
    "Ans: B": "B", "So, B is the right option.": "B", "Since A is wrong, the answer is B.": "B",
    "The answer is <C>": "C",
    "I cannot be certain, the answer is probably B.": "B", "__Answer__: B": "B", "<b>Answer:</b> B": "B",
    "Answer:\n\n- B": "B", "La opción correcta es B": "B", "A alternativa correta é a letra B": "B",
    "Je choisis B": "B",
    "A is wrong and the answer is B.": None, "I think that, if so, the answer is B": None, "答案不是B": None,
    "If it is red, the answer is B": None, "I don't think that the answer is B": None, "Letter: B": "B",
    "Cevap: A": "A", "Đáp án: D": "D", "Jawaban: B": "B", "Het antwoord is C": "C", "الإجابة: B": "B", "उत्तर: C": "C",
}  # fmt: skip


@pytest.mark.parametrize(("reply", "letter"), DECLARED.items())
def test_the_last_declared_answer(reply: str, letter: str | None) -> None:
    assert reading(reply) == letter


LABELLED = {
    "B. blue": "B", "B) blue": "B", "(B) blue": "B", "B: blue": "B", "B - blue": "B", "B blue": "B", "A red": "A",
    "B, because it is": "B", "B because it is": "B", "B.blue": "B", "**B. blue**": "B", "**B.** blue": "B",
    "C. A lamp is on": "C", "a) red": "A", "[D] black": "D", "`C` green": "C", "B\n\nThe ball is blue.": "B",
    "A) red, because": "A",
}  # fmt: skip


@pytest.mark.parametrize(("reply", "letter"), LABELLED.items())
def test_a_leading_label(reply: str, letter: str) -> None:
    assert reading(reply) == letter


@pytest.mark.parametrize(
    "reply",
    [
        "A dog.", "Answer: A dog is lying there.", "The answer is a dog.", "Answer: a red car", "I pick a card", "Bb",
        "A1", "BB", "DB", "Add", "Cat", "Bored", "C++", "B's value", "B-52 bomber", "D-Day", "A.M. is shown", "U.S.",
        "The answer is Café", "B\u0301", "Antwort", "答案", "Αnswer", "Á", "A_1", "The answer is unclear.",
    ],
)  # fmt: skip
def test_no_letter_comes_from_inside_a_word_or_an_article(reply: str) -> None:
    assert reading(reply) is None


@pytest.mark.parametrize("reply", ["I can see a cat", "I, for one, see it", "I think so", "The answer is I think B"])
def test_the_pronoun_is_no_option(reply: str) -> None:
    assert reading(reply, TEN) is None


@pytest.mark.parametrize(
    "reply",
    [
        "A and B", "A, B", "A & B", "A or B.", "Either B or C", "Both A and C", "Answer: A, B and C", "Answer: A/B",
        "The answer is A or B.", "(A) and (C)", "A B C D", "A\nB", "B\n\nC", "Neither A nor B is correct.",
        "答案是A和B",
    ],
)  # fmt: skip
def test_several_letters_are_no_choice(reply: str) -> None:
    assert reading(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "B is not correct.", "I don't think the answer is B.", "The answer is not B.", "Not A", "not B",
        "If the answer is B then I lose.", "It's wrong to say the answer is C.", "The ball isn't blue.",
        "It might be blue.", "It is blue or green.", "It is not blue.", "Is it blue?", "B?", "Is the answer B?",
    ],
)  # fmt: skip
def test_negated_and_doubtful_wordings_are_no_choice(reply: str) -> None:
    if reply == "Is the answer B?":
        assert reading(reply) is None
    assert reading(reply) is None


@pytest.mark.parametrize("reply", ["A. blue", "Answer: A. blue", "Answer: D) blue", "(A) blue", "A\nblue"])
def test_a_label_and_the_text_of_another_option_contradict(reply: str) -> None:
    assert READER.read(reply, "complete", ITEM).rule
    assert reading(reply) is None


ABSTAINS = [
    "None", "None.", "Answer: none", "None of the above.", "None of these", "none of the options are correct.",
    "Not any of the above",
    "There is no correct option.", "All of the options are incorrect.", "The correct answer is not listed.",
    "I cannot determine this.", "It cannot be determined from the image.", "I can't tell.", "We are unable to say.",
    "It is impossible to know.", "There's no way to tell", "I don't know", "I really do not know.", "No idea.",
    "The question is unanswerable.", "Not enough information", "There is insufficient evidence to say.",
    "The information is insufficient to answer", "The image and question are irrelevant.", "I abstain.",
    "Based on the image, it is not possible to determine the colour.", "Answer: I don't know",
    "The answer cannot be determined.", "The answer is none of the above.", "以上都不是", "无法确定", "わかりません",
    "알 수 없습니다", "Keine der oben genannten", "Das lässt sich nicht sagen.", "aucune de ces réponses",
    "Impossible à déterminer", "ninguna de las anteriores", "No se puede determinar.", "nenhuma das anteriores",
    "nessuna delle precedenti",
]  # fmt: skip


@pytest.mark.parametrize("reply", ABSTAINS)
def test_abstain_wording(reply: str) -> None:
    assert reading(reply) == "none"


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I cannot help with that.", "I am unable to assist with this request.", "I won't discuss this.",
        "Error: cannot determine host", "Failed to connect: unable to see server", "HTTP 500: cannot read", "N/A",
        "I can't see any image.", "No image was provided.", "None of your business",
        "request_timed_out: cannot tell", "I can't tell, but B looks closest", "Hard to say", "Grade: B",
        "Yes", "...", "1", "Option 3", "The first one",
    ],
)  # fmt: skip
def test_refusals_machine_text_and_hedges_are_unreadable(reply: str) -> None:
    assert reading(reply) is None


def test_a_refusal_of_service_is_its_own_kind() -> None:
    assert READER.read("I'm sorry, I can't help with that.", "complete", ITEM) == Invalid("refused", "refusal_wording")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("E", "none"), ("Answer: E. None of the above", "none"), ("The answer is E", "none"), ("E\nbecause", "none"),
        ("none of the above", "none"), ("B", "B"), ("E. red", None),
    ],
)  # fmt: skip
def test_the_offered_abstain_option(reply: str, expected: str | None) -> None:
    assert reading(reply, WITH_NONE) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<think>It's A</think>The answer is B", "B"), ("maybe A</think>B", "B"), ("[THINK]A[/THINK] C", "C"),
        ("<reasoning>A</reasoning>\n\n(D)", "D"), ("<think>A</think><think>B</think>C", "C"), ("<think>A", None),
        ("<think>The answer is A.", None), ("<think>A</think>", None), ("◁think▷A◁/think▷B", "B"),
    ],
)  # fmt: skip
def test_reasoning_is_dropped_and_never_read(reply: str, expected: str | None) -> None:
    assert reading(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"answer": "b"}', "B"), ('```json\n{"answer": "C"}\n```', "C"), ('{"answer": "red"}', "A"),
        ('{"answer": null}', None), ('{"choice": "Z"}', None), ('{"answer": "A", "choice": "B"}', None),
        ('{"answer": "None of the above"}', "none"), ('{"answer": 1}', None), ('{"x": "A"}', None), ("{}", None),
        ('{"answer": "A", "answer": "B"}', None), ('{"answer": "A"', None),
    ],
)  # fmt: skip
def test_json_instead_of_a_letter(reply: str, expected: str | None) -> None:
    assert reading(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("B. blu", "B"), ("The answer is B because the b", "B"), ("B", None), ("The answer is B", None),
        ("None of th", None), ("I cannot tell", None), ("blue", None), ("<think>hm, B", None), ("**B", None),
    ],
)  # fmt: skip
def test_a_cut_reply_counts_only_for_what_cannot_change(reply: str, expected: str | None) -> None:
    assert reading(reply, finish="length") == expected


def test_each_rule_fires_alone() -> None:
    fired: list[tuple[Reading | None, Reading]] = [
        (whole_letter("(b)", ITEM), Answered("B", "whole_letter")),
        (declared("Answer: B", ITEM), Answered("B", "declared_english")),
        (leading_label("B. blue", ITEM), Answered("B", "leading_label")),
        (option_text("Blue.", ITEM), Answered("B", "option_text")),
        (option_in_sentence("The ball is blue.", ITEM), Answered("B", "option_in_sentence")),
        (abstain_wording("I don't know", ITEM), Abstained("abstain_dont_know")),
    ]
    for found, expected in fired:
        assert found == expected
    for rule in (whole_letter, declared, leading_label, option_text, option_in_sentence, abstain_wording):
        assert rule("The weather was fine.", ITEM) is None


def test_options_with_the_same_text_are_several_choices() -> None:
    twice = Item({"A": "ten", "B": "Ten"})
    assert READER.read("ten", "complete", twice) == Invalid("several_choices", "option_text")


def test_an_option_whose_text_is_a_letter_is_found_by_its_text_when_no_label_fits() -> None:
    sides = {"A": "x", "B": "y"}
    assert reading("x", sides) == "A"
    assert reading("The answer is y.", sides) == "B"
    assert reading("B", sides) == "B"
    assert reading("z", sides) is None


def test_letters_outside_the_options_are_unreadable() -> None:
    assert READER.read("Answer: E", "complete", ITEM) == Invalid("outside_options", "declared_english")
    assert reading("The answer is B. Wait, the answer is E.") is None


def test_status_comes_before_text() -> None:
    assert READER.read("B", "refused", ITEM) == Invalid("refused", "status")
    assert READER.read(None, "empty", ITEM) == Invalid("empty", "status")
    assert reading("B", finish="content_filter") is None


def test_a_case_without_its_fields_is_an_input_error() -> None:
    with pytest.raises(InputError, match="fields response, options"):
        READER.read_case({"response": "B"})


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("<s> (B) blue</s>", "B"), ("B</s>", "B"), ("<s>B", "B"), ("The answer is (C) green.</s>", "C"),
        ("B<|im_end|>\n<|endoftext|>", "B"), ("<|im_start|>assistant\nB", "B"), ("B<|eot_id|>", "B"),
        ("<s></s>", None), ("the tag <s> strikes B", None),
    ],
)  # fmt: skip
def test_tokens_at_the_ends_of_a_sequence_are_no_text(reply: str, letter: str | None) -> None:
    assert reading(reply) == letter


@pytest.mark.parametrize(
    "reply",
    [
        "I will go through each option:\n- A: it may be\n- B: perhaps\nNothing can be said for sure.",
        "3. Checking every option:\n- **Option A**: a circle\n- **Option D**: a square\nHard to say.",
        "Here is each answer: A is a lorry, B is a car.",
    ],
)
def test_a_list_of_options_is_no_declaration(reply: str) -> None:
    assert reading(reply) is None


def test_a_for_answer_is_no_label() -> None:
    sides = {"A": "yes", "B": "no"}
    assert reading("A: No, the lorry is not the largest one.", sides) is None
    assert reading("A: cos x = 2/3", sides) is None
    assert reading("A: yes", sides) == "A"
    assert reading("A:", sides) == "A"
    assert reading("B: no", sides) == "B"
