"""One thing of a photo, hidden by a mask: 1, 3, 5 or 7 lines within a rectangle or an ellipse, in one of six colours.

The paper (MM-R3, section 3.1) names lines, shapes and colours and not how they go together. Here a mask is a shape that
fills the thing's box, cut into lines of equal breadth with gaps of the same breadth between them: one line fills the
shape, three leave two gaps. So every mask has all three, and each can be counted alone. The thing covers 10 to 25 % of
the photo by its outline. Which thing, and which masks, is drawn from the photo's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Literal

import msgspec

from answerable.core.errors import SettingsError, SourceError
from answerable.core.records import Record, Refusal
from answerable.core.seeds import Stream
from answerable.domains.photo.boxes import Box, clipped, within
from answerable.domains.photo.outlines import Outline, mask_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from answerable.domains.photo.outlines import Mask as Covered

    Pixels = NDArray[np.uint8]

Shape = Literal["rectangle", "ellipse"]
Color = Literal["red", "blue", "green", "yellow", "white", "black"]
Direction = Literal["across", "down"]
LINES: tuple[int, ...] = (1, 3, 5, 7)
SHAPES: tuple[Shape, ...] = ("rectangle", "ellipse")
COLORS: dict[Color, tuple[int, int, int]] = {
    "red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0), "yellow": (255, 255, 0),
    "white": (255, 255, 255), "black": (0, 0, 0),
}  # fmt: skip
#: Every mask there is.
KINDS = tuple(product(LINES, SHAPES, COLORS))
#: Of a box, so much may lie outside the photo.
OUTSIDE = Fraction(1, 10)


class Occluding(Record, frozen=True):
    """What is hidden, and how often."""

    masks: int = 3
    """Masks of one thing, each its own; the paper has three."""
    low: str = "0.10"
    """Share of the photo that the thing's outline covers at least."""
    high: str = "0.25"
    """At most."""

    def shares(self) -> tuple[Fraction, Fraction]:
        """The two shares.

        Raises:
            SettingsError: they are none, or no number of masks.
        """
        if not 1 <= self.masks <= len(KINDS):
            raise SettingsError(f"1 to {len(KINDS)} masks", f"masks={self.masks}", where="--masks")
        try:
            low, high = (Fraction(text) if len(text) < 20 else Fraction(-1) for text in (self.low, self.high))
        except (ValueError, ZeroDivisionError):
            low = high = Fraction(-1)
        if not 0 < low <= high <= 1:
            got = f"{self.low[:20]!r} to {self.high[:20]!r}"
            raise SettingsError("shares of the photo from above 0 to 1, the lower first", got, where="--object-share")
        return low, high


class Candidate(Record, frozen=True):
    """A thing that might be hidden."""

    id: str
    """Of its annotation."""
    name: str
    box: Box
    outline: Outline
    crowd: bool = False
    """Whether it is many things outlined together, which are never hidden."""


class Mask(Record, frozen=True):
    """One mask."""

    box: Box
    """Where it lies, on the photo."""
    lines: int
    shape: Shape
    color: Color
    direction: Direction
    """Of the lines."""

    def kinds(self) -> dict[str, str]:
        """What is particular to it, as variants say it."""
        return {"lines": str(self.lines), "shape": self.shape, "color": self.color}


class Hidden(msgspec.Struct, frozen=True):
    """A thing to hide."""

    thing: Candidate
    box: Box
    """Its box, cut at the photo's edges."""
    outline: Covered
    """Its pixels; shape (height, width) of the photo, bool."""
    share: float
    """Of the photo that they are."""


def choose(
    candidates: Sequence[Candidate], width: int, height: int, settings: Occluding, names: Sequence[str | int]
) -> Hidden | Refusal:
    """The thing to hide: the first that will do, in an order drawn from ``names``.

    Args:
        candidates: the things of a photo of ``width`` x ``height`` pixels.
        names: the photo's, then the seed.
    """
    low, high = settings.shares()
    order = [thing for thing in candidates if not thing.crowd]
    Stream("occlude-thing", *names).shuffle(order)
    why: list[str] = []
    for thing in order:
        box = clipped(thing.box, width, height)
        if not box.area or 1 - within(thing.box, width, height) > OUTSIDE:
            why.append("its box lies outside the photo")
            continue
        if box.area < low * width * height:
            # An outline is within its box; drawing it would say nothing new.
            why.append(f"its box covers {box.area / (width * height):.2f}")
            continue
        try:
            outline = mask_of(thing.outline, width, height, f"annotation {thing.id}")
        except SourceError as error:
            why.append(f"its outline cannot be read ({error.got:.60})")
            continue
        share = Fraction(int(outline.sum()), width * height)
        if low <= share <= high:
            return Hidden(thing, box, outline, float(share))
        why.append(f"its outline covers {float(share):.2f}")
    shown = "; ".join(f"{thing.name} {thing.id}: {words}" for thing, words in zip(order, why, strict=True))
    return Refusal("no thing of the size to hide", f"{names[0]}: {shown or 'nothing is outlined'}"[:200])


def draw_masks(hidden: Hidden, settings: Occluding, names: Sequence[str | int]) -> tuple[Mask, ...]:
    """The masks of a thing, all different, drawn from ``names``."""
    stream = Stream("occlude-masks", *names)
    directions: tuple[Direction, ...] = ("across", "down")
    return tuple(
        Mask(hidden.box, lines, shape, color, stream.pick(directions))
        for lines, shape, color in stream.sample(KINDS, settings.masks)
    )


def covered_by(mask: Mask, width: int, height: int) -> Covered | Refusal:
    """The pixels that a mask paints on a photo of this size; shape (height, width), bool.

    Of a thing with ``n`` lines, 2n - 1 strips of its box are painted in turn with gaps; an ellipse is cut out of them.
    """
    import numpy as np

    box = mask.box
    if box.width < 1 or box.height < 1:
        return Refusal("the mask has no pixels", f"{box.width}x{box.height}")
    if box.left < 0 or box.top < 0 or box.right > width or box.bottom > height:
        return Refusal(
            "the mask reaches over the photo", f"{box.left},{box.top} to {box.right},{box.bottom} of {width}x{height}"
        )
    strips, length = 2 * mask.lines - 1, box.height if mask.direction == "across" else box.width
    if length < strips:
        return Refusal("the mask is too small for its lines", f"{mask.lines} lines on {length} pixels")
    painted = (np.arange(length) * strips // length) % 2 == 0
    along = painted[:, None] if mask.direction == "across" else painted[None, :]
    inside = np.broadcast_to(along, (box.height, box.width)).copy()
    if mask.shape == "ellipse":
        rows = (2 * np.arange(box.height) + 1 - box.height) / box.height
        columns = (2 * np.arange(box.width) + 1 - box.width) / box.width
        inside &= rows[:, None] ** 2 + columns[None, :] ** 2 <= 1
    found = np.zeros((height, width), np.bool_)
    found[box.top : box.bottom, box.left : box.right] = inside
    return found


def painted(pixels: Pixels, covered: Covered, color: Color) -> Pixels:
    """A copy of a photo in which the covered pixels have one colour.

    Args:
        pixels: shape (height, width, 3), uint8, RGB.
        covered: shape (height, width), bool.
    """
    made = pixels.copy()
    made[covered] = COLORS[color]
    return made


def framed(pixels: Pixels, box: Box) -> Pixels:
    """A copy with a frame of black, white and black around a box that lies on the photo; nothing inside is hidden.

    Where the box reaches the edge, the frame lies on it.
    """
    height, width = pixels.shape[:2]
    breadth = max(1, min(width, height) // 200)
    made = pixels.copy()
    for ring, level in ((3, 0), (2, 255), (1, 0)):
        left, top = max(0, box.left - ring * breadth), max(0, box.top - ring * breadth)
        right, bottom = min(width, box.right + ring * breadth), min(height, box.bottom + ring * breadth)
        # Never wider than the picture: at an edge the rings move inwards.
        inner = (max(top, (3 - ring) * breadth), min(bottom, height - (3 - ring) * breadth),
                 max(left, (3 - ring) * breadth), min(right, width - (3 - ring) * breadth))  # fmt: skip
        _ring(made, inner, breadth, level)
    return made


def _ring(pixels: Pixels, edges: tuple[int, int, int, int], breadth: int, level: int) -> None:
    top, bottom, left, right = edges
    pixels[top : top + breadth, left:right] = level
    pixels[bottom - breadth : bottom, left:right] = level
    pixels[top:bottom, left : left + breadth] = level
    pixels[top:bottom, right - breadth : right] = level
