"""Outlines of things of a scene hold the pixels in which rays meet them, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from answerable.domains.photo.outlines import mask_of
from answerable.domains.scene.casting import cast
from answerable.domains.scene.outlines import outlines
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.visibility import solid_of, stage_of
from tests.domains.scene.drawn import whole


@pytest.mark.parametrize("number", range(4))
def test_an_outline_is_what_is_seen(number: int) -> None:
    scene = whole(number)
    stage = stage_of(scene)
    which = cast(stage, 1, slopes=False).which
    together = np.zeros((HEIGHT, WIDTH), int)
    for thing, found in zip(scene.things, outlines(scene), strict=True):
        assert found is not None
        box, outline = found
        mask = mask_of(outline, WIDTH, HEIGHT)
        assert np.array_equal(mask, which == stage.solids.index(solid_of(thing)))
        inside = mask[box.top : box.bottom, box.left : box.right]
        assert inside.sum() == mask.sum() and inside.any(axis=0).all() and inside.any(axis=1).all()
        together += mask
    assert together.max() == 1
