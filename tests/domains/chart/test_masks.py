"""A mask is seen in K and M, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from answerable.core.records import Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.masks import sees_mask
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.visibility import APPEARANCES, Appearance
from answerable.domains.chart.world import KINDS, Kind
from answerable.domains.draft import Draft
from answerable.domains.raster import png
from tests.domains.chart.make import draft, lookup, request, world


def sampled(name: str, count: int) -> Iterator[Draft]:
    """Groups of a family, both looks and label settings in turn."""
    for index in range(count):
        stream = Stream("masks", name, index)
        made = sample_world(stream, value_labels=index % 4 < 3)
        wanted = Request("masks", f"f{index}", "test", lookup(made, stream), APPEARANCES[index % 2], ("m", index))
        found = make_group(made, wanted, family(name))
        if not isinstance(found, Refusal):
            yield found


def wrong(found: Draft) -> list[str]:
    """States whose pictures are taken for the other kind."""
    pairs = zip(found.group.views, found.images, strict=True)
    return [view.state for view, data in pairs if sees_mask(png.decode(data)) != (view.state in ("K", "M"))]


@pytest.mark.parametrize(("name", "count"), [("skia", 80), ("matplotlib", 40), ("vega", 3)])
def test_on_sampled_groups(name: str, count: int) -> None:
    groups = list(sampled(name, count))
    assert len(groups) >= count * 0.8
    assert [(found.group.id, wrong(found)) for found in groups if wrong(found)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("skia", 600), ("matplotlib", 300), ("vega", 30)])
def test_on_many_sampled_groups(name: str, count: int) -> None:
    groups = list(sampled(name, count))
    assert len(groups) >= count * 0.8
    assert [(found.group.id, wrong(found)) for found in groups if wrong(found)] == []


@pytest.mark.parametrize(
    ("kind", "appearance", "rows", "labels"), [*product(KINDS, APPEARANCES, (1, 3), (True, False))]
)
def test_on_groups_made_by_hand(kind: Kind, appearance: Appearance, rows: int, labels: bool) -> None:
    for position in ("2019", "2021", "2023"):
        made = draft(world(kind, rows=rows, labels=labels), request(("Łódź", position), appearance))
        assert wrong(made) == []


def test_a_picture_that_is_no_chart_has_no_mask() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (90, 120, 3), np.uint8)
    for picture in (noise, np.zeros((90, 120, 3), np.uint8), np.full((90, 120, 3), 255, np.uint8)):
        assert not sees_mask(picture)
    assert not sees_mask(np.zeros((1, 1, 3), np.uint8))
