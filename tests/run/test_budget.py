"""Tokens and dollars."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerable.core.runlog import Usage
from answerable.run.budget import Meter, estimate
from answerable.run.settings import Estimate, RunSettings
from answerable.run.views import load
from tests.run.helpers import make_benchmark, prompt

PRICED = RunSettings(price_in=1.0, price_out=10.0)


def test_estimate(tmp_path: Path) -> None:
    views, _ = load(make_benchmark(tmp_path / "b", 1), "test", None, keep_key=False, seed=0)
    text = prompt().text
    each = -(-(len(text.system) + len(text.user) + len(views.questions[0])) // 4) + 1  # one 28 x 28 patch
    found = estimate(views, prompt(), 512, PRICED, 12)
    assert found is not None
    assert (found.requests, found.prompt_tokens) == (12, 12 * each)
    assert found.low == pytest.approx((12 * each + 12 * 60 * 10) / 1e6)
    assert found.high == pytest.approx((12 * each + 12 * 512 * 10) / 1e6)
    blind = estimate(views, prompt(), 512, RunSettings(price_in=1.0, price_out=1.0, control="text-only"), 12)
    assert blind is not None
    assert blind.prompt_tokens == 12 * (each - 1)
    assert estimate(views, prompt(), 512, RunSettings(), 12) is None


def test_count() -> None:
    meter = Meter(PRICED, Estimate(10, 1000, 0.001, 0.05))
    meter.count(Usage(1_000, 100, 40))
    assert meter.cost == pytest.approx(0.002)
    assert (meter.prompt, meter.completion, meter.reasoning, meter.uncounted) == (1000, 100, 40, 0)
    meter.count(Usage(None, 5))  # charged at the high end: 0.05 / 10
    assert meter.cost == pytest.approx(0.007)
    assert meter.uncounted == 1
    assert Meter(RunSettings(), None).cost is None


def test_cap() -> None:
    meter = Meter(RunSettings(price_in=1.0, price_out=1.0, max_cost=0.01), Estimate(10, 0, 0.0, 0.03))
    assert [meter.allows(others) for others in range(4)] == [True, True, True, False]  # 0.003 each
    meter.count(Usage(500, 500))  # 0.001 each from now on
    assert [meter.allows(others) for others in (0, 7, 8, 9)] == [True, True, True, False]
    meter.count(Usage(9_000, 0))
    assert not meter.allows(0)
    assert Meter(RunSettings(), None).allows(10**9)
