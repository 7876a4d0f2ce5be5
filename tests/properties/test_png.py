"""PNG round trips on any picture, and any bytes at all in the decoder."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from PIL import Image

from answerable.core.errors import ImageError
from answerable.domains.raster import images, png

pictures = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
    lambda size: arrays(np.uint8, (*size, 3), elements=st.integers(0, 255))
)


@given(pictures)
def test_round_trip(picture: NDArray[np.uint8]) -> None:
    data = png.encode(picture)
    assert (png.decode(data) == picture).all()
    with Image.open(io.BytesIO(data)) as image:
        assert (np.array(image) == picture).all()
    assert images.inspect(data).problems == ()
    assert images.make_sendable(data) == data


@given(pictures, st.integers(0, 9))
def test_what_pillow_writes_is_read(picture: NDArray[np.uint8], level: int) -> None:
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG", compress_level=level)
    assert (png.decode(stream.getvalue()) == picture).all()


@given(pictures, st.data())
def test_a_changed_byte_is_found_or_changes_nothing(picture: NDArray[np.uint8], data: st.DataObject) -> None:
    whole = png.encode(picture)
    place = data.draw(st.integers(0, len(whole) - 1))
    bit = data.draw(st.integers(0, 7))
    damaged = bytearray(whole)
    damaged[place] ^= 1 << bit
    try:
        found = png.decode(bytes(damaged))
    except ImageError:
        return
    assert (found == picture).all()


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_refused_in_words(tail: bytes, signed: bool) -> None:
    data = png.SIGNATURE + tail if signed else tail
    for read in (png.decode, images.inspect, images.make_sendable):
        try:
            read(data)
        except ImageError:
            continue
        raise AssertionError(f"{read.__name__} took {data!r}")
