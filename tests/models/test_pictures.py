"""Pictures for models."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from answerable.core.errors import ImageError
from answerable.models.pictures import MAX_FILE, read_picture
from tests.run.helpers import png


def test_a_picture_is_rgb_and_opaque() -> None:
    made = io.BytesIO()
    Image.new("RGBA", (4, 3), (255, 0, 0, 0)).save(made, "PNG")
    found = read_picture(made.getvalue())
    assert (found.mode, found.size, found.getpixel((0, 0))) == ("RGB", (4, 3), (255, 255, 255))


def test_pixels_are_kept() -> None:
    assert read_picture(png(8, 6, (1, 2, 3))).getpixel((7, 5)) == (1, 2, 3)


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"not a picture", png(8, 6, (1, 2, 3))[:-30]])
def test_what_is_no_whole_picture(data: bytes) -> None:
    with pytest.raises(ImageError):
        read_picture(data)


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(ImageError, match=f"at most {MAX_FILE} bytes"):
        read_picture(bytes(MAX_FILE + 1))
