"""Responders whose score is known beforehand, so that a benchmark and its scoring can be checked.

They write the same JSON text as any model and go through the same log and readers. None is told a view's state or
group: the oracle and ``mask-shy`` get the obligation, ``mask-shy`` also looks at the pixels, and the others know no
more than how often answers occur in the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from answerable.core.errors import ProviderError, SettingsError
from answerable.core.records import Answer
from answerable.core.runlog import Usage
from answerable.core.seeds import Stream
from answerable.run.providers.base import Ask, Failed, Key, ProviderSettings, Replied

#: Said by ``always-answer`` on a benchmark where nothing is to be answered.
_SOME_ANSWER: Final = "0"
#: What a responder says: an answer or None to abstain, and a reason.
Said = tuple[str | None, str]
#: Looks at the bytes of an image file and tells whether something was masked in it.
SeesMask = Callable[[bytes], bool]


def _oracle(request: Ask, _key: Key) -> Said:
    if isinstance(request.key, Answer):
        return request.key.target, "the answer key says so"
    return None, "the answer key says that the image does not determine it"


def _always_answer(_request: Ask, key: Key) -> Said:
    return key.frequent_answer or _SOME_ANSWER, "always answers"


def _always_abstain(_request: Ask, _key: Key) -> Said:
    return None, "always abstains"


def _frequent(_request: Ask, key: Key) -> Said:
    if key.answers_more_often:
        return key.frequent_answer, "the most frequent answer"
    return None, "abstaining is the most frequent obligation"


def _random(request: Ask, key: Key) -> Said:
    draw = Stream("reference/random", key.seed, request.view, request.repeat)
    if draw.below(2) == 0 or not key.answers:
        return None, "drawn at random"
    return draw.pick(key.answers), "drawn at random"


def shows_mask(image: bytes) -> bool:
    """Whether a picture of ours shows a mask: on a chart or table, over a line of code, or in a scene."""
    from answerable.domains.chart.masks import sees_mask
    from answerable.domains.code.masks import sees_cover
    from answerable.domains.raster.png import decode
    from answerable.domains.scene import masks

    pixels = decode(image)
    return bool(sees_mask(pixels)) or sees_cover(pixels) or masks.sees_cover(pixels)


def _mask_shy(sees_mask: SeesMask) -> Callable[[Ask, Key], Said]:
    def respond(request: Ask, key: Key) -> Said:
        if request.image is not None and sees_mask(request.image.data):
            return None, "something in the image is masked"
        return _oracle(request, key)

    return respond


RESPONDERS: Final[dict[str, Callable[[Ask, Key], Said]]] = {
    "oracle": _oracle,
    "always-answer": _always_answer,
    "always-abstain": _always_abstain,
    "mask-shy": _mask_shy(shows_mask),
    "frequent": _frequent,
    "random": _random,
}
PREFIX: Final = "reference/"


class ReferenceProvider:
    """One of the responders above, behind the same face as a model."""

    name = "reference"
    remote = False

    def __init__(self, settings: ProviderSettings, *, sees_mask: SeesMask | None = None) -> None:
        settings.check()
        known = [PREFIX + name for name in RESPONDERS]
        if settings.model not in known:
            raise SettingsError(f"a reference responder, one of {', '.join(known)}", f"{settings.model!r}", "--model")
        if settings.base_url:
            raise SettingsError(
                "no base URL with a reference responder", f"model={settings.model}", "--base-url",
                fix="leave out --base-url, or name the server's model",
            )  # fmt: skip
        name = settings.model.removeprefix(PREFIX)
        self.settings, self.model, self.endpoint = settings, settings.model, ""
        self._respond = _mask_shy(sees_mask) if name == "mask-shy" and sees_mask else RESPONDERS[name]
        self._reply = settings.prompt.reply
        self._key: Key | None = None

    async def __aenter__(self) -> Self:
        """Nothing to open."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to close."""

    def prepare(self, key: Key) -> None:
        """Take in what is known of the benchmark as a whole."""
        self._key = key

    def check_manifest(self, text: bytes) -> None:
        """There is no secret."""

    async def ask(self, request: Ask) -> Replied | Failed:
        """Reply at once."""
        if self._key is None:
            raise ProviderError("a prepared responder", "one that does not know the benchmark yet")
        if request.earlier is not None:
            # Asked whether its own answer is true, a responder stands by it.
            return Replied("complete", "1", finish_reason="stop", usage=Usage(0, 0, 0))
        answer, reason = self._respond(request, self._key)
        return Replied("complete", self._reply(answer, reason), finish_reason="stop", usage=Usage(0, 0, 0))
