"""Sheets: whole pictures of one proof, with the very pixels of its views, the same bytes every time."""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from answerable.certify import sheet as sheet_module
from answerable.certify.canvas import WIDTH, fitted
from answerable.certify.checks import Parcel
from answerable.certify.explain import explain_parcel
from answerable.certify.faults import FAULTS
from answerable.certify.sheet import ABSTAIN, ANSWER, BAD, GOOD, MARK, draw
from answerable.core.codec import digest_bytes
from answerable.core.records import Evidence, Option, State
from answerable.core.seeds import Stream
from answerable.domains.raster import png
from tests.certify.test_explain import DOMAINS, sound, unproved
from tests.domains.chart.make import count
from tests.domains.table import make as tables

Pixels = NDArray[np.uint8]
SMALL = tables.draft(tables.world(tables.UNITS, rows=4))


def drawn(parcel: Parcel) -> Pixels:
    return png.decode(draw(explain_parcel(parcel)))


def small() -> Parcel:
    """A table that fits a card at its own size."""
    return Parcel(SMALL.group, SMALL.images, SMALL.proof)


def places(sheet: Pixels, picture: Pixels) -> int:
    """How often a picture stands in a sheet, pixel for pixel."""
    high, wide = picture.shape[:2]
    # The row with the most edges is looked for: an empty one would be found everywhere.
    busy = int((np.diff(picture.astype(int), axis=1) != 0).any(axis=2).sum(axis=1).argmax())
    sought, found = picture[busy].tobytes(), 0
    for y in range(sheet.shape[0] - high + 1):
        row = sheet[y + busy].tobytes()
        at = row.find(sought)
        while at >= 0:
            x = at // 3
            found += at % 3 == 0 and bool((sheet[y : y + high, x : x + wide] == picture).all())
            at = row.find(sought, at + 1)
    return found


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_is_drawn_with_the_same_bytes(domain: str) -> None:
    told = explain_parcel(sound(domain))
    data = draw(told)
    assert data == draw(told) == draw(explain_parcel(sound(domain)))
    pixels = png.decode(data)
    assert pixels.shape[1] == WIDTH
    assert 1000 < pixels.shape[0] < 4000
    assert png.extra_chunks(data) == ()
    for colour in (ANSWER, ABSTAIN, GOOD):
        assert count(pixels, colour) > 100
    assert count(pixels, BAD) == 0
    # The margins stay empty.
    for edge in (pixels[:, :40], pixels[:, -40:], pixels[:40], pixels[-40:]):
        assert (edge == 255).all()


def test_the_very_pixels_of_the_views_are_there_and_those_of_m_twice() -> None:
    sheet = drawn(small())
    pictures = {view.state: png.decode(data) for view, data in zip(SMALL.group.views, SMALL.images, strict=True)}
    for state, picture in pictures.items():
        assert places(sheet, picture) == (2 if state == "M" else 1), state
    other = tables.draft(tables.world(tables.PRICE, rows=4), tables.request(tables.lookup(column="Price")))
    assert places(sheet, png.decode(other.images[0])) == 0
    assert draw(explain_parcel(Parcel(other.group, other.images, other.proof))) != draw(explain_parcel(small()))


def test_what_m_hides_is_framed_in_both_worlds() -> None:
    assert count(drawn(small()), MARK) > 2 * 2 * (20 + 20)
    assert count(drawn(sound("chance")), MARK) == 0


def test_pictures_of_the_argument_come_from_worlds_drawn_now() -> None:
    told = explain_parcel(small())
    assert told.case is not None

    class Empty:
        """The case without a single stored picture."""

        def __getattr__(self, name: str) -> object:
            assert name != "stored"
            return getattr(told.case, name)

    blank = tuple(png.encode(np.full((9, 9, 3), 7, np.uint8)) for _ in told.parcel.images)
    other = msgspec.structs.replace(
        told, parcel=msgspec.structs.replace(told.parcel, images=blank), case=Empty()
    )  # fmt: skip
    pictures = {view.state: png.decode(data) for view, data in zip(SMALL.group.views, SMALL.images, strict=True)}
    assert places(png.decode(draw(other)), pictures["M"]) == 1


@pytest.mark.parametrize("domain", DOMAINS)
def test_refused_groups_are_drawn_and_say_so(domain: str) -> None:
    plants = dict(FAULTS.load("code" if domain == "chance" else domain))
    whole = png.decode(draw(explain_parcel(sound(domain)))).shape[0]
    for name, plant in plants.items():
        pixels = drawn(plant(sound(domain), Stream("sheet", name)))
        assert count(pixels, BAD) > 1000
        # Without an argument the sheet is shorter.
        assert pixels.shape[0] < whole


def with_question(question: str) -> Parcel:
    good = unproved()
    views = tuple(msgspec.structs.replace(view, question=question) for view in good.group.views)
    return Parcel(msgspec.structs.replace(good.group, views=views), good.images, None)


@pytest.mark.parametrize(
    "question",
    [
        "図表の中で「営業額」の二〇二一年の値は、いくつですか。" * 30,
        "كم كانت القيمة في عام 2021؟ " * 20,
        "כמה עולה הכרטיס (ב-2021) לירושלים? " * 20,
        "x" * 20_000,
        "word " * 20_000,
        "\x00\x1b[31m\u202e\ud7ff🎉\U000e0041\u0301",
        "",
    ],
    ids=["cjk", "arabic", "hebrew", "one long word", "long", "odd", "empty"],
)
def test_no_question_is_too_long_or_too_foreign(question: str) -> None:
    pixels = drawn(with_question(question))
    plain = drawn(with_question("What?"))
    assert pixels.shape[1] == WIDTH
    assert pixels.shape[0] < plain.shape[0] + 400
    assert (pixels[:, -40:] == 255).all()


def test_signs_without_a_glyph_are_explained() -> None:
    assert drawn(with_question("東京?")).shape[0] > drawn(with_question("Tokyo?")).shape[0]


def jpeg(wide: int, high: int) -> bytes:
    noise = np.random.default_rng(wide).integers(0, 256, (8, 8, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).resize((wide, high)).save(file, "JPEG")
    return file.getvalue()


def test_files_of_any_kind_and_size_find_room() -> None:
    good = unproved()
    files = (jpeg(3000, 20), jpeg(10, 3000), jpeg(1, 1), b"no picture", jpeg(3000, 3000), good.images[0])
    views = []
    for view, data in zip(good.group.views, files, strict=False):
        note = Evidence(level="annotated", note="a long note " * 60)
        views.append(msgspec.structs.replace(view, image_sha256=digest_bytes(data), evidence=note))
    group = msgspec.structs.replace(good.group, views=tuple(views) * 3)
    told = explain_parcel(Parcel(group, files * 3, None))
    pixels = png.decode(draw(told))
    assert told.explanation.premise == "image"
    assert pixels.shape[0] < 3000
    assert (pixels[:, -40:] == 255).all()


def test_a_picture_that_fits_stays_as_it_is() -> None:
    pixels = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    assert fitted(pixels, 5, 4) is pixels
    assert fitted(pixels, 2, 400).shape == (2, 2, 3)
    assert fitted(np.zeros((1, 4000, 3), np.uint8), 100, 100).shape == (1, 100, 3)


def test_a_wide_picture_gets_a_row_for_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = sound("chart")
    stored = next(data for view, data in zip(chart.group.views, chart.images, strict=True) if view.state == "M")
    # 650 pixels: in three columns it is scaled down, in two it has its own size.
    three = drawn(chart)
    assert places(three, png.decode(stored)) == 0
    monkeypatch.setattr(sheet_module, "MOST_THIRD", 600)
    two = drawn(chart)
    assert places(two, png.decode(stored)) == 1
    assert two.shape[0] > three.shape[0]


def multiple_choice() -> Parcel:
    """Views of a question that offers options: four states, each with four shifts."""
    good = unproved()
    states: tuple[State, ...] = ("F", "AAD", "IASD", "IVQD")
    views, pictures = [], []
    for state in states:
        for rotation in range(4):
            options = tuple(Option(letter=letter, text=f"{letter} of {state} " * 9) for letter in "ABCD")
            view = msgspec.structs.replace(
                good.group.views[0], id=f"{state}{rotation}", state=state, options=options, setting="base",
                rotation=rotation,
            )  # fmt: skip
            views.append(view)
            pictures.append(good.images[0])
    return Parcel(msgspec.structs.replace(good.group, views=tuple(views)), tuple(pictures), None)


def test_options_are_shown_and_of_many_views_the_first() -> None:
    found = explain_parcel(multiple_choice())
    view = found.explanation.views[5]
    assert (view.state, view.setting) == ("AAD", "base, options shifted by 1")
    assert view.offered[0] == f"A. {'A of AAD ' * 9}"
    pixels = png.decode(draw(found))
    assert (pixels[:, -40:] == 255).all()
    fewer = msgspec.structs.replace(found.parcel.group, views=found.parcel.group.views[:12])
    twelve = drawn(Parcel(fewer, found.parcel.images[:12], None))
    assert 0 < pixels.shape[0] - twelve.shape[0] < 60
