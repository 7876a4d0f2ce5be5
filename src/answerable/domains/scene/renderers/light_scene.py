"""A stage in Mitsuba's terms: surfaces, materials, lamps and the camera; nothing is drawn here.

The scalar variant is used everywhere: it needs no compiler, and machine code made for one processor does not promise
the pixels of another.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from answerable.core.errors import MissingExtraError
from answerable.domains.scene import meshes
from answerable.domains.scene.stage import FOCAL, HEIGHT, WIDTH, Lamp, Solid, Stage, Sun, Vector

VARIANT = "scalar_rgb"
#: The denoiser's result depends on the number of threads.
THREADS = 2
#: How metal mirrors. Light that was scattered once meets it ``softened``, as in CLEVR's setting: sharp mirrors throw
#: specks of light that no number of samples a person would wait for smooths out.
Metal = Literal["sharp", "softened"]
Kind = Literal["matte", "rubber", Metal]
#: Roughness of a softened mirror: what Cycles' *filter glossy* of 2 makes of any after a diffuse bounce,
#: ``sqrt(1 - pdf / 2) / 2``, where the density is at most 1/pi.
_SOFTENED = 0.46
_FLOOR: Vector = (0.8, 0.8, 0.8)
#: Distance of the sun.
_FAR = 400.0
#: How often light is looked for at the sun rather than at a lamp, in watts: it gives about as much light as they do.
_SUN_WEIGHT = 130.0
#: A guide holds two pictures: colours are multiples of this, in steps of which each counts 1/255, and what is left over
#: is half of one and a quarter of the normal. Means of up to eight of them can still be told apart.
_STEP, _MIDDLE, _SLOPE = 16, 0.5, 0.25


class Window(NamedTuple):
    """A part of the picture, pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)


WHOLE = Window(0, 0, WIDTH, HEIGHT)


@cache
def mitsuba() -> Any:
    """The package, made ready.

    Raises:
        MissingExtraError: it, or its denoiser, is not installed.
    """
    try:
        import drjit
        import mitsuba as found
        import mitsuba_oidn  # a missing denoiser is said now, not after the first picture
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("scenes", error.name or "mitsuba") from error

    del mitsuba_oidn
    found.set_variant(VARIANT)
    found.set_log_level(found.LogLevel.Error)
    drjit.set_thread_count(THREADS)
    return found


def sensor(stage: Stage, samples: int, window: Window = WHOLE) -> Any:
    """The camera and its film; a box filter keeps pixels independent."""
    mi = mitsuba()
    film = {
        "type": "hdrfilm", "width": WIDTH, "height": HEIGHT, "rfilter": {"type": "box"}, "pixel_format": "rgb",
        "crop_offset_x": window.left, "crop_offset_y": window.top, "crop_width": window.width,
        "crop_height": window.height,
    }  # fmt: skip
    return mi.load_dict({
        "type": "perspective",
        "fov": 2 * math.degrees(math.atan(0.5 / FOCAL)),
        "fov_axis": "x",
        "to_world": mi.ScalarTransform4f().look_at(origin=list(stage.camera), target=[0, 0, 0], up=[0, 0, 1]),
        "film": film,
        "sampler": {"type": "multijitter", "sample_count": samples},
    })  # fmt: skip


def lit(stage: Stage, metal: Metal) -> Any:
    """The scene as light meets it."""
    parts: dict[str, Any] = {f"lamp{number}": _lamp(lamp) for number, lamp in enumerate(stage.lamps)}
    parts["sun"] = _sun(stage.sun)
    parts["floor"] = _surface(meshes.backdrop(), bsdf=_material("matte", _FLOOR))
    for number, solid in enumerate(stage.solids):
        kind = metal if solid.finish == "metal" else solid.finish
        parts[f"solid{number}"] = _surface(placed(solid), bsdf=_material(kind, solid.color))
    return _scene(parts)


def glowing(stage: Stage) -> Any:
    """The scene where every surface shines with its own colour and slope; ``told_apart`` reads it."""
    parts = {"floor": _shining(meshes.backdrop(), _FLOOR)}
    parts |= {f"solid{number}": _shining(placed(solid), solid.color) for number, solid in enumerate(stage.solids)}
    return _scene(parts)


def told_together(color: Vector, normals: meshes.Floats) -> meshes.Floats:
    """A colour, and normals (N, 3), as numbers (N, 3) of which means can be told apart again."""
    steps: meshes.Floats = np.rint(np.array(color) * 255) * _STEP
    return steps + _MIDDLE + _SLOPE * normals


def told_apart(guide: meshes.Floats) -> tuple[meshes.Floats, meshes.Floats]:
    """Colours and normals, each of the given shape; zero where nothing was met."""
    whole = np.floor(guide)
    normals = np.where(guide > 0, (guide - whole - _MIDDLE) / _SLOPE, 0)
    return whole / (255 * _STEP), normals


def _scene(parts: dict[str, Any]) -> Any:
    return mitsuba().load_dict({"type": "scene", **parts}, optimize=False)


def _surface(mesh: meshes.Mesh, **kind: Any) -> Any:
    mi = mitsuba()
    vertices, normals, faces = mesh
    about = mi.Properties()
    for name, value in kind.items():
        about[name] = value
    made = mi.Mesh("surface", len(vertices), len(faces), has_vertex_normals=True, props=about)
    inside = mi.traverse(made)
    inside["vertex_positions"] = vertices.astype(np.float32).ravel()
    inside["vertex_normals"] = normals.astype(np.float32).ravel()
    inside["faces"] = faces.ravel()
    inside.update()
    return made


def _shining(mesh: meshes.Mesh, color: Vector) -> Any:
    light = {"type": "area", "radiance": {"type": "mesh_attribute", "name": "vertex_color"}}
    made = _surface(mesh, emitter=mitsuba().load_dict(light))
    made.add_attribute("vertex_color", 3, told_together(color, mesh[1]).astype(np.float32).ravel())
    return made


# Making CLEVR's rubber takes Mitsuba longer than making all shapes; there are only so many colours.
@lru_cache(maxsize=256)
def _material(kind: Kind, color: Vector) -> Any:
    return mitsuba().load_dict(_matter(kind, color))


def _matter(kind: Kind, color: Vector) -> dict[str, Any]:
    """CLEVR's two materials: rubber scatters below a faint gloss, metal mixes a blurred and a sharp mirror."""
    if kind == "matte":
        return {"type": "diffuse", "reflectance": _rgb(color)}
    if kind == "rubber":
        return {
            "type": "roughplastic", "int_ior": 1.2, "ext_ior": 1.0, "alpha": 0.35, "distribution": "beckmann",
            "diffuse_reflectance": _rgb(color),
        }  # fmt: skip
    mirror = {"type": "roughconductor", "material": "none", "distribution": "ggx", "specular_reflectance": _rgb(color)}
    if kind == "softened":
        return mirror | {"alpha": _SOFTENED}
    return {"type": "blendbsdf", "weight": 0.6, "blurred": mirror | {"alpha": 0.2}, "sharp": mirror | {"alpha": 0.01}}


def _lamp(lamp: Lamp) -> dict[str, Any]:
    """It lets light pass, as CLEVR's do."""
    transform = mitsuba().ScalarTransform4f()
    target = [a + b for a, b in zip(lamp.at, lamp.facing, strict=True)]
    stand = transform.look_at(origin=list(lamp.at), target=target, up=[0, 0, 1])
    radiance = lamp.power / (math.pi * lamp.side**2)
    return {
        "type": "rectangle",
        "to_world": stand @ transform.scale([lamp.side / 2, lamp.side / 2, 1]),
        "bsdf": {"type": "null"},
        "emitter": {
            "type": "area",
            "radiance": _rgb([radiance * part for part in lamp.color]),
            "sampling_weight": lamp.power,
        },
    }


def _sun(sun: Sun) -> dict[str, Any]:
    """A disc so far away that its light is all but parallel, and as wide as the sun looks."""
    transform = mitsuba().ScalarTransform4f()
    at = [-part * _FAR for part in sun.facing]
    stand = transform.look_at(origin=at, target=[0, 0, 0], up=[0, 0, 1])
    radius = _FAR * math.tan(sun.angle / 2)
    radiance = sun.irradiance / (math.pi * math.sin(sun.angle / 2) ** 2)
    return {
        "type": "disk",
        "to_world": stand @ transform.scale([radius, radius, 1]),
        "bsdf": {"type": "null"},
        "emitter": {"type": "area", "radiance": _rgb([radiance] * 3), "sampling_weight": _SUN_WEIGHT},
    }


def _rgb(color: Any) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(part) for part in color]}


def placed(solid: Solid) -> meshes.Mesh:
    """A solid's triangles where it stands."""
    vertices, normals, faces = meshes.mesh(solid.form)
    cos, sin = math.cos(solid.turn), math.sin(solid.turn)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    half = np.array(solid.half)
    turned = (normals / half) @ turn.T
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return (vertices * half) @ turn.T + np.array(solid.at), turned, faces
