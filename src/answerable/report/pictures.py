"""Pictures for a page: known kinds only, checked against their digest, and reduced when they are too large."""

from __future__ import annotations

import base64
import io
import warnings

from answerable.core.codec import digest_bytes
from answerable.core.errors import FingerprintError
from answerable.core.records import Record, View
from answerable.domains.raster.kinds import media_type

#: Kinds that every browser shows.
_SHOWN = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}
#: Larger pictures are not decoded.
MAX_PIXELS = 64_000_000
TOO_MANY = "has too many pixels to be drawn here"
_SCALES = (1.0, 0.75, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05)


class Picture(Record, frozen=True):
    """A picture as a page shows it."""

    media: str
    """``png``, ``jpeg``, ``gif`` or ``webp``; empty when it cannot be shown."""
    data: bytes
    note: str = ""
    """What was done to it, or why there is none."""

    def url(self) -> str:
        """A data URL; empty when there is no picture."""
        return f"data:image/{self.media};base64,{base64.b64encode(self.data).decode()}" if self.media else ""


def sniff(data: bytes) -> str:
    """The kind of a picture by its first bytes, never by a name; empty for anything a page should not show."""
    return _SHOWN.get(media_type(data), "")


def original(view: View, data: bytes) -> Picture:
    """The stored bytes, when they are what the benchmark says and of a kind that can be shown.

    Raises:
        FingerprintError: the image is not the one that was built.
    """
    if digest_bytes(data) != view.image_sha256:
        raise FingerprintError(
            f"the image with sha256={view.image_sha256[:16]}...", f"sha256={digest_bytes(data)[:16]}...",
            where=f"view {view.id}", fix="the image was changed after the build: build again",
        )  # fmt: skip
    kind = sniff(data)
    return Picture(media=kind, data=data if kind else b"", note="" if kind else "not a PNG, JPEG, GIF or WebP picture")


def fitted(view: View, data: bytes, allowance: int) -> Picture:
    """The picture in at most ``allowance`` bytes: as it is if it fits, else a smaller JPEG that says so.

    Raises:
        FingerprintError: the image is not the one that was built.
    """
    picture = original(view, data)
    if not picture.media or len(data) <= allowance:
        return picture
    return _reduced(data, allowance)


def _reduced(data: bytes, allowance: int) -> Picture:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data))
        wide, high = opened.size
        if wide * high > MAX_PIXELS:
            return Picture(media="", data=b"", note=TOO_MANY)
        whole = opened.convert("RGB")
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return Picture(media="", data=b"", note=TOO_MANY)
    except (OSError, ValueError, SyntaxError) as error:
        return Picture(media="", data=b"", note=f"cannot be decoded ({type(error).__name__})")
    for scale in _SCALES:
        size = max(1, round(wide * scale)), max(1, round(high * scale))
        if size[0] * size[1] > 4_000_000 and scale > _SCALES[-1]:
            continue
        smaller = whole if size == whole.size else whole.resize(size, Image.Resampling.BOX)
        file = io.BytesIO()
        smaller.save(file, format="JPEG", quality=82, optimize=True)
        if file.tell() <= allowance:
            note = f"reduced for this page from {wide} × {high} pixels, {len(data):,} bytes"
            return Picture(media="jpeg", data=file.getvalue(), note=note)
    return Picture(media="", data=b"", note=f"{len(data):,} bytes are too many for this page")
