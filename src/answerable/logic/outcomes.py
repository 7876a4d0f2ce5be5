"""What the kernel compares: the result of a program, or the several results of one whose outcome is not determined."""

from __future__ import annotations

from answerable.core.records import Record
from answerable.logic.program import Result


class Several(Record, frozen=True, tag="several"):
    """Two outcomes or more, with nothing hidden: chance decides."""

    values: tuple[str, ...]
    """The possible outcomes, each once, in order."""

    def __post_init__(self) -> None:
        if len(self.values) < 2 or list(self.values) != sorted(set(self.values)):
            raise ValueError(f"expected two different outcomes or more, in order; got {self.values[:5]!r}")


Outcome = Result | Several
