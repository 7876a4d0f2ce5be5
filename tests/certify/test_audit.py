"""The audit: five faults, each refused every time, and never silently nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerable.build.pipeline import ChartSettings, build
from answerable.build.sources.sampler import SamplerSource
from answerable.certify.audit import Audit, AuditLine, audit
from answerable.certify.checks import check_parcel
from answerable.certify.faults import FAULTS, Plant
from answerable.core.benchmark import Benchmark
from answerable.core.errors import BenchmarkError, SettingsError
from answerable.core.seeds import Stream
from answerable.exec import ThisProcess
from tests.certify.forge import parcel
from tests.domains.chart.make import draft, request, world

CHART: dict[str, Plant] = dict(FAULTS.load("chart"))
MEANT = {
    "target": {"answers"},
    "program": {"answers", "edits", "bound"},
    "one pixel": {"pixels", "witness"},
    "equal answers": {"answers"},
    "observation condition": {"hidden", "witness", "pixels"},
    "undetermined as determined": {"determined"},
}


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("audit") / "b"
    build(ChartSettings(groups=6, seed=21, families=("skia",)), SamplerSource(21), out, ThisProcess())
    return Benchmark(out)


def test_all_faults_are_refused_twenty_times_each(benchmark: Benchmark) -> None:
    found = audit(benchmark, ThisProcess(), trials=20)
    assert [(line.domain, line.fault) for line in found.lines] == [("chart", name) for name in MEANT]
    assert [(line.trials, line.refused) for line in found.lines] == [(20, 20)] * len(MEANT)
    for line in found.lines:
        assert set(line.premises) <= MEANT[line.fault]
        assert sum(line.premises.values()) == 20
    assert found.all_refused
    assert audit(benchmark, ThisProcess(), trials=20) == found


@pytest.mark.parametrize("trials", [0, -1])
def test_no_trials_would_show_nothing(trials: int, benchmark: Benchmark) -> None:
    with pytest.raises(SettingsError, match="at least one trial a fault") as caught:
        audit(benchmark, ThisProcess(), trials=trials)
    assert caught.value.where == "--trials"


def test_a_fault_that_passes_is_not_all_refused() -> None:
    line = AuditLine(domain="chart", fault="x", trials=20, refused=19, premises={"answers": 19})
    assert not Audit(lines=(line,)).all_refused


def test_without_a_sound_group_there_is_nothing_to_plant_faults_in(tmp_path: Path) -> None:
    build(ChartSettings(groups=1, seed=2, families=("skia",)), SamplerSource(2), tmp_path / "b", ThisProcess())
    path = tmp_path / "b" / "proofs-00000.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"scale":', b'"scale" :'))
    with pytest.raises(BenchmarkError, match="accepted groups to plant faults in") as caught:
        audit(Benchmark(tmp_path / "b"), ThisProcess(), trials=3)
    assert "certify first" in caught.value.fix


@pytest.mark.parametrize("name", CHART)
@pytest.mark.parametrize("kind", ["vbar", "line"])
def test_each_fault_changes_the_group_and_is_refused(name: str, kind: str) -> None:
    made = draft(world("vbar" if kind == "vbar" else "line", rows=2), request(appearance="gap"))
    sound = parcel(made)
    assert check_parcel(sound).status == "accepted"
    for trial in range(6):
        planted = CHART[name](sound, Stream("test", trial))
        assert planted != sound
        found = check_parcel(planted)
        assert found.status == "refused"
        assert found.premise in MEANT[name]


def test_faults_are_planted_with_digests_made_right() -> None:
    sound = parcel(draft(world(rows=2)))
    plants: list[Callable[..., object]] = list(CHART.values())
    assert len(plants) == 6
    for plant in CHART.values():
        planted = plant(sound, Stream("right"))
        assert planted.proof is not None
        assert {view.evidence.proof for view in planted.group.views} == {planted.proof.digest()}
        assert check_parcel(planted).premise != "image"
