"""Charts as a source of multiple-choice questions."""

from __future__ import annotations

from collections.abc import Sequence
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
from answerable.core.records import PROBLEMS, Answer, Problem, Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene, whole_problems
from answerable.domains.chart.proof import DOMAIN, ChartProof
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.templates import TEMPLATES, draw, template_of, wordings
from answerable.domains.chart.world import ChartWorld, grid
from answerable.domains.choice.options import choose, grouped, numbers
from answerable.domains.choice.states import Asked
from answerable.logic.direct import execute
from answerable.logic.program import Aggregate, Expression, depth


class ChartBase:
    """Made-up charts."""

    name, lender = DOMAIN, DOMAIN
    problems: tuple[Problem, ...] = tuple(PROBLEMS)
    templates = tuple(TEMPLATES)
    truths = ("comparison", "any", "trend", "both")
    labels = ("extreme-label",)
    nameless: tuple[str, ...] = ()
    looks = ("skia", "matplotlib")

    def draw(self, template: str, look: str, stream: Stream) -> Drawn | None:
        """See ``Base.draw``."""
        world = self.other(look, stream)
        program = draw(template, world, stream)
        if program is None:
            return None
        answer = answer_on(program, grid(world))
        if answer is None:
            return None
        options = _options(world, program, template, answer, stream)
        return Drawn(world, program, stream.pick(wordings(world, program)), answer, options) if options else None

    def other(self, look: str, stream: Stream) -> ChartWorld:
        """See ``Base.other``."""
        del look
        return sample_world(stream)

    def asked(self, drawn: Drawn, other: ChartWorld | None, look: str) -> Asked | Refusal:
        """See ``Base.asked``."""
        drawing = family(look)
        worlds: dict[str, ChartWorld] = {"F": drawn.world} | ({} if other is None else {"V": other})
        for world in worlds.values():
            problems = whole_problems(world, drawing.style)
            if problems:
                return problems[0]
        images, sizes = pictured(
            {name: drawing.render(scene(world, drawing.style, None)) for name, world in worlds.items()}
        )
        body = ChartProof(
            question=drawn.question,
            program=drawn.program,
            family=drawing.name,
            version=drawing.version,
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
            renderer=drawing.version,
            program=template_of(drawn.world, drawn.program),
            depth=depth(drawn.program),
            content=[drawn.world, drawn.program],
        )


def _options(
    world: ChartWorld, program: Expression, template: str, answer: Answer, stream: Stream
) -> tuple[str, ...] | None:
    if answer.type == "boolean":
        return truth_options(answer)
    shown = grid(world)
    if answer.type == "text":
        return label_options(answer.target, (shown.positions, shown.series), stream)
    right = Fraction(answer.target)
    if template == "count":
        counts = [Fraction(count) for count in range(len(world.positions) + 1)]
        wanted: Sequence[Fraction] = stream.sample(counts, len(counts))
    else:
        below = any(value < 0 for line in world.values for value in line)
        suggested = _suggested(world, program, template, stream)
        wanted = numbers(right, suggested, _unit(world, program), stream, negative=below)
    texts = [grouped(number) for number in wanted]
    text = grouped(right)
    # A lone fraction among decimals, or a lone decimal among fractions, would give itself away.
    texts.sort(key=lambda other: ("/" in other) != ("/" in text))
    return choose(text, texts, stream)


def _suggested(world: ChartWorld, program: Expression, template: str, stream: Stream) -> list[Fraction]:
    """Answers to questions of the same kind, and the values that are read on the way to one."""

    def like(other: Expression) -> bool:
        return getattr(other, "function", None) == getattr(program, "function", None)

    shown = grid(world)
    found = siblings(program, shown, (draw(template, world, stream) for _ in range(SIBLINGS)), like)
    values = [Fraction(answer.target) for other in found if (answer := answer_on(other, shown)) is not None]
    if template != "total":
        values += read_values(program, shown)
    right = execute(program, shown)
    return [number for number in dict.fromkeys(values) if number != getattr(right, "value", None)]


def _unit(world: ChartWorld, program: Expression) -> Fraction:
    """Between amounts that the chart tells apart."""
    if not world.value_labels:
        return world.axis.step / world.axis.minor
    unit = Fraction(world.scale, 10**world.decimals)
    # Coarse enough to be seen: a hundredth of the axis or so.
    while unit * 200 < world.axis.upper - world.axis.lower:
        unit *= 10
    if isinstance(program, Aggregate) and program.function == "mean":
        return unit / len(read_values(program, grid(world)))
    return unit
