"""Rewrite the golden digests on purpose: ``python -m tests.golden.rewrite``, or ``make golden``.

A digest says: this seed, with this version of this library on this kind of machine, gives exactly these views and
proofs. Rewrite it only when a change of pixels or questions is meant, and say so in the changelog.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from answerable.build.assembly import Recipe, assemble
from answerable.build.choice_benchmarks import ChoiceRecipe, ChoiceSettings
from answerable.build.code_benchmarks import CodeRecipe, CodeSettings
from answerable.build.pipeline import ChartRecipe, ChartSettings
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
from answerable.build.sources.sampler import SamplerSource
from answerable.build.sources.table_worlds import TABLE_SOURCES
from answerable.build.table_benchmarks import TableRecipe, TableSettings
from answerable.core.benchmark import Benchmark
from answerable.core.codec import encode, encode_pretty
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.domains.chart.families import family
from answerable.domains.chart.templates import TEMPLATES as CHART_QUESTIONS
from answerable.domains.code import screen
from answerable.domains.scene.renderers import renderer
from answerable.domains.table import layout
from answerable.domains.table.templates import TEMPLATES as TABLE_QUESTIONS
from answerable.exec import ThisProcess

FOLDER = Path(__file__).parent
SEED = 20260915


class Golden(Record, frozen=True):
    """What was drawn when the digest was written."""

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


def _charts(family_name: str, groups: int, programs: tuple[str, ...] = ("look-up",)) -> Recipe:
    settings = ChartSettings(groups=groups, seed=SEED, families=(family_name,), programs=programs)
    return ChartRecipe(settings, SamplerSource(SEED))


def _tables(*, choices: bool) -> Recipe:
    settings = TableSettings(groups=len(TABLE_QUESTIONS), seed=SEED, programs=tuple(TABLE_QUESTIONS), choices=choices)
    return TableRecipe(settings, TABLE_SOURCES.load("sampler")(SEED))


#: Golden -> what it builds, and the version that draws it.
GOLDENS: dict[str, tuple[Callable[[], Recipe], Callable[[], str]]] = {
    "skia": (lambda: _charts("skia", 8), lambda: family("skia").version),
    "matplotlib": (lambda: _charts("matplotlib", 8), lambda: family("matplotlib").version),
    "vega": (lambda: _charts("vega", 2), lambda: family("vega").version),
    "chart-programs": (
        lambda: _charts("skia", len(CHART_QUESTIONS), tuple(CHART_QUESTIONS)),
        lambda: family("skia").version,
    ),
    "table": (lambda: _tables(choices=False), layout.version),
    "table-choices": (lambda: _tables(choices=True), layout.version),
    "choice": (lambda: ChoiceRecipe(ChoiceSettings("chart", 3, SEED)), lambda: family("skia").version),
    "code": (lambda: CodeRecipe(CodeSettings(groups=9, seed=SEED)), screen.version),
    "scene": (
        lambda: SceneRecipe(SceneSettings(groups=6, seed=SEED, renderer="flat")),
        lambda: renderer("flat").version,
    ),
}


def measure(name: str) -> Golden:
    """Build a small benchmark and digest its content."""
    content = hashlib.sha256()
    recipe, version = GOLDENS[name]
    with tempfile.TemporaryDirectory() as folder:
        assemble(recipe(), Path(folder) / "b", ThisProcess(), name=name)
        benchmark = Benchmark(Path(folder) / "b")
        for view in benchmark.views():
            told = (view.id, view.state, view.question, view.obligation, view.image_sha256, view.evidence.proof)
            content.update(encode(told) + b"\n")
        views = benchmark.manifest.views
    return Golden(version=version(), platform=this_platform(), views=views, content=content.hexdigest())


def main() -> None:
    """Rewrite every file."""
    for name in GOLDENS:
        write_bytes(FOLDER / f"{name}.json", encode_pretty(measure(name)))
        sys.stdout.write(f"wrote tests/golden/{name}.json\n")


if __name__ == "__main__":
    main()
