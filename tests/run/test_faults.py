"""Every shared case of what goes wrong while a model is asked, by its id.

Each test below plays the scenario of one case; the first test holds the list complete.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from answerable.core.benchmark import Benchmark
from answerable.core.errors import RunLockedError, RunMismatchError, StorageError
from answerable.core.runlog import RunFolder, RunLog, Sampling
from answerable.run.images import picture
from answerable.run.runner import run_async
from tests.run import test_process
from tests.run.helpers import (
    GOOD,
    QUICK,
    Server,
    chat,
    completion,
    content,
    drip,
    make_benchmark,
    never,
    png,
    replies,
    say,
)
from tests.shared import case_ids, cases, needs_shared

CASES = cases("run_fault")
#: Cases that need a process of their own.
PROCESSES = {
    "run-029": test_process.test_ctrl_c_stops_soon_and_keeps_what_is_done,
    "run-035": test_process.test_a_console_with_a_small_code_page,
}
#: A case about scoring, which needs no judge.
OF_SCORING = {"run-041"}
Scenario = Callable[[Path, Server], Awaitable[None]]
SCENARIOS: dict[str, Scenario] = {}


def scenario(case: str) -> Callable[[Scenario], Scenario]:
    """Register the scenario of a case."""

    def register(function: Scenario) -> Scenario:
        assert case not in SCENARIOS
        SCENARIOS[case] = function
        return function

    return register


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are a hundredth of the real ones."""
    monkeypatch.setattr("answerable.run.pace._FIRST_WAIT", 0.005)


@needs_shared
def test_every_case_has_a_scenario() -> None:
    assert set(case_ids(CASES)) == set(SCENARIOS) | set(PROCESSES) | OF_SCORING


async def ask(path: Path, server: Server, groups: int = 3, **rest: Any) -> Benchmark:
    """A run of a benchmark of so many groups in ``path / "r"``."""
    bench = Benchmark(path / "b") if (path / "b").exists() else make_benchmark(path / "b", groups)
    await run_async(bench, chat(server.url, **rest), QUICK, path / "r")
    return bench


def log(path: Path) -> Path:
    """The reply log."""
    return path / "r" / "replies-00000.jsonl"


@scenario("run-001")
async def torn_line(path: Path, server: Server) -> None:
    await ask(path, server, 10)
    lines = log(path).read_bytes().split(b"\n")
    log(path).write_bytes(b"\n".join(lines[:56]) + b"\n" + lines[56][: len(lines[56]) // 2])
    assert len(replies(path / "r")) == 56
    before = len(server.raw)
    await ask(path, server)
    assert len(server.raw) - before == 4  # 60 views, 56 kept
    data = log(path).read_bytes()
    assert data.startswith(b"\n".join(lines[:56]) + b"\n")
    assert data.endswith(b"}\n")
    assert len(replies(path / "r")) == 60


@scenario("run-003")
async def separators(path: Path, server: Server) -> None:
    text = json.dumps(
        {"answerable": True, "answer": "a\u2028b\u0085c\x0bd\x1ce", "reason": "\u2029"}, ensure_ascii=False
    )
    server.steps = [say(completion(text))]
    await ask(path, server)
    assert [reply.text for reply in replies(path / "r").values()] == [text] * 18
    assert log(path).read_bytes().count(b"\n") == 18


@scenario("run-004")
async def full_disk(path: Path, server: Server) -> None:
    with pytest.MonkeyPatch.context() as patch:
        real, left = RunLog.reply, [5]

        def reply(self: RunLog, record: Any) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise StorageError.from_os(OSError(28, os.strerror(28)), self.path)
            real(self, record)

        patch.setattr(RunLog, "reply", reply)
        with pytest.raises(StorageError, match="No space left"):
            await ask(path, server)
    kept = log(path).read_bytes()
    assert kept.count(b"\n") == 5
    await ask(path, server)
    assert log(path).read_bytes().startswith(kept)
    assert len(replies(path / "r")) == 18


@scenario("run-008")
async def replaced_image(path: Path, server: Server) -> None:
    await ask(path, server)
    other = make_benchmark(path / "other", image=lambda index, state: png(8, 6, (index, 200, ord(state))))
    assert [view.id for view in other.views()] == [view.id for view in Benchmark(path / "b").views()]
    with pytest.raises(RunMismatchError, match="benchmark_fingerprint"):
        await run_async(other, chat(server.url), QUICK, path / "r")
    await run_async(other, chat(server.url), QUICK, path / "r2")
    first, second = replies(path / "r"), replies(path / "r2")
    assert all(first[key].image_sha256 != second[key].image_sha256 for key in first)


@scenario("run-010")
async def failed_first(path: Path, server: Server) -> None:
    server.steps = [say({"error": "A"}, 400)]
    await ask(path, server)
    assert replies(path / "r") == {}
    assert len(list(RunFolder(path / "r").failures())) == 18
    server.steps = [say(completion())]
    await ask(path, server)
    assert {reply.text for reply in replies(path / "r").values()} == {GOOD}


@scenario("run-011")
async def status_is_a_field(path: Path, server: Server) -> None:
    # Text that reads like a failure is a reply; a failure whose words read like an answer is none.
    words = "Failed to obtain answer via API."
    server.steps = [*[say(completion(words))] * 6, say({"error": {"message": GOOD}}, 400)]
    await ask(path, server)
    assert {(reply.status, reply.text) for reply in replies(path / "r").values()} == {("complete", words)}
    assert len(replies(path / "r")) == 6
    assert {failure.kind for failure in RunFolder(path / "r").failures()} == {"rejected"}
    server.steps = [say(completion())]
    await ask(path, server)
    assert len(replies(path / "r")) == 18
    assert len(server.raw) == 30  # the six were not asked again


@scenario("run-014")
async def bad_request(path: Path, server: Server) -> None:
    server.steps = [say({"error": {"message": "unsupported image"}}, 400), say(completion())]
    await ask(path, server)
    assert len(server.raw) == 18
    [failure] = RunFolder(path / "r").failures()
    assert (failure.kind, failure.http_status, failure.attempts) == ("rejected", 400, 1)
    assert "unsupported image" in failure.message
    assert len(replies(path / "r")) == 17


@scenario("run-015")
async def server_error(path: Path, server: Server) -> None:
    server.steps = [say({}, 500)]
    begin = asyncio.get_running_loop().time()
    await ask(path, server, 1)
    assert len(server.raw) == 6 * 3
    assert asyncio.get_running_loop().time() - begin >= 0.005 * 0.5  # it did sleep
    assert {failure.kind for failure in RunFolder(path / "r").failures()} == {"server_error"}


@scenario("run-016")
async def never_answers(path: Path, server: Server) -> None:
    server.steps = [never]
    await ask(path, server, 1, total=0.1)
    assert len(server.raw) == 6 * 3
    failures = list(RunFolder(path / "r").failures())
    assert {(failure.kind, failure.attempts) for failure in failures} == {("timeout", 3)}


@scenario("run-017")
async def slow_drip(path: Path, server: Server) -> None:
    server.steps = [drip, say(completion())]
    await ask(path, server, 1, total=0.4, read=0.3)
    assert sorted(reply.attempts for reply in replies(path / "r").values()) == [1, 1, 1, 1, 1, 2]


@scenario("run-019")
async def truncated(path: Path, server: Server) -> None:
    server.steps = [say(completion(GOOD[:20], finish="length"))]
    await ask(path, server, 1)
    for reply in replies(path / "r").values():
        assert (reply.status, reply.finish_reason, reply.text) == ("truncated", "length", GOOD[:20])


@scenario("run-024")
async def token_field(path: Path, server: Server) -> None:
    async def picky(request: web.Request) -> web.StreamResponse:
        if "max_tokens" in server.requests[-1]:
            words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return web.json_response({"error": {"message": words}}, status=400)
        return web.json_response(completion())

    server.steps = [picky]
    await ask(path, server, 1, model="demo1")
    assert all(request["temperature"] == 0 for request in server.requests)
    for failure in RunFolder(path / "r").failures():
        assert "--max-tokens-field max_completion_tokens" in failure.message
    sampling = Sampling(max_tokens_field="max_completion_tokens")
    await run_async(Benchmark(path / "b"), chat(server.url, model="demo1", sampling=sampling), QUICK, path / "r2")
    assert len(replies(path / "r2")) == 6


@scenario("run-025")
async def context_overflow(path: Path, server: Server) -> None:
    words = "maximum context length is 4096 tokens, however you requested 9000"
    server.steps = [say({"error": {"message": words}}, 400)]
    await ask(path, server, 1)
    failures = list(RunFolder(path / "r").failures())
    assert len(failures) == 6
    assert all(words in failure.message for failure in failures)
    assert len(server.raw) == 6


@scenario("run-027")
async def bounded_memory(path: Path, server: Server) -> None:
    # What is held at once is counted, not the process: pictures that exist beside each other.
    alive = most = 0

    async def land(request: web.Request) -> web.StreamResponse:
        nonlocal alive
        await asyncio.sleep(0.002)
        alive -= 1
        return web.json_response(completion())

    def count(data: bytes, limit: int | None) -> Any:
        nonlocal alive, most
        alive += 1
        most = max(most, alive)
        return picture(data, limit)

    server.steps = [land]
    bench = make_benchmark(path / "b", 50)
    settings = msgspec.structs.replace(QUICK, concurrency=8, concurrency_start=8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("answerable.run.session.picture", count)
        await run_async(bench, chat(server.url), settings, path / "r")
    assert len(replies(path / "r")) == 300
    assert 0 < most <= 2 * 8  # a response is counted as landed a moment before its worker knows


@scenario("run-028")
async def small_log(path: Path, server: Server) -> None:
    make_benchmark(path / "b", 5, filler=50_000)
    bench = await ask(path, server)
    size = sum(file.stat().st_size for file in (path / "r").iterdir())
    assert size < 30 * 1000
    assert {reply.image_sha256 for reply in replies(path / "r").values()} == {v.image_sha256 for v in bench.views()}


@scenario("run-030")
async def two_processes(path: Path, server: Server) -> None:
    bench = await ask(path, server)
    with RunLog(path / "r", RunFolder(path / "r").manifest):
        with pytest.raises(RunLockedError, match="another one holds its lock"):
            await run_async(bench, chat(server.url), QUICK, path / "r")
        assert len(replies(path / "r")) == 18


@scenario("run-034")
async def digits(path: Path, server: Server) -> None:
    server.steps = [say(completion("007"))]
    await ask(path, server)
    assert {reply.text for reply in replies(path / "r").values()} == {"007"}


@scenario("run-038")
async def own_system_prompt(path: Path, server: Server) -> None:
    bench = await ask(path, server)
    questions = {view.question for view in bench.views()}
    for request in server.requests:
        assert [message["role"] for message in request["messages"]] == ["system", "user"]
        text = str(request["messages"])
        assert sum(question in text for question in questions) == 1


@scenario("run-039")
async def completion_order(path: Path, server: Server) -> None:
    async def by_question(request: web.Request) -> web.StreamResponse:
        text = json.dumps(server.requests[-1]["messages"])
        await asyncio.sleep(len(server.raw) % 5 / 200)
        return web.json_response(completion(str(len(text)) + text[-400:-380]))

    server.steps = [by_question]
    bench = make_benchmark(path / "b")
    for name, concurrency in (("one", 1), ("many", 18)):
        settings = msgspec.structs.replace(QUICK, concurrency=concurrency, concurrency_start=concurrency)
        await run_async(bench, chat(server.url), settings, path / name)
    assert content(path / "one") == content(path / "many")


@scenario("run-040")
async def retry_crashes(path: Path, server: Server) -> None:
    server.steps = [*[say(completion())] * 9, say({}, 400)]
    await ask(path, server)
    kept = log(path).read_bytes()

    def crash(*_: object) -> None:
        raise RuntimeError("crashed half-way")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunLog, "reply", crash)
        server.steps = [say(completion())]
        with pytest.raises(RuntimeError, match="crashed half-way"):
            await ask(path, server)
    assert log(path).read_bytes() == kept
    await ask(path, server)
    assert log(path).read_bytes().startswith(kept)
    assert len(replies(path / "r")) == 18


@scenario("run-042")
async def budget_reached(path: Path, server: Server) -> None:
    settings = msgspec.structs.replace(QUICK, price_in=1.0, price_out=1.0, max_cost=0.0047)
    summary = await run_async(make_benchmark(path / "b"), chat(server.url), settings, path / "r")
    assert (summary.ended, summary.replied, summary.not_run) == ("budget", 5, 13)
    assert not summary.complete
    assert {reply.text for reply in replies(path / "r").values()} == {GOOD}
    assert list(RunFolder(path / "r").failures()) == []


@pytest.mark.parametrize("case", SCENARIOS)
async def test_scenario(case: str, tmp_path: Path, server: Server) -> None:
    await SCENARIOS[case](tmp_path, server)
