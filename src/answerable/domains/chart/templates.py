"""Question templates: a typed program and the wordings that ask for it, of our own.

A template draws programs for a world and knows every wording of a program it drew, so that whoever has a question
and a program can check that the one asks for the other. Values are asked whole, so a scale on the axis never leaves
two readings.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec

from answerable.core.codec import answer_text
from answerable.core.seeds import Stream
from answerable.domains.chart.world import ChartWorld, grid, value_at
from answerable.logic.direct import execute
from answerable.logic.program import (
    Aggregate,
    And,
    Cells,
    Compare,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    If,
    Label,
    Lookup,
    Number,
    Rank,
    Row,
    Trend,
    Undefined,
    Where,
)


class Template(msgspec.Struct, frozen=True):
    """One family of questions."""

    name: str
    draw: Callable[[ChartWorld, Stream], Expression | None]
    """A program for the world, or None where the world has none of this kind."""
    wordings: Callable[[ChartWorld, Expression], tuple[str, ...]]
    """Every way to ask for a program; empty when it is not of this family."""


def _name(text: str) -> str:
    return f"\u201c{text}\u201d"


def _of(world: ChartWorld, series: str) -> str:
    """``of "A" ``, or nothing where the chart has a single series and no legend."""
    return f" of {_name(series)}" if len(world.series) > 1 else ""


def _amount(world: ChartWorld) -> str:
    """How to give a value."""
    unit = f" in {world.unit}" if world.unit else ""
    if world.scale == 1:
        return f" Give it{unit}." if unit else ""
    return f" Give the full amount{unit}: write out the zeros, or the word thousand, million or billion."


def _value(world: ChartWorld, value: Fraction) -> str:
    """A value inside a question, whole, with its unit."""
    text = f"{int(value):,}" if value.denominator == 1 else answer_text(value)
    return f"{text} {world.unit}".strip()


def _threshold(world: ChartWorld, stream: Stream) -> Fraction:
    """A round value inside the axis that no mark of the chart has."""
    step = world.axis.step / 2
    low, high = world.axis.lower // step + 1, -(-world.axis.upper // step) - 1
    taken = {value for line in world.values for value in line}
    free = [step * index for index in range(int(low), int(high) + 1) if step * index not in taken]
    return stream.pick(free) if free else world.axis.lower + world.axis.step / 3


def _draw_lookup(world: ChartWorld, stream: Stream) -> Expression | None:
    return Lookup(series=stream.pick(world.series), position=stream.pick(world.positions))


def _ask_lookup(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Lookup):
        return ()
    series, position = _name(program.series), _name(program.position)
    many = (
        f"What is the value of {series} at {position}?",
        f"Read the chart: which value does {series} have at {position}?",
        f"At {position}, what is the value for {series}?",
        f"Which number does the chart give for {series} at {position}?",
    )
    single = (
        f"What is the value at {position}?",
        f"Read the chart: which value is shown for {position}?",
        f"Which number does the chart give for {position}?",
    )
    texts = many if len(world.series) > 1 else single
    return tuple(text + _amount(world) for text in texts)


def _draw_difference(world: ChartWorld, stream: Stream) -> Expression | None:
    series = stream.pick(world.series)
    one, other = stream.sample(world.positions, 2)
    if value_at(world, series, one) <= value_at(world, series, other):
        one, other = other, one
    return Difference(left=Lookup(series=series, position=one), right=Lookup(series=series, position=other))


def _ask_difference(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Difference):
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Lookup) or not isinstance(right, Lookup) or left.series != right.series:
        return ()
    of, one, other = _of(world, left.series), _name(left.position), _name(right.position)
    texts = (
        f"What is the value{of} at {one} minus its value at {other}?",
        f"Take the value{of} at {one} and subtract the one at {other}. What is left?",
    )
    return tuple(f"{text} A negative result has a minus sign.{_amount(world)}" for text in texts)


def _draw_total(world: ChartWorld, stream: Stream) -> Expression | None:
    if len(world.positions) < 3:
        return None
    series = stream.pick(world.series)
    chosen = stream.sample(range(len(world.positions)), stream.between(2, min(3, len(world.positions) - 1)))
    cells = tuple((series, world.positions[index]) for index in sorted(chosen))
    return Aggregate(function=stream.pick(("sum", "mean")), over=Cells(cells=cells))


def _ask_total(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Aggregate) or not isinstance(program.over, Cells) or program.where is not None:
        return ()
    names = {series for series, _ in program.over.cells}
    if program.function not in ("sum", "mean") or len(names) != 1:
        return ()
    places = [_name(position) for _, position in program.over.cells]
    listed = f"{', '.join(places[:-1])} and {places[-1]}"
    of = _of(world, names.pop())
    word = "sum" if program.function == "sum" else "arithmetic mean"
    texts = (
        f"What is the {word} of the values{of} at {listed}?",
        f"Take the values{of} at {listed}: what is their {word}?",
    )
    exact = " Give it exactly; a fraction such as 10/3 will do." if program.function == "mean" else ""
    return tuple(text + exact + _amount(world) for text in texts)


def _draw_highest(world: ChartWorld, stream: Stream) -> Expression | None:
    return Extreme(
        rank=stream.pick(("highest", "lowest", "second highest")), over=Row(series=stream.pick(world.series))
    )


def _ask_highest(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Extreme) or not isinstance(program.over, Row):
        return ()
    of = _of(world, program.over.series)
    texts = (f"What is the {program.rank} value{of}?", f"Of all values{of} on the chart, what is the {program.rank}?")
    return tuple(text + _amount(world) for text in texts)


def _draw_where(world: ChartWorld, stream: Stream) -> Expression | None:
    ranks: tuple[Rank, ...] = ("highest", "lowest", "second highest")
    return ExtremeLabel(rank=stream.pick(ranks), over=Row(series=stream.pick(world.series)))


def _ask_where(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, ExtremeLabel) or not isinstance(program.over, Row):
        return ()
    of, rank = _of(world, program.over.series), program.rank
    kind = world.position_title.lower() or "position"
    return (
        f"At which {kind} is the value{of} {rank}? Answer with the label on the axis.",
        f"Which {kind} has the {rank} value{of}? Answer with the label on the axis.",
    )


def _draw_compare(world: ChartWorld, stream: Stream) -> Expression | None:
    if len(world.series) < 2:
        series, (one, other) = world.series[0], stream.sample(world.positions, 2)
        left, right = Lookup(series=series, position=one), Lookup(series=series, position=other)
    else:
        position, (first, second) = stream.pick(world.positions), stream.sample(world.series, 2)
        left, right = Lookup(series=first, position=position), Lookup(series=second, position=position)
    return Compare(operator=stream.pick((">", "<")), left=left, right=right)


def _ask_compare(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Compare) or program.operator not in (">", "<"):
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Lookup) or not isinstance(right, Lookup):
        return ()
    word = "greater" if program.operator == ">" else "less"
    if left.position == right.position and len(world.series) > 1:
        one, other = _name(left.series), _name(right.series)
        text = f"At {_name(left.position)}, is the value of {one} {word} than that of {other}?"
    elif left.series == right.series:
        of = _of(world, left.series)
        text = f"Is the value{of} at {_name(left.position)} {word} than at {_name(right.position)}?"
    else:
        return ()
    return (f"{text} Answer yes or no.",)


def _draw_count(world: ChartWorld, stream: Stream) -> Expression | None:
    where = Where(operator=stream.pick((">", "<")), than=Number(value=_threshold(world, stream)))
    return Aggregate(function="count", over=Row(series=stream.pick(world.series)), where=where)


def _row_count(program: Expression) -> tuple[str, str, Fraction] | None:
    """Series, word and threshold of a count over a row."""
    if not isinstance(program, Aggregate) or program.function != "count" or not isinstance(program.over, Row):
        return None
    where = program.where
    if where is None or where.operator not in (">", "<") or not isinstance(where.than, Number):
        return None
    return program.over.series, "above" if where.operator == ">" else "below", where.than.value


def _ask_count(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    found = _row_count(program)
    if found is None:
        return ()
    of, limit = _of(world, found[0]), _value(world, found[2])
    return (
        f"How many values{of} are {found[1]} {limit}? Answer with a number.",
        f"Count the values{of} that are {found[1]} {limit}. How many are there?",
    )


def _draw_any(world: ChartWorld, stream: Stream) -> Expression | None:
    count = _draw_count(world, stream)
    return Compare(operator=">", left=count, right=Number(value=Fraction(0))) if count is not None else None


def _ask_any(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Compare) or program.operator != ">" or program.right != Number(value=Fraction(0)):
        return ()
    found = _row_count(program.left)
    if found is None:
        return ()
    of, limit = _of(world, found[0]), _value(world, found[2])
    return (
        f"Is any value{of} {found[1]} {limit}? Answer yes or no.",
        f"Is there at least one value{of} {found[1]} {limit}? Answer yes or no.",
    )


def _draw_trend(world: ChartWorld, stream: Stream) -> Expression | None:
    if len(world.positions) < 3:
        return None
    trend = Trend(over=Row(series=stream.pick(world.series)))
    return Compare(operator="==", left=trend, right=Label(text=stream.pick(("increasing", "decreasing"))))


def _ask_trend(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Compare) or program.operator != "==":
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Trend) or not isinstance(left.over, Row) or not isinstance(right, Label):
        return ()
    word = {"increasing": "higher", "decreasing": "lower"}.get(right.text)
    if word is None:
        return ()
    of, order = _of(world, left.over.series), "from top to bottom" if world.kind == "hbar" else "from left to right"
    return (f"Read {order}: is every value{of} {word} than the one before it? Answer yes or no.",)


def _draw_both(world: ChartWorld, stream: Stream) -> Expression | None:
    series = stream.pick(world.series)
    places = stream.sample(world.positions, 2)
    return And(
        items=tuple(
            Compare(
                operator=stream.pick((">", "<")),
                left=Lookup(series=series, position=place),
                right=Number(value=_threshold(world, stream)),
            )
            for place in places
        )
    )


def _limit(program: Expression) -> tuple[Lookup, str, Fraction] | None:
    """Cell, word and threshold of a comparison with a number."""
    if not isinstance(program, Compare) or program.operator not in (">", "<"):
        return None
    if not isinstance(program.left, Lookup) or not isinstance(program.right, Number):
        return None
    return program.left, "above" if program.operator == ">" else "below", program.right.value


def _ask_both(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, And) or len(program.items) != 2:
        return ()
    one, other = _limit(program.items[0]), _limit(program.items[1])
    if one is None or other is None or one[0].series != other[0].series:
        return ()
    of = _of(world, one[0].series)
    first = f"{one[1]} {_value(world, one[2])} at {_name(one[0].position)}"
    second = f"{other[1]} {_value(world, other[2])} at {_name(other[0].position)}"
    return (f"Is the value{of} {first} and also {second}? Answer yes or no.",)


def _draw_if(world: ChartWorld, stream: Stream) -> Expression | None:
    if len(world.positions) < 4:
        return None
    series = stream.pick(world.series)
    tested, one, other = (Lookup(series=series, position=place) for place in stream.sample(world.positions, 3))
    condition = Compare(operator=">", left=tested, right=Number(value=_threshold(world, stream)))
    return If(condition=condition, then=one, otherwise=other)


def _ask_if(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, If) or not isinstance(program.then, Lookup) or not isinstance(program.otherwise, Lookup):
        return ()
    tested = _limit(program.condition)
    if tested is None or {program.then.series, program.otherwise.series} != {tested[0].series}:
        return ()
    of, limit = _of(world, tested[0].series), _value(world, tested[2])
    text = (
        f"If the value{of} at {_name(tested[0].position)} is {tested[1]} {limit}, give its value at "
        f"{_name(program.then.position)}; if not, give its value at {_name(program.otherwise.position)}."
    )
    return (text + _amount(world),)


TEMPLATES: dict[str, Template] = {
    template.name: template
    for template in (
        Template("look-up", _draw_lookup, _ask_lookup),
        Template("difference", _draw_difference, _ask_difference),
        Template("total", _draw_total, _ask_total),
        Template("extreme", _draw_highest, _ask_highest),
        Template("extreme-label", _draw_where, _ask_where),
        Template("comparison", _draw_compare, _ask_compare),
        Template("count", _draw_count, _ask_count),
        Template("any", _draw_any, _ask_any),
        Template("trend", _draw_trend, _ask_trend),
        Template("both", _draw_both, _ask_both),
        Template("conditional", _draw_if, _ask_if),
    )
}


def draw(name: str, world: ChartWorld, stream: Stream) -> Expression | None:
    """A program of a family that has an answer on the world; None where the family does not fit it."""
    for _ in range(8):
        program = TEMPLATES[name].draw(world, stream)
        if program is not None and not isinstance(execute(program, grid(world)), Undefined):
            return program
    return None


def wordings(world: ChartWorld, program: Expression) -> tuple[str, ...]:
    """Every question that asks for a program on a world."""
    return tuple(text for template in TEMPLATES.values() for text in template.wordings(world, program))


def template_of(world: ChartWorld, program: Expression) -> str:
    """The family a program was drawn from; empty when it is of none."""
    return next((name for name, template in TEMPLATES.items() if template.wordings(world, program)), "")
