"""Runs inside Blender or a Python that has ``bpy``, and draws what it is handed; it imports nothing of the package.

Each line of standard input is a JSON object: ``stage``, ``meshes`` (form -> counts, and offsets into the file
``mesh_file``), ``samples``, ``denoise``, ``threads``, ``assets`` (a folder, or empty) and ``out``. Each gives one line
of standard output that begins with ``ANSWERABLE`` and says ``ready``, ``done`` or what went wrong.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy
import mathutils
import numpy as np

MARK = "ANSWERABLE "
FILES = {"cube": "SmoothCube_v2", "sphere": "Sphere", "cylinder": "SmoothCylinder"}
GROUPS = {"rubber": "Rubber", "metal": "MyMetal"}


def say(text: str) -> None:
    """One line for whoever started this."""
    sys.stdout.write(MARK + text + "\n")
    sys.stdout.flush()


def clear() -> None:
    """An empty file with a black world."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[1].default_value = 0
    bpy.context.scene.world = world


def settings(job: dict[str, Any]) -> None:
    """Everything that decides a pixel besides the scene."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = job["samples"]
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.seed = 0
    scene.cycles.use_denoising = job["denoise"]
    if job["denoise"]:
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
        # Guides that are not smoothed beforehand keep edges better, and lamps taken without a tree, nearly all of which
        # light every point here, leave time for half as many samples again. Both change noise, not light.
        scene.cycles.denoising_prefilter = "NONE"
        scene.cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
        scene.cycles.use_light_tree = False
    # CLEVR's own.
    scene.cycles.blur_glossy = 2.0
    scene.cycles.max_bounces = 8
    scene.cycles.diffuse_bounces = scene.cycles.glossy_bounces = 8
    scene.cycles.transparent_max_bounces = 8
    scene.cycles.sample_clamp_indirect = 0
    scene.render.threads_mode = "FIXED"
    scene.render.threads = job["threads"]
    scene.render.resolution_x, scene.render.resolution_y = job["size"]
    scene.render.resolution_percentage = 100
    scene.render.use_persistent_data = False
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.look = "None"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "8"
    scene.render.dither_intensity = 0


def place(name: str, data: Any, matrix: Any) -> Any:
    """Put data into the scene."""
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    thing.matrix_world = matrix
    return thing


def facing(at: Any, direction: Any) -> Any:
    """A matrix whose -Z axis is a direction."""
    turned = mathutils.Vector(direction).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    return mathutils.Matrix.Translation(at) @ turned


def lights(stage: dict[str, Any]) -> None:
    """Lamps and sun."""
    for number, lamp in enumerate(stage["lamps"]):
        data = bpy.data.lights.new(f"lamp{number}", "AREA")
        data.shape, data.size, data.energy, data.color = "SQUARE", lamp["side"], lamp["power"], lamp["color"]
        place(f"lamp{number}", data, facing(lamp["at"], lamp["facing"]))
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.angle = stage["sun"]["irradiance"], stage["sun"]["angle"]
    place("sun", data, facing((0, 0, 10), stage["sun"]["facing"]))


def camera(at: list[float], focal: float) -> None:
    """The camera, which looks at the origin."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width, data.lens = "HORIZONTAL", 32, 32 * focal
    made = place("camera", data, facing(at, [-part for part in at]))
    bpy.context.scene.camera = made


def mesh_of(job: dict[str, Any], form: str, blob: bytes) -> Any:
    """A shape of our own."""
    known = bpy.data.meshes.get(form)
    if known is not None:
        return known
    about = job["meshes"][form]
    start, count, faces = about["start"], about["vertices"], about["faces"]
    points = np.frombuffer(blob, np.float32, 3 * count, start).reshape(-1, 3)
    normals = np.frombuffer(blob, np.float32, 3 * count, start + 12 * count).reshape(-1, 3)
    corners = np.frombuffer(blob, np.uint32, 3 * faces, start + 24 * count).reshape(-1, 3)
    data = bpy.data.meshes.new(form)
    data.from_pydata(points.tolist(), [], corners.tolist())
    data.polygons.foreach_set("use_smooth", [True] * len(data.polygons))
    data.normals_split_custom_set_from_vertices(normals.tolist())
    return data


def official(assets: str, form: str) -> Any:
    """An object of the user's own asset files, on its own data."""
    name = FILES[form]
    path = Path(assets, "shapes", name + ".blend")
    with bpy.data.libraries.load(str(path), link=False) as (_, wanted):
        wanted.objects = [name]
    return wanted.objects[0].data


def material(name: str, finish: str, color: list[float], assets: str) -> Any:
    """CLEVR's two materials, its own or equal ones, and a matte one."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    out = nodes.new("ShaderNodeOutputMaterial")
    value = (*color, 1.0)
    if assets and finish in GROUPS:
        group = nodes.new("ShaderNodeGroup")
        if GROUPS[finish] not in bpy.data.node_groups:
            path = Path(assets, "materials", GROUPS[finish] + ".blend")
            with bpy.data.libraries.load(str(path), link=False) as (_, wanted):
                wanted.node_groups = [GROUPS[finish]]
        group.node_tree = bpy.data.node_groups[GROUPS[finish]]
        group.inputs["Color"].default_value = value
        links.new(group.outputs[0], out.inputs[0])
        return made
    if finish == "metal":
        first, second = glossy(nodes, value, 0.4472136), glossy(nodes, value, 0.1)
        mix = nodes.new("ShaderNodeMixShader")
        mix.inputs[0].default_value = 0.6
    else:
        first = nodes.new("ShaderNodeBsdfDiffuse")
        first.inputs["Color"].default_value = value
        if finish == "matte":
            links.new(first.outputs[0], out.inputs[0])
            return made
        second = glossy(nodes, (0.8, 0.8, 0.8, 1.0), 0.5916)
        second.distribution = "BECKMANN"
        fresnel = nodes.new("ShaderNodeFresnel")
        fresnel.inputs["IOR"].default_value = 1.2
        mix = nodes.new("ShaderNodeMixShader")
        links.new(fresnel.outputs[0], mix.inputs[0])
    links.new(first.outputs[0], mix.inputs[1])
    links.new(second.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs[0])
    return made


def glossy(nodes: Any, color: tuple[float, ...], roughness: float) -> Any:
    """A mirror blurred by roughness."""
    node = nodes.new("ShaderNodeBsdfAnisotropic")
    node.distribution = "GGX"
    node.inputs["Color"].default_value, node.inputs["Roughness"].default_value = color, roughness
    return node


def draw(job: dict[str, Any]) -> None:
    """Draw one stage into a file."""
    clear()
    settings(job)
    stage, blob, assets = job["stage"], Path(job["mesh_file"]).read_bytes(), job["assets"]
    lights(stage)
    camera(stage["camera"], job["focal"])
    place("floor", mesh_of(job, "backdrop", blob), mathutils.Matrix.Identity(4))
    for number, solid in enumerate(stage["solids"]):
        form = solid["form"]
        data = official(assets, form) if assets and form in FILES else mesh_of(job, form, blob)
        data = data.copy()
        data.materials.clear()
        data.materials.append(material(f"material{number}", solid["finish"], solid["color"], assets))
        matrix = (
            mathutils.Matrix.Translation(solid["at"])
            @ mathutils.Matrix.Rotation(solid["turn"], 4, "Z")
            @ mathutils.Matrix.Diagonal((*solid["half"], 1))
        )
        place(f"solid{number}", data, matrix)
    bpy.context.scene.render.filepath = job["out"]
    bpy.ops.render.render(write_still=True)


def main() -> None:
    """Draw what each line of standard input asks for."""
    say("ready " + bpy.app.version_string)
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            draw(json.loads(line))
        except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
            say("failed " + " ".join(f"{type(error).__name__}: {error}".split())[:300])
        else:
            say("done")


main()
