"""COCO's instances as they are published: outlines against boxes and areas, and questions on photos end to end."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from answerable.build.photo_benchmarks import PhotoSettings, build
from answerable.build.sources.coco import CocoSource, Instances
from answerable.core.benchmark import Benchmark
from answerable.domains.photo.outlines import RunLengths, hidden_share
from answerable.domains.photo.planning import Masking
from answerable.exec import ThisProcess
from tests.shared import SHARED, needs_shared

FOLDER = SHARED / "data" / "coco"
FILE, IMAGES = FOLDER / "instances.json", FOLDER / "images"

pytestmark = needs_shared


@pytest.fixture(scope="module")
def instances() -> Instances:
    return Instances(FILE)


def test_every_outline_fills_its_published_area(instances: Instances) -> None:
    areas = {one["id"]: one["area"] for one in json.loads(FILE.read_bytes())["annotations"]}
    assert set(areas) == set(instances.ids()) and len(areas) > 50
    for name in instances.ids():
        found, outline = int(instances.mask_of(name).sum()), instances.outline(name)
        if isinstance(outline, RunLengths):
            # The area that is published of the one crowd is another than that of its own runs.
            assert found == sum(outline.counts[1::2])
        else:
            # The published area is that of the outline; ours counts pixel middles, so small things differ most.
            assert abs(found - areas[name]) <= 0.02 * areas[name] + 12, name


def test_every_outline_lies_in_its_box(instances: Instances) -> None:
    for file in instances.files:
        for thing in instances.on(file):
            mask = instances.mask_of(int(thing.id))
            rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
            assert hidden_share(mask, [thing.box]) > 0.995
            assert rows[0] - thing.box.top < 3 and thing.box.right - columns[-1] < 4


def test_a_sheet_on_the_photos_becomes_groups(instances: Instances, tmp_path: Path) -> None:
    rows = [
        f"{file},What is this?,{thing.name},{thing.id}"
        for file in instances.files
        for thing in instances.on(file)
        if thing.box.area > 2_000
    ]
    asked = {row.split(",")[0]: row for row in rows}
    sheet = tmp_path / "s.csv"
    sheet.write_text("image,question,answer,instances\n" + "\n".join(asked.values()) + "\n", encoding="utf-8")
    loose = Masking(size_ratio=8, aspect_ratio=8, distance=1)
    source = CocoSource(sheet, FILE, loose)
    manifest, ledger = build(PhotoSettings(groups=12, masking=loose), source, IMAGES, tmp_path / "bench", ThisProcess())
    assert manifest.groups >= 2, ledger
    Benchmark(tmp_path / "bench").verify()
