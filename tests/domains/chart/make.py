"""Charts made by hand, for tests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import Family, family, rgb
from answerable.domains.chart.layout import scene
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.visibility import Appearance, Hide
from answerable.domains.chart.world import Axis, ChartWorld, Kind
from answerable.domains.draft import Draft
from answerable.logic.program import Lookup

COLOURS = ("#2f6db5", "#e1812c", "#3a923a")
POSITIONS = ("2019", "2020", "2021", "2022", "2023")


def world(kind: Kind = "vbar", *, rows: int = 2, labels: bool = True, **changes: Any) -> ChartWorld:
    """A whole chart of up to three series over five years, on an axis from 0 to 100 with gridlines every 5.

    Lines keep apart: series ``i`` stays around ``15 + 25 * i``.
    """
    values = tuple(
        tuple(Fraction(15 + 25 * row + 5 * ((row + column) % 3)) for column in range(len(POSITIONS)))
        for row in range(rows)
    )
    made = ChartWorld(
        kind=kind,
        title="Visitors by year",
        position_title="Year",
        value_title="Visitors",
        unit="",
        scale=1,
        decimals=0,
        series=("Łódź", "Zürich", "Αθήνα")[:rows],
        positions=POSITIONS,
        values=values,
        colours=COLOURS[:rows],
        axis=Axis(lower=Fraction(0), upper=Fraction(100), step=Fraction(20), minor=4),
        value_labels=labels,
    )
    return msgspec.structs.replace(made, **changes)


def request(cell: tuple[str, str] = ("Łódź", "2021"), appearance: Appearance = "patch", seed: int = 0) -> Request:
    """What to make of a world."""
    return Request(
        source="by hand",
        figure="figure",
        split="test",
        program=Lookup(series=cell[0], position=cell[1]),
        appearance=appearance,
        names=("by hand", seed),
    )


def draft(made: ChartWorld, wanted: Request | None = None, drawn: str = "skia") -> Draft:
    """A group; an assertion says why there is none."""
    found = make_group(made, wanted or request(), family(drawn))
    assert not isinstance(found, Refusal), found
    return found


def refused(made: ChartWorld, wanted: Request | None = None, drawn: str = "skia") -> Refusal:
    """Why there is no group."""
    found = make_group(made, wanted or request(), family(drawn))
    assert isinstance(found, Refusal)
    return found


def pixels(made: ChartWorld, hide: Hide | None = None, drawn: Family | str = "skia") -> NDArray[np.uint8]:
    """A world as a family draws it."""
    by = family(drawn) if isinstance(drawn, str) else drawn
    return by.render(scene(made, by.style, hide))


def same(image: NDArray[np.uint8], colour: str) -> NDArray[np.bool_]:
    """Where the picture has exactly this colour."""
    return np.asarray((image == np.array(rgb(colour), np.uint8)).all(axis=2), np.bool_)


def count(image: NDArray[np.uint8], colour: str) -> int:
    """Pixels of exactly this colour."""
    return int(same(image, colour).sum())


def lookup(made: ChartWorld, stream: Stream) -> Lookup:
    """A cell to look up."""
    return Lookup(series=stream.pick(made.series), position=stream.pick(made.positions))
