"""Rewrite the golden digests on purpose: ``python -m tests.golden.rewrite``, or ``make golden``.

A digest says: this seed, with this version of this library on this kind of machine, gives exactly these views and
proofs. Rewrite it only when a change of pixels or questions is meant, and say so in the changelog.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import tempfile
from pathlib import Path

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode, encode_pretty
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.domains.chart.families import FAMILIES, family
from answerable.exec import ThisProcess

FOLDER = Path(__file__).parent
SEED = 20260915


class Golden(Record, frozen=True):
    """What a family drew when the digest was written."""

    version: str
    """Of the library and our revision, as proofs name it."""
    platform: str
    """Pixels of one library may differ between kinds of machine."""
    views: int
    content: str
    """sha256 over ids, states, questions, obligations, image digests and proof digests, in order."""


def this_platform() -> str:
    """System and processor."""
    return f"{platform.system()} {platform.machine()}"


def measure(name: str) -> Golden:
    """Build a small benchmark with one family and digest its content."""
    content = hashlib.sha256()
    groups = 2 if name == "vega" else 8
    with tempfile.TemporaryDirectory() as folder:
        settings = ChartSettings(groups=groups, seed=SEED, families=(name,))
        build(settings, SamplerSource(SEED), Path(folder) / "b", ThisProcess())
        benchmark = Benchmark(Path(folder) / "b")
        for view in benchmark.views():
            told = (view.id, view.state, view.question, view.obligation, view.image_sha256, view.evidence.proof)
            content.update(encode(told) + b"\n")
        views = benchmark.manifest.views
    return Golden(version=family(name).version, platform=this_platform(), views=views, content=content.hexdigest())


def main() -> None:
    """Rewrite every file."""
    for name in FAMILIES.names():
        write_bytes(FOLDER / f"{name}.json", encode_pretty(measure(name)))
        sys.stdout.write(f"wrote tests/golden/{name}.json\n")


if __name__ == "__main__":
    main()
