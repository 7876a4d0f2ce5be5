"""Other people's annotations: real FigureQA and PlotQA files, through build and certification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources import Figure
from answerable.build.sources.annotations import AnnotationSource
from answerable.certify.checks import certify
from answerable.core.benchmark import Benchmark, Ledger
from answerable.core.codec import decode
from answerable.core.records import Refusal
from answerable.domains.chart.proof import ChartProof
from answerable.exec import ThisProcess
from tests.shared import SHARED, needs_shared

pytestmark = needs_shared
FIGUREQA = tuple(sorted((SHARED / "data" / "figureqa").rglob("*_annotations.json")))
PLOTQA = SHARED / "data" / "plotqa" / "annotations.json"


def run(source: AnnotationSource, out: Path, *families: str) -> Ledger:
    """Every group that the source gives, certified."""
    settings = ChartSettings(groups=200, seed=1, families=families)
    _, ledger = build(settings, source, out, ThisProcess())
    certificate = certify(Benchmark(out), ThisProcess())
    assert certificate.holds, certificate.refusals
    assert certificate.statuses == {"accepted": ledger.kept}
    (line,) = ledger.lines
    assert line.scanned == line.kept + line.unattempted + sum(line.refused.values())
    return ledger


@pytest.mark.parametrize("family", ["skia", "matplotlib"])
def test_every_figureqa_figure_but_pies_gives_a_group(family: str, tmp_path: Path) -> None:
    pies = [path for path in FIGUREQA if path.parent.name == "pie"]
    assert len(FIGUREQA) == 10
    assert len(pies) == 2
    ledger = run(AnnotationSource(FIGUREQA), tmp_path / "b", family)
    assert ledger.kept == len(FIGUREQA) - len(pies)
    assert ledger.lines[0].refused == {"unsupported figure type": len(pies)}
    kinds = {json.loads(bytes(proof.body))["worlds"]["F"]["kind"] for proof in Benchmark(tmp_path / "b").proofs()}
    assert kinds == {"vbar", "hbar", "line", "dot_line"}


def test_figureqa_axes_and_values_are_the_annotations_own(tmp_path: Path) -> None:
    run(AnnotationSource(FIGUREQA), tmp_path / "b", "skia")
    for proof in Benchmark(tmp_path / "b").proofs():
        body = decode(bytes(proof.body), ChartProof)
        view = next(view for view in Benchmark(tmp_path / "b").views() if view.group == proof.group)
        name, _, _ = view.figure.partition("#")
        annotation = json.loads((SHARED / "data" / "figureqa" / name).read_text(encoding="utf-8"))
        world = body.worlds["F"]
        ticks = annotation["general_figure_info"]["x_axis" if world.kind == "hbar" else "y_axis"]["major_ticks"][
            "values"
        ]
        numbers = [float(tick) for tick in ticks]
        assert float(world.axis.lower) <= min(numbers) <= max(numbers) <= float(world.axis.upper)
        assert float(world.axis.step) == pytest.approx(abs(numbers[1] - numbers[0]))
        shown = {model["name"]: model for model in annotation["models"]}
        for series, line in zip(world.series, world.values, strict=True):
            model = shown[series]
            values = [float(value) for value in (model["x"] if world.kind == "hbar" else model["y"])]
            # Rounded to two decimals, and some positions left out of dense figures.
            assert all(min(abs(float(value) - other) for other in values) <= 0.005 + 1e-9 for value in line)


def test_plotqa_has_no_axis_range(tmp_path: Path) -> None:
    found = list(AnnotationSource((PLOTQA,)).figures())
    assert len(found) == 19
    reasons = [item.reason for item in found if isinstance(item, Refusal)]
    assert len(reasons) == 19
    assert reasons.count("no axis range") == 18
    assert set(reasons) == {"no axis range", "positions differ between series"}


def test_plotqa_builds_with_an_axis_around_its_values(tmp_path: Path) -> None:
    source = AnnotationSource((PLOTQA,), axis="data")
    figures = [item for item in source.figures() if isinstance(item, Figure)]
    assert len(figures) == 18
    ledger = run(source, tmp_path / "b", "skia")
    assert ledger.kept >= 16
    assert ledger.lines[0].refused["positions differ between series"] == 1
