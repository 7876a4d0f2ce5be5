"""What a judge model said of replies that no rule could read: ``judgements-<reader>.jsonl`` in the run folder.

Append-only, one judge a file. The first line says who judged and how; each further line is a judgement or a failed
call. A judgement is named by a digest of everything that was put to the judge, so it can never stand for another
reply. What the judge said is kept as text and read anew each time, by the strictest rule there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import msgspec

from answerable.core.choices import LETTERS
from answerable.core.codec import decode, digest, digest_bytes
from answerable.core.errors import BenchmarkError, LogError
from answerable.core.headed_log import HeadedLog
from answerable.core.records import Record, View
from answerable.core.runlog import (
    Failure,
    FailureKind,
    PromptText,
    Reply,
    ReplyStatus,
    RunManifest,
    Sampling,
    Usage,
    read_lines,
)

FORMAT = 1
#: Put to the judge beside the options that the model saw, for every view alike (UPD paper, appendix E).
NO_ANSWER = (
    "The reply says that no option is right or fits, that the image and the question do not belong together, or that"
    " the question cannot be answered."
)
#: Ours: a reply that says nothing clear must not be forced into an option.
UNCLEAR = "The reply does not say clearly which one it means, or means several."
_JSON_LETTER = re.compile(r'\{\s*"letter"\s*:\s*"([A-Z])"\s*\}')


class Judge(Record, frozen=True, tag_field="line", tag="judge"):
    """First line of the file: who judges, and how."""

    format: int
    reader: str
    """The reader whose unread replies are judged."""
    benchmark_fingerprint: str
    model: str
    provider: str
    endpoint: str
    """Base URL without user, password or query."""
    prompt: PromptText
    sampling: Sampling
    sampling_sha256: str


class Judgement(Record, frozen=True, tag_field="line", tag="judgement"):
    """What the judge said of one reply."""

    view: str
    repeat: int
    key: str
    """Digest of everything that was put to the judge, and of how."""
    reply_sha256: str
    """Digest of the text that was judged."""
    status: ReplyStatus
    """How the judge's own reply ended."""
    text: str | None
    """The judge's own reply; ``letter_of`` reads it."""
    usage: Usage = Usage()
    seconds: float = 0.0
    attempts: int = 1
    asked_at: float = 0.0
    """Unix time."""


class JudgeFailure(Record, frozen=True, tag_field="line", tag="failure"):
    """A reply for which the judge could not be asked, after all attempts; it is asked for again."""

    view: str
    repeat: int
    key: str
    reason: FailureKind
    message: str
    """The server's own words, shortened, keys removed; never read."""
    http_status: int | None = None
    attempts: int = 1
    asked_at: float = 0.0


Line = Judge | Judgement | JudgeFailure


class Put(Record, frozen=True):
    """What the judge is told of a question. Nothing in it names the state."""

    question: str
    options: tuple[tuple[str, str], ...]
    """Letter and text: those offered to the model, the removed right option where there is one, then ours."""
    abstaining: tuple[str, ...]
    """Letters that mean an abstention."""
    unclear: str
    """The letter that leaves the reply unread."""


class JudgeCase(Record, frozen=True):
    """One reply to be judged."""

    view: str
    repeat: int
    put: Put
    reply: str


def put_to_judge(view: View) -> Put:
    """The options for the judge: the same three last free letters of the alphabet for every view.

    The removed option's letter is far from the offered ones, so that a reply that names a letter it was not offered
    does not meet it by chance. Only its presence tells a judge that an option was taken away.

    Raises:
        BenchmarkError: so many options that no letters are left.
    """
    used = {option.letter for option in view.options}
    free = [letter for letter in reversed(LETTERS) if letter not in used]
    if len(free) < 3:
        raise BenchmarkError(
            f"at most {len(LETTERS) - 3} options, so that a judge can be offered more",
            f"{len(view.options)} options",
            where=f"view {view.id}",
        )
    none, unclear, removed = free[:3]
    content = [(option.letter, option.text) for option in view.options if option.role == "content"]
    withheld = [(removed, view.withheld)] if view.withheld else []
    others = [(option.letter, option.text) for option in view.options if option.role != "content"]
    return Put(
        view.question,
        (*content, *others, *withheld, (unclear, UNCLEAR), (none, NO_ANSWER)),
        (*(letter for letter, _ in (*others, *withheld)), none),
        unclear,
    )


def judgement_key(judge: Judge, put: Put, reply: str) -> str:
    """Digest of who is asked, how, and what: prompt, model, endpoint, sampling, question, options and reply."""
    return digest(
        (judge.prompt.sha256, judge.provider, judge.model, judge.endpoint, judge.sampling_sha256,
         put.question, put.options, reply)
    )  # fmt: skip


def letter_of(judgement: Judgement, put: Put) -> str | None:
    """The one letter that the judge said, of those it was offered; None for anything else.

    The whole reply is one capital letter, or the object ``{"letter": "B"}``; white space around it is let pass.
    """
    if judgement.status != "complete" or judgement.text is None:
        return None
    text = judgement.text.strip()
    match = _JSON_LETTER.fullmatch(text)
    letter = match[1] if match else text
    return letter if any(letter == offered for offered, _ in put.options) else None


def judgements_path(folder: Path, reader: str) -> Path:
    """Where the judgements on what a reader left unread lie."""
    return folder / f"judgements-{reader}.jsonl"


class Judgements(Record, frozen=True):
    """A file of judgements, read."""

    judge: Judge
    by_place: dict[tuple[str, int], Judgement]
    """(view, repeat) -> judgement."""
    failures: dict[tuple[str, int], JudgeFailure]
    """The last failure of each (view, repeat) without a judgement."""


def read_judgements(path: Path) -> Judgements | None:
    """Read a file of judgements; None when there is none, or only a torn first line.

    Raises:
        LogError: a damaged line, two judges in one file, or two judgements on one reply.
    """
    if not path.is_file():
        return None
    judge: Judge | None = None
    found: dict[tuple[str, int], Judgement] = {}
    failures: dict[tuple[str, int], JudgeFailure] = {}
    for number, raw in read_lines(path, msgspec.Raw):
        where = f"{path}, line {number}"
        line = _line(bytes(raw), where)
        if isinstance(line, Judge):
            if judge is not None or number != 1 or line.format != FORMAT:
                raise LogError(f"one judge of format {FORMAT}, in line 1", f"model={line.model!r}", where=where)
            judge = line
        elif judge is None:
            raise LogError("the judge in line 1", "another line", where=where, fix="restore the file, or remove it")
        elif isinstance(line, JudgeFailure):
            failures[(line.view, line.repeat)] = line
        elif (line.view, line.repeat) in found:
            raise LogError(
                "one judgement a reply", f"two for view={line.view} repeat={line.repeat}", where=where,
                fix="remove the line that does not belong; neither is chosen for you",
            )  # fmt: skip
        else:
            found[(line.view, line.repeat)] = line
    if judge is None:
        return None
    return Judgements(judge, found, {place: line for place, line in failures.items() if place not in found})


def _line(data: bytes, where: str) -> Line:
    try:
        return decode(data, cast("type[Line]", Line))
    except msgspec.MsgspecError as error:
        raise LogError(
            "a judge, a judgement or a failure a line", f"{data[:80]!r} ({error})", where=where,
            fix="the file was edited or damaged: restore it, or remove it and judge again",
        ) from error  # fmt: skip


def check_place(judgements: Judgements, path: Path, view: str, repeat: int, put: Put, reply: str) -> Judgement | None:
    """The judgement on a reply, or None.

    Raises:
        LogError: it is on another text, or on other options.
    """
    found = judgements.by_place.get((view, repeat))
    if found is None:
        return None
    if found.reply_sha256 != digest_bytes(reply.encode()) or found.key != judgement_key(judgements.judge, put, reply):
        raise LogError(
            f"a judgement on the reply to view={view} repeat={repeat} as the log has it",
            f"one on another text or other options (reply_sha256={found.reply_sha256[:12]}...)",
            where=str(path),
            fix="remove the file and judge again: a judgement belongs to the text it was made on",
        )
    return found


class JudgementLog(HeadedLog):
    """Appends judgements; a ``HeadedLog`` whose views are keys, each of which stands for all replies with that key.

    Args:
        folder: the run folder; its lock is taken.
        judge: must equal the one in the file, if there is one.
        manifest: what a session asks its log for.
        places: key -> (view, repeat) of the replies it stands for.
        texts: key -> digest of the reply.
    """

    what, first, started = "file of judgements", "the judge in line 1", "the judge"
    fix = "repeat the first command to resume; to change the judge, move the file away"

    def __init__(
        self,
        folder: Path,
        judge: Judge,
        manifest: RunManifest,
        places: dict[str, list[tuple[str, int]]],
        texts: dict[str, str],
        *,
        on_judgement: Callable[[Judgement], None] = lambda _: None,
        fsync_every: int = 16,
    ) -> None:
        super().__init__(folder, manifest, judgements_path(folder, judge.reader), judge, fsync_every=fsync_every)
        self.judge, self._places, self._texts, self._told = judge, places, texts, on_judgement

    def reply(self, reply: Reply) -> None:
        """Append the judge's reply to every reply that has this key."""
        made = [
            Judgement(
                view, repeat, reply.view, self._texts[reply.view], reply.status, reply.text, reply.usage,
                reply.seconds, reply.attempts, reply.asked_at,
            )
            for view, repeat in self._places[reply.view]
        ]  # fmt: skip
        self.keep(made)

    def keep(self, made: Sequence[Judgement]) -> None:
        """Append judgements as they are."""
        for judgement in made:
            self._write(judgement)
            self._told(judgement)

    def failure(self, failure: Failure) -> None:
        """Append a failed call, for every reply that has this key."""
        for view, repeat in self._places[failure.view]:
            self._write(
                JudgeFailure(
                    view, repeat, failure.view, failure.kind, failure.message, failure.http_status,
                    failure.attempts, failure.asked_at,
                )
            )  # fmt: skip

    def _stored_head(self) -> Judge | None:
        old = read_judgements(self.file_path)
        return None if old is None else old.judge
