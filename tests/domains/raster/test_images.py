"""Images from anywhere: what may be sent as it is, what is converted and how, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from answerable.core.errors import ImageError
from answerable.domains.raster import png
from answerable.domains.raster.images import inspect, make_sendable, sniff
from tests.shared import case_ids, cases

RED, GREEN, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (255, 255, 255), (0, 0, 0)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def opened(data: bytes) -> NDArray[np.uint8]:
    """Pixels of something sendable."""
    assert inspect(data).problems == ()
    with Image.open(io.BytesIO(data)) as image:
        return np.array(image.convert("RGB"))


def png16(colour: int, values: list[int], trns: bytes = b"") -> bytes:
    """A PNG of one row with 16 bits a channel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    row = b"\0" + struct.pack(f">{len(values)}H", *values)
    header = struct.pack(">IIBBBBB", len(values) // channels, 1, 16, colour, 0, 0, 0)
    middle = chunk(b"tRNS", trns) if trns else b""
    return png.SIGNATURE + chunk(b"IHDR", header) + middle + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")


def half_red() -> bytes:
    image = Image.new("RGB", (200, 100), "blue")
    image.paste(RED, (0, 0, 100, 100))
    return saved(image, "PNG")


def black_on_transparent() -> bytes:
    image = Image.new("RGBA", (60, 30), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((10, 10, 20, 20), fill=(0, 0, 0, 255))
    return saved(image, "PNG")


def unchanged(data: bytes) -> None:
    assert inspect(data).problems == ()
    assert make_sendable(data) == data


def refused(data: bytes, words: str) -> None:
    with pytest.raises(ImageError) as caught:
        make_sendable(data)
    assert words in str(caught.value)


def case_001() -> None:
    unchanged(half_red())


def case_004() -> None:
    data = black_on_transparent()
    assert any("RGBA" in problem for problem in inspect(data).problems)
    found = opened(make_sendable(data))
    assert (found[0, 0] == WHITE).all()
    assert (found[15, 15] == BLACK).all()
    assert (found == BLACK).all(axis=2).sum() == 121


def case_007() -> None:
    grey = Image.new("L", (4, 1), 40)
    grey.putpixel((2, 0), 90)
    data = saved(grey, "PNG", transparency=40)
    assert inspect(data).problems == ("transparent pixels: expected an opaque image",)
    assert opened(make_sendable(data)).tolist() == [[[255] * 3, [255] * 3, [90] * 3, [255] * 3]]


def case_008() -> None:
    values = [0, 128, 129, 257, 32768, 65407, 65535]
    data = png16(0, values)
    assert inspect(data).mode == "I;16"
    assert opened(make_sendable(data))[0, :, 0].tolist() == [round(v * 255 / 65535) for v in values]


def case_009() -> None:
    refused(saved(Image.new("F", (3, 3), 0.5), "TIFF"), "expected RGB, grey or palette pixels; got pixel form F")


def case_010() -> None:
    data = saved(Image.new("CMYK", (3, 3)), "JPEG")
    assert "pixel form CMYK: expected 8-bit RGB or grey" in inspect(data).problems
    refused(data, "got pixel form CMYK")


def case_011() -> None:
    image = Image.new("1", (3, 1), 0)
    image.putpixel((1, 0), 1)
    found = opened(make_sendable(saved(image, "PNG")))
    assert found.tolist() == [[list(BLACK), list(WHITE), list(BLACK)]]


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (8, 8), RED), Image.new("RGB", (8, 8), GREEN)]
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {}
    return saved(frames[0], kind, save_all=True, append_images=frames[1:], **options)


def case_012() -> None:
    refused(animated("GIF"), "expected a still image; got 2 frames")


def case_013() -> None:
    refused(animated("WEBP"), "expected a still image; got 2 frames")
    refused(animated("TIFF"), "expected a still image; got 2 frames")
    refused(animated("PNG"), "expected a still image; got 2 frames")


def case_014() -> None:
    data = saved(Image.new("RGB", (20, 12), RED), "PNG")
    unchanged(data)
    assert (inspect(data).width, inspect(data).height) == (20, 12)
    with_alpha = saved(Image.new("RGBA", (20, 12), RED), "PNG")
    assert opened(make_sendable(with_alpha)).shape == (12, 20, 3)


def case_016() -> None:
    # The header of a picture of 30,000 x 30,000 pixels, and rows that compress a thousandfold.
    rows = zlib.compressobj(9)
    body = b"".join(rows.compress(b"\0" * (1 + 30_000 * 3)) for _ in range(30)) + rows.flush()
    small = png.encode(np.zeros((1, 1, 3), np.uint8))
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", body), (b"IEND", b"")]
    data = small[:8] + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part)) for kind, part in chunks
    )
    for read in (inspect, make_sendable):
        with pytest.raises(ImageError, match="expected at most 40000000 pixels") as caught:
            read(data)
        assert "30000" in str(caught.value) or "900000000" in str(caught.value)


def case_018() -> None:
    data = saved(Image.new("RGB", (20, 12), RED), "JPEG")
    assert sniff(data) == "image/jpeg"
    assert inspect(data).mime == "image/jpeg"
    unchanged(data)


CASES: dict[str, Callable[[], None]] = {
    "img-001": case_001, "img-004": case_004, "img-007": case_007, "img-008": case_008, "img-009": case_009,
    "img-010": case_010, "img-011": case_011, "img-012": case_012, "img-013": case_013, "img-014": case_014,
    "img-016": case_016, "img-018": case_018,
}  # fmt: skip
#: Cases of paths and of requests are held where paths and requests are.
ELSEWHERE = {"img-023", "img-017", "img-025"}


def test_every_shared_case_is_held_somewhere() -> None:
    rows = cases("image_input")
    assert not rows or set(case_ids(rows)) == {*CASES, *ELSEWHERE}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    CASES[name]()


@pytest.mark.parametrize(
    ("kind", "mime"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("GIF", "image/gif"), ("TIFF", "image/tiff"),
     ("BMP", "image/bmp")],
)  # fmt: skip
def test_types_come_from_content(kind: str, mime: str) -> None:
    data = saved(Image.new("RGB", (5, 4), RED), kind)
    facts = inspect(data)
    assert (facts.mime, facts.width, facts.height) == (mime, 5, 4)
    sent = make_sendable(data)
    assert inspect(sent).problems == ()
    assert (sent == data) == (kind in ("PNG", "JPEG", "WEBP"))
    if kind in ("GIF", "TIFF", "BMP"):
        assert any(f"type {mime}" in problem for problem in facts.problems)
        assert (opened(sent) == RED).all()


@pytest.mark.parametrize("data", [b"", b"GIF", b"<svg/>", b"%PDF-1.7", b"RIFF....WAVE", b"\x00" * 100])
def test_what_is_no_image_is_said(data: bytes) -> None:
    with pytest.raises(ImageError, match=r"expected an image file \(PNG, JPEG"):
        sniff(data)


def test_palettes_with_transparency_lie_on_white() -> None:
    image = Image.new("P", (3, 1))
    image.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255])
    for place in range(3):
        image.putpixel((place, 0), place)
    plain = saved(image, "PNG")
    assert opened(make_sendable(plain)).tolist() == [[[255, 0, 0], [0, 255, 0], [0, 0, 255]]]
    clear = saved(image, "PNG", transparency=bytes([255, 0, 128]))
    assert opened(make_sendable(clear)).tolist() == [[[255, 0, 0], [255, 255, 255], [127, 127, 255]]]


def test_half_transparent_pixels_are_mixed_with_white() -> None:
    found = opened(make_sendable(saved(Image.new("RGBA", (1, 1), (0, 0, 0, 128)), "PNG")))
    assert found.tolist() == [[[127, 127, 127]]]
    grey = opened(make_sendable(saved(Image.new("LA", (1, 1), (0, 0)), "PNG")))
    assert grey.tolist() == [[list(WHITE)]]


def test_grey_of_16_bits_with_a_transparent_level() -> None:
    data = png16(0, [1000, 40_000, 65_535], struct.pack(">H", 40_000))
    assert opened(make_sendable(data))[0, :, 0].tolist() == [4, 255, 255]


def test_colours_of_16_bits_keep_their_high_byte() -> None:
    data = png16(2, [0x12FF, 0x0100, 0xFFFF])
    assert inspect(data).problems == ("16 bits a channel: expected 8",)
    assert opened(make_sendable(data)).tolist() == [[[0x12, 0x01, 0xFF]]]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_rotation_mark_is_obeyed(kind: str) -> None:
    image = Image.new("RGB", (40, 20), RED)
    image.paste(GREEN, (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn a quarter clockwise
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {"quality": 95} if kind == "JPEG" else {}
    data = saved(image, kind, exif=exif, **options)
    assert "a rotation mark (EXIF orientation): expected an upright image" in inspect(data).problems
    found = opened(make_sendable(data)).astype(int)
    assert found.shape == (40, 20, 3)
    # What was left is now on top.
    assert abs(found[5, 10] - GREEN).max() < 6
    assert abs(found[35, 10] - RED).max() < 6


def test_a_mark_that_says_upright_changes_nothing() -> None:
    exif = Image.Exif()
    exif[0x0112] = 1
    unchanged(saved(Image.new("RGB", (40, 20), RED), "JPEG", exif=exif))


def test_looking_at_a_png_does_not_decode_it() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    cut = png.encode(noise)[:200]
    # Half a file has a whole header: what it is can be told, and that is all that is asked.
    assert inspect(cut).width == 300


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "TIFF", "WEBP", "BMP", "PNG"])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
def test_a_cut_file_is_refused_in_words_or_told_by_its_header(kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (60, 60, 3), np.uint8))
    data = saved(noise.convert("P" if kind == "GIF" else "RGB"), kind)
    cut = data[: int(len(data) * share)]
    for read in (inspect, make_sendable):
        try:
            read(cut)
        except ImageError as error:
            assert "expected" in str(error)


def test_damaged_exif_is_refused_in_words() -> None:
    image = Image.new("RGB", (8, 8), RED)
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(image, "JPEG", exif=exif)
    place = data.index(b"Exif\0\0") + 6
    for offset in range(24):
        damaged = bytearray(data)
        damaged[place + offset] ^= 0xFF
        try:
            make_sendable(bytes(damaged))
        except ImageError as error:
            assert "image/jpeg" in str(error)


def test_a_large_header_is_refused_at_once() -> None:
    image = Image.new("1", (8000, 8000))
    data = saved(image, "PNG")
    with pytest.raises(ImageError, match="8000x8000") as caught:
        inspect(data)
    assert "it is not decoded" in caught.value.fix
