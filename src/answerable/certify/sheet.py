"""One explained group as a picture: its views, and the worlds, outputs or completions that make each duty right.

The pictures of views are the stored ones; those of the argument are drawn now, from the proof's worlds. They are
pasted pixel for pixel where they fit, and scaled down where they do not. Same group, same bytes.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from answerable.certify.canvas import GAP, INNER, LINE, MARGIN, PAD, PAPER, WIDTH, Canvas, fitted, tall
from answerable.certify.checks import Status
from answerable.certify.explain import Told
from answerable.certify.lettering import BOX, NEW_LINE
from answerable.certify.told import NO_PROOF, STATUS_WORDS, Argument, Explanation, PremiseTold, ViewTold
from answerable.core.errors import ImageError
from answerable.domains.chart.families import rgb
from answerable.domains.chart.shapes import Rect
from answerable.domains.chart.text import width
from answerable.domains.raster import images

if TYPE_CHECKING:
    from answerable.certify.canvas import Pixels

#: Tallest picture of a view and of an argument; more is scaled down.
MOST_VIEW, MOST_SHOWN = 300, 760
#: Narrower than this, three pictures of an argument stand in one row at a size that can be read.
MOST_THIRD = 720
#: Views that are shown. A proved group has seven at most, one of a multiple-choice question one a setting and shift.
MOST_VIEWS = 12
#: Outputs of one world that are listed.
MOST_OUTPUTS = 10

PANEL, INK, SOFT = "#f5f6f8", "#1d2129", "#5a616d"
ANSWER, ABSTAIN, GOOD, BAD, MARK = "#1f5fbf", "#a3480b", "#1a7f37", "#b42318", "#d4145a"
_COLOURS: dict[Status, str] = {"accepted": GOOD, "refused": BAD, "other_renderer": ABSTAIN, "unproved": SOFT}
_SIGNS = {"holds": ("✓", GOOD), "fails": ("✗", BAD), "not reached": ("–", SOFT), "not compared": ("?", ABSTAIN)}
_TITLES = {
    "witness": "Why M must be abstained from: two complete worlds, one observation",
    "determined": "Why D must be answered: whatever is hidden, the answer is the same",
    "chance": "Why M must be abstained from: chance decides the answer",
}
#: What a damaged file makes Pillow raise.
_READ_ERRORS = (
    ImageError, OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, struct.error, OverflowError,
)  # fmt: skip
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1, in whole pixels."""


def draw(told: Told) -> bytes:
    """A PNG file, ``WIDTH`` pixels wide and as tall as its content."""
    sheet, explained = Canvas(), told.explanation
    _heading(sheet, explained)
    _views(sheet, told)
    for argument in explained.arguments:
        _section(sheet, told, argument)
    if explained.status == "unproved":
        sheet.paragraph(NO_PROOF, 19, SOFT)
    _premises(sheet, explained)
    return sheet.finish()


def _heading(sheet: Canvas, explained: Explanation) -> None:
    colour, status = _COLOURS[explained.status], STATUS_WORDS[explained.status]
    kind = f"{explained.domain} · " if explained.domain else ""
    label = sheet.lines(f"{kind}{explained.source} · group {explained.group}", 16, INNER - 620, most=1)
    sheet.write(MARGIN, sheet.y + 4, label, 16, SOFT)
    wide = width(status, 16, True) + 2 * PAD
    sheet.shapes.append(Rect(WIDTH - MARGIN - wide, sheet.y, WIDTH - MARGIN, sheet.y + 32, colour))
    sheet.write(WIDTH - MARGIN - PAD, sheet.y + 4, (status,), 16, PAPER, bold=True, align="right")
    sheet.y += 50
    sheet.paragraph(explained.question, 26, INK, bold=True, most=7)
    if explained.program:
        sheet.paragraph(f"The program computes: {explained.program}", 18, SOFT, most=5)
    if explained.premise and explained.status == "refused":
        sheet.paragraph(f"Refused by premise “{explained.premise}”: {explained.detail}", 20, BAD, bold=True, most=6)
    sheet.y += 14


def _views(sheet: Canvas, told: Told) -> None:
    """Every view in a card: state and meaning, picture, duty; two rows or three where there are more than four."""
    views, files = told.explanation.views[:MOST_VIEWS], told.parcel.images[:MOST_VIEWS]
    columns = len(views) if len(views) <= 4 else min(4, -(-len(views) // 2))
    wide = min((INNER - (columns - 1) * GAP) // columns, 600)
    for start in range(0, len(views), columns):
        row = list(zip(views, files, strict=True))[start : start + columns]
        _cards(sheet, [(view, fitted(_read(data), wide - 2 * PAD, MOST_VIEW)) for view, data in row], wide)
    left = len(told.explanation.views) - len(views)
    if left:
        sheet.paragraph(f"and {left} more views", 16, SOFT)


def _cards(sheet: Canvas, row: Sequence[tuple[ViewTold, Pixels]], wide: int) -> None:
    top, inner = sheet.y, wide - 2 * PAD
    # Wide enough for the longest name of a state.
    letter = max(34, *(round(width(view.state, 22, True)) + 12 for view, _ in row))
    names, meanings = zip(*(view.meaning.split(": ", 1) for view, _ in row), strict=True)
    heads = [sheet.lines(meaning, 15, inner - letter - 12) for meaning in meanings]
    feet = [_foot(sheet, view, inner) for view, _ in row]
    duties = [sheet.lines(view.duty, 18, inner, bold=True, most=2) for view, _ in row]
    head = PAD + max(34, tall(16) + max(len(lines) for lines in heads) * tall(15)) + 10
    high = max(pixels.shape[0] for _, pixels in row)
    duty = tall(18) * max(len(lines) for lines in duties)
    foot = tall(14) * max(len(lines) for lines in feet)
    total = head + high + 12 + duty + foot + PAD
    for place, (view, pixels) in enumerate(row):
        x = MARGIN + place * (wide + GAP)
        colour = _colour(view)
        sheet.box(x, top, wide, total, PANEL)
        sheet.shapes.append(Rect(x + PAD, top + PAD, x + PAD + letter, top + PAD + 34, colour))
        sheet.write(x + PAD + letter / 2, top + PAD + 5, (view.state,), 22, PAPER, bold=True, align="center")
        left = x + PAD + letter + 12
        y = sheet.write(left, top + PAD - 3, (names[place],), 16, INK, bold=True)
        sheet.write(left, y, heads[place], 15, SOFT)
        sheet.place(pixels, x, top + head, wide)
        y = sheet.write(x + PAD, top + head + high + 10, duties[place], 18, colour, bold=True)
        sheet.write(x + PAD, y, feet[place], 14, SOFT)
    sheet.y = top + total + GAP


def _colour(view: ViewTold) -> str:
    return ABSTAIN if view.duty.startswith("abstain") else ANSWER


def _foot(sheet: Canvas, view: ViewTold, wide: int) -> tuple[str, ...]:
    """What a view shows and rests on, and what it offers."""
    world = f"world {view.world} · " if view.world else ""
    setting = f"{view.setting} · " if view.setting else ""
    note = f": {view.note}" if view.level != "proved" and view.note else ""
    lines = sheet.lines(f"{world}{setting}{view.level}{note}", 14, wide, most=3)
    for option in view.offered[:8]:
        lines += sheet.lines(option, 14, wide, most=2)
    return lines


def _read(data: bytes) -> Pixels:
    """A stored file's pixels; a grey field where it holds none that can be shown."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(images.make_sendable(data))) as image:
            return np.array(image.convert("RGB"))
    except _READ_ERRORS:
        return np.full((120, 200, 3), 200, np.uint8)


def _section(sheet: Canvas, told: Told, argument: Argument) -> None:
    """Why a view is answered or not: a heading, pictures drawn now, and what was found."""
    if told.case is None:
        return
    sheet.rule()
    sheet.paragraph(_TITLES[argument.kind], 22, INK, bold=True)
    sheet.y += 4
    claim = next(claim for claim in told.case.claims if claim.state == argument.state)
    if argument.kind == "witness":
        _witness(sheet, told, argument, claim.hide)
        return
    picture = _drawn(told.case.rendered(claim.world, claim.hide))
    shown = fitted(picture, INNER // 2, MOST_SHOWN)
    top, left = sheet.y, MARGIN + shown.shape[1] + 2 * GAP
    sheet.place(shown, MARGIN, top, shown.shape[1])
    room, y = WIDTH - MARGIN - left, top
    if argument.kind == "determined":
        view = next(view for view in told.explanation.views if view.state == argument.state)
        y = sheet.write(left, y, sheet.lines(view.duty, 26, room, bold=True, most=3), 26, ANSWER, bold=True) + 2
        y = sheet.write(left, y, sheet.lines(_hidden(view), 16, room, most=6), 16, SOFT) + 12
    y = sheet.write(left, y, sheet.lines(argument.text, 19, room), 19, INK) + 16
    if argument.kind == "chance":
        y = _chances(sheet, argument, left, y)
    sheet.y = max(top + shown.shape[0], y)


def _hidden(view: ViewTold) -> str:
    return f"hidden: {', '.join(view.hidden)}"


def _witness(sheet: Canvas, told: Told, argument: Argument, hide: Any) -> None:
    """Two complete worlds beside what is seen of both."""
    case, explained = told.case, told.explanation
    if case is None:
        return
    one, other, seen = (_drawn(case.rendered(*which)) for which in (("F", None), ("C", None), ("F", hide)))
    changes = next((world.changes for world in explained.worlds if world.name == "C"), ())
    missing = next(view for view in explained.views if view.state == argument.state)
    heads = (
        (f"World A (F) answers {argument.answers[0]}", "; ".join(f"{c.name}: {c.before}" for c in changes), ANSWER),
        (f"World B (C) answers {argument.answers[1]}", "; ".join(f"{c.name}: {c.after}" for c in changes), ANSWER),
        ("What is seen of both", _hidden(missing), ABSTAIN),
    )
    mark, what = _mark(one, other, seen)
    pictures = list(zip(heads, (one, other, seen), (mark, mark, None), strict=True))
    if one.shape[1] <= MOST_THIRD:
        _panels(sheet, pictures, 3)
    else:
        _panels(sheet, pictures[:2], 2)
        _panels(sheet, pictures[2:], 2)
    sheet.paragraph(what, 14, MARK)
    sheet.paragraph(argument.text, 19, INK)


def _panels(sheet: Canvas, row: Sequence[tuple[tuple[str, str, str], Pixels, Box | None]], columns: int) -> None:
    """Pictures of an argument with a heading each; a row that is not full stands in the middle."""
    wide = (INNER - (columns - 1) * GAP) // columns
    start = MARGIN + (INNER - len(row) * wide - (len(row) - 1) * GAP) // 2
    heads = [
        (sheet.lines(title, 20, wide, bold=True, most=3), sheet.lines(below, 15, wide, most=3))
        for (title, below, _), _, _ in row
    ]
    titles = tall(20) * max(len(title) for title, _ in heads)
    high = titles + tall(15) * max(len(below) for _, below in heads) + 8
    bottom = sheet.y
    for place, ((_, _, colour), pixels, mark) in enumerate(row):
        x = start + place * (wide + GAP)
        sheet.write(x, sheet.y, heads[place][0], 20, colour, bold=True)
        sheet.write(x, sheet.y + titles, heads[place][1], 15, SOFT)
        shown = _outlined(fitted(pixels, wide, MOST_SHOWN), mark, pixels)
        sheet.place(shown, x, sheet.y + high, shown.shape[1])
        bottom = max(bottom, sheet.y + high + shown.shape[0])
    sheet.y = bottom + 20


def _mark(one: Pixels, other: Pixels, seen: Pixels) -> tuple[Box | None, str]:
    """What to frame in both worlds, and what that is: a whole mask where it is small, else what differs."""
    change, gone = _difference(one, other), _difference(one, seen)
    if change is None:
        return None, ""
    # Lines out of sight move all others, and several masks lie apart: their box would say nothing.
    if gone is not None and _area(change) <= _area(gone) < 0.35 * one.shape[0] * one.shape[1]:
        return gone, "Framed: where A and B differ from what is seen of both."
    return change, "Framed: where A and B differ."


def _difference(one: Pixels, other: Pixels) -> Box | None:
    """The box of all pixels that differ; None where none does, or where sizes do."""
    if one.shape != other.shape or not (differs := (one != other).any(axis=2)).any():
        return None
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _outlined(shown: Pixels, box: Box | None, pixels: Pixels) -> Pixels:
    """The picture with a frame around part of it, given in pixels of ``pixels``."""
    if box is None:
        return shown
    share, marked = shown.shape[1] / pixels.shape[1], shown.copy()
    high, wide = shown.shape[:2]
    left, top = (max(0, int(edge * share) - 5) for edge in box[:2])
    right, bottom = min(wide, round(box[2] * share) + 5), min(high, round(box[3] * share) + 5)
    for rows, columns in (
        (slice(top, top + 2), slice(left, right)), (slice(bottom - 2, bottom), slice(left, right)),
        (slice(top, bottom), slice(left, left + 2)), (slice(top, bottom), slice(right - 2, right)),
    ):  # fmt: skip
        marked[rows, columns] = rgb(MARK)
    return marked


def _chances(sheet: Canvas, argument: Argument, left: int, y: int) -> int:
    """What may come out, how probably, and what it answers; gives where the next would begin."""
    room = WIDTH - MARGIN - left
    for chance in argument.chances[:MOST_OUTPUTS]:
        output = NEW_LINE.join(chance.output.split("\n")) or "(nothing)"
        lines = sheet.lines(output, 18, room - 250, bold=True, most=3)
        sheet.write(left, y, lines, 18, INK, bold=True)
        share = f"{chance.probability}  ({float(100 * chance.probability):.1f} %)"
        sheet.write(left + room - 110, y, sheet.lines(share, 16, 240, most=1), 16, SOFT, align="right")
        answer = sheet.lines(f"→ {chance.answer}", 18, 100, bold=True, most=1)
        sheet.write(left + room, y, answer, 18, ANSWER, bold=True, align="right")
        y += tall(18) * len(lines) + 4
        sheet.shapes.append(Rect(left, y, left + room, y + 8, LINE))
        sheet.shapes.append(Rect(left, y, left + max(1.0, room * float(chance.probability)), y + 8, ANSWER))
        y += 24
    rest = argument.chances[MOST_OUTPUTS:]
    if rest:
        total = sum((chance.probability for chance in rest), Fraction(0))
        text = f"and {len(rest)} more outputs with a probability of {total} together"
        y = sheet.write(left, y, sheet.lines(text, 16, room), 16, SOFT)
    return y


def _drawn(data: bytes) -> Pixels:
    """The pixels that ``Case.rendered`` gives."""
    size, _, raw = data.partition(b" ")
    wide, high = map(int, size.split(b"x"))
    return np.frombuffer(raw, np.uint8).reshape(high, wide, 3)


def _premises(sheet: Canvas, explained: Explanation) -> None:
    """What was checked, in order, and what came of it."""
    sheet.rule()
    sheet.paragraph("Premises, checked in this order", 18, INK, bold=True)
    sheet.y += 2
    half = -(-len(explained.premises) // 2)
    bottoms = [
        _column(sheet, explained.premises[start : start + half], MARGIN + place * (INNER + GAP) // 2)
        for place, start in enumerate((0, half))
    ]
    sheet.y = max(bottoms) + 14
    if explained.drawn_here:
        sheet.paragraph(f"Drawn now by {explained.drawn_here}; the stored pictures by {explained.drawn_by}.", 14, SOFT)
    if sheet.boxed:
        sheet.paragraph(f"{BOX} stands for a sign that this sheet's font lacks.", 14, SOFT)


def _column(sheet: Canvas, premises: Sequence[PremiseTold], x: int) -> int:
    """Half of the premises; gives where the next would begin."""
    y, wide = sheet.y, (INNER - GAP) // 2
    for premise in premises:
        sign, colour = _SIGNS[premise.result]
        detail = f" ({premise.detail or premise.result})" if premise.detail or premise.result != "holds" else ""
        lines = sheet.lines(f"{premise.establishes}{detail}", 14, wide - 150, most=6)
        sheet.write(x, y, (sign,), 16, colour, bold=True)
        sheet.write(x + 26, y, sheet.lines(premise.name, 15, 120, bold=True, most=1), 15, INK, bold=True)
        y = sheet.write(x + 150, y, lines, 14, SOFT) + 6
    return y
