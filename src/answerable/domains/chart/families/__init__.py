"""Rendering families: real drawing libraries behind one interface.

Each draws the same shapes with its own rasteriser, in a look of its own (``styles``). A family names its version
exactly, since pixels are compared: a proof made by another version is reported as that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from answerable.core.registry import Registry
from answerable.domains.chart.shapes import Drawing
from answerable.domains.chart.styles import Style

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Raised whenever the same world would be drawn differently (layout, styles, shapes).
REVISION = 1


class Family(Protocol):
    """A drawing library."""

    name: str
    version: str
    """Library version and our revision; part of every proof."""
    style: Style

    def render(self, drawing: Drawing) -> NDArray[np.uint8]:
        """Pixels ``(height, width, 3)``, uint8, RGB; the same for the same drawing, whatever was drawn before."""
        ...


FAMILIES: Registry[Callable[[], Family]] = Registry(
    "rendering family",
    "answerable.chart_families",
    {
        "matplotlib": "answerable.domains.chart.families.matplotlib_agg:MatplotlibFamily",
        "vega": "answerable.domains.chart.families.vega:VegaFamily",
        "skia": "answerable.domains.chart.families.skia_raster:SkiaFamily",
    },
    extras={"vega": "vega"},
)


@lru_cache(maxsize=16)
def family(name: str) -> Family:
    """The family of this name, one a process: families keep caches."""
    return FAMILIES.load(name)()


def installed_version(package: str) -> str:
    """Version of a package and our revision, as proofs name it."""
    from importlib.metadata import version

    return f"{package} {version(package)} r{REVISION}"


def rgb(colour: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three bytes."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def drop_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGB of an opaque RGBA picture, ``(height, width, 4)`` to ``(height, width, 3)``.

    Pillow's packer does in a tenth of a millisecond what slicing the array does in one.
    """
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    packed = Image.frombuffer("RGBX", (width, height), pixels, "raw", "RGBX", 0, 1).tobytes("raw", "RGB")
    return np.frombuffer(packed, np.uint8).reshape(height, width, 3)
