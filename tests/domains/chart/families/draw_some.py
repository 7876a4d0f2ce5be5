"""Draw a fixed choice of charts and print their digests: run in processes with other surroundings."""

from __future__ import annotations

import sys

from answerable.core.codec import digest_bytes, encode
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.layout import scene
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.visibility import Hide
from answerable.domains.chart.world import ChartWorld

Job = tuple[str, int, ChartWorld, Hide | None]


def _jobs(name: str, index: int) -> list[Job]:
    world = sample_world(Stream("draw some", index), value_labels=index % 3 < 2)
    hide = Hide(positions=(world.positions[1],), appearance="gap" if index % 2 else "patch")
    return [(name, index, world, None), (name, index, world, hide)]


def digests(names: list[str], *, backwards: bool = False) -> dict[str, str]:
    """Digest of the pixels of every chart, in one order or the other."""
    jobs = [job for name in names for index in range(2 if name == "vega" else 8) for job in _jobs(name, index)]
    found = {}
    for name, index, world, hide in reversed(jobs) if backwards else jobs:
        drawn = family(name)
        pixels = drawn.render(scene(world, drawn.style, hide))
        found[f"{name} {index} {hide is not None}"] = digest_bytes(pixels.tobytes())
    return found


if __name__ == "__main__":
    sys.stdout.write(encode(digests(sys.argv[1].split(","), backwards=sys.argv[2:] == ["backwards"])).decode())
