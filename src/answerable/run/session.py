"""The asking itself: workers that share one pace, one budget, one log and one list of jobs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from answerable.core.codec import digest_bytes
from answerable.core.errors import ImageError, ProviderError
from answerable.core.runlog import Failure, FailureKind, Reply, RunLog, RunManifest
from answerable.core.seeds import Stream
from answerable.run.budget import Meter, estimate
from answerable.run.images import blank, picture
from answerable.run.order import shuffled
from answerable.run.pace import Pace, backoff
from answerable.run.providers.base import Ask, Failed, KeyHolder, Picture, Provider, Replied
from answerable.run.settings import Ended, Progress, RunSettings, Watch
from answerable.run.turns import ask_in_turns
from answerable.run.views import Texts, Views

#: Seconds between two looks at the progress.
_TICK = 0.5
#: Requests in flight that progress names.
_LONGEST = 3


class Flight(msgspec.Struct, frozen=True):
    """A request under way."""

    job: int
    begin: float


class Session:
    """One stretch of asking, from the first open job to the last, or until something ends it.

    Args:
        views: what is asked.
        provider: who is asked; opened here.
        settings: how.
        log: where replies and failures go.
        done: one byte a job, 1 where the log has a reply.
        meter: tokens and dollars, those of earlier replies included.
        watch: told of progress.
    """

    def __init__(
        self,
        views: Views,
        provider: Provider,
        settings: RunSettings,
        log: RunLog,
        done: bytearray,
        meter: Meter,
        watch: Watch | None,
    ) -> None:
        self._views, self._provider, self._settings = views, provider, settings
        self._log, self._done, self._meter, self._watch = log, done, meter, watch
        self._manifest: RunManifest = log.manifest
        self._pace = Pace(settings.concurrency_start, settings.concurrency, time.monotonic)
        self._flying: dict[int, Flight] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._stop, self._landed = asyncio.Event(), asyncio.Event()
        self._failures_in_a_row = 0
        self._fatal: ProviderError | None = None
        self._begin = time.monotonic()
        self.before, self.expected = sum(done), len(done)
        self.statuses, self.failed = Counter[str](), Counter[str]()
        self.ended: Ended = "done"
        self.message = ""

    async def ask_all(self) -> None:
        """Ask every open job.

        Raises:
            ProviderError: the server turned us away for good.
            StorageError: the disk refused a reply.
            FingerprintError: the benchmark changed under our hands.
        """
        jobs = self._open_jobs()
        count = min(self._settings.concurrency, self.expected - self.before)
        async with self._provider:
            ticker = asyncio.create_task(self._tick())
            self._workers = [asyncio.create_task(self._work(worker, jobs)) for worker in range(count)]
            try:
                with self._signals():
                    await self._finish()
            finally:
                for task in (*self._workers, ticker):
                    task.cancel()
                await asyncio.gather(*self._workers, ticker, return_exceptions=True)
                self._show()
        if self._fatal is not None:
            raise self._fatal

    def _open_jobs(self) -> Iterator[int]:
        order = shuffled(self._views.group, self._settings.repeats, self._settings.seed)
        return (job for job in order if not self._done[job])

    async def _finish(self) -> None:
        """Wait for the workers; once something ends the run, only for those with a request in flight."""
        stop = asyncio.create_task(self._stop.wait())
        pending = set(self._workers)
        try:
            while pending and not stop.done():
                finished, _ = await asyncio.wait({*pending, stop}, return_when=asyncio.FIRST_COMPLETED)
                pending -= finished
                _raise_first(finished)
            idle = pending - {self._workers[worker] for worker in self._flying}
            for task in idle:
                task.cancel()
            flying = pending - idle
            if flying and self._fatal is None:
                finished, _ = await asyncio.wait(flying, timeout=self._settings.grace)
                _raise_first(finished)
        finally:
            stop.cancel()

    async def _work(self, worker: int, jobs: Iterator[int]) -> None:
        for job in jobs:
            await self._one(worker, job)
            if self._stop.is_set():
                return
            if not self._provider.remote:
                # A responder that never waits must not keep signals and progress waiting.
                await asyncio.sleep(0)

    async def _one(self, worker: int, job: int) -> None:
        """Ask one view until there is a reply, or no sense in another attempt."""
        view, repeat = divmod(job, self._settings.repeats)
        draw = Stream("wait", self._settings.seed, self._views.ids[view], repeat)
        first, attempt = time.monotonic(), 0
        while await self._admitted():
            attempt += 1
            asked_at = time.time()
            try:
                image, digest = self._image(view)
                begin = time.monotonic()
                outcome = await self._attempt(worker, job, image)
            except ImageError as error:
                kind: FailureKind = "too_large" if error.where == "--max-image-bytes" else "rejected"
                self._failure(job, Failed(kind, f"not sent: {error}"), 0, asked_at)
                return
            finally:
                self._pace.leave()
                self._land()
            seconds = time.monotonic() - begin
            if isinstance(outcome, Replied):
                self._pace.succeeded(seconds)
                self._reply(job, outcome, digest, seconds, attempt, asked_at)
                return
            if outcome.slow_down or outcome.wait is not None:
                self._pace.overloaded(begin, outcome.wait)
            pause = backoff(attempt, outcome.wait, draw)
            too_often = attempt >= min(outcome.tries, self._settings.retries + 1)
            too_late = time.monotonic() + pause - first > self._settings.give_up_after
            if outcome.fatal or too_often or too_late:
                self._failure(job, outcome, attempt, asked_at)
                if outcome.wait is not None and outcome.wait > self._settings.give_up_after:
                    self.end("failures", f"the server asks to wait {outcome.wait:.0f} s, longer than --give-up-after")
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), pause)

    async def _admitted(self) -> bool:
        """Take a place at the pace's gate; False when the run is ending or the budget is spent."""
        while not self._stop.is_set():
            await self._pace.enter()
            others = self._pace.in_flight - 1
            if self._stop.is_set():
                self._pace.leave()
            elif self._meter.allows(others):
                return True
            else:
                self._pace.leave()
                if others == 0:
                    self.end("budget", "the next request could pass --max-cost")
                else:
                    # Those in flight may cost less than was set aside for them.
                    await self._landed.wait()
        return False

    async def _attempt(self, worker: int, job: int, image: Picture | None) -> Replied | Failed:
        view, repeat = divmod(job, self._settings.repeats)
        self._flying[worker] = Flight(job, time.monotonic())
        key = self._views.obligations[view] if isinstance(self._provider, KeyHolder) else None
        try:
            return await ask_in_turns(
                self._provider, Ask(self._views.ids[view], repeat, self._views.questions[view], image, key)
            )
        finally:
            del self._flying[worker]

    def _image(self, view: int) -> tuple[Picture | None, str | None]:
        """What is sent as image, and its digest."""
        if self._settings.control == "text-only":
            return None, None
        if self._settings.control == "blank-image":
            data = blank(self._views.widths[view], self._views.heights[view])
        else:
            data = self._views.image(view)
        sent = picture(data, self._settings.max_image_bytes)
        return sent, self._views.sha256(view) if self._settings.control == "none" else digest_bytes(sent.data)

    def _land(self) -> None:
        self._landed.set()
        self._landed = asyncio.Event()

    def _reply(
        self, job: int, outcome: Replied, digest: str | None, seconds: float, attempts: int, asked_at: float
    ) -> None:
        view, repeat = divmod(job, self._settings.repeats)
        self._log.reply(
            Reply(
                view=self._views.ids[view], repeat=repeat, prompt=self._manifest.prompt.sha256,
                model=self._manifest.model, sampling=self._manifest.sampling_sha256, status=outcome.status,
                text=outcome.text, reasoning=outcome.reasoning, refusal=outcome.refusal,
                finish_reason=outcome.finish_reason, usage=outcome.usage, image_sha256=digest,
                seconds=round(seconds, 6), attempts=attempts, asked_at=round(asked_at, 3), earlier=outcome.earlier,
            )
        )  # fmt: skip
        self._done[job] = 1
        self.statuses[outcome.status] += 1
        self._meter.count(outcome.usage)
        self._failures_in_a_row = 0

    def _failure(self, job: int, outcome: Failed, attempts: int, asked_at: float) -> None:
        view, repeat = divmod(job, self._settings.repeats)
        self._log.failure(
            Failure(
                view=self._views.ids[view], repeat=repeat, kind=outcome.kind, message=outcome.message,
                http_status=outcome.http_status, attempts=attempts, asked_at=round(asked_at, 3),
            )
        )  # fmt: skip
        self.failed[outcome.kind] += 1
        if outcome.fatal:
            self._fatal = ProviderError(
                "a server that takes our requests", outcome.message, self._provider.endpoint,
                fix="put the key into the environment variable named by --api-key-env, then repeat the command: "
                "finished work is kept",
            )  # fmt: skip
            self.end("failures", outcome.message)
        if attempts:
            self._failures_in_a_row += 1
        if 0 < self._settings.halt_after <= self._failures_in_a_row:
            self.end("failures", f"{self._failures_in_a_row} views failed in a row, the last one: {outcome.message}")

    def end(self, why: Ended, message: str) -> None:
        """Start no further request."""
        if not self._stop.is_set():
            self.ended, self.message = why, message
            self._stop.set()

    def interrupt(self) -> None:
        """Ctrl-C: let requests in flight land; a second one drops them."""
        if self._stop.is_set():
            for task in self._workers:
                task.cancel()
        self.end("interrupted", "stopped by the user; repeat the command to resume")

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Catch Ctrl-C and SIGTERM while requests are under way (only possible in the main thread)."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()

        def caught(*_: object) -> None:
            loop.call_soon_threadsafe(self.interrupt)

        old = {number: signal.signal(number, caught) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in old.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    async def _tick(self) -> None:
        while True:
            self._show()
            await asyncio.sleep(_TICK)

    def _show(self) -> None:
        if self._watch is not None:
            self._watch(self.progress())

    def progress(self) -> Progress:
        """How the run stands now."""
        now, new = time.monotonic(), self.statuses.total()
        rate = new / max(1e-9, now - self._begin)
        replied, failed = self.before + new, self.failed.total()
        oldest = sorted(self._flying.values(), key=lambda flight: flight.begin)[:_LONGEST]
        return Progress(
            expected=self.expected,
            replied=replied,
            failed=failed,
            in_flight=self._pace.in_flight,
            limit=self._pace.limit,
            rate=rate,
            left=(self.expected - replied - failed) / rate if rate > 0 else None,
            tokens=self._meter.prompt + self._meter.completion,
            cost=self._meter.cost,
            longest=tuple(
                (self._views.ids[flight.job // self._settings.repeats], now - flight.begin) for flight in oldest
            ),
            paused=self._pace.paused(),
        )


def _raise_first(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Raise what a worker raised; one that was cancelled raised nothing."""
    for task in tasks:
        if not task.cancelled():
            task.result()


def ask_texts_once(
    texts: dict[str, str], provider: Provider, settings: RunSettings, log: RunLog, watch: Watch | None
) -> tuple[Session, Meter]:
    """Put each text to a model once, within one budget; nothing is opened where there is none."""
    views, asked = Texts(texts), provider.settings
    meter = Meter(settings, estimate(views, asked.prompt, asked.sampling.max_tokens, settings, len(views)))
    session = Session(views, provider, settings, log, bytearray(len(views)), meter, watch)
    if texts:
        asyncio.run(session.ask_all())
    return session, meter
