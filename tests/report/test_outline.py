"""Boxes around what differs from a group's first picture."""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from answerable.core.codec import digest_bytes
from answerable.core.records import View
from answerable.domains.raster import png
from answerable.report.outline import STEP, outlines
from tests.score.fake import group_of

BLANK = np.full((40, 50, 3), 90, dtype=np.uint8)
VIEWS = group_of("g", states=("F", "S", "M")).views


def shown(*files: bytes) -> tuple[tuple[View, ...], dict[str, bytes]]:
    views = []
    for view, data in zip(VIEWS, files, strict=False):
        with Image.open(io.BytesIO(data)) as image:
            wide, high = image.size
        views.append(msgspec.structs.replace(view, image_sha256=digest_bytes(data), width=wide, height=high))
    return tuple(views), {view.id: data for view, data in zip(views, files, strict=True)}


def boxes(*files: bytes) -> tuple[object, ...]:
    views, read = shown(*files)
    return outlines(views, lambda view: read[view.id])


@given(
    st.integers(0, 45), st.integers(0, 35), st.integers(1, 5), st.integers(1, 5), st.integers(STEP + 1, 160)
)  # fmt: skip
def test_the_box_holds_what_differs_and_no_more_than_rounding(x: int, y: int, w: int, h: int, step: int) -> None:
    other = BLANK.copy()
    other[y : y + h, x : x + w, 1] += np.uint8(step)
    (none, found) = boxes(png.encode(BLANK), png.encode(other))
    assert none is None and isinstance(found, tuple)
    left, top, wide, high = found
    assert left <= x * 20 < left + 1 and top <= y * 25 < top + 1
    assert (left + wide, top + high) == ((x + w) * 20, (y + h) * 25)


def test_a_little_light_is_no_edit() -> None:
    other = BLANK + np.uint8(STEP)
    assert boxes(png.encode(BLANK), png.encode(other)) == (None, None)


def test_equal_and_other_sizes_have_no_box() -> None:
    larger = np.full((41, 50, 3), 7, dtype=np.uint8)
    assert boxes(png.encode(BLANK), png.encode(BLANK), png.encode(larger)) == (None, None, None)


def test_photos_of_other_kinds_are_compared_too() -> None:
    other = BLANK.copy()
    other[8:16, 16:32] = 250
    file = io.BytesIO()
    Image.fromarray(other).save(file, format="JPEG", quality=95)
    found = boxes(png.encode(BLANK), file.getvalue())[1]
    assert isinstance(found, tuple)
    assert found[0] <= 320 and found[1] <= 200 and found[0] + found[2] >= 640 and found[1] + found[3] >= 400


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0broken"])
def test_what_cannot_be_decoded_has_none(data: bytes) -> None:
    views, read = shown(png.encode(BLANK), png.encode(BLANK + np.uint8(99)))
    read[views[1].id] = data
    assert outlines(views, lambda view: read[view.id]) == (None, None)
