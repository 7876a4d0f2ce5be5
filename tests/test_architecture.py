"""What holds for all source files: the import contracts, and no dangerous or hidden means."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
NAMES = [str(path.relative_to(ROOT / "src")) for path in SOURCES]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports anywhere."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def called(path: Path) -> Iterator[str]:
    """Every name that a file calls, with its dots."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 50


def test_the_import_contracts_hold() -> None:
    command = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([str(command), "--no-cache"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout


#: Modules that load code or objects from data, or draw from a hidden generator.
FORBIDDEN = {
    "pickle",
    "cPickle",
    "marshal",
    "shelve",
    "dill",
    "yaml",
    "random",
    "xmlrpc",
    "telnetlib",
    "urllib.request",
}
#: One way to ask a server: ``aiohttp``, in the room that runs models.
CLIENTS = {"aiohttp", "requests", "httpx", "urllib3", "http.client", "socket"}


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_no_dangerous_module_is_imported(path: Path) -> None:
    found = set(imported(path))
    assert not {name for name in found if name in FORBIDDEN or name.split(".")[0] in FORBIDDEN - {"urllib.request"}}
    clients = {name for name in found if name in CLIENTS or name.split(".")[0] in CLIENTS}
    assert not clients or (clients == {"aiohttp"} and "run" in path.parts), clients


#: Runs the programs whose screenshots are asked about, in a process of its own with nothing in reach.
ISOLATED = "answerable/domains/code/isolated.py"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_no_code_is_made_from_data(path: Path) -> None:
    names = set(called(path))
    if path == ROOT / "src" / ISOLATED:
        names -= {"exec", "compile"}
    assert not names & {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "print"}
    assert not {name for name in names if name.startswith(("np.random.seed", "numpy.random.seed", "random."))}
    text = path.read_text(encoding="utf-8")
    for mark in ("shell=True", "# noqa", "# type: ignore", "TODO", "FIXME", "XXX"):
        assert mark not in text


def test_only_the_runner_reads_the_clock() -> None:
    clocks = re.compile(r"^(time\.(time|monotonic|perf_counter)(_ns)?|.*\bdatetime\.(now|utcnow|today)|date\.today)$")
    found = {
        str(path.relative_to(ROOT / "src" / "answerable"))
        for path in SOURCES
        if any(clocks.match(name) for name in called(path))
    }
    assert {name for name in found if not name.startswith("run/")} == set()


#: Where Blender is has to be known to whoever draws, in every process; it is a program's place, like the path.
READS_THE_ENVIRONMENT = ("run/", "cli/", "domains/scene/renderers/blender.py")


def test_only_the_layer_that_asks_a_server_reads_the_environment() -> None:
    found = {
        str(path.relative_to(ROOT / "src" / "answerable"))
        for path in SOURCES
        if any(
            isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv")
            for node in ast.walk(parsed(path))
        )
    }
    assert all(name.startswith(READS_THE_ENVIRONMENT) for name in found), found


def test_nothing_names_the_place_where_it_was_made() -> None:
    files = [*SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    shared = re.compile(r"\.\./shared|/" + "work/")
    allowed = {ROOT / "tests" / "shared.py", Path(__file__)}
    found = [path for path in files if path not in allowed and shared.search(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_every_module_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not text.strip() or ast.get_docstring(parsed(path))
