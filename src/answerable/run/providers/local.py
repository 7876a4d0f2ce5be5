"""A model in this process: any Hugging Face image-text-to-text model that lies on this machine, one view at a time.

Nothing is fetched and nothing leaves. At temperature 0 the likeliest token is taken each time; otherwise draws derive
from a seed, the view and the repeat, so that the order of requests is all the same. What decides a reply beside prompt
and sampling (digests of model and adapter, device, number format, seed) goes into ``run.json`` with the sampling, so a
run is never resumed with another checkpoint.
"""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from answerable.core.codec import decode, encode
from answerable.core.errors import AnswerableError, ProviderError, SettingsError
from answerable.core.runlog import ReplyStatus, Usage
from answerable.core.seeds import seed_from
from answerable.models.adapter import check_model, load_on, read_card
from answerable.models.engine import DTYPES, deterministic, device_named
from answerable.models.folder import find_model
from answerable.models.local import LocalModel, Question, Said, Sampler
from answerable.models.pictures import read_picture
from answerable.run.providers.base import Ask, Failed, ProviderSettings, Replied, at_least

PREFIX: Final = "local/"
#: What a model may raise on an input it cannot take; memory that runs out is a ``RuntimeError`` too.
_FAILURES: Final = (RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError, MemoryError)


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``--extra`` may say to a model in this process."""

    seed: int = 0
    """Of the draws above temperature 0."""
    top_p: float = 1.0
    top_k: int = 0
    """0: all tokens."""


class LocalProvider:
    """See ``base.Provider``."""

    name = "local"
    remote = False
    #: Their versions go into ``run.json``.
    libraries = ("torch", "transformers", "peft")

    def __init__(self, settings: ProviderSettings) -> None:
        settings.check()
        self._choices = _choices(settings)
        if settings.dtype not in DTYPES:
            raise SettingsError(f"a number format, one of {', '.join(DTYPES)}", f"{settings.dtype!r}", "--dtype")
        self._folder = find_model(settings.model.removeprefix(PREFIX))
        self._adapter = Path(settings.adapter) if settings.adapter else None
        self._device = device_named(settings.device)
        self._dtype = settings.dtype
        marks = {"model_sha256": self._folder.sha256, "device": self._device, "dtype": settings.dtype}
        self.model, self.endpoint = PREFIX + self._folder.name, ""
        if self._adapter is not None:
            card = read_card(self._adapter)
            check_model(card, self._folder.sha256)
            marks["adapter_sha256"] = card.weights_sha256
            self.model += f"+{self._adapter.resolve().name}"
        extra = msgspec.Raw(encode(marks | msgspec.to_builtins(self._choices)))
        self.settings = msgspec.structs.replace(
            settings, sampling=msgspec.structs.replace(settings.sampling, extra=extra)
        )
        self._local: LocalModel | None = None
        self._turn = asyncio.Lock()
        self._closing = threading.Event()

    async def __aenter__(self) -> Self:
        """Load the model."""
        self._closing.clear()
        self._turn = asyncio.Lock()
        self._local = LocalModel(self._folder, device=self._device, dtype=self._dtype)
        if self._adapter is not None:
            load_on(self._local, self._adapter)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End a reply under way, and let the model go."""
        self._closing.set()
        self._local = None

    def check_manifest(self, text: bytes) -> None:
        """There is no secret."""

    async def ask(self, request: Ask) -> Replied | Failed:
        """Reply, after those that asked before."""
        local = self._local
        if local is None:
            raise ProviderError("an open provider", "one outside 'async with'")
        async with self._turn:
            given_up = threading.Event()
            try:
                # In a thread, so that Ctrl-C and progress are not kept waiting.
                return await asyncio.to_thread(self._reply, local, request, given_up)
            finally:
                given_up.set()

    def _reply(self, local: LocalModel, request: Ask, given_up: threading.Event) -> Replied | Failed:
        sampling, end = self.settings.sampling, time.monotonic() + self.settings.total_timeout
        sampler = Sampler(
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature or 0.0,
            top_p=self._choices.top_p,
            top_k=self._choices.top_k,
        )

        def stop() -> bool:
            return given_up.is_set() or self._closing.is_set() or time.monotonic() > end

        try:
            question = Question(
                system=self.settings.prompt.text.system,
                user=self.settings.prompt.user(request.question, request.earlier),
                picture=None if request.image is None else read_picture(request.image.data),
            )
            turn = 1 if request.earlier is None else 2
            with deterministic(seed_from("local", self._choices.seed, request.view, request.repeat, turn)):
                said = local.reply(question, sampler, stop)
        except AnswerableError as error:
            return Failed("rejected", f"expected {error.expected}; got {error.got}"[:300])
        except _FAILURES as error:
            return _failed(error)
        if said.stopped:
            return Failed("timeout", f"no whole reply within {self.settings.total_timeout:g} s")
        return _replied(said)


def _replied(said: Said) -> Replied:
    text = said.text if said.text.strip() else None
    status: ReplyStatus = "truncated" if said.cut else "complete" if text is not None else "empty"
    return Replied(
        status,
        text,
        finish_reason="length" if said.cut else "stop",
        usage=Usage(prompt=said.prompt_tokens, completion=said.tokens),
    )


def _failed(error: Exception) -> Failed:
    """One attempt is all that makes sense: the next one would come to the same."""
    words = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
    if isinstance(error, MemoryError) or "OutOfMemory" in type(error).__name__:
        return Failed("too_large", f"out of memory: {words}")
    return Failed("rejected", words)


def _choices(settings: ProviderSettings) -> Choices:
    """What ``--extra`` says, and a refusal of what a model in this process has not.

    Raises:
        SettingsError: naming the flag.
    """
    sampling = settings.sampling
    if settings.base_url:
        raise SettingsError(
            "no base URL with a model in this process", f"model={settings.model}", "--base-url",
            fix="leave out --base-url, or name the server's model without local/",
        )  # fmt: skip
    if sampling.json_schema:
        raise SettingsError(
            "no JSON schema with a model in this process", "one", "--json-schema", fix="leave out --json-schema"
        )
    if sampling.temperature is None:
        raise SettingsError("a temperature for a model in this process", "none", "--temperature", fix="0 is greedy")
    try:
        choices = decode(bytes(sampling.extra), Choices)
    except msgspec.MsgspecError as error:
        raise SettingsError(
            "seed, top_p or top_k for a model in this process", str(error), "--extra", fix="""such as '{"seed": 7}'"""
        ) from error
    at_least("--extra top_k", choices.top_k, 0)
    at_least("--extra seed", choices.seed, 0)
    if not 0 < choices.top_p <= 1:
        raise SettingsError("a share above 0 and up to 1", f"{choices.top_p:g}", "--extra top_p")
    return choices
