"""Word problems over a table, read as programs: patterns of school-book questions, as they are asked in TabMWP.

Reading is strict: a question that fits no pattern, or that leaves open which row or column it means, gives no
program. Nothing is looked at but the words and the table's names and formats; whether the program gives the answer
that the source states is for others to check.

Source of the questions: "Dynamic Prompt Learning via Policy Gradient for Semi-structured Mathematical Reasoning"
(TabMWP); the patterns and programs are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from answerable.domains.table.cells import Field
from answerable.domains.table.conditions import MOST_SEARCHED, search
from answerable.domains.table.world import TableWorld, numeric
from answerable.logic.program import (
    Aggregate,
    Cells,
    Column,
    Compare,
    Difference,
    Everything,
    Expression,
    Extreme,
    ExtremeLabel,
    If,
    Label,
    Lookup,
    Number,
    Product,
    Rank,
    Ratio,
    Sum,
)

_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3}){1,4}(?:\.[0-9]{1,9})?|[0-9]{1,12}(?:\.[0-9]{1,9})?"
_ORDERS: tuple[tuple[str, ...], ...] = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"),
)  # fmt: skip
_MOST = r"highest|greatest|largest|most|biggest"
_LEAST = r"lowest|least|smallest|fewest"


def number(text: str) -> Fraction:
    """A number of a question, matched by ``_NUMBER``."""
    return Fraction(text.replace(",", ""))


def plain(text: str) -> str:
    """Lower case, one space between words, no quotation marks of either kind."""
    return " ".join(text.casefold().replace("\u2019", "'").split())


def _stem(label: str) -> str:
    """A label without its article, as a sentence may give it another."""
    return re.sub(r"^(?:an?|the) ", "", plain(label))


def mentions(question: str, label: str) -> bool:
    """Whether a question names a label, as whole words, in any case."""
    return bool(_places(plain(question), _stem(label)))


def _places(text: str, name: str) -> list[tuple[int, int]]:
    if not name:
        return []
    pattern = rf"(?<![\w$]){re.escape(name)}(?![\w%])"
    return [match.span() for match in re.finditer(pattern, text)]


def named(question: str, labels: tuple[str, ...]) -> list[str]:
    """The labels that a question names, in its order; a longer label wins over one that is part of it."""
    text, taken, found = plain(question), list[tuple[int, int]](), list[tuple[int, str]]()
    for label in sorted(labels, key=lambda name: -len(_stem(name))):
        free = [
            (start, end)
            for start, end in _places(text, _stem(label))
            if all(end <= one or start >= other for one, other in taken)
        ]
        taken += free
        if free:
            found.append((free[0][0], label))
    return [label for _, label in sorted(found)]


def _only(world: TableWorld) -> Field | None:
    """The table's one column of numbers."""
    fields = [field for field in numeric(world) if field.kind != "time"]
    return fields[0] if len(fields) == 1 else None


def _meant(world: TableWorld, text: str) -> Field | None:
    """The column of numbers that a question means: the one it names, or the only one there is."""
    fields = {field.name: field for field in numeric(world) if field.kind != "time"}
    found = named(text, tuple(fields))
    if len(found) == 1:
        return fields[found[0]]
    return _only(world) if not found else None


def _cell(row: str, field: Field) -> Lookup:
    return Lookup(series=row, position=field.name)


def _summary(text: str, world: TableWorld) -> Expression | None:
    """Mean and range of all numbers."""
    match = re.search(r"what is the (mean|range) of the numbers\?$", text)
    field = _only(world)
    if match is None or field is None:
        return None
    over = Column(position=field.name)
    if match[1] == "mean":
        return Aggregate(function="mean", over=over)
    return Difference(left=Extreme(rank="highest", over=over), right=Extreme(rank="lowest", over=over))


def _market(text: str, world: TableWorld) -> Expression | None:
    """Shortage or surplus at a price."""
    match = re.search(rf"at a price of (\$(?:{_NUMBER})), is there a shortage or a surplus\?$", text)
    demanded = [field for field in numeric(world) if "demanded" in plain(field.name)]
    supplied = [field for field in numeric(world) if "supplied" in plain(field.name)]
    if match is None or len(demanded) != 1 or len(supplied) != 1 or match[1] not in world.rows:
        return None
    one, other = _cell(match[1], demanded[0]), _cell(match[1], supplied[0])
    return _by_size(one, other, "shortage", "surplus")


def _by_size(one: Expression, other: Expression, first: str, second: str) -> Expression:
    """``first`` where one is more, ``second`` where the other is, ``neither`` where they are equal."""
    return If(
        condition=Compare(operator=">", left=one, right=other),
        then=Label(text=first),
        otherwise=If(
            condition=Compare(operator=">", left=other, right=one),
            then=Label(text=second),
            otherwise=Label(text="neither"),
        ),
    )


def _basket(text: str, world: TableWorld, field: Field) -> Expression | None:
    """What a list of things to buy costs: each once, or as many (pounds) as the question says before its name.

    The whole list must be understood, or nothing is.
    """
    stems = {_stem(row): row for row in world.rows}
    names = "|".join(re.escape(stem) for stem in sorted(stems, key=len, reverse=True))
    item = rf"(an?|one|the|{_NUMBER}) (?:(?:pounds?|kilograms?|lbs?|kg) of )?(?:the )?({names})s?(?!\w)"
    clause = re.search(rf"\b(?:buy|buys|bought) ({item}(?:(?:,| and|, and) {item})*)(?=[?.,]|$)", text)
    if clause is None or len(stems) != len(world.rows):
        return None
    items: list[Expression] = []
    for count, stem in re.findall(item, clause[1]):
        one, many = _cell(stems[stem], field), number(count) if count[0].isdigit() else Fraction(1)
        items.append(one if many == 1 else Product(items=(Number(value=many), one)))
    return items[0] if len(items) == 1 else Sum(items=tuple(items))


def _buying(text: str, world: TableWorld) -> Expression | None:
    """What a purchase costs, leaves over, or whether the money is enough."""
    field, money = _only(world), re.search(rf"has \$({_NUMBER})(?!\d)", text)
    basket = _basket(text, world, field) if field is not None and field.kind == "money" else None
    if basket is None:
        return None
    if money is not None and re.search(r"does (?:s?he|\w+) have enough to buy ", text):
        return Compare(operator=">=", left=Number(value=number(money[1])), right=basket)
    if money is not None and re.search(r"how much money will \w+ have left if ", text):
        return Difference(left=Number(value=number(money[1])), right=basket)
    if money is None and re.search(
        r"how much (?:money does \w+ need to buy|did s?he spend|will s?he spend|did \w+ spend|will \w+ spend)", text
    ):
        return basket
    return None


def _dearer(text: str, world: TableWorld) -> Expression | None:
    """By how much one thing costs more than another."""
    field, rows = _only(world), named(text, world.rows)
    if field is None or len(rows) != 2 or not re.search(r"how much more does .+ cost than .+\?$", text):
        return None
    return Difference(left=_cell(rows[0], field), right=_cell(rows[1], field))


def _more(text: str, world: TableWorld) -> Expression | None:
    """How many more of something one row has than another."""
    match = re.search(r"how many more (.+?) (?:are|is|were|was|did|does|do|have|has) .+ than .+\?$", text)
    if match is None:
        return None
    field, rows = _meant(world, text), named(text, world.rows)
    if field is None or len(rows) != 2:
        return None
    return Difference(left=_cell(rows[0], field), right=_cell(rows[1], field))


def _rate(text: str, world: TableWorld) -> Expression | None:
    """Change from one day, month or year to a later one, by its length in those units."""
    match = re.search(r"what was the rate of change between (\S+) and (\S+)\?$", text)
    field, rows = _only(world), named(text[match.start() :], world.rows) if match else []
    if match is None or field is None or len(rows) != 2:
        return None
    span = _span(*rows)
    if span is None or span <= 0:
        return None
    change = Difference(left=_cell(rows[1], field), right=_cell(rows[0], field))
    return change if span == 1 else Ratio(left=change, right=Number(value=span))


def _span(one: str, other: str) -> Fraction | None:
    """From one label to another: numbers, or days or months of one week or year."""
    if re.fullmatch(r"[0-9]{1,6}", one) and re.fullmatch(r"[0-9]{1,6}", other):
        return Fraction(int(other) - int(one))
    for order in _ORDERS:
        if plain(one) in order and plain(other) in order:
            return Fraction(order.index(plain(other)) - order.index(plain(one)))
    return None


def _extreme(text: str, world: TableWorld) -> Expression | None:
    """Who or when has the most or the least."""
    ask = r"(?:who|which \w+|(?:on|in|at|during) which \w+)"
    match = re.search(rf"{ask} [^?.]*?\b(?:the )?({_MOST}|{_LEAST})\b[^?]*\?$", text)
    field = _meant(world, text[match.start() :]) if match else None
    if match is None or field is None or len(named(text[match.start() :], world.rows)) > 0:
        return None
    rank: Rank = "highest" if re.fullmatch(_MOST, match[1]) else "lowest"
    return ExtremeLabel(rank=rank, over=Column(position=field.name))


def _either(text: str, world: TableWorld) -> Expression | None:
    """Which of two rows has more or fewer."""
    match = re.search(r"which \w+ [^?]*?\b(more|fewer|less)\b[^?]*, (.+) or (.+)\?$", text)
    rows = named(text[match.start(2) :], world.rows) if match else []
    field = _meant(world, text[match.start() : match.start(2)]) if match else None
    if match is None or field is None or len(rows) != 2:
        return None
    one, other = (_cell(row, field) for row in rows)
    return _by_size(one, other, *rows) if match[1] == "more" else _by_size(other, one, *rows)


def _magnitude(cell: Lookup) -> Expression:
    zero = Number(value=Fraction(0))
    negative = Compare(operator="<", left=cell, right=zero)
    return If(condition=negative, then=Difference(left=zero, right=cell), otherwise=cell)


def _absolute(text: str, world: TableWorld) -> Expression | None:
    """Which of two is nearer to zero, or changed more."""
    nearer = re.search(r"(?:closest to zero|closer to zero|closer to sea level)\?$", text)
    farther = re.search(r"(?:change more|changed more|greater change in \w+)\?$", text)
    field = _only(world)
    if field is None or len(world.rows) != 2 or (nearer is None) == (farther is None):
        return None
    one, other = (_magnitude(_cell(row, field)) for row in world.rows)
    return _by_size(one, other, *(world.rows if farther else reversed(world.rows)))


def _function(text: str, world: TableWorld) -> Expression | None:
    """Whether three points lie on a line; the first column, which labels the rows, is x."""
    field = _only(world)
    if field is None or not text.endswith("is the function linear or nonlinear?") or len(world.rows) != 3:
        return None
    if not all(re.fullmatch(r"-?[0-9]{1,9}", row) for row in world.rows) or len(set(world.rows)) != 3:
        return None
    xs = [Fraction(row) for row in world.rows]
    ys = [_cell(row, field) for row in world.rows]
    rates = [
        Ratio(left=Difference(left=ys[place + 1], right=ys[place]), right=Number(value=xs[place + 1] - xs[place]))
        for place in range(2)
    ]
    same = Compare(operator="==", left=rates[0], right=rates[1])
    return If(condition=same, then=Label(text="linear"), otherwise=Label(text="nonlinear"))


_VERBS = {"begin": "begin", "start": "begin", "end": "end", "arrive": "arrive", "depart": "depart", "leave": "depart"}


def _schedule(text: str, world: TableWorld) -> Expression | None:
    """What on a schedule begins, ends, arrives or departs at a time."""
    match = re.search(
        rf"(?:which \w+|at which \w+ does the \w+) ({'|'.join(_VERBS)})s? at ([0-9]{{1,2}})[.:]([0-9]{{2}}) "
        r"([ap])\.? ?m\.?\s*\?$",
        text,
    )
    if match is None or len(world.rows) > MOST_SEARCHED:
        return None
    fields = [field for field in world.fields if field.kind == "time" and plain(field.name) == _VERBS[match[1]]]
    if len(fields) != 1:
        return None
    minutes = Fraction(int(match[2]) % 12 * 60 + int(match[3]) + (720 if match[4] == "p" else 0))
    return search(world, fields[0].name, minutes)


def _frequency(text: str, world: TableWorld) -> Expression | None:
    """How many are in the rows of a frequency table whose number is in a range."""
    match = re.search(
        r"how many [^?]*?\b(exactly|fewer than|less than|more than|at least|at most) ([0-9]{1,6})\b[^?]*\?$", text
    )
    field = _only(world)
    if match is None or field is None or plain(field.name) != "frequency":
        return None
    if not all(re.fullmatch(r"[0-9]{1,6}", row) for row in world.rows):
        return None
    bound = int(match[2])
    keeps: dict[str, Callable[[int], bool]] = {
        "exactly": lambda value: value == bound,
        "fewer than": lambda value: value < bound,
        "less than": lambda value: value < bound,
        "more than": lambda value: value > bound,
        "at least": lambda value: value >= bound,
        "at most": lambda value: value <= bound,
    }
    rows = [row for row in world.rows if keeps[match[1]](int(row))]
    if not rows:
        return None
    return Aggregate(function="sum", over=Cells(cells=tuple((row, field.name) for row in rows)))


def _share(text: str, world: TableWorld) -> Expression | None:
    """The share of one cell: of a two-way table, or of its column."""
    if re.search(r"what is the probability that a randomly selected .+\? simplify any fractions\.$", text):
        rows = named(text[text.rindex("what is the probability") :], world.rows)
        names = tuple(field.name for field in numeric(world))
        columns = named(text[text.rindex("what is the probability") :], names)
        if len(rows) != 1 or len(columns) != 1 or len(names) != len(world.fields):
            return None
        everything = Aggregate(function="sum", over=Everything())
        return Ratio(left=Lookup(series=rows[0], position=columns[0]), right=everything)
    match = re.search(r"what fraction of .+\? simplify your answer\.$", text)
    field, rows = _only(world), named(text[match.start() :], world.rows) if match else []
    if match is None or field is None or len(rows) != 1:
        return None
    return Ratio(left=_cell(rows[0], field), right=Aggregate(function="sum", over=Column(position=field.name)))


_PATTERNS = (
    _summary, _market, _buying, _dearer, _more, _rate, _either, _extreme, _absolute, _function, _schedule, _frequency,
    _share,
)  # fmt: skip


def read_problem(question: str, world: TableWorld) -> Expression | None:
    """The program that a word problem asks for; None where it fits no pattern, or several that differ."""
    if len(question) > 2000:
        return None
    text = plain(question)
    try:
        found = [program for pattern in _PATTERNS if (program := pattern(text, world)) is not None]
    except ValueError:
        return None  # a program beyond the bounds of size: a table of too many rows
    return found[0] if found and all(program == found[0] for program in found) else None
