"""The renderer in a process of its own: the protocol, and every way in which the process may fail.

Most tests start a small program that speaks the protocol in Blender's stead. The real one draws where
``ANSWERABLE_BLENDER`` names it, or ``blender`` is on the path.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from answerable.core.errors import MissingExtraError, RenderError
from answerable.domains.scene import renderers
from answerable.domains.scene.renderers import blender
from answerable.domains.scene.renderers.blender import ASSETS, PROGRAM, BlenderRenderer, find_blender
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.states import hide_thing
from answerable.domains.scene.visibility import stage_of
from answerable.domains.scene.world import with_value
from tests.domains.scene.make import row

SCENE = row("large red rubber cube", "small cyan metal sphere", "large blue rubber cylinder")
STAGE = stage_of(SCENE)

#: Speaks the protocol; ``draw`` stands for drawing.
FAKE = """#!{python}
import json, sys
from PIL import Image
def say(text):
    print(text, flush=True)
say("Blender talks about itself")
say("ANSWERABLE {ready}")
count = 0
for line in sys.stdin:
    job = json.loads(line)
    count += 1
    say("Fra:1 Mem:12.3M")
    {draw}
"""
PICTURE = 'Image.new("RGB", tuple(job["size"]), (count, 2, 3)).save(job["out"]); say("ANSWERABLE done")'


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the surroundings reaches a test with a program of its own."""
    monkeypatch.delenv(ASSETS, raising=False)


def fake(folder: Path, draw: str = PICTURE, ready: str = "ready 9.9.9") -> str:
    """A program that speaks the protocol."""
    path = folder / "fake"
    path.write_text(FAKE.format(python=sys.executable, draw=draw, ready=ready), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def closed(made: BlenderRenderer) -> None:
    made._child.close()


# ---- the protocol


def test_stages_are_drawn_one_after_another_by_one_process(tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path))
    one, two = made.render(STAGE), made.render(STAGE)
    assert one.shape == (HEIGHT, WIDTH, 3)
    assert one.dtype == np.uint8
    assert one[0, 0].tolist() == [1, 2, 3]
    assert two[0, 0].tolist() == [2, 2, 3]
    closed(made)


def test_a_job_says_all_that_decides_a_pixel(tmp_path: Path) -> None:
    kept = tmp_path / "job.json"
    draw = f'open({str(kept)!r}, "w").write(line); ' + PICTURE
    made = BlenderRenderer(7, denoise=False, program=fake(tmp_path, draw))
    made.render(STAGE)
    job = json.loads(kept.read_text(encoding="utf-8"))
    assert (job["samples"], job["denoise"], job["threads"], job["size"]) == (7, False, 2, [480, 320])
    assert (job["assets"], job["focal"]) == ("", 35 / 32)
    assert job["stage"]["camera"] == list(STAGE.camera)
    assert [one["form"] for one in job["stage"]["solids"]] == [one.form for one in STAGE.solids]
    assert len(job["stage"]["lamps"]) == 3
    assert set(job["meshes"]) == {"cube", "sphere", "cylinder", "slab", "backdrop"}
    blob = Path(job["mesh_file"]).read_bytes()
    ends = []
    for about in job["meshes"].values():
        ends.append(about["start"] + 24 * about["vertices"] + 12 * about["faces"])
        corners = np.frombuffer(blob, "<u4", 3 * about["faces"], about["start"] + 24 * about["vertices"])
        assert corners.max() == about["vertices"] - 1
    assert max(ends) == len(blob)
    # Nothing is left of a picture, and of the shapes nothing once the process is ended.
    assert not Path(job["out"]).exists()
    closed(made)
    assert not Path(job["mesh_file"]).exists()


def test_the_version_names_blender_and_the_settings(tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path))
    assert made.version == "blender 9.9.9 cycles, 24 samples, oidn without prefilter, no light tree, studio 1"
    closed(made)
    plain = BlenderRenderer(4, denoise=False, program=fake(tmp_path))
    assert plain.version == "blender 9.9.9 cycles, 4 samples, studio 1"
    closed(plain)


def test_no_process_is_started_before_it_is_needed(tmp_path: Path) -> None:
    BlenderRenderer(program=str(tmp_path / "nothing"))


def test_blender_itself_takes_the_script_by_a_flag(tmp_path: Path) -> None:
    path = tmp_path / "blender-4.5"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nprint('ANSWERABLE ready', *sys.argv[1:], flush=True)\nsys.stdin.read()\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    made = BlenderRenderer(program=str(path))
    words = made._child.version.split()
    assert words[:3] == ["--background", "--factory-startup", "--python"]
    assert Path(words[3]).name == "blender_child.py"
    closed(made)


# ---- failures


def test_what_blender_says_of_a_failure_is_passed_on(tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path, 'say("ANSWERABLE failed RuntimeError: out of memory")'))
    for _ in range(2):
        with pytest.raises(RenderError) as caught:
            made.render(STAGE)
        assert str(caught.value) == "expected a picture; got RuntimeError: out of memory\n  where: renderer blender"
    closed(made)


def test_a_process_that_ends_while_drawing_is_said(tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path, "sys.exit(7)"))
    with pytest.raises(RenderError, match="expected a picture; got exit code 7"):
        made.render(STAGE)
    # So is one that ended before.
    with pytest.raises(RenderError, match=r"ended|exit code 7"):
        made.render(STAGE)
    closed(made)


@pytest.mark.parametrize("ready", ["failed ImportError: no bpy", "hello"])
def test_a_process_that_is_not_ready_is_not_used(ready: str, tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path, ready=ready))
    with pytest.raises(RenderError) as caught:
        made.render(STAGE)
    assert str(caught.value).startswith(f"expected Blender to start; got {ready}")
    assert str(caught.value).endswith(
        "next:  ANSWERABLE_BLENDER must name Blender itself, or a Python that has the package 'bpy'"
    )


def test_a_python_without_bpy_does_not_start() -> None:
    made = BlenderRenderer(program=sys.executable)
    with pytest.raises(RenderError, match="expected Blender to start; got ended exit code 1"):
        _ = made.version


def test_a_file_that_is_no_program_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"\x00\x01\x02")
    path.chmod(0o755)
    made = BlenderRenderer(program=str(path))
    with pytest.raises(RenderError, match=r"expected Blender to start; got .*[Ee]xec format error"):
        made.render(STAGE)


def test_a_picture_of_another_size_is_refused(tmp_path: Path) -> None:
    draw = 'Image.new("RGB", (12, 8)).save(job["out"]); say("ANSWERABLE done")'
    made = BlenderRenderer(program=fake(tmp_path, draw))
    with pytest.raises(RenderError, match="expected a picture of 480x320 pixels; got 12x8"):
        made.render(STAGE)
    closed(made)


def test_a_picture_that_was_not_written_is_said(tmp_path: Path) -> None:
    made = BlenderRenderer(program=fake(tmp_path, 'say("ANSWERABLE done")'))
    with pytest.raises(RenderError, match="expected a picture; got none that can be read"):
        made.render(STAGE)
    closed(made)


# ---- assets


def test_a_folder_of_assets_must_have_them_all(tmp_path: Path) -> None:
    (tmp_path / "shapes").mkdir()
    for name in ("SmoothCube_v2", "Sphere"):
        (tmp_path / "shapes" / f"{name}.blend").write_bytes(b"x")
    with pytest.raises(RenderError) as caught:
        BlenderRenderer(program="x", assets=tmp_path)
    assert str(caught.value) == (
        f"expected CLEVR's assets, 5 files; got no shapes/SmoothCylinder.blend\n  where: {tmp_path}"
    )


def test_other_assets_are_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in blender._FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    monkeypatch.setenv(ASSETS, str(tmp_path))
    made = BlenderRenderer(program=fake(tmp_path))
    assert made.version.startswith("blender 9.9.9 cycles, 24 samples, oidn without prefilter, no light tree, assets ")
    (tmp_path / blender._FILES[0]).write_bytes(b"y")
    other = BlenderRenderer(program=fake(tmp_path))
    assert other.version != made.version
    for one in (made, other):
        closed(one)


# ---- finding it


def test_a_blender_that_is_not_there_is_said_with_what_works_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROGRAM, "no-such-blender")
    renderers.renderer.cache_clear()
    with pytest.raises(MissingExtraError) as caught:
        renderers.renderer("blender")
    assert str(caught.value) == (
        "expected Blender, for this renderer; got ANSWERABLE_BLENDER=no-such-blender, which is no program\n"
        "  next:  install Blender, or 'pip install bpy' into a Python of its own, and name it: "
        "ANSWERABLE_BLENDER=PROGRAM; '--renderer mitsuba' works without"
    )
    monkeypatch.delenv(PROGRAM)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtraError, match="got no 'blender' on the path"):
        find_blender()


def test_the_environment_goes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = tmp_path / "blender"
    shutil.copy(fake(tmp_path), on_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(PROGRAM, raising=False)
    assert find_blender() == str(on_path)
    monkeypatch.setenv(PROGRAM, str(tmp_path / "fake"))
    assert find_blender() == str(tmp_path / "fake")


# ---- the real one

REAL = os.environ.get(PROGRAM) or shutil.which("blender") or ""
needs_blender = pytest.mark.skipif(not REAL, reason="ANSWERABLE_BLENDER names nothing, and no blender is on the path")


@pytest.fixture(scope="module")
def real() -> BlenderRenderer:
    return BlenderRenderer(4, program=REAL)


@needs_blender
@pytest.mark.slow
def test_the_real_one_draws_the_same_pixels_twice_and_after_another_picture(real: BlenderRenderer) -> None:
    one = real.render(STAGE)
    real.render(stage_of(SCENE, hide_thing(SCENE, 0, "box")))
    assert (real.render(STAGE) == one).all()
    again = BlenderRenderer(4, program=REAL)
    assert (again.render(STAGE) == one).all()
    closed(again)


@needs_blender
@pytest.mark.slow
def test_hidden_worlds_give_one_picture(real: BlenderRenderer) -> None:
    hide = hide_thing(SCENE, 1, "panel")
    other = with_value(SCENE, 1, "color", "yellow")
    assert (real.render(stage_of(SCENE, hide)) == real.render(stage_of(other, hide))).all()
    assert not (real.render(STAGE) == real.render(stage_of(other))).all()


@needs_blender
@pytest.mark.slow
def test_it_looks_like_the_light_renderer(real: BlenderRenderer) -> None:
    light = pytest.importorskip("mitsuba") and renderers.renderer("mitsuba").render(STAGE)
    pixels = real.render(STAGE).astype(float)
    assert abs(pixels.mean() - light.mean()) < 8
    small = [np.array(Image.fromarray(one.astype(np.uint8)).resize((48, 32))).astype(float) for one in (pixels, light)]
    assert np.abs(small[0] - small[1]).mean() < 8


@needs_blender
@pytest.mark.slow
def test_a_stage_it_cannot_draw_is_said_and_the_next_is_drawn(tmp_path: Path) -> None:
    for name in blender._FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"no file of Blender's")
    made = BlenderRenderer(1, program=REAL, assets=tmp_path)
    with pytest.raises(RenderError, match="expected a picture; got"):
        made.render(STAGE)
    made._assets = None
    assert made.render(STAGE).shape == (HEIGHT, WIDTH, 3)
    closed(made)
