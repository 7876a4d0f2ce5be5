"""Multiple-choice questions made by hand on charts, for tests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from answerable.build.choice_bases import Drawn, answer_on
from answerable.build.choice_chart import ChartBase
from answerable.core.records import SETTINGS, Problem
from answerable.domains.chart.templates import wordings
from answerable.domains.chart.world import ChartWorld, grid
from answerable.domains.choice.states import Asked, Request, make_group
from answerable.domains.draft import Draft
from answerable.logic.program import Aggregate, Compare, Expression, ExtremeLabel, Lookup, Number, Row, Where
from tests.domains.chart.make import world

LOOK_UP = Lookup(series="Łódź", position="2021")
WHERE = ExtremeLabel(rank="highest", over=Row(series="Łódź"))
GREATER = Compare(
    operator=">", left=Lookup(series="Łódź", position="2019"), right=Lookup(series="Zürich", position="2019")
)
COUNT = Aggregate(function="count", over=Row(series="Łódź"), where=Where(operator=">", than=Number(value=Fraction(18))))
#: Options for each program; the answers are 25, 2021, no and 3.
OPTIONS = {
    LOOK_UP: ("15", "25", "20", "45"),
    WHERE: ("2021", "2020", "2019"),
    GREATER: ("Yes", "No"),
    COUNT: ("3", "4", "2", "1"),
}
#: What IASD offers instead.
OFFERED = {
    LOOK_UP: ("Herring", "Cod", "Sole"),
    WHERE: ("193", "136.5", "257"),
    GREATER: ("Herring", "Cod", "Sole"),
    COUNT: ("Herring", "Cod", "Sole"),
}


def sharp(rows: int = 2) -> ChartWorld:
    """A chart whose first line has one highest value."""
    made = world(rows=rows)
    values = tuple(Fraction(value) for value in (15, 20, 25, 10, 20))
    return msgspec.structs.replace(made, values=(values, *made.values[1:]))


def other(**changes: Any) -> ChartWorld:
    """Another chart, without anything that the first one names."""
    named = {"series": ("Herring", "Cod"), "positions": ("Vigo", "Bergen", "Hull", "Brest", "Gdynia")}
    return msgspec.structs.replace(sharp(), **(named | changes))


def asked(
    program: Expression = LOOK_UP,
    options: tuple[str, ...] | None = None,
    *,
    full: ChartWorld | None = None,
    instead: ChartWorld | None = None,
) -> Asked:
    """A question on a chart."""
    shown = full or sharp()
    answer = answer_on(program, grid(shown))
    assert answer is not None
    drawn = Drawn(shown, program, wordings(shown, program)[0], answer, options or OPTIONS[program])
    made = ChartBase().asked(drawn, instead, "skia")
    assert isinstance(made, Asked)
    return made


def request(problem: Problem = "AAD", program: Expression = LOOK_UP, **changes: Any) -> Request:
    """What to make of it."""
    made = Request(
        source=f"chart-{problem.lower()}",
        figure="figure",
        split="test",
        problem=problem,
        settings=SETTINGS,
        names=("by hand", 0),
        offered=OFFERED[program] if problem == "IASD" else (),
    )
    return msgspec.structs.replace(made, **changes)


def draft(problem: Problem = "AAD", program: Expression = LOOK_UP, **changes: Any) -> Draft:
    """A sound group."""
    instead = other() if problem == "IVQD" else None
    made = make_group(asked(program, instead=instead), request(problem, program, **changes))
    assert isinstance(made, Draft), made
    return made
