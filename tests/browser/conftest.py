"""A browser for all tests here, and a report to open in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from answerable.report.build import build_report
from tests.browser.chrome import NAMES, Page, chrome, find
from tests.report.fake import make_benchmark, make_scores, verdict_rows


@dataclass(frozen=True)
class Reports:
    """One report of each form."""

    alone: Path
    folder: Path


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """The same scores as one file, and with a folder beside it."""
    base = tmp_path_factory.mktemp("browser")
    benchmark = make_benchmark(base / "bench")
    make_scores(base / "scores", benchmark, verdict_rows(benchmark))
    build_report(base / "scores", benchmark, base / "alone.html")
    build_report(base / "scores", benchmark, base / "with folder.html", groups="all")
    return Reports(base / "alone.html", base / "with folder.html")


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """A fresh tab of a fresh browser."""
    path = find()
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    async with chrome(path) as browser:
        tab = await browser.page()
        await tab.size(1280, 900)
        yield tab
