"""Settings that make no sense are refused by their flag."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from answerable.core.errors import SettingsError
from answerable.run.settings import RunSettings, RunSummary, exit_code


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        ({"repeats": 0}, "--repeats"), ({"limit": 0}, "--limit"), ({"concurrency": 0}, "--concurrency"),
        ({"concurrency_start": 0}, "--concurrency-start"), ({"retries": -1}, "--retries"),
        ({"max_image_bytes": 0}, "--max-image-bytes"), ({"fsync_every": 0}, "--fsync-every"),
        ({"halt_after": -1}, "--halt-after"), ({"give_up_after": float("nan")}, "--give-up-after"),
        ({"price_in": -1.0, "price_out": 1.0}, "--price-in"), ({"price_in": 1.0}, "--price-in, --price-out"),
        ({"price_in": 1.0, "price_out": float("inf")}, "--price-out"), ({"max_cost": 5.0}, "--price-in, --price-out"),
        ({"price_in": 1.0, "price_out": 1.0, "max_cost": -1.0}, "--max-cost"),
    ],
)  # fmt: skip
def test_refused(change: dict[str, Any], flag: str) -> None:
    with pytest.raises(SettingsError, match=f"where: {flag}"):
        msgspec.structs.replace(RunSettings(), **change).check()


def test_accepted() -> None:
    RunSettings().check()
    RunSettings(price_in=0.0, price_out=0.0, max_cost=0.0, max_image_bytes=None, halt_after=0, retries=0).check()


def summary(replied: int, ended: str) -> RunSummary:
    """Of ten views."""
    return msgspec.convert(
        {
            "expected": 10, "replied": replied, "new": 0, "statuses": {}, "failed": {}, "not_run": 10 - replied,
            "prompt_tokens": 0, "completion_tokens": 0, "reasoning_tokens": 0, "uncounted": 0, "cost": None,
            "seconds": 1.0, "rate": 0.0, "ended": ended,
        },
        RunSummary,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("replied", "ended", "code"),
    [(10, "done", 0), (9, "done", 4), (5, "budget", 4), (0, "failures", 4), (5, "interrupted", 130)],
)
def test_exit_codes(replied: int, ended: str, code: int) -> None:
    assert exit_code(summary(replied, ended)) == code
