"""The light renderer, where Mitsuba is installed: the same pixels everywhere, and what is said where it is not."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from answerable.core.errors import MissingExtraError
from answerable.domains.scene import renderers
from answerable.domains.scene.casting import cast
from answerable.domains.scene.renderers import light, light_scene
from answerable.domains.scene.renderers.light import MitsubaRenderer, mirrors, srgb
from answerable.domains.scene.stage import HEIGHT, WIDTH
from answerable.domains.scene.states import hide_thing
from answerable.domains.scene.visibility import stage_of
from answerable.domains.scene.world import with_value
from tests.domains.scene.drawn import solid, stage, whole
from tests.domains.scene.make import row

needs_mitsuba = pytest.mark.skipif(find_spec("mitsuba") is None, reason="the extra 'scenes' is not installed")
ROOT = Path(__file__).resolve().parents[4]
SCENE = row("large red rubber cube", "small cyan metal sphere", "large blue rubber cylinder")
#: Metal, and what hides it from the camera.
BALL = solid("sphere", (0.0, 0.0, 0.3), 0.3, finish="metal")
WALL = solid("slab", (1.4, -1.2, 1.0), (0.1, 1.5, 1.0), np.arctan2(-1.2, 1.4))


@pytest.fixture(scope="module")
def quick() -> MitsubaRenderer:
    """One sample a pixel, and its noise: for what does not depend on either."""
    return MitsubaRenderer(1, metal_samples=None, denoise=False)


# ---- without drawing


@pytest.mark.parametrize("module", ["drjit", "mitsuba", "mitsuba_oidn"])
def test_a_part_that_is_not_installed_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    light_scene.mitsuba.cache_clear()
    renderers.renderer.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    try:
        with pytest.raises(MissingExtraError) as caught:
            renderers.renderer("mitsuba")
    finally:
        light_scene.mitsuba.cache_clear()
        renderers.renderer.cache_clear()
    text = str(caught.value)
    assert text.startswith("expected the optional part 'scenes'; got no module named ")
    assert text.endswith('next:  pip install "answerable[scenes]"')


def test_linear_light_becomes_srgb() -> None:
    # Pairs of IEC 61966-2-1: half of the light is 188 of 255, and the curve is straight near black.
    linear = np.array([[[0.0, 0.5, 1.0], [0.0031308, 0.2140, 7.0], [-1.0, 0.001, 0.8]]], dtype=np.float32)
    found = srgb(linear)
    assert found.dtype == np.uint8
    assert found[0].tolist() == [[0, 188, 255], [10, 127, 255], [0, 3, 231]]


def test_the_pixels_of_a_mirror_reach_one_pixel_around_it() -> None:
    made = stage_of(row("large red rubber cube", "small cyan metal sphere", "large blue metal cylinder"))
    which = cast(made, 1).which
    metal = [number for number, one in enumerate(made.solids) if one.finish == "metal"]
    masks = list(mirrors(made))
    assert len(masks) == len(metal) == 2
    for number, mask in zip(metal, masks, strict=True):
        middle = which == number
        around = np.argwhere(mask)
        assert mask[middle].all()
        assert mask.sum() > middle.sum()
        assert all(middle[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].any() for y, x in around)


def test_what_is_not_metal_or_not_seen_has_no_mirror() -> None:
    assert len(list(mirrors(stage(BALL)))) == 1
    assert list(mirrors(stage(BALL, WALL))) == []
    assert list(mirrors(stage(WALL))) == []


# ---- with it


@needs_mitsuba
def test_the_version_names_all_that_decides_a_pixel(quick: MitsubaRenderer) -> None:
    import mitsuba

    version = renderers.renderer("mitsuba").version
    assert version.startswith(f"mitsuba {mitsuba.__version__} scalar_rgb, {light.SAMPLES} samples, ")
    assert f", {light.METAL_SAMPLES} on metal, oidn " in version
    assert version.endswith("2 threads, studio 2")
    assert quick.version != version
    assert "oidn" not in quick.version


@needs_mitsuba
def test_guides_show_colours_and_slopes(quick: MitsubaRenderer) -> None:
    for made in (stage_of(SCENE), stage_of(SCENE, hide_thing(SCENE, 1, "panel")), stage_of(whole(0))):
        albedo, normal = quick.guides(made)
        assert albedo.shape == normal.shape == (HEIGHT, WIDTH, 3)
        flat = cast(made, 1)
        for number, one in enumerate(made.solids):
            # Rays meet shapes without their rounded edges, which are a little larger.
            here = flat.which == number
            close = np.abs(albedo - np.array(one.color, dtype=np.float32)).max(axis=-1) < 1 / 255
            assert (close & here).sum() == pytest.approx(here.sum(), rel=0.12, abs=30)
            # A panel has a stand-in behind it that is not seen.
            if here.sum() > 200:
                assert np.abs(normal - np.stack(flat.normal, axis=-1))[close & here].mean() < 0.06
        ground = (flat.which < 0) & (np.abs(albedo - 0.8).max(axis=-1) < 1e-3)
        assert ground.sum() > 0.97 * (flat.which < 0).sum()
        assert normal[ground][:, 2].min() > 0.3


@needs_mitsuba
def test_sharp_metal_is_drawn_where_metal_is_seen_and_nowhere_else(
    quick: MitsubaRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stage_of(SCENE)
    (mask,) = mirrors(made)
    both = quick.radiance(made)
    more = MitsubaRenderer(1, metal_samples=4, denoise=False).radiance(made)
    monkeypatch.setattr(light, "mirrors", lambda _: ())
    softened = quick.radiance(made)
    for other in (more, softened):
        assert (both[~mask] == other[~mask]).all()
        assert (both[mask] != other[mask]).any(axis=-1).mean() > 0.5
    # A sharp mirror shows lamps as spots, a softened one as a haze.
    assert np.percentile(more[mask], 99.5) > 1.5 * np.percentile(softened[mask], 99.5)


@needs_mitsuba
def test_metal_out_of_sight_is_no_reason_to_fail(quick: MitsubaRenderer) -> None:
    assert quick.render(stage(BALL, WALL)).shape == (HEIGHT, WIDTH, 3)


@needs_mitsuba
def test_another_seed_gives_other_noise(quick: MitsubaRenderer) -> None:
    made = stage_of(SCENE)
    assert not (quick.radiance(made, 1) == quick.radiance(made)).all()


@needs_mitsuba
def test_the_same_stage_gives_the_same_pixels(quick: MitsubaRenderer) -> None:
    one = quick.render(stage_of(SCENE))
    quick.render(stage_of(whole(0)))
    other = quick.render(stage_of(SCENE))
    assert one.shape == (HEIGHT, WIDTH, 3)
    assert one.dtype == np.uint8
    assert (one == other).all()
    assert (MitsubaRenderer(1, metal_samples=None, denoise=False).render(stage_of(SCENE)) == one).all()


@needs_mitsuba
@pytest.mark.parametrize("cover", ["box", "panel"])
def test_hidden_worlds_give_one_picture(cover: str, quick: MitsubaRenderer) -> None:
    hide = hide_thing(SCENE, 1, "box" if cover == "box" else "panel")
    other = with_value(with_value(SCENE, 1, "color", "red"), 1, "material", "rubber")
    one, two = (quick.render(stage_of(scene, hide)) for scene in (SCENE, other))
    assert (one == two).all()
    assert not (quick.render(stage_of(SCENE)) == quick.render(stage_of(other))).all()


@needs_mitsuba
def test_light_tells_what_stands_behind_a_panel_unless_it_is_taken_away(quick: MitsubaRenderer) -> None:
    hide = hide_thing(SCENE, 1, "panel")
    other = with_value(with_value(SCENE, 1, "color", "yellow"), 1, "size", "large")
    one, two = (quick.render(stage_of(scene, hide, take_away=False)).astype(int) for scene in (SCENE, other))
    assert (abs(one - two) > 2).any()


@needs_mitsuba
def test_lit_things_have_their_colours(quick: MitsubaRenderer) -> None:
    pixels = quick.render(stage_of(SCENE)).astype(int)
    red = (pixels[..., 0] > 2 * pixels[..., 1]).sum()
    blue = (pixels[..., 2] > 1.5 * pixels[..., 0]).sum()
    assert red > 1000
    assert blue > 1000
    assert 90 < pixels.mean() < 180


@needs_mitsuba
@pytest.mark.slow
def test_denoised_pixels_are_the_same_in_another_process() -> None:
    script = (
        "import hashlib\n"
        "from answerable.domains.scene.renderers import renderer\n"
        "from answerable.domains.scene.visibility import stage_of\n"
        "from tests.domains.scene.renderers.test_light import SCENE\n"
        "print(hashlib.sha256(renderer('mitsuba').render(stage_of(SCENE)).tobytes()).hexdigest())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    here = renderers.renderer("mitsuba").render(stage_of(SCENE))
    assert done.stdout.split() == [hashlib.sha256(here.tobytes()).hexdigest()]


@needs_mitsuba
@pytest.mark.slow
def test_the_default_picture_is_near_a_long_one() -> None:
    made = stage_of(SCENE)
    quick, long = (srgb(one.radiance(made)).astype(float) for one in (
        MitsubaRenderer(), MitsubaRenderer(256, denoise=False),
    ))  # fmt: skip
    noisy = srgb(MitsubaRenderer(denoise=False).radiance(made)).astype(float)
    error = np.sqrt(((quick - long) ** 2).mean())
    assert error < 6
    assert error < np.sqrt(((noisy - long) ** 2).mean()) / 2


@needs_mitsuba
def test_things_that_differ_in_one_value_look_different(quick: MitsubaRenderer) -> None:
    made = stage(solid("sphere", (0.0, 0.0, 0.7), 0.7, color=(0.4, 0.02, 0.02)))
    for finish in ("rubber", "metal"):
        other = replace(made, solids=(replace(made.solids[0], finish=finish),))
        assert not (quick.render(made) == quick.render(other)).all()
