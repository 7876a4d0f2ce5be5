"""From a count to the printed percentage and back."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import SourceError
from answerable.score.published.counts import Share, printed, whole_count


@st.composite
def shares(draw: st.DrawFn, most: int = 999) -> tuple[int, int]:
    questions = draw(st.one_of(st.sampled_from((16, 32, 80, 400)), st.integers(1, most)))
    return draw(st.integers(0, questions)), questions


@given(shares(most=5000), st.integers(0, 3))
def test_it_prints_like_decimal_arithmetic(share: tuple[int, int], digits: int) -> None:
    count, questions = share
    with localcontext() as context:
        # Enough that no quotient of small numbers looks like a half without being one.
        context.prec = 60
        exact = Decimal(100 * count) / Decimal(questions)
        assert printed(count, questions, digits) == str(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN))


@given(shares())
def test_the_count_comes_back(share: tuple[int, int]) -> None:
    count, questions = share
    assert whole_count(printed(count, questions), questions) == count


@pytest.mark.parametrize(
    ("count", "questions", "text"),
    [
        (9, 16, "56.2"),
        (3, 16, "18.8"),
        (1, 16, "6.2"),
        (30, 32, "93.8"),
        (0, 5, "0.0"),
        (5, 5, "100.0"),
        (2, 3, "66.7"),
    ],
)
def test_a_half_goes_to_the_even_digit(count: int, questions: int, text: str) -> None:
    assert printed(count, questions) == text
    assert whole_count(text, questions) == count


def test_digits_after_the_point_are_those_of_the_text() -> None:
    assert printed(1, 3, 0) == "33"
    assert printed(1, 3, 3) == "33.333"
    assert whole_count("33", 3) == 1
    assert whole_count("82.43", 3000) == 2473
    # 2,472 to 2,474 of 3,000 all print as 82.4 or 82.5; two of them as 82.4.
    with pytest.raises(SourceError, match="several counts give"):
        whole_count("82.4", 3000)


@pytest.mark.parametrize(("count", "questions"), [(1, 0), (-1, 5), (6, 5)])
def test_impossible_shares(count: int, questions: int) -> None:
    with pytest.raises(ValueError, match=f"got {count} of {questions}"):
        printed(count, questions)


def test_a_share_that_no_count_gives() -> None:
    with pytest.raises(SourceError) as caught:
        whole_count("56.3", 16, "GPT4V AAD base")
    assert str(caught.value) == (
        "expected per cent of 16 questions that one whole count gives; got '56.3', which no count gives\n"
        "  where: GPT4V AAD base"
    )


@pytest.mark.parametrize("text", ["", "abc", "-1.0", "101.0", "100.1", "1e1", "5.", "٥.0", "nan"])
def test_what_is_no_percentage(text: str) -> None:
    with pytest.raises(SourceError, match=r"per cent of at least one question, such as '56\.2'"):
        whole_count(text, 50)


def test_no_questions_have_no_share() -> None:
    with pytest.raises(SourceError, match="of 0"):
        whole_count("0.0", 0)


def test_a_share_knows_its_value_and_its_digits() -> None:
    share = Share(9, 16)
    assert (share.value, share.printed) == (Fraction(225, 4), "56.2")
