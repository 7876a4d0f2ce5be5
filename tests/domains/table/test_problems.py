"""Word problems read as programs: strict patterns, and nothing where words leave something open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec
import pytest

from answerable.core.codec import answer_text
from answerable.domains.table.cells import Field
from answerable.domains.table.problems import mentions, named, read_problem
from answerable.domains.table.world import TableWorld, grid
from answerable.logic.direct import execute
from answerable.logic.program import Defined, Named, Truth
from tests.domains.table.make import UNITS, world


def table(rows: Mapping[str, tuple[str, ...]], *fields: Field, header: bool = True) -> TableWorld:
    """A table of numbers given as decimal texts."""
    return TableWorld(
        style="book-blue", title="", corner="Thing" if header else "", fields=fields, rows=tuple(rows),
        values=tuple(tuple(map(Fraction, line)) for line in rows.values()), header=header,
    )  # fmt: skip


def column(name: str, kind: str = "integer", **changes: object) -> Field:
    made = msgspec.structs.replace(UNITS, name=name, lower=Fraction(-10_000), upper=Fraction(100_000), **changes)
    return msgspec.structs.replace(made, kind=kind)


MONEY = column("Value", "money", decimals=2, prefix="$")
SHOP = table({"red kite": ("12.50",), "kite": ("8",), "glass marble": ("0.25",)}, MONEY, header=False)
COUNTS = table({"Amy": ("3",), "Ben": ("9",), "Cleo": ("6",)}, column("Number of shells"))
MARKET = table({"$10": ("500", "300"), "$20": ("400", "400"), "$30": ("300", "450")},
               column("Quantity demanded"), column("Quantity supplied"))  # fmt: skip
DAYS = table({"Monday": ("12",), "Tuesday": ("7",), "Friday": ("20",)}, column("Loaves"))
YEARS = table({"2001": ("12",), "2003": ("7",)}, column("Trees"))
CLASSES = table({"Ms. Hale": ("5", "16"), "Mr. Orr": ("6", "8")}, column("Boys"), column("Girls"))
COUNTRIES = table({"Peru": ("5", "7"), "Chad": ("9", "1"), "Fiji": ("6", "3")}, column("1990s"), column("2000s"))
SIGNED = table({"Top of the hill": ("-7",), "Harbour": ("5",)}, column("Change (m)"))
POINTS = table({"1": ("4",), "2": ("7",), "4": ("13",)}, column("y"))
FREQUENT = table({"0": ("4",), "1": ("7",), "2": ("5",)}, column("Frequency"))
TWO_WAY = table({"Small": ("2", "3"), "Large": ("4", "1")}, column("A red hat"), column("Blue"))
CHANCE = "What is the probability that a randomly selected person"
CLUBS = table(
    {"Chess": ("540", "600"), "Choir": ("600", "700")},
    column("Begin", "time", ), column("End", "time"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("made", "question", "answer"),
    [
        (COUNTS, "Some friends counted shells. What is the mean of the numbers?", "6"),
        (COUNTS, "Some friends counted shells. What is the range of the numbers?", "6"),
        (COUNTS, "Who had the highest count?", "Ben"),
        (COUNTS, "Which friend found the fewest shells?", "Amy"),
        (MARKET, "At a price of $10, is there a shortage or a surplus?", "shortage"),
        (MARKET, "At a price of $30, is there a shortage or a surplus?", "surplus"),
        (MARKET, "At a price of $20, is there a shortage or a surplus?", "neither"),
        (SHOP, "Ann has $20.75. Does she have enough to buy a red kite and a kite?", "yes"),
        (SHOP, "Ann has $20.00. Does she have enough to buy a red kite and a kite?", "no"),
        (SHOP, "Ann has $20.50. Does she have enough to buy a red kite and a kite?", "yes"),
        (SHOP, "Ann has $30. How much money will Ann have left if she buys a kite and a glass marble?", "21.75"),
        (SHOP, "How much more does a red kite cost than a glass marble?", "12.25"),
        (SHOP, "How much money does Ann need to buy a kite and a glass marble?", "8.25"),
        (SHOP, "How much money does Ann need to buy 6 glass marbles and a kite?", "9.5"),
        (SHOP, "Ann bought 2.5 pounds of kite. How much did she spend?", "20"),
        (DAYS, "According to the table, what was the rate of change between Monday and Tuesday?", "-5"),
        (DAYS, "According to the table, what was the rate of change between Tuesday and Friday?", "13/3"),
        (YEARS, "According to the table, what was the rate of change between 2001 and 2003?", "-2.5"),
        (CLASSES, "How many more girls are in Ms. Hale's class than Mr. Orr's class?", "8"),
        (COUNTRIES, "Which country won the most prizes in the 1990s?", "Chad"),
        (COUNTRIES, "Which country had more winners in the 2000s, Fiji or Peru?", "Peru"),
        (COUNTRIES, "Which country had fewer winners in the 2000s, Fiji or Peru?", "Fiji"),
        (SIGNED, "During which month did the level change more?", "Top of the hill"),
        (SIGNED, "Which place is closer to sea level?", "Harbour"),
        (POINTS, "The table shows a function. Is the function linear or nonlinear?", "linear"),
        (FREQUENT, "How many members planted fewer than 2 seeds?", "11"),
        (FREQUENT, "How many members planted at least 1 seed?", "12"),
        (FREQUENT, "How many members planted exactly 2 seeds?", "5"),
        (TWO_WAY, f"{CHANCE} bought a red hat and is large? Simplify any fractions.", "0.4"),
        (COUNTS, "What fraction of the shells were for Ben? Simplify your answer.", "0.5"),
        (CLUBS, "Look at the schedule. Which club ends at 10.00 A.M.?", "Chess"),
        (CLUBS, "Look at the schedule. Which club begins at 10:00 A.M.?", "Choir"),
        (CLUBS, "Look at the schedule. Which club begins at 10:05 A.M.?", "none"),
    ],
)  # fmt: skip
def test_a_problem_is_read(made: TableWorld, question: str, answer: str) -> None:
    program = read_problem(question, made)
    assert program is not None
    result = execute(program, grid(made))
    if isinstance(result, Truth):
        assert answer == ("yes" if result.value else "no")
    elif isinstance(result, Defined):
        assert answer == answer_text(result.value)
    else:
        assert result == Named(value=answer)


@pytest.mark.parametrize(
    ("made", "question"),
    [
        (COUNTS, "What is the mode of the numbers?"),
        (COUNTRIES, "What is the mean of the numbers?"),
        (COUNTRIES, "Which country won the most prizes?"),
        (MARKET, "At a price of $15, is there a shortage or a surplus?"),
        (SHOP, "Ann has $20.75. Does she have enough to buy a boat?"),
        (SHOP, "How much money does Ann need to buy several kites?"),
        (COUNTS, "Ann has $20. Does she have enough to buy Ben?"),
        (DAYS, "According to the table, what was the rate of change between Tuesday and Monday?"),
        (DAYS, "According to the table, what was the rate of change between Monday and Sunday?"),
        (SIGNED, "Which place is best?"),
        (COUNTS, "During which month did the level change more?"),
        (COUNTS, "The table shows a function. Is the function linear or nonlinear?"),
        (COUNTS, "How many members planted fewer than 2 seeds?"),
        (FREQUENT, "How many members planted fewer than 0 seeds?"),
        (TWO_WAY, f"{CHANCE} is large? Simplify any fractions."),
        (CLUBS, "When does Chess begin?"),
        (CLUBS, "Which club leaves at 10:00 A.M.?"),
        (COUNTS, ""),
        (COUNTS, "Who had the highest count?" + " " * 2001),
    ],
)
def test_what_is_not_plain_is_not_read(made: TableWorld, question: str) -> None:
    assert read_problem(question, made) is None


def test_a_nonlinear_function() -> None:
    bent = msgspec.structs.replace(POINTS, values=((Fraction(4),), (Fraction(7),), (Fraction(12),)))
    program = read_problem("The table shows a function. Is the function linear or nonlinear?", bent)
    assert program is not None
    assert execute(program, grid(bent)) == Named(value="nonlinear")


def test_names_are_whole_words_and_the_longer_one_wins() -> None:
    assert named("Does she buy a red kite and a kite?", SHOP.rows) == ["red kite", "kite"]
    assert named("Does she buy a kite and a red kite?", SHOP.rows) == ["kite", "red kite"]
    assert named("Does she buy a red kite?", SHOP.rows) == ["red kite"]
    assert named("kites", ("kite",)) == []
    assert mentions("Look at THE  Harbour now", "harbour")
    assert mentions("landed on a tent", "A tent")
    assert not mentions("harbourside", "Harbour")
    assert not mentions("costs $40", "40")


def test_a_large_table_is_no_reason_to_fail() -> None:
    rows = {f"row {index}": (str(index),) for index in range(28)}
    made = table(rows, column("End", "time"))
    assert read_problem("Which club ends at 10:00 A.M.?", made) is None
    assert read_problem("What is the mean of the numbers?", world()) is None
