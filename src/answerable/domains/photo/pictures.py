"""Photos as pixels, and masks on them.

A photo is a JPEG or PNG of 8-bit RGB or grey, of the size that its boxes mean. An EXIF mark that turns it by a quarter
is followed where, and only where, that gives this size and the stored pixels do not; any other mark leaves it open
which pixels the boxes mean, so the photo is refused. Colour profiles are not applied. Every view is stored as PNG with
nothing but pixels in it, masked or not, so that no file tells its state.
"""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from answerable.core.errors import ImageError
from answerable.core.records import Refusal
from answerable.domains.photo.boxes import Box
from answerable.domains.raster.images import inspect

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    Pixels = NDArray[np.uint8]

#: Neutral grey: level of each channel.
GREY = 128
#: Bytes a photo's file may have.
MAX_FILE = 1 << 26
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG"}
_ORIENTATION = 0x0112
#: How ``inspect`` begins what it says of such a mark; whether it can be followed is decided here.
_ROTATION = "a rotation mark"


def read_photo(data: bytes, width: int, height: int, name: str) -> Pixels | Refusal:
    """The pixels of a photo, or why it cannot be used.

    Args:
        data: its file.
        width: of the photo as its boxes mean it.
        height: likewise.
        name: for the refusal.

    Returns:
        Shape (height, width, 3), uint8, RGB.
    """
    try:
        problem = _problem(data, name)
        return problem or _upright(data, (width, height), name)
    except ImageError as error:
        detail = f"{name}: expected {error.expected}; got {error.got:.120}"
    except (OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, struct.error, Warning) as error:
        detail = f"{name}: {type(error).__name__}: {str(error)[:120]}"
    return Refusal(reason="the photo cannot be read", detail=detail)


def _problem(data: bytes, name: str) -> Refusal | None:
    """What its header says against a file."""
    if len(data) > MAX_FILE:
        detail = f"{name}: {len(data)} bytes, of at most {MAX_FILE}"
        return Refusal(reason="the photo's file is too large", detail=detail)
    facts = inspect(data)
    if facts.mime not in _FORMATS:
        return Refusal(reason="the photo is no JPEG or PNG", detail=f"{name}: {facts.mime}")
    problems = [problem for problem in facts.problems if not problem.startswith(_ROTATION)]
    if problems:
        return Refusal(reason="the photo is not 8-bit RGB or grey", detail=f"{name}: {problems[0]}")
    return None


def _other_size(name: str, found: tuple[int, int], due: tuple[int, int]) -> Refusal:
    detail = f"{name}: {found[0]}x{found[1]} pixels where the boxes are of {due[0]}x{due[1]}"
    return Refusal(reason="the photo is of another size", detail=detail)


def _upright(data: bytes, due: tuple[int, int], name: str) -> Pixels | Refusal:
    import numpy as np
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Image.open(io.BytesIO(data), formats=[*_FORMATS.values()]) as image:
            if image.size not in (due, due[::-1]):
                # Said before anything is unpacked.
                return _other_size(name, image.size, due)
            image.load()
            mark = image.getexif().get(_ORIENTATION, 1)
            # The standard knows 1 to 8; some cameras write 0, which means nothing.
            if mark in range(2, 9):
                turned = _turned(image, mark) if image.size != due else None
                if turned is None or turned.size != due:
                    return Refusal(reason="the photo has a rotation mark", detail=f"{name}: EXIF orientation {mark}")
                return np.array(turned.convert("RGB"))
            if image.size != due:
                return _other_size(name, image.size, due)
            return np.array(image.convert("RGB"))


def _turned(image: Image, mark: int) -> Image | None:
    """The photo after a mark that turns it by a quarter; None for the others."""
    from PIL.Image import Transpose

    quarter = {
        5: Transpose.TRANSPOSE, 6: Transpose.ROTATE_270, 7: Transpose.TRANSVERSE, 8: Transpose.ROTATE_90
    }.get(mark)  # fmt: skip
    return None if quarter is None else image.transpose(quarter)


def masked(pixels: Pixels, boxes: Sequence[Box]) -> Pixels:
    """A copy with the boxes, which lie on the photo, filled with grey."""
    made = pixels.copy()
    for box in boxes:
        made[box.top : box.bottom, box.left : box.right] = GREY
    return made
