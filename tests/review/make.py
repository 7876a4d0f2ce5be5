"""Small reviews: a benchmark of a few pixels, votes by hand, and a client that calls the server without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from answerable.core.benchmark import Benchmark
from answerable.core.codec import digest
from answerable.core.runlog import PromptText, Reply, RunFolder, RunLog, RunManifest, Sampling
from answerable.review.gate import App, Message
from answerable.review.pages import group_pages
from answerable.review.records import Ack, Cast, Item, Project, Undo
from answerable.review.store import Store
from tests.core.small import write

PROJECT = Project("group", "small", "f" * 64)
EXPLAIN = Project("explanation", "small", "f" * 64, "r" * 64, "lab/model")


def items(count: int, *, groups: int | None = None) -> list[Item]:
    """Items, some of which share a group when there are fewer groups."""
    return [Item(f"g{number:02d}", f"g{number % (groups or count):02d}") for number in range(count)]


def keep(**changes: Any) -> dict[str, Any]:
    """A vote to keep with every answer."""
    return {"decision": "keep", "image": "yes", "answer": "yes", "strategy": "yes"} | changes


def drop(reason: str = "the answer is wrong", **changes: Any) -> dict[str, Any]:
    """A vote to drop."""
    return {"decision": "drop", "reason": reason} | changes


def raw(body: Mapping[str, Any]) -> msgspec.Raw:
    """A body as the page sends it."""
    return msgspec.Raw(json.dumps(body).encode())


def name(*parts: object) -> str:
    """An id that these parts always give."""
    return digest([str(part) for part in parts])[:32]


_made = iter(range(1 << 30))


#: What a test opened; closed after it.
OPEN: list[Store] = []


def opened(*given: Any, **named: Any) -> Store:
    """A store that is closed when the test ends."""
    store = Store(*given, **named)
    OPEN.append(store)
    return store


def cast(store: Store, who: str, item: int, body: Mapping[str, Any], base: str = "") -> Ack:
    """Vote with a fresh id."""
    return store.vote(Cast(name("vote", next(_made)), who, item, raw(body), base))


def take_back(store: Store, who: str, item: int, vote: str) -> Ack:
    """Undo with a fresh id."""
    return store.undo(Undo(name("undo", next(_made)), who, item, vote))


def said(store: Store) -> dict[tuple[str, int], Any]:
    """(reviewer, item) -> the vote that stands, as JSON."""
    return {(one.reviewer, one.item): json.loads(bytes(one.body)) for one in store.standing()}


def vote_all(store: Store, words: Mapping[str, str]) -> None:
    """Whole columns of votes: reviewer -> a letter an item; ``k`` keeps, ``d`` drops, ``.`` says nothing."""
    for who, letters in words.items():
        for place, letter in enumerate(letters):
            if letter != ".":
                cast(store, who, place, keep() if letter == "k" else drop())


def benchmark(folder: Path, groups: int = 3) -> Benchmark:
    """A benchmark of groups with three views each."""
    return write(folder, [(number, "test") for number in range(groups)])


def review(folder: Path, groups: int = 3, wanted: int = 2) -> tuple[Benchmark, Store]:
    """A benchmark and a new review of it."""
    bench = benchmark(folder / "bench", groups)
    project = Project("group", "small", bench.manifest.fingerprint)
    return bench, opened(folder / "r.sqlite", project, group_pages(bench).items, wanted=wanted)


def run_of(folder: Path, bench: Benchmark, texts: Sequence[str | None], model: str = "lab/model") -> RunFolder:
    """A run that says these texts, one a view, over and over; None is an empty reply."""
    sampling = Sampling()
    views = list(bench.views())
    manifest = RunManifest(
        format=1, benchmark=bench.manifest.name, benchmark_fingerprint=bench.manifest.fingerprint, model=model,
        provider="openai", endpoint="http://localhost:1/v1",
        prompt=PromptText(name="json", system="", user="{question}", sha256="0" * 64), sampling=sampling,
        sampling_sha256=digest(sampling), repeats=1, control="none", split="test", limit=None, views=len(views),
        seed=1, versions={},
    )  # fmt: skip
    with RunLog(folder, manifest) as log:
        for number, view in enumerate(views):
            text = texts[number % len(texts)]
            log.reply(
                Reply(
                    view=view.id, repeat=0, prompt="0" * 64, model=model, sampling=digest(sampling),
                    status="empty" if text is None else "complete", text=text, reasoning="I look at it",
                )
            )  # fmt: skip
    return RunFolder(folder)


class Answer:
    """What a server said."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


async def ask(
    app: App, method: str, path: str, body: bytes | Iterable[bytes] = b"", query: str = "", **headers: str
) -> Answer:
    """One request; a header's underscores are dashes, and ``host`` is a loopback one unless it is given."""
    parts = [body] if isinstance(body, bytes) else list(body)
    given = {"host": "127.0.0.1:8000"} | {key.replace("_", "-"): value for key, value in headers.items()}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode("utf-8", "replace"), "query_string": query.encode(), "root_path": "",
        "headers": [(key.encode(), value.encode("latin-1")) for key, value in given.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    queue = [
        {"type": "http.request", "body": part, "more_body": at + 1 < len(parts)} for at, part in enumerate(parts)
    ] or [{"type": "http.request", "body": b"", "more_body": False}]
    started: dict[str, Any] = {}
    found = bytearray()

    async def receive() -> Message:
        return queue.pop(0) if queue else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
        else:
            found.extend(message.get("body", b""))

    await app(scope, receive, send)
    answered = {key.decode(): value.decode() for key, value in started["headers"]}
    return Answer(int(started["status"]), answered, bytes(found))
