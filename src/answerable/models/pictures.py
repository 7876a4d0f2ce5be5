"""Pictures as models and style networks take them: upright, opaque, RGB, every pixel read."""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING

from answerable.core.errors import ImageError
from answerable.domains.raster.images import make_sendable

if TYPE_CHECKING:
    from PIL.Image import Image

#: Bytes an image file may have.
MAX_FILE = 1 << 26


def read_picture(data: bytes) -> Image:
    """The picture in an image file, in mode RGB.

    Raises:
        ImageError: it is no whole image, too large, or has no single right form (frames, CMYK).
    """
    from PIL import Image

    if len(data) > MAX_FILE:
        raise ImageError(f"an image of at most {MAX_FILE} bytes", f"{len(data)}")
    whole = make_sendable(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(whole), formats=("PNG", "JPEG", "WEBP")) as image:
                return image.convert("RGB")
    except (OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, struct.error, Warning) as error:
        raise ImageError("a whole image", f"{type(error).__name__}: {error}"[:160]) from error
