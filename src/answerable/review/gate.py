"""Who may ask the page's server anything: the address, the token and the origin of every request are checked first.

Written against ASGI itself, so that nothing is routed before it is let in.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Nothing from outside, nothing inline, no form, no frame; markup cannot be made from text.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
#: Names under which this machine alone is reached.
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_address(host: str) -> bool:
    """Whether a host is written as a number: no name that somebody else could point here."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def split_host(text: str) -> str:
    """The host of a ``Host`` header, without port and brackets, in lower case."""
    host = text.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


class Gate:
    """Lets a request through to ``app`` with the token cut from its path, or answers it.

    Args:
        app: what is guarded.
        token: the first part of every path.
        hosts: names the server answers to. Another name may be one that was pointed here by somebody else (DNS
            rebinding).
        any_address: whether a host written as an address is good too, where the server listens on all of them.
    """

    def __init__(self, app: App, token: str, hosts: Iterable[str], *, any_address: bool = False) -> None:
        self._app, self._token = app, token.encode()
        self._hosts, self._any_address = frozenset(hosts), any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*given, *HEADERS]}
            await send(message)

        trouble = self._trouble(scope)
        if trouble is not None:
            status, text = trouble
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(text))]
            await sealed({"type": "http.response.start", "status": status, "headers": headers})
            await sealed({"type": "http.response.body", "body": text})
            return
        rest = scope["path"][len(self._token) + 1 :]
        await self._app({**scope, "path": rest, "raw_path": rest.encode()}, receive, sealed)

    def _trouble(self, scope: Scope) -> tuple[int, bytes] | None:
        """Status and text of a refusal; None to let it through."""
        named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        host = split_host(named[0]) if len(named) == 1 else ""
        if host not in self._hosts and not (self._any_address and is_address(host)):
            return (
                421,
                b"Not the name of this server. Open the address that 'answerable review' printed.\n",
            )
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(first.encode("utf-8", "replace"), self._token) or not slash:
            return 404, b"Nothing here. Open the whole address that 'answerable review' printed.\n"
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", "none")
        if site not in ("none", "same-origin") and scope["method"] != "GET":
            return 403, b"Asked by another site.\n"
        if origin is not None and origin.partition("://")[2] != named[0]:
            return 403, b"Asked by another site.\n"
        return None
