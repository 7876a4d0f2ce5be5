"""Kappas against their formulas, written out by hand, and against published examples."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.agreement import Agreement, agreements, cohen, fleiss

WORDS = st.sampled_from(["keep", "drop", "unsure"])


def test_cohen_of_a_table_known_from_textbooks() -> None:
    # 20 both yes, 5 and 10 apart, 15 both no: observed 0.7, expected 0.5.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen(pairs) == Fraction(2, 5)


def test_fleiss_of_the_paper() -> None:
    # Fleiss (1971) as it is retold everywhere: ten subjects, fourteen raters, five categories, kappa 0.210.
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    items = [[word for word, count in enumerate(line) for _ in range(count)] for line in table]
    kappa = fleiss(items)
    assert kappa is not None
    assert round(float(kappa), 3) == 0.210


@given(st.lists(st.tuples(WORDS, WORDS), max_size=30))
def test_cohen_is_its_formula(pairs: list[tuple[str, str]]) -> None:
    found = cohen(pairs)
    if not pairs:
        assert found is None
        return
    n = len(pairs)
    observed = Fraction(len([1 for a, b in pairs if a == b]), n)
    expected = Fraction(0)
    for word in ("keep", "drop", "unsure"):
        first = Fraction(len([1 for a, _ in pairs if a == word]), n)
        second = Fraction(len([1 for _, b in pairs if b == word]), n)
        expected += first * second
    if expected == 1:
        assert found is None
        return
    assert found == (observed - expected) / (1 - expected)
    assert found <= 1
    assert (found == 1) == all(a == b for a, b in pairs)
    assert found == cohen([(b, a) for a, b in pairs])


@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=1, max_size=15)))
def test_fleiss_is_its_formula(items: list[list[str]]) -> None:
    found = fleiss(items)
    raters, count = len(items[0]), len(items)
    per_item = []
    for item in items:
        pairs = [(i, j) for i in range(raters) for j in range(raters) if i != j]
        per_item.append(Fraction(len([1 for i, j in pairs if item[i] == item[j]]), len(pairs)))
    observed = sum(per_item, Fraction(0)) / count
    flat = [word for item in items for word in item]
    expected = sum((Fraction(flat.count(word), len(flat)) ** 2 for word in set(flat)), Fraction(0))
    assert found == (None if expected == 1 else (observed - expected) / (1 - expected))


@pytest.mark.parametrize("items", [[], [[]], [["a"], ["b"]], [["a", "a"], ["a", "a"]]])
def test_what_is_undefined_is_none(items: list[list[str]]) -> None:
    assert fleiss(items) is None


def test_one_word_throughout_is_undefined_and_none_alike_is_below_chance() -> None:
    assert cohen([("a", "a")] * 3) is None
    assert cohen([("a", "b"), ("b", "a")]) == -1
    assert cohen([("a", "b")] * 2) == 0


def test_unequal_numbers_of_ratings() -> None:
    with pytest.raises(ValueError, match=r"the same number of ratings for every item; got \[1, 2\]"):
        fleiss([["a"], ["a", "b"]])


def test_agreements_of_two_and_of_three() -> None:
    said = {
        "1": {"Ann": "keep", "Bo": "keep", "Cy": "keep"}, "2": {"Ann": "keep", "Bo": "drop", "Cy": "drop"},
        "3": {"Ann": "drop", "Bo": "drop"}, "4": {"Cy": "keep"},
    }  # fmt: skip
    assert agreements({}) == agreements({"1": {"Ann": "keep"}}) == ()
    found = agreements(said)
    assert [(one.measure, one.reviewers, one.groups, one.agreed) for one in found] == [
        ("Cohen's kappa", ("Ann", "Bo"), 3, 2), ("Cohen's kappa", ("Ann", "Cy"), 2, 1),
        ("Cohen's kappa", ("Bo", "Cy"), 2, 2), ("Fleiss' kappa", ("Ann", "Bo", "Cy"), 2, 1),
    ]  # fmt: skip
    assert found[0].kappa == Fraction(2, 5)
    assert found[2].kappa == 1
    assert agreements({"1": {"Ann": "keep"}, "2": {"Bo": "drop"}}) == (
        Agreement("Cohen's kappa", ("Ann", "Bo"), 0, 0, None),
    )
