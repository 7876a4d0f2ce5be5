"""Option sets: never two that could be one answer, never one that abstains, always the answer once."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from answerable.build.choice_benchmarks import base_of
from answerable.core.choices import alike, fits, is_option, may_answer, mistakable, number_of, overlap, rotated, says
from answerable.core.records import Answer
from answerable.core.seeds import Stream
from answerable.domains.choice.options import choose, grouped, near, numbers

TEXTS = st.text(st.sampled_from("aAbB1204,.%/$- \u2212é’"), max_size=8)
VALUES = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=1000)
BASES = st.sampled_from(["chart", "table"])


@given(domain=BASES, seed=st.integers(0, 10**6), place=st.integers(0, 10**3))
def test_no_question_offers_two_options_that_could_be_one_answer(domain: str, seed: int, place: int) -> None:
    base = base_of(domain)
    template, look = base.templates[place % len(base.templates)], base.looks[place % len(base.looks)]
    drawn = base.draw(template, look, Stream("property", seed))
    if drawn is None:
        return
    assert 1 <= len(drawn.options) <= 4
    assert not any(alike(one, other) for one, other in combinations(drawn.options, 2))
    assert all(is_option(text) and fits(text, drawn.answer) for text in drawn.options)
    assert sum(says(text, drawn.answer) for text in drawn.options) == 1


@given(right=TEXTS.filter(is_option), others=st.lists(TEXTS, max_size=12), seed=st.integers(0, 99))
def test_chosen_options_are_never_alike(right: str, others: list[str], seed: int) -> None:
    chosen = choose(right, others, Stream("property", seed))
    assert chosen.count(right) == 1
    assert len(chosen) <= 4
    assert not any(alike(one, other) for one, other in combinations(chosen, 2))
    if len(chosen) < 4:
        assert all(not is_option(text) or any(alike(text, one) for one in chosen) for text in others)


@given(value=VALUES)
def test_a_number_written_out_is_that_number(value: Fraction) -> None:
    assert number_of(grouped(value)) == value


@given(value=VALUES, unit=VALUES.filter(lambda unit: unit > 0), seed=st.integers(0, 99))
def test_near_misses_are_never_the_value(value: Fraction, unit: Fraction, seed: int) -> None:
    found = near(value, unit, Stream("property", seed), negative=True)
    assert value not in found
    assert len(set(found)) == len(found)
    assert set(found) <= set(numbers(value, found, unit, Stream("property", seed), negative=True))


@given(one=TEXTS, other=TEXTS)
def test_likeness_goes_both_ways_and_equals_are_alike(one: str, other: str) -> None:
    assert alike(one, one)
    assert alike(one, other) == alike(other, one)
    assert overlap(one, other) == overlap(other, one)


@given(one=VALUES, other=VALUES)
def test_equal_numbers_are_mistakable_however_they_are_written(one: Fraction, other: Fraction) -> None:
    assert mistakable(one, other) == mistakable(other, one)
    assert mistakable(one, one)
    for scale in (100, 1000, 10**6, 10**9):
        assert mistakable(one * scale, one)
    assert alike(grouped(one), f"{one.numerator * 3}/{one.denominator * 3}")


@given(text=TEXTS, label=TEXTS)
def test_nothing_that_parses_as_a_number_may_stand_in_for_no_number(text: str, label: str) -> None:
    if number_of(text) is not None:
        assert may_answer(text, Answer("1", "number"), ())
        assert may_answer(text, Answer("yes", "boolean"), ())
    if overlap(text, label):
        assert may_answer(text, Answer("x", "text"), (label,))
        assert may_answer(text, Answer("1", "number"), (label,))


@given(texts=st.lists(TEXTS, min_size=1, max_size=8), places=st.integers(0, 7))
def test_rotating_on_comes_back(texts: list[str], places: int) -> None:
    places %= len(texts)
    assert rotated(rotated(texts, places), len(texts) - places) == tuple(texts)
