"""Pictures: known kinds, unchanged, and small enough."""

from __future__ import annotations

import io
import struct
import zlib

import msgspec
import pytest
from PIL import Image

from answerable.core.codec import digest_bytes
from answerable.core.errors import FingerprintError
from answerable.core.records import View
from answerable.report.pictures import MAX_PIXELS, TOO_MANY, fitted, original, sniff
from tests.report.fake import make_group, png


def view_of(data: bytes) -> View:
    """A view with this image."""
    group, _, _ = make_group(0)
    return msgspec.structs.replace(group.views[0], image_sha256=digest_bytes(data))


def test_only_known_kinds_by_their_first_bytes() -> None:
    assert sniff(png([[5] * 5], ["a"])) == "png"
    assert sniff(b"\xff\xd8\xff\xe0") == "jpeg"
    assert sniff(b"RIFF\x00\x00\x00\x00WEBPVP8 ") == "webp"
    assert sniff(b"GIF89a") == "gif"
    assert sniff(b'<svg onload="x">') == ""
    assert sniff(b"") == ""


def test_a_picture_that_fits_keeps_its_bytes() -> None:
    data = png([[5, 10, 20, 30, 40]], ["a"])
    found = fitted(view_of(data), data, len(data))
    assert (found.data, found.media, found.note) == (data, "png", "")
    assert found.url().startswith("data:image/png;base64,")


def test_an_svg_is_not_shown() -> None:
    data = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    found = original(view_of(data), data)
    assert (found.url(), found.data) == ("", b"")
    assert "not a PNG" in found.note


def test_a_large_picture_is_reduced_and_says_so() -> None:
    data = png([[5, 10, 20, 30, 40]], ["a"], scale=4, noise=3)
    found = fitted(view_of(data), data, 30_000)
    assert found.media == "jpeg"
    assert 0 < len(found.data) <= 30_000
    assert found.note == f"reduced for this page from 1440 × 960 pixels, {len(data):,} bytes"
    assert found == fitted(view_of(data), data, 30_000)


def test_no_room_at_all_leaves_a_note() -> None:
    data = png([[5, 10, 20, 30, 40]], ["a"], scale=4, noise=3)
    found = fitted(view_of(data), data, 10)
    assert found.url() == ""
    assert "too many for this page" in found.note


def test_a_changed_image_is_refused() -> None:
    data = png([[5, 10, 20, 30, 40]], ["a"])
    with pytest.raises(FingerprintError, match="expected the image with sha256="):
        fitted(view_of(data), data + b"x", 10**6)


@pytest.mark.parametrize("side", [8_001, 12_000, 50_000])
def test_a_huge_picture_is_not_decoded(side: int) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    assert side * side > MAX_PIXELS
    found = fitted(view_of(data), data, 10)
    assert (found.url(), found.note) == ("", TOO_MANY)


def test_a_torn_picture_leaves_a_note() -> None:
    file = io.BytesIO()
    Image.new("RGB", (400, 400), "red").save(file, format="JPEG")
    data = file.getvalue()[:200]
    found = fitted(view_of(data), data, 10)
    assert found.url() == ""
    assert "cannot be decoded" in found.note
