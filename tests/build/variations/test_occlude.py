"""Masks: exact pixels, sizes within bounds, draws that depend on names alone, and nothing outside the photo."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.build.variations.occlude import (
    COLORS,
    KINDS,
    Candidate,
    Hidden,
    Mask,
    Occluding,
    choose,
    covered_by,
    draw_masks,
    framed,
    painted,
)
from answerable.core.consistency import kinds_text
from answerable.core.errors import SettingsError
from answerable.core.records import Refusal
from answerable.domains.photo.boxes import Box
from answerable.domains.photo.outlines import Polygons

WIDTH, HEIGHT = 100, 80


def thing(
    name: str = "cup", left: float = 10, top: float = 10, wide: float = 40, high: float = 40, **more: bool
) -> Candidate:
    corners = (left, top, left + wide, top, left + wide, top + high, left, top + high)
    box = Box(int(left), int(top), int(wide), int(high))
    return Candidate(f"{name}-1", name, box, Polygons((corners,)), **more)


def mask(lines: int = 1, shape: str = "rectangle", direction: str = "across", box: Box | None = None) -> Mask:
    import msgspec

    return msgspec.convert(
        {"box": box or Box(10, 10, 40, 30), "lines": lines, "shape": shape, "color": "red", "direction": direction},
        Mask, from_attributes=True,
    )  # fmt: skip


def chosen(*things: Candidate, settings: Occluding | None = None) -> Hidden:
    found = choose(things, WIDTH, HEIGHT, settings or Occluding(), ("p.jpg", 0))
    assert isinstance(found, Hidden), found
    return found


def test_every_mask_of_the_paper_is_there() -> None:
    assert len(KINDS) == 4 * 2 * 6
    assert {lines for lines, _, _ in KINDS} == {1, 3, 5, 7}
    assert set(COLORS) == {"red", "blue", "green", "yellow", "white", "black"}


@pytest.mark.parametrize("direction", ["across", "down"])
@pytest.mark.parametrize("lines", [1, 3, 5, 7])
def test_lines_and_gaps_in_turn(lines: int, direction: str) -> None:
    found = covered_by(mask(lines, direction=direction), WIDTH, HEIGHT)
    assert not isinstance(found, Refusal)
    inside = found[10:40, 10:50]
    assert found.sum() == inside.sum()
    line = inside[:, 0] if direction == "across" else inside[0]
    assert line[0] and line[-1]
    runs = np.flatnonzero(np.diff(np.r_[0, line.astype(int), 0]))
    assert len(runs) == 2 * lines
    assert len({*np.diff(runs)}) <= 2
    assert (inside == (line[:, None] if direction == "across" else line[None, :])).all()


def test_an_ellipse_fills_its_part_of_the_box() -> None:
    found = covered_by(mask(shape="ellipse", box=Box(0, 0, 100, 80)), WIDTH, HEIGHT)
    assert not isinstance(found, Refusal)
    assert found.mean() == pytest.approx(np.pi / 4, abs=0.003)
    assert (found == found[::-1]).all() and (found == found[:, ::-1]).all()
    assert not found[0, 0]


@pytest.mark.parametrize(
    ("box", "lines", "reason"),
    [
        (Box(10, 10, 0, 5), 1, "the mask has no pixels"),
        (Box(10, 10, 5, -1), 1, "the mask has no pixels"),
        (Box(-1, 0, 5, 5), 1, "the mask reaches over the photo"),
        (Box(0, 0, WIDTH + 1, 5), 1, "the mask reaches over the photo"),
        (Box(0, 0, 10**9, 10**9), 1, "the mask reaches over the photo"),
        (Box(0, 0, 50, 12), 7, "the mask is too small for its lines"),
    ],
)
def test_masks_that_cannot_be_drawn(box: Box, lines: int, reason: str) -> None:
    found = covered_by(mask(lines, box=box), WIDTH, HEIGHT)
    assert isinstance(found, Refusal) and found.reason == reason and found.detail


def test_only_covered_pixels_change() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    over = covered_by(mask(3, "ellipse"), WIDTH, HEIGHT)
    assert not isinstance(over, Refusal)
    before = pixels.copy()
    made = painted(pixels, over, "yellow")
    assert (made[over] == COLORS["yellow"]).all() and (made[~over] == pixels[~over]).all()
    assert np.array_equal(pixels, before)


@pytest.mark.parametrize("box", [Box(30, 20, 40, 30), Box(0, 0, 40, 30), Box(0, 0, WIDTH, HEIGHT)])
def test_a_frame_hides_nothing_but_its_lines(box: Box) -> None:
    pixels = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
    made = framed(pixels, box)
    changed = (made != pixels).any(axis=2)
    assert set(np.unique(made)) == {0, 128, 255}
    assert changed.any() and not changed[box.top + 3 : box.bottom - 3, box.left + 3 : box.right - 3].any()
    if box.left > 3:
        assert not changed[box.top : box.bottom, box.left : box.right].any()


def test_things_by_the_share_of_their_outline() -> None:
    assert chosen(thing()).share == pytest.approx(0.2)
    found = choose([thing(wide=20, high=20), thing("bed", 0, 0, 100, 80)], WIDTH, HEIGHT, Occluding(), ("p.jpg", 0))
    assert isinstance(found, Refusal) and found.reason == "no thing of the size to hide"
    assert "cup cup-1: its box covers 0.05" in found.detail and "bed bed-1: its outline covers 1.00" in found.detail
    # Whatever its box, a thin outline is small.
    thin = Candidate("7", "rope", Box(0, 0, 60, 60), Polygons(((0, 0, 60, 58, 60, 60),)))
    assert isinstance(choose([thin], WIDTH, HEIGHT, Occluding(), ("p.jpg", 0)), Refusal)


@pytest.mark.parametrize("masks", [(Polygons(((0.0, 0.0),)),), (Polygons(((0.0, 0.0, float("nan"), 9.0, 3.0, 3.0),)),)])
def test_outlines_that_cannot_be_read(masks: tuple[Polygons]) -> None:
    odd = Candidate("7", "cup", Box(0, 0, 40, 40), masks[0])
    found = choose([odd], WIDTH, HEIGHT, Occluding(), ("p.jpg", 0))
    assert isinstance(found, Refusal) and "its outline cannot be read" in found.detail
    assert chosen(odd, thing()).thing.name == "cup"


@pytest.mark.parametrize(("left", "wide"), [(-30, 60), (95, 60), (200, 60), (10, 0)])
def test_boxes_outside_the_photo(left: int, wide: int) -> None:
    found = choose([thing(left=left, wide=wide)], WIDTH, HEIGHT, Occluding(), ("p.jpg", 0))
    assert isinstance(found, Refusal) and re.search("its box lies outside the photo", found.detail)


def test_a_little_over_the_edge_is_cut() -> None:
    assert chosen(thing(left=-2, wide=42)).box == Box(0, 10, 40, 40)


def test_crowds_are_never_hidden() -> None:
    found = choose([thing(crowd=True)], WIDTH, HEIGHT, Occluding(), ("p.jpg", 0))
    assert isinstance(found, Refusal) and "nothing is outlined" in found.detail


@given(st.text(max_size=20), st.integers(0, 9), st.integers(1, len(KINDS)))
def test_draws_depend_on_names_alone(name: str, seed: int, masks: int) -> None:
    hidden, settings = chosen(thing()), Occluding(masks=masks)
    drawn = draw_masks(hidden, settings, (name, seed))
    assert drawn == draw_masks(hidden, settings, (name, seed))
    assert len({(one.lines, one.shape, one.color) for one in drawn}) == masks
    assert all(kinds_text(one.kinds()).startswith(f"lines={one.lines};shape={one.shape};color=") for one in drawn)


def test_every_kind_is_drawn_about_as_often() -> None:
    hidden = chosen(thing())
    drawn = [one for n in range(400) for one in draw_masks(hidden, Occluding(), (f"{n}.jpg", 0))]
    for kind in ("lines", "shape", "color"):
        values = [str(getattr(one, kind)) for one in drawn]
        counts = [values.count(value) for value in set(values)]
        assert min(counts) > 0.75 * len(drawn) / len(counts), kind


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Occluding(masks=0), "1 to 48 masks; got masks=0"),
        (Occluding(masks=49), "1 to 48 masks"),
        (Occluding(low="0.3"), "shares of the photo from above 0 to 1"),
        (Occluding(low="0"), "shares of the photo"),
        (Occluding(high="2"), "shares of the photo"),
        (Occluding(high="nan"), "shares of the photo"),
        (Occluding(high="1/0"), "shares of the photo"),
        (Occluding(low="1e-999999999999999999"), "shares of the photo"),
    ],
)
def test_settings_that_cannot_be_met(settings: Occluding, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        settings.shares()


def test_the_shares_of_the_paper() -> None:
    assert Occluding().shares() == (Fraction(1, 10), Fraction(1, 4))
