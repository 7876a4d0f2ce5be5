"""Asks a judge model which option a reply means, for replies that no rule could read.

The same session as a run: one pace, one budget, bounded attempts. Identical questions are put once; what has a
judgement is not asked again, what failed is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from answerable.core.codec import canonical, digest, digest_bytes, encode
from answerable.core.errors import SettingsError
from answerable.core.judgements import (
    FORMAT,
    Judge,
    JudgeCase,
    Judgement,
    JudgementLog,
    check_place,
    judgement_key,
    judgements_path,
    letter_of,
    read_judgements,
)
from answerable.core.records import Record
from answerable.core.runlog import RunFolder
from answerable.run.providers.base import KeyHolder, Provider
from answerable.run.session import ask_texts_once
from answerable.run.settings import Ended, RunSettings, Watch


class JudgeSummary(Record, frozen=True):
    """What became of the judging."""

    replies: int
    """Replies that were to be judged, those of the sample included."""
    kept: int
    """Of those, judged before this session, or the same as one judged before."""
    questions: int
    """Different questions put to the judge in this session."""
    new: int
    """Replies judged in this session."""
    unread: int
    """Judgements whose text is not one letter that was offered: they stay unread."""
    failed: dict[str, int]
    """Questions whose call failed, by kind."""
    missing: int
    """Replies without a judgement now."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """US dollars of this session; None without prices."""
    seconds: float
    ended: Ended
    message: str = ""
    """Why it ended early, for people."""

    @property
    def complete(self) -> bool:
        """Whether every reply has a judgement."""
        return self.missing == 0


def question_text(case: JudgeCase) -> str:
    """What is put to the judge: question, options, and the reply between marks that it cannot hold."""
    mark = digest_bytes(case.reply.encode())[:12]
    options = "\n".join(f"{letter}. {text}" for letter, text in case.put.options)
    return (
        f"Question:\n{case.put.question}\n\nOptions:\n{options}\n\n"
        f"Reply, from [{mark}] to [/{mark}]:\n[{mark}]\n{case.reply}\n[/{mark}]"
    )


def judge_of(run: RunFolder, reader: str, provider: Provider) -> Judge:
    """First line of the file of judgements."""
    sampling = provider.settings.sampling
    return Judge(
        format=FORMAT, reader=reader, benchmark_fingerprint=run.manifest.benchmark_fingerprint,
        model=provider.model, provider=provider.name, endpoint=provider.endpoint,
        prompt=provider.settings.prompt.text, sampling=sampling, sampling_sha256=digest(canonical(sampling)),
    )  # fmt: skip


def judge_replies(
    run: RunFolder,
    reader: str,
    cases: Sequence[JudgeCase],
    provider: Provider,
    settings: RunSettings,
    *,
    watch: Watch | None = None,
) -> JudgeSummary:
    """Put every case that has no judgement yet to the judge, and store what it says.

    Args:
        run: the run folder; judgements are written beside its replies.
        reader: the reader that left the replies unread.
        cases: replies with what the judge is told of their question.
        provider: the judge, with our prompt.
        settings: pace, attempts and budget; no image is sent.
        watch: told of progress twice a second.

    Raises:
        SettingsError: a reference responder as the judge, or settings that make no sense.
        RunMismatchError: the file was started with another judge.
        RunLockedError: another process writes to the run folder.
        LogError: the file is damaged, or has a judgement on another text.
        ProviderError: the server turned us away; nothing more is asked.
    """
    if isinstance(provider, KeyHolder):
        raise SettingsError(
            "a model as the judge", f"{provider.model!r}, which is told the right answers", "--model",
            fix="name a model, and its server with --base-url",
        )  # fmt: skip
    settings = msgspec.structs.replace(settings, repeats=1, control="text-only", split=run.manifest.split, limit=None)
    settings.check()
    judge = judge_of(run, reader, provider)
    provider.check_manifest(encode(judge))
    return _Judging(run, judge, cases, provider, settings).work(watch)


class _Judging:
    """One stretch of judging."""

    def __init__(
        self, run: RunFolder, judge: Judge, cases: Sequence[JudgeCase], provider: Provider, settings: RunSettings
    ) -> None:
        self._run, self._judge, self._cases = run, judge, cases
        self._provider, self._settings = provider, settings
        self._path = judgements_path(run.path, judge.reader)
        self._put = {(case.view, case.repeat): case.put for case in cases}
        self._places: dict[str, list[tuple[str, int]]] = {}
        self._texts: dict[str, str] = {}
        self._asked: dict[str, JudgeCase] = {}
        self._judged = self._kept = self._unread = 0

    def work(self, watch: Watch | None) -> JudgeSummary:
        """Open the file, ask what is open, sum up."""
        begin = time.monotonic()
        manifest = msgspec.structs.replace(
            self._run.manifest, model=self._judge.model, provider=self._judge.provider,
            endpoint=self._judge.endpoint, prompt=self._judge.prompt, sampling=self._judge.sampling,
            sampling_sha256=self._judge.sampling_sha256, repeats=1, control="text-only",
        )  # fmt: skip
        log = JudgementLog(
            self._run.path, self._judge, manifest, self._places, self._texts,
            on_judgement=self._count, fsync_every=self._settings.fsync_every,
        )  # fmt: skip
        with log:
            self._sort_out(log)
            texts = {key: question_text(case) for key, case in self._asked.items()}
            session, meter = ask_texts_once(texts, self._provider, self._settings, log, watch)
        new = self._judged - self._kept
        return JudgeSummary(
            replies=len(self._cases), kept=self._kept, questions=len(self._asked), new=new, unread=self._unread,
            failed=dict(sorted(Counter(session.failed).items())), missing=len(self._cases) - self._judged,
            prompt_tokens=meter.prompt, completion_tokens=meter.completion, cost=meter.cost,
            seconds=time.monotonic() - begin, ended=session.ended, message=session.message,
        )  # fmt: skip

    def _count(self, judgement: Judgement) -> None:
        self._judged += 1
        self._unread += letter_of(judgement, self._put[(judgement.view, judgement.repeat)]) is None

    def _sort_out(self, log: JudgementLog) -> None:
        """Part the cases: judged before, the same as one judged before, and to be asked, each question once."""
        stored = read_judgements(self._path)
        known = {} if stored is None else {line.key: line for line in stored.by_place.values()}
        for case in self._cases:
            key = judgement_key(self._judge, case.put, case.reply)
            found = stored and check_place(stored, self._path, case.view, case.repeat, case.put, case.reply)
            if found:
                self._count(found)
            elif key in known:
                log.keep([msgspec.structs.replace(known[key], view=case.view, repeat=case.repeat)])
            else:
                self._places.setdefault(key, []).append((case.view, case.repeat))
                self._texts[key] = digest_bytes(case.reply.encode())
                self._asked.setdefault(key, case)
        self._kept = self._judged
