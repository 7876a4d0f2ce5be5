"""The gallery's data: inside the page within a bound, or whole in a folder beside it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from answerable.core.benchmark import Benchmark, ImageStore
from answerable.core.errors import InputError, StorageError
from answerable.core.records import STATES, Group, Record, View
from answerable.core.scores import OUTCOMES, Scores
from answerable.report.cards import Card, Entry, MarkWords, card, clip, entry, in_order, island, mark_words
from answerable.report.outline import Box, outlines
from answerable.report.page import Island, StateFact, state_fact
from answerable.report.pictures import Picture, fitted, original
from answerable.report.verdicts import VerdictTable
from answerable.report.words import OUTCOME_SHORT, OUTCOME_WORDS

T = TypeVar("T")
#: Groups in one data file of a folder.
GROUPS_A_FILE = 20
#: Bytes of one reply that a page shows at most; the rest is in ``verdicts.parquet``.
MOST_TEXT, LEAST_TEXT = 6000, 200
#: A picture larger than this is reduced inside a page, even when there is room.
MOST_PICTURE = 160_000
#: What a folder of ours holds, so that no other folder is ever replaced.
MARKER = "answerable-report-files.txt"


class RunLabel(Record, frozen=True):
    """A run in the gallery."""

    name: str
    model: str
    control: str


class OutcomeLabel(Record, frozen=True):
    """An outcome in the gallery."""

    key: str
    short: str
    words: str


class Index(Record, frozen=True):
    """What the page's script reads first."""

    folder: str
    """Relative address of the folder with the details; empty when they are in the page."""
    groups_a_file: int
    runs: tuple[RunLabel, ...]
    states: tuple[StateFact, ...]
    outcomes: tuple[OutcomeLabel, ...]
    statuses: tuple[str, ...]
    whys: tuple[str, ...]
    marks: tuple[MarkWords, ...]
    entries: tuple[Entry, ...]


class Detail(Record, frozen=True):
    """A group of a data file."""

    card: Card
    pictures: tuple[str, ...]


class Packer:
    """Makes cards of groups.

    Args:
        scores: names the runs.
        table: their verdicts.
    """

    def __init__(self, scores: Scores, table: VerdictTable) -> None:
        self.scores, self.table = scores, table
        self.runs = {run.name: place for place, run in enumerate(scores.runs)}
        marks = table.marks()
        self._statuses = tuple(sorted({mark.status for mark in marks if mark.status}))
        self._whys = tuple(sorted({mark.why for mark in marks if mark.why}))
        self._marks = mark_words(marks, self.runs, OUTCOMES, self._statuses, self._whys)

    def card(
        self, group: Group, notes: Sequence[str], text_limit: int, outlined: Sequence[Box | None] = ()
    ) -> Card:  # fmt: skip
        """The details of a group."""
        return card(group, self.table.rows(group.id), self.runs, notes, text_limit, outlined)

    def entry(self, group: Group) -> Entry:
        """The group in the index."""
        return entry(group, self.table.rows(group.id), self.runs)

    def index(self, entries: Sequence[Entry], folder: str) -> Island:
        """The index island."""
        letters = {letter for found in entries for letter in found.states}
        index = Index(
            folder=quote(folder),
            groups_a_file=GROUPS_A_FILE,
            runs=tuple(RunLabel(name=run.name, model=run.model, control=run.control) for run in self.scores.runs),
            states=tuple(state_fact(letter) for letter in STATES if letter in letters),
            outcomes=tuple(
                OutcomeLabel(key=kind, short=OUTCOME_SHORT[kind], words=OUTCOME_WORDS[kind]) for kind in OUTCOMES
            ),
            statuses=tuple(word.replace("_", " ") for word in self._statuses),
            whys=tuple(clip(word.replace("_", " "), 80) for word in self._whys),
            marks=self._marks,
            entries=tuple(entries),
        )
        return Island(id="index", text=island(index))


def in_page(packer: Packer, groups: Sequence[Group], images: ImageStore, room: int) -> tuple[Island, ...]:
    """Islands that hold the groups in about ``room`` bytes: texts first, then pictures in what they leave.

    Raises:
        FingerprintError: an image is not the one that was built.
    """
    verdicts = sum(len(packer.table.marks_of(group.id)) for group in groups)
    text_limit = min(MOST_TEXT, max(LEAST_TEXT, room // 3 // max(1, verdicts)))
    entries = [packer.entry(group) for group in groups]
    views = sum(len(group.views) for group in groups)
    cards_without_notes = (packer.card(group, [""] * len(group.views), text_limit) for group in groups)
    texts = sum(len(island(found).encode()) for found in cards_without_notes)
    # A picture in base64 takes a third more; its note and quotes take some 200 bytes.
    left = room - texts - len(packer.index(entries, "").text.encode()) - 200 * views
    # A picture that several views of a group share is in the page once.
    sizes = [len(images.read(view.id)) for group in groups for view in different(group.views)]
    allowance = min(MOST_PICTURE, max(0, left) * 3 // 4 // max(1, len(sizes)))
    if sum(min(size, MOST_PICTURE) for size in sizes) * 4 // 3 <= left:
        allowance = MOST_PICTURE
    islands = [packer.index(entries, "")]
    for number, group in enumerate(groups):
        pictures = shared(in_order(group), lambda view: fitted(view, images.read(view.id), allowance))
        outlined = outlines(in_order(group), lambda view: images.read(view.id))
        found = packer.card(group, [picture.note for picture, _ in pictures], text_limit, outlined)
        islands.append(Island(id=f"card-{number}", text=island(found)))
        urls = [picture.url() if first == at else first for at, (picture, first) in enumerate(pictures)]
        islands.append(Island(id=f"pictures-{number}", text=island(urls)))
    return tuple(islands)


def different(views: Sequence[View]) -> list[View]:
    """The first view of each picture."""
    first: dict[str, View] = {}
    for view in views:
        first.setdefault(view.image_sha256, view)
    return list(first.values())


def shared(views: Sequence[View], make: Callable[[View], T]) -> list[tuple[T, int]]:
    """What is made of each view's picture, once for all that share it, and the place of the first of them."""
    made: dict[str, tuple[T, int]] = {}
    for place, view in enumerate(views):
        if view.image_sha256 not in made:
            made[view.image_sha256] = make(view), place
    return [made[view.image_sha256] for view in views]


def beside(
    packer: Packer, benchmark: Benchmark, split: str | None, folder: Path, wanted: set[str]
) -> tuple[Island, list[str]]:
    """Write every wanted group into a folder: original pictures and numbered data files.

    Returns the index island and the ids of the groups in it, in benchmark order.

    Raises:
        FingerprintError: an image is not the one that was built.
        InputError: the folder exists and is not one that this function wrote.
        StorageError: the disk refused a write; an older folder stays as it was.
    """
    entries: list[Entry] = []
    with _replacing(folder) as made:
        (made / "images").mkdir()
        batch: list[Detail] = []
        pictures = 0
        for group, images in _groups_with_images(benchmark, split, wanted):
            urls: list[str] = []
            notes = []
            found = shared(in_order(group), partial(_original, images=images))
            for at, (picture, first) in enumerate(found):
                notes.append(picture.note)
                if first < at or not picture.media:
                    urls.append(urls[first] if first < at else "")
                    continue
                pictures += 1
                name = f"images/{pictures:06d}.{picture.media}"
                (made / name).write_bytes(picture.data)
                urls.append(name)
            outlined = outlines(in_order(group), partial(_read, images=images))
            batch.append(Detail(card=packer.card(group, notes, 10 * MOST_TEXT, outlined), pictures=tuple(urls)))
            entries.append(packer.entry(group))
            if len(batch) == GROUPS_A_FILE:
                _write_data(made, len(entries), batch)
                batch = []
        if batch:
            _write_data(made, len(entries), batch)
    return packer.index(entries, folder.name), [found.id for found in entries]


def _read(view: View, images: Mapping[str, bytes]) -> bytes:
    return images[view.id]


def _original(view: View, images: Mapping[str, bytes]) -> Picture:
    return original(view, images[view.id])


def _write_data(folder: Path, last: int, batch: Sequence[Detail]) -> None:
    number = (last - 1) // GROUPS_A_FILE
    (folder / f"data-{number:05d}.js").write_bytes(f"answerableTake({number},{island(batch)});\n".encode())


def _groups_with_images(
    benchmark: Benchmark, split: str | None, wanted: set[str]
) -> Iterator[tuple[Group, dict[str, bytes]]]:
    bucket: list[Any] = []
    images: dict[str, bytes] = {}

    def whole() -> tuple[Group, dict[str, bytes]]:
        first = bucket[0]
        return Group(id=first.group, source=first.source, split=first.split, views=tuple(bucket)), images

    for view, image in benchmark.views_with_images(split):
        if bucket and bucket[0].group != view.group:
            yield whole()
            bucket, images = [], {}
        if view.group in wanted:
            bucket.append(view)
            images[view.id] = image
    if bucket:
        yield whole()


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Fill a private folder and put it in the place of ``folder`` only when all went well."""
    if folder.exists() and not (folder / MARKER).is_file():
        raise InputError(
            f"no folder {folder.name}, or one that an earlier report wrote", f"{folder}, which holds other things",
            fix="choose another --out, or move the folder away",
        )  # fmt: skip
    made: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        made.chmod(0o755)
        (made / MARKER).write_text("Pictures and data of the report beside this folder.\n", encoding="utf-8")
        yield made
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)
    except OSError as error:
        raise StorageError.from_os(error, folder) from error
    finally:
        if made is not None and made.exists():
            shutil.rmtree(made)
