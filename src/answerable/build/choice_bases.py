"""What each domain lends to multiple-choice questions: worlds, questions with options, pictures, and a proof body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from answerable.core.records import Answer, Problem, Refusal
from answerable.core.registry import Registry
from answerable.core.seeds import Stream
from answerable.domains.choice.options import TRUTHS, choose
from answerable.domains.choice.states import Asked
from answerable.domains.raster import png
from answerable.logic.direct import execute
from answerable.logic.outcomes import answer_of
from answerable.logic.program import Expression, Grid, Named, Undefined
from answerable.logic.types import cells

#: Questions of the same kind drawn for their answers, which become options.
SIBLINGS = 16


class Drawn(msgspec.Struct, frozen=True):
    """A question with options on a world, before anything is rendered."""

    world: Any
    program: Any
    """What is asked, as the domain's proofs have it."""
    question: str
    answer: Answer
    options: tuple[str, ...]


class Base(Protocol):
    """A domain as a source of multiple-choice questions."""

    name: str
    problems: tuple[Problem, ...]
    """Those that its questions can have."""
    lender: str
    """The base whose questions lend options to its own."""
    templates: tuple[str, ...]
    """Families of questions."""
    truths: tuple[str, ...]
    """Those that are answered by yes or no."""
    labels: tuple[str, ...]
    """Those that are answered by a label."""
    nameless: tuple[str, ...]
    """Those whose questions never name anything of the picture."""
    looks: tuple[str, ...]
    """Ways to draw, in turn."""

    def draw(self, template: str, look: str, stream: Stream) -> Drawn | None:
        """A question on a world of its own; None where the world has none of this family."""
        ...

    def other(self, look: str, stream: Stream) -> Any | None:
        """Another world; None where this draw gave none that would do."""
        ...

    def asked(self, drawn: Drawn, other: Any | None, look: str) -> Asked | Refusal:
        """The question with its pictures, drawn now, or why one of them is not whole.

        Args:
            other: the world that IVQD shows instead.
        """
        ...


BASES: Registry[Callable[[], Base]] = Registry(
    "domain with worlds",
    "answerable.choice_bases",
    {
        "chart": "answerable.build.choice_chart:ChartBase",
        "table": "answerable.build.choice_table:TableBase",
        "code": "answerable.build.choice_code:CodeBase",
    },
)


def siblings(
    program: Expression, grid: Grid, draws: Iterable[Expression | None], like: Callable[[Expression], bool]
) -> list[Expression]:
    """Questions of the same kind with another answer, each answer once.

    Args:
        draws: programs of the family, as they come.
        like: whether a program's answer looks like the question's own.
    """
    taken = [execute(program, grid)]
    found = []
    for other in draws:
        if other is None or not like(other):
            continue
        outcome = execute(other, grid)
        if outcome not in taken and not isinstance(outcome, Undefined):
            taken.append(outcome)
            found.append(other)
    return found


def label_options(target: str, kinds: Iterable[tuple[str, ...]], stream: Stream) -> tuple[str, ...] | None:
    """The label and others of its kind; None where it is none of them.

    Args:
        kinds: labels, each kind for itself.
    """
    for names in kinds:
        if target in names:
            others = [name for name in names if name != target]
            return choose(target, stream.sample(others, len(others)), stream)
    return None


def truth_options(answer: Answer) -> tuple[str, ...]:
    """Yes and no, in this order."""
    return TRUTHS if answer.type == "boolean" else ()


def read_values(program: Expression, grid: Grid) -> list[Fraction]:
    """The values of the cells that a program may read."""
    read = cells(program, grid)
    return [
        value
        for series, line in zip(grid.series, grid.values, strict=True)
        for position, value in zip(grid.positions, line, strict=True)
        if (series, position) in read
    ]


def answer_on(program: Expression, grid: Grid) -> Answer | None:
    """The answer of a program over a grid; None where it has none, or is a label that stands only in the program."""
    outcome = execute(program, grid)
    if isinstance(outcome, Named) and outcome.value not in (*grid.series, *grid.positions):
        return None
    return answer_of(outcome)


def pictured(pixels: Mapping[str, Any]) -> tuple[dict[str, bytes], dict[str, tuple[int, int]]]:
    """Image files and sizes of rendered worlds."""
    images = {world: png.encode(image) for world, image in pixels.items()}
    return images, {world: (image.shape[1], image.shape[0]) for world, image in pixels.items()}
