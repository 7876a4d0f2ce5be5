"""The run folder: ``run.json``, ``replies-*.jsonl`` and ``failures.jsonl``.

One append-only truth. A line is JSON in UTF-8, ended by a single ``\\n``; lines are split on that byte only,
since model text may hold other line separators. A torn last line (the process was killed) is ignored when
reading and cut off before the next append. Failures are not replies: they lie in a file of their own, are
asked again on resume, and are never scored as text.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, TypeVar

import msgspec

from answerable.core.codec import canonical, decode, decoder, encode, encode_pretty
from answerable.core.errors import LogError, RunError, RunLockedError, RunMismatchError, StorageError
from answerable.core.files import write_bytes
from answerable.core.records import Record

T = TypeVar("T")

FORMAT = 1
MANIFEST = "run.json"
FAILURES = "failures.jsonl"
LOCK = ".lock"
#: A line longer than this is not one of ours.
MAX_LINE = 16 * 1024 * 1024

#: ``complete``: the server ended it by itself; ``truncated``: cut at the token limit; ``refused``: a content
#: filter or refusal field; ``empty``: no text at all (the budget may have gone into reasoning).
ReplyStatus = Literal["complete", "truncated", "refused", "empty"]
FailureKind = Literal[
    "timeout", "connection", "rate_limited", "server_error", "rejected", "unauthorised", "malformed", "too_large"
]


class Usage(Record, frozen=True):
    """Tokens, as the server counted them; None where it said nothing."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None


class Reply(Record, frozen=True):
    """One final reply. Its identity is (view, prompt, model, sampling, repeat)."""

    view: str
    repeat: int
    prompt: str
    """Digest of the prompt."""
    model: str
    sampling: str
    """Digest of the sampling settings."""
    status: ReplyStatus
    text: str | None
    """What is read. Never taken from a reasoning field."""
    reasoning: str | None = None
    """Kept for people; never read."""
    refusal: str | None = None
    """What a refusal field said; kept for people, never read."""
    finish_reason: str | None = None
    usage: Usage = Usage()
    image_sha256: str | None = None
    """Digest of the image bytes that were sent; None when none was."""
    seconds: float = 0.0
    """From first byte sent to last byte read, of the attempt that succeeded."""
    attempts: int = 1
    asked_at: float = 0.0
    """Unix time."""
    earlier: str | None = None
    """What the model said in the first of two turns; ``text`` is then its second reply. None with one turn."""


class Failure(Record, frozen=True):
    """One view that could not be asked, after all attempts."""

    view: str
    repeat: int
    kind: FailureKind
    message: str
    """The server's own words, shortened, keys removed."""
    http_status: int | None = None
    attempts: int = 1
    asked_at: float = 0.0


class Instead(Record, frozen=True):
    """What is said in the place of an instruction that a question ends with."""

    instruction: str
    """By every letter, as the benchmark stores it."""
    template: str
    """``{question}`` stands for the question and its options, without the instruction."""


class PromptText(Record, frozen=True):
    """The prompt of a run, whole."""

    name: str
    system: str
    user: str
    """``{question}`` stands for the question."""
    sha256: str
    second: str = ""
    """Asked after the first reply, with the same picture; ``{reply}`` stands for that reply. Empty: one turn."""
    instead: tuple[Instead, ...] = ()
    """Every question must end with one of these instructions, which is reworded; empty: questions stay as they are."""


class Sampling(Record, frozen=True):
    """What is asked of the sampler; ``extra`` is merged into the request body."""

    temperature: float | None = 0.0
    max_tokens: int = 512
    max_tokens_field: str = "max_tokens"
    """Some servers want ``max_completion_tokens``; never guessed from a model's name."""
    json_schema: bool = False
    extra: msgspec.Raw = msgspec.Raw(b"{}")


class RunManifest(Record, frozen=True):
    """``run.json``: everything that decides what is asked."""

    format: int
    benchmark: str
    benchmark_fingerprint: str
    model: str
    provider: str
    endpoint: str
    """Base URL without user, password or query; empty for reference responders."""
    prompt: PromptText
    sampling: Sampling
    sampling_sha256: str
    repeats: int
    control: Literal["none", "text-only", "blank-image"]
    split: str
    limit: int | None
    """Number of groups asked, or None for all."""
    views: int
    """Views that this run covers, each ``repeats`` times."""
    seed: int
    """Of the order of requests."""
    versions: dict[str, str]


class RunFolder:
    """Reads a run. Opening is cheap; replies are streamed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        manifest = path / MANIFEST
        if not manifest.is_file():
            raise RunError(
                f"a run folder with {MANIFEST}", f"{path}", fix="name the folder given to 'answerable run --out'"
            )
        try:
            self.manifest = decode(manifest.read_bytes(), RunManifest)
        except msgspec.MsgspecError as error:
            raise RunError("a readable run.json", str(error), where=str(manifest)) from error
        if self.manifest.format != FORMAT:
            raise RunError(f"format {FORMAT}", f"format={self.manifest.format}", where=str(manifest))

    def replies(self) -> Iterator[Reply]:
        """Every final reply, in the order written.

        Raises:
            LogError: a damaged line other than a torn last one, two replies for one view and repeat, or a
                reply that was made under another prompt, model or sampling.
        """
        seen: dict[tuple[str, int], int] = {}
        for path in sorted(self.path.glob("replies-*.jsonl")):
            for number, reply in read_lines(path, Reply):
                where = f"{path}, line {number}"
                key = (reply.view, reply.repeat)
                if key in seen:
                    raise LogError(
                        "one final reply a view and repeat",
                        f"two for view={reply.view} repeat={reply.repeat}",
                        where=f"{where}; first at line {seen[key]}",
                        fix="remove the line that does not belong; neither is chosen for you",
                    )
                expected = (self.manifest.prompt.sha256, self.manifest.model, self.manifest.sampling_sha256)
                if (reply.prompt, reply.model, reply.sampling) != expected:
                    raise LogError(
                        "replies made under this run's prompt, model and sampling",
                        f"one of model={reply.model!r} prompt={reply.prompt[:12]} sampling={reply.sampling[:12]}",
                        where=where,
                    )
                if not 0 <= reply.repeat < self.manifest.repeats:
                    raise LogError(
                        f"repeat from 0 to {self.manifest.repeats - 1}", f"repeat={reply.repeat}", where=where
                    )
                seen[key] = number
                yield reply

    def failures(self) -> Iterator[Failure]:
        """Every failure ever logged; a view may have several, and may have been answered since."""
        path = self.path / FAILURES
        if path.is_file():
            for _, failure in read_lines(path, Failure):
                yield failure


def read_lines(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Line numbers (from 1) and records of a log; a torn last line is left out, an empty line is an error."""
    read = decoder(kind)
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                raise LogError(f"lines of at most {MAX_LINE} bytes", "a longer one", where=f"{path}, line {number}")
            if not line.endswith(b"\n"):
                return
            try:
                yield number, read.decode(line)
            except msgspec.MsgspecError as error:
                raise LogError(
                    f"one {kind.__name__} a line",
                    f"{line[:80]!r} ({error})",
                    where=f"{path}, line {number}",
                    fix="the log was edited or damaged: restore it, or start a new run folder",
                ) from error


class RunLog:
    """Appends to a run folder. One process at a time; safe against being killed at any byte.

    Args:
        path: the run folder, made when absent.
        manifest: must equal the one there, if there is one (``versions`` may differ).
        fsync_every: force to disk after this many replies (1: each one), and when closing.
    """

    def __init__(self, path: Path, manifest: RunManifest, *, fsync_every: int = 16) -> None:
        self.path, self.manifest = path, manifest
        self._fsync_every, self._unsynced = fsync_every, 0
        self._lock: IO[bytes] | None = None
        self._replies: IO[bytes] | None = None
        self._failures: IO[bytes] | None = None

    def __enter__(self) -> RunLog:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._settle_manifest()
            self._replies = _open_repaired(self.path / "replies-00000.jsonl")
            self._failures = _open_repaired(self.path / FAILURES)
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise StorageError.from_os(error, self.path) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def done(self) -> set[tuple[str, int]]:
        """(view, repeat) pairs that already have a final reply."""
        return {(reply.view, reply.repeat) for reply in RunFolder(self.path).replies()}

    def reply(self, reply: Reply) -> None:
        """Append a final reply."""
        self._append(self._replies, reply)

    def failure(self, failure: Failure) -> None:
        """Append a failure."""
        self._append(self._failures, failure)

    def _append(self, file: IO[bytes] | None, record: Record, what: str = "log", path: Path | None = None) -> None:
        """Append a line; ``what`` and ``path`` name the file in errors."""
        where = path or self.path
        if file is None or file.closed:
            raise RunError(f"an open {what}", "a closed one", where=str(where))
        try:
            _write_whole(file, encode(record) + b"\n")
            self._unsynced += 1
            if self._unsynced >= self._fsync_every:
                os.fsync(file.fileno())
                self._unsynced = 0
        except OSError as error:
            raise StorageError.from_os(error, where) from error

    def _take_lock(self) -> None:
        lock = (self.path / LOCK).open("ab")
        try:
            _lock_file(lock)
        except OSError as error:
            lock.close()
            raise RunLockedError(
                "to be the only process writing to the run",
                "another one holds its lock",
                where=str(self.path),
                fix="wait for it, stop it, or choose another --out",
            ) from error
        self._lock = lock

    def _settle_manifest(self) -> None:
        path = self.path / MANIFEST
        if not path.exists():
            write_bytes(path, encode_pretty(self.manifest))
            return
        old = RunFolder(self.path).manifest
        for field in RunManifest.__struct_fields__:
            if field == "versions":
                continue
            mine, theirs = getattr(self.manifest, field), getattr(old, field)
            if canonical(mine) != canonical(theirs):
                raise RunMismatchError(
                    f"the settings the run was started with ({field}={_short(theirs)})",
                    f"{field}={_short(mine)}",
                    where=str(path),
                    fix="repeat the first command to resume, or choose another --out",
                )

    def _close(self) -> None:
        for file in (self._replies, self._failures):
            if file is not None and not file.closed:
                with contextlib.suppress(OSError):
                    os.fsync(file.fileno())
                file.close()
        if self._lock is not None:
            self._lock.close()


def _write_whole(file: IO[bytes], data: bytes) -> None:
    """Write a line to an unbuffered file: all of it, or nothing.

    Usually one system call. A process killed in the middle leaves a torn tail, which the next opening cuts off.
    """
    start, left = file.tell(), memoryview(data)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError:
        try:
            file.truncate(start)
            file.seek(start)
        except OSError:
            file.close()  # a line after half a line would damage both
        raise


def _short(value: object) -> str:
    text = encode(value).decode()
    return text if len(text) <= 80 else text[:77] + "..."


def _open_repaired(path: Path) -> IO[bytes]:
    """Open for appending after cutting a torn last line, so that the file ends with one newline."""
    file = path.open("r+b" if path.exists() else "w+b", buffering=0)
    end = file.seek(0, os.SEEK_END)
    position = end
    while position > 0:
        step = min(1 << 16, position)
        file.seek(position - step)
        block = file.read(step)
        cut = block.rfind(b"\n")
        if cut >= 0:
            position = position - step + cut + 1
            break
        position -= step
    if position != end:
        file.truncate(position)
    file.seek(position)
    return file


def _lock_file(file: IO[bytes]) -> None:
    """Take an exclusive lock that the operating system drops when the process ends."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
