"""A client for servers that speak the OpenAI chat-completions form, on aiohttp."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import aiohttp

from answerable import __version__
from answerable.core.errors import ProviderError, SettingsError
from answerable.core.runlog import FailureKind
from answerable.run.providers.base import AGAIN, Ask, Failed, ProviderSettings, Replied
from answerable.run.providers.body import BodyBuilder
from answerable.run.providers.response import Incoming, classify
from answerable.run.providers.secrets import Secrets
from answerable.run.providers.url import endpoint

if TYPE_CHECKING:
    from yarl import URL

#: A response is read up to this size; a chat completion is a thousand times smaller.
MAX_RESPONSE: Final = 8 * 1024 * 1024
#: Bodies above this are handed to aiohttp as a stream, so that one write does not hold up the others.
_STREAM_FROM: Final = 1024 * 1024

#: What a broken conversation is called: exceptions, kind, words, attempts worth making, whether to slow down.
#: The first line that fits counts.
_NETWORK: Final[tuple[tuple[tuple[type[BaseException], ...], FailureKind, str, int, bool], ...]] = (
    ((aiohttp.ConnectionTimeoutError,), "timeout", "no connection to {to} within {connect:g} s", AGAIN, True),
    ((aiohttp.SocketTimeoutError,), "timeout", "no byte for {read:g} s", AGAIN, True),
    ((TimeoutError,), "timeout", "no whole response within {total:g} s", AGAIN, True),
    ((aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError), "connection",
     "no trusted connection to {to}: {words}", 1, False),
    ((aiohttp.ClientConnectorError,), "connection", "cannot connect to {to}: {words}", AGAIN, False),
    ((aiohttp.ServerDisconnectedError, aiohttp.ClientOSError), "connection",
     "the connection broke: {words}", AGAIN, False),
    ((aiohttp.ClientPayloadError,), "connection", "the response broke off: {words}", AGAIN, False),
    ((aiohttp.ClientResponseError,), "malformed", "the server does not speak HTTP: {words}", 3, False),
    ((BaseException,), "connection", "the request failed: {words}", AGAIN, False),
)  # fmt: skip


class OpenAIChat:
    """One chat completion a view. Keeps connections, and nothing of what was said on them."""

    name = "openai-chat"
    remote = True

    def __init__(self, settings: ProviderSettings) -> None:
        settings.check()
        if not settings.base_url:
            raise SettingsError(
                "the address of a server", f"model={settings.model!r} and no base URL", "--base-url",
                fix="give --base-url URL, or a reference responder such as --model reference/oracle",
            )  # fmt: skip
        place = endpoint(settings.base_url)
        key = settings.environment.get(settings.api_key_env, "").strip()
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": f"answerable/{__version__}",
        }
        if key and place.basic:
            raise SettingsError(
                "one way to sign in", f"a user in the URL and a key in {settings.api_key_env}", "--base-url",
                fix="take the user out of the URL, or name an unset variable with --api-key-env",
            )  # fmt: skip
        if not (key.isascii() and key.isprintable()):
            raise SettingsError("a key of printable ASCII characters", "another one", where=settings.api_key_env)
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        elif place.basic:
            self._headers["Authorization"] = place.basic
        self.model, self.endpoint = settings.model, place.shown
        self._shown, self._address = f"{place.shown}/chat/completions", place.url
        self._key_env, self._has_key = settings.api_key_env, bool(key)
        self._secrets = Secrets([key, *place.secrets])
        self._body = BodyBuilder(settings.model, settings.prompt, settings.sampling)
        self.settings = settings
        self._session: aiohttp.ClientSession | None = None
        self._url: URL | None = None

    async def __aenter__(self) -> Self:
        """Open the pool of connections; none is made yet."""
        from yarl import URL

        limits = self.settings
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=limits.connections),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=aiohttp.ClientTimeout(
                total=limits.total_timeout, sock_connect=limits.connect_timeout, sock_read=limits.read_timeout
            ),
            trust_env=False,
        )
        self._url = URL(self._address)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def check_manifest(self, text: bytes) -> None:
        """Refuse settings that hold the key."""
        if self._secrets.found_in(text.decode()):
            raise SettingsError(
                "settings without secrets", "one that contains the key or password", "--model, --extra or --base-url",
                fix=f"keys belong in the environment variable {self._key_env} only",
            )  # fmt: skip

    async def ask(self, request: Ask) -> Replied | Failed:
        """Send one request and name what came back."""
        if self._session is None or self._url is None:
            raise ProviderError("an open provider", "one outside 'async with'")
        body = self._body.build(request)
        data = io.BytesIO(body) if len(body) > _STREAM_FROM else body
        try:
            async with self._session.post(self._url, data=data, allow_redirects=False) as response:
                received = await _bounded(response)
                if received is None:
                    return Failed("malformed", f"the server sent more than {MAX_RESPONSE} bytes", response.status)
                incoming = Incoming(
                    status=response.status,
                    content_type=response.headers.get("Content-Type", "").lower(),
                    retry_after=response.headers.get("Retry-After"),
                    location=response.headers.get("Location"),
                    body=received,
                )
        except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
            return self._network(error)
        outcome = classify(incoming, self._secrets, datetime.now(UTC), self._shown)
        if isinstance(outcome, Failed) and outcome.kind == "unauthorised" and not self._has_key:
            note = f" (no key was sent: the environment variable {self._key_env} is not set)"
            return _noted(outcome, note)
        return outcome

    def _network(self, error: BaseException) -> Failed:
        limits = self.settings
        _, kind, text, tries, slow = next(line for line in _NETWORK if isinstance(error, line[0]))
        words = self._secrets.in_message(str(error).strip() or type(error).__name__)[:300]
        message = text.format(
            words=words,
            to=self._shown,
            connect=limits.connect_timeout,
            read=limits.read_timeout,
            total=limits.total_timeout,
        )
        return Failed(kind, message, tries=tries, slow_down=slow)


async def _bounded(response: aiohttp.ClientResponse) -> bytes | None:
    """The body, or None when it is larger than any reply."""
    pieces, size = [], 0
    async for piece in response.content.iter_any():
        size += len(piece)
        if size > MAX_RESPONSE:
            response.close()
            return None
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _noted(failure: Failed, note: str) -> Failed:
    return Failed(failure.kind, failure.message + note, failure.http_status, fatal=failure.fatal)
