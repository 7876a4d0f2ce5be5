"""The light renderer: Mitsuba's path tracer on few samples, then a denoiser with noise-free guides.

Bidirectional care is not needed: all lamps are large and near. Lamps let light pass, as CLEVR's do, so the integrator
is the one that follows shadow rays through such surfaces. The scalar variant is used everywhere: it needs no compiler,
and machine code made for one processor does not promise the pixels of another.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.metadata import version as installed
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.core.errors import MissingExtraError
from answerable.domains.scene import meshes
from answerable.domains.scene.renderers import Pixels
from answerable.domains.scene.stage import FOCAL, HEIGHT, WIDTH, Lamp, Solid, Stage, Sun, Vector

Floats = NDArray[np.float32]

_VARIANT = "scalar_rgb"
#: Samples a pixel of the picture and of the guides; powers of two, and a box filter, keep pixels independent.
SAMPLES, GUIDE_SAMPLES = 16, 8
#: Diffuse and glossy bounces as in CLEVR's settings, and one more segment to the lamp.
_DEPTH = 9
#: The denoiser's result depends on the number of threads.
_THREADS = 2
_FLOOR: Vector = (0.8, 0.8, 0.8)
#: Distance of the sun.
_FAR = 400.0
#: How often light is looked for at the sun rather than at a lamp, in watts: it gives about as much light as they do.
_SUN_WEIGHT = 130.0


class MitsubaRenderer:
    """See ``renderers.Renderer``.

    Args:
        samples: a pixel, a power of two.
        denoise: False leaves the noise in, for long reference renders.
    """

    def __init__(self, samples: int = SAMPLES, *, denoise: bool = True) -> None:
        self._samples, self._denoise = samples, denoise
        self._mi = _mitsuba()

    @property
    def version(self) -> str:
        """See ``Renderer.version``."""
        parts = [f"mitsuba {installed('mitsuba')} {_VARIANT}", f"{self._samples} samples"]
        if self._denoise:
            parts.append(f"oidn {installed('mitsuba-oidn')} {_THREADS} threads")
        return ", ".join((*parts, "studio 1"))

    def render(self, stage: Stage) -> Pixels:
        """See ``Renderer.render``."""
        return srgb(self.radiance(stage))

    def radiance(self, stage: Stage) -> Floats:
        """Linear radiance (HEIGHT, WIDTH, 3)."""
        mi = self._mi
        scene = self._load(stage, self._samples, lit=True)
        path = mi.load_dict({"type": "volpath", "max_depth": _DEPTH, "hide_emitters": True})
        picture = np.array(mi.render(scene, integrator=path, spp=self._samples), dtype=np.float32)
        if not self._denoise:
            return picture
        import mitsuba_oidn

        albedo, normal = self._guide(stage, "albedo"), self._guide(stage, "normal") * 2 - 1
        found: Floats = mitsuba_oidn.denoise(
            np.ascontiguousarray(picture), np.ascontiguousarray(albedo), np.ascontiguousarray(normal),
            hdr=True, clean_aux=True,
        )  # fmt: skip
        return found

    def visible(self, stage: Stage) -> tuple[int, ...]:
        """Pixels in which each solid of the stage is seen."""
        seen = self._guide(stage, "index", samples=1)[..., 0]
        which = np.rint(seen * 255).astype(int)
        return tuple(int((which == number).sum()) for number in range(1, len(stage.solids) + 1))

    def _guide(self, stage: Stage, what: str, samples: int = GUIDE_SAMPLES) -> Floats:
        """A picture of something other than light: every surface shines with its own value."""
        mi = self._mi
        scene = self._load(stage, samples, lit=False, glow=what)
        shine = mi.load_dict({"type": "path", "max_depth": 1})
        return np.array(mi.render(scene, integrator=shine, spp=samples), dtype=np.float32)

    def _load(self, stage: Stage, samples: int, *, lit: bool, glow: str = "") -> Any:
        mi = self._mi
        view = mi.ScalarTransform4f().look_at(origin=list(stage.camera), target=[0, 0, 0], up=[0, 0, 1])
        film = {
            "type": "hdrfilm", "width": WIDTH, "height": HEIGHT, "rfilter": {"type": "box"}, "pixel_format": "rgb"
        }  # fmt: skip
        parts: dict[str, Any] = {
            "type": "scene",
            "sensor": {
                "type": "perspective",
                "fov": 2 * math.degrees(math.atan(0.5 / FOCAL)),
                "fov_axis": "x",
                "to_world": view,
                "film": film,
                "sampler": {"type": "multijitter", "sample_count": samples},
            },
        }
        if lit:
            parts |= {f"lamp{number}": self._lamp(lamp) for number, lamp in enumerate(stage.lamps)}
            parts["sun"] = self._sun(stage.sun)
        floor = {"type": "diffuse", "reflectance": _rgb(_FLOOR)}
        parts["floor"] = self._surface("floor", *meshes.backdrop(), floor, self._shine(glow, _FLOOR, 0))
        for number, solid in enumerate(stage.solids, start=1):
            vertices, normals, faces = placed(solid)
            shine = self._shine(glow, solid.color, number)
            parts[f"solid{number}"] = self._surface(f"solid{number}", vertices, normals, faces, _material(solid), shine)
        return mi.load_dict(parts, optimize=False)

    def _lamp(self, lamp: Lamp) -> dict[str, Any]:
        mi = self._mi
        target = [a + b for a, b in zip(lamp.at, lamp.facing, strict=True)]
        stand = mi.ScalarTransform4f().look_at(origin=list(lamp.at), target=target, up=[0, 0, 1])
        radiance = lamp.power / (math.pi * lamp.side**2)
        return {
            "type": "rectangle",
            "to_world": stand @ mi.ScalarTransform4f().scale([lamp.side / 2, lamp.side / 2, 1]),
            "bsdf": {"type": "null"},
            "emitter": {
                "type": "area",
                "radiance": _rgb([radiance * part for part in lamp.color]),
                "sampling_weight": lamp.power,
            },
        }

    def _sun(self, sun: Sun) -> dict[str, Any]:
        """A disc so far away that its light is all but parallel, and as wide as the sun looks."""
        mi = self._mi
        at = [-part * _FAR for part in sun.facing]
        stand = mi.ScalarTransform4f().look_at(origin=at, target=[0, 0, 0], up=[0, 0, 1])
        radius = _FAR * math.tan(sun.angle / 2)
        radiance = sun.irradiance / (math.pi * math.sin(sun.angle / 2) ** 2)
        return {
            "type": "disk",
            "to_world": stand @ mi.ScalarTransform4f().scale([radius, radius, 1]),
            "bsdf": {"type": "null"},
            "emitter": {"type": "area", "radiance": _rgb([radiance] * 3), "sampling_weight": _SUN_WEIGHT},
        }

    def _shine(self, glow: str, color: Vector, number: int) -> dict[str, Any] | None:
        if not glow:
            return None
        if glow == "normal":
            return {"type": "area", "radiance": {"type": "mesh_attribute", "name": "vertex_color"}}
        return {"type": "area", "radiance": _rgb(color if glow == "albedo" else [number / 255] * 3)}

    def _surface(
        self,
        name: str,
        vertices: meshes.Floats,
        normals: meshes.Floats,
        faces: meshes.Faces,
        material: dict[str, Any],
        shine: dict[str, Any] | None,
    ) -> Any:
        mi = self._mi
        about = mi.Properties()
        about["bsdf"] = mi.load_dict({"type": "twosided", "material": material})
        if shine is not None:
            about["emitter"] = mi.load_dict(shine)
        mesh = mi.Mesh(name, len(vertices), len(faces), has_vertex_normals=True, props=about)
        if shine is not None:
            mesh.add_attribute("vertex_color", 3, ((normals + 1) / 2).astype(np.float32).ravel())
        inside = mi.traverse(mesh)
        inside["vertex_positions"] = vertices.astype(np.float32).ravel()
        inside["vertex_normals"] = normals.astype(np.float32).ravel()
        inside["faces"] = faces.ravel()
        inside.update()
        return mesh


@cache
def _mitsuba() -> Any:
    try:
        import drjit
        import mitsuba
        import mitsuba_oidn  # a missing denoiser is said now, not after the first picture
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("scenes", error.name or "mitsuba") from error

    del mitsuba_oidn
    mitsuba.set_variant(_VARIANT)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    drjit.set_thread_count(_THREADS)
    return mitsuba


def _rgb(color: Any) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(part) for part in color]}


def _material(solid: Solid) -> dict[str, Any]:
    """CLEVR's two materials: rubber scatters below a faint gloss, metal mixes a blurred and a sharp mirror."""
    color = _rgb(solid.color)
    if solid.finish == "matte":
        return {"type": "diffuse", "reflectance": color}
    if solid.finish == "rubber":
        return {
            "type": "roughplastic", "int_ior": 1.2, "ext_ior": 1.0, "alpha": 0.35, "distribution": "beckmann",
            "diffuse_reflectance": color,
        }  # fmt: skip
    mirror = {"type": "roughconductor", "material": "none", "distribution": "ggx", "specular_reflectance": color}
    return {"type": "blendbsdf", "weight": 0.6, "blurred": mirror | {"alpha": 0.2}, "sharp": mirror | {"alpha": 0.01}}


def placed(solid: Solid) -> meshes.Mesh:
    """A solid's triangles where it stands."""
    vertices, normals, faces = meshes.mesh(solid.form)
    cos, sin = math.cos(solid.turn), math.sin(solid.turn)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    half = np.array(solid.half)
    turned = (normals / half) @ turn.T
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return (vertices * half) @ turn.T + np.array(solid.at), turned, faces


def srgb(linear: Floats) -> Pixels:
    """Linear radiance as an eight-bit picture, by the sRGB curve (IEC 61966-2-1), cut off at white."""
    cut = np.clip(linear, 0, 1)
    curved = np.where(cut <= 0.0031308, 12.92 * cut, 1.055 * np.power(cut, 1 / 2.4) - 0.055)
    return (curved * 255 + 0.5).astype(np.uint8)
