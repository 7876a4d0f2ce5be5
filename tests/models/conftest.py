"""A tiny model, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.tiny import make_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder."""
    return make_model(tmp_path_factory.mktemp("models") / "tiny")
