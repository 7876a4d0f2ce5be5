"""Whole runs: identity, resume, controls, limits, failures."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import signal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from answerable.core.benchmark import Benchmark
from answerable.core.codec import canonical, digest, digest_bytes
from answerable.core.errors import (
    FingerprintError,
    LogError,
    ProviderError,
    RunMismatchError,
    SettingsError,
    StorageError,
)
from answerable.core.runlog import RunFolder, RunLog, Sampling
from answerable.run.images import blank
from answerable.run.runner import run, run_async
from answerable.run.settings import Estimate, Progress, RunSettings
from tests.run.helpers import (
    GOOD,
    KEY,
    QUICK,
    Server,
    Step,
    chat,
    completion,
    content,
    hang_up,
    make_benchmark,
    png,
    reference,
    replies,
    say,
)

FAST = msgspec.structs.replace(QUICK, retries=0)


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are a hundredth of the real ones."""
    monkeypatch.setattr("answerable.run.pace._FIRST_WAIT", 0.005)


def sent_image(request: dict[str, Any]) -> bytes | None:
    """The image in a request."""
    parts = request["messages"][-1]["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert len(urls) <= 1
    return base64.b64decode(urls[0].split(",")[1]) if urls else None


async def test_a_whole_run(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    summary = await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    assert (summary.expected, summary.replied, summary.new, summary.not_run) == (18, 18, 18, 0)
    assert summary.statuses == {"complete": 18}
    assert (summary.prompt_tokens, summary.completion_tokens) == (18 * 900, 18 * 20)
    assert summary.complete
    assert summary.ended == "done"
    views = {view.id: view for view in bench.views()}
    logged = replies(tmp_path / "r")
    assert {view for view, _ in logged} == set(views)
    sent = {digest_bytes(sent_image(request) or b"") for request in server.requests}
    assert sent == {view.image_sha256 for view in views.values()}
    for (view, _), reply in logged.items():
        assert reply.image_sha256 == views[view].image_sha256
        assert (reply.text, reply.attempts, reply.model) == (GOOD, 1, "stub")
        assert reply.seconds > 0
        assert reply.asked_at > 1.6e9


async def test_run_json_says_everything_but_secrets(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    url = server.url + "?api-version=hidden-version"
    await run_async(bench, chat(url, sampling=Sampling(extra=msgspec.Raw(b'{"top_p":1}'))), QUICK, tmp_path / "r")
    manifest = RunFolder(tmp_path / "r").manifest
    assert manifest.benchmark_fingerprint == bench.manifest.fingerprint
    assert (manifest.model, manifest.provider, manifest.endpoint) == ("stub", "openai-chat", server.url)
    assert "Not answerable" in manifest.prompt.user
    assert manifest.sampling_sha256 == digest(canonical(manifest.sampling))
    assert {"answerable", "python", "aiohttp"} <= set(manifest.versions)
    for path in (tmp_path / "r").iterdir():
        text = path.read_text()
        assert KEY not in text
        assert "0123456789" not in text
        assert "hidden-version" not in text


async def test_nothing_secret_about_views_is_sent(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    for view in bench.views():
        for body, headers in zip(server.raw, server.headers, strict=True):
            assert view.id.encode() not in body + str(headers).encode()
            assert view.group.encode() not in body + str(headers).encode()


async def test_order_parts_the_groups(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 6)
    settings = msgspec.structs.replace(QUICK, concurrency=1)
    await run_async(bench, chat(server.url), settings, tmp_path / "r")
    questions = [request["messages"][1]["content"][1]["text"] for request in server.requests]
    assert all(a != b for a, b in itertools.pairwise(questions))


async def test_repeats(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    summary = await run_async(bench, chat(server.url), RunSettings(repeats=3), tmp_path / "r")
    assert (summary.expected, summary.replied, len(server.raw)) == (54, 54, 54)
    assert {repeat for _, repeat in replies(tmp_path / "r")} == {0, 1, 2}


async def test_limit_takes_whole_groups(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    summary = await run_async(bench, chat(server.url), RunSettings(limit=2), tmp_path / "r")
    assert summary.expected == 12
    groups = {view.id: view.group for view in bench.views()}
    assert {groups[view] for view, _ in replies(tmp_path / "r")} == {"test-g0", "test-g1"}


@pytest.mark.parametrize("control", ["text-only", "blank-image"])
async def test_controls(bench: Benchmark, server: Server, tmp_path: Path, control: Any) -> None:
    await run_async(bench, chat(server.url), RunSettings(control=control), tmp_path / "r")
    white = blank(8, 6)
    for request in server.requests:
        assert sent_image(request) == (None if control == "text-only" else white)
    expected = None if control == "text-only" else digest_bytes(white)
    assert {reply.image_sha256 for reply in replies(tmp_path / "r").values()} == {expected}
    assert RunFolder(tmp_path / "r").manifest.control == control


async def test_images_that_are_too_large_are_not_sent(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(
        tmp_path / "bench", image=lambda index, state: png(8, 6, (index, 0, ord(state)), 900 if state == "K" else 0)
    )
    summary = await run_async(bench, chat(server.url), RunSettings(max_image_bytes=1000), tmp_path / "r")
    assert (summary.replied, summary.failed, summary.not_run) == (15, {"too_large": 3}, 0)
    assert len(server.raw) == 15
    for failure in RunFolder(tmp_path / "r").failures():
        assert "not sent: expected at most 1000 bytes of base64; got 13" in failure.message
        assert failure.attempts == 0


async def test_a_refused_image_kind_is_a_failure(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(
        tmp_path / "bench",
        2,
        image=lambda index, state: b"<svg/>" if state == "F" else png(8, 6, (index, 0, ord(state))),
    )
    summary = await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    assert (summary.replied, summary.failed) == (10, {"rejected": 2})


async def test_failures_are_retried_then_logged_then_asked_again(
    bench: Benchmark, server: Server, tmp_path: Path
) -> None:
    server.steps = [say({}, 500)]
    settings = msgspec.structs.replace(QUICK, limit=1)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert (summary.replied, summary.failed, summary.not_run) == (0, {"server_error": 6}, 0)
    assert len(server.raw) == 18  # three attempts each
    assert {failure.attempts for failure in RunFolder(tmp_path / "r").failures()} == {3}
    assert (tmp_path / "r" / "replies-00000.jsonl").read_bytes() == b""
    server.steps = [say(completion())]
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert (summary.replied, summary.new, summary.failed) == (6, 6, {})
    assert len(list(RunFolder(tmp_path / "r").failures())) == 6  # what happened stays on record
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert (summary.replied, summary.new, summary.complete) == (6, 0, True)
    assert len(server.raw) == 24


@pytest.mark.parametrize(
    ("step", "kind", "attempts"),
    [
        (hang_up, "connection", 3), (say({}, 503), "server_error", 3), (say({}, 429), "rate_limited", 3),
        (say({}, 400), "rejected", 1), (say({}, 404), "rejected", 1), (say({}, 413), "too_large", 1),
        (say("<html>hello</html>"), "malformed", 3), (say({"choices": []}), "malformed", 3), (say(b""), "malformed", 3),
        (say(b"data: {}\n\n", headers={"Content-Type": "text/event-stream"}), "malformed", 1),
    ],
)  # fmt: skip
async def test_each_fault_has_its_kind_and_number_of_attempts(
    bench: Benchmark, server: Server, tmp_path: Path, step: Step, kind: str, attempts: int
) -> None:
    server.steps = [step]
    settings = msgspec.structs.replace(QUICK, limit=1)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert (summary.failed, summary.replied) == ({kind: 6}, 0)
    assert len(server.raw) == 6 * attempts
    assert list(RunFolder(tmp_path / "r").replies()) == []


async def test_a_fault_that_passes(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    server.steps = [say({}, 500), hang_up, say({}, 502), say(completion())]
    summary = await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    assert (summary.replied, summary.failed) == (18, {})
    assert sum(reply.attempts for reply in replies(tmp_path / "r").values()) == 21


async def test_retries_are_bounded_by_time(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    server.steps = [say({}, 500)]
    settings = msgspec.structs.replace(QUICK, limit=1, retries=10**6, give_up_after=0.3)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert summary.failed == {"server_error": 6}
    assert summary.seconds < 5


async def test_a_wait_that_is_too_long_ends_the_run(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    server.steps = [say({}, 429, {"Retry-After": "3600"})]
    settings = msgspec.structs.replace(QUICK, give_up_after=5.0)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert summary.seconds < 5
    assert (summary.ended, len(server.raw)) == ("failures", 4)
    assert "the server asks to wait 3600 s, longer than --give-up-after" in summary.message
    assert summary.failed == {"rate_limited": 4}
    assert summary.not_run == 14


async def test_retry_after_is_honoured(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    times: list[float] = []

    async def first(request: web.Request) -> web.StreamResponse:
        times.append(asyncio.get_running_loop().time())
        return web.json_response({}, status=429, headers={"Retry-After": "1"})

    async def later(request: web.Request) -> web.StreamResponse:
        times.append(asyncio.get_running_loop().time())
        return web.json_response(completion())

    server.steps = [first, later]
    settings = msgspec.structs.replace(QUICK, concurrency=1)
    await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert times[1] - times[0] >= 1.0


async def test_concurrency_grows_and_is_halved(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)

    async def slow(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.02)
        if server.at_once > 10:
            return web.json_response({}, status=503)
        return web.json_response(completion())

    server.steps = [slow]
    limits: list[int] = []

    def watch(now: Progress) -> None:
        limits.append(now.limit)

    settings = msgspec.structs.replace(QUICK, concurrency=40, concurrency_start=2, retries=30)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r", watch=watch)
    assert summary.complete
    assert 10 < server.most_at_once < 40
    assert limits[0] == 2
    assert limits[-1] < 20


async def test_memory_is_bounded_by_workers(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)
    held: list[int] = []

    async def count(request: web.Request) -> web.StreamResponse:
        held.append(server.at_once)
        await asyncio.sleep(0.01)
        return web.json_response(completion())

    server.steps = [count]
    settings = msgspec.structs.replace(QUICK, concurrency=5, concurrency_start=5)
    await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert max(held) == 5


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_stops_the_run_at_once(
    bench: Benchmark, server: Server, tmp_path: Path, status: int
) -> None:
    server.steps = [say(completion()), say(completion()), say({"error": {"message": f"bad {KEY}"}}, status)]
    settings = msgspec.structs.replace(QUICK, concurrency=1)
    with pytest.raises(ProviderError, match=f"HTTP {status}") as caught:
        await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert caught.value.exit_code == 4
    assert KEY not in str(caught.value)
    assert len(server.raw) == 3
    assert len(replies(tmp_path / "r")) == 2
    assert [failure.kind for failure in RunFolder(tmp_path / "r").failures()] == ["unauthorised"]
    server.steps = [say(completion())]
    assert (await run_async(bench, chat(server.url), settings, tmp_path / "r")).new == 16


async def test_many_failures_in_a_row_stop_the_run(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)
    server.steps = [say({"error": {"message": "no such model"}}, 404)]
    settings = msgspec.structs.replace(QUICK, concurrency=2, halt_after=7)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert summary.ended == "failures"
    assert "7 views failed in a row" in summary.message
    assert "no such model" in summary.message
    assert len(server.raw) <= 9
    assert summary.not_run == 120 - sum(summary.failed.values())


async def test_the_budget_stops_the_run(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 10)
    # 900 and 20 tokens a reply: 0.0011 dollars.
    settings = msgspec.structs.replace(QUICK, price_in=1.0, price_out=10.0, max_cost=0.0225)
    seen: list[tuple[Estimate | None, int]] = []
    summary = await run_async(
        bench, chat(server.url), settings, tmp_path / "r", announce=lambda *news: seen.append(news)
    )
    assert (summary.ended, summary.replied, summary.not_run, summary.failed) == ("budget", 20, 40, {})
    assert summary.cost == pytest.approx(0.022)
    [(expected, requests)] = seen
    assert requests == 60
    assert expected is not None
    assert expected.low < expected.high
    # The cap counts what the log already has; a higher one goes on.
    again = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert (again.new, again.ended) == (0, "budget")
    more = msgspec.structs.replace(settings, max_cost=1.0)
    final = await run_async(bench, chat(server.url), more, tmp_path / "r")
    assert (final.complete, final.new) == (True, 40)
    assert final.cost == pytest.approx(0.066)


async def test_a_server_without_counts_still_meets_the_cap(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 10)
    server.steps = [say(completion(usage=None))]
    settings = msgspec.structs.replace(QUICK, price_in=1.0, price_out=10.0, max_cost=0.06)
    summary = await run_async(bench, chat(server.url), settings, tmp_path / "r")
    assert summary.ended == "budget"
    assert 0 < summary.replied < 60
    assert summary.uncounted == summary.replied
    assert summary.cost is not None
    assert summary.cost <= 0.06


async def test_an_interrupt_keeps_what_is_done(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 10)

    async def slow(request: web.Request) -> web.StreamResponse:
        if len(server.raw) == 20:
            signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0.05 if len(server.raw) < 22 else 3600)
        return web.json_response(completion())

    server.steps = [slow]
    before = signal.getsignal(signal.SIGINT)
    begin = asyncio.get_running_loop().time()
    summary = await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    assert asyncio.get_running_loop().time() - begin < 5
    assert signal.getsignal(signal.SIGINT) is before
    assert summary.ended == "interrupted"
    assert 0 < summary.replied < 60
    assert summary.replied == len(replies(tmp_path / "r"))
    assert summary.failed == {}
    server.steps = [say(completion())]
    assert (await run_async(bench, chat(server.url), QUICK, tmp_path / "r")).complete


async def test_a_second_interrupt_drops_what_is_in_flight(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 10)

    async def stuck(request: web.Request) -> web.StreamResponse:
        if len(server.raw) == 4:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)
        return web.json_response(completion())

    server.steps = [stuck]
    settings = msgspec.structs.replace(QUICK, grace=3600.0)
    summary = await asyncio.wait_for(run_async(bench, chat(server.url), settings, tmp_path / "r"), 5)
    assert (summary.ended, summary.replied, summary.failed, summary.not_run) == ("interrupted", 0, {}, 60)


async def test_progress(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 2)

    async def slow(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.3)
        return web.json_response(completion())

    server.steps = [slow]
    seen: list[Progress] = []
    settings = msgspec.structs.replace(QUICK, concurrency=4, price_in=1.0, price_out=1.0)
    await run_async(bench, chat(server.url), settings, tmp_path / "r", watch=seen.append)
    middle = seen[1]
    assert middle.expected == 12
    assert middle.in_flight == 4
    assert middle.longest[0][0] in {view.id for view in bench.views()}
    assert 0 < middle.longest[0][1] < 1
    assert middle.left is not None
    assert middle.left > 0
    assert (seen[-1].replied, seen[-1].in_flight, seen[-1].tokens) == (12, 0, 12 * 920)
    assert seen[-1].cost == pytest.approx(12 * 920e-6)


def test_a_run_of_another_benchmark_is_refused(bench: Benchmark, tmp_path: Path) -> None:
    run(bench, reference("oracle"), FAST, tmp_path / "r")
    other = make_benchmark(tmp_path / "other", 4)
    with pytest.raises(RunMismatchError, match="benchmark_fingerprint="):
        run(other, reference("oracle"), FAST, tmp_path / "r")
    with pytest.raises(RunMismatchError, match="model="):
        run(bench, reference("random"), FAST, tmp_path / "r")


def test_a_benchmark_edited_by_hand_is_refused_before_anything(tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench")
    manifest = tmp_path / "bench" / "benchmark.json"
    manifest.write_text(manifest.read_text().replace('"tiny"', '"other"'))
    with pytest.raises(FingerprintError):
        run(Benchmark(bench.path), reference("oracle"), FAST, tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_a_logged_reply_for_an_unknown_view(bench: Benchmark, tmp_path: Path) -> None:
    run(bench, reference("oracle"), FAST, tmp_path / "r")
    folder = RunFolder(tmp_path / "r")
    stranger = msgspec.structs.replace(next(folder.replies()), view="nobody")
    with RunLog(tmp_path / "r", folder.manifest) as log:
        log.reply(stranger)
    with pytest.raises(LogError, match="view='nobody'"):
        run(bench, reference("oracle"), FAST, tmp_path / "r")


def test_settings_are_checked_first(bench: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--repeats"):
        run(bench, reference("oracle"), RunSettings(repeats=0), tmp_path / "r")


async def test_a_key_in_the_model_name_never_reaches_a_file(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="settings without secrets"):
        await run_async(bench, chat(server.url, model=f"m {KEY}"), QUICK, tmp_path / "r")
    assert not (tmp_path / "r").exists()
    assert server.raw == []


async def test_a_full_disk_stops_the_run_and_resume_completes_it(
    bench: Benchmark, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = RunLog.reply, [7]

    def reply(self: RunLog, record: Any) -> None:
        if left[0] == 0:
            raise StorageError.from_os(OSError(28, "No space left on device"), self.path)
        left[0] -= 1
        real(self, record)

    with monkeypatch.context() as patch:
        patch.setattr(RunLog, "reply", reply)
        with pytest.raises(StorageError, match="No space left on device"):
            await run_async(bench, chat(server.url), QUICK, tmp_path / "r")
    assert len(replies(tmp_path / "r")) == 7
    assert (await run_async(bench, chat(server.url), QUICK, tmp_path / "r")).new == 11


async def test_the_order_of_completion_does_not_matter(bench: Benchmark, server: Server, tmp_path: Path) -> None:
    async def by_question(request: web.Request) -> web.StreamResponse:
        body = server.requests[-1]
        await asyncio.sleep(len(server.raw) % 7 / 200)
        return web.json_response(completion(digest_bytes(json.dumps(body["messages"]).encode())))

    server.steps = [by_question]
    for name, concurrency in (("a", 1), ("b", 18)):
        settings = msgspec.structs.replace(QUICK, concurrency=concurrency, concurrency_start=concurrency)
        await run_async(bench, chat(server.url), settings, tmp_path / name)
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert list(replies(tmp_path / "a")) != list(replies(tmp_path / "b"))
