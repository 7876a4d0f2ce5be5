"""What to mask: in M the boxes that an answer rests on, in S as many others, alike in size, shape and place.

The paper matches "size, aspect ratio and position" by a heuristic and says no more of it (section 3.1). Ours: every
mask of M is paired with the box of one other thing, the closest pair first, by the product of the ratio of areas, the
ratio of aspect ratios and one plus the distance of the middles as a share of the photo's diagonal. A pair has bounds;
a question without a pair for each mask is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from answerable.core.errors import SettingsError
from answerable.core.records import Record, Refusal
from answerable.domains.photo.asked import Asked
from answerable.domains.photo.boxes import Box, clipped, covered, union_area, within
from answerable.domains.photo.graph import Thing, one_of

Twins = Literal["refuse", "flag"]
#: A box is cut at the photo's edge when this share of it lies on the photo, and refused otherwise.
INSIDE = Fraction(9, 10)
#: A box is not masked for itself when another mask hides this share of it.
NESTED = Fraction(19, 20)
MAX_MASKS = 12


class Masking(Record, frozen=True):
    """Bounds of what is masked."""

    twins: Twins = "refuse"
    """What becomes of a question when other things of a masked one's name stay visible."""
    size_ratio: float = 2.0
    """The larger area of a pair over the smaller one, at most."""
    aspect_ratio: float = 2.0
    """The larger aspect ratio of a pair over the smaller one, at most."""
    distance: float = 0.5
    """Between the middles of a pair, as a share of the photo's diagonal, at most."""
    largest: float = 0.5
    """The share of the photo that the masks of one view hide together, at most."""
    smallest: int = 8
    """The shorter side of a mask, in pixels, at least."""
    margin: int = 0
    """Pixels by which every mask, of S and of M, reaches beyond its box; boxes are often drawn a little tight."""
    hidden: float = 0.9
    """A thing is out of sight when masks hide this share of its box."""
    touched: float = 0.05
    """The share of a needed box that S may hide."""


class Pair(Record, frozen=True):
    """A mask of M and the mask of S that stands for it."""

    needed: str
    """Id of the thing that M masks."""
    other: str
    """Id of the thing that S masks."""
    size_ratio: float
    """The larger area over the smaller."""
    aspect_ratio: float
    """The larger aspect ratio over the smaller."""
    distance: float
    """Between the middles, as a share of the photo's diagonal."""


class Edits(Record, frozen=True):
    """The masks of a group, and how well they fit."""

    missing: Annotated[tuple[Box, ...], msgspec.Meta(min_length=1, max_length=MAX_MASKS)]
    """Masks of M, on the photo."""
    same: Annotated[tuple[Box, ...], msgspec.Meta(min_length=1, max_length=MAX_MASKS)]
    """Masks of S, on the photo."""
    pairs: tuple[Pair, ...] = ()
    least: float = 1.0
    """The smallest share of a needed thing's box, or outline, that M hides."""
    twins: int = 0
    """Other things of a needed one's name that M leaves visible."""
    touched: float = 0.0
    """The largest share of a needed thing's box that S hides."""


def check_masking(masking: Masking) -> None:
    """Refuse bounds that mean nothing.

    Raises:
        SettingsError: naming the flag.
    """
    if masking.twins not in ("refuse", "flag"):
        raise SettingsError("refuse or flag", repr(masking.twins), where="--twins")
    for name in ("size_ratio", "aspect_ratio"):
        if not 1 <= getattr(masking, name) <= 1000:
            raise SettingsError(
                "a ratio of 1 or more", repr(getattr(masking, name)), where=f"--{name}".replace("_", "-")
            )
    for name in ("distance", "largest", "hidden", "touched"):
        if not 0 <= getattr(masking, name) <= 1:
            raise SettingsError("a share between 0 and 1", repr(getattr(masking, name)), where=f"--{name}")
    if masking.smallest < 1:
        raise SettingsError("at least one pixel", repr(masking.smallest), where="--smallest")
    if not 0 <= masking.margin <= 1000:
        raise SettingsError("0 to 1000 pixels", repr(masking.margin), where="--margin")


def plan(asked: Asked, masking: Masking) -> Edits | Refusal:
    """The masks of a question's group, or why it can have none. Looks at boxes only, not at the photo."""
    boxes = _needed(asked, masking)
    if isinstance(boxes, Refusal):
        return boxes
    missing = tuple(boxes.values())
    twins = visible_twins(asked, missing, masking)
    if twins and masking.twins == "refuse":
        names = ", ".join(sorted({thing.name for thing in twins}))
        return Refusal(reason="another thing of the name stays visible", detail=f"{asked.id}: {len(twins)} {names:.80}")
    pairs = _paired(asked, boxes, masking)
    if isinstance(pairs, Refusal):
        return pairs
    others = {thing.id: thing for thing in asked.others}
    same = tuple(_mask(asked, others[pair.other], masking) for pair in pairs)
    return _audited(asked, masking, Edits(missing=missing, same=same, pairs=tuple(pairs), twins=len(twins)))


def _audited(asked: Asked, masking: Masking, edits: Edits) -> Edits | Refusal:
    """The edits with what they hide, or why that is too much."""
    for masks in (edits.missing, edits.same):
        share = union_area(masks) / (asked.width * asked.height)
        if share > masking.largest:
            return Refusal(reason="the masks hide too much", detail=f"{asked.id}: {share:.2f} of the photo")
    touched = max(covered(_cut(asked, thing), edits.same) for thing in asked.shown)
    if touched > masking.touched:
        return Refusal(reason="S hides what is needed", detail=f"{asked.id}: {float(touched):.2f} of a box")
    least = min(covered(_cut(asked, thing), edits.missing) for thing in asked.needed)
    return msgspec.structs.replace(edits, touched=float(touched), least=float(least))


def _cut(asked: Asked, thing: Thing) -> Box:
    return clipped(thing.box, asked.width, asked.height)


def _mask(asked: Asked, thing: Thing, masking: Masking) -> Box:
    """What hides a thing."""
    box, more = thing.box, masking.margin
    grown = Box(left=box.left - more, top=box.top - more, width=box.width + 2 * more, height=box.height + 2 * more)
    return clipped(grown, asked.width, asked.height)


def _needed(asked: Asked, masking: Masking) -> dict[str, Box] | Refusal:
    """The masks of M by the id of their thing; those that another one hides are left out."""
    if not asked.needed:
        return Refusal(reason="nothing to mask", detail=f"{asked.id}: the program names no object")
    for thing in asked.needed:
        where = f"{asked.id}: {thing.name[:40]} ({thing.id[:40]})"
        if not thing.box.area:
            return Refusal(reason="a box holds no pixel", detail=where)
        if within(thing.box, asked.width, asked.height) < INSIDE:
            return Refusal(reason="a box lies outside the photo", detail=where)
    boxes = {thing.id: _mask(asked, thing, masking) for thing in asked.needed}
    kept: dict[str, Box] = {}
    for key, box in sorted(boxes.items(), key=lambda item: -item[1].area):
        if covered(box, list(kept.values())) < NESTED:
            kept[key] = box
    boxes = {key: box for key, box in boxes.items() if key in kept}
    if any(min(box.width, box.height) < masking.smallest for box in boxes.values()):
        return Refusal(reason="a box is too small", detail=f"{asked.id}: a side below {masking.smallest} pixels")
    if len(boxes) > MAX_MASKS:
        return Refusal(reason="too many boxes", detail=f"{asked.id}: {len(boxes)} of at most {MAX_MASKS}")
    return boxes


def visible_twins(asked: Asked, masks: Sequence[Box], masking: Masking) -> tuple[Thing, ...]:
    """Other things of a needed one's name that the masks leave visible: the answer may come from them."""
    called = asked.called
    return tuple(
        thing
        for thing in asked.others
        if one_of(thing.name) in called and (box := _cut(asked, thing)).area and covered(box, masks) < masking.hidden
    )


def fit(one: Box, other: Box, width: int, height: int) -> tuple[float, float, float]:
    """Ratio of areas, ratio of aspect ratios (both 1 or more), and distance of the middles by the diagonal."""
    size = max(one.area, other.area) / min(one.area, other.area)
    this, that = one.width * other.height, one.height * other.width
    across = (2 * one.left + one.width) - (2 * other.left + other.width)
    down = (2 * one.top + one.height) - (2 * other.top + other.height)
    # Square roots and quotients are rounded alike everywhere.
    return size, max(this, that) / min(this, that), math.sqrt((across**2 + down**2) / (4 * (width**2 + height**2)))


def _candidates(asked: Asked, masking: Masking) -> Iterator[tuple[str, Box]]:
    """Masks that S may have: on nothing that the question could mean, and hiding nothing that is needed."""
    called = asked.called
    shown = [box for thing in asked.shown if (box := _cut(asked, thing)).area]
    for thing in asked.others:
        box = _mask(asked, thing, masking)
        if (
            thing.id not in asked.spoken
            and one_of(thing.name) not in called
            and within(thing.box, asked.width, asked.height) >= INSIDE
            and min(box.width, box.height) >= masking.smallest
            and all(covered(one, [box]) <= masking.touched for one in shown)
        ):
            yield thing.id, box


def _paired(asked: Asked, boxes: dict[str, Box], masking: Masking) -> list[Pair] | Refusal:
    """A partner for every mask of M, in the order of the masks."""
    ranked = []
    others = list(_candidates(asked, masking))
    for key, box in boxes.items():
        for other, partner in others:
            size, aspect, distance = fit(box, partner, asked.width, asked.height)
            if size <= masking.size_ratio and aspect <= masking.aspect_ratio and distance <= masking.distance:
                ranked.append((size * aspect * (1 + distance), key, other, size, aspect, distance))
    found: dict[str, Pair] = {}
    used: set[str] = set()
    for _, key, other, size, aspect, distance in sorted(ranked):
        if key not in found and other not in used:
            used.add(other)
            found[key] = Pair(needed=key, other=other, size_ratio=size, aspect_ratio=aspect, distance=distance)
    if len(found) < len(boxes):
        lacking = f"{asked.id}: {len(boxes) - len(found)} of {len(boxes)} masks, {len(others)} candidates"
        return Refusal(reason="no box matches a mask", detail=lacking)
    return [found[key] for key in boxes]
