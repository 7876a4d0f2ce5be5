"""PNG files of photos: the pixels come back, whoever decodes them, and nothing else is in them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from answerable.core.errors import ImageError
from answerable.domains.photo.coding import encode
from answerable.domains.raster import png
from answerable.domains.raster.images import inspect
from tests.domains.photo.make import pixels


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_pixels_come_back(height: int, width: int, seed: int) -> None:
    made = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    data = encode(made)
    assert (png.decode(data) == made).all()
    with Image.open(io.BytesIO(data)) as image:
        assert (np.asarray(image) == made).all()


def test_a_file_holds_pixels_only_and_may_be_sent() -> None:
    data = encode(pixels())
    assert png.extra_chunks(data) == ()
    assert inspect(data).problems == ()


def test_smooth_pictures_are_smaller_than_unfiltered() -> None:
    rows, columns = np.mgrid[0:200, 0:300]
    noise = np.random.default_rng(1).normal(0, 4, (200, 300, 3))
    photo = np.clip(np.stack([rows, columns, rows + columns], axis=2) / 2 + noise, 0, 255).astype(np.uint8)
    assert len(encode(photo)) < 0.8 * len(png.encode(photo))


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4), (0, 4, 3)])
def test_other_pixels_are_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(ImageError, match=r"pixels of shape \(height, width, 3\) in uint8; got shape="):
        encode(np.zeros(shape, np.uint8))
