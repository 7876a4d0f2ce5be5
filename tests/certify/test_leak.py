"""What light would tell of hidden things, were they only covered."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from answerable.build.assembly import assemble
from answerable.build.pipeline import ChartSettings, build
from answerable.build.scene_benchmarks import SceneRecipe, SceneSettings
from answerable.build.sources.sampler import SamplerSource
from answerable.certify.checks import parcels
from answerable.certify.leak import audit_leak, measure
from answerable.cli.main import run_command
from answerable.core.benchmark import Benchmark
from answerable.core.codec import decode
from answerable.core.errors import SettingsError
from answerable.domains.scene.proof import SceneCase, SceneProof
from answerable.domains.scene.renderers import Pixels
from answerable.domains.scene.renderers.flat import FlatRenderer
from answerable.domains.scene.stage import Stage
from answerable.exec import ThisProcess


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("leak") / "b"
    settings = SceneSettings(groups=4, seed=3, renderer="flat")
    assemble(SceneRecipe(settings), out, ThisProcess(), name="scenes")
    return Benchmark(out)


class Glowing:
    """Draws as the flat renderer does, and lights the first row by how much red there is anywhere in the stage."""

    version = "glowing"

    def render(self, stage: Stage) -> Pixels:
        pixels = FlatRenderer().render(stage)
        glow = sum(solid.color[0] + solid.half[2] * len(solid.form) for solid in stage.solids)
        pixels[0] = np.uint8(round(glow * 97) % 251)
        return pixels


def case_of(benchmark: Benchmark, images: Mapping[str, bytes], number: int) -> SceneCase:
    parcel = list(parcels(benchmark))[number]
    assert parcel.proof is not None
    return SceneCase(decode(bytes(parcel.proof.body), SceneProof), images, Glowing())


def test_flat_pictures_have_no_light_to_tell_by(scenes: Benchmark) -> None:
    found = audit_leak(scenes, ThisProcess(), groups=99)
    assert {line.cover: (line.groups, line.leaking, line.most) for line in found.lines} == {
        "box": (2, 0, 0.0), "panel": (2, 0, 0.0),
    }  # fmt: skip
    assert (found.step, found.groups) == (2, 4)


def test_light_that_knows_of_what_is_covered_is_found(scenes: Benchmark) -> None:
    told = []
    for number in range(4):
        case = case_of(scenes, {}, number)
        hide = next(claim.hide for claim in case.claims if claim.state == "M")
        assert hide is not None
        told.append(case.leak(hide, 2))
    # One row of 320, or nothing where both worlds happen to glow alike.
    assert set(told) <= {Fraction(0), Fraction(1, 320)}
    assert Fraction(1, 320) in told


def test_what_hides_nothing_in_a_scene_is_not_measured(tmp_path: Path) -> None:
    settings = ChartSettings(groups=1, seed=1, families=("skia",))
    build(settings, SamplerSource(1), tmp_path / "b", ThisProcess())
    charts = Benchmark(tmp_path / "b")
    assert [measure(parcel) for parcel in parcels(charts)] == [None]
    with pytest.raises(SettingsError, match="expected a benchmark with hidden places in scenes; got charts"):
        audit_leak(charts, ThisProcess(), groups=3)
    with pytest.raises(SettingsError, match="expected at least one group; got groups=0"):
        audit_leak(charts, ThisProcess(), groups=0)


def test_the_verb_prints_a_line_a_cover(scenes: Benchmark, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["audit", "leak", str(scenes.path), "--workers", "1"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "box" in text and "panel" in text and "taken away before light is traced" in text
    assert run_command(["audit", "leak", str(scenes.path), "--groups", "1", "--json", "--workers", "1"]) == 0
    assert '"groups": 1' in capsys.readouterr().out
