"""Question templates: a typed program and the wordings that ask for it, of our own.

A template draws programs for a table and knows every wording of a program it drew, so that whoever has a question
and a program can check that the one asks for the other. A question is asked as the table shows its values.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from answerable.core.seeds import Stream
from answerable.domains.table import conditions
from answerable.domains.table.cells import Field
from answerable.domains.table.wording import (
    COLUMN,
    EXACT,
    LABEL,
    SIGN,
    amount,
    cell_field,
    numbers,
    quoted,
    under,
)  # fmt: skip
from answerable.domains.table.world import TableWorld, alike, field_of, grid, numeric, value_at
from answerable.logic.direct import execute
from answerable.logic.program import (
    Aggregate,
    Column,
    Difference,
    Expression,
    Extreme,
    ExtremeLabel,
    Lookup,
    Rank,
    Row,
    Undefined,
)

RANKS: tuple[Rank, ...] = ("highest", "lowest", "second highest")


class Template(msgspec.Struct, frozen=True):
    """One family of questions."""

    name: str
    draw: Callable[[TableWorld, Stream], Expression | None]
    """A program for the table, or None where it has none of this kind."""
    wordings: Callable[[TableWorld, Expression], tuple[str, ...]]
    """Every way to ask for a program; empty when it is not of this family."""


def _draw_lookup(world: TableWorld, stream: Stream) -> Expression | None:
    fields = numbers(world)
    return Lookup(series=stream.pick(world.rows), position=stream.pick(fields).name) if fields else None


def _ask_lookup(world: TableWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Lookup):
        return ()
    field = cell_field(world, (program.series, program.position))
    if field is None or field.kind == "time":
        return ()
    row, column = quoted(program.series), quoted(program.position)
    texts: tuple[str, ...] = (
        f"Which value does the table list for {row}?",
        f"Read the table: what is listed for {row}?",
    )
    if world.header:
        texts = (
            f"In the row {row}, which value is in the column {column}?",
            f"What does the table give for {row} under {column}?",
            f"Read the table: which value of {column} does {row} have?",
            f"Which value stands under {column} in the row {row}?",
        )
    return tuple(text + amount(field) for text in texts)


def _draw_difference(world: TableWorld, stream: Stream) -> Expression | None:
    """Two rows of one column; for times, the end and the beginning of one row."""
    times = [field for field in numeric(world) if field.kind == "time"]
    fields = numbers(world)
    if len(times) > 1 and (not fields or stream.below(2)):
        row, (early, late) = stream.pick(world.rows), times[:2]
        return Difference(
            left=Lookup(series=row, position=late.name), right=Lookup(series=row, position=early.name)
        )  # fmt: skip
    if len(world.rows) < 2 or not fields:
        return None
    field, (one, other) = stream.pick(fields), stream.sample(world.rows, 2)
    if value_at(world, (one, field.name)) < value_at(world, (other, field.name)):
        one, other = other, one
    return Difference(left=Lookup(series=one, position=field.name), right=Lookup(series=other, position=field.name))


def _ask_difference(world: TableWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Difference):
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Lookup) or not isinstance(right, Lookup):
        return ()
    field = cell_field(world, (left.series, left.position))
    other = cell_field(world, (right.series, right.position))
    if field is None or other is None:
        return ()
    if left.series == right.series and field.kind == other.kind == "time":
        row, late, early = quoted(left.series), quoted(left.position), quoted(right.position)
        return (
            f"For {row}, how many minutes after {early} is {late}? {SIGN}",
            f"How many minutes pass from {early} to {late} for {row}? {SIGN}",
        )
    if left.position != right.position or field.kind == "time":
        return ()
    one, two, of = quoted(left.series), quoted(right.series), under(world, field.name)
    return (
        f"Subtract the value of {two}{of} from that of {one}. What is the result? {SIGN}{amount(field)}",
        f"By how much does {one} exceed {two}{of}? {SIGN}{amount(field)}",
    )


def _along_row(world: TableWorld) -> list[Field]:
    """The columns that a row can be summed up over: numbers of one sort, and nothing else is a number."""
    fields = numbers(world)
    return fields if len(fields) > 1 and len(fields) == len(numeric(world)) and alike(fields) else []


def _line(world: TableWorld, stream: Stream) -> Row | Column | None:
    """A whole row or column of numbers."""
    fields, across = numbers(world), _along_row(world)
    if across and stream.below(2):
        return Row(series=stream.pick(world.rows))
    return Column(position=stream.pick(fields).name) if fields and len(world.rows) > 1 else None


def _line_field(world: TableWorld, over: object) -> Field | None:
    """The column whose format a row or column of values has; None when it is not one of ours."""
    if isinstance(over, Column):
        field = field_of(world, over.position)
        return field if field is not None and field.numeric and field.kind != "time" else None
    across = _along_row(world)
    return across[0] if isinstance(over, Row) and across and over.series in world.rows else None


def _of(world: TableWorld, over: Row | Column) -> str:
    """Where the values of a line stand."""
    if isinstance(over, Column):
        return f"in the column {quoted(over.position)}" if world.header else "in the table"
    return f"in the row {quoted(over.series)}"


def _draw_total(function: str) -> Callable[[TableWorld, Stream], Expression | None]:
    def draw(world: TableWorld, stream: Stream) -> Expression | None:
        over = _line(world, stream)
        field = _line_field(world, over)
        if over is None or field is None or (function == "sum" and field.kind == "percent"):
            return None
        return Aggregate(function="sum" if function == "sum" else "mean", over=over)

    return draw


def _ask_total(function: str) -> Callable[[TableWorld, Expression], tuple[str, ...]]:
    def ask(world: TableWorld, program: Expression) -> tuple[str, ...]:
        if not isinstance(program, Aggregate) or program.function != function or program.where is not None:
            return ()
        over = program.over
        field = _line_field(world, over)
        if field is None or not isinstance(over, Row | Column):
            return ()
        word = "sum" if function == "sum" else "arithmetic mean"
        end = amount(field) if function == "sum" else f" {EXACT}{amount(field)}"
        return (
            f"What is the {word} of all values {_of(world, over)}?{end}",
            f"Take every value {_of(world, over)}: what is their {word}?{end}",
        )

    return ask


def _draw_extreme(world: TableWorld, stream: Stream) -> Expression | None:
    over = _line(world, stream)
    return Extreme(rank=stream.pick(RANKS), over=over) if over is not None else None


def _ask_extreme(world: TableWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, Extreme) or not isinstance(program.over, Row | Column):
        return ()
    field = _line_field(world, program.over)
    if field is None:
        return ()
    of = _of(world, program.over)
    return (
        f"What is the {program.rank} value {of}?{amount(field)}",
        f"Of all values {of}, which is the {program.rank}?{amount(field)}",
    )


def _draw_label(world: TableWorld, stream: Stream) -> Expression | None:
    if _along_row(world) and stream.below(3) == 0:
        return ExtremeLabel(rank=stream.pick(RANKS), over=Row(series=stream.pick(world.rows)))
    fields = numbers(world, times=True)
    if not fields or len(world.rows) < 2:
        return None
    return ExtremeLabel(rank=stream.pick(RANKS), over=Column(position=stream.pick(fields).name))


def _ask_label(world: TableWorld, program: Expression) -> tuple[str, ...]:
    if not isinstance(program, ExtremeLabel):
        return ()
    over, rank = program.over, str(program.rank)
    if isinstance(over, Row):
        if _line_field(world, over) is None:
            return ()
        return (
            f"In which column does the row {quoted(over.series)} have its {rank} value? {COLUMN}",
            f"Where along the row {quoted(over.series)} is the {rank} value? {COLUMN}",
        )
    field = field_of(world, over.position)
    if field is None or not field.numeric:
        return ()
    if field.kind == "time":
        rank = rank.replace("highest", "latest").replace("lowest", "earliest")
    of = under(world, field.name)
    kind = f"{quoted(world.corner)} entry" if world.corner and world.header else "row"
    return (
        f"Which {kind} has the {rank} {'time' if field.kind == 'time' else 'value'}{of}? {LABEL}",
        f"Which row of the table is {rank}{of}? {LABEL}",
    )


TEMPLATES: dict[str, Template] = {
    template.name: template
    for template in (
        Template("look-up", _draw_lookup, _ask_lookup),
        Template("difference", _draw_difference, _ask_difference),
        Template("sum", _draw_total("sum"), _ask_total("sum")),
        Template("mean", _draw_total("mean"), _ask_total("mean")),
        Template("extreme", _draw_extreme, _ask_extreme),
        Template("extreme-label", _draw_label, _ask_label),
        Template("comparison", conditions.draw_compare, conditions.ask_compare),
        Template("count", conditions.draw_count, conditions.ask_count),
        Template("any", conditions.draw_any, conditions.ask_any),
        Template("trend", conditions.draw_trend, conditions.ask_trend),
        Template("both", conditions.draw_both, conditions.ask_both),
        Template("conditional", conditions.draw_if, conditions.ask_if),
        Template("find", conditions.draw_find, conditions.ask_find),
    )
}


def draw(name: str, world: TableWorld, stream: Stream) -> Expression | None:
    """A program of a family that has an answer on the table; None where the family does not fit it."""
    for _ in range(8):
        program = TEMPLATES[name].draw(world, stream)
        if program is not None and not isinstance(execute(program, grid(world)), Undefined):
            return program
    return None


def wordings(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Every question that asks for a program on a table."""
    return tuple(text for template in TEMPLATES.values() for text in template.wordings(world, program))


def template_of(world: TableWorld, program: Expression) -> str:
    """The family a program was drawn from; empty when it is of none."""
    return next((name for name, template in TEMPLATES.items() if template.wordings(world, program)), "")
