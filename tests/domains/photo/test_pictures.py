"""Photos of every kind, and masks on them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from answerable.core.records import Refusal
from answerable.domains.photo.pictures import GREY, MAX_FILE, masked, read_photo
from answerable.domains.raster import png
from tests.domains.photo.make import HEIGHT, WIDTH, box, photo, pixels, rotated


def refused(data: bytes, width: int = WIDTH, height: int = HEIGHT) -> tuple[str, str]:
    found = read_photo(data, width, height, "7.jpg")
    assert isinstance(found, Refusal)
    assert found.detail.startswith("7.jpg: ")
    return found.reason, found.detail


def test_a_png_is_read_as_it_is() -> None:
    found = read_photo(photo(), WIDTH, HEIGHT, "7.png")
    assert isinstance(found, np.ndarray)
    assert (found == pixels()).all()


def test_grey_becomes_three_equal_channels() -> None:
    found = read_photo(photo("JPEG", "L"), WIDTH, HEIGHT, "7.jpg")
    assert isinstance(found, np.ndarray)
    assert found.shape == (HEIGHT, WIDTH, 3)
    assert (found == found[:, :, :1]).all()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (photo("JPEG", "CMYK"), "the photo is not 8-bit RGB or grey"),
        (photo("PNG", "RGBA"), "the photo is not 8-bit RGB or grey"),
        (photo("PNG", "P"), "the photo is not 8-bit RGB or grey"),
        (photo("PNG", "1"), "the photo is not 8-bit RGB or grey"),
        (photo("GIF", "P"), "the photo is no JPEG or PNG"),
        (photo("WEBP"), "the photo is no JPEG or PNG"),
        (photo("TIFF"), "the photo is no JPEG or PNG"),
        (photo("JPEG")[:-200], "the photo cannot be read"),
        (photo("PNG")[:-200], "the photo cannot be read"),
        (photo("JPEG")[:20], "the photo cannot be read"),
        (b"", "the photo cannot be read"),
        (b"<html>", "the photo cannot be read"),
        (b"\xff\xd8\xff" + bytes(MAX_FILE), "the photo's file is too large"),
        (photo("JPEG", size=(121, 80)), "the photo is of another size"),
        (photo("JPEG", size=(80, 120)), "the photo is of another size"),
    ],
)
def test_what_is_no_plain_photo_is_refused(data: bytes, reason: str) -> None:
    assert refused(data)[0] == reason


def test_sixteen_bits_are_refused() -> None:
    grey = io.BytesIO()
    Image.fromarray(np.zeros((HEIGHT, WIDTH), np.uint16)).save(grey, "PNG")
    assert refused(grey.getvalue())[0] == "the photo is not 8-bit RGB or grey"
    # A PNG of 16-bit RGB: the depth is in the header, whatever a library makes of it.
    header = bytearray(photo("PNG"))
    header[24] = 16
    assert refused(bytes(header))[0] in ("the photo is not 8-bit RGB or grey", "the photo cannot be read")


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = Image.new("1", (20_000, 20_000))
    out = io.BytesIO()
    bomb.save(out, "PNG")
    assert refused(out.getvalue())[0] == "the photo cannot be read"


@pytest.mark.parametrize("mark", [5, 6, 7, 8])
def test_a_quarter_turn_is_followed_where_the_boxes_need_it(mark: int) -> None:
    data = rotated(mark, "PNG", (HEIGHT, WIDTH))
    found = read_photo(data, WIDTH, HEIGHT, "7.png")
    assert isinstance(found, np.ndarray)
    turned = {
        5: pixels(HEIGHT, WIDTH).transpose(1, 0, 2),
        6: np.rot90(pixels(HEIGHT, WIDTH), -1),
        7: np.rot90(pixels(HEIGHT, WIDTH), 2).transpose(1, 0, 2),
        8: np.rot90(pixels(HEIGHT, WIDTH)),
    }[mark]
    assert (found == turned).all()


@pytest.mark.parametrize("mark", range(2, 9))
def test_another_mark_leaves_open_what_the_boxes_mean(mark: int) -> None:
    reason, detail = refused(rotated(mark))
    assert reason == "the photo has a rotation mark"
    assert detail.endswith(f"EXIF orientation {mark}")


def test_half_a_turn_cannot_change_the_size() -> None:
    assert refused(rotated(3, size=(HEIGHT, WIDTH)))[0] == "the photo has a rotation mark"


@pytest.mark.parametrize("mark", [0, 1, 9])
def test_a_mark_that_means_nothing_is_none(mark: int) -> None:
    plain = read_photo(photo("JPEG"), WIDTH, HEIGHT, "7.jpg")
    found = read_photo(rotated(mark), WIDTH, HEIGHT, "7.jpg")
    assert isinstance(found, np.ndarray) and isinstance(plain, np.ndarray)
    assert (found == plain).all()


def test_a_mask_is_grey_and_touches_nothing_else() -> None:
    before = pixels()
    found = masked(before, [box(10, 20, 30, 5), box(0, 0, 1, 1)])
    hidden = np.zeros((HEIGHT, WIDTH), np.bool_)
    hidden[20:25, 10:40] = hidden[0, 0] = True
    assert (found[hidden] == GREY).all()
    assert (found[~hidden] == before[~hidden]).all()
    assert (before == pixels()).all()


def test_stored_files_hold_pixels_only() -> None:
    found = read_photo(rotated(1), WIDTH, HEIGHT, "7.jpg")
    assert isinstance(found, np.ndarray)
    assert png.extra_chunks(png.encode(found)) == ()
