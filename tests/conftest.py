"""Settings of the whole suite."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine; time is never a reason to fail.
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need torch skip where it is not installed, and say so."""
    if find_spec("torch") is None:
        skip = pytest.mark.skip(reason='torch is not installed: pip install "answerable[train]"')
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(skip)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """One thread: models here are tiny, and other workers have the other cores."""
    if item.get_closest_marker("torch"):
        import torch

        torch.set_num_threads(1)
