"""What a model said when it was asked to reword questions, or whether rewordings keep the meaning: one JSONL file each.

Append-only, one model and one task a file. The first line says who was asked and how; each further line is what was
said of one text, or a failed call. The model's words are kept as they came and read anew each time, by the strictest
rule there is: ``verb rephrase`` writes such files, ``build variations`` reads them, neither knows the other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, cast

import msgspec

from answerable.core.codec import decode, digest
from answerable.core.errors import LogError, RunLockedError
from answerable.core.headed_log import HeadedLog
from answerable.core.records import Record
from answerable.core.runlog import (
    Failure,
    FailureKind,
    PromptText,
    Reply,
    ReplyStatus,
    RunManifest,
    Sampling,
    Usage,
    _lock_file,
    read_lines,
)

FORMAT = 1
#: Rewordings asked for of each question (MM-R3, section 3.1).
COUNT = 3
#: ``reword``: other words for a question; ``meaning``: whether two questions ask the same.
Task = Literal["reword", "meaning"]
#: What a judge of meanings may say, white space around it let pass.
SAME, DIFFERENT = "SAME", "DIFFERENT"


class Asked(Record, frozen=True, tag_field="line", tag="asked"):
    """First line of a file: who was asked, and how."""

    format: int
    task: Task
    model: str
    provider: str
    endpoint: str
    """Base URL without user, password or query."""
    prompt: PromptText
    sampling: Sampling
    sampling_sha256: str


class Said(Record, frozen=True, tag_field="line", tag="said"):
    """What was said of one text."""

    key: str
    """Digest of everything that was put to the model, and of how."""
    question: str
    """As it stands in the benchmark or sheet."""
    wording: str
    """The rewording that was held against it; empty where rewordings were asked for."""
    status: ReplyStatus
    text: str | None
    """The model's own words; ``wordings_of`` and ``meaning_of`` read them."""
    usage: Usage = Usage()
    seconds: float = 0.0
    attempts: int = 1
    asked_at: float = 0.0
    """Unix time."""


class NotSaid(Record, frozen=True, tag_field="line", tag="failure"):
    """A call that failed after all attempts; it is made again."""

    key: str
    question: str
    wording: str
    reason: FailureKind
    message: str
    """The server's own words, shortened, keys removed; never read."""
    http_status: int | None = None
    attempts: int = 1
    asked_at: float = 0.0


Line = Asked | Said | NotSaid


class Put(Record, frozen=True):
    """A text to be put to the model."""

    question: str
    wording: str = ""
    """Empty where rewordings are asked for."""


class SaidFile(Record, frozen=True):
    """A file, read."""

    asked: Asked
    said: dict[tuple[str, str], Said]
    """(question, wording) -> what was said."""


class _Wordings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wordings: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)]


def wordings_of(said: Said) -> tuple[str, ...] | None:
    """The rewordings that a reply gives, unchecked: the object ``{"wordings": [...]}`` and nothing else; None for any
    other reply. A fence of code around it is let pass.
    """
    if said.status != "complete" or said.text is None:
        return None
    text = said.text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text.removesuffix("```").removeprefix("```").removeprefix("json").strip()
    try:
        return decode(text, _Wordings).wordings
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def meaning_of(said: Said) -> bool | None:
    """Whether the judge said that the meaning is kept; None for anything but one of the two words."""
    if said.status != "complete" or said.text is None:
        return None
    return {SAME: True, DIFFERENT: False}.get(said.text.strip())


def text_key(asked: Asked, put: Put) -> str:
    """Digest of who is asked, how, and what."""
    return digest(
        (asked.task, asked.prompt.sha256, asked.provider, asked.model, asked.endpoint, asked.sampling_sha256,
         put.question, put.wording)
    )  # fmt: skip


def read_said(path: Path, task: Task) -> SaidFile | None:
    """Read a file; None when there is none, or only a torn first line.

    Raises:
        LogError: a damaged line, another task, two models in one file, or two replies to one text.
    """
    if not path.is_file():
        return None
    asked: Asked | None = None
    found: dict[tuple[str, str], Said] = {}
    for number, raw in read_lines(path, msgspec.Raw):
        where = f"{path}, line {number}"
        line = _line(bytes(raw), where)
        if isinstance(line, Asked):
            if asked is not None or number != 1 or line.format != FORMAT or line.task != task:
                got = f"task={line.task!r} format={line.format} model={line.model!r}"
                raise LogError(f"one model asked for {task!r} in format {FORMAT}, in line 1", got, where=where)
            asked = line
        elif asked is None:
            raise LogError("who was asked, in line 1", "another line", where=where, fix="restore the file")
        elif isinstance(line, Said):
            place = (line.question, line.wording)
            if line.key != text_key(asked, Put(*place)):
                raise LogError(
                    "a reply to the text beside it, by the model of line 1", f"another key ({line.key[:12]}...)",
                    where=where, fix="the file was edited: restore it, or write rewordings by hand into a sheet",
                )  # fmt: skip
            if found.setdefault(place, line) is not line:
                raise LogError("one reply a text", f"two on {line.question[:60]!r}", where=where)
    return None if asked is None else SaidFile(asked, found)


def _line(data: bytes, where: str) -> Line:
    try:
        return decode(data, cast("type[Line]", Line))
    except msgspec.MsgspecError as error:
        raise LogError(
            "who was asked, a reply or a failure a line", f"{data[:80]!r} ({error})", where=where,
            fix="the file was edited or damaged: restore it, or remove it and ask again",
        ) from error  # fmt: skip


class SaidLog(HeadedLog):
    """Appends replies to one file; a ``HeadedLog`` whose views are keys. One process at a time.

    Args:
        path: of the file, made when absent.
        asked: must equal the first line, if there is one.
        manifest: what a session asks its log for.
        puts: key -> what is put.
    """

    what, first, started = "file of rewordings", "who was asked, in line 1", "the model and settings"
    fix = "repeat the first command to resume; to change them, choose another --out"

    def __init__(
        self,
        path: Path,
        asked: Asked,
        manifest: RunManifest,
        puts: dict[str, Put],
        *,
        on_said: Callable[[Said], None] = lambda _: None,
        fsync_every: int = 16,
    ) -> None:
        super().__init__(path.parent, manifest, path, asked, fsync_every=fsync_every)
        self._task, self._puts, self._told = asked.task, puts, on_said

    def reply(self, reply: Reply) -> None:
        """Append what the model said."""
        put = self._puts[reply.view]
        said = Said(
            reply.view, put.question, put.wording, reply.status, reply.text, reply.usage, reply.seconds,
            reply.attempts, reply.asked_at,
        )  # fmt: skip
        self._write(said)
        self._told(said)

    def failure(self, failure: Failure) -> None:
        """Append a failed call."""
        put = self._puts[failure.view]
        self._write(
            NotSaid(
                failure.view, put.question, put.wording, failure.kind, failure.message, failure.http_status,
                failure.attempts, failure.asked_at,
            )
        )  # fmt: skip

    def _take_lock(self) -> None:
        """Take the lock of this file; others in the folder are free."""
        self._lock = self.file_path.with_name(f".{self.file_path.name}.lock").open("ab")
        try:
            _lock_file(self._lock)
        except OSError as error:
            raise RunLockedError(
                "to be the only process writing to the file", "another one holds its lock",
                where=str(self.file_path), fix="wait for it, stop it, or choose another --out",
            ) from error  # fmt: skip

    def _stored_head(self) -> Asked | None:
        old = read_said(self.file_path, self._task)
        return None if old is None else old.asked
