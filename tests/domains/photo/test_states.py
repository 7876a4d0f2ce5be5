"""The group of a question: three pictures, their obligations, and what the notes say."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from answerable.core.records import Abstain, Answer, Refusal
from answerable.domains.draft import Draft
from answerable.domains.photo.asked import OTHER, Asked
from answerable.domains.photo.pictures import GREY
from answerable.domains.photo.planning import Edits, Masking, plan
from answerable.domains.photo.states import Request, make_group
from answerable.domains.raster import png
from tests.domains.photo.make import CAT, DOG, HEIGHT, WIDTH, asked, photo, pixels, thing


def request(question: Asked | None = None, **changes: Any) -> Request:
    question = question or asked(family="query", depth=3, checked="agrees")
    edits = plan(question, Masking())
    assert isinstance(edits, Edits)
    return msgspec.structs.replace(
        Request(source="photo-gqa", split="test", asked=question, edits=edits, seed=0), **changes
    )


def draft(made: Request | None = None, file: bytes = photo()) -> Draft:
    found = make_group(made or request(), file)
    assert isinstance(found, Draft)
    return found


def test_the_three_views() -> None:
    found = draft()
    full, same, missing = found.group.views
    assert [view.state for view in found.group.views] == ["F", "S", "M"]
    assert full.obligation == same.obligation == Answer(target="dog", type="text")
    assert missing.obligation == Abstain(reason="missing")
    assert {view.question for view in found.group.views} == {"What is it?"}
    assert {view.evidence.level for view in found.group.views} == {"derived"}
    assert {view.evidence.proof for view in found.group.views} == {""} and found.proof is None
    assert {(view.ability, view.topic, view.program, view.depth) for view in found.group.views} == {
        (OTHER, "text answer", "query", 3)
    }
    assert {(view.width, view.height, view.figure) for view in found.group.views} == {(WIDTH, HEIGHT, "7")}


def test_the_pictures_differ_by_their_masks_only() -> None:
    full, same, missing = (png.decode(image) for image in draft().images)
    assert (full == pixels()).all()
    for drawn, hidden in ((same, CAT.box), (missing, DOG.box)):
        inside = np.zeros((HEIGHT, WIDTH), np.bool_)
        inside[hidden.top : hidden.bottom, hidden.left : hidden.right] = True
        assert (drawn[inside] == GREY).all()
        assert (drawn[~inside] == full[~inside]).all()


def test_every_file_is_coded_alike() -> None:
    images = draft(file=photo("JPEG")).images
    assert {image[:29] for image in images} == {images[0][:29]}
    assert {png.extra_chunks(image) for image in images} == {()}


def test_ids_say_nothing_and_depend_on_what_is_asked() -> None:
    one, again, seeded = draft(), draft(), draft(request(seed=1))
    assert one == again
    assert one.group.id == seeded.group.id
    assert {view.id for view in one.group.views}.isdisjoint(view.id for view in seeded.group.views)
    other = draft(request(asked(question="Who is it?")))
    assert other.content != one.content


def test_the_notes_say_what_was_masked_and_how_it_matches() -> None:
    full, same, missing = (view.evidence.note for view in draft().group.views)
    assert full == "question q; its program gives the answer on the scene graph"
    assert same.startswith("masked, not needed: cat; beside M's masks at worst: areas 1.01 to 1, aspect ratios 1.22")
    assert missing == ("masked, needed: dog; hidden of each at least 1.00; other things of the name left visible: 0")


def test_a_stranger_s_words_stay_one_short_line() -> None:
    odd = thing("1", "dog\n<b>" + "x" * 90, 10, 10, 20, 20)
    note = draft(request(asked(needed=(odd,)))).group.views[2].evidence.note
    assert "\n" not in note and "dog?<b>x" in note and len(note) < 200


@pytest.mark.parametrize("file", [photo("JPEG", "CMYK"), b"", photo(size=(90, 90))])
def test_a_photo_that_cannot_be_used_is_a_refusal(file: bytes) -> None:
    assert isinstance(make_group(request(), file), Refusal)


def test_a_photo_that_is_grey_already_is_refused() -> None:
    grey = png.encode(np.full((HEIGHT, WIDTH, 3), GREY, np.uint8))
    found = make_group(request(), grey)
    assert isinstance(found, Refusal) and found.reason == "a mask changes nothing"
