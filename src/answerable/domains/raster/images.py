"""Images from anywhere: what they are, whether they may be sent as they are, and how to make them so.

A stored image is upright, opaque, 8-bit and still, so that two servers cannot see two different pictures. Types
come from content, never from a name. Sizes are read from the header, before a pixel is unpacked.
"""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from answerable.core.errors import ImageError
from answerable.core.records import Record
from answerable.domains.raster import png
from answerable.domains.raster.kinds import media_type

if TYPE_CHECKING:
    from PIL.Image import Image

#: Types that every server of this kind takes.
SENDABLE = ("image/png", "image/jpeg", "image/webp")
_FORMATS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/tiff": "TIFF",
    "image/bmp": "BMP",
}


#: What a damaged file makes Pillow raise.
_READ_ERRORS = (
    OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, struct.error, OverflowError, UserWarning,
)  # fmt: skip
_ORIENTATION = 0x0112
#: Byte of a PNG file that holds its bit depth.
_PNG_DEPTH = 24


class ImageFacts(Record, frozen=True):
    """What an image file is, from its header."""

    mime: str
    width: int
    height: int
    mode: str
    """Pillow's name of the pixel form: RGB, L, RGBA, P, I;16 ..."""
    problems: tuple[str, ...]
    """Why it must not be sent as it is; empty when it may."""


def sniff(data: bytes) -> str:
    """The media type from the first bytes.

    Raises:
        ImageError: no image type we know.
    """
    mime = media_type(data)
    if mime:
        return mime
    raise ImageError("an image file (PNG, JPEG, WebP, GIF, TIFF or BMP)", f"bytes beginning {data[:8]!r}")


def inspect(data: bytes) -> ImageFacts:
    """Facts and problems of an image file; pixels are not decoded.

    Raises:
        ImageError: not an image, or of more than ``png.MAX_PIXELS`` pixels.
    """
    mime, image = _open(data)
    with _reading(mime), image:
        problems = tuple(_problems(mime, image, data))
    return ImageFacts(mime=mime, width=image.width, height=image.height, mode=image.mode, problems=problems)


@contextmanager
def _reading(mime: str) -> Iterator[None]:
    """What a damaged file makes Pillow raise, or warn of, becomes one error of ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            # Our own, lower bound decides; the library's warning of large pictures says the same later.
            warnings.simplefilter("ignore", RuntimeWarning)
            yield
    except _READ_ERRORS as error:
        raise ImageError(f"a whole {mime} file", f"{type(error).__name__}: {error}") from error


def _open(data: bytes) -> tuple[str, Image]:
    from PIL import Image

    mime = sniff(data)
    try:
        with _reading(mime):
            image = Image.open(io.BytesIO(data), formats=[_FORMATS[mime]])
    except Image.DecompressionBombError as error:
        raise ImageError(f"at most {png.MAX_PIXELS} pixels", str(error)) from error
    if image.width * image.height > png.MAX_PIXELS:
        raise ImageError(
            f"at most {png.MAX_PIXELS} pixels",
            f"{image.width}x{image.height}",
            fix="scale it down; it is not decoded, since a small file can unpack to gigabytes",
        )
    return mime, image


def _problems(mime: str, image: Image, data: bytes) -> list[str]:
    found = []
    if mime not in SENDABLE:
        found.append(f"type {mime}: expected one of {', '.join(SENDABLE)}")
    if getattr(image, "n_frames", 1) > 1:
        found.append(f"{getattr(image, 'n_frames', 1)} frames: expected a still image")
    if image.mode not in ("RGB", "L"):
        found.append(f"pixel form {image.mode}: expected 8-bit RGB or grey")
    elif mime == "image/png" and data[_PNG_DEPTH] > 8:
        found.append(f"{data[_PNG_DEPTH]} bits a channel: expected 8")
    if "transparency" in image.info:
        found.append("transparent pixels: expected an opaque image")
    # A PNG is asked for its orientation only if it holds an EXIF chunk: asking decodes it.
    if (mime != "image/png" or b"eXIf" in data) and image.getexif().get(_ORIENTATION, 1) != 1:
        found.append("a rotation mark (EXIF orientation): expected an upright image")
    return found


def make_sendable(data: bytes) -> bytes:
    """The same bytes when they may be sent as they are, else an upright, opaque 8-bit RGB PNG.

    Transparency is composited on white; grey of 16 bits is scaled by 255/65535 and rounded, of colours with 16 bits
    the high byte is kept; one-bit and palette images are expanded. Nothing is resized.

    Raises:
        ImageError: several frames, CMYK, or floating point: there is no single right conversion.
    """
    facts = inspect(data)
    if not facts.problems:
        return data
    from PIL import Image, ImageOps

    _, image = _open(data)
    with image:
        if getattr(image, "n_frames", 1) > 1:
            raise ImageError(
                "a still image", f"{getattr(image, 'n_frames', 1)} frames", fix="export the frame you mean"
            )
        if image.mode in ("CMYK", "LAB", "YCbCr", "HSV", "F", "I"):
            raise ImageError(
                "RGB, grey or palette pixels", f"pixel form {image.mode}", fix="convert it to 8-bit RGB yourself"
            )
        with _reading(facts.mime):
            upright = ImageOps.exif_transpose(image)
            if upright.mode.startswith("I;16"):
                upright = _from_16_bits(upright)
            layered = upright.convert("RGBA")
        paper = Image.new("RGBA", layered.size, "white")
        paper.alpha_composite(layered)
        return _encode(paper.convert("RGB"))


def _from_16_bits(image: Image) -> Image:
    import numpy as np
    from PIL import Image

    deep = np.asarray(image).astype(np.uint32)
    grey = ((deep * 255 + 32767) // 65535).astype(np.uint8)
    if "transparency" not in image.info:
        return Image.fromarray(grey)
    # One grey level of the file is its transparent one.
    seen = np.where(deep == image.info["transparency"], 0, 255).astype(np.uint8)
    return Image.merge("LA", (Image.fromarray(grey), Image.fromarray(seen)))


def _encode(image: Image) -> bytes:
    import numpy as np

    return png.encode(np.asarray(image))
