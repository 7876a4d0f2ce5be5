"""Pictures with outlined things: one hidden by masks, and questions whose answers outlines or captions give.

Outlines are COCO's annotations of photos, or those of a scene's things where they are seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from answerable.build.photo_benchmarks import photo_path
from answerable.build.sources.coco import Instances
from answerable.build.sources.mcq import read_bytes
from answerable.build.variations.occlude import (
    Candidate,
    Hidden,
    Occluding,
    choose,
    covered_by,
    draw_masks,
    framed,
    painted,
)
from answerable.build.variations.vary import Looks, Words, as_group, assemble, variant
from answerable.core.codec import decode, digest_bytes
from answerable.core.errors import SourceError
from answerable.core.records import Answer, Evidence, Group, Record, Refusal, View
from answerable.domains.draft import Draft
from answerable.domains.photo import coding
from answerable.domains.photo.outlines import mask_of
from answerable.domains.photo.pictures import MAX_FILE, read_photo

if TYPE_CHECKING:
    from answerable.domains.photo.pictures import Pixels

#: Ours; the same words for the framed photo and for the masked ones, so that they are one question.
BEHIND = "One region of this picture is marked. What kind of object is in the marked region?"
LARGEST = "Leave walls, sky and ground aside. Which kind of object takes up the most space in this picture?"
DESCRIBE = "Describe in two sentences the place and the things that this picture shows."
#: Other words for questions that are not about masks, ours too.
OTHER_WORDS = {
    LARGEST: (
        "Of all objects in this picture, not counting walls, sky and ground, which kind fills the largest area?",
        "What sort of object covers more of this picture than any other, walls, sky and ground aside?",
        "Name the kind of object that is largest by area in this picture; walls, sky and ground do not count.",
    ),
    DESCRIBE: (
        "In two sentences, say what this picture shows: the place, and the things in it.",
        "Which place and which things are in this picture? Tell it in two sentences.",
        "Write two sentences that describe the place and the things to be seen here.",
    ),
}
OCCLUDED, SCENES, THINGS, DESCRIBED = "coco-occluded", "scene-occluded", "coco-things", "coco-captions"
#: Share of the photo that the largest kind covers at least, and how many times as much as the next.
COVERS, BEYOND = Fraction(1, 10), 2


class Photo(Record, frozen=True):
    """One picture with what is outlined on it, sent to whoever makes a group of it."""

    path: str
    file: str
    width: int
    height: int
    things: tuple[Candidate, ...]
    split: str
    seed: int
    source: str = OCCLUDED
    """Of a group with masks."""
    data: bytes = b""
    """The picture itself, where it is no file."""


class HiddenWork(msgspec.Struct, frozen=True):
    """A photo, one thing of which is hidden."""

    photo: Photo
    occluding: Occluding


class LookedWork(msgspec.Struct, frozen=True):
    """A photo that is asked about as it is, and in other words and styles."""

    photo: Photo
    caption: str
    """Empty: the largest kind of thing is asked for."""
    words: tuple[Words, ...]
    looks: Looks


def photos_of(
    instances: Instances, folder: Path, split_of: dict[str, str], order: list[str], seed: int
) -> Iterator[Photo | Refusal]:
    """The photos, in this order, each with its outlines; a refusal for each that is not there."""
    for file in order:
        path = photo_path(folder, file)
        if isinstance(path, Refusal):
            yield path
            continue
        things, why = [], ""
        for thing in instances.on(file):
            number = int(thing.id)
            try:
                outline = instances.outline(number)
            except SourceError as error:
                why = f"{file[:60]}: {error.got:.60} ({error.where:.80})"
                continue
            things.append(Candidate(thing.id, thing.name, thing.box, outline, instances.crowd(number)))
        picture = instances.files[file]
        if why and not things:
            yield Refusal("an outline cannot be read", why)
            continue
        yield Photo(str(path), file, picture.width, picture.height, tuple(things), split_of[file], seed)


class _Caption(msgspec.Struct, frozen=True):
    id: int
    image_id: int
    caption: Annotated[str, msgspec.Meta(max_length=20_000)]


class _Captions(msgspec.Struct):
    annotations: tuple[_Caption, ...]


def read_captions(path: Path, instances: Instances) -> tuple[dict[str, str], str]:
    """One caption a photo, that of the smallest id; and a line for the ledger.

    Raises:
        SourceError: it is no file of COCO's captions, or has none of these photos.
    """
    data = read_bytes(path)
    try:
        found = decode(data.removeprefix(b"\xef\xbb\xbf"), _Captions)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SourceError("COCO's captions: an object with annotations", str(error)[:200], where=str(path)) from error
    names = {picture.id: name for name, picture in instances.files.items()}
    kept: dict[str, str] = {}
    for one in sorted(found.annotations, key=lambda one: one.id):
        text = " ".join(one.caption.split())
        if text and one.image_id in names:
            kept.setdefault(names[one.image_id], text)
    if not kept:
        raise SourceError("captions of the photos", "none of them", where=str(path))
    return kept, f"captions: {path.name} sha256={digest_bytes(data)}, of {len(kept)} photos"


def _pixels(photo: Photo) -> Pixels | Refusal:
    if photo.data:
        return read_photo(photo.data, photo.width, photo.height, photo.file)
    try:
        path = Path(photo.path)
        size = path.stat().st_size
        data = path.read_bytes() if size <= MAX_FILE else b""
    except OSError as error:
        return Refusal("the photo cannot be read", f"{photo.file}: {error.strerror}")
    if size > MAX_FILE:
        return Refusal("the photo's file is too large", f"{photo.file}: {size} bytes, of at most {MAX_FILE}")
    return read_photo(data, photo.width, photo.height, photo.file)


def hide(work: HiddenWork) -> Draft | Refusal:
    """The photo with a thing framed, and with it masked. Depends on its argument and the photo only."""
    photo, names = work.photo, (work.photo.file, work.photo.seed)
    hidden = choose(photo.things, photo.width, photo.height, work.occluding, names)
    if isinstance(hidden, Refusal):
        return hidden
    pixels = _pixels(photo)
    if isinstance(pixels, Refusal):
        return pixels
    thing, box = hidden.thing, hidden.box
    where = f"{thing.name} (outline {thing.id}), {box.left},{box.top} {box.width}x{box.height}"
    about = (
        f"{where}, {hidden.share:.3f} of the photo by its outline; others of its name there: {_alike(photo, hidden)}"
    )
    full = _view(photo.source, photo, BEHIND, thing.name, f"framed, nothing hidden: {about}")
    made = [_shown(full, framed(pixels, box))]
    total = int(hidden.outline.sum())
    for mask in draw_masks(hidden, work.occluding, names):
        over = covered_by(mask, photo.width, photo.height)
        if isinstance(over, Refusal):
            return Refusal(over.reason, f"{photo.file}: {over.detail}")
        many = "a line" if mask.lines == 1 else f"{mask.lines} lines"
        hides = int((hidden.outline & over).sum()) / total
        note = (
            f"masked by {many} {mask.direction} a {mask.color} {mask.shape}, {hides:.3f} of the outline hidden; the "
            "label says what is there, the rest of the photo need not"
        )
        made.append(_shown(variant(full, "occlude", mask.kinds(), note), painted(pixels, over, mask.color)))
    return as_group(photo.file, photo.source, photo.split, made)


def _alike(photo: Photo, hidden: Hidden) -> int:
    return sum(thing.name == hidden.thing.name for thing in photo.things) - 1


def look(work: LookedWork) -> Draft | Refusal:
    """The photo with a question whose answer its outlines or its caption give."""
    photo = work.photo
    if work.caption:
        source, question, answer = DESCRIBED, DESCRIBE, work.caption
        note = "the reference is a caption of COCO, one of many that would do"
    else:
        found = _largest(photo)
        if isinstance(found, Refusal):
            return found
        source, question, (answer, note) = THINGS, LARGEST, found
    pixels = _pixels(photo)
    if isinstance(pixels, Refusal):
        return pixels
    original = _shown(_view(source, photo, question, answer, note), pixels)
    group = Group(id=photo.file, source=source, split=photo.split, views=())
    return assemble(group, [original], {question: work.words}, work.looks)


def _largest(photo: Photo) -> tuple[str, str] | Refusal:
    """The kind of thing whose outlines cover most of a photo, if that is clear, and how clear it is."""
    import numpy as np

    covered: dict[str, object] = {}
    areas: dict[str, int] = {}
    try:
        for thing in photo.things:
            mask = mask_of(thing.outline, photo.width, photo.height, f"annotation {thing.id}")
            covered[thing.name] = np.asarray(covered.get(thing.name, False)) | mask
            areas[thing.name] = int(np.asarray(covered[thing.name]).sum())
    except SourceError as error:
        return Refusal("an outline cannot be read", f"{photo.file}: {error.got:.80} ({error.where:.120})")
    ranked = sorted(areas.items(), key=lambda one: (-one[1], one[0]))
    first, second = (*ranked, ("nothing", 0), ("nothing", 0))[:2]
    whole = photo.width * photo.height
    shares = f"{first[0]} {first[1] / whole:.3f} of the photo, {second[0]} {second[1] / whole:.3f}"
    if first[1] < COVERS * whole or first[1] < BEYOND * second[1]:
        return Refusal("no kind of thing stands out", f"{photo.file}: {shares}")
    return first[0], f"by outlines, of the kinds that COCO knows: {shares}"


def _view(source: str, photo: Photo, question: str, answer: str, note: str) -> View:
    return View(
        id="", group="", source=source, split=photo.split, figure=photo.file, state="F", question=question,
        obligation=Answer(answer, "text"), evidence=Evidence(level="derived", note=note), image_sha256="",
        width=photo.width, height=photo.height,
    )  # fmt: skip


def _shown(view: View, pixels: Pixels) -> tuple[View, bytes]:
    data = coding.encode(pixels)
    return msgspec.structs.replace(view, image_sha256=digest_bytes(data)), data
