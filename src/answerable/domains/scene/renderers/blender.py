"""The faithful renderer: Blender's Cycles, in a process of its own.

Blender brings a Python and libraries of fixed versions, so it is never imported here. It is a program named ``blender``
or a Python with the package ``bpy``: the one that the environment variable ``ANSWERABLE_BLENDER`` names, else
``blender`` on the path.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import tempfile
import threading
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any, get_args

import msgspec
import numpy as np

from answerable.core.codec import digest_bytes
from answerable.core.errors import MissingExtraError, RenderError
from answerable.domains.scene import meshes
from answerable.domains.scene.renderers import Pixels
from answerable.domains.scene.stage import FOCAL, HEIGHT, WIDTH, Form, Stage

#: Names the program, and the folder of CLEVR's own assets.
PROGRAM, ASSETS = "ANSWERABLE_BLENDER", "ANSWERABLE_BLENDER_ASSETS"
SAMPLES = 24
_THREADS = 2
_CHILD = Path(__file__).with_name("blender_child.py")
_MARK = "ANSWERABLE "
_FIX = f"{PROGRAM} must name Blender itself, or a Python that has the package 'bpy'"
#: Shapes and materials of a folder of assets, all of which must be there.
_FILES = (
    "shapes/SmoothCube_v2.blend", "shapes/Sphere.blend", "shapes/SmoothCylinder.blend", "materials/Rubber.blend",
    "materials/MyMetal.blend",
)  # fmt: skip


class BlenderRenderer:
    """See ``renderers.Renderer``.

    Args:
        samples: a pixel.
        denoise: False leaves the noise in, for long reference renders.
        program: Blender, or a Python with ``bpy``; None looks for one.
        assets: a folder with CLEVR's ``shapes`` and ``materials``; None takes what the environment names, and without
            that equal shapes and materials of our own.

    Raises:
        MissingExtraError: there is no Blender.
        RenderError: the folder of assets lacks a file.
    """

    def __init__(
        self,
        samples: int = SAMPLES,
        *,
        denoise: bool = True,
        program: str | None = None,
        assets: Path | None = None,
    ) -> None:
        self._samples, self._denoise = samples, denoise
        self._program = program or find_blender()
        named = os.environ.get(ASSETS)
        self._assets = assets or (Path(named) if named else None)
        self._marks = _marks(self._assets) if self._assets else ""
        self._lock = threading.Lock()

    @cached_property
    def _child(self) -> _Child:
        return _Child(self._program)

    @property
    def version(self) -> str:
        """See ``Renderer.version``."""
        parts = [f"blender {self._child.version} cycles", f"{self._samples} samples"]
        if self._denoise:
            parts.append("oidn without prefilter, no light tree")
        parts.append(f"assets {self._marks}" if self._marks else "studio 1")
        return ", ".join(parts)

    def render(self, stage: Stage) -> Pixels:
        """See ``Renderer.render``.

        Raises:
            RenderError: Blender failed, with its words.
        """
        with self._lock, tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "picture.png"
            job = {
                "stage": json.loads(msgspec.json.encode(stage)),
                "meshes": self._child.meshes,
                "mesh_file": str(self._child.mesh_file),
                "samples": self._samples,
                "denoise": self._denoise,
                "threads": _THREADS,
                "size": [WIDTH, HEIGHT],
                "focal": FOCAL,
                "assets": str(self._assets.resolve()) if self._assets else "",
                "out": str(out),
            }
            self._child.ask(job)
            return _read(out)


def find_blender() -> str:
    """The program that draws.

    Raises:
        MissingExtraError: there is none.
    """
    named = os.environ.get(PROGRAM)
    found = shutil.which(named) if named else shutil.which("blender")
    if found:
        return found
    raise MissingExtraError(
        "Blender, for this renderer",
        f"{PROGRAM}={named}, which is no program" if named else "no 'blender' on the path",
        fix=f"install Blender, or 'pip install bpy' into a Python of its own, and name it: {PROGRAM}=PROGRAM; "
        "'--renderer mitsuba' works without",
    )


def _marks(assets: Path) -> str:
    """A digest of the asset files, which decide pixels.

    Raises:
        RenderError: one is missing.
    """
    missing = [name for name in _FILES if not (assets / name).is_file()]
    if missing:
        raise RenderError(f"CLEVR's assets, {len(_FILES)} files", f"no {missing[0]}", where=str(assets))
    return digest_bytes(b"".join((assets / name).read_bytes() for name in _FILES))[:12]


def _read(path: Path) -> Pixels:
    """The pixels alone: Blender's files carry dates and timings."""
    from PIL import Image

    try:
        with Image.open(path, formats=["PNG"]) as image:
            pixels: Pixels = np.array(image.convert("RGB"))
    except (OSError, ValueError, SyntaxError) as error:
        raise RenderError("a picture", f"none that can be read: {error}", "renderer blender") from error
    if pixels.shape != (HEIGHT, WIDTH, 3):
        raise RenderError(f"a picture of {WIDTH}x{HEIGHT} pixels", f"{pixels.shape[1]}x{pixels.shape[0]}", "Blender")
    return pixels


class _Child:
    """The process; it draws one stage after another."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.mesh_file = Path(self._folder.name) / "meshes"
        self.meshes = _write_meshes(self.mesh_file)
        # ``blender`` takes a script by a flag; a Python takes it as it is.
        stem = Path(program).name.lower()
        call = (
            [program, "--background", "--factory-startup", "--python", str(_CHILD)]
            if stem.startswith("blender")
            else [program, "-I", str(_CHILD)]
        )
        try:
            self._process = subprocess.Popen(
                call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                encoding="utf-8",
            )  # fmt: skip
        except OSError as error:
            self._folder.cleanup()
            raise RenderError("Blender to start", str(error), where=program, fix=_FIX) from error
        atexit.register(self.close)
        state, self.version = self._answer()
        if state != "ready":
            self.close()
            raise RenderError("Blender to start", f"{state} {self.version}", where=program, fix=_FIX)

    def ask(self, job: dict[str, Any]) -> None:
        """Have one stage drawn.

        Raises:
            RenderError: it failed, or the process ended.
        """
        try:
            stdin: IO[str] | None = self._process.stdin
            if stdin is not None:
                stdin.write(json.dumps(job) + "\n")
                stdin.flush()
        except OSError as error:
            raise RenderError("Blender to go on", f"it ended: {error}", where="renderer blender") from error
        state, words = self._answer()
        if state != "done":
            raise RenderError("a picture", words or state, where="renderer blender")

    def _answer(self) -> tuple[str, str]:
        for line in self._process.stdout or ():
            if line.startswith(_MARK):
                state, _, words = line.removeprefix(_MARK).strip().partition(" ")
                return state, words
        return "ended", f"exit code {self._process.wait()}"

    def close(self) -> None:
        """End the process."""
        atexit.unregister(self.close)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                # What was not yet read by the process is lost with it.
                with suppress(OSError):
                    pipe.close()
        with suppress(OSError):
            self._folder.cleanup()


def _write_meshes(path: Path) -> dict[str, dict[str, int]]:
    """Our shapes as plain numbers: vertices and normals as float32, triangles as uint32; where each starts."""
    found: dict[str, dict[str, int]] = {}
    with path.open("wb") as file:
        every = {form: meshes.mesh(form) for form in get_args(Form)} | {"backdrop": meshes.backdrop()}
        for name, (vertices, normals, faces) in every.items():
            found[name] = {"start": file.tell(), "vertices": len(vertices), "faces": len(faces)}
            file.write(vertices.astype("<f4").tobytes() + normals.astype("<f4").tobytes())
            file.write(faces.astype("<u4").tobytes())
    return found
