"""A loopback server that answers every chat completion at once with the same valid reply.

usage: python benchmarks/stub_server.py [LATENCY_SECONDS]

Prints its port on one line and serves until it is stopped. It speaks just enough HTTP/1.1 for the clients we measure
(Content-Length bodies, kept connections), so that it takes as little of the machine from them as possible.
"""

from __future__ import annotations

import asyncio
import json
import sys

REPLY = '{"answerable": true, "answer": "42", "reason": "it is shown"}'


def _response() -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": REPLY}}
    body = json.dumps(
        {
            "id": "chatcmpl-stub", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice],
            "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920},
        }
    ).encode()  # fmt: skip
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class _Chat(asyncio.Protocol):
    """One connection: collects a request, answers it, waits for the next."""

    def __init__(self, answer: bytes, latency: float) -> None:
        self._answer, self._latency = answer, latency
        self._buffer = bytearray()
        self._need = -1
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while True:
            if self._need < 0:
                end = self._buffer.find(b"\r\n\r\n")
                if end < 0:
                    return
                self._need = end + 4 + _length(bytes(self._buffer[:end]))
            if len(self._buffer) < self._need:
                return
            del self._buffer[: self._need]
            self._need = -1
            if self._latency:
                asyncio.get_running_loop().call_later(self._latency, self._send)
            else:
                self._send()

    def _send(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(self._answer)


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return 0


async def serve(latency: float) -> None:
    """Serve on a free port of the loopback interface."""
    answer = _response()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Chat(answer, latency), "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(serve(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0))
    except KeyboardInterrupt:
        sys.exit(0)
