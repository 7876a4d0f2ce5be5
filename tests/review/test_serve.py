"""Where the page is served, and for whom."""

from __future__ import annotations

import asyncio
import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.review import serve
from answerable.review.gate import Gate
from answerable.review.pages import group_pages
from answerable.review.serve import Place, check_installed, check_place, is_loopback, make_server
from tests.review.make import review


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.8.0.1", True), ("10.0.0.1", False),
        ("::", False), ("example.org", False), ("127.0.0.1.example.org", False), ("", False),
    ],
)  # fmt: skip
def test_what_is_this_machine_alone(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
    if loopback:
        check_place(Place(host))
    else:
        with pytest.raises(SettingsError) as caught:
            check_place(Place(host))
        assert "expected an address of this machine alone" in str(caught.value)
        assert "add --remote" in caught.value.fix
        check_place(Place(host, remote=True))


@pytest.mark.parametrize("port", [-1, 65536])
def test_ports_that_are_none(port: int) -> None:
    with pytest.raises(SettingsError, match="expected a port from 0 to 65535"):
        check_place(Place(port=port))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setattr(serve, "find_spec", lambda module: None if module == "uvicorn" else object())
    with pytest.raises(MissingExtraError) as caught:
        check_installed()
    assert "expected the optional part 'review'; got no module named 'uvicorn'" in str(caught.value)
    assert caught.value.fix == 'pip install "answerable[review]"'


@contextmanager
def served(folder: Path, place: Place) -> Iterator[str]:
    """The address of a review that is served from a thread."""
    bench, store = review(folder)
    ready = threading.Event()
    found: list[str] = []
    servers: list[uvicorn.Server] = []

    def say(url: str) -> None:
        found.append(url)
        ready.set()

    def make(*given: Any) -> uvicorn.Server:
        servers.append(make_server(*given))
        return servers[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "make_server", make)
        work = serve._serve(store, group_pages(bench), place, "a" * 32, say)
        thread = threading.Thread(target=asyncio.run, args=(work,))
        thread.start()
        try:
            assert ready.wait(20)
            yield found[0]
        finally:
            servers[0].should_exit = True
            thread.join(20)


def status(url: str, path: str = "", host: str = "") -> int:
    """What the server answers over a real connection."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)
    try:
        connection.request("GET", path or parts.path, headers={"Host": host} if host else {})
        with connection.getresponse() as answer:
            answer.read()
            return answer.status
    finally:
        connection.close()


def test_the_page_over_a_connection(tmp_path: Path) -> None:
    with served(tmp_path, Place()) as url:
        assert url.startswith("http://127.0.0.1:")
        assert url.endswith(f"/{'a' * 32}/")
        assert status(url) == 200
        assert status(url, "/") == 404
        assert status(url, host="evil.example") == 421
        first = urlsplit(url).port
    with served(tmp_path / "other", Place(port=first or 0)) as again:
        assert urlsplit(again).port == first


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with served(tmp_path, Place()) as url:
        port = urlsplit(url).port or 0
        with pytest.raises(SettingsError) as caught:
            asyncio.run(serve._probe("127.0.0.1", port))
        assert f"expected an address that is free; got 127.0.0.1:{port}" in str(caught.value)
        # The port of the last time is a wish only.
        assert asyncio.run(serve._port_of_last_time("127.0.0.1", str(port))) == 0
    assert asyncio.run(serve._port_of_last_time("127.0.0.1", "x" * 9)) == 0


def test_hosts_that_are_answered(tmp_path: Path) -> None:
    bench, store = review(tmp_path)

    def gate(host: str) -> Gate:
        found = make_server(store, group_pages(bench), Place(host, remote=True), 0, "t").config.app
        assert isinstance(found, Gate)
        return found

    assert gate("127.0.0.1")._hosts == {"127.0.0.1", "localhost", "::1"}
    assert gate("Box.example")._hosts == {"box.example"}
    assert not gate("box.example")._any_address
    assert gate("::")._any_address
    assert {"localhost", "::"} <= gate("::")._hosts
