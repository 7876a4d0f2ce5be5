"""Stores are closed after every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.review.make import OPEN


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what the test opened."""
    yield
    while OPEN:
        OPEN.pop().close()
