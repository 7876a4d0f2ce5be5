"""Images are sent as they are."""

from __future__ import annotations

import base64
import io
import math

import pytest
from PIL import Image

from answerable.core.errors import ImageError
from answerable.run.images import blank, media_type, picture
from tests.run.helpers import png


def encoded(kind: str) -> bytes:
    """A small image file of a kind."""
    buffer = io.BytesIO()
    Image.new("RGB", (20, 12), (200, 10, 10)).save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif"])
def test_the_type_comes_from_the_content(kind: str) -> None:
    data = encoded(kind)
    sent = picture(data, None)
    assert sent.media_type == f"image/{kind}"
    assert sent.data is data
    assert base64.b64decode(sent.base64) == data


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"II*\x00tiff", b"RIFF0000WAVE"])
def test_other_kinds_are_refused(data: bytes) -> None:
    with pytest.raises(ImageError, match="a PNG, JPEG, WebP or GIF image"):
        media_type(data)


def test_the_limit_counts_base64() -> None:
    data = png(4, 4, (0, 0, 0), filler=3000)
    length = 4 * math.ceil(len(data) / 3)
    assert len(picture(data, length).base64) == length
    with pytest.raises(ImageError, match=f"at most {length - 1} bytes of base64; got {length}"):
        picture(data, length - 1)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (650, 450), (3, 2000)])
def test_blank_is_white_and_of_equal_size(width: int, height: int) -> None:
    with Image.open(io.BytesIO(blank(width, height))) as image:
        assert (image.mode, image.size) == ("RGB", (width, height))
        assert image.getextrema() == ((255, 255),) * 3
