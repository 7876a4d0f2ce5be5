"""Tables made by hand, for tests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from answerable.core.records import Refusal
from answerable.domains.draft import Draft
from answerable.domains.table.cells import Field
from answerable.domains.table.states import Request, make_group
from answerable.domains.table.visibility import Appearance
from answerable.domains.table.world import TableWorld
from answerable.logic.program import Expression, Lookup

ROWS = ("Łódź", "Zürich", "Αθήνα", "Oslo", "Cork")
SECTION = Field(name="Section", kind="text", upper=Fraction(2), words=("north", "south", "harbour front"))
UNITS = Field(name="Units", kind="integer", upper=Fraction(2000))
PRICE = Field(name="Price", kind="money", upper=Fraction(100), decimals=2, prefix="$")
GROWTH = Field(name="Growth", kind="percent", lower=Fraction(-20), upper=Fraction(20), decimals=1, suffix="%")
OPENS = Field(name="Opens", kind="time", lower=Fraction(360), upper=Fraction(1380))
CLOSES = Field(name="Closes", kind="time", lower=Fraction(360), upper=Fraction(1435))
WEIGHT = Field(name="Weight", kind="decimal", upper=Fraction(50), decimals=1, measure="kg")
VALUES: dict[str, tuple[Fraction, ...]] = {
    "Section": tuple(map(Fraction, (0, 1, 2, 1, 0))),
    "Units": tuple(map(Fraction, (310, 767, 1224, 45, 1681))),
    "Price": tuple(Fraction(cents, 100) for cents in (1250, 1583, 916, 2249, 2582)),
    "Growth": tuple(Fraction(tenths, 10) for tenths in (-85, -45, 5, 35, 75)),
    "Opens": tuple(map(Fraction, (480, 575, 510, 540, 600))),
    "Closes": tuple(map(Fraction, (1020, 1080, 1140, 990, 1200))),
    "Weight": tuple(Fraction(tenths, 10) for tenths in (101, 154, 207, 260, 313)),
}


def world(*fields: Field, rows: int = 5, style: str = "ruled-plain", **changes: Any) -> TableWorld:
    """A whole table of up to five rows; by default of five columns of different kinds."""
    chosen = fields or (SECTION, UNITS, PRICE, GROWTH, OPENS)
    made = TableWorld(
        style=style,
        title="Market halls",
        corner="Hall",
        fields=chosen,
        rows=ROWS[:rows],
        values=tuple(tuple(VALUES[field.name][row] for field in chosen) for row in range(rows)),
    )
    return msgspec.structs.replace(made, **changes)


def lookup(row: str = "Zürich", column: str = "Units") -> Lookup:
    """A cell to look up."""
    return Lookup(series=row, position=column)


def request(
    program: Expression | None = None, seed: int = 0, appearance: Appearance = "patch", **changes: Any
) -> Request:
    """What to make of a table."""
    made = Request(
        source="by hand", figure="figure", split="test", program=program or lookup(), appearance=appearance,
        names=("by hand", seed),
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def draft(made: TableWorld | None = None, wanted: Request | None = None) -> Draft:
    """A group; an assertion says why there is none."""
    found = make_group(made or world(), wanted or request())
    assert not isinstance(found, Refusal), found
    return found


def refused(made: TableWorld, wanted: Request | None = None) -> Refusal:
    """Why there is no group."""
    found = make_group(made, wanted or request())
    assert isinstance(found, Refusal)
    return found
