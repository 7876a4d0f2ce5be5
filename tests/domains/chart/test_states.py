"""The six states of a group are what the protocol says, for every kind, family, mask and label setting."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from answerable.core.codec import answer_text, decode
from answerable.core.records import Abstain, Answer, Refusal, View
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.frame import frame
from answerable.domains.chart.layout import mask_box
from answerable.domains.chart.proof import ChartProof
from answerable.domains.chart.states import NOTES, make_group
from answerable.domains.chart.styles import MASK_FILL
from answerable.domains.chart.templates import TEMPLATES
from answerable.domains.chart.visibility import APPEARANCES, Appearance, Hide, show
from answerable.domains.chart.world import KINDS, Axis, ChartWorld, Kind, grid, value_at, with_value
from answerable.domains.draft import Draft
from answerable.domains.raster import images, png
from answerable.logic.types import cells
from tests.domains.chart.make import count, draft, pixels, refused, request, world

CELL = ("Łódź", "2021")
EVERY = [
    pytest.param(*combination, id="-".join(map(str, combination)))
    for combination in product(KINDS, ("skia", "matplotlib"), APPEARANCES, (True, False))
] + [
    pytest.param("vbar", "vega", "patch", True, id="vega-patch"),
    pytest.param("line", "vega", "gap", False, id="vega-gap"),
]


class Opened:
    """A draft taken apart."""

    def __init__(self, made: Draft) -> None:
        self.views: dict[str, View] = {view.state: view for view in made.group.views}
        self.files = dict(zip(self.views, made.images, strict=True))
        self.images: dict[str, NDArray[np.uint8]] = {state: png.decode(data) for state, data in self.files.items()}
        assert made.proof is not None
        self.proof = decode(bytes(made.proof.body), ChartProof)
        self.worlds: dict[str, ChartWorld] = self.proof.worlds
        self.hides: dict[str, Hide | None] = {claim.state: claim.hide for claim in self.proof.claims}


def box_of(made: ChartWorld, opened: Opened, state: str, drawn: str) -> tuple[int, int, int, int]:
    """The mask of a state."""
    picture = show(made, opened.hides[state])
    (index,) = picture.masked
    box = mask_box(picture, frame(picture.world, family(drawn).style), index)
    return int(box[0]), int(box[1]), int(box[2]), int(box[3])


@pytest.mark.parametrize(("kind", "drawn", "appearance", "labels"), EVERY)
def test_states_are_as_the_protocol_says(kind: Kind, drawn: str, appearance: Appearance, labels: bool) -> None:
    made = world(kind, rows=3, labels=labels)
    opened = Opened(draft(made, request(CELL, appearance), drawn))
    worlds, by = opened.worlds, family(drawn)
    assert list(opened.views) == ["F", "S", "K", "C", "M", "I"]
    old = value_at(made, *CELL)
    # Answers: F, S and K have the old one, C another; M and I have none.
    for state in ("F", "S", "K"):
        assert opened.views[state].obligation == Answer(target=answer_text(old), type="number")
    new = value_at(worlds["C"], *CELL)
    assert new != old
    assert opened.views["C"].obligation == Answer(target=answer_text(new), type="number")
    assert opened.views["M"].obligation == Abstain(reason="missing")
    assert opened.views["I"].obligation == Abstain(reason="invalid_reference")
    # S changes one value at another position; C the asked one.
    elsewhere = [
        (series, position) for series in made.series for position in made.positions
        if value_at(worlds["S"], series, position) != value_at(made, series, position)
    ]  # fmt: skip
    assert len(elsewhere) == 1
    assert elsewhere[0][1] != CELL[1]
    assert worlds["C"] == with_value(made, *CELL, new)
    # K and M: the same look, another and the asked position.
    hidden, control = opened.hides["M"], opened.hides["K"]
    assert hidden is not None
    assert control is not None
    assert (hidden.positions, hidden.appearance, control.appearance) == ((CELL[1],), appearance, appearance)
    (place,) = control.positions
    assert place in set(made.positions) - {CELL[1]}
    # Pixels: every state is its world's; M is the same from F and from C.
    shown = {"F": worlds["F"], "S": worlds["S"], "C": worlds["C"], "I": worlds["I"]}
    for state, shows in shown.items():
        assert (opened.images[state] == pixels(shows, None, by)).all()
    assert (opened.images["K"] == pixels(made, control, by)).all()
    assert (opened.images["M"] == pixels(worlds["F"], hidden, by)).all()
    assert (opened.images["M"] == pixels(worlds["C"], hidden, by)).all()
    assert len(set(opened.files.values())) == 6
    # I: no pixel of the series is left, in marks or legend.
    assert count(opened.images["F"], made.colours[0]) > 0
    assert count(opened.images["I"], made.colours[0]) == 0
    assert worlds["I"].series == made.series[1:]
    assert all(count(opened.images["I"], colour) > 0 for colour in made.colours[1:])


@pytest.mark.parametrize("drawn", ["skia", "matplotlib"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("appearance", APPEARANCES)
def test_nothing_of_the_asked_marks_is_left_under_the_mask(kind: Kind, drawn: str, appearance: Appearance) -> None:
    made = world(kind, rows=2, labels=False)
    opened = Opened(draft(made, request(CELL, appearance), drawn))
    x0, y0, x1, y1 = box_of(made, opened, "M", drawn)
    inside = opened.images["M"][y0 : y1 - 1, x0 : x1 - 1] if appearance == "patch" else opened.images["M"][y0:y1, x0:x1]
    for colour in made.colours:
        assert count(inside, colour) == 0
    if appearance == "patch":
        assert count(inside, MASK_FILL) == (x1 - x0 - 2) * (y1 - y0 - 2)
    # What a neighbour's round line end may leave at the border is not the asked mark's: nothing else is there.
    whole = inside[3:-3, 3:-3].reshape(-1, 3)
    assert len(np.unique(whole, axis=0)) == 1


@pytest.mark.parametrize("kind", ["vbar", "hbar"])
@pytest.mark.parametrize("appearance", APPEARANCES)
def test_k_leaves_the_asked_position_as_it_is(kind: Kind, appearance: Appearance) -> None:
    made = world(kind, rows=2)
    opened = Opened(draft(made, request(CELL, appearance)))
    x0, y0, x1, y1 = box_of(made, opened, "M", "skia")
    asked = opened.images["K"][y0:y1, x0:x1] == opened.images["F"][y0:y1, x0:x1]
    # The border pixel of a neighbouring patch may lie on the first column.
    assert asked[1:-1, 1:-1].all()


@pytest.mark.parametrize("drawn", ["skia", "matplotlib"])
@pytest.mark.parametrize("kind", KINDS)
def test_one_series_loses_the_position_instead(kind: Kind, drawn: str) -> None:
    made = world(kind, rows=1)
    opened = Opened(draft(made, request(CELL), drawn))
    assert opened.worlds["I"].series == made.series
    assert opened.worlds["I"].positions == ("2019", "2020", "2022", "2023")
    assert "Łódź" not in opened.views["F"].question
    assert opened.views["I"].obligation == Abstain(reason="invalid_reference")


@pytest.mark.parametrize("name", ["conditional", "both"])
def test_programs_over_several_positions_hide_several_and_as_many_in_every_mask(name: str) -> None:
    made, counts, settled = world(rows=2), set(), 0
    for seed in range(20):
        program = TEMPLATES[name].draw(made, Stream("several", seed))
        assert program is not None
        found = make_group(made, msgspec.structs.replace(request(seed=seed), program=program), family("skia"))
        if isinstance(found, Refusal):
            continue
        opened = Opened(found)
        hides = {state: hide for state, hide in opened.hides.items() if hide is not None}
        sizes = {len(hide.positions) for hide in hides.values()}
        assert len(sizes) == 1, "K, D and M hide as many positions each"
        counts |= sizes
        read = {position for _, position in cells(program, grid(made))}
        assert set(hides["M"].positions) <= read
        assert not set(hides["K"].positions) & read
        if "D" in hides:
            settled += 1
            assert set(hides["D"].positions) & read
            assert opened.views["D"].obligation == opened.views["F"].obligation
    assert max(counts) > 1
    assert settled


def test_pictures_are_sendable_and_carry_nothing_else() -> None:
    made = draft(world())
    for view, data in zip(made.group.views, made.images, strict=True):
        facts = images.inspect(data)
        assert facts.problems == ()
        assert (
            (facts.mime, facts.width, facts.height) == ("image/png", view.width, view.height) == ("image/png", 650, 450)
        )
        assert png.extra_chunks(data) == ()


def test_views_share_question_and_proof_and_ids_tell_nothing() -> None:
    made = draft(world(), request(seed=4))
    views = made.group.views
    assert len({view.question for view in views}) == 1
    assert made.proof is not None
    assert {view.evidence.proof for view in views} == {made.proof.digest()}
    assert {view.evidence.level for view in views} == {"proved"}
    assert [view.evidence.note for view in views] == [NOTES[view.state] for view in views]
    assert len({view.id for view in views}) == 6
    assert all(len(view.id) == 24 and set(view.id) <= set("0123456789abcdef") for view in views)
    other = draft(world(), request(seed=5))
    assert not {view.id for view in views} & {view.id for view in other.group.views}


def test_the_same_request_gives_the_same_group() -> None:
    assert draft(world(), request()) == draft(world(), request())


def test_content_names_what_groups_have_in_common() -> None:
    one, other = draft(world(), request(seed=1)), draft(world(), request(seed=2))
    assert one.content == other.content
    assert draft(world(), request(appearance="gap")).content != one.content
    assert draft(world(), request(("Zürich", "2021"))).content != one.content
    assert draft(world(), request(), "matplotlib").content != one.content


@pytest.mark.parametrize("kind", KINDS)
def test_edits_are_clear_and_lines_do_not_leap(kind: Kind) -> None:
    for seed in range(12):
        opened = Opened(draft(world(kind), request(seed=seed)))
        step = abs(value_at(opened.worlds["C"], *CELL) - value_at(world(kind), *CELL))
        assert step >= 5
        assert kind in ("vbar", "hbar") or step <= 40


def test_unlabelled_edits_stay_on_gridlines() -> None:
    for seed in range(8):
        opened = Opened(draft(world("vbar", labels=False), request(seed=seed)))
        assert value_at(opened.worlds["C"], *CELL) % 5 == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"positions": ("2021",), "values": ((Fraction(1),), (Fraction(2),))}, "no other position"),
        ({"values": ((Fraction(101),) * 5, (Fraction(1),) * 5)}, "value outside the axis"),
        ({"values": ((Fraction(1, 3),) * 5, (Fraction(1),) * 5)}, "value not shown exactly"),
        ({"title": "שלום"}, "no glyph"),
        ({"title": "W" * 200}, "title does not fit"),
        ({"series": ("Łódź", "x" * 250)}, "legend does not fit"),
        ({"scale": 3}, "malformed world"),
    ],
)
def test_a_group_is_refused_with_a_reason_of_the_ledger(changes: dict[str, Any], reason: str) -> None:
    refusal = refused(world(**changes))
    assert refusal.reason == reason
    assert refusal.detail


def test_two_values_are_choice_enough() -> None:
    axis = Axis(Fraction(0), Fraction(1), Fraction(1))
    made = world("vbar", rows=1, axis=axis, values=((Fraction(1),) * 5,))
    assert value_at(Opened(draft(made)).worlds["C"], *CELL) == 0


def test_no_other_value_is_a_reason() -> None:
    axis = Axis(Fraction(1, 2), Fraction(5, 4), Fraction(1, 4))
    made = world("vbar", rows=1, axis=axis, values=((Fraction(1),) * 5,))
    assert refused(made).reason == "no other value"


def test_lines_that_collide_are_refused() -> None:
    made = world("line", values=((Fraction(50),) * 5, (Fraction(50),) * 5))
    assert refused(made).reason == "marks collide"


def test_a_renderer_that_leaks_makes_the_witness_fail() -> None:
    by = family("skia")

    class Leaky:
        """Paints one pixel by how often it was asked: the two hidden pictures differ."""

        name, version, style = by.name, by.version, by.style
        calls = 0

        def render(self, drawing: Any) -> NDArray[np.uint8]:
            image = by.render(drawing).copy()
            image[0, 0, 0] = self.calls = self.calls + 1
            return image

    from answerable.core.records import Refusal
    from answerable.domains.chart.states import make_group

    found = make_group(world(), request(), Leaky())
    assert isinstance(found, Refusal)
    assert found.reason == "witness fails"
