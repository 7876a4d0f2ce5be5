"""PNG files of plain 8-bit RGB, with nothing in them but pixels.

Rows carry filter 0 and are compressed by zlib-ng: a tenth of the time of the usual encoders at their size for
drawn pictures. (ISA-L is twice as fast, but once in some thousand pictures it wrote other bytes for the same pixels:
see the decision note on it.) Only the chunks IHDR, IDAT and IEND are written, so no date, software or text goes along.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, cast

import numpy as np
from zlib_ng import zlib_ng

from answerable.core.errors import ImageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Pixels an image may have; checked from the header, before anything is unpacked.
MAX_PIXELS = 40_000_000
_UNPACK_ERRORS = (cast("type[Exception]", zlib_ng.error), EOFError)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


def encode(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file.

    Args:
        pixels: ``(height, width, 3)`` uint8, RGB.
    """
    height, width, channels = pixels.shape
    if channels != 3 or pixels.dtype != np.uint8:
        raise ImageError("pixels of shape (height, width, 3) in uint8", f"shape={pixels.shape} dtype={pixels.dtype}")
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    rows[:, 0] = 0
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib_ng.compress(rows.tobytes(), 2)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def comparable(pixels: NDArray[np.uint8]) -> bytes:
    """Size and pixels as bytes: equal for equal pictures, and for those only."""
    return f"{pixels.shape[1]}x{pixels.shape[0]} ".encode() + pixels.tobytes()


def decode(data: bytes) -> NDArray[np.uint8]:
    """The pixels of an 8-bit RGB PNG file, ``(height, width, 3)`` uint8.

    Files written by ``encode`` take the short way; any other 8-bit RGB PNG is decoded by Pillow.

    Raises:
        ImageError: not such a PNG, damaged, or larger than ``MAX_PIXELS``.
    """
    width, height, body = _parts(data)
    size = height * (1 + 3 * width)
    try:
        unpacker = zlib_ng.decompressobj()
        raw = unpacker.decompress(body, size + 1)
    except _UNPACK_ERRORS as error:
        raise ImageError("a whole PNG", f"damaged pixel data ({error})") from error
    if len(raw) != size:
        raise ImageError(f"{size} bytes of pixel data for {width}x{height}", f"{len(raw)} or more bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise ImageError("pixel data that ends with its checksum", "none, or more bytes after it")
    rows = np.frombuffer(raw, np.uint8).reshape(height, 1 + 3 * width)
    if rows[:, 0].any():
        return _decode_filtered(data)
    return np.ascontiguousarray(rows[:, 1:]).reshape(height, width, 3)


def _parts(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and joined IDAT data of an 8-bit RGB PNG, its checksums verified."""
    if not data.startswith(SIGNATURE):
        raise ImageError("a PNG file", f"bytes beginning {data[:8]!r}")
    position, body, size = len(SIGNATURE), [], (0, 0)
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        content = data[position + 8 : position + 8 + length]
        end = data[position + 8 + length : position + 12 + length]
        if len(content) != length or len(end) != 4:
            break
        if struct.unpack(">I", end)[0] != zlib.crc32(content, zlib.crc32(kind)):
            raise ImageError("a PNG with right checksums", f"a damaged {kind.decode('latin-1')} chunk")
        if (kind == b"IHDR") != (position == len(SIGNATURE)):
            raise ImageError("one PNG header, at the start", f"a chunk {kind.decode('latin-1')} at byte {position}")
        if kind == b"IHDR":
            if length != 13:
                raise ImageError("a PNG header of 13 bytes", f"{length}")
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", content)
            if width * height > MAX_PIXELS or not width or not height:
                raise ImageError(f"1 to {MAX_PIXELS} pixels", f"{width}x{height}")
            if (depth, colour, interlace) != (8, 2, 0):
                raise ImageError("plain 8-bit RGB", f"bit depth {depth}, colour type {colour}, interlace {interlace}")
            size = (width, height)
        elif kind == b"IDAT":
            body.append(content)
        elif kind == b"IEND":
            return (*size, b"".join(body))
        position += 12 + length
    raise ImageError("a whole PNG", f"one that ends after {len(data)} bytes without its end mark")


def _decode_filtered(data: bytes) -> NDArray[np.uint8]:
    import io

    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            return np.array(image.convert("RGB"))
    except (OSError, ValueError, SyntaxError) as error:
        raise ImageError("a whole PNG", f"{type(error).__name__}: {error}") from error


def extra_chunks(data: bytes) -> tuple[str, ...]:
    """Names of chunks other than pixels need: text, dates, profiles. Empty for files of ours."""
    names, position = [], len(SIGNATURE)
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8].decode("latin-1")
        if kind not in ("IHDR", "IDAT", "IEND", "PLTE"):
            names.append(kind)
        position += 12 + length
        if kind == "IEND":
            break
    if position != len(data):
        names.append("trailing bytes")
    return tuple(names)
