"""Images as they are sent: their type from their first bytes, their base64 length, and the blank control."""

from __future__ import annotations

import binascii
import struct
import zlib
from functools import lru_cache

from answerable.core.errors import ImageError
from answerable.domains.raster import kinds
from answerable.run.providers.base import Picture

#: Kinds that chat servers take.
TAKEN = ("image/png", "image/jpeg", "image/webp", "image/gif")


def media_type(data: bytes) -> str:
    """The type by content; the name of a file says nothing.

    Raises:
        ImageError: none of the kinds that chat servers take.
    """
    kind = kinds.media_type(data)
    if kind in TAKEN:
        return kind
    raise ImageError("a PNG, JPEG, WebP or GIF image", f"bytes that start with {data[:8]!r}")


def picture(data: bytes, max_base64: int | None) -> Picture:
    """The bytes with their type and base64 text, unchanged.

    Raises:
        ImageError: of an unknown kind, or its base64 text is longer than ``max_base64``.
    """
    kind = media_type(data)
    length = (len(data) + 2) // 3 * 4
    if max_base64 is not None and length > max_base64:
        raise ImageError(
            f"at most {max_base64} bytes of base64", f"{length} ({len(data)} bytes as a file)", "--max-image-bytes",
            fix="raise the limit if the server takes more; images are never shrunk silently",
        )  # fmt: skip
    return Picture(data, kind, binascii.b2a_base64(data, newline=False))


@lru_cache(maxsize=16)
def blank(width: int, height: int) -> bytes:
    """A white 8-bit RGB PNG of this size in pixels."""
    row = b"\x00" + b"\xff" * (3 * width)
    squeeze = zlib.compressobj(9)
    packed = b"".join(squeeze.compress(row) for _ in range(height)) + squeeze.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
