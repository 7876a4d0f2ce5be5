"""COCO's photos as they are published: masked and restyled end to end, and looked at by numbers."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from answerable.build.sources.coco import Instances
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.consistency import kinds_of
from tests.shared import SHARED, needs_shared

FOLDER = SHARED / "data" / "coco"
STUB = Path(__file__).parents[2] / "benchmarks" / "stub_server.py"
FILE, IMAGES = FOLDER / "instances.json", FOLDER / "images"

pytestmark = needs_shared


@pytest.fixture
def stub() -> Iterator[str]:
    """A loopback server that gives every question one answer."""
    process = subprocess.Popen([sys.executable, str(STUB)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    process.terminate()
    process.communicate()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("variations") / "b"
    words = ["--from-coco", str(FILE), "--images", str(IMAGES), "--occlude", "--restyle", "grayscale"]
    assert run_command(["build", "variations", *words, "--rephrase", "own", "--workers", "1", "--out", str(out)]) == 0
    return Benchmark(out)


def test_every_photo_gives_groups_or_a_reason(bench: Benchmark) -> None:
    bench.verify()
    (line,) = bench.ledger().lines
    assert line.scanned == 24 and line.kept >= 12
    assert set(line.refused) <= {"no thing of the size to hide", "no kind of thing stands out"}
    assert {one.source for one in bench.manifest.sources} == {"coco-occluded", "coco-things"}


def test_masked_things_have_the_published_size(bench: Benchmark) -> None:
    instances = Instances(FILE)
    for group in bench.groups():
        first = group.views[0]
        if first.source != "coco-occluded":
            continue
        number = int(first.evidence.note.split("(outline ")[1].split(")")[0])
        assert 0.10 <= float(instances.mask_of(number).mean()) <= 0.25
        assert not instances.crowd(number)
        (name,) = {thing.name for thing in instances.on(first.figure) if thing.id == str(number)}
        assert getattr(first.obligation, "target", "") == name


def test_a_solid_mask_hides_the_whole_outline(bench: Benchmark) -> None:
    for view in bench.views():
        if view.topic != "occlude":
            continue
        hidden = float(view.evidence.note.split(", ")[1].split(" of the outline")[0])
        kinds = kinds_of(view)
        if kinds["lines"] == "1" and kinds["shape"] == "rectangle":
            assert hidden > 0.99
        assert 0.25 < hidden <= 1


def test_grey_pictures_are_grey_and_of_the_same_size(bench: Benchmark) -> None:
    sizes = {view.figure: (view.width, view.height) for view in bench.views() if not view.topic}
    seen = 0
    for view, image in bench.views_with_images():
        if view.topic == "restyle":
            pixels = np.asarray(Image.open(io.BytesIO(image)))
            assert (pixels == pixels[:, :, :1]).all() and (view.width, view.height) == sizes[view.figure]
            seen += 1
    assert seen >= 6


def test_the_oracle_agrees_with_itself(bench: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    assert run_command(["run", str(bench.path), "--model", "reference/oracle", "--out", run]) == 0
    assert run_command(["score", run, "--draws", "20"]) == 0
    assert run_command(["certify", str(bench.path)]) == 0
    assert "without a proof" in capsys.readouterr().out


def test_from_photos_to_the_report_in_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    models = ["--model", "reference/oracle", "--model", "reference/random"]
    assert run_command(["evaluate", str(FILE), "--images", str(IMAGES), *models, "--out", str(out)]) == 0
    assert capsys.readouterr().out.count("$ answerable ") == 6
    page = (out / "report.html").read_text(encoding="utf-8")
    assert 'id="consistency"' in page and "coco-occluded" in page


def test_a_server_that_always_says_the_same_is_consistent(tmp_path: Path, stub: str) -> None:
    out = tmp_path / "out"
    server = ["--model", "stub", "--base-url", stub, "--repeats", "2"]
    assert run_command(["evaluate", str(FILE), "--images", str(IMAGES), *server, "--out", str(out)]) == 0
    (run,) = json.loads((out / "scores" / "consistency.json").read_bytes())["runs"]
    parts = [part for source in run["sources"].values() for part in source["parts"]]
    assert {part["value"] for part in parts if part["facet"] == "variation"} == {"rephrase", "restyle", "occlude"}
    assert {part["structure"] for part in parts} == {"variants", "sampling"}
    whole = [part["measures"] for part in parts if part["facet"] == "all" and part["which"] == "every"]
    assert whole and all(one["Con"]["value"] == 1 for one in whole)


@pytest.mark.torch
def test_the_same_with_a_tiny_local_model(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.models.tiny import make_model

    out, model = tmp_path / "out", make_model(tmp_path / "tiny")
    local = ["--model", f"local/{model}", "--limit", "3"]
    assert run_command(["evaluate", str(FILE), "--images", str(IMAGES), *local, "--out", str(out)]) == 0
    (run,) = json.loads((out / "scores" / "consistency.json").read_bytes())["runs"]
    assert run["sources"]
    assert 'id="consistency"' in (out / "report.html").read_text(encoding="utf-8")
