"""How far reviewers agree beyond chance: Cohen's kappa of two, Fleiss' kappa of several. Exact, or undefined.

Cohen, Educational and Psychological Measurement 20 (1960); Fleiss, Psychological Bulletin 76 (1971).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from answerable.core.records import Record
from answerable.core.scores import Figure

#: Version of ``agreement.json``.
FORMAT = 1
AGREEMENT = "agreement.json"


class Agreement(Record, frozen=True):
    """One figure of agreement."""

    measure: str
    """``Cohen's kappa`` or ``Fleiss' kappa``."""
    reviewers: tuple[str, ...]
    groups: int
    """Groups that all of them decided."""
    agreed: int
    """Of those, the ones they all decided alike."""
    kappa: Fraction | None
    """None where chance alone would agree always, or nothing was decided by all."""


class Measured(Record, frozen=True):
    """Agreement on one question of a review, with its interval."""

    question: str
    measure: str
    """``Cohen's kappa`` or ``Fleiss' kappa``."""
    reviewers: tuple[str, ...]
    """The two; or all whose votes count, who need not be the same ones for every item."""
    items: int
    """Items that all of them, or as many reviewers as were wanted, answered."""
    ratings: int
    """Answers to each item."""
    kappa: float | None
    """None where it is undefined: chance alone would agree always, or there are no items."""
    exact: Fraction | None
    """The same as ``p/q``."""
    interval: tuple[float, float] | None
    """95 % percentile interval of the group bootstrap, over the draws in which kappa is defined."""
    undefined: int
    """Draws in which it is not."""
    agreement: Figure
    """Share of pairs of answers that are alike; of two reviewers, of items."""


class ReviewScores(Record, frozen=True):
    """``agreement.json``: what came of a review."""

    format: int
    benchmark: str
    benchmark_fingerprint: str
    form: str
    """``group`` or ``explanation``."""
    model: str
    """Whose explanations; empty for groups."""
    wanted: int
    """Votes wanted on every item."""
    items: int
    votes: dict[str, int]
    """Votes that an item has -> items."""
    outcomes: dict[str, int]
    """``keep``, ``drop`` (explanations: ``settled``), ``disputed`` and ``open``; they add up to the items."""
    disputed: tuple[str, ...]
    reviewers: dict[str, int]
    """Name -> votes that stand."""
    questions: dict[str, str]
    """Question -> its words."""
    answers: dict[str, dict[str, int]]
    """Question -> answer -> votes that stand; ``open`` where it was left open."""
    figures: tuple[Measured, ...]
    draws: int
    seed: int
    notes: tuple[str, ...] = ()


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> Fraction | None:
    """Cohen's kappa of two raters.

    Args:
        pairs: what the first and the second said of each item.

    Returns:
        ``(observed - expected) / (1 - expected)``; None without items, or when both said the same word of every item.
    """
    count = len(pairs)
    if not count:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    observed = Fraction(sum(one == other for one, other in pairs), count)
    expected = Fraction(sum(first[word] * second[word] for word in first), count * count)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss(items: Sequence[Sequence[Hashable]]) -> Fraction | None:
    """Fleiss' kappa of several raters, who need not be the same ones for every item.

    Args:
        items: what was said of each item, the same number of words for each.

    Returns:
        The kappa; None without items, with fewer than two words an item, or when every word is the same.

    Raises:
        ValueError: items with different numbers of words.
    """
    counts = {len(item) for item in items}
    if len(counts) > 1:
        raise ValueError(f"expected the same number of ratings for every item; got {sorted(counts)}")
    raters = counts.pop() if counts else 0
    if raters < 2:
        return None
    total: Counter[Hashable] = Counter()
    alike = 0
    for item in items:
        words = Counter(item)
        total.update(words)
        alike += sum(number * (number - 1) for number in words.values())
    observed = Fraction(alike, len(items) * raters * (raters - 1))
    everything = len(items) * raters
    expected = Fraction(sum(number * number for number in total.values()), everything * everything)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def agreements(said: Mapping[str, Mapping[str, str]]) -> tuple[Agreement, ...]:
    """Cohen's kappa for every two reviewers, and Fleiss' kappa over all where there are more than two.

    Args:
        said: group -> reviewer -> what was said.
    """
    names = sorted({name for words in said.values() for name in words})
    found = [_agreement("Cohen's kappa", pair, said) for pair in combinations(names, 2)]
    if len(names) > 2:
        found.append(_agreement("Fleiss' kappa", tuple(names), said))
    return tuple(found)


def _agreement(measure: str, names: tuple[str, ...], said: Mapping[str, Mapping[str, str]]) -> Agreement:
    items = [[words[name] for name in names] for words in said.values() if all(name in words for name in names)]
    kappa = cohen([(one, other) for one, other in items]) if len(names) == 2 else fleiss(items)
    return Agreement(measure, names, len(items), sum(len(set(item)) == 1 for item in items), kappa)
