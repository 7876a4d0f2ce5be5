"""The examples of a benchmark's training split: what is asked, as a run would ask it, and the reply that is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from answerable.core.asking import asked_text
from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from answerable.core.errors import BenchmarkError, FingerprintError, SettingsError
from answerable.core.records import Answer, View
from answerable.core.words import REASON_WORDS
from answerable.models.local import Question
from answerable.models.pictures import read_picture

TRAIN = "train"
#: The reason that a right reply gives where the prompt asks for one.
_SHOWN = "the image shows it"


class Wording(msgspec.Struct, frozen=True):
    """How a prompt puts a question and what it wants back; made from the prompt of a run."""

    name: str
    sha256: str
    system: str
    user: Callable[[str], str]
    """The question with its options -> the user text."""
    reply: Callable[[str | None, str], str]
    """(answer or None to abstain, reason) -> the text of a right reply."""


class _Line(msgspec.Struct, frozen=True):
    view: str
    user: str
    target: str
    sha256: str


class Examples:
    """The views of the training split, in stored order; pictures are read when it is their turn.

    Args:
        benchmark: verified here.
        wording: of the prompt that the benchmark is meant for.

    Raises:
        SettingsError: it has no training split.
        BenchmarkError: a figure is in the training split and in another one.
        FingerprintError: the benchmark is not what its fingerprint says.
    """

    def __init__(self, benchmark: Benchmark, wording: Wording) -> None:
        self._benchmark, self._system = benchmark, wording.system
        splits = sorted({source.split for source in benchmark.manifest.sources})
        if TRAIN not in splits:
            raise SettingsError(
                "a benchmark with a training split", f"splits={', '.join(splits) or 'none'}", str(benchmark.path),
                fix="build one with --train-groups N; other splits are never trained on, or scores would mean nothing",
            )  # fmt: skip
        self._lines: list[_Line] = []
        figures: dict[bool, set[str]] = {True: set(), False: set()}

        def visit(_path: Path, _row_group: int, view: View, _image: bytes) -> None:
            figures[view.split == TRAIN].add(view.figure)
            if view.split == TRAIN:
                self._lines.append(_line(view, wording))

        benchmark.verify(visit)
        both = sorted(figures[True] & figures[False])
        if both:
            raise BenchmarkError(
                "splits that share no figure", f"{len(both)} in the training split and in another, such as {both[0]!r}",
                where=str(benchmark.path), fix="build it again: what was trained on must not be tested on",
            )  # fmt: skip
        self._images = benchmark.images()

    def __len__(self) -> int:
        return len(self._lines)

    def view(self, number: int) -> str:
        """Id of an example's view."""
        return self._lines[number].view

    def question(self, number: int) -> Question:
        """What is put to the model.

        Raises:
            FingerprintError: the picture changed since the benchmark was verified.
            ImageError: the picture cannot be read.
        """
        line = self._lines[number]
        data = self._images.read(line.view)
        if digest_bytes(data) != line.sha256:
            raise FingerprintError(
                f"the image with sha256={line.sha256[:16]}...", f"sha256={digest_bytes(data)[:16]}...",
                where=f"{self._benchmark.path}, view {line.view}",
                fix="the benchmark was changed while training was under way: restore it and repeat the command",
            )  # fmt: skip
        return Question(self._system, line.user, read_picture(data))

    def target(self, number: int) -> str:
        """The reply that is right."""
        return self._lines[number].target


def _line(view: View, wording: Wording) -> _Line:
    return _Line(view.id, wording.user(asked_text(view)), target_of(view, wording), view.image_sha256)


def target_of(view: View, wording: Wording) -> str:
    """The reply that meets a view's obligation, in the form that the prompt asks for."""
    duty = view.obligation
    if isinstance(duty, Answer):
        return wording.reply(duty.target, _SHOWN)
    return wording.reply(None, REASON_WORDS[duty.reason])
