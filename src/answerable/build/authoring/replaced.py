"""Controls with another picture (TUBench, "Comparison to Image Replacement"): OUA, SUA and RUA.

OUA is an unanswerable question on its own picture; RUA the same question on a random other picture of the benchmark;
SUA on one that is like its own, nearest by caption or by vector, or picked by hand. The views of one question are a
group, so the three are compared on the same questions.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from answerable.build.authoring.likeness import Likeness
from answerable.build.authoring.sheets import read_rows
from answerable.build.importers.items import Folder
from answerable.build.importers.writing import Plan, write
from answerable.build.sources.mcq import UnusableError, whole_image
from answerable.core.benchmark import Benchmark, ImageStore, Ledger, Manifest
from answerable.core.codec import digest, digest_bytes
from answerable.core.decisions import Decisions
from answerable.core.errors import BenchmarkError, SettingsError, SourceError
from answerable.core.records import Abstain, Evidence, Group, Record, Refusal, View
from answerable.core.seeds import Stream
from answerable.domains.draft import Draft
from answerable.domains.raster.images import inspect

#: The subsets; each view has its own as its ability, by which scores tell them apart.
OUA, SUA, RUA = "OUA", "SUA", "RUA"
_PARAGRAPH = """Nothing here is proved. `OUA` is a question on its own picture, as the source benchmark labels it;
`RUA` is the same question on another picture drawn at random, `SUA` on a picture like its own. Where nobody looked at
a picture that was put in, `evidence_level` is `derived`; the question could still be answerable on it."""


class ReplacedSettings(Record, frozen=True):
    """What decides every byte, together with the source, the files and the decisions."""

    random: bool
    """Whether there are RUA views."""
    similar: Literal["", "caption", "embedding", "picked"]
    """How SUA pictures are found; empty for none."""
    seed: int = 0
    source: str = ""
    """Fingerprint of the benchmark that the questions are from."""


class Picked(msgspec.Struct, frozen=True):
    """Pictures picked by hand."""

    images: Mapping[str, bytes]
    """By id of the view whose question is asked."""
    note: str
    """A line for the ledger."""


class _Picture(msgspec.Struct, frozen=True):
    """A picture of the source."""

    view: str
    """One that shows it, to read its bytes by."""
    pixels: str
    """Digest of what is seen."""


class Pictures:
    """The pictures of a benchmark, by the digest of their file.

    Args:
        images: where files lie that are named.

    Raises:
        FingerprintError: the benchmark was edited.
        BenchmarkError: a picture cannot be read.
    """

    def __init__(self, benchmark: Benchmark, images: Path | None = None) -> None:
        self._store: ImageStore = benchmark.images()
        self._folder = Folder(images) if images is not None else None
        self.known: dict[str, _Picture] = {}
        benchmark.verify(self._note)

    def _note(self, path: Path, _: int, view: View, data: bytes) -> None:
        if view.image_sha256 in self.known:
            return
        try:
            self.known[view.image_sha256] = _Picture(view.id, pixels_of(data))
        except UnusableError as error:
            got = f"{error.reason}: {error.detail}"
            raise BenchmarkError("pictures that can be read", got, where=f"{path}, view {view.id}") from error

    def read(self, image: str) -> bytes:
        """The file of a picture."""
        return self._store.read(self.known[image].view)

    def resolve(self, name: str) -> str | None:
        """The digest of the picture that a name in somebody's file means: its ``image_sha256``, or a file below
        ``--images``; None when it is none of the benchmark's.
        """
        if name in self.known:
            return name
        if self._folder is None:
            return None
        try:
            found = digest_bytes(self._folder.picture(name))
        except UnusableError:
            return None
        return found if found in self.known else None


def pixels_of(data: bytes) -> str:
    """A digest of what a picture shows, whatever kind of file it is in.

    Raises:
        UnusableError: it is no whole picture.
    """
    from PIL import Image

    with Image.open(io.BytesIO(whole_image(data))) as image:
        shown = image.convert("RGB")
        return digest_bytes(f"{shown.width}x{shown.height} ".encode() + shown.tobytes())


def read_picked(sheet: Path, benchmark: Benchmark, pictures: Pictures, images: Path | None) -> Picked:
    """Pictures picked by hand from a sheet with the columns view and image.

    Args:
        sheet: CSV, TSV, JSON or YAML.
        images: where its files are; None: beside it.

    Raises:
        SourceError: the sheet cannot be read, names a view that is no unanswerable question or is there twice, or a
            picture that is none.
    """
    folder = Folder(images or sheet.parent)
    asked = {view.id for view in benchmark.views() if _is_asked(view)}
    found: dict[str, bytes] = {}
    for row in read_rows(Folder(sheet.parent), sheet.name, ("view", "image"), ("note",)):
        view, image = row.cells.get("view", ""), row.cells.get("image", "")
        where = f"{sheet}, row {row.number}"
        if view not in asked or view in found:
            what = "a second time" if view in found else "no unanswerable question of the benchmark"
            raise SourceError("the id of an unanswerable view, once", f"view={view[:40]!r}, {what}", where=where)
        try:
            found[view] = pictures.read(image) if image in pictures.known else folder.picture(image)
        except UnusableError as error:
            raise SourceError(
                "a picture: an image_sha256 of the benchmark, or a file", f"{error.reason}: {error.detail}",
                where=where, fix="say where the files are: --images FOLDER",
            ) from error  # fmt: skip
    return Picked(found, f"picked by hand: {len(found)} pictures")


def _is_asked(view: View) -> bool:
    return view.state == "M" and isinstance(view.obligation, Abstain)


class Replacing:
    """What is put in the place of each picture.

    Args:
        similar: how SUA pictures are found; None for no SUA views.
        settings: what was asked for.
        decisions: of reviewers.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        pictures: Pictures,
        similar: Likeness | Picked | None,
        settings: ReplacedSettings,
        decisions: Decisions,
    ) -> None:
        if similar is None and not settings.random:
            raise SettingsError(
                "pictures to put in", "neither random nor similar ones", where="--random",
                fix="add --random, or one of --similar, --similar-embeddings and --picked",
            )  # fmt: skip
        self._benchmark, self._pictures, self._similar = benchmark, pictures, similar
        self._settings, self._decisions = settings, decisions
        self._looks = {image: one.pixels for image, one in pictures.known.items()}

    def drafts(self) -> Iterator[Draft | Refusal]:
        """A group for each unanswerable question, in the order of the source; a refusal where no picture is left."""
        for group in self._benchmark.groups():
            own = {view.image_sha256 for view in group.views}
            looks = {self._looks[image] for image in own}
            # Neither the group's pictures nor any that look the same.
            others = [image for image in sorted(self._looks) if self._looks[image] not in looks]
            for view in group.views:
                if _is_asked(view):
                    yield self._draft(view, others, looks)

    def _draft(self, view: View, others: list[str], looks: set[str]) -> Draft | Refusal:
        shown: list[tuple[str, bytes, str]] = []
        if self._similar is not None:
            found = self._like(self._similar, view, others, looks)
            if isinstance(found, Refusal):
                return found
            shown.append((SUA, *found))
            # One picture is not shown twice.
            others = [image for image in others if self._looks[image] != pixels_of(found[0])]
        if self._settings.random:
            if not others:
                return Refusal("no other picture", f"view {view.id}")
            image = Stream("replaced", self._settings.seed, view.id).pick(others)
            shown.append((RUA, self._pictures.read(image), "drawn at random"))
        return self._group(view, shown)

    def _like(
        self, similar: Likeness | Picked, view: View, others: list[str], looks: set[str]
    ) -> tuple[bytes, str] | Refusal:
        if isinstance(similar, Picked):
            data = similar.images.get(view.id)
            if data is None:
                return Refusal("no picture was picked", f"view {view.id}")
            if pixels_of(data) in looks:
                return Refusal("the picked picture is the question's own", f"view {view.id}")
            return data, "picked by hand"
        image = similar.nearest(view.image_sha256, others)
        if image is None:
            return Refusal("no similar picture", f"view {view.id}")
        return self._pictures.read(image), f"nearest by {similar.name}"

    def _group(self, view: View, shown: list[tuple[str, bytes, str]]) -> Draft:
        content = digest(["replaced", view.id, [[name, digest_bytes(data)] for name, data, _ in shown]])
        source = f"{view.source}-replaced"
        name = digest(["group", source, content])[:20]
        kept = self._decisions.on(name) == "keep"
        views = [_own(view, source, name)]
        views += [_replaced(view, source, name, *one, kept=kept) for one in shown]
        images = (self._pictures.read(view.image_sha256), *(data for _, data, _ in shown))
        return Draft(Group(name, source, view.split, tuple(views)), images, None, content)


def _own(view: View, source: str, group: str) -> View:
    level = view.evidence.level
    # A proof is bound to the group that it is of; here it is what the source says.
    evidence = Evidence(
        level="derived" if level in ("proved", "attested") else level,
        note=f"{OUA}: view {view.id}, {level} there; {view.ability or 'no strategy said'}; {view.evidence.note}",
    )
    return msgspec.structs.replace(
        view, id=_name(group, OUA), group=group, source=source, evidence=evidence, ability=OUA,
        figure=f"{source}-{view.image_sha256[:16]}", renderer="", program="", depth=0,
    )  # fmt: skip


def _replaced(view: View, source: str, group: str, subset: str, data: bytes, how: str, *, kept: bool) -> View:
    facts, mark = inspect(data), digest_bytes(data)
    looked = kept or how == "picked by hand"
    review = "kept in review" if kept else "" if looked else "; nobody looked"
    note = f"{subset}: another picture, {how}{'; ' if kept else ''}{review}"
    return msgspec.structs.replace(
        view, id=_name(group, subset), group=group, source=source, state="IVQD",
        obligation=Abstain(reason="incompatible_image"),
        evidence=Evidence(level="annotated" if looked else "derived", note=note),
        image_sha256=mark, width=facts.width, height=facts.height, ability=subset, figure=f"{source}-{mark[:16]}",
        renderer="", program="", depth=0, withheld="",
    )  # fmt: skip


def _name(group: str, subset: str) -> str:
    return digest(["view", group, subset])[:24]


def build(
    benchmark: Benchmark,
    replacing: Replacing,
    out: Path,
    *,
    settings: ReplacedSettings,
    notes: tuple[str, ...],
    name: str = "replaced",
    decisions: Decisions | None = None,
    on_kept: Callable[[], None] = lambda: None,
) -> tuple[Manifest, Ledger]:
    """Build the benchmark folder.

    Args:
        out: a new or empty folder.
        notes: lines for the ledger, on the files that were read.
        decisions: of reviewers; dropped and disputed groups are left out and counted.
        on_kept: called for every group kept, for progress.

    Raises:
        SettingsError: nothing was kept.
    """
    given = benchmark.manifest
    said = (f"questions of {given.name}, fingerprint {given.fingerprint}", *notes)
    plan = Plan(
        domain="replaced", source="replaced", settings=settings,
        groups=sum(map(_is_asked, benchmark.views())), drafts=replacing.drafts(), refused=(), notes=lambda: said,
        licence=given.licence, reader=given.reader, paragraph=_PARAGRAPH,
    )  # fmt: skip
    return write(plan, out, name=name, decisions=decisions, on_kept=on_kept)
