"""The second executor: CPython itself, in an isolated process, on source that was printed from a program's data.

The process has no environment, no site packages, a folder of its own that is gone already, and limits on time, memory,
files, sockets and processes; a program in it reaches ``print``, a few plain built-ins and a stub of ``random`` that
enumerates every way chance can take. One process serves many programs, and is replaced when it had to be killed.
Shares no code with ``interpreter``.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from answerable.core.errors import AnswerableError
from answerable.domains.code.language import Program
from answerable.domains.code.printing import source

#: Seconds of one request, whatever the number of its programs; ours need a hundredth of it.
SECONDS = 3.0
#: Ways that chance can take in one program.
MAX_PATHS = 1024
#: Bytes an answer may have.
MAX_ANSWER = 16 * 1024 * 1024
#: Seconds more than a request may take before the process is killed.
GRACE = 10.0
SCRIPT = Path(__file__).with_name("isolated.py")

Distribution = dict[tuple[str, ...], Fraction]
_ANSWERS = msgspec.json.Decoder(list[str | list[tuple[list[str], int, int]]])


class Failed(msgspec.Struct, frozen=True):
    """Why a program has no distribution."""

    reason: str


class Isolated:
    """One isolated interpreter, started when first needed."""

    def __init__(self, seconds: float = SECONDS, paths: int = MAX_PATHS) -> None:
        self._seconds, self._paths = seconds, paths
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def run(self, programs: Sequence[Program]) -> list[Distribution | Failed]:
        """The distribution of each program, in order."""
        return self.run_text([source(program) for program in programs])

    def run_text(self, texts: Sequence[str]) -> list[Distribution | Failed]:
        """The same from source; for text of our own printer only."""
        request = {"seconds": self._seconds, "paths": self._paths, "programs": list(texts)}
        reply = self._ask(msgspec.json.encode(request) + b"\n", self._seconds + GRACE)
        if reply is None:
            self.close()
            if len(texts) > 1:
                # One of them killed it; the others are owed their answers.
                return [found for text in texts for found in self.run_text([text])]
            return [Failed("the isolated interpreter was killed")]
        return [
            Failed(found)
            if isinstance(found, str)
            else {tuple(printed): Fraction(top, bottom) for printed, top, bottom in found}
            for found in reply
        ]

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            if os.name != "posix":
                raise AnswerableError("a system that limits processes (Linux, macOS)", f"os.name={os.name}")
            folder = tempfile.mkdtemp(prefix="answerable-code-")
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(SCRIPT)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=folder,
                    env={},
                    bufsize=0,
                    close_fds=True,
                    start_new_session=True,
                )
            finally:
                # The process keeps a folder that is gone: nothing can be put there, and nothing is left behind.
                Path(folder).rmdir()
            self.starts += 1
        return self._process

    def _ask(self, request: bytes, seconds: float) -> list[str | list[tuple[list[str], int, int]]] | None:
        """The answers to a request; None when the process ended, kept silent too long or talked too much."""
        process = self._started()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            return None
        try:
            # Requests are read whole before anything is answered, so this cannot block for good.
            view = memoryview(request)
            while view:
                view = view[stdin.write(view) or 0 :]
        except BrokenPipeError:
            return None
        received = bytearray()
        with selectors.DefaultSelector() as waiting:
            waiting.register(stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                if not waiting.select(seconds) or len(received) > MAX_ANSWER:
                    return None
                piece = os.read(stdout.fileno(), 1 << 16)
                if not piece:
                    return None
                received += piece
        return _ANSWERS.decode(received)


_SHARED: dict[int, Isolated] = {}


def shared() -> Isolated:
    """The isolated interpreter of this process; a copy of the process starts its own."""
    mine = _SHARED.get(os.getpid())
    if mine is None:
        mine = _SHARED[os.getpid()] = Isolated()
        atexit.register(mine.close)
    return mine
