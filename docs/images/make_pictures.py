"""Draws the pictures of the documentation from the product itself: python docs/images/make_pictures.py"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from answerable.build.assembly import Recipe, assemble
from answerable.build.code_benchmarks import CodeRecipe, CodeSettings
from answerable.build.pipeline import ChartRecipe, ChartSettings
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
from answerable.build.sources.sampler import SamplerSource
from answerable.build.sources.table_worlds import TABLE_SOURCES
from answerable.build.table_benchmarks import TableRecipe, TableSettings
from answerable.certify.explain import explain
from answerable.certify.lettering import folded
from answerable.certify.sheet import draw
from answerable.core.benchmark import Benchmark
from answerable.core.records import Abstain, Group, Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.text import font_file
from answerable.domains.raster import png
from answerable.exec import ThisProcess
from answerable.logic.program import Lookup

SEED = 54
HERE = Path(__file__).parent
WORDS = {
    "F": "the complete chart", "S": "a value elsewhere changed", "K": "another position hidden",
    "C": "the asked value changed", "M": "the asked position hidden", "I": "the asked series removed",
}  # fmt: skip


def main() -> None:
    """Write every picture."""
    group_of_views()
    with tempfile.TemporaryDirectory() as name:
        for domain, (make, ask) in EXAMPLES.items():
            folder = Path(name) / domain
            assemble(make(), folder, ThisProcess(), name=domain)
            row("proof-" + domain, next(filter(ask, opened(folder))), "FCM")
        code = list(opened(Path(name) / "code"))
        row("determined", next(filter(EXAMPLES["chart"][1], opened(Path(name) / "chart"))), "FDM")
        found = next(filter(EXAMPLES["chart"][1], opened(Path(name) / "chart")))
        whole_proof("proof-sheet", Path(name) / "chart", found[0].id)
        row("chance", next(group for group in code if group[0].source == "code-s1"), "FM")


def whole_proof(name: str, folder: Path, group: str) -> None:
    """What ``certify --explain`` draws."""
    pixels = Image.fromarray(png.decode(draw(explain(Benchmark(folder), group))))
    size = (1000, round(pixels.height * 1000 / pixels.width))
    (HERE / f"{name}.png").write_bytes(png.encode(np.asarray(pixels.resize(size, Image.Resampling.LANCZOS))))


def opened(folder: Path) -> Iterator[tuple[Group, dict[str, bytes]]]:
    """Every group of a benchmark with its image files by state."""
    benchmark = Benchmark(folder)
    images = benchmark.images()
    for group in benchmark.groups():
        yield group, {view.state: images.read(view.id) for view in group.views}


def _short(made: tuple[Group, dict[str, bytes]], states: str, program: str = "") -> bool:
    group, images = made
    view = group.views[0]
    return set(states) <= images.keys() and len(view.question) < 100 and program in view.program


#: Domain -> what to build, and the first group fit to be shown.
EXAMPLES: dict[str, tuple[Callable[[], Recipe], Callable[[tuple[Group, dict[str, bytes]]], bool]]] = {
    "chart": (
        lambda: ChartRecipe(ChartSettings(groups=40, seed=SEED, programs=("any",)), SamplerSource(SEED)),
        lambda made: _short(made, "FCDM") and made[0].views[0].width > 0,
    ),
    "table": (
        lambda: TableRecipe(
            TableSettings(groups=20, seed=SEED, programs=("sum",)), TABLE_SOURCES.load("sampler")(SEED)
        ),
        lambda made: _short(made, "FCM"),
    ),
    "code": (
        lambda: CodeRecipe(CodeSettings(groups=30, seed=SEED)),
        lambda made: made[0].source == "code-s3" and len(made[0].views[0].question) < 260,
    ),
    "scene": (
        lambda: SceneRecipe(SceneSettings(groups=2, seed=SEED, covers=("box",), questions=("query-1",))),
        lambda made: len(made[0].views[0].question) < 300,
    ),
}
_TITLES = {
    "F": "World A, complete", "C": "World B, complete",
    "D": "D: hidden, yet determined", "M": "M: what is seen of both",
}  # fmt: skip


def row(name: str, made: tuple[Group, dict[str, bytes]], states: str) -> None:
    """Some views of a group side by side, each with what is asked of a model."""
    group, images = made
    views = [
        (view, Image.fromarray(png.decode(images[state])))
        for state in states
        for view in group.views
        if view.state == state
    ]
    pictures = [picture for _, picture in views]
    wide, high, head, edge = max(p.width for p in pictures), max(p.height for p in pictures), 76, 24
    bold = ImageFont.truetype(str(font_file(bold=True)), 24)
    plain = ImageFont.truetype(str(font_file()), 20)
    across = len(states) * (wide + edge) + edge
    lines = folded(group.views[0].question, 24, across - 2 * edge, bold=True)
    top = 24 + 34 * len(lines) + 12
    sheet = Image.new("RGB", (across, top + head + high + edge), "#f4f5f7")
    pen = ImageDraw.Draw(sheet)
    for number, line in enumerate(lines):
        pen.text((edge, 20 + 34 * number), line, font=bold, fill="#1d2129")
    for index, (view, picture) in enumerate(views):
        abstain = isinstance(view.obligation, Abstain)
        title = _TITLES[view.state]
        if view.obligation == Abstain(reason="indeterminate"):
            title = "M: complete, left to chance"
        x = edge + index * (wide + edge)
        pen.rectangle((x, top, x + wide - 1, top + head - 1), fill="#8f2d56" if abstain else "#176087")
        duty = "abstain" if isinstance(view.obligation, Abstain) else f"answer {view.obligation.target}"
        pen.text((x + 14, top + 8), duty, font=bold, fill="white")
        pen.text((x + 14, top + 42), title, font=plain, fill="white")
        sheet.paste(picture, (x, top + head))
    size = (min(1000, sheet.width), round(sheet.height * min(1000, sheet.width) / sheet.width))
    (HERE / f"{name}.png").write_bytes(png.encode(np.asarray(sheet.resize(size, Image.Resampling.LANCZOS))))


def group_of_views() -> None:
    """Write ``group.png``: one question, six views, six obligations."""
    stream = Stream("documentation", SEED)
    world = sample_world(stream, ("vbar",))
    request = Request(
        source="documentation", figure="example", split="test",
        program=Lookup(series=world.series[1], position=world.positions[2]),
        appearance="patch", names=("documentation", SEED),
    )  # fmt: skip
    draft = make_group(world, request, family("skia"))
    if isinstance(draft, Refusal):
        raise SystemExit(f"{draft.reason}: {draft.detail}")
    wide, high, head = 650, 450, 76
    sheet = Image.new("RGB", (3 * wide + 4 * 20, 90 + 2 * (high + head + 20)), "#f4f5f7")
    pen = ImageDraw.Draw(sheet)
    bold = ImageFont.truetype(str(font_file(bold=True)), 26)
    plain = ImageFont.truetype(str(font_file()), 22)
    pen.text((24, 28), draft.group.views[0].question, font=bold, fill="#1d2129")
    for index, (view, data) in enumerate(zip(draft.group.views, draft.images, strict=True)):
        x, y = 20 + (index % 3) * (wide + 20), 90 + (index // 3) * (high + head + 20)
        abstain = isinstance(view.obligation, Abstain)
        duty = "abstain" if isinstance(view.obligation, Abstain) else f"answer {view.obligation.target}"
        pen.rectangle((x, y, x + wide - 1, y + head - 1), fill="#8f2d56" if abstain else "#176087")
        pen.text((x + 14, y + 8), f"{view.state}: {duty}", font=bold, fill="white")
        pen.text((x + 14, y + 42), WORDS[view.state], font=plain, fill="white")
        sheet.paste(Image.fromarray(png.decode(data)), (x, y + head))
    small = sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)
    (HERE / "group.png").write_bytes(png.encode(np.asarray(small)))


if __name__ == "__main__":
    main()
