"""Everything the page may ask for: the items of a review, their cards, and the bytes of their pictures."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from answerable.core.benchmark import Benchmark, ImageStore
from answerable.core.codec import decoder, digest, digest_bytes, encode
from answerable.core.errors import BenchmarkError, FingerprintError, ReviewError, SettingsError, SourceError
from answerable.core.runlog import MAX_LINE, Reply, RunFolder
from answerable.core.seeds import Stream
from answerable.domains.raster.kinds import media_type
from answerable.review.cards import Card, Said, Source, card_of, cut
from answerable.review.records import Item

#: Kinds that every browser shows, and that carry no script.
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
#: Of a review list.
MAX_LIST = 1 << 28


class Doubt(msgspec.Struct, frozen=True):
    """What is read of a line of a review list; other fields are of no concern here."""

    group: str
    why: tuple[str, ...] = ()


class Pages:
    """Cards and pictures by place. Cards are kept as JSON; pictures stay on disk."""

    def __init__(self, images: ImageStore | None = None) -> None:
        self.items: list[Item] = []
        self._cards: list[bytes] = []
        self._sources: list[tuple[Source, ...]] = []
        self._images = images
        self._lock = threading.Lock()

    def add(self, item: Item, card: Card, sources: tuple[Source, ...]) -> None:
        """Append an item."""
        self.items.append(item)
        self._cards.append(encode(card))
        self._sources.append(sources)

    def card(self, place: int) -> bytes:
        """A card as JSON.

        Raises:
            ReviewError: no such item.
        """
        if not 0 <= place < len(self._cards):
            raise ReviewError(f"an item from 0 to {len(self._cards) - 1}", f"item={place}")
        return self._cards[place]

    def picture(self, place: int, number: int) -> tuple[str, bytes]:
        """Media type and bytes of a picture.

        Raises:
            ReviewError: no such picture, or none that a browser may show.
            FingerprintError: it is not the one that was built.
        """
        self.card(place)
        sources = self._sources[place]
        if not 0 <= number < len(sources) or self._images is None:
            raise ReviewError(f"a picture from 0 to {len(sources) - 1}", f"picture={number}")
        source = sources[number]
        with self._lock:
            data = self._images.read(source.view)
        if digest_bytes(data) != source.sha256:
            raise FingerprintError(
                f"the image with sha256={source.sha256[:16]}...", f"sha256={digest_bytes(data)[:16]}...",
                where=f"view {source.view}", fix="the image was changed after the build: build again",
            )  # fmt: skip
        kind = media_type(data)
        if kind not in PICTURES:
            raise ReviewError("a PNG, JPEG, GIF or WebP picture", kind or "another file", where=f"view {source.view}")
        return kind, data


def read_list(path: Path) -> dict[str, tuple[str, ...]]:
    """Groups that a review list names, and why: any JSON lines with a ``group``.

    Raises:
        SourceError: it cannot be read, or a line names no group.
    """
    found: dict[str, tuple[str, ...]] = {}
    read = decoder(Doubt)
    try:
        if path.stat().st_size > MAX_LIST:
            raise SourceError(f"a file of at most {MAX_LIST} bytes", str(path.stat().st_size), where=str(path))
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise SourceError("a review list", error.strerror or str(error), where=str(path)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            doubt = read.decode(line[:MAX_LINE])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise SourceError(
                'a line of a review list: {"group", "why"}', str(error)[:120], where=f"{path}, line {number}"
            ) from error
        found[doubt.group] = tuple(dict.fromkeys((*found.get(doubt.group, ()), *doubt.why)))
    if not found:
        raise SourceError("a review list with a line at least", "an empty file", where=str(path))
    return found


def sampled(names: Sequence[str], count: int, seed: int) -> list[str]:
    """``count`` of these names, in their own order.

    Raises:
        SettingsError: a count that is not from 1 to the number of names.
    """
    if not 1 <= count <= len(names):
        raise SettingsError(f"a number from 1 to {len(names)}", f"sample={count}", where="--sample")
    chosen = set(Stream("review sample", seed, len(names)).sample(names, count))
    return [name for name in names if name in chosen]


def group_pages(
    benchmark: Benchmark,
    only: Mapping[str, tuple[str, ...]] | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Pages:
    """Cards of groups, in stored order.

    Args:
        only: group -> why it is doubtful; None takes every group.
        advance: called for every group that is read.
    """
    pages = Pages(benchmark.images())
    for group in benchmark.groups():
        advance()
        if only is None or group.id in only:
            why = only[group.id] if only else ()
            pages.add(Item(group.id, group.id, why=why), *card_of(group, group.views, why))
    return pages


def reply_pages(
    benchmark: Benchmark,
    run: RunFolder,
    only: Collection[str] | None = None,
    advance: Callable[[], None] = lambda: None,
) -> tuple[Pages, Counter[str]]:
    """Cards of replies, in the order of the benchmark's views.

    Args:
        only: ids of items; None takes every reply that has text.
        advance: called for every group that is read.

    Returns:
        The pages, and how many replies are not shown, by their status.
    """
    replies, hidden = _with_text(run.replies())
    pages = Pages(benchmark.images())
    for group in benchmark.groups():
        advance()
        for view in group.views:
            for reply in sorted(replies.pop(view.id, ()), key=lambda reply: reply.repeat):
                name = f"{reply.view}/{reply.repeat}"
                if only is not None and name not in only:
                    continue
                text, missing = cut(reply.text or "")
                said = Said(text, missing, reply.status, cut(reply.reasoning or "")[0], reply.repeat, reply.model)
                item = Item(name, group.id, digest=digest(reply.text))
                pages.add(item, *card_of(group, (view,), name=name, said=said))
    if replies:
        raise BenchmarkError(
            "replies on views of the benchmark", f"one on view={next(iter(replies))}", where=str(run.path)
        )
    return pages, hidden


def _with_text(replies: Iterable[Reply]) -> tuple[dict[str, list[Reply]], Counter[str]]:
    """Replies that say something, by view; and the others' statuses."""
    found: dict[str, list[Reply]] = {}
    hidden: Counter[str] = Counter()
    for reply in replies:
        if reply.text and reply.text.strip():
            found.setdefault(reply.view, []).append(reply)
        else:
            hidden[reply.status] += 1
    return found, hidden


def run_digest(run: RunFolder) -> str:
    """Names a run: everything that decides what was asked, but not the versions of programs."""
    return digest(msgspec.structs.replace(run.manifest, versions={}))


def check_same(pages: Pages, stored: Sequence[Item], where: str) -> None:
    """Hold what the folders give now against what the review was begun with.

    Raises:
        ReviewError: an item is gone, or a reply is another one.
    """
    if [(item.id, item.digest) for item in pages.items] == [(item.id, item.digest) for item in stored]:
        return
    mine = {item.id: item.digest for item in pages.items}
    changed = next((item.id for item in stored if mine.get(item.id) != item.digest), "their order")
    raise ReviewError(
        "the items that the review was begun with", f"another {changed}", where=where,
        fix="the folder was changed since: take the old one, or begin another review with --db FILE",
    )  # fmt: skip
