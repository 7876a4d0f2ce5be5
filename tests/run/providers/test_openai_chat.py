"""The client against a scripted server on the loopback interface."""

from __future__ import annotations

import asyncio
import base64
import socket

import pytest
from aiohttp import web

from answerable.core.errors import ProviderError, SettingsError
from answerable.core.runlog import Sampling
from answerable.run.images import picture
from answerable.run.providers import openai_chat
from answerable.run.providers.base import Ask, Failed, KeyHolder, ProviderSettings, Replied
from answerable.run.providers.openai_chat import OpenAIChat
from tests.run.helpers import (
    GOOD,
    KEY,
    KEY_NAME,
    Server,
    Step,
    chat,
    completion,
    drip,
    hang_up,
    never,
    png,
    prompt,
    say,
)

ASK = Ask("v1", 0, "What?", picture(png(8, 6, (1, 2, 3)), None))


async def once(provider: OpenAIChat, request: Ask = ASK) -> Replied | Failed:
    """One attempt."""
    async with provider:
        return await provider.ask(request)


async def failure(server: Server, step: Step, total: float = 5.0, read: float | None = None) -> Failed:
    """One attempt that fails."""
    server.steps = [step]
    outcome = await once(chat(server.url, total=total, read=read))
    assert isinstance(outcome, Failed)
    return outcome


async def test_a_request_as_the_server_sees_it(server: Server) -> None:
    outcome = await once(chat(server.url))
    assert isinstance(outcome, Replied)
    assert outcome.text == GOOD
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["Content-Type"] == "application/json"
    assert ASK.image is not None
    sent = server.requests[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert base64.b64decode(sent.removeprefix("data:image/png;base64,")) == ASK.image.data
    assert "v1" not in str(server.requests[0]["messages"])  # the view's id stays here


async def test_no_key_no_header(server: Server) -> None:
    await once(chat(server.url, environment={"OPENAI_API_KEY": "not the named one"}))
    assert "Authorization" not in server.headers[0]


async def test_user_and_password_of_the_url_sign_in(server: Server) -> None:
    url = server.url.replace("http://", "http://user:pass@")
    provider = chat(url + "?x=1", environment={})
    await once(provider)
    assert server.headers[0]["Authorization"] == "Basic " + base64.b64encode(b"user:pass").decode()
    assert server.paths == ["/v1/chat/completions?x=1"]
    assert "pass" not in provider.endpoint
    with pytest.raises(SettingsError, match="one way to sign in"):
        chat(url)


async def test_a_large_image_goes_whole(server: Server) -> None:
    data = png(8, 6, (1, 2, 3), filler=2_000_000)
    await once(chat(server.url), Ask("v", 0, "q", picture(data, None)))
    sent = server.requests[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert base64.b64decode(sent.split(",")[1]) == data


async def test_each_request_carries_only_its_own(server: Server) -> None:
    async with chat(server.url) as provider:
        for question in ("first?", "second?", "first?"):
            await provider.ask(Ask("v", 0, question, None))
    texts = [request["messages"][1]["content"][0]["text"] for request in server.requests]
    assert [len(request["messages"]) for request in server.requests] == [2, 2, 2]
    assert "first?" not in texts[1]
    assert server.raw[0] == server.raw[2]


async def test_cookies_are_not_kept(server: Server) -> None:
    server.steps = [say(completion(), headers={"Set-Cookie": "a=b"})]
    async with chat(server.url) as provider:
        await provider.ask(ASK)
        await provider.ask(ASK)
    assert "Cookie" not in server.headers[1]


async def test_never_answering_is_a_timeout(server: Server) -> None:
    outcome = await failure(server, never, total=0.2)
    assert (outcome.kind, outcome.message, outcome.slow_down) == ("timeout", "no whole response within 0.2 s", True)


async def test_a_slow_drip_meets_the_total_limit(server: Server) -> None:
    outcome = await failure(server, drip, total=0.5, read=0.4)
    assert (outcome.kind, outcome.message) == ("timeout", "no whole response within 0.5 s")


async def test_no_byte_meets_the_read_limit(server: Server) -> None:
    outcome = await failure(server, never, total=5.0, read=0.2)
    assert (outcome.kind, outcome.message) == ("timeout", "no byte for 0.2 s")


async def test_a_broken_connection(server: Server) -> None:
    outcome = await failure(server, hang_up)
    assert outcome.kind == "connection"
    assert "broke" in outcome.message
    assert outcome.tries > 1


async def test_a_response_that_breaks_off(server: Server) -> None:
    async def half(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"choices"')
        assert request.transport is not None
        request.transport.close()
        return response

    outcome = await failure(server, half)
    assert outcome.kind == "connection"
    assert outcome.tries > 1


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    outcome = await once(chat(f"http://127.0.0.1:{port}"))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "connection"
    assert f"cannot connect to http://127.0.0.1:{port}/v1/chat/completions" in outcome.message


async def test_a_server_that_does_not_speak_http() -> None:
    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-hello\r\n\r\n")
        await writer.drain()
        writer.close()

    other = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    async with other:
        outcome = await once(chat(f"http://127.0.0.1:{port}"))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.tries) == ("malformed", 3)
    assert "does not speak HTTP" in outcome.message


async def test_a_flood_is_not_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_chat, "MAX_RESPONSE", 10_000)
    outcome = await failure(server, say(b"x" * 100_000))
    assert (outcome.kind, outcome.message) == ("malformed", "the server sent more than 10000 bytes")


async def test_redirects_are_not_followed(server: Server) -> None:
    outcome = await failure(server, say({}, 307, {"Location": server.url + "/elsewhere"}))
    assert outcome.kind == "rejected"
    assert "not followed" in outcome.message
    assert len(server.paths) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
async def test_an_echoed_key_is_taken_out(server: Server, status: int) -> None:
    outcome = await failure(server, say({"error": {"message": f"bad key {KEY}"}}, status))
    assert KEY not in outcome.message
    assert "0123456789" not in outcome.message
    assert "[key removed]" in outcome.message


async def test_401_says_which_variable_is_not_set(server: Server) -> None:
    server.steps = [say({"error": {"message": "who are you"}}, 401)]
    outcome = await once(chat(server.url, environment={}))
    assert isinstance(outcome, Failed)
    assert outcome.fatal
    assert f"the environment variable {KEY_NAME} is not set" in outcome.message
    assert "is not set" not in (await failure(server, server.steps[0])).message


async def test_use_outside_of_with(server: Server) -> None:
    with pytest.raises(ProviderError, match="an open provider"):
        await chat(server.url).ask(ASK)


def test_a_model_never_gets_the_key() -> None:
    assert not isinstance(chat("http://h"), KeyHolder)


def test_no_address_is_refused() -> None:
    with pytest.raises(SettingsError, match="give --base-url URL, or a reference responder"):
        OpenAIChat(ProviderSettings("m", prompt(), Sampling()))


def test_a_key_that_is_no_header_is_refused_without_showing_it() -> None:
    with pytest.raises(SettingsError, match="printable ASCII") as caught:
        chat("http://h", environment={KEY_NAME: "sk-abc\ndef-123456"})
    assert "sk-abc" not in str(caught.value)


def test_a_key_among_the_settings_is_refused() -> None:
    provider = chat("http://h")
    provider.check_manifest(b'{"model": "stub"}')
    for text in (KEY, KEY.replace('"', '\\"')):
        with pytest.raises(SettingsError, match="settings without secrets") as caught:
            provider.check_manifest(f'{{"model": "{text}"}}'.encode())
        assert "0123456789" not in str(caught.value)
