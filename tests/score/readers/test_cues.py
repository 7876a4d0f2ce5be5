"""Every pattern of the tables can fire, and fires on its own kind only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.score.readers.cues import (
    _ABSTAINS_FOREIGN,
    _DECLARED,
    ABSTENTIONS,
    DECLARATIONS,
    FOREIGN_ABSTENTIONS,
    MAX_DECLARATIONS,
    _declared,
    _foreign,
    abstention,
    declarations,
    negated_before,
    refusal,
)

DECLARED = {
    "english": "The answer is B", "english_dash": "Answer - B", "english_bare": "Answer B",
    "english_choose": "I choose B",
    "choose_other": "Ich wähle B", "boxed": "\\boxed{B}", "tag": "<answer>B", "hashes": "#### B",
    "chinese": "答案是B", "japanese": "正解はB",
    "korean": "정답: B", "german": "Antwort: B", "french": "La réponse est B", "spanish": "La respuesta es B",
    "portuguese": "A resposta é B", "italian": "La risposta è B", "dutch": "Het antwoord is B", "russian": "Ответ: B",
    "polish": "Odpowiedź: B", "nordic": "Svar: B", "turkish": "Cevap: B", "vietnamese": "Đáp án: B",
    "indonesian": "Jawaban: B", "arabic": "الإجابة: B", "hindi": "उत्तर: B",
}  # fmt: skip
ABSTAINED = {
    "none_of": "None of the above", "none_of_bare": "None of these.", "not_any_of": "Not any of the options",
    "no_option": "There is no correct answer", "all_wrong": "All options are wrong",
    "not_listed": "The correct answer is not listed", "cannot_know": "I cannot tell", "dont_know": "I don't know",
    "no_idea": "I have no idea", "unanswerable": "It is unanswerable", "not_enough": "There is not enough information",
    "not_sufficient": "The given data is insufficient to decide", "irrelevant": "The image is irrelevant",
    "abstain": "I abstain",
}  # fmt: skip
FOREIGN = {
    "german": "Keine der Antworten", "french": "Je ne sais pas", "spanish": "No se puede saber",
    "portuguese": "Não sei",
    "italian": "Non lo so", "chinese": "无法判断", "japanese": "該当なし", "korean": "모르겠습니다",
}  # fmt: skip


def test_there_is_an_example_for_every_entry() -> None:
    assert set(DECLARED) == set(DECLARATIONS)
    assert set(ABSTAINED) == set(ABSTENTIONS)
    assert set(FOREIGN) == set(FOREIGN_ABSTENTIONS)


@pytest.mark.parametrize(("name", "text"), DECLARED.items())
def test_every_declaration_fires(name: str, text: str) -> None:
    assert [found for found, _ in declarations(text)] == [name]


@pytest.mark.parametrize(("name", "text"), {**ABSTAINED, **FOREIGN}.items())
def test_every_abstention_fires(name: str, text: str) -> None:
    assert abstention(text) == name


@pytest.mark.parametrize("text", FOREIGN.values())
def test_other_languages_can_be_left_out(text: str) -> None:
    assert abstention(text, foreign=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "answers", "unanswered B", "answerable: B", "Antworten", "the answering machine is B", "nothing",
        "It is not the case that the answer is B", "Suppose the answer is B", "I doubt that the answer is B",
    ],
)  # fmt: skip
def test_what_declares_nothing(text: str) -> None:
    assert list(declarations(text)) == []


def test_the_last_declaration_comes_first_and_their_number_is_bounded() -> None:
    assert [end for _, end in declarations("answer: A. answer: B")] == [18, 7]
    assert len(list(declarations("answer: A. " * 1000))) == MAX_DECLARATIONS


def test_negation_reaches_to_the_start_of_its_sentence_only() -> None:
    text = "It is not red. The answer is B"
    assert not negated_before(text, text.index("answer"))
    assert negated_before("It is not so that the answer", 21)


@pytest.mark.parametrize(
    "text",
    [
        "Nobody cannot tell", "The picture shows that I can tell", "none the less it is red",
        "The weather is fine. " * 4,
        "I cannot tell, but it looks blue", "Error: unable to determine", "I can't help with that, I cannot tell",
    ],
)  # fmt: skip
def test_what_does_not_abstain(text: str) -> None:
    assert abstention(text) is None


def test_refusals() -> None:
    assert refusal("I'm sorry, I can't assist with that.")
    assert refusal("This violates our content policy.")
    assert not refusal("I cannot tell.")


#: What declarations, and abstentions in other languages, are made of.
PIECES = (
    "I would ", "we'd ", "I'll ", "I must ", "\n", "final ", "My ", "Answer ", "answer: ", "is ", "the ", "B", " ", "a",
    "choose ", "pick ", "say ", "go with ", "selected ", "option ", "Choice letter: ", "ANS = ", "####", "\\boxed{",
    "<answer>", "<final_answer>", "respuesta: ", "resposta: ", "risposta: ", "opzione: ", "svaret: ", "antwoord is ",
    "Antwort lautet ", "alternativa: ", "cevap: ", "jawaban: ", "je choisis ", "Elijo ", "ik kies ", "wybieram ",
    "answer - ", "kein der ", "keine der oben ", "non so", "no se puede saber", "ne sais pas", "impossible de dire",
    "nessuna delle opzioni", "nenhuma das opções", "ningun", "on ne peut pas savoir", "es imposible decir", ".", "é",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_quick_ways_find_what_the_plain_ones_find(text: str) -> None:
    plain = [(match.span(), match.lastgroup) for match in _DECLARED.finditer(text)]
    assert [(match.span(), match.lastgroup) for match in _declared(text)] == plain
    abstains = _ABSTAINS_FOREIGN.search(text)
    quick = _foreign(text)
    assert (quick and quick.span()) == (abstains and abstains.span())


@pytest.mark.parametrize("pattern", DECLARED.items(), ids=lambda pair: pair[0])
def test_every_declaration_is_found_quickly_too(pattern: tuple[str, str]) -> None:
    name, text = pattern
    assert [match.lastgroup for match in _declared(text)] == [name]


def test_a_list_of_options_declares_nothing() -> None:
    for text in ("each option: A", "Every choice: A", "all other option: A", "the following answer: A"):
        assert list(declarations(text)) == []
    assert [name for name, _ in declarations("my option: A")] == ["english"]
