"""Who is let in: the token, the name, the origin; and what every answer says to the browser."""

from __future__ import annotations

import pytest

from answerable.review.gate import Gate, Message, Receive, Scope, Send, split_host
from tests.review.make import Answer, ask


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    """Says which path it was asked for."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{scope['path']} {scope['raw_path'].decode()}".encode()})


GATE = Gate(inner, "secret", {"127.0.0.1", "localhost", "::1"})


async def test_the_token_is_cut_from_the_path() -> None:
    answer = await ask(GATE, "GET", "/secret/api/x")
    assert (answer.status, answer.body) == (200, b"/api/x /api/x")
    assert (await ask(GATE, "GET", "/secret/")).body == b"/ /"


@pytest.mark.parametrize(
    "path", ["/", "", "/secret", "/secre/", "/Secret/", "/secret2/", "//secret/", "/sécret/", "/../secret/"]
)
async def test_without_the_token_nothing_is_there(path: str) -> None:
    answer = await ask(GATE, "GET", path)
    assert (answer.status, b"secret" in answer.body) == (404, False)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:80", "127.0.0.1"])
async def test_names_of_this_machine(host: str) -> None:
    assert (await ask(GATE, "GET", "/secret/", host=host)).status == 200


@pytest.mark.parametrize("host", ["evil.example:8000", "", "127.0.0.1.evil.example", "10.0.0.1", "localhost.", "[::1"])
async def test_other_names_are_refused_even_with_the_token(host: str) -> None:
    answer = await ask(GATE, "GET", "/secret/", host=host)
    assert answer.status == (200 if host == "[::1" else 421)


async def test_two_hosts_or_none_are_refused() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    for headers in ([], [(b"host", b"localhost"), (b"host", b"evil.example")]):
        scope = {"type": "http", "method": "GET", "path": "/secret/", "raw_path": b"", "headers": headers}
        await GATE(scope, receive, send)
    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [421, 421]


async def test_where_every_address_is_listened_on_numbers_are_names_too() -> None:
    gate = Gate(inner, "secret", {"localhost"}, any_address=True)
    for host, status in (("192.168.1.7:80", 200), ("[fe80::1]:80", 200), ("evil.example", 421)):
        assert (await ask(gate, "GET", "/secret/", host=host)).status == status


async def post(**headers: str) -> Answer:
    return await ask(GATE, "POST", "/secret/api/vote", b"{}", **headers)


async def test_other_sites_cannot_vote() -> None:
    assert (await post(origin="http://127.0.0.1:8000")).status == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9000", "http://127.0.0.1:8000.evil.example"):
        assert (await post(origin=origin)).status == 403
    assert (await post(sec_fetch_site="cross-site")).status == 403
    assert (await post(sec_fetch_site="same-site")).status == 403
    assert (await post(sec_fetch_site="same-origin")).status == 200
    assert (await ask(GATE, "GET", "/secret/", sec_fetch_site="cross-site")).status == 200


@pytest.mark.parametrize("path", ["/secret/", "/nothing"])
async def test_every_answer_closes_the_page_to_the_outside(path: str) -> None:
    headers = (await ask(GATE, "GET", path)).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


async def test_a_websocket_is_closed() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {}

    await GATE({"type": "websocket", "headers": [], "path": "/secret/"}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    ("text", "host"), [("a:1", "a"), ("[::1]:1", "::1"), ("[::1]", "::1"), ("A", "a"), (" a ", "a"), ("", "")]
)
def test_hosts_without_ports(text: str, host: str) -> None:
    assert split_host(text) == host
