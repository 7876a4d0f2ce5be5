"""Groups of code through the kernel: sound ones pass, every planted fault is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.build.code_benchmarks import CodeSettings, build
from answerable.certify.audit import audit
from answerable.certify.checks import Parcel, certify, check_parcel
from answerable.certify.faults import FAULTS, Plant
from answerable.core.benchmark import Benchmark
from answerable.core.seeds import Stream
from answerable.domains.code import screen
from answerable.domains.code.generator import STRATEGIES, Strategy
from answerable.exec import ThisProcess
from tests.domains.code.make import draft

CODE: dict[str, Plant] = dict(FAULTS.load("code"))
MEANT = {
    "target": {"answers"},
    "program": {"answers"},
    "one pixel": {"pixels", "witness"},
    "equal answers": {"answers"},
    "observation condition": {"answers", "hidden", "witness", "complete"},
    "not determined": {"answers", "determined"},
    "control": {"answers", "hidden"},
    "inadmissible world": {"admissible", "complete", "edits"},
    "edit of another line": {"answers", "edits", "complete", "admissible"},
    "reason": {"answers"},
}


def sound(strategy: Strategy, seed: int = 0) -> Parcel:
    made = draft(strategy, seed)
    return Parcel(made.group, made.images, made.proof)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    out = tmp_path_factory.mktemp("audit") / "b"
    build(CodeSettings(groups=12, seed=21), out, ThisProcess())
    return Benchmark(out)


def test_every_group_is_accepted(benchmark: Benchmark) -> None:
    found = certify(benchmark, ThisProcess())
    assert found.statuses == {"accepted": 12}
    assert found.holds


def test_every_fault_is_refused_twenty_times(benchmark: Benchmark) -> None:
    found = audit(benchmark, ThisProcess(), trials=20)
    assert [(line.domain, line.fault) for line in found.lines] == [("code", name) for name in MEANT]
    assert [(line.fault, line.trials, line.refused) for line in found.lines] == [(name, 20, 20) for name in MEANT]
    for line in found.lines:
        assert set(line.premises) <= MEANT[line.fault], line


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", CODE)
def test_each_fault_is_caught_by_what_is_meant_to_catch_it(name: str, strategy: Strategy) -> None:
    parcel = sound(strategy)
    assert check_parcel(parcel).status == "accepted"
    for trial in range(4):
        planted = CODE[name](parcel, Stream("test", trial))
        assert planted != parcel
        found = check_parcel(planted)
        assert (found.status, found.premise in MEANT[name]) == ("refused", True), found


def test_another_renderer_is_said_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parcel = sound("s2")
    monkeypatch.setattr(screen, "version", lambda: "skia-python 1 Pygments 1 r1")
    found = check_parcel(parcel)
    assert found.status == "other_renderer"
    assert "here is skia-python 1 Pygments 1 r1" in found.detail


@pytest.mark.slow
def test_three_hundred_groups(tmp_path: Path) -> None:
    build(CodeSettings(groups=300, seed=77), tmp_path / "b", ThisProcess())
    assert certify(Benchmark(tmp_path / "b"), ThisProcess()).statuses == {"accepted": 300}
    assert audit(Benchmark(tmp_path / "b"), ThisProcess(), trials=60).all_refused
