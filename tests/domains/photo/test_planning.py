"""Which boxes are masked, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.domains.photo.asked import OTHER, PLACE
from answerable.domains.photo.boxes import covered, union_area
from answerable.domains.photo.graph import Thing
from answerable.domains.photo.planning import Edits, Masking, check_masking, fit, plan, visible_twins
from tests.domains.photo.make import CAT, DOG, HEIGHT, WIDTH, asked, box, thing

BOUNDS = Masking()


def planned(*others: Thing, masking: Masking = BOUNDS, **changes: Any) -> Edits:
    found = plan(asked(*others, **changes), masking)
    assert isinstance(found, Edits), found
    return found


def reason(*others: Thing, masking: Masking = BOUNDS, **changes: Any) -> str:
    found = plan(asked(*others, **changes), masking)
    assert isinstance(found, Refusal), found
    return found.reason


def test_m_masks_what_is_needed_and_s_something_alike() -> None:
    found = planned()
    assert (found.missing, found.same) == ((DOG.box,), (CAT.box,))
    assert (found.twins, found.touched, found.least) == (0, 0.0, 1.0)
    (pair,) = found.pairs
    assert (pair.needed, pair.other) == ("1", "2")
    assert pair.size_ratio == 400 / 396
    assert pair.aspect_ratio == 22 / 18
    assert pair.distance == pytest.approx(math.dist((20, 20), (61, 21)) / math.hypot(WIDTH, HEIGHT))


def test_the_closest_pair_is_taken() -> None:
    far, odd = thing("3", "bus", 96, 56, 20, 20), thing("4", "pole", 40, 40, 14, 28)
    assert planned(far, odd, CAT).pairs[0].other == "2"
    # The order of the source does not count.
    assert planned(CAT, odd, far).same == planned(far, odd, CAT).same == (CAT.box,)


def test_every_mask_has_a_partner_of_its_own() -> None:
    bone = thing("5", "bone", 12, 50, 10, 9)
    cup = thing("6", "cup", 60, 60, 9, 10)
    found = planned(CAT, cup, needed=(DOG, bone))
    assert [(pair.needed, pair.other) for pair in found.pairs] == [("1", "2"), ("5", "6")]
    assert len(found.missing) == len(found.same) == 2
    assert reason(CAT, needed=(DOG, bone)) == "no box matches a mask"


def test_a_box_inside_another_is_not_masked_twice() -> None:
    collar = thing("5", "collar", 12, 12, 10, 10)
    found = planned(CAT, needed=(DOG, collar))
    assert found.missing == (DOG.box,)
    assert found.least == 1.0


@pytest.mark.parametrize(
    ("bound", "partner"),
    [
        ("size_ratio", thing("2", "cat", 50, 12, 29, 29)),
        ("aspect_ratio", thing("2", "cat", 50, 12, 30, 14)),
        ("distance", thing("2", "cat", 100, 60, 20, 20)),
    ],
)
def test_every_bound_of_a_pair_counts(bound: str, partner: Thing) -> None:
    assert reason(partner) == "no box matches a mask"
    assert planned(partner, masking=msgspec.structs.replace(BOUNDS, **{bound: 1.0 if bound == "distance" else 4.0}))


def test_another_thing_of_the_name_is_refused_or_flagged() -> None:
    dogs = thing("3", "dogs", 80, 50, 20, 20)
    assert reason(CAT, dogs) == "another thing of the name stays visible"
    assert planned(CAT, dogs, masking=Masking(twins="flag")).twins == 1
    # It is never what S hides: the question may mean it.
    assert planned(CAT, dogs, masking=Masking(twins="flag")).same == (CAT.box,)


def test_the_question_s_own_word_is_a_name_too() -> None:
    animal = thing("3", "animal", 80, 50, 20, 20)
    assert planned(CAT, animal)
    assert reason(CAT, animal, names=("animal",)) == "another thing of the name stays visible"


def test_a_thing_that_masks_hide_is_not_visible() -> None:
    pup = thing("3", "dog", 12, 12, 15, 15)
    assert visible_twins(asked(pup), (DOG.box,), BOUNDS) == ()
    half = thing("3", "dog", 20, 10, 20, 20)
    assert visible_twins(asked(half), (DOG.box,), BOUNDS) == (half,)
    outside = thing("3", "dog", 200, 10, 20, 20)
    assert visible_twins(asked(outside), (DOG.box,), BOUNDS) == ()


def test_s_hides_nothing_that_is_needed() -> None:
    overlapping = thing("2", "cat", 24, 10, 20, 20)
    assert covered(DOG.box, [overlapping.box]) > BOUNDS.touched
    assert reason(overlapping) == "no box matches a mask"
    assert planned(overlapping, masking=Masking(touched=0.5)).touched == 0.3
    # Two that each hide a little hide too much together.
    pair = (thing("2", "cat", 29, 10, 20, 20), thing("3", "cup", 10, 29, 20, 20))
    bone = thing("5", "bone", 60, 40, 20, 20)
    assert reason(*pair, needed=(DOG, bone)) == "S hides what is needed"


def test_what_words_mean_stays_in_sight_in_s() -> None:
    cup = thing("3", "cup", 60, 40, 24, 16)
    assert planned(CAT, cup).pairs[0].other == "2"
    assert planned(CAT, cup, spoken=("2",)).pairs[0].other == "3"
    over = thing("3", "cup", 55, 16, 20, 20)
    assert reason(CAT, over, spoken=("2",)) == "no box matches a mask"
    # A thing that is off the photo, or has no pixel, is in nobody's way.
    assert planned(thing("9", "bus", 300, 0, 9, 9), thing("8", "x", 1, 1, 0, 0), CAT, spoken=("9", "8"))


@pytest.mark.parametrize(
    ("needed", "due"),
    [
        ((), "nothing to mask"),
        ((thing("1", "dog", 10, 10, 0, 20),), "a box holds no pixel"),
        ((thing("1", "dog", 10, 10, 20, -3),), "a box holds no pixel"),
        ((thing("1", "dog", 105, 10, 20, 20),), "a box lies outside the photo"),
        ((thing("1", "dog", 500, 10, 20, 20),), "a box lies outside the photo"),
        ((thing("1", "dog", 10, 10, 7, 20),), "a box is too small"),
        ((thing("1", "dog", 0, 0, 110, 70),), "the masks hide too much"),
        (tuple(thing(str(k), "dog", 9 * k, 3, 8, 8) for k in range(13)), "too many boxes"),
    ],
)
def test_boxes_that_cannot_be_masked_are_refused(needed: tuple[Thing, ...], due: str) -> None:
    other = thing("2x", "field", 0, 0, 119, 79)
    loose = Masking(size_ratio=1000, aspect_ratio=1000, distance=1, touched=1)
    assert reason(other, needed=needed, masking=loose) == due


def test_a_box_a_little_over_the_edge_is_cut() -> None:
    assert planned(needed=(thing("1", "dog", -1, 10, 20, 20),)).missing == (box(0, 10, 19, 20),)


def test_a_margin_grows_every_mask_and_stops_at_the_edge() -> None:
    edge = thing("1", "dog", 1, 10, 20, 20)
    found = planned(needed=(edge,), masking=Masking(margin=3))
    assert found.missing == (box(0, 7, 24, 26),)
    assert found.same == (box(47, 9, 28, 24),)
    # A thing without pixels stays one.
    assert reason(needed=(thing("1", "dog", 10, 10, 0, 20),), masking=Masking(margin=9)) == "a box holds no pixel"
    near = thing("2", "cat", 31, 10, 20, 20)
    assert planned(near)
    assert reason(near, masking=Masking(margin=3)) == "no box matches a mask"


def test_strata_are_by_answer() -> None:
    assert asked(answer="Left").ability == asked(answer="bottom").ability == PLACE
    assert asked(answer="left side").ability == asked().ability == OTHER
    assert (asked().topic, asked(answer="no", boolean=True).topic) == ("text answer", "boolean answer")
    assert asked(answer="Yes", boolean=True).obligation.target == "yes"


@pytest.mark.parametrize(
    ("masking", "message"),
    [
        (Masking(size_ratio=0.5), "--size-ratio"),
        (Masking(aspect_ratio=float("nan")), "--aspect-ratio"),
        (Masking(distance=-0.1), "--distance"),
        (Masking(largest=1.5), "--largest"),
        (Masking(smallest=0), "--smallest"),
        (Masking(margin=-1), "--margin"),
    ],
)
def test_bounds_that_mean_nothing_are_refused(masking: Masking, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_masking(masking)
    assert message in str(caught.value)


THINGS = st.lists(
    st.tuples(st.integers(-5, 110), st.integers(-5, 70), st.integers(0, 60), st.integers(0, 60)), min_size=2, max_size=9
)


@given(THINGS, st.integers(1, 3))
def test_what_is_planned_keeps_every_bound(boxes: list[tuple[int, int, int, int]], count: int) -> None:
    things = [thing(str(place), f"thing {place}", *each) for place, each in enumerate(boxes)]
    question = asked(*things[count:], needed=tuple(things[:count])) if len(things) > count else asked(needed=())
    found = plan(question, BOUNDS)
    if isinstance(found, Refusal):
        assert found.reason
        return
    assert len(found.missing) == len(found.same) == len(found.pairs)
    photo = WIDTH * HEIGHT
    assert max(union_area(found.missing), union_area(found.same)) <= BOUNDS.largest * photo
    for one, other in zip(found.missing, found.same, strict=True):
        size, aspect, distance = fit(one, other, WIDTH, HEIGHT)
        assert size <= BOUNDS.size_ratio and aspect <= BOUNDS.aspect_ratio and distance <= BOUNDS.distance
        assert min(one.width, one.height, other.width, other.height) >= BOUNDS.smallest
    assert len({pair.other for pair in found.pairs}) == len(found.pairs)
    assert found.touched <= BOUNDS.touched
