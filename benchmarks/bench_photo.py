"""What groups of photos cost: made-up photos of 640x480 with GQA's files beside them, built from nothing to a folder.

usage: python benchmarks/bench_photo.py [--groups N] [--workers N] [--json]

Photos are JPEG files of smooth noise with ten things on them, so that they decode and compress like photos; making them
is not counted. Counted is everything from reading the files to the finished benchmark folder.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from answerable.build.photo_benchmarks import PhotoSettings, build
from answerable.build.sources.gqa import GqaSource
from answerable.core.seeds import Stream
from answerable.exec import executor

WIDTH, HEIGHT = 640, 480
#: The goal: seconds for a thousand groups.
GOAL = 60
Row = dict[str, object]


def photo(number: int) -> bytes:
    """A JPEG file of smooth and fine noise."""
    import numpy as np
    from PIL import Image

    draw = np.random.default_rng(number)
    coarse = Image.fromarray(draw.integers(0, 256, (12, 16, 3), np.uint8)).resize(
        (WIDTH, HEIGHT), Image.Resampling.BICUBIC
    )
    pixels = np.asarray(coarse, np.int16) + draw.normal(0, 6, (HEIGHT, WIDTH, 1)).astype(np.int16)
    out = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=90)
    return out.getvalue()


def graph(number: int) -> dict[str, Any]:
    """Ten things, five on each half."""
    stream = Stream("bench-photo", number)
    things = {}
    for place in range(10):
        x, y = 64 * (place % 5) * 2 + stream.below(20), 240 * (place // 5) + stream.below(100)
        things[str(place)] = {
            "name": f"thing {place}", "x": x, "y": y, "w": 60 + stream.below(30), "h": 70 + stream.below(40),
            "attributes": ["red" if place % 2 else "blue"],
            "relations": [{"object": str((place + 1) % 10), "name": "near"}],
        }  # fmt: skip
    return {"width": WIDTH, "height": HEIGHT, "objects": things}


def question(number: int) -> dict[str, Any]:
    """What is near thing 3?"""
    place = number % 9
    return {
        "question": f"What is thing {place} near?", "answer": f"thing {place + 1}", "imageId": str(number),
        "semantic": [
            {"operation": "select", "dependencies": [], "argument": f"thing {place} ({place})"},
            {"operation": "relate", "dependencies": [0], "argument": f"_,near,o ({place + 1})"},
            {"operation": "query", "dependencies": [1], "argument": "name"},
        ],
    }  # fmt: skip


def make(folder: Path, count: int) -> None:
    """The photos and the two files."""
    (folder / "images").mkdir()
    for number in range(count):
        (folder / "images" / f"{number}.jpg").write_bytes(photo(number))
    for name, entry in (("questions", question), ("graphs", graph)):
        text = json.dumps({str(number): entry(number) for number in range(count)})
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def measure(groups: int = 1000, workers: int = 0) -> list[Row]:
    """Rows: name, value, unit, goal."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        # Some questions find no match for their masks.
        make(folder, groups * 3 // 2 + 10)
        pool = executor(workers)
        start = time.perf_counter()
        source = GqaSource((folder / "questions.json",), (folder / "graphs.json",))
        manifest, ledger = build(PhotoSettings(groups=groups), source, folder / "images", folder / "out", pool)
        took = time.perf_counter() - start
        pool.close()
        size = sum(path.stat().st_size for path in (folder / "out").iterdir())
    assert manifest.groups == groups, ledger
    return [
        {"name": f"building {groups} groups of photos", "value": round(took, 2), "unit": "s", "goal": f"{GOAL} s"},
        {"name": "groups", "value": round(groups / took, 1), "unit": "a second", "goal": ""},
        {"name": "folder", "value": round(size / manifest.views / 1000), "unit": "kB a picture", "goal": ""},
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="What groups of photos cost.")
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one a core")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for row in measure(args.groups, args.workers):
        goal = f"   (goal {row['goal']})" if row["goal"] else ""
        print(json.dumps(row) if args.json else f"{row['name']:<32} {row['value']:>8} {row['unit']}{goal}")


if __name__ == "__main__":
    main()
