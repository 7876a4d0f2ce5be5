"""Tiny benchmarks and a scripted loopback server."""

from __future__ import annotations

import asyncio
import json
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from answerable.core.benchmark import Benchmark, BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest_bytes
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, State, View
from answerable.core.runlog import Reply, RunFolder, Sampling
from answerable.run.prompts import PROMPTS, Prompt
from answerable.run.providers.base import ProviderSettings
from answerable.run.providers.openai_chat import OpenAIChat
from answerable.run.providers.reference import ReferenceProvider
from answerable.run.settings import RunSettings

STATES: tuple[State, ...] = ("F", "S", "K", "C", "M", "I")
GOOD = '{"answerable": true, "answer": "42", "reason": "shown"}'
KEY_NAME, KEY = "TEST_MODEL_KEY", 'sk-test/"0123456789"+secret'


def png(width: int, height: int, color: tuple[int, int, int], filler: int = 0) -> bytes:
    """A PNG of one colour; ``filler`` bytes of a private chunk make the file larger."""
    rows = (b"\x00" + bytes(color) * width) * height

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    extra = chunk(b"prVt", bytes(filler)) if filler else b""
    return b"\x89PNG\r\n\x1a\n" + header + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def obligation(state: State, answer: str) -> Obligation:
    """What a view of this state must do."""
    if state == "M":
        return Abstain("missing")
    if state == "I":
        return Abstain("invalid_reference")
    return Answer(f"{answer}1" if state == "C" else answer, "number")


def make_benchmark(
    path: Path,
    groups: int = 3,
    *,
    states: tuple[State, ...] = STATES,
    split: str = "test",
    filler: int = 0,
    image: Callable[[int, State], bytes] | None = None,
    name: str = "tiny",
) -> Benchmark:
    """A benchmark with one colour a view; answers are 1, 2, 3, ... by group."""
    with BenchmarkWriter(path) as writer:
        for index in range(groups):
            views, images = [], []
            for number, state in enumerate(states):
                color = (index % 256, index // 256 % 256, 40 * number)
                data = image(index, state) if image else png(8, 6, color, filler)
                views.append(
                    View(
                        id=digest_bytes(f"{name} {split} {index} {state}".encode())[:20], group=f"{split}-g{index}",
                        source="tests", split=split, figure=f"f{index}", state=state,
                        question=f"What is the value of series {index}?",
                        obligation=obligation(state, str(index + 1)), evidence=Evidence("derived"),
                        image_sha256=digest_bytes(data), width=8, height=6,
                    )
                )  # fmt: skip
                images.append(data)
            writer.add(Group(f"{split}-g{index}", "tests", split, tuple(views)), images, None)
        manifest = Manifest(
            format=1, name=name, version="1", generator="tests", settings=msgspec.Raw(b"{}"), licence="CC0-1.0",
            prompt="json-answerability", reader="json", metrics=(), sources=(), groups=0, views=0, proofs=0,
        )  # fmt: skip
        writer.finish(manifest, Ledger((), groups, groups), "card")
    return Benchmark(path)


def prompt() -> Prompt:
    """The prompt of complete-question evaluation."""
    return PROMPTS.load("json-answerability")


def reference(name: str) -> ReferenceProvider:
    """A reference responder."""
    return ReferenceProvider(ProviderSettings(f"reference/{name}", prompt(), Sampling()))


def chat(url: str, *, sampling: Sampling | None = None, environment: Mapping[str, str] | None = None,
         total: float = 5.0, read: float | None = None, model: str = "stub") -> OpenAIChat:  # fmt: skip
    """A client of a loopback server."""
    return OpenAIChat(
        ProviderSettings(
            model=model, prompt=prompt(), sampling=sampling or Sampling(), base_url=url, api_key_env=KEY_NAME,
            environment={KEY_NAME: KEY} if environment is None else environment, total_timeout=total,
            read_timeout=read, connect_timeout=2.0,
        )
    )  # fmt: skip


#: Fast settings for tests: waits are as written, attempts few.
QUICK = RunSettings(retries=2, grace=0.2, fsync_every=1)


def replies(path: Path) -> dict[tuple[str, int], Reply]:
    """The replies of a run folder."""
    return {(reply.view, reply.repeat): reply for reply in RunFolder(path).replies()}


def content(path: Path) -> dict[tuple[str, int], tuple[object, ...]]:
    """What a run says, without times."""
    return {
        key: (reply.status, reply.text, reply.finish_reason, reply.image_sha256, reply.model, reply.prompt)
        for key, reply in replies(path).items()
    }


USAGE = {"prompt_tokens": 900, "completion_tokens": 20}


def completion(
    content: object = GOOD,
    *,
    finish: str | None = "stop",
    usage: object = USAGE,
    **message: object,
) -> dict[str, object]:
    """The body of a chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return {"id": "c1", "object": "chat.completion", "choices": [choice], "usage": usage}


Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


def say(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Step:
    """A step that answers with JSON, or with text or bytes as they are."""

    async def step(_: web.Request) -> web.StreamResponse:
        if isinstance(body, bytes):
            return web.Response(body=body, status=status, headers=headers)
        if isinstance(body, str):
            return web.Response(text=body, status=status, headers=headers, content_type="text/html")
        return web.json_response(body, status=status, headers=headers)

    return step


async def hang_up(request: web.Request) -> web.StreamResponse:
    """Break the connection without a word."""
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def never(_: web.Request) -> web.StreamResponse:
    """Accept, and never answer."""
    await asyncio.sleep(3600)
    return web.Response()


async def drip(request: web.Request) -> web.StreamResponse:
    """One byte now and then."""
    response = web.StreamResponse()
    await response.prepare(request)
    for byte in json.dumps(completion()).encode():
        await response.write(bytes([byte]))
        await asyncio.sleep(0.1)
    return response


class Server:
    """Answers the n-th request with the n-th step, and with the last one from then on."""

    def __init__(self) -> None:
        self.steps: list[Step] = [say(completion())]
        self.requests: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.at_once = self.most_at_once = 0
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Record a request and play its step."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            body = await request.read()
            number = len(self.raw)
            self.raw.append(body)
            self.requests.append(json.loads(body))
            self.headers.append(dict(request.headers))
            self.paths.append(request.path_qs)
            return await self.steps[min(number, len(self.steps) - 1)](request)
        finally:
            self.at_once -= 1
