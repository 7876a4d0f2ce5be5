"""PNG files: nothing in them but pixels, and nothing unpacked before it is known to be small."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from answerable.core.errors import ImageError
from answerable.domains.raster import png

PIXELS = np.random.default_rng(5).integers(0, 256, (7, 9, 3), np.uint8)


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width: int = 9, height: int = 7, depth: int = 8, colour: int = 2, interlace: int = 0) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))


def raw(pixels: NDArray[np.uint8] = PIXELS, kind: int = 0) -> bytes:
    return b"".join(bytes([kind]) + row.tobytes() for row in pixels)


BODY = zlib.compress(raw())
END = chunk(b"IEND")


def file(*chunks: bytes) -> bytes:
    return png.SIGNATURE + b"".join(chunks)


GOOD = file(header(), chunk(b"IDAT", BODY), END)


def pillow(pixels: NDArray[np.uint8], **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", **options)
    return stream.getvalue()


def test_what_is_encoded_is_decoded() -> None:
    assert (png.decode(png.encode(PIXELS)) == PIXELS).all()
    assert (png.decode(GOOD) == PIXELS).all()


def test_pillow_reads_our_files() -> None:
    with Image.open(io.BytesIO(png.encode(PIXELS))) as image:
        assert (image.mode, image.size, image.info) == ("RGB", (9, 7), {})
        assert (np.array(image) == PIXELS).all()


def test_our_files_hold_three_chunks() -> None:
    data = png.encode(PIXELS)
    assert png.extra_chunks(data) == ()
    assert [data.count(kind) for kind in (b"IHDR", b"IEND")] == [1, 1]


def test_the_same_pixels_give_the_same_file() -> None:
    assert png.encode(PIXELS) == png.encode(PIXELS.copy())
    assert png.encode(np.asfortranarray(PIXELS)) == png.encode(PIXELS)


def test_filtered_files_of_others_are_read() -> None:
    smooth = np.add.outer(np.arange(60), np.arange(80)).astype(np.uint8)
    picture = np.stack([smooth, smooth * 2, 255 - smooth], axis=2).astype(np.uint8)
    data = pillow(picture, optimize=True)
    assert zlib.decompress(data[data.index(b"IDAT") + 4 :].split(b"IEND")[0][:-8])[0] != 0
    assert (png.decode(data) == picture).all()


def test_pixel_data_may_come_in_several_chunks() -> None:
    assert (
        png.decode(file(header(), *(chunk(b"IDAT", BODY[i : i + 5]) for i in range(0, len(BODY), 5)), END)) == PIXELS
    ).all()


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (np.zeros((2, 2, 4), np.uint8), "shape=(2, 2, 4)"),
        (np.zeros((2, 2, 3), np.uint16), "dtype=uint16"),
    ],
)
def test_other_arrays_are_not_encoded(pixels: NDArray[np.uint8], words: str) -> None:
    with pytest.raises(ImageError) as caught:
        png.encode(pixels)
    assert words in str(caught.value)


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "a PNG file"),
    "jpeg": (b"\xff\xd8\xff\xe0", "a PNG file"),
    "signature only": (png.SIGNATURE, "without its end mark"),
    "truncated": (GOOD[:-20], "without its end mark"),
    "no end": (GOOD[:-12], "without its end mark"),
    "no header": (file(chunk(b"IDAT", BODY), END), "one PNG header, at the start"),
    "end first": (file(END), "one PNG header, at the start"),
    "two headers": (file(header(), header(1, 1), chunk(b"IDAT", BODY), END), "one PNG header, at the start"),
    "late header": (file(chunk(b"tEXt", b"a"), header(), chunk(b"IDAT", BODY), END), "one PNG header, at the start"),
    "short header": (file(chunk(b"IHDR", b"\0" * 12), END), "header of 13 bytes"),
    "grey": (file(header(colour=0), chunk(b"IDAT", BODY), END), "plain 8-bit RGB"),
    "16 bits": (file(header(depth=16), chunk(b"IDAT", BODY), END), "plain 8-bit RGB"),
    "interlaced": (file(header(interlace=1), chunk(b"IDAT", BODY), END), "interlace 1"),
    "no pixels": (file(header(0, 7), chunk(b"IDAT", BODY), END), "1 to 40000000 pixels"),
    "huge": (file(header(50_000, 50_000), chunk(b"IDAT", BODY), END), "50000x50000"),
    "checksum": (GOOD.replace(BODY, BODY[:-1] + bytes([BODY[-1] ^ 1])), "a damaged IDAT chunk"),
    "zlib checksum": (file(header(), chunk(b"IDAT", BODY[:-1] + bytes([BODY[-1] ^ 1])), END), "damaged pixel data"),
    "no zlib": (file(header(), chunk(b"IDAT", b"not zlib"), END), "damaged pixel data"),
    "cut zlib": (file(header(), chunk(b"IDAT", BODY[:-2]), END), "ends with its checksum"),
    "no data": (file(header(), END), "bytes of pixel data"),
    "more data": (file(header(), chunk(b"IDAT", BODY + b"state=M"), END), "more bytes after it"),
    "too few rows": (file(header(height=8), chunk(b"IDAT", BODY), END), "224 bytes of pixel data"),
    "too many rows": (file(header(height=6), chunk(b"IDAT", BODY), END), "168 bytes of pixel data"),
    "unknown filter": (file(header(), chunk(b"IDAT", zlib.compress(raw(kind=9))), END), "a whole PNG"),
    "length beyond the file": (png.SIGNATURE + struct.pack(">I", 2**32 - 1) + b"IHDR" + b"\0" * 30, "end mark"),
}


@pytest.mark.parametrize("name", BAD)
def test_damaged_files_are_refused(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(ImageError) as caught:
        png.decode(data)
    assert words in str(caught.value)


def bomb_by_header() -> bytes:
    return file(header(50_000, 50_000), chunk(b"IDAT", zlib.compress(b"\0" * 1000)), END)


def bomb_by_data() -> bytes:
    return file(header(), chunk(b"IDAT", zlib.compress(b"\0" * 200_000_000, 9)), END)


@pytest.mark.parametrize("make", [bomb_by_header, bomb_by_data])
def test_bombs_are_refused_without_being_unpacked(make: Callable[[], bytes]) -> None:
    data = make()
    assert len(data) < 250_000
    tracemalloc.start()
    try:
        with pytest.raises(ImageError):
            png.decode(data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000


def test_extra_chunks_are_named() -> None:
    text = PngImagePlugin.PngInfo()
    text.add_text("Software", "hand")
    assert sorted(png.extra_chunks(pillow(PIXELS, pnginfo=text, dpi=(72, 72)))) == ["pHYs", "tEXt"]
    assert png.extra_chunks(GOOD + b"state=M") == ("trailing bytes",)
    assert png.extra_chunks(GOOD + chunk(b"IDAT", b"state=M")) == ("trailing bytes",)
    assert png.extra_chunks(GOOD[:-4]) == ("trailing bytes",)
