"""Every code block of the README and the documentation runs: a page is one session in an empty folder.

``bash`` and ``python`` blocks run; ``text`` blocks are shown output or commands for a place we do not have. A ``make``
line is checked to name a real target and is replaced by what the target runs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SERVER = "http://127.0.0.1:8000/v1"
#: What stands for a make line: the target's own command, from where the documentation is read.
MAKE = {"make demo": "answerable demo --out demo --groups 12 --no-open", "make test": "true"}


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of each fenced block."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A loopback model server."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / "stub_server.py")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    port = process.stdout.readline().strip()
    yield f"http://127.0.0.1:{port}/v1"
    process.terminate()
    process.wait()
    process.stdout.close()


def runnable(page: Path) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in blocks(page) if kind in ("bash", "python")]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_block_has_a_language(page: Path) -> None:
    for kind, text in blocks(page):
        assert kind in ("bash", "python", "text"), f"{page.name}: a block of kind {kind!r}: {text[:60]!r}"


def stood_in(text: str, makefile: str) -> str:
    """The block with every make line, which must name a real target, replaced by what the target runs."""
    for line, command in MAKE.items():
        found = re.compile(rf"^{line}\b[^\n]*", re.MULTILINE)
        if found.search(text):
            assert re.search(rf"^{line.split()[1]}:", makefile, re.MULTILINE)
            text = found.sub(command, text)
    return text


@pytest.mark.parametrize(
    "page", [page for page in PAGES if runnable(page)], ids=lambda page: str(page.relative_to(ROOT))
)
def test_blocks_run(page: Path, tmp_path: Path, server: str) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HF_HUB_OFFLINE": "1"}
    environment["HF_HOME"] = str(tmp_path / ".hf")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for kind, written in runnable(page):
        text = stood_in(written.replace(SERVER, server), makefile)
        command = [sys.executable, "-c", text] if kind == "python" else ["bash", "-euo", "pipefail", "-c", text]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{page.name}:\n{text}\n--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
