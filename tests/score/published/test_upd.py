"""Looking up unsolvable problem detection: records, counts, totals, and the names that are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.errors import SettingsError, SourceError
from answerable.score.published import upd
from answerable.score.published.upd import Result


def result(model: str, problem: str, setting: str, metric: str, ability: str) -> Result:
    wanted = (model, problem, setting, metric, ability)
    [found] = [
        one for one in upd.ability_results() if (one.model, one.problem, one.setting, one.metric, one.ability) == wanted
    ]
    return found


def test_a_result_knows_its_value_and_its_count() -> None:
    found = result("GPT4o", "IVQD", "option", "dual", "Function Reasoning")
    assert (found.access, found.printed, found.value, found.questions) == ("closed", "81.2", Fraction(406, 5), 16)
    assert found.count == 13
    assert result("LLaVA1.5-13b", "AAD", "base", "dual", "Future Prediction").count == 2


def test_a_figure_that_no_count_gives_is_named() -> None:
    found = Result("GPT4o", "closed", "AAD", "base", "dual", "OCR", "71.3", 35)
    with pytest.raises(SourceError) as caught:
        _ = found.count
    assert str(caught.value) == (
        "expected per cent of 35 questions that one whole count gives; got '71.3', which no count gives\n"
        "  where: GPT4o AAD base dual OCR"
    )


def test_overall_results_are_table_1() -> None:
    found = {(one.model, one.problem, one.setting): one for one in upd.overall_results()}
    assert len(found) == 264
    assert found["GPT4o", "AAD", "base"].printed == "45.6"
    assert found["GPT4o", "AAD", "base"].metric == "dual"
    original = found["GPT4o", "AAD", "original"]
    assert (original.metric, original.printed, original.count, original.questions) == ("standard", "83.2", 682, 820)


def test_questions() -> None:
    assert [upd.questions(problem) for problem in upd.PROBLEMS] == [820, 919, 356]
    assert upd.questions("AAD", "OCR") == 35
    with pytest.raises(SettingsError, match="a problem, one of AAD, IASD, IVQD; got 'aad'"):
        upd.questions("aad")
    with pytest.raises(SettingsError, match=r"an ability that IVQD asks, one of OCR, .*; got 'Image Style'"):
        upd.questions("IVQD", "Image Style")


def test_a_total_adds_the_counts_of_all_abilities() -> None:
    share = upd.overall("AAD", "base", "dual", "GPT4o")
    assert (share.count, share.questions, share.printed) == (374, 820, "45.6")
    counts = [
        one.count
        for one in upd.ability_results()
        if (one.model, one.problem, one.setting, one.metric) == ("GPT4o", "AAD", "base", "dual")
    ]
    assert len(counts) == 18 and sum(counts) == share.count
    assert upd.overall("AAD", "base", "upd", "GPT4o").printed == "52.3"


def test_models_are_in_the_order_of_table_1() -> None:
    assert len(upd.models()) == 22
    assert (upd.models()[0], upd.models()[-1]) == ("LLaVA1.5-13b", "GPT4o")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("AAX", "base", "dual", "GPT4o"), "expected a problem, one of AAD, IASD, IVQD; got 'AAX'"),
        (("AAD", "original", "dual", "GPT4o"), "a setting, one of base, option, instruction; got 'original'"),
        (("AAD", "base", "Dual", "GPT4o"), "a metric, one of dual, upd, standard; got 'Dual'"),
        (("AAD", "base", "dual", "GPT"), "a model, one of LLaVA1.5-13b, .*, GPT4o; got 'GPT'"),
    ],
)
def test_unknown_names_are_answered_with_the_known_ones(words: tuple[str, str, str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        upd.overall(*words)
