"""The run folder: append-only, safe against being killed at any byte, strict when read."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core import runlog
from answerable.core.codec import encode, encode_pretty
from answerable.core.errors import LogError, RunError, RunLockedError, RunMismatchError, StorageError
from answerable.core.runlog import Failure, PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling, Usage

MANIFEST = RunManifest(
    format=1, benchmark="b", benchmark_fingerprint="f" * 64, model="m", provider="openai-chat", endpoint="http://h/v1",
    prompt=PromptText("p", "s", "{question}", "a" * 64), sampling=Sampling(), sampling_sha256="c" * 64, repeats=2,
    control="none", split="test", limit=None, views=4, seed=0, versions={"answerable": "1"},
)  # fmt: skip
REPLIES = "replies-00000.jsonl"


def reply(view: str, text: str | None = "x", repeat: int = 0) -> Reply:
    """A reply that belongs to ``MANIFEST``."""
    return Reply(view, repeat, "a" * 64, "m", "c" * 64, "complete", text)


def write(path: Path, *texts: str) -> None:
    """A run with one reply a text, for views v0, v1, ..."""
    with RunLog(path, MANIFEST) as log:
        for index, text in enumerate(texts):
            log.reply(reply(f"v{index}", text))


def texts(path: Path) -> list[str | None]:
    """What the log says."""
    return [item.text for item in RunFolder(path).replies()]


def test_every_field_comes_back(tmp_path: Path) -> None:
    full = Reply(
        "v", 1, "a" * 64, "m", "c" * 64, "refused", None, "thought", "no", "content_filter", Usage(1, 2, 3), "d" * 64,
        1.5, 3, 12.25,
    )  # fmt: skip
    failure = Failure("w", 0, "timeout", "slow", None, 6, 1.0)
    with RunLog(tmp_path / "r", MANIFEST) as log:
        log.reply(full)
        log.failure(failure)
    folder = RunFolder(tmp_path / "r")
    assert list(folder.replies()) == [full]
    assert list(folder.failures()) == [failure]
    assert folder.manifest == MANIFEST


@pytest.mark.parametrize(
    "text", ["a\u2028b", "a\u0085b", "a\x0bb\x0c\x1c", "007", "\U0001f600", "日本", "a\nb\r\n", '"\\', ""]
)
def test_text_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    write(tmp_path / "r", text, "next")
    assert texts(tmp_path / "r") == [text, "next"]


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=5), st.data())
def test_cut_at_any_byte_keeps_exactly_the_whole_lines(lines: list[str], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "r"
        write(path, *lines)
        whole = (path / REPLIES).read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        (path / REPLIES).write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n")
        assert texts(path) == lines[:kept]
        with RunLog(path, MANIFEST) as log:
            assert log.done() == {(f"v{index}", 0) for index in range(kept)}
            for index in range(kept, len(lines)):
                log.reply(reply(f"v{index}", lines[index]))
        assert (path / REPLIES).read_bytes() == whole


def test_a_torn_line_longer_than_a_block_is_cut(tmp_path: Path) -> None:
    write(tmp_path / "r", "first")
    whole = (tmp_path / "r" / REPLIES).read_bytes()
    (tmp_path / "r" / REPLIES).write_bytes(whole + b"x" * 200_000)
    with RunLog(tmp_path / "r", MANIFEST):
        assert (tmp_path / "r" / REPLIES).read_bytes() == whole


def test_a_torn_line_in_the_failures_is_cut_too(tmp_path: Path) -> None:
    with RunLog(tmp_path / "r", MANIFEST) as log:
        log.failure(Failure("v", 0, "timeout", "m"))
    with (tmp_path / "r" / "failures.jsonl").open("ab") as file:
        file.write(b'{"view": "w"')
    with RunLog(tmp_path / "r", MANIFEST) as log:
        log.failure(Failure("x", 0, "timeout", "m"))
    assert [failure.view for failure in RunFolder(tmp_path / "r").failures()] == ["v", "x"]


def append(path: Path, line: bytes) -> None:
    """Damage a log."""
    with (path / REPLIES).open("ab") as file:
        file.write(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\n", r"expected one Reply a line; got b'\\n'"),
        (b"{}\n", "missing required field"),
        (b"not json\n", "expected one Reply a line"),
        (b'{"view": "w", "te\n', "line 2"),
        (encode(reply("v0")) + b"\n", r"two for view=v0 repeat=0\n.*line 2; first at line 1"),
        (encode(reply("w", repeat=2)) + b"\n", "expected repeat from 0 to 1; got repeat=2"),
        (encode(msgspec.structs.replace(reply("w"), model="other")) + b"\n", "model='other'"),
        (encode(msgspec.structs.replace(reply("w"), prompt="b" * 64)) + b"\n", "prompt=bbbbbbbbbbbb"),
        (encode(msgspec.structs.replace(reply("w"), sampling="d" * 64)) + b"\n", "sampling=dddddddddddd"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes, words: str) -> None:
    write(tmp_path / "r", "x")
    append(tmp_path / "r", line)
    with pytest.raises(LogError, match=words):
        texts(tmp_path / "r")


def test_a_line_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "r", "x" * 500)
    monkeypatch.setattr(runlog, "MAX_LINE", 100)
    with pytest.raises(LogError, match="at most 100 bytes"):
        texts(tmp_path / "r")


def test_a_folder_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"a run folder with run\.json"):
        RunFolder(tmp_path)
    (tmp_path / "run.json").write_bytes(b"{")
    with pytest.raises(RunError, match=r"a readable run\.json"):
        RunFolder(tmp_path)
    (tmp_path / "run.json").write_bytes(encode_pretty(msgspec.structs.replace(MANIFEST, format=2)))
    with pytest.raises(RunError, match="expected format 1; got format=2"):
        RunFolder(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"benchmark_fingerprint": "e" * 64}, {"model": "n"}, {"endpoint": "http://other/v1"}, {"control": "text-only"},
        {"sampling": Sampling(temperature=1.0)}, {"sampling": Sampling(extra=msgspec.Raw(b'{"top_p":1}'))},
        {"repeats": 3}, {"limit": 2}, {"seed": 1}, {"prompt": PromptText("p", "t", "{question}", "b" * 64)},
    ],
)  # fmt: skip
def test_other_settings_are_refused_by_name(tmp_path: Path, change: dict[str, object]) -> None:
    write(tmp_path / "r", "x")
    other = msgspec.structs.replace(MANIFEST, **change)
    with pytest.raises(RunMismatchError, match=f"{next(iter(change))}=") as caught, RunLog(tmp_path / "r", other):
        pass
    assert "choose another --out" in str(caught.value)
    assert texts(tmp_path / "r") == ["x"]


def test_other_versions_and_spacing_resume(tmp_path: Path) -> None:
    spaced = msgspec.structs.replace(MANIFEST, sampling=Sampling(extra=msgspec.Raw(b'{ "a": 1,  "b": 2 }')))
    with RunLog(tmp_path / "r", spaced):
        pass
    same = msgspec.structs.replace(
        MANIFEST, sampling=Sampling(extra=msgspec.Raw(b'{"b":2,"a":1}')), versions={"answerable": "2"}
    )
    with RunLog(tmp_path / "r", same) as log:
        assert log.done() == set()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with RunLog(tmp_path / "r", MANIFEST):
        with pytest.raises(RunLockedError, match="the only process writing"), RunLog(tmp_path / "r", MANIFEST):
            pass
        assert texts(tmp_path / "r") == []
    with RunLog(tmp_path / "r", MANIFEST) as log:
        log.reply(reply("v"))


class _Full:
    """A file on a disk with room for so many more bytes."""

    def __init__(self, file: IO[bytes], room: int) -> None:
        self._file, self._room = file, room
        self.closed = False

    def write(self, data: bytes) -> int:
        if self._room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part = bytes(data)[: self._room]
        self._room -= len(part)
        return self._file.write(part)

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk_leaves_no_half_line(tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r"
    with RunLog(path, MANIFEST) as log:
        log.reply(reply("v0"))
        whole = (path / REPLIES).read_bytes()
        monkeypatch.setattr(log, "_replies", _Full(log.__dict__["_replies"], room))
        with pytest.raises(StorageError, match=r"No space left on device \(errno=28\)") as caught:
            log.reply(reply("v1"))
        assert caught.value.exit_code == 5
        assert (path / REPLIES).read_bytes() == whole
    with RunLog(path, MANIFEST) as log:
        assert log.done() == {("v0", 0)}
        log.reply(reply("v1"))
    assert len(texts(path)) == 2


_LIMITED = """
import resource, sys
from pathlib import Path
from answerable.core.errors import StorageError
from answerable.core.runlog import RunLog
from tests.core.test_runlog import MANIFEST, reply
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
with RunLog(Path(sys.argv[1]), MANIFEST) as log:
    try:
        for index in range(100):
            log.reply(reply(f"v{index}", "x" * 50))
    except StorageError as error:
        print(index, error.exit_code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit on this system")
def test_a_real_limit_of_the_system(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(tmp_path / "r")], check=True, capture_output=True, text=True, cwd=root
    )
    kept, code = done.stdout.split()
    assert code == "5"
    assert 0 < int(kept) < 100
    assert len(texts(tmp_path / "r")) == int(kept)
    with RunLog(tmp_path / "r", MANIFEST) as log:
        log.reply(reply("later"))
    assert len(texts(tmp_path / "r")) == int(kept) + 1


def test_a_closed_log_takes_nothing(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "r", MANIFEST)
    with pytest.raises(RunError, match="an open log"):
        log.reply(reply("v"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError), RunLog(tmp_path / "file" / "r", MANIFEST):
        pass


@pytest.mark.parametrize(("every", "expected"), [(1, 4), (2, 2), (100, 0)])
def test_fsync_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int, expected: int) -> None:
    count = 0
    real = os.fsync

    def fsync(handle: int) -> None:
        nonlocal count
        count += 1
        real(handle)

    with RunLog(tmp_path / "r", MANIFEST, fsync_every=every) as log:
        monkeypatch.setattr(os, "fsync", fsync)
        for index in range(4):
            log.reply(reply(f"v{index}"))
        assert count == expected
    assert count > expected  # closing forces the rest out
