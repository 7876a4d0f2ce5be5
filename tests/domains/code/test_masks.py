"""A cover is seen in every theme; a whole window, a cropped one, a chart and a table have none."""

from __future__ import annotations

import numpy as np
import pytest

from answerable.domains.code.masks import sees_cover
from answerable.domains.code.screen import render
from answerable.domains.code.visibility import Above, End
from answerable.domains.code.world import FRAMES, THEMES
from tests.domains.code.make import world


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_cover_is_seen_and_nothing_else_is(name: str, frame: str) -> None:
    made = world(theme=name, frame=frame)
    assert sees_cover(render(made, End(3, 4)))
    assert not sees_cover(render(made)) and not sees_cover(render(made, Above(3)))


def test_plain_paper_has_no_cover() -> None:
    assert not sees_cover(np.full((40, 60, 3), 255, np.uint8))
