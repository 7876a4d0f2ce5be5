"""The frame of the command line: a quick start, readable errors, exit codes, any console."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from answerable import __version__
from answerable.cli import main as frame
from answerable.cli.main import VERBS, build_parser, run_command
from answerable.core.errors import (
    AnswerableError,
    MissingExtraError,
    ProviderError,
    RunLockedError,
    SourceError,
    StorageError,
)

HEAVY = (
    "numpy", "matplotlib", "skia", "vl_convert", "PIL", "pyarrow", "aiohttp", "asyncio", "rich", "jinja2", "zlib_ng",
    "fontTools", "sqlite3",
)  # fmt: skip


def answerable(*words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    code = [sys.executable, "-m", "answerable.cli", *words]
    return subprocess.run(code, capture_output=True, check=False, env=os.environ | variables)


def test_help_imports_no_heavy_library() -> None:
    code = (
        "import sys\nfrom answerable.cli.main import run_command\n"
        "try:\n    run_command(['--help'])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: answerable")


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_imports_no_heavy_library(verb: str) -> None:
    code = (
        "import sys\nfrom answerable.cli.main import run_command\n"
        f"try:\n    run_command([{verb!r}, '--help'])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: answerable {verb}")


def test_importing_the_package_imports_nothing() -> None:
    code = f"import sys, answerable; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_explains_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run_command(["--help"])
    text = capsys.readouterr().out
    for verb in VERBS:
        assert f"    {verb}" in text
    for code in ("0", "1", "2", "3", "4", "5", "6", "130"):
        assert f"\n  {code}  " in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run_command(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"answerable {__version__}\n"


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "answerable", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"answerable {__version__}\n"


@pytest.mark.parametrize("words", [[], ["bulid"], ["build"], ["build", "chart"], ["certify"]])
def test_wrong_usage_is_exit_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run_command(words)
    assert caught.value.code == 2
    assert "usage: answerable" in capsys.readouterr().err


def test_an_unknown_verb_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run_command(["bulid"])
    message = capsys.readouterr().err
    assert "bulid" in message
    assert all(verb in message for verb in VERBS)


def test_every_verb_has_a_handler() -> None:
    parser = build_parser()
    assert parser.prog == "answerable"
    for verb in VERBS:
        module = __import__(f"answerable.cli.{verb}", fromlist=["add_parser"])
        assert callable(module.add_parser)


ERRORS: list[tuple[AnswerableError, int]] = [
    (SourceError("a table", "none", where="x.csv", fix="look again"), 2),
    (RunLockedError("a free folder", "a lock"), 2),
    (MissingExtraError.for_extra("vega", "vl_convert"), 3),
    (ProviderError("a server", "none"), 4),
    (StorageError("to write", "no space"), 5),
]


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[object], int]], None]:
    """Put a function in the place of ``certify``."""

    def put(function: Callable[[object], int]) -> None:
        monkeypatch.setattr("answerable.cli.certify.main", function)

    return put


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: type(value).__name__)
def test_an_error_is_one_readable_block(
    error: AnswerableError,
    code: int,
    handler: Callable[[Callable[[object], int]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: object) -> int:
        raise error

    handler(fail)
    assert run_command(["certify", "x"]) == code
    found = capsys.readouterr()
    assert found.err == f"answerable certify: {error}\n"
    assert found.out == ""
    assert "Traceback" not in found.err
    for words in (["--debug", "certify", "x"], ["certify", "x", "--debug"]):
        with pytest.raises(type(error)):
            run_command(words)


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    plain = answerable("certify", str(tmp_path))
    assert plain.returncode == 2
    assert plain.stderr.startswith(b"answerable certify: expected a benchmark folder with benchmark.json; got ")
    assert b"Traceback" not in plain.stderr
    for words in (["--debug", "certify", str(tmp_path)], ["certify", str(tmp_path), "--debug"]):
        shown = answerable(*words)
        assert b"Traceback (most recent call last)" in shown.stderr
        assert b"BenchmarkError" in shown.stderr


def test_a_verdict_is_the_exit_code(handler: Callable[[Callable[[object], int]], None]) -> None:
    handler(lambda _: 1)
    assert run_command(["certify", "x"]) == 1


def test_ctrl_c_says_that_work_is_kept(
    handler: Callable[[Callable[[object], int]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: object) -> int:
        raise KeyboardInterrupt

    handler(stop)
    assert run_command(["certify", "x"]) == 130
    assert "repeat the command to resume" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        run_command(["certify", "x", "--debug"])


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_console_shows_every_name(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "Łódź.csv"
    path.write_text("Jahr,Αθήνα,שלום\n2019,1,2\n2020,3,many\n", encoding="utf-8")
    done = answerable(
        "build", "chart", "--from", str(path), "--groups", "1", "--out", str(tmp_path / "b"), PYTHONIOENCODING=encoding
    )
    assert done.returncode == 2
    assert b"line 3, column" in done.stderr
    assert b"UnicodeEncodeError" not in done.stderr
    assert b"Traceback" not in done.stderr
    good = tmp_path / "Αθήνα.csv"
    good.write_text("Jahr,Αθήνα,Łódź\n2019,10,20\n2020,30,15\n2021,25,35\n", encoding="utf-8")
    built = answerable(
        "build", "chart", "--from", str(good), "--groups", "2", "--families", "skia", "--name", "Ünïcødé",
        "--out", str(tmp_path / "ok"), "--workers", "1", PYTHONIOENCODING=encoding,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    assert built.stdout.decode(encoding)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    built = answerable(
        "build", "chart", "--groups", "1", "--families", "skia", "--workers", "1", "--out", str(tmp_path / "b")
    )
    assert built.returncode == 0, built.stderr
    code = [sys.executable, "-m", "answerable.cli", "certify", str(tmp_path / "b"), "--json", "--workers", "1"]
    with subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        message = process.stderr.read()
        code_found = process.wait()
    assert message == b""
    assert code_found == 0


def test_the_console_script_is_the_same_frame() -> None:
    assert callable(frame.entry)
    from importlib.metadata import entry_points

    (point,) = [p for p in entry_points(group="console_scripts") if p.name == "answerable"]
    assert point.value == "answerable.cli.main:entry"
