"""From the base URL a user gives to the URL that is asked and the one that is written down."""

from __future__ import annotations

import base64
import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

import msgspec

from answerable.core.errors import SettingsError

_PATH = "/chat/completions"
_VERSION = re.compile(r"v[0-9]+[a-z0-9]*", re.ASCII)


class Endpoint(msgspec.Struct, frozen=True):
    """Where requests go."""

    url: str
    """The whole URL of a chat completion, without user and password."""
    shown: str
    """The base URL for files and messages: no user, password or query."""
    basic: str | None
    """Value of a basic ``Authorization`` header, when the URL has a user."""
    secrets: tuple[str, ...]
    """What the URL holds that must not be shown: user, password, query values."""


def endpoint(base_url: str) -> Endpoint:
    """Read a base URL, with or without ``/v1``, a trailing slash or ``/chat/completions``.

    ``/v1`` is added when no part of the path looks like a version.

    Raises:
        SettingsError: not an absolute http or https URL.
    """
    parts, port = _split(base_url)
    path = parts.path.rstrip("/")
    if path.endswith(_PATH):
        path = path[: -len(_PATH)]
    elif not any(_VERSION.fullmatch(step) for step in path.split("/")):
        path += "/v1"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    place = f"{host}:{port}" if port is not None else str(host)
    basic, secrets = None, [value for _, value in parse_qsl(parts.query)]
    if parts.username is not None or parts.password is not None:
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        token = base64.b64encode(pair.encode()).decode()
        basic = f"Basic {token}"
        secrets += [token, *(value for value in (parts.username, parts.password) if value)]
        secrets += [unquote(value) for value in (parts.username, parts.password) if value]
    return Endpoint(
        url=urlunsplit((parts.scheme, place, path + _PATH, parts.query, "")),
        shown=urlunsplit((parts.scheme, place, path, "", "")),
        basic=basic,
        secrets=tuple(secrets),
    )


def _split(base_url: str) -> tuple[SplitResult, int | None]:
    wrong = SettingsError(
        "a URL such as http://127.0.0.1:8000/v1",
        # The text may hold a password, so it is not repeated.
        "no text" if not base_url.strip() else "something else",
        where="--base-url",
        fix="give scheme, host and port of an OpenAI-compatible server",
    )
    try:
        parts = urlsplit(base_url.strip())
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", base_url.strip()):
        raise wrong
    return parts, port
