"""Kappas with intervals: whole groups drawn with replacement, the same draws for every figure of a review.

A figure is a function of a few sums over groups (how many items, how many answers alike, how often each word), so one
product of the matrix of draws with the columns of all figures gives every resampled kappa at once. Sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from answerable.core.agreement import Measured, cohen, fleiss
from answerable.core.records import Record
from answerable.core.scores import Figure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

DRAWS = 10_000
#: Entries of the matrix of draws in memory at once.
BLOCK = 4_000_000
#: Two-sided 95 %.
LOW, HIGH = 2.5, 97.5


class Said(Record, frozen=True):
    """What independent reviewers said of one item, on every question."""

    group: str
    words: Mapping[str, Mapping[str, str | None]]
    """Reviewer -> question -> word; None where it was left open."""


class _Plan(msgspec.Struct, frozen=True):
    """One figure: its items, and where its sums lie among the columns."""

    question: str
    measure: Literal["Cohen's kappa", "Fleiss' kappa"]
    reviewers: tuple[str, ...]
    ratings: int
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """Group's place, and the words of one item."""


def measured(said: Sequence[Said], questions: Sequence[str], wanted: int, *, draws: int, seed: int) -> list[Measured]:
    """Every kappa of a review: for each question Fleiss' over all, then Cohen's of every two reviewers.

    Args:
        said: items with at least one independent vote.
        questions: what to measure, in order.
        wanted: Fleiss' kappa takes the items on which exactly so many reviewers answered; none below 2.
        draws: of the bootstrap.
        seed: of its generator.
    """
    places = {group: place for place, group in enumerate(dict.fromkeys(item.group for item in said))}
    plans = [plan for question in questions for plan in _plans(said, question, wanted, places)]
    values = _resampled(plans, len(places), draws, seed)
    return [_measured(plan, *value) for plan, value in zip(plans, values, strict=True)]


def _plans(said: Sequence[Said], question: str, wanted: int, places: Mapping[str, int]) -> Iterator[_Plan]:
    names = sorted({name for item in said for name in item.words})
    answered = [
        (places[item.group], {name: word for name in names if (word := item.words.get(name, {}).get(question))})
        for item in said
    ]
    if wanted > 1:
        rows = tuple((place, tuple(words.values())) for place, words in answered if len(words) == wanted)
        who = sorted({name for _, words in answered if len(words) == wanted for name in words})
        yield _Plan(question, "Fleiss' kappa", tuple(who), wanted, rows)
    for one, other in combinations(names, 2):
        rows = tuple((place, (words[one], words[other])) for place, words in answered if {one, other} <= words.keys())
        if rows:
            yield _Plan(question, "Cohen's kappa", (one, other), 2, rows)


def _measured(plan: _Plan, kappas: Floats, shares: Floats) -> Measured:
    exact, share = exact_of(plan.measure, [words for _, words in plan.rows])
    interval, undefined = _interval(kappas)
    bounds, _ = _interval(shares)
    pairs = len(plan.rows) * plan.ratings * (plan.ratings - 1) // 2
    return Measured(
        question=plan.question, measure=plan.measure, reviewers=plan.reviewers, items=len(plan.rows),
        ratings=plan.ratings, kappa=None if exact is None else float(exact), exact=exact,
        interval=interval if exact is not None else None, undefined=undefined,
        agreement=Figure(
            value=float(Fraction(share, pairs)) if pairs else None, numerator=share, denominator=pairs,
            interval=bounds if pairs else None,
        ),
    )  # fmt: skip


def exact_of(measure: str, rows: Sequence[tuple[str, ...]]) -> tuple[Fraction | None, int]:
    """Kappa, exact or undefined, and how many pairs of answers to one item are alike."""
    alike = sum(one == other for words in rows for one, other in combinations(words, 2))
    kappa = fleiss(rows) if measure == "Fleiss' kappa" else cohen([(words[0], words[1]) for words in rows])
    return kappa, alike


def _columns(plan: _Plan, groups: int) -> Ints:
    """Sums by group, of shape (groups, 2 + words): items, pairs alike, then every word (of each of two raters)."""
    import numpy as np

    words = sorted({word for _, said in plan.rows for word in said})
    raters = 2 if plan.measure == "Cohen's kappa" else 1
    table = np.zeros((groups, 2 + raters * len(words)), dtype=np.int64)
    for place, said in plan.rows:
        table[place, 0] += 1
        table[place, 1] += sum(one == other for one, other in combinations(said, 2))
        for number, word in enumerate(said):
            table[place, 2 + words.index(word) + len(words) * (number if raters == 2 else 0)] += 1
    return table


def _resampled(plans: Sequence[_Plan], groups: int, draws: int, seed: int) -> list[tuple[Floats, Floats]]:
    """Kappa and share of pairs alike of every figure in every draw; NaN where undefined."""
    import numpy as np

    if not plans:
        return []
    tables = [_columns(plan, groups) for plan in plans]
    ends = np.cumsum([table.shape[1] for table in tables])
    columns = np.concatenate(tables, axis=1).astype(np.float64)
    sums = np.concatenate([weights @ columns for weights in _weights(groups, draws, seed)])
    return [_kappas(plan, part) for plan, part in zip(plans, np.split(sums, ends[:-1], axis=1), strict=True)]


def _weights(groups: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often every draw takes every group, in blocks of draws.

    From the raw stream of PCG64, which no version of NumPy changes; the upper half of a product with the number of
    groups is a draw of a group.
    """
    import numpy as np

    stream = np.random.PCG64(seed)
    rows = max(1, BLOCK // max(1, groups))
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        raw = np.asarray(stream.random_raw(count * groups), dtype=np.uint64).reshape(count, groups) >> np.uint64(32)
        chosen = ((raw * np.uint64(groups)) >> np.uint64(32)).astype(np.int64)
        flat = (chosen + np.arange(count, dtype=np.int64)[:, None] * groups).ravel()
        yield np.bincount(flat, minlength=count * groups).reshape(count, groups).astype(np.float64)


def _kappas(plan: _Plan, sums: Floats) -> tuple[Floats, Floats]:
    """Kappa and share of pairs alike from the sums of every draw."""
    import numpy as np

    items, alike, words = sums[:, 0], sums[:, 1], sums[:, 2:]
    if plan.measure == "Cohen's kappa":
        half = words.shape[1] // 2
        chance, whole = (words[:, :half] * words[:, half:]).sum(axis=1), items * items
    else:
        chance, whole = (words * words).sum(axis=1), (items * plan.ratings) ** 2
    pairs = items * (plan.ratings * (plan.ratings - 1) // 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, expected = alike / pairs, chance / whole
        kappas = (observed - expected) / (1 - expected)
    # Exact: both are sums of whole numbers below 2^53.
    kappas[(items == 0) | (chance == whole)] = np.nan
    return kappas, observed


def _interval(values: Any) -> tuple[tuple[float, float] | None, int]:
    """95 % percentile interval over the draws that are defined, and how many are not."""
    import numpy as np

    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return None, undefined
    low, high = np.percentile(defined, (LOW, HIGH))
    return (float(low), float(high)), undefined
