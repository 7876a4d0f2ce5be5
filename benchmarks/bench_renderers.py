"""Seconds and errors of the renderers of scenes, against CLEVR's own setting through the same Blender.

usage: python benchmarks/bench_renderers.py [--scenes N] [--long N] [--passes N] [--json]

Time is the median over a few scenes of six things at 480x320, after one that does not count; CLEVR's setting (512
samples, no denoiser) is timed on one. An error is the mean absolute difference, of 255, from the same renderer's own
long render of one scene without a denoiser. A long render has noise too, which is counted in; Mitsuba's has more, so
it is also measured against the mean of several. Blender is left out, and said to be, where ANSWERABLE_BLENDER names
none; its shapes and materials are our own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import numpy as np

from answerable.core.errors import MissingExtraError
from answerable.core.seeds import Stream
from answerable.domains.scene.renderers import Pixels, Renderer
from answerable.domains.scene.sampler import sample_scene
from answerable.domains.scene.stage import Stage
from answerable.domains.scene.visibility import stage_of
from answerable.domains.scene.world import Scene

Row = dict[str, object]
CLEVR_SAMPLES = 512


def stages(count: int) -> list[Stage]:
    """Scenes of six things."""
    made = (sample_scene(Stream("bench-renderers", number), 6, 6) for number in range(count))
    return [stage_of(scene) for scene in made if isinstance(scene, Scene)]


def timed(drawing: Renderer, stage: Stage) -> tuple[float, Pixels]:
    """Seconds, and the picture."""
    start = time.perf_counter()
    pixels = drawing.render(stage)
    return time.perf_counter() - start, pixels


def error(one: Pixels, other: Pixels) -> float:
    """Mean absolute difference of 255."""
    return round(float(np.abs(one.astype(int) - other).mean()), 2)


def seconds_of(usual: Renderer, every: list[Stage]) -> float:
    """Median over the scenes, after one that does not count."""
    usual.render(every[0])
    return round(statistics.median(timed(usual, stage)[0] for stage in every), 2)


def blender(every: list[Stage], long: int) -> list[Row]:
    """CLEVR's setting, and the default."""
    from answerable.domains.scene.renderers.blender import BlenderRenderer

    first = every[0]
    usual, official = BlenderRenderer(), BlenderRenderer(CLEVR_SAMPLES, denoise=False)
    usual_s = seconds_of(usual, every)
    seconds, picture = timed(official, first)
    reference = BlenderRenderer(long, denoise=False).render(first)
    return [
        {
            "name": "blender, CLEVR's setting", "setting": official.version, "s": round(seconds, 2),
            "error": error(picture, reference),
        },
        {
            "name": "blender, default", "setting": usual.version, "s": usual_s,
            "error": error(usual.render(first), reference),
        },
    ]  # fmt: skip


def mitsuba(every: list[Stage], long: int, passes: int) -> Row:
    """The default."""
    from answerable.domains.scene.renderers.light import MitsubaRenderer, srgb

    first = every[0]
    usual, slow = MitsubaRenderer(), MitsubaRenderer(long, metal_samples=None, denoise=False)
    seconds = seconds_of(usual, every)
    references = [slow.radiance(first, seed) for seed in range(passes)]
    picture = usual.render(first)
    return {
        "name": "mitsuba, default", "setting": usual.version, "s": seconds,
        "error": error(picture, srgb(references[0])), "error_long": error(picture, srgb(np.mean(references, axis=0))),
    }  # fmt: skip


def measure(scenes: int, long: int, passes: int) -> list[Row]:
    """Rows: name, setting, seconds an image, error; ``error_long`` where it was measured against several passes."""
    every = stages(scenes)
    try:
        rows = blender(every, long)
    except MissingExtraError as missing:
        rows = [{"name": "blender", "setting": f"not measured: {missing.got}", "s": None, "error": None}]
    return [*rows, mitsuba(every, long, passes)]


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=3)
    parser.add_argument("--long", type=int, default=2048, help="samples of the long renders")
    parser.add_argument("--passes", type=int, default=4, help="long renders of Mitsuba, of which the mean is taken too")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.scenes, args.long, args.passes):
        print(json.dumps(row) if args.json else f"{row['name']}: {row['s']} s, error {row['error']} ({row['setting']})")


if __name__ == "__main__":
    main()
