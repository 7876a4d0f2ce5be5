"""Seconds and errors of the renderers of scenes, against CLEVR's own setting through the same Blender.

usage: python benchmarks/bench_renderers.py [--scenes N] [--long N] [--json]

Time is the median over a few scenes of six things at 480x320, after one that does not count; CLEVR's setting (512
samples, no denoiser) is timed on one. An error is the mean absolute difference, of 255, from the same renderer's own
long render of one scene without a denoiser. Blender is left out, and said to be, where ANSWERABLE_BLENDER names none;
its shapes and materials are our own.
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


def measure_one(name: str, usual: Renderer, long: Renderer, every: list[Stage]) -> tuple[Row, Pixels]:
    """A renderer at its default setting."""
    first = every[0]
    usual.render(first)
    seconds = statistics.median(timed(usual, stage)[0] for stage in every)
    reference = long.render(first)
    row: Row = {"name": name, "setting": usual.version, "s": round(seconds, 2)}
    return row | {"error": error(usual.render(first), reference)}, reference


def measure(scenes: int, long: int) -> list[Row]:
    """Rows: name, setting, seconds an image, error."""
    from answerable.domains.scene.renderers.blender import BlenderRenderer
    from answerable.domains.scene.renderers.light import MitsubaRenderer

    every = stages(scenes)
    rows: list[Row] = []
    try:
        slow = BlenderRenderer(long, denoise=False)
        row, reference = measure_one("blender, default", BlenderRenderer(), slow, every)
        official = BlenderRenderer(CLEVR_SAMPLES, denoise=False)
        seconds, picture = timed(official, every[0])
        rows.append({
            "name": "blender, CLEVR's setting", "setting": official.version, "s": round(seconds, 2),
            "error": error(picture, reference),
        })  # fmt: skip
        rows.append(row)
    except MissingExtraError as missing:
        rows.append({"name": "blender", "setting": f"not measured: {missing.got}", "s": None, "error": None})
    row, _ = measure_one("mitsuba, default", MitsubaRenderer(), MitsubaRenderer(long, denoise=False), every)
    return [*rows, row]


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=3)
    parser.add_argument("--long", type=int, default=2048, help="samples of the long renders")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.scenes, args.long):
        print(json.dumps(row) if args.json else f"{row['name']}: {row['s']} s, error {row['error']} ({row['setting']})")


if __name__ == "__main__":
    main()
