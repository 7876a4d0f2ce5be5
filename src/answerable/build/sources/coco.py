"""Instances of COCO: boxes and outlines of things on photos, and a sheet of questions that rest on some of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec

from answerable.build.authoring.sheets import Row, read_rows
from answerable.build.importers.items import Folder, worded
from answerable.build.sources.mcq import UnusableError, folded, read_bytes, refused
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Refusal
from answerable.domains.photo.asked import Asked
from answerable.domains.photo.boxes import Box
from answerable.domains.photo.graph import MAX_SIDE, Name, Side, Thing
from answerable.domains.photo.outlines import Outline, Polygon, Polygons, RunLengths, Runs, hidden_share, mask_of
from answerable.domains.photo.planning import Edits, Masking

if TYPE_CHECKING:
    from answerable.domains.photo.outlines import Mask

NEEDED, KNOWN = ("image", "question", "answer", "instances"), ("id",)
_SPLIT = re.compile(r"[\s,;]+")
Length = Annotated[float, msgspec.Meta(ge=-MAX_SIDE, le=MAX_SIDE)]


class _Picture(msgspec.Struct, frozen=True):
    id: int
    file_name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    width: Side
    height: Side


class _Category(msgspec.Struct, frozen=True):
    id: int
    name: Name


class Instance(msgspec.Struct, frozen=True):
    """One thing on one photo."""

    id: int
    image_id: int
    category_id: int
    bbox: tuple[Length, Length, Length, Length]
    """Left, top, width and height, in pixels."""
    segmentation: msgspec.Raw
    iscrowd: int = 0
    """1 for an outline around many things."""

    @property
    def box(self) -> Box:
        """The whole pixels that the box touches."""
        left, top, width, height = self.bbox
        x, y = math.floor(left), math.floor(top)
        # A box without width or height touches nothing, wherever it lies.
        wide = math.ceil(left + width) - x if width > 0 else 0
        high = math.ceil(top + height) - y if height > 0 else 0
        return Box(left=x, top=y, width=wide, height=high)


class _File(msgspec.Struct):
    images: tuple[_Picture, ...]
    annotations: tuple[Instance, ...]
    categories: tuple[_Category, ...]


class _Written(msgspec.Struct):
    size: tuple[int, int]
    counts: str | Runs


class _Outlined(msgspec.Struct):
    of: tuple[Polygon, ...] | _Written


T = TypeVar("T", _Picture, _Category, Instance)


class Instances:
    """A file of instances.

    Raises:
        SourceError: it is no such file, names something twice, or an instance is of no photo or category.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        data = read_bytes(path)
        self._line = f"instances: {path.name} sha256={digest_bytes(data)}"
        try:
            file = decode(data.removeprefix(b"\xef\xbb\xbf"), _File)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            expected = "COCO's instances: an object with images, annotations and categories"
            raise SourceError(expected, str(error)[:200], where=str(path)) from error
        self._pictures = self._by_id(file.images, "images")
        self._names = {one.id: one.name for one in self._by_id(file.categories, "categories").values()}
        self._instances = self._by_id(file.annotations, "annotations")
        self.files = {picture.file_name: picture for picture in self._pictures.values()}
        if len(self.files) < len(self._pictures):
            raise SourceError("every file name once", "one for several images", where=f"{path}: images")
        self._on: dict[int, list[Instance]] = {}
        for one in self._instances.values():
            if one.image_id not in self._pictures or one.category_id not in self._names:
                got = f"image_id={one.image_id} category_id={one.category_id}"
                raise SourceError("an instance of an image and a category", got, where=f"{path}: annotation {one.id}")
            self._on.setdefault(one.image_id, []).append(one)

    def _by_id(self, found: Iterable[T], what: str) -> dict[int, T]:
        kept: dict[int, T] = {}
        for one in found:
            if kept.setdefault(one.id, one) is not one:
                raise SourceError("every id once", f"two of id {one.id}", where=f"{self._path}: {what}")
        return kept

    def describe(self) -> str:
        """A line for the ledger."""
        return self._line

    def ids(self) -> tuple[int, ...]:
        """Of every instance, in the order of the file."""
        return tuple(self._instances)

    def on(self, file: str) -> tuple[Thing, ...]:
        """The things on a photo, in the order of the file."""
        every = self._on.get(self.files[file].id, [])
        return tuple(Thing(id=str(one.id), name=self._names[one.category_id], box=one.box) for one in every)

    def crowd(self, instance: int) -> bool:
        """Whether an instance is many things outlined together."""
        return self._instances[instance].iscrowd != 0

    def outline(self, instance: int) -> Outline:
        """The outline of an instance.

        Raises:
            SourceError: it has none, or one in COCO's compressed form.
        """
        one = self._instances[instance]
        where = f"{self._path.name}: annotation {instance}"
        try:
            found = decode(b'{"of":' + bytes(one.segmentation) + b"}", _Outlined)
        except msgspec.DecodeError as error:
            raise SourceError("polygons, or runs of pixels", str(error)[:160], where=where) from error
        of = found.of
        if isinstance(of, tuple):
            if not of:
                raise SourceError("polygons, or runs of pixels", "none", where=where)
            return Polygons(lines=of)
        if isinstance(of.counts, str):
            raise SourceError(
                "runs of pixels as a list of numbers", "a compressed text", where=where,
                fix="write counts as a list; 'pycocotools' decodes the compressed form",
            )  # fmt: skip
        height, width = of.size
        return RunLengths(width=width, height=height, counts=of.counts)

    def mask_of(self, instance: int) -> Mask:
        """The pixels of an instance on its photo; shape (height, width), bool.

        Raises:
            SourceError: its outline cannot be read.
        """
        picture = self._pictures[self._instances[instance].image_id]
        where = f"{self._path.name}: annotation {instance}"
        return mask_of(self.outline(instance), picture.width, picture.height, where)


class CocoSource:
    """A sheet of questions, each with the instances that its answer rests on.

    Args:
        sheet: CSV, TSV, JSON or YAML with the columns image, question, answer, instances (ids, with spaces, commas or
            semicolons between them) and, if you like, id.
        instances: COCO's file.
        masking: bounds, for the audit of outlines.

    Raises:
        SourceError: a file cannot be read.
    """

    name = "photo-coco"
    licence = "CC-BY-4.0 (annotations of COCO); questions unstated; photos under their own terms (Flickr)"

    def __init__(self, sheet: Path, instances: Path, masking: Masking) -> None:
        self._masking = masking
        self._instances = Instances(instances)
        if not sheet.is_file():
            raise SourceError("a sheet of questions", f"{sheet}, which is not there", where="--questions")
        beside = Folder(sheet.parent)
        rows = read_rows(beside, sheet.name, NEEDED, KNOWN)
        self._lines = (*(f"sheet: {line}" for line in beside.describe()), self._instances.describe())
        self._rows: dict[str, Row] = {}
        self._answers: dict[tuple[str, str], set[str]] = {}
        for row in rows:
            name = row.cells.get("id", "")[:200] or f"row {row.number}"
            if self._rows.setdefault(name, row) is not row:
                raise SourceError("every id once", f"two of {name[:60]!r}", where=str(sheet))
            mark = (row.cells.get("image", ""), folded(row.cells.get("question", "")))
            self._answers.setdefault(mark, set()).add(folded(row.cells.get("answer", "")))

    def describe(self) -> tuple[str, ...]:
        """Lines for the ledger."""
        return self._lines

    def ids(self) -> tuple[str, ...]:
        """Every question, in the order of the sheet."""
        return tuple(self._rows)

    def asked(self, id: str, *, checked: bool = True) -> Asked | Refusal:
        """A question, or why it cannot be used; see ``GqaSource.asked``."""
        if id not in self._rows:
            return Refusal(reason="no such question", detail=id[:60])
        try:
            found = self._read(id, self._rows[id])
        except UnusableError as error:
            return refused(id, error)
        if checked and len(self._answers[(found.file, folded(found.question))]) > 1:
            return Refusal(reason="one question with two answers", detail=id[:60])
        return found

    def _read(self, id: str, row: Row) -> Asked:
        file = worded(row.cells.get("image"), "image")
        if file not in self._instances.files:
            raise UnusableError("the photo is not among the instances", repr(file[:60]))
        picture = self._instances.files[file]
        answer = worded(row.cells.get("answer"), "answer")
        wanted = tuple(dict.fromkeys(each for each in _SPLIT.split(row.cells.get("instances", "")) if each))
        things = {thing.id: thing for thing in self._instances.on(file)}
        lacking = [each for each in wanted if each not in things]
        if lacking:
            raise UnusableError("an instance is not on the photo", f"{', '.join(lacking[:3])[:80]} on {file[:60]}")
        return Asked(
            id=id, photo=file, file=file, width=picture.width, height=picture.height,
            question=worded(row.cells.get("question"), "question"), answer=answer,
            boolean=answer.casefold() in ("yes", "no"), needed=tuple(things[each] for each in wanted),
            others=tuple(thing for each, thing in things.items() if each not in wanted),
        )  # fmt: skip

    def audit(self, asked: Asked, edits: Edits) -> Edits | Refusal:
        """The edits with shares of outlines for shares of boxes, or why they will not do."""
        try:
            masks = [self._instances.mask_of(int(thing.id)) for thing in asked.needed]
        except SourceError as error:
            return Refusal(
                reason="an outline cannot be read", detail=f"{asked.id}: {error.got:.80} ({error.where:.120})"
            )
        least = min(hidden_share(mask, edits.missing) for mask in masks)
        touched = max(hidden_share(mask, edits.same) for mask in masks)
        if least < self._masking.hidden:
            return Refusal(reason="M leaves part of an outline visible", detail=f"{asked.id}: hides {least:.2f}")
        if touched > self._masking.touched:
            return Refusal(reason="S hides what is needed", detail=f"{asked.id}: {touched:.2f} of an outline")
        return msgspec.structs.replace(edits, least=least, touched=touched)
