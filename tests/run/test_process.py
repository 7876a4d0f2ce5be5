"""Runs in processes of their own: killed, interrupted, two at once, on a narrow console."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from aiohttp import web

from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from tests.run.helpers import KEY, KEY_NAME, Server, Step, completion, content, make_benchmark, replies, say

#: The command line with this one verb.
PROGRAM = "import answerable.cli.main as m; m.VERBS = ('run',); m.entry()"


async def start(
    server: Server, bench: Benchmark, out: Path, *flags: str, **environment: str
) -> asyncio.subprocess.Process:
    """Start ``answerable run``."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, "run", str(bench.path), "--model", "stub", "--base-url", server.url,
        "--out", str(out), "--api-key-env", KEY_NAME, *flags,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, KEY_NAME: KEY, **environment},
    )  # fmt: skip


async def finish(process: asyncio.subprocess.Process) -> tuple[int, str, str]:
    """Exit code and output."""
    out, err = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode is not None
    for secret in (KEY, "0123456789"):
        assert secret.encode() not in out + err
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


def echo(server: Server, seconds: float) -> Step:
    """Answers with a digest of the request, so that each view has its own reply, and repeats the key."""

    async def step(request: web.Request) -> web.StreamResponse:
        text = digest_bytes(server.raw[-1])
        await asyncio.sleep(seconds)
        return web.json_response(completion(f"{text} {KEY}"))

    return step


async def asked(server: Server, count: int) -> None:
    """Wait until the server was asked so often."""
    while len(server.raw) < count:
        await asyncio.sleep(0.005)


async def test_kill_and_restart_give_what_an_undisturbed_run_gives(server: Server, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)
    server.steps = [echo(server, 0.02)]
    code, _, _ = await finish(await start(server, bench, tmp_path / "undisturbed", "--repeats", "2"))
    assert code == 0
    for kill_at in (30, 90):
        before = len(server.raw)
        process = await start(server, bench, tmp_path / "killed", "--repeats", "2", "--concurrency", "8")
        await asked(server, before + kill_at)
        process.kill()
        assert (await finish(process))[0] == -signal.SIGKILL
        with (tmp_path / "killed" / "replies-00000.jsonl").open("ab") as log:
            log.write(b'{"view": "torn')
    kept = len(replies(tmp_path / "killed"))
    assert 0 < kept < 240
    before = len(server.raw)
    code, _, _ = await finish(await start(server, bench, tmp_path / "killed", "--repeats", "2"))
    assert code == 0
    assert len(server.raw) - before == 240 - kept
    assert content(tmp_path / "killed") == content(tmp_path / "undisturbed")
    assert len(content(tmp_path / "killed")) == 240
    for path in tmp_path.rglob("*.json*"):
        assert "0123456789" not in path.read_text(encoding="utf-8")


async def test_ctrl_c_stops_soon_and_keeps_what_is_done(server: Server, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)
    for number in (signal.SIGINT, signal.SIGTERM):
        server.steps = [echo(server, 0.03)]
        out, before = tmp_path / number.name, len(server.raw)
        process = await start(server, bench, out)
        await asked(server, before + 20)
        process.send_signal(number)
        code, printed, error = await finish(process)
        assert code == 130
        assert "ended early: stopped by the user; repeat the command to resume" in printed
        assert "Traceback" not in error
        kept = len(replies(out))
        assert 0 < kept < 120
        code, _, _ = await finish(await start(server, bench, out))
        assert (code, len(replies(out))) == (0, 120)
        assert len(server.raw) - before <= 120 + 64


async def test_a_second_process_refuses(server: Server, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "bench", 20)
    server.steps = [echo(server, 0.05)]
    first = await start(server, bench, tmp_path / "r", "--concurrency", "4")
    await asked(server, 8)
    code, _, error = await finish(await start(server, bench, tmp_path / "r", "--concurrency", "4"))
    assert code == 2
    assert "only process writing to the run" in error
    assert (await finish(first))[0] == 0
    assert len(replies(tmp_path / "r")) == 120


async def test_a_console_with_a_small_code_page(server: Server, tmp_path: Path) -> None:
    bench = make_benchmark(tmp_path / "図表", 1)
    server.steps = [say(completion("答え\u2028")), say({"error": {"message": "答え é"}}, 401)]
    code, _, error = await finish(
        await start(server, bench, tmp_path / "r", "--concurrency", "1", PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    )
    assert code == 4
    assert "HTTP 401" in error
    assert "UnicodeEncodeError" not in error
    server.steps = [say(completion("答え\u2028"))]
    code, printed, error = await finish(
        await start(server, bench, tmp_path / "r", "--concurrency", "1", PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    )
    assert (code, error) == (0, "")
    assert "replied" in printed
    assert {reply.text for reply in replies(tmp_path / "r").values()} == {"答え\u2028"}


async def test_a_model_that_is_never_reached(tmp_path: Path, server: Server) -> None:
    bench = make_benchmark(tmp_path / "bench", 1)
    server.url = "http://127.0.0.1:9/v1"
    code, printed, _ = await finish(await start(server, bench, tmp_path / "r", "--retries", "0"))
    assert code == 4
    assert "connection" in printed
    assert "repeat the command to ask what is missing" in printed
