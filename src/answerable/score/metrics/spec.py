"""What a metric is, and its exact value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from answerable.core.records import Record
from answerable.core.scores import Figure
from answerable.score.stratum import Ints, Stratum


class Term(Record, frozen=True):
    """A share: two integer columns over groups, each of shape (groups,)."""

    numerator: Ints
    denominator: Ints


class Metric(Record, frozen=True):
    """A named figure of a run on a source."""

    names: Callable[[Stratum], tuple[str, ...]]
    """Its names on these views: several for a metric by state, none where it does not apply."""
    terms: Callable[[Stratum, str], tuple[Term, ...]]
    """The shares whose mean it is, given one of its names."""
    definition: Callable[[str], str]
    """What the name means, with its unit."""


def measure(stratum: Stratum, metrics: Iterable[Metric]) -> dict[str, tuple[Term, ...]]:
    """Every metric of a run on a source, as columns, by name."""
    return {name: metric.terms(stratum, name) for metric in metrics for name in metric.names(stratum)}


def definitions(strata: Iterable[Stratum], metrics: Iterable[Metric]) -> dict[str, str]:
    """What every name in use means."""
    table = tuple(metrics)
    return {name: metric.definition(name) for stratum in strata for metric in table for name in metric.names(stratum)}


def exact(terms: tuple[Term, ...]) -> Fraction | None:
    """The exact value; None when a share has nothing to divide by."""
    total = Fraction(0)
    for term in terms:
        denominator = int(term.denominator.sum())
        if denominator == 0:
            return None
        total += Fraction(int(term.numerator.sum()), denominator)
    return total / len(terms)


def figure_of(terms: tuple[Term, ...]) -> Figure:
    """Value, numerator and denominator: counts as they are for one share, a reduced rational for a mean of shares."""
    value = exact(terms)
    if len(terms) == 1:
        numerator, denominator = int(terms[0].numerator.sum()), int(terms[0].denominator.sum())
        return Figure(None if value is None else numerator / denominator, numerator, denominator)
    if value is None:
        return Figure(None, 0, 0)
    return Figure(value.numerator / value.denominator, value.numerator, value.denominator)


def everywhere(*names: str) -> Callable[[Stratum], tuple[str, ...]]:
    """Names that do not depend on the views."""
    return lambda _: names


def texts(table: Mapping[str, str]) -> Callable[[str], str]:
    """Definitions by name."""
    return lambda name: table[name]
