"""One model over one benchmark: verify, resume, ask, log, sum up."""

from __future__ import annotations

import asyncio
import contextlib
import platform
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from answerable import __version__
from answerable.core.benchmark import Benchmark
from answerable.core.codec import canonical, digest, encode
from answerable.core.errors import LogError
from answerable.core.runlog import FORMAT, RunFolder, RunLog, RunManifest
from answerable.run.budget import Meter, estimate
from answerable.run.providers.base import KeyHolder, Provider
from answerable.run.session import Session
from answerable.run.settings import Estimate, RunSettings, RunSummary, Watch
from answerable.run.views import Views, load

#: Called once before the first request, with the estimate (None without prices) and the number of requests.
Announce = Callable[[Estimate | None, int], None]


def run(
    benchmark: Benchmark,
    provider: Provider,
    settings: RunSettings,
    out: Path,
    *,
    watch: Watch | None = None,
    announce: Announce | None = None,
) -> RunSummary:
    """Ask every view of the benchmark that has no reply in ``out`` yet, and log what comes.

    Args:
        benchmark: verified here before the first request.
        provider: who is asked, with its prompt and sampling.
        settings: what is asked and how fast.
        out: the run folder; a new one, or one of the same settings to resume.
        watch: told of progress twice a second.
        announce: told of the estimate.

    Raises:
        FingerprintError: the benchmark is not what its fingerprint says.
        SettingsError: a setting makes no sense, or the prompt does not know what the questions end with.
        RunMismatchError: ``out`` belongs to another benchmark, model, prompt or sampling.
        RunLockedError: another process writes to ``out``.
        ProviderError: the server turned us away (key, payment); nothing more is asked.
        StorageError: the disk refused a write; everything logged before stays.
    """
    with _prepared(benchmark, provider, settings, out, watch, announce) as work:
        asyncio.run(work.session.ask_all())
        return work.sum_up()


async def run_async(
    benchmark: Benchmark,
    provider: Provider,
    settings: RunSettings,
    out: Path,
    *,
    watch: Watch | None = None,
    announce: Announce | None = None,
) -> RunSummary:
    """The same inside a running event loop; verifying the benchmark holds the loop up."""
    with _prepared(benchmark, provider, settings, out, watch, announce) as work:
        await work.session.ask_all()
        return work.sum_up()


class _Work:
    """A run that is ready to ask."""

    def __init__(self, session: Session, earlier: Counter[str], meter: Meter, expected: Estimate | None) -> None:
        self.session, self._earlier, self._meter, self._expected = session, earlier, meter, expected
        self._begin = time.monotonic()

    def sum_up(self) -> RunSummary:
        """What became of it."""
        session, meter = self.session, self._meter
        new, failed = session.statuses.total(), session.failed.total()
        replied, seconds = self._earlier.total() + new, time.monotonic() - self._begin
        return RunSummary(
            expected=session.expected,
            replied=replied,
            new=new,
            statuses=dict(sorted((self._earlier + session.statuses).items())),
            failed=dict(sorted(session.failed.items())),
            not_run=session.expected - replied - failed,
            prompt_tokens=meter.prompt,
            completion_tokens=meter.completion,
            reasoning_tokens=meter.reasoning,
            uncounted=meter.uncounted,
            cost=meter.cost,
            seconds=seconds,
            rate=new / seconds if seconds > 0 else 0.0,
            ended=session.ended,
            message=session.message,
            estimate=self._expected,
        )


@contextlib.contextmanager
def _prepared(
    benchmark: Benchmark,
    provider: Provider,
    settings: RunSettings,
    out: Path,
    watch: Watch | None,
    announce: Announce | None,
) -> Iterator[_Work]:
    """Everything before the first request, outside of any event loop, where Ctrl-C works at once."""
    settings.check()
    keyed, made_from = isinstance(provider, KeyHolder), provider.settings
    views, key = load(benchmark, settings.split, settings.limit, keep_key=keyed, seed=settings.seed)
    made_from.prompt.check(views.questions, settings.control)
    manifest = describe(benchmark, provider, settings, len(views))
    provider.check_manifest(encode(manifest))
    if isinstance(provider, KeyHolder):
        provider.prepare(key)
    with views, RunLog(out, manifest, fsync_every=settings.fsync_every) as log:
        total = len(views) * settings.repeats
        whole = estimate(views, made_from.prompt, made_from.sampling.max_tokens, settings, total)
        meter, done = Meter(settings, whole), bytearray(total)
        earlier = _take_in(RunFolder(out), views, done, meter)
        left = total - sum(done)
        expected = estimate(views, made_from.prompt, made_from.sampling.max_tokens, settings, left)
        if announce is not None:
            announce(expected, left)
        yield _Work(Session(views, provider, settings, log, done, meter, watch), earlier, meter, expected)


def describe(benchmark: Benchmark, provider: Provider, settings: RunSettings, views: int) -> RunManifest:
    """``run.json``: everything that decides what is asked."""
    sampling = provider.settings.sampling
    return RunManifest(
        format=FORMAT,
        benchmark=benchmark.manifest.name,
        benchmark_fingerprint=benchmark.manifest.fingerprint,
        model=provider.model,
        provider=provider.name,
        endpoint=provider.endpoint,
        prompt=provider.settings.prompt.text,
        sampling=sampling,
        sampling_sha256=digest(canonical(sampling)),
        repeats=settings.repeats,
        control=settings.control,
        split=settings.split,
        limit=settings.limit,
        views=views,
        seed=settings.seed,
        versions=_versions(getattr(provider, "libraries", ())),
    )


def _versions(libraries: Iterable[str]) -> dict[str, str]:
    """Of this program, and of what asks, and of what a provider computes with."""
    found = {"answerable": __version__, "python": platform.python_version()}
    for name in ("aiohttp", "msgspec", "pyarrow", *libraries):
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _take_in(folder: RunFolder, views: Views, done: bytearray, meter: Meter) -> Counter[str]:
    """Mark the replies that the log already has, and count their tokens.

    Raises:
        LogError: a reply for a view that this run does not ask.
    """
    statuses, repeats = Counter[str](), len(done) // len(views)
    for reply in folder.replies():
        view = views.number.get(reply.view)
        if view is None:
            raise LogError(
                "replies for views of this run", f"one for view={reply.view!r}", where=str(folder.path),
                fix="the log was edited or belongs elsewhere: restore it, or choose another --out",
            )  # fmt: skip
        done[view * repeats + reply.repeat] = 1
        statuses[reply.status] += 1
        meter.count(reply.usage)
    return statuses
