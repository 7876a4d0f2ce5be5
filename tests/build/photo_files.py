"""GQA's files and photos in a folder, for the tests of building and of recipes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from answerable.build.photo_benchmarks import PhotoSettings, build
from answerable.build.recipes import Recipe, read_recipe
from answerable.build.sources.gqa import GqaSource
from answerable.core.benchmark import Ledger, Manifest
from answerable.exec import Executor, ThisProcess
from tests.domains.photo.make import GRAPH, photo, question, step

COUNT = 6


def entry(number: int) -> dict[str, Any]:
    if number % 2:
        return question(
            "On which side is the dog?", "left",
            step("select", "dog (o1)"), step("query", "hposition", 0), photo=str(number),
        )  # fmt: skip
    return question("Is there a cat?", "yes", step("select", "cat (o3)"), step("exist", "?", 0), photo=str(number))


class Files:
    """GQA's files and photos in a folder."""

    def __init__(self, folder: Path, count: int = COUNT) -> None:
        self.folder, self.images = folder, folder / "images"
        self.images.mkdir(parents=True)
        self.questions: dict[str, Any] = {f"q{number}": entry(number) for number in range(count)}
        self.graphs: dict[str, Any] = {str(number): GRAPH for number in range(count)}
        for number in range(count):
            (self.images / f"{number}.jpg").write_bytes(photo("JPEG", quality=60 + number))

    def source(self) -> GqaSource:
        for name, found in (("q", self.questions), ("g", self.graphs)):
            (self.folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
        return GqaSource((self.folder / "q.json",), (self.folder / "g.json",))

    def build(self, out: str = "out", executor: Executor | None = None, **settings: Any) -> tuple[Manifest, Ledger]:
        made = PhotoSettings(**({"groups": COUNT} | settings))
        return build(
            made, self.source(), self.images, self.folder / out, executor or ThisProcess(),
            recipe=self.folder / f"{out}.jsonl",
        )  # fmt: skip

    def recipe(self, out: str = "out") -> Recipe:
        return read_recipe(self.folder / f"{out}.jsonl")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
