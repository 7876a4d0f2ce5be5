"""Hiding: the picture's data simply lack what is hidden."""

from __future__ import annotations

from fractions import Fraction

import pytest

from answerable.core.codec import encode
from answerable.domains.chart.visibility import APPEARANCES, Appearance, Hide, hidden_cells, show
from answerable.domains.chart.world import with_value
from tests.domains.chart.make import world


def test_without_an_operation_everything_is_seen() -> None:
    made = world(rows=3)
    picture = show(made)
    assert picture.values == made.values
    assert picture.masked == ()
    assert picture.world.values == ()


@pytest.mark.parametrize("appearance", APPEARANCES)
def test_a_hidden_position_has_no_value_in_any_series(appearance: Appearance) -> None:
    secret = Fraction(987_654_321, 7)
    made = with_value(with_value(world(), "Łódź", "2021", secret), "Zürich", "2021", secret)
    picture = show(made, Hide(positions=("2021",), appearance=appearance))
    assert [line[2] for line in picture.values] == [None, None]
    assert [line[:2] + line[3:] for line in picture.values] == [line[:2] + line[3:] for line in made.values]
    assert (picture.masked, picture.appearance) == ((2,), appearance)
    # Nothing a renderer is given holds the value, in any form.
    assert b"987654321" not in encode(picture)


def test_the_picture_is_the_same_whatever_was_hidden() -> None:
    hide = Hide(positions=("2021",), appearance="gap")
    other = with_value(world(), "Łódź", "2021", Fraction(99))
    assert show(world(), hide) == show(other, hide)


def test_several_positions_are_hidden_in_whatever_order_they_are_named() -> None:
    one, other = (Hide(positions=names, appearance="gap") for names in (("2021", "2019"), ("2019", "2021")))
    assert show(world(), one) == show(world(), other)
    assert show(world(), one).masked == (0, 2)
    assert [line[0::2] for line in show(world(), one).values] == [(None, None, line[4]) for line in world().values]
    assert len(hidden_cells(world(), one)) == 4


@pytest.mark.parametrize("positions", [(), ("2021", "2021")])
def test_hiding_nothing_or_one_position_twice_is_refused(positions: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="expected one position or more, each once"):
        Hide(positions=positions, appearance="gap")


def test_hidden_cells_are_the_whole_position() -> None:
    assert hidden_cells(world(), Hide(positions=("2021",), appearance="gap")) == {("Łódź", "2021"), ("Zürich", "2021")}
