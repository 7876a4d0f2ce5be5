"""Where charts come from. A source yields figures; the pipeline asks questions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from answerable.core.records import Record, Refusal
from answerable.core.registry import Registry
from answerable.domains.chart.world import ChartWorld


class Figure(Record, frozen=True):
    """A figure of a source."""

    id: str
    """The same every time; splits are made by it."""
    worlds: tuple[ChartWorld, ...] = ()
    """The figure as worlds, from densest to thinnest: the first that renders whole is used. Empty for the
    sampler, whose worlds are drawn where the work is done."""
    cells: int = 1
    """Different questions it can be asked."""


class Source(Protocol):
    """A source of figures."""

    name: str
    """Of the groups it gives, for example ``chart-sampler``."""
    licence: str
    per_figure: int
    """Groups to make of one figure at most, unless the user says otherwise; 0 means as many as it has cells."""

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests, roundings."""
        ...

    def figures(self) -> Iterator[Figure | Refusal]:
        """Figures in a fixed order; a refusal for each thing looked at that is none."""
        ...


SOURCES: Registry[Callable[..., Source]] = Registry(
    "source of charts",
    "answerable.chart_sources",
    {
        "sampler": "answerable.build.sources.sampler:SamplerSource",
        "table": "answerable.build.sources.table:TableSource",
        "annotations": "answerable.build.sources.annotations:AnnotationSource",
    },
)
