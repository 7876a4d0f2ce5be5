"""Benchmarks of photos: questions with boxes to groups, in this process or many, and from a recipe.

What to mask is decided from boxes, before any photo is opened; photos are read, masked and written by the workers.
Everything is settled in the order of the questions, so the bytes never depend on who worked when.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from answerable.build.asking import FREE
from answerable.build.assembly import Job, Tally, check_counts, new_manifest, split_of
from answerable.build.photo_card import card
from answerable.build.recipes import FORMAT, KIND, Header, Line, Pictures, libraries, write_recipe
from answerable.core.benchmark import BenchmarkWriter, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.errors import InputError, SettingsError, SourceError
from answerable.core.files import inside
from answerable.core.records import Group, Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.photo.asked import PLACE, PLACES, Asked
from answerable.domains.photo.pictures import MAX_FILE
from answerable.domains.photo.planning import Edits, Masking, check_masking, plan
from answerable.domains.photo.states import Request, Split, make_group
from answerable.exec import Executor


class PhotoSource(Protocol):
    """Questions that rest on boxes."""

    name: str
    """Of the groups it gives, for example ``photo-gqa``."""
    licence: str

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger: files with digests."""
        ...

    def ids(self) -> tuple[str, ...]:
        """Every question, in a fixed order."""
        ...

    def asked(self, id: str, *, checked: bool = True) -> Asked | Refusal:
        """A question, or why it cannot be used; ``checked``: whether its answer is held against the source."""
        ...

    def audit(self, asked: Asked, edits: Edits) -> Edits | Refusal:
        """The edits with what the source knows besides boxes, or why they will not do."""
        ...


class PhotoSettings(Record, frozen=True):
    """What decides every byte, together with the files."""

    groups: int
    """Groups of the test split."""
    seed: int = 0
    """Of the order of the questions, the splits and the ids."""
    train_groups: int = 0
    per_photo: int = 1
    """Questions tried on one photo, at most."""
    masking: Masking = Masking()


def check_settings(settings: PhotoSettings) -> None:
    """Refuse settings that cannot be met.

    Raises:
        SettingsError: naming the flag.
    """
    check_counts(settings.groups, settings.train_groups)
    if settings.per_photo < 1:
        raise SettingsError("at least one group a photo", f"per_photo={settings.per_photo}", where="--per-photo")
    check_masking(settings.masking)


class Work(msgspec.Struct, frozen=True):
    """One group to make, sent to whoever does it."""

    request: Request
    path: str
    """Of the photo."""
    photo_sha256: str = ""
    """What the photo's digest must be; empty for any."""


class Made(msgspec.Struct, frozen=True):
    """A group with what its recipe needs."""

    draft: Draft
    asked: Asked
    edits: Edits
    photo_sha256: str

    def line(self) -> Line:
        """The group's line of a recipe."""
        group, asked = self.draft.group, self.asked
        marks = {view.state: view.image_sha256 for view in group.views}
        return Line(
            question=asked.id, photo=asked.photo, file=asked.file, photo_sha256=self.photo_sha256,
            split="train" if group.split == "train" else "test", checked=asked.checked, edits=self.edits,
            pictures=Pictures(F=marks["F"], S=marks["S"], M=marks["M"]), views=views_digest(group),
        )  # fmt: skip


def views_digest(group: Group) -> str:
    """Of a group's views, in order."""
    return digest([group.id, group.views])


def attempt(work: Work) -> Made | Refusal:
    """Read the photo and make the group. Depends on its argument and the photo only."""
    asked = work.request.asked
    try:
        path = Path(work.path)
        size = path.stat().st_size
        data = path.read_bytes() if size <= MAX_FILE else b""
    except OSError as error:
        return Refusal(reason="the photo cannot be read", detail=f"{asked.file}: {error.strerror}")
    if size > MAX_FILE:
        return Refusal(
            reason="the photo's file is too large", detail=f"{asked.file}: {size} bytes, of at most {MAX_FILE}"
        )
    mark = digest_bytes(data)
    if work.photo_sha256 not in ("", mark):
        return Refusal(reason="another photo", detail=mark)
    draft = make_group(work.request, data)
    return draft if isinstance(draft, Refusal) else Made(draft, asked, work.request.edits, mark)


def _attempt(job: Job | Refusal) -> tuple[Job | None, Made | Refusal]:
    if isinstance(job, Refusal):
        return None, job
    return Job(job.split, job.figure, None), attempt(job.work)


def jobs(settings: PhotoSettings, source: PhotoSource, photos: Path) -> Iterator[Job | Refusal]:
    """Groups to try, in an order drawn by the seed; a refusal for each question that gives none."""
    ids = list(source.ids())
    Stream("photo-order", settings.seed).shuffle(ids)
    turns: Counter[str] = Counter()
    for name in ids:
        asked = source.asked(name)
        if isinstance(asked, Refusal):
            yield asked
            continue
        if turns[asked.photo] >= settings.per_photo:
            yield Refusal(reason="the photo has its questions", detail=f"{name}: photo {asked.photo}")
            continue
        edits = plan(asked, settings.masking)
        if isinstance(edits, Edits):
            edits = source.audit(asked, edits)
        if isinstance(edits, Refusal):
            yield edits
            continue
        path = photo_path(photos, asked.file)
        if isinstance(path, Refusal):
            yield path
            continue
        turns[asked.photo] += 1
        split = split_of(asked.photo, settings.seed, settings.groups, settings.train_groups)
        request = Request(source=source.name, split=_split(split), asked=asked, edits=edits, seed=settings.seed)
        yield Job(split, asked.photo, Work(request, str(path)))


def _split(name: str) -> Split:
    return "train" if name == "train" else "test"


def photo_path(photos: Path, file: str) -> Path | Refusal:
    """Where a photo lies."""
    try:
        path = inside(photos, file)
        there = path.is_file()
    except InputError:
        return Refusal(reason="the photo lies outside the folder", detail=repr(file[:80]))
    except (OSError, ValueError):
        there = False
    return path if there else Refusal(reason="no photo", detail=file[:80])


def check_photos(photos: Path) -> None:
    """Refuse a folder that is none.

    Raises:
        SourceError: it is not there.
    """
    if not photos.is_dir():
        raise SourceError("a folder of photos", f"{photos}, which is not there", where="--images")


class Gathered:
    """What is kept of every group, for the ledger and the recipe."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._pairs: list[tuple[float, float, float]] = []
        self._counts: Counter[str] = Counter()

    def add(self, made: Made) -> None:
        """Count a group."""
        self.lines.append(made.line())
        asked, edits = made.asked, made.edits
        self._pairs += [(pair.size_ratio, pair.aspect_ratio, pair.distance) for pair in edits.pairs]
        self._counts[asked.checked] += 1
        self._counts["place"] += asked.ability == PLACE
        self._counts["boolean"] += asked.boolean
        self._counts["twins"] += edits.twins > 0

    def notes(self) -> tuple[str, ...]:
        """Lines for the ledger."""
        count, total = self._counts, len(self.lines)
        unsure = f"not executable {count['not executable']}, no program {count['no program']} (false is refused)"
        photos = sorted({(line.file, line.photo_sha256) for line in self.lines})
        return (
            f"photos of kept groups: {len(photos)} files sha256={digest(photos)}",
            f"kept answers, by their programs run on the scene graphs: checked true {count['agrees']}, {unsure}",
            f"kept groups by answer: yes or no {count['boolean']} of {total}; {', '.join(PLACES)} {count['place']}",
            f"kept groups in which another thing of a masked one's name stays visible: {count['twins']} of {total}",
            *self._matching(),
        )

    def _matching(self) -> Iterator[str]:
        if self._pairs:
            sizes, aspects, distances = zip(*self._pairs, strict=True)
            said = (
                f"{what} median {statistics.median(found):.3f}, worst {max(found):.3f}"
                for what, found in (("areas", sizes), ("aspect ratios", aspects), ("distance", distances))
            )
            yield f"masks of S beside those of M, {len(self._pairs)} pairs: {'; '.join(said)}"


def build(
    settings: PhotoSettings,
    source: PhotoSource,
    photos: Path,
    out: Path,
    executor: Executor,
    *,
    name: str = "photos",
    recipe: Path | None = None,
    licence: str = "",
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder.

    Args:
        out: a new or empty folder.
        recipe: a file to write the benchmark's recipe to, besides.
        licence: of the groups; empty for the source's.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept, or the settings cannot be met.
        SourceError: there is no folder of photos.
    """
    check_settings(settings)
    check_photos(photos)
    tally, gathered = Tally(settings.groups, settings.train_groups), Gathered()
    with BenchmarkWriter(out) as writer:
        for job, result in executor.map(_attempt, jobs(settings, source, photos)):
            if tally.full():
                break
            draft = tally.settle(job, result.draft if isinstance(result, Made) else result)
            if draft is not None and isinstance(result, Made):
                writer.add(draft.group, draft.images, None)
                gathered.add(result)
                on_kept()
        if not writer.groups:
            raise _nothing(tally)
        notes = (*source.describe(), *gathered.notes())
        manifest = new_manifest(
            name, {"photo": settings, "source": notes}, licence or source.licence,
            prompt=FREE.prompt, reader=FREE.reader, metrics=FREE.metrics,
        )  # fmt: skip
        ledger = tally.ledger(source.name, notes)
        finished = writer.finish(manifest, ledger, card(manifest, ledger, writer))
    if recipe is not None:
        header = Header(KIND, FORMAT, source.name, settings.seed, finished, ledger, libraries())
        write_recipe(recipe, header, gathered.lines)
    return finished, ledger


def _nothing(tally: Tally) -> SettingsError:
    return SettingsError(
        "questions and photos that give at least one group",
        f"none; refused: {dict(sorted(tally.refused.items())) or 'nothing was there'}",
        fix="see the reasons; 'answerable build photo --help' says what is needed",
    )
