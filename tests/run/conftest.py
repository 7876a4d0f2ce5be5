"""Fixtures of the run room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import web

from answerable.core.benchmark import Benchmark
from tests.run.helpers import Server, make_benchmark


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    """Three groups of six views."""
    return make_benchmark(tmp_path / "bench")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    """A scripted chat server on the loopback interface."""
    scripted = Server()
    app = web.Application(client_max_size=1 << 28)
    app.router.add_route("*", "/{path:.*}", scripted.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    scripted.url = f"http://127.0.0.1:{port}/v1"
    yield scripted
    await runner.cleanup()
