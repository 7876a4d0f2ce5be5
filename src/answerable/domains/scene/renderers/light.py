"""The light renderer: Mitsuba's path tracer on few samples, then a denoiser with noise-free guides.

Bidirectional care is not needed: all lamps are large and near. Lamps let light pass, as CLEVR's do, so the integrator
is the one that follows shadow rays through such surfaces.

Light that was scattered once meets softened mirrors, as in CLEVR's setting. Mitsuba knows no such rule, so there are
two scenes: one with softened metal for the whole picture, one with sharp metal for the pixels in which metal is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version as installed
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.domains.scene.casting import cast
from answerable.domains.scene.renderers import Pixels
from answerable.domains.scene.renderers import light_scene as scenes
from answerable.domains.scene.stage import Stage

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

#: Samples a pixel. Mitsuba's sampler makes full grids only; 24 are one of the better ones for their time.
SAMPLES, METAL_SAMPLES, GUIDE_SAMPLES = 24, 36, 8
#: Diffuse and glossy bounces as in CLEVR's settings, and one more segment to the lamp.
_DEPTH = 9


class MitsubaRenderer:
    """See ``renderers.Renderer``.

    Args:
        samples: a pixel.
        metal_samples: a pixel in which metal is seen, where mirrors show the noise of what they mirror; None takes as
            many as elsewhere.
        denoise: False leaves the noise in, for long reference renders.

    Raises:
        MissingExtraError: Mitsuba or its denoiser is not installed.
    """

    def __init__(
        self, samples: int = SAMPLES, metal_samples: int | None = METAL_SAMPLES, *, denoise: bool = True
    ) -> None:
        self._samples, self._denoise = samples, denoise
        self._metal_samples = metal_samples or samples
        self._mi = scenes.mitsuba()

    @property
    def version(self) -> str:
        """See ``Renderer.version``."""
        parts = [
            f"mitsuba {installed('mitsuba')} {scenes.VARIANT}",
            f"{self._samples} samples",
            f"{self._metal_samples} on metal",
        ]
        if self._denoise:
            parts.append(f"oidn {installed('mitsuba-oidn')} {scenes.THREADS} threads")
        return ", ".join((*parts, "studio 2"))

    def render(self, stage: Stage) -> Pixels:
        """See ``Renderer.render``."""
        return srgb(self.radiance(stage))

    def radiance(self, stage: Stage, seed: int = 0) -> Floats:
        """Linear radiance (HEIGHT, WIDTH, 3).

        Args:
            seed: of the samples; pictures have 0.
        """
        picture = self._traced(scenes.lit(stage, "softened"), scenes.sensor(stage, self._samples), seed)
        masks = tuple(mirrors(stage))
        sharp = scenes.lit(stage, "sharp") if masks else None
        for mask in masks:
            window = _around(mask)
            here = mask[window.slices]
            traced = self._traced(sharp, scenes.sensor(stage, self._metal_samples, window), seed)
            picture[window.slices][here] = traced[here]
        return self._denoised(picture, stage) if self._denoise else picture

    def guides(self, stage: Stage) -> tuple[Floats, Floats]:
        """Colours and normals of the surfaces that are seen, each (HEIGHT, WIDTH, 3), without noise."""
        shine = self._mi.load_dict({"type": "path", "max_depth": 1})
        sensor = scenes.sensor(stage, GUIDE_SAMPLES)
        picture = _rendered(self._mi, scenes.glowing(stage), sensor, shine, 0)
        albedo, normal = scenes.told_apart(picture.astype(np.float64))
        return albedo.astype(np.float32), normal.astype(np.float32)

    def _traced(self, scene: Any, sensor: Any, seed: int) -> Floats:
        path = self._mi.load_dict({"type": "volpath", "max_depth": _DEPTH, "hide_emitters": True})
        return _rendered(self._mi, scene, sensor, path, seed)

    def _denoised(self, picture: Floats, stage: Stage) -> Floats:
        import mitsuba_oidn

        albedo, normal = self.guides(stage)
        found: Floats = mitsuba_oidn.denoise(picture, albedo, normal, hdr=True, clean_aux=True)
        return found


def _rendered(mi: Any, scene: Any, sensor: Any, integrator: Any, seed: int) -> Floats:
    found = mi.render(scene, sensor=sensor, integrator=integrator, seed=seed)
    return np.array(found, dtype=np.float32)


def mirrors(stage: Stage) -> Iterator[Mask]:
    """For each solid of metal that is seen, the pixels it may have a part in: (HEIGHT, WIDTH)."""
    which = cast(stage, 1, slopes=False).which
    for number, solid in enumerate(stage.solids):
        if solid.finish != "metal":
            continue
        mask = which == number
        # A ray through a pixel's middle misses what only touches the pixel.
        rows = np.pad(mask, ((1, 1), (0, 0)))
        mask = rows[:-2] | rows[1:-1] | rows[2:]
        columns = np.pad(mask, ((0, 0), (1, 1)))
        mask = columns[:, :-2] | columns[:, 1:-1] | columns[:, 2:]
        if mask.any():
            yield mask


def _around(mask: Mask) -> scenes.Window:
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    top, left = int(rows[0]), int(columns[0])
    return scenes.Window(left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top)


def srgb(linear: Floats) -> Pixels:
    """Linear radiance as an eight-bit picture, by the sRGB curve (IEC 61966-2-1), cut off at white."""
    cut = np.clip(linear, 0, 1)
    curved = np.where(cut <= 0.0031308, 12.92 * cut, 1.055 * np.power(cut, 1 / 2.4) - 0.055)
    return (curved * 255 + 0.5).astype(np.uint8)
