"""Listening: on this machine alone unless somebody says otherwise, at the address of the last time if it is free."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from importlib.util import find_spec
from ipaddress import ip_address
from typing import TYPE_CHECKING

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.core.records import Record
from answerable.review.gate import LOOPBACK, Gate, is_address
from answerable.review.pages import Pages
from answerable.review.store import Store

if TYPE_CHECKING:
    import uvicorn


class Place(Record, frozen=True):
    """Where to listen."""

    host: str = LOOPBACK[0]
    port: int = 0
    """0: the port of the last time if it is free, else any."""
    remote: bool = False
    """Whether other machines may reach it."""
    new_token: bool = False
    """Whether the address of the last time is to be of no use any more."""


def check_installed() -> None:
    """Fail early, before anything is read.

    Raises:
        MissingExtraError: the extra ``review`` is not installed.
    """
    for module in ("starlette", "uvicorn"):
        if find_spec(module) is None:
            raise MissingExtraError.for_extra("review", module)


def check_place(place: Place) -> None:
    """Other machines are let in only when that is said twice.

    Raises:
        SettingsError: the host is not this machine's own and nobody allowed that, or the port is none.
    """
    if not 0 <= place.port < 1 << 16:
        raise SettingsError("a port from 0 to 65535", f"port={place.port}", where="--port")
    if not is_loopback(place.host) and not place.remote:
        raise SettingsError(
            "an address of this machine alone, such as 127.0.0.1", f"host={place.host!r}", where="--host",
            fix="add --remote to let in everyone who reaches it and has the address; nothing is encrypted",
        )  # fmt: skip


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host in LOOPBACK or (is_address(host) and ip_address(host).is_loopback)


def listen(store: Store, pages: Pages, place: Place, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, which ends it as it should.

    Args:
        ready: told the address once it can be opened.

    Raises:
        SettingsError: the place cannot be listened on.
    """
    check_place(place)
    token = "" if place.new_token else store.note("token")
    if not token:
        token = store.note("token", secrets.token_urlsafe(24))
    try:
        asyncio.run(_serve(store, pages, place, token, ready))
    except KeyboardInterrupt:
        return


async def _serve(store: Store, pages: Pages, place: Place, token: str, ready: Callable[[str], None]) -> None:
    port = place.port
    if port:
        await _probe(place.host, port)
    else:
        port = await _port_of_last_time(place.host, store.note("port"))
    server = make_server(store, pages, place, port, token)
    task = asyncio.create_task(server.serve())
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    if server.started:
        bound = int(server.servers[0].sockets[0].getsockname()[1])
        store.note("port", str(bound))
        ready(f"http://{_in_url(place.host)}:{bound}/{token}/")
    await task


def make_server(store: Store, pages: Pages, place: Place, port: int, token: str) -> uvicorn.Server:
    """A server that logs nothing: its paths hold the token."""
    import uvicorn

    from answerable.review.app import make_app

    hosts = {place.host.lower(), *(LOOPBACK if is_loopback(place.host) else ())}
    everywhere = is_address(place.host) and ip_address(place.host).is_unspecified
    gate = Gate(make_app(store, pages), token, hosts | set(LOOPBACK if everywhere else ()), any_address=everywhere)
    return uvicorn.Server(
        uvicorn.Config(
            gate, host=place.host, port=port, access_log=False, log_level="critical", lifespan="off", ws="none",
            http="h11", loop="asyncio", timeout_graceful_shutdown=2, server_header=False,
        )
    )  # fmt: skip


async def _probe(host: str, port: int) -> None:
    try:
        found = await asyncio.start_server(lambda *_: None, host, port)
    except OSError as error:
        raise SettingsError(
            "an address that is free", f"{host}:{port}: {error.strerror or error}", where="--host, --port",
            fix="leave --port out to take any that is free",
        ) from error  # fmt: skip
    found.close()
    await found.wait_closed()


async def _port_of_last_time(host: str, noted: str) -> int:
    """The port that pages left open know, if it is free."""
    port = int(noted) if noted.isascii() and noted.isdigit() and len(noted) < 6 else 0
    try:
        await _probe(host, port)
    except SettingsError:
        await _probe(host, 0)
        return 0
    return port


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
