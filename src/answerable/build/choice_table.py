"""Tables as a source of multiple-choice questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from answerable.build.choice_bases import (
    SIBLINGS,
    Drawn,
    answer_on,
    label_options,
    pictured,
    read_values,
    siblings,
    truth_options,
)
from answerable.core.choices import number_of
from answerable.core.records import PROBLEMS, Answer, Problem, Refusal
from answerable.core.seeds import Stream
from answerable.domains.choice.options import choose, grouped, numbers
from answerable.domains.choice.states import Asked
from answerable.domains.table.cells import Field, shown
from answerable.domains.table.layout import render, version, whole_problems
from answerable.domains.table.proof import DOMAIN, TableProof
from answerable.domains.table.sampler import sample_world
from answerable.domains.table.styles import FAMILIES, styles_of
from answerable.domains.table.templates import TEMPLATES, draw, template_of, wordings
from answerable.domains.table.world import TableWorld, alike, grid
from answerable.logic.program import Aggregate, Expression, depth
from answerable.logic.types import cells


class TableBase:
    """Made-up tables."""

    name, lender = DOMAIN, DOMAIN
    problems: tuple[Problem, ...] = tuple(PROBLEMS)
    # A search may have the answer "none", which reads as an abstention.
    templates = tuple(name for name in TEMPLATES if name != "find")
    truths = ("comparison", "any", "trend", "both")
    labels = ("extreme-label",)
    nameless: tuple[str, ...] = ()
    looks = FAMILIES

    def draw(self, template: str, look: str, stream: Stream) -> Drawn | None:
        """See ``Base.draw``."""
        world = self.other(look, stream)
        program = draw(template, world, stream)
        answer = None if program is None else answer_on(program, grid(world))
        if program is None or answer is None:
            return None
        options = _options(world, program, template, answer, stream)
        return Drawn(world, program, stream.pick(wordings(world, program)), answer, options) if options else None

    def other(self, look: str, stream: Stream) -> TableWorld:
        """See ``Base.other``."""
        return sample_world(stream, styles_of((look,)))

    def asked(self, drawn: Drawn, other: TableWorld | None, look: str) -> Asked | Refusal:
        """See ``Base.asked``."""
        del look
        worlds: dict[str, TableWorld] = {"F": drawn.world} | ({} if other is None else {"V": other})
        for world in worlds.values():
            problems = whole_problems(world)
            if problems:
                return problems[0]
        images, sizes = pictured({name: render(world, None) for name, world in worlds.items()})
        body = TableProof(
            question=drawn.question,
            wording=drawn.question,
            choices=(),
            program=drawn.program,
            version=version(),
            worlds=worlds,
            claims=(),
        )
        return Asked(
            base=DOMAIN,
            body=body,
            question=drawn.question,
            answer=drawn.answer,
            options=drawn.options,
            images=images,
            sizes=sizes,
            renderer=version(),
            program=template_of(drawn.world, drawn.program),
            depth=depth(drawn.program),
            content=[drawn.world, drawn.program],
        )


def _options(
    world: TableWorld, program: Expression, template: str, answer: Answer, stream: Stream
) -> tuple[str, ...] | None:
    if answer.type == "boolean":
        return truth_options(answer)
    shown_grid = grid(world)
    if answer.type == "text":
        return label_options(answer.target, (shown_grid.series, shown_grid.positions), stream)
    right = Fraction(answer.target)
    field = _field(world, program, template)
    text = _writer(field, right)
    if template == "count":
        counts = [Fraction(count) for count in range(len(world.rows) + 1)]
        wanted: Sequence[Fraction] = stream.sample(counts, len(counts))
    else:
        suggested = _suggested(world, program, template, field, stream)
        values = read_values(program, shown_grid)
        wanted = numbers(right, suggested, _unit(field, right, values, program), stream, negative=min(values) < 0)
    texts = [written for number in wanted if (written := text(number))]
    own = text(right)
    # A lone fraction among decimals, or a lone decimal among fractions, would give itself away.
    texts.sort(key=lambda other: ("/" in other) != ("/" in own))
    return choose(own, texts, stream)


def _field(world: TableWorld, program: Expression, template: str) -> Field | None:
    """The column whose format an answer has; None for counts, minutes, and columns that differ."""
    read = {column for _, column in cells(program, grid(world))}
    fields = [field for field in world.fields if field.name in read]
    if template == "count" or not fields or not alike(fields) or fields[0].kind == "time":
        return None
    return fields[0]


def _writer(field: Field | None, right: Fraction) -> Callable[[Fraction], str]:
    """How all options of a question are written: as the column shows them where it can show the answer."""

    def as_column(value: Fraction) -> str:
        text = shown(field, value) if field is not None else None
        return text if text is not None and number_of(text) == value else ""

    return as_column if as_column(right) else grouped


def _suggested(
    world: TableWorld, program: Expression, template: str, field: Field | None, stream: Stream
) -> list[Fraction]:
    """Answers, of the same format, to questions of the same kind, and the values that are read on the way to one."""

    def like(other: Expression) -> bool:
        theirs = _field(world, other, template)
        return theirs == field or (theirs is not None and field is not None and alike((theirs, field)))

    table = grid(world)
    found = siblings(program, table, (draw(template, world, stream) for _ in range(SIBLINGS)), like)
    values = [Fraction(answer.target) for other in found if (answer := answer_on(other, table)) is not None]
    if template not in ("sum", "mean") and field is not None:
        values += read_values(program, table)
    return list(dict.fromkeys(values))


def _unit(field: Field | None, right: Fraction, values: list[Fraction], program: Expression) -> Fraction:
    """Between amounts that the table tells apart, about a hundredth of the answer."""
    unit = field.step if field is not None else Fraction(1)
    while unit * 200 < max(abs(right), *map(abs, values)):
        unit *= 10
    if isinstance(program, Aggregate) and program.function == "mean":
        return unit / len(values)
    return unit
