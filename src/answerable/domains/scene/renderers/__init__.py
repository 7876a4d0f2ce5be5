"""What draws scenes: one module a renderer, each giving the same pixels for the same stage, every time."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from answerable.core.registry import Registry
from answerable.domains.scene.stage import Stage

Pixels = NDArray[np.uint8]


class Renderer(Protocol):
    """Draws stages."""

    @property
    def version(self) -> str:
        """Name, version and settings of all that decides a pixel; pixels are only compared under the same one."""

    def render(self, stage: Stage) -> Pixels:
        """The picture: (HEIGHT, WIDTH, 3), sRGB."""


#: Name -> a function of no argument that opens the renderer.
RENDERERS: Registry[type[Renderer]] = Registry(
    "renderer of scenes",
    "answerable.scene_renderers",
    {
        "mitsuba": "answerable.domains.scene.renderers.light:MitsubaRenderer",
        "blender": "answerable.domains.scene.renderers.blender:BlenderRenderer",
        "flat": "answerable.domains.scene.renderers.flat:FlatRenderer",
    },
    extras={"mitsuba": "scenes"},
)


@cache
def renderer(name: str) -> Renderer:
    """The renderer of a name, opened once a process.

    Raises:
        SettingsError: there is none.
        MissingExtraError: it is not installed.
    """
    return RENDERERS.load(name)()
