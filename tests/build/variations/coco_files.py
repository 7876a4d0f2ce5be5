"""A few made-up photos with COCO's instances and captions, for the tests of variants."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 96, 64


def photo(number: int) -> bytes:
    """A JPEG file."""
    made = np.random.default_rng(number).integers(0, 256, (4, 6, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(made).resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC).save(out, "JPEG", quality=90)
    return out.getvalue()


def thing(number: int, image: int, category: int, box: tuple[int, int, int, int], **more: Any) -> dict[str, Any]:
    """An instance whose outline is its box."""
    x, y, w, h = box
    outline = [[x, y, x + w, y, x + w, y + h, x, y + h]]
    return {
        "id": number, "image_id": image, "category_id": category, "bbox": box, "segmentation": outline, "iscrowd": 0,
    } | more  # fmt: skip


class Coco:
    """Files in a folder; change ``things`` and call ``write``."""

    def __init__(self, folder: Path, count: int = 4) -> None:
        self.folder, self.images, self.count = folder, folder / "images", count
        self.images.mkdir(parents=True)
        for number in range(count):
            (self.images / f"{number}.jpg").write_bytes(photo(number))
        # A cup of a fifth of the photo, and a small spoon.
        self.things = [
            one
            for n in range(count)
            for one in (thing(2 * n, n, 1, (8 + n, 8, 40, 32)), thing(2 * n + 1, n, 2, (60, 40, 10, 8)))
        ]

    def write(self) -> Path:
        """The file of instances."""
        images = [
            {"id": n, "file_name": f"{n}.jpg", "width": WIDTH, "height": HEIGHT} for n in range(self.count)
        ]  # fmt: skip
        names = [{"id": 1, "name": "cup"}, {"id": 2, "name": "spoon"}]
        path = self.folder / "instances.json"
        path.write_text(json.dumps({"images": images, "annotations": self.things, "categories": names}))
        return path

    def captions(self, **texts: str) -> Path:
        """The file of captions; ``_0="..."`` is for the first photo."""
        said = [
            {"id": place, "image_id": int(name[1:]), "caption": text}
            for place, (name, text) in enumerate(texts.items())
        ]
        path = self.folder / "captions.json"
        path.write_text(json.dumps({"annotations": said}))
        return path
