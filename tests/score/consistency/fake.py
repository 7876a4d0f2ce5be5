"""Small consistency benchmarks, runs on them, and embedders that need no model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest_bytes
from answerable.core.consistency import kinds_text
from answerable.core.records import Abstain, Answer, Evidence, Group, Obligation, State, View
from answerable.core.runlog import Failure, RunFolder, RunLog, Sampling
from answerable.score.consistency.similarity import Rows
from tests.score.fake import FAILED, PIXEL, manifest_of, reply_of, write_benchmark

STYLES = ("candy", "mosaic", "udnie", "grayscale")
#: What a fake model says to a view in a repeat: a text, None for no reply, or ``FAILED``.
Says = Callable[[View, int], str | None]


def view(
    group: str,
    name: str,
    *,
    topic: str = "",
    ability: str = "",
    target: str | None = "cat",
    state: State = "F",
    source: str = "photo",
    question: str = "What is it?",
) -> View:
    """A view; without a target it must abstain."""
    duty: Obligation = Abstain("missing") if target is None else Answer(target, "text")
    return View(
        id=f"{group}-{name}", group=group, source=source, split="test", figure=group, state=state, question=question,
        obligation=duty, evidence=Evidence(level="derived"), image_sha256=digest_bytes(PIXEL), width=1, height=1,
        topic=topic, ability=ability,
    )  # fmt: skip


def restyled(group: str, target: str = "cat", source: str = "photo") -> Group:
    """An original and four styles of it."""
    views = [view(group, "F", target=target, source=source)]
    views += [
        view(
            group, style, topic="restyle", ability=kinds_text({"style": style, "resolution": "640"}), target=target,
            state="S", source=source,
        )
        for style in STYLES
    ]  # fmt: skip
    return Group(id=group, source=source, split="test", views=tuple(views))


def rephrased(group: str, target: str | None = "cat", count: int = 3, state: State = "S") -> Group:
    """``count`` wordings of a question, without their original, as the paper has them."""
    views = [
        view(
            group, f"w{number}", topic="rephrase", ability=f"wording={number}", target=target, state=state,
            question=f"What is it, in wording {number}?",
        )
        for number in range(1, count + 1)
    ]  # fmt: skip
    return Group(id=group, source="photo", split="test", views=tuple(views))


def occluded(group: str, target: str = "cat") -> Group:
    """One object under three masks."""
    kinds = (("1", "ellipse", "red"), ("3", "rectangle", "black"), ("10", "ellipse", "black"))
    views = [
        view(
            group, lines, topic="occlude", ability=kinds_text({"lines": lines, "shape": shape, "color": color}),
            target=target, state="S",
        )
        for lines, shape, color in kinds
    ]  # fmt: skip
    return Group(id=group, source="photo", split="test", views=tuple(views))


def bench(path: Path, groups: Sequence[Group], reader: str = "text") -> Benchmark:
    """A benchmark whose replies are texts."""
    return write_benchmark(path, groups, reader)


def run(
    path: Path,
    benchmark: Benchmark,
    says: Says,
    *,
    repeats: int = 1,
    temperature: float | None = 0.0,
    model: str = "m",
    limit: int | None = None,
) -> RunFolder:
    """A run whose replies are what ``says`` says."""
    sampling = Sampling(temperature=temperature)
    manifest = msgspec.structs.replace(
        manifest_of(benchmark, repeats=repeats, limit=limit, model=model), sampling=sampling
    )
    with RunLog(path, manifest, fsync_every=1_000_000) as log:
        for group in list(benchmark.groups("test"))[:limit]:
            for one in group.views:
                for repeat in range(repeats):
                    text = says(one, repeat)
                    if text == FAILED:
                        log.failure(Failure(view=one.id, repeat=repeat, kind="timeout", message="too slow"))
                    elif text is not None:
                        status = "complete" if text else "empty"
                        log.reply(reply_of(manifest, one.id, text, repeat, status=status))
    return RunFolder(path)


def scripted(replies: Mapping[str, str | None], otherwise: str | None = "cat") -> Says:
    """View id -> reply."""
    return lambda one, _: replies.get(one.id, otherwise)


class TableEmbedder:
    """Rows whose products are the similarities given; other texts are like themselves only."""

    name, model, words = "table", "table-1", "a table of similarities"

    def __init__(self, similarities: Mapping[tuple[str, str], float]) -> None:
        self._texts = sorted({text for pair in similarities for text in pair})
        gram = np.eye(len(self._texts))
        for (one, other), value in similarities.items():
            a, b = self._texts.index(one), self._texts.index(other)
            gram[a, b] = gram[b, a] = value
        self._rows = np.linalg.cholesky(gram)
        self.calls: list[str] = []

    def embed(self, texts: Sequence[str], /) -> Rows:
        """The rows of the table."""
        self.calls += texts
        return np.array([self._rows[self._texts.index(text)] for text in texts], dtype=np.float32)


class HashEmbedder:
    """A row of numbers from the digest of a text: always the same, and like no other."""

    name, words = "hash", "numbers from a digest"

    def __init__(self, width: int = 16, model: str = "hash-1") -> None:
        self._width, self.model = width, model
        self.calls: list[str] = []

    def embed(self, texts: Sequence[str], /) -> Rows:
        """Rows of length 1."""
        self.calls += texts
        rows = np.stack([self._row(text) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1)[:, None], dtype=np.float32)

    def _row(self, text: str) -> np.ndarray:
        data = b"".join(
            hashlib.sha256(f"{block}{text}".encode("utf-8", "surrogatepass")).digest()
            for block in range(self._width // 32 + 1)
        )
        return np.frombuffer(data, dtype=np.uint8)[: self._width].astype(np.float64) - 127.5
