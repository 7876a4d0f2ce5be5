"""Programs are data."""

from __future__ import annotations

from answerable.core.codec import decode, encode
from answerable.logic.program import Grid, Lookup
from tests.logic.grids import GRID


def test_a_look_up_says_which_cells_its_answer_may_depend_on() -> None:
    assert Lookup(series="North", position="2021").cells() == {("North", "2021")}


def test_programs_and_grids_make_the_round_trip() -> None:
    program = Lookup(series="Łódź", position="“2021”")
    assert encode(program) == '{"position":"“2021”","series":"Łódź","type":"lookup"}'.encode()
    assert decode(encode(program), Lookup) == program
    assert decode(encode(GRID), Grid) == GRID
