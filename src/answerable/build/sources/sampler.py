"""The endless source: made-up charts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from answerable.build.sources import Figure
from answerable.core.records import Refusal


class SamplerSource:
    """Numbers its figures; worlds are drawn from the number by whoever does the work."""

    name = "chart-sampler"
    licence = "CC0-1.0"
    per_figure = 1

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def describe(self) -> tuple[str, ...]:
        """See ``Source.describe``."""
        return (f"made-up charts from seed {self._seed}",)

    def figures(self) -> Iterator[Figure | Refusal]:
        """See ``Source.figures``."""
        return (Figure(id=f"sampled-{self._seed}-{index}") for index in count())
