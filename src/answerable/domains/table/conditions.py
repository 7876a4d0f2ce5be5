"""Question templates with a condition: comparisons, counts, "is any", trends, conditionals, and finding a row."""

from __future__ import annotations

from fractions import Fraction

from answerable.core.seeds import Stream
from answerable.domains.table.cells import Field
from answerable.domains.table.wording import (
    LABEL,
    YES_NO,
    amount,
    beyond,
    cell_field,
    limit_text,
    numbers,
    quoted,
    threshold,
    under,
)  # fmt: skip
from answerable.domains.table.world import TableWorld, field_of, value_at
from answerable.logic.program import (
    Aggregate,
    And,
    Column,
    Compare,
    Expression,
    If,
    Label,
    Lookup,
    Number,
    Operator,
    Trend,
    Where,
)  # fmt: skip

#: The answer of a search that finds no row, or several.
NONE = "none"
#: Rows of a table whose rows can be searched: the search is a chain of conditionals, and programs are of bounded depth.
MOST_SEARCHED = 24
_SIGNS: tuple[Operator, ...] = (">", "<")
_ZERO = Number(value=Fraction(0))


def _pair(world: TableWorld, stream: Stream) -> tuple[Lookup, Lookup] | None:
    """Two rows of one column."""
    fields = numbers(world, times=True)
    if not fields or len(world.rows) < 2:
        return None
    field, (one, other) = stream.pick(fields), stream.sample(world.rows, 2)
    return Lookup(series=one, position=field.name), Lookup(series=other, position=field.name)


def draw_compare(world: TableWorld, stream: Stream) -> Expression | None:
    """Whether one cell of a column is greater or less than another."""
    pair = _pair(world, stream)
    return None if pair is None else Compare(operator=stream.pick((">", "<")), left=pair[0], right=pair[1])


def ask_compare(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_compare``."""
    if not isinstance(program, Compare) or program.operator not in (">", "<"):
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Lookup) or not isinstance(right, Lookup) or left.position != right.position:
        return ()
    field = cell_field(world, (left.series, left.position))
    if field is None or cell_field(world, (right.series, right.position)) is None:
        return ()
    if field.kind == "time":
        word = beyond(field, program.operator)
    else:
        word = "greater than" if program.operator == ">" else "less than"
    one, other, of = quoted(left.series), quoted(right.series), under(world, field.name)
    return (
        f"Is the entry of {one}{of} {word} that of {other}? {YES_NO}",
        f"Compare {one} and {other}{of}: is the first {word} the second? {YES_NO}",
    )


def draw_count(world: TableWorld, stream: Stream) -> Expression | None:
    """How many cells of a column are beyond a threshold."""
    return _count(world, stream, none=False)


def _count(world: TableWorld, stream: Stream, *, none: bool) -> Expression | None:
    """A count; ``none`` for one that is zero, if there is one."""
    fields = numbers(world, times=True)
    if not fields:
        return None
    field, sign = stream.pick(fields), stream.pick(_SIGNS)
    than = threshold(world, field, stream, sign if none else "")
    if than is None:
        return None
    return Aggregate(function="count", over=Column(position=field.name), where=Where(operator=sign, than=than))


def _counted(world: TableWorld, program: Expression) -> tuple[Field, str, str] | None:
    """Column, word and threshold of a count."""
    if not isinstance(program, Aggregate) or program.function != "count" or not isinstance(program.over, Column):
        return None
    where, field = program.where, field_of(world, program.over.position)
    if field is None or not field.numeric or where is None or where.operator not in (">", "<"):
        return None
    if not isinstance(where.than, Number):
        return None
    return field, beyond(field, where.operator), limit_text(field, where.than.value)


def ask_count(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_count``."""
    found = _counted(world, program)
    if found is None:
        return ()
    field, word, limit = found
    of = f"in the column {quoted(field.name)}" if world.header else "in the table"
    return (
        f"How many entries {of} are {word} {limit}? Answer with a number.",
        f"Count the rows whose entry {of} is {word} {limit}. How many are there?",
    )


def draw_any(world: TableWorld, stream: Stream) -> Expression | None:
    """Whether any cell of a column is beyond a threshold."""
    count = _count(world, stream, none=stream.below(5) == 0)
    return Compare(operator=">", left=count, right=_ZERO) if count is not None else None


def ask_any(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_any``."""
    if not isinstance(program, Compare) or program.operator != ">" or program.right != _ZERO:
        return ()
    found = _counted(world, program.left)
    if found is None:
        return ()
    field, word, limit = found
    of = f"in the column {quoted(field.name)}" if world.header else "in the table"
    return (
        f"Is any entry {of} {word} {limit}? {YES_NO}",
        f"Does at least one row have an entry {of} that is {word} {limit}? {YES_NO}",
    )


def draw_trend(world: TableWorld, stream: Stream) -> Expression | None:
    """Whether a column rises (falls) from row to row."""
    fields = numbers(world, times=True)
    if not fields or len(world.rows) < 3:
        return None
    trend = Trend(over=Column(position=stream.pick(fields).name))
    return Compare(operator="==", left=trend, right=Label(text=stream.pick(("increasing", "decreasing"))))


def ask_trend(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_trend``."""
    if not isinstance(program, Compare) or program.operator != "==":
        return ()
    left, right = program.left, program.right
    if not isinstance(left, Trend) or not isinstance(left.over, Column) or not isinstance(right, Label):
        return ()
    field = field_of(world, left.over.position)
    if field is None or not field.numeric or right.text not in ("increasing", "decreasing"):
        return ()
    rises = right.text == "increasing"
    more, less = ("later", "earlier") if field.kind == "time" else ("higher", "lower")
    word = more if rises else less
    of = f"in the column {quoted(field.name)}" if world.header else "in the table"
    return (
        f"Read from top to bottom: is every entry {of} {word} than the one right above it? {YES_NO}",
        f"From one row to the next, does each entry {of} get {word}? {YES_NO}",
    )


def _limited(world: TableWorld, program: Expression) -> tuple[Lookup, Field, str] | None:
    """Cell, column and condition of a comparison with a number."""
    if not isinstance(program, Compare) or program.operator not in (">", "<"):
        return None
    left, right = program.left, program.right
    if not isinstance(left, Lookup) or not isinstance(right, Number):
        return None
    field = cell_field(world, (left.series, left.position))
    if field is None:
        return None
    return left, field, f"{beyond(field, program.operator)} {limit_text(field, right.value)}"


def draw_both(world: TableWorld, stream: Stream) -> Expression | None:
    """Whether two cells of a column are each beyond a threshold."""
    pair = _pair(world, stream)
    field = field_of(world, pair[0].position) if pair is not None else None
    if pair is None or field is None:
        return None
    items = []
    for cell in pair:
        than = threshold(world, field, stream)
        if than is None:
            return None
        items.append(Compare(operator=stream.pick((">", "<")), left=cell, right=than))
    return And(items=tuple(items))


def ask_both(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_both``."""
    if not isinstance(program, And) or len(program.items) != 2:
        return ()
    one, other = _limited(world, program.items[0]), _limited(world, program.items[1])
    if one is None or other is None or one[1] != other[1]:
        return ()
    of = under(world, one[1].name)
    first, second = f"{quoted(one[0].series)} {one[2]}", f"{quoted(other[0].series)} {other[2]}"
    return (f"Look at the entries{of}: is that of {first}, and also that of {second}? {YES_NO}",)


def draw_if(world: TableWorld, stream: Stream) -> Expression | None:
    """One of two cells, by a condition on a third."""
    fields = numbers(world)
    if not fields or len(world.rows) < 4:
        return None
    field = stream.pick(fields)
    tested, one, other = (Lookup(series=row, position=field.name) for row in stream.sample(world.rows, 3))
    than = threshold(world, field, stream)
    if than is None:
        return None
    return If(condition=Compare(operator=">", left=tested, right=than), then=one, otherwise=other)


def ask_if(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_if``."""
    if not isinstance(program, If) or not isinstance(program.then, Lookup) or not isinstance(program.otherwise, Lookup):
        return ()
    tested = _limited(world, program.condition)
    one, other = program.then, program.otherwise
    if tested is None or {one.position, other.position} != {tested[1].name} or tested[1].kind == "time":
        return ()
    if any(cell_field(world, (cell.series, cell.position)) is None for cell in (one, other)):
        return ()
    of = under(world, tested[1].name)
    text = (
        f"Look at the entries{of}. If that of {quoted(tested[0].series)} is {tested[2]}, give that of "
        f"{quoted(one.series)}; if not, give that of {quoted(other.series)}."
    )
    return (text + amount(tested[1]),)


def search(world: TableWorld, name: str, wanted: Fraction) -> Expression:
    """The label of the one row whose cell in a column has a value; ``none`` where no row or several do."""
    than = Number(value=wanted)
    chain: Expression = Label(text=NONE)
    for row in reversed(world.rows):
        here = Compare(operator="==", left=Lookup(series=row, position=name), right=than)
        chain = If(condition=here, then=Label(text=row), otherwise=chain)
    count = Aggregate(function="count", over=Column(position=name), where=Where(operator="==", than=than))
    one = Compare(operator="==", left=count, right=Number(value=Fraction(1)))
    return If(condition=one, then=chain, otherwise=Label(text=NONE))


def searched(world: TableWorld, program: Expression) -> tuple[Field, Fraction] | None:
    """Column and value of a search; None when the program is not exactly one over all rows."""
    if not isinstance(program, If) or not isinstance(program.condition, Compare):
        return None
    count = program.condition.left
    if not isinstance(count, Aggregate) or not isinstance(count.over, Column) or count.where is None:
        return None
    field, than = field_of(world, count.over.position), count.where.than
    if field is None or not isinstance(than, Number) or len(world.rows) > MOST_SEARCHED:
        return None
    return (field, than.value) if search(world, field.name, than.value) == program else None


def draw_find(world: TableWorld, stream: Stream) -> Expression | None:
    """The row with a given entry."""
    fields = numbers(world, times=True)
    if not fields or not 2 <= len(world.rows) <= MOST_SEARCHED or NONE in world.rows:
        return None
    field = stream.pick(fields)
    entries = [value_at(world, (row, field.name)) for row in world.rows]
    once = [value for value in entries if entries.count(value) == 1]
    return search(world, field.name, stream.pick(once)) if once else None


def ask_find(world: TableWorld, program: Expression) -> tuple[str, ...]:
    """Wordings of ``draw_find``."""
    found = searched(world, program)
    if found is None:
        return ()
    field, value = found
    end = f"{LABEL} If no row does, or more than one, answer none."
    return (
        f"Which row has {limit_text(field, value)}{under(world, field.name)}? {end}",
        f"Look for {limit_text(field, value)}{under(world, field.name)}: which row has it? {end}",
    )
