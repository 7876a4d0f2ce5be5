"""Puts texts to a model, without a picture: questions to be reworded, or rewordings to be held against them.

The same session as a run: one pace, one budget, bounded attempts. What has a reply is not asked again, what failed is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from answerable.core.codec import canonical, digest, encode
from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.core.rewordings import FORMAT, Asked, Put, Said, SaidLog, Task, read_said, text_key
from answerable.core.runlog import RunManifest
from answerable.run.providers.base import KeyHolder, Provider
from answerable.run.session import ask_texts_once
from answerable.run.settings import Ended, RunSettings, Watch


class TextSummary(Record, frozen=True):
    """What became of the asking."""

    texts: int
    """Texts to be put."""
    kept: int
    """Of those, answered before this session."""
    new: int
    failed: dict[str, int]
    """Calls that failed, by kind."""
    missing: int
    """Texts without a reply now."""
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
        """Whether every text has a reply."""
        return self.missing == 0


def put_in_words(put: Put) -> str:
    """What stands in the place of the question in the prompt."""
    return put.question if not put.wording else f"First:\n{put.question}\n\nSecond:\n{put.wording}"


def ask_texts(
    path: Path,
    task: Task,
    puts: Sequence[Put],
    provider: Provider,
    settings: RunSettings,
    *,
    watch: Watch | None = None,
) -> TextSummary:
    """Put every text that has no reply yet to the model, and store what it says.

    Args:
        path: the file that replies are appended to.
        puts: texts; equal ones are put once.
        provider: the model, with the task's prompt.
        settings: pace, attempts and budget; no image is sent.
        watch: told of progress twice a second.

    Raises:
        SettingsError: a reference responder, nothing to ask, or settings that make no sense.
        RunMismatchError: the file was started with another model or other settings.
        RunLockedError: another process writes to the file.
        LogError: the file is damaged.
        ProviderError: the server turned us away; nothing more is asked.
    """
    if isinstance(provider, KeyHolder):
        raise SettingsError(
            "a model", f"{provider.model!r}, which is told the right answers", "--model",
            fix="name a model, and its server with --base-url",
        )  # fmt: skip
    settings = msgspec.structs.replace(settings, repeats=1, control="text-only", limit=None)
    settings.check()
    sampling = provider.settings.sampling
    asked = Asked(
        format=FORMAT, task=task, model=provider.model, provider=provider.name, endpoint=provider.endpoint,
        prompt=provider.settings.prompt.text, sampling=sampling, sampling_sha256=digest(canonical(sampling)),
    )  # fmt: skip
    provider.check_manifest(encode(asked))
    return _work(path, asked, {text_key(asked, put): put for put in puts}, provider, settings, watch)


def _work(
    path: Path, asked: Asked, puts: dict[str, Put], provider: Provider, settings: RunSettings, watch: Watch | None
) -> TextSummary:
    begin, new = time.monotonic(), Counter[str]()

    def count(said: Said) -> None:
        new[said.status] += 1

    with SaidLog(path, asked, _manifest(asked, len(puts), settings), puts, on_said=count) as log:
        stored = read_said(path, asked.task)
        known = {said.key for said in stored.said.values()} if stored is not None else set()
        wanted = {key: put_in_words(put) for key, put in puts.items() if key not in known}
        session, meter = ask_texts_once(wanted, provider, settings, log, watch)
    kept = len(puts) - len(wanted)
    return TextSummary(
        texts=len(puts), kept=kept, new=new.total(), failed=dict(sorted(session.failed.items())),
        missing=len(puts) - kept - new.total(), prompt_tokens=meter.prompt, completion_tokens=meter.completion,
        cost=meter.cost, seconds=time.monotonic() - begin, ended=session.ended, message=session.message,
    )  # fmt: skip


def _manifest(asked: Asked, texts: int, settings: RunSettings) -> RunManifest:
    """What a session asks its log for; never written."""
    return RunManifest(
        format=FORMAT, benchmark="", benchmark_fingerprint="", model=asked.model, provider=asked.provider,
        endpoint=asked.endpoint, prompt=asked.prompt, sampling=asked.sampling, sampling_sha256=asked.sampling_sha256,
        repeats=1, control="text-only", split="", limit=None, views=texts, seed=settings.seed, versions={},
    )  # fmt: skip
