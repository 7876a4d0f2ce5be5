"""What the runner and a provider say to each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import msgspec

from answerable.core.errors import SettingsError
from answerable.core.records import Obligation
from answerable.core.runlog import FailureKind, ReplyStatus, Sampling, Usage
from answerable.run.prompts import Prompt


class Picture(msgspec.Struct, frozen=True):
    """An image as it is sent: the stored bytes, unchanged."""

    data: bytes
    media_type: str
    """``image/png`` and so on, from the content, never from a name."""
    base64: bytes
    """The same bytes as base64; servers count this, not the file."""


class Ask(msgspec.Struct, frozen=True):
    """One request. It carries nothing of any other request, and no state or group."""

    view: str
    """Opaque id, for messages and for seeding; never sent."""
    repeat: int
    question: str
    image: Picture | None
    """None in the text-only control."""
    key: Obligation | None = None
    """What the reply must do; only given to a ``KeyHolder``, which stays on this machine."""
    earlier: str | None = None
    """The model's own reply of the first turn, when this is the second."""


class Replied(msgspec.Struct, frozen=True):
    """The server gave a final reply, of whatever quality."""

    status: ReplyStatus
    text: str | None
    reasoning: str | None = None
    refusal: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    earlier: str | None = None
    """The reply of the first of two turns."""


class Failed(msgspec.Struct, frozen=True):
    """One attempt came to nothing. Never text to be read."""

    kind: FailureKind
    message: str
    """For people, in few words; keys are already removed."""
    http_status: int | None = None
    tries: int = 1
    """How many attempts such a failure is worth at most (1: trying again cannot help); the runner has its own bound."""
    slow_down: bool = False
    """The server is overloaded, or seems so."""
    wait: float | None = None
    """Seconds the server asked us to wait."""
    fatal: bool = False
    """No other request can succeed either: the run stops."""


#: ``tries`` of a failure that passes with time.
AGAIN = 1_000


class Key(msgspec.Struct, frozen=True):
    """What reference responders may know of a benchmark as a whole."""

    answers: tuple[str, ...]
    """Every different right answer, sorted."""
    frequent_answer: str | None
    """The most frequent right answer; None when nothing is to be answered."""
    answers_more_often: bool
    """More views must answer than abstain."""
    seed: int


class ProviderSettings(msgspec.Struct, frozen=True):
    """What a provider is made from."""

    model: str
    prompt: Prompt
    sampling: Sampling
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; the key itself is never a setting."""
    environment: Mapping[str, str] = {}
    """Where that name is looked up; the caller passes ``os.environ``."""
    connections: int = 64
    """Most connections at once."""
    connect_timeout: float = 20.0
    """Seconds to reach the host."""
    read_timeout: float | None = None
    """Seconds without a byte; None: only the total counts."""
    total_timeout: float = 300.0
    """Seconds for one request from start to end."""
    adapter: str = ""
    """Folder of an adapter, for a model in this process."""
    device: str = "auto"
    """Where a model in this process computes: ``cpu``, ``cuda``, or the latter where there is one."""
    dtype: str = "auto"
    """Number format of its weights; ``auto``: as they are stored."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first setting that makes no sense."""
        sampling = self.sampling
        at_least("--temperature", sampling.temperature, 0)
        at_least("--max-tokens", sampling.max_tokens, 1)
        at_least("--connect-timeout", self.connect_timeout, 0.001)
        at_least("--read-timeout", self.read_timeout, 0.001)
        at_least("--timeout", self.total_timeout, 0.001)
        if not sampling.max_tokens_field.isidentifier():
            raise SettingsError("the name of a body field", repr(sampling.max_tokens_field), "--max-tokens-field")
        if not (self.api_key_env.isascii() and self.api_key_env.isidentifier()):
            raise SettingsError(
                "the name of an environment variable",
                # It may be the key itself, so it is not repeated.
                "another text", "--api-key-env",
                fix="put the key into a variable, and give the variable's name",
            )  # fmt: skip
        if not self.model.strip():
            raise SettingsError("the name of a model", repr(self.model), "--model")


def at_least(flag: str, value: float | None, low: float) -> None:
    """Raise ``SettingsError`` for a number that is not finite or below ``low``; None is left alone."""
    if value is not None and not (math.isfinite(value) and value >= low):
        raise SettingsError(f"a number of at least {low:g}", f"{value:g}", where=flag)


class Provider(Protocol):
    """Something that can be asked. Used inside ``async with``; stateless from one request to the next."""

    name: str
    """Its name in the table of providers."""
    settings: ProviderSettings
    """What it was made from; prompt and sampling are taken from here and nowhere else."""
    model: str
    endpoint: str
    """Base URL without user, password or query; empty when nothing leaves this machine."""
    remote: bool
    """Requests cost time and perhaps money."""

    async def __aenter__(self) -> Self:
        """Open what requests need."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""

    def check_manifest(self, text: bytes) -> None:
        """Raise ``SettingsError`` when a secret stands in what would be written to ``run.json``."""

    async def ask(self, request: Ask) -> Replied | Failed:
        """Make one attempt. Never raises for anything the server or the network does."""


@runtime_checkable
class KeyHolder(Protocol):
    """A provider that is told the right answers, so it can never be a model."""

    def prepare(self, key: Key) -> None:
        """Called once, before the first request."""


class MakeProvider(Protocol):
    """A class or function that makes a provider."""

    def __call__(self, settings: ProviderSettings) -> Provider:
        """Check the settings; opens nothing yet."""
