"""Rendering families: the same pixels for the same chart, whatever the surroundings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.core.seeds import Stream
from answerable.domains.chart import families
from answerable.domains.chart.families import FAMILIES, REVISION, Family, drop_alpha, family
from answerable.domains.chart.families.matplotlib_agg import MatplotlibFamily
from answerable.domains.chart.families.skia_raster import SkiaFamily
from answerable.domains.chart.layout import scene
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.shapes import Dot, Drawing, Line, Rect, Text
from answerable.domains.chart.styles import GRID, INK, STYLES
from answerable.domains.chart.visibility import Hide
from answerable.domains.chart.world import KINDS, Axis, Kind
from tests.domains.chart.families.draw_some import digests
from tests.domains.chart.make import count, pixels, same, world

ROOT = Path(__file__).resolve().parents[4]
NAMES = FAMILIES.names()
PACKAGES = {"matplotlib": "matplotlib", "vega": "vl-convert-python", "skia": "skia-python"}


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_of_the_table_conforms(name: str) -> None:
    drawn = family(name)
    assert drawn.name == name
    assert drawn.style == STYLES[name]
    assert drawn.version == f"{PACKAGES[name]} {version(PACKAGES[name])} r{REVISION}"
    assert family(name) is drawn
    image = pixels(world(), None, drawn)
    assert image.shape == (450, 650, 3)
    assert image.dtype == np.uint8
    assert image.flags["C_CONTIGUOUS"]
    # Paper, gridlines and bars have their exact colours in every family.
    for colour in ("#ffffff", GRID, *world().colours):
        assert count(image, colour) > 100
    again = pixels(world(), None, drawn)
    assert (image == again).all()
    assert not np.shares_memory(image, again)


def test_names_are_known_without_importing_a_library() -> None:
    code = (
        "import sys\nfrom answerable.domains.chart.families import FAMILIES\n"
        "print(FAMILIES.names(), sorted({'matplotlib', 'skia', 'vl_convert', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "('matplotlib', 'vega', 'skia') []"


def test_an_unknown_family_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        SettingsError, match="expected a rendering family, one of matplotlib, vega, skia; got 'gnuplot'"
    ):
        family("gnuplot")


def test_vega_without_its_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.delitem(sys.modules, "answerable.domains.chart.families.vega", raising=False)
    monkeypatch.delattr(families, "vega", raising=False)
    with pytest.raises(MissingExtraError) as caught:
        FAMILIES.load("vega")
    assert 'pip install "answerable[vega]"' in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", [True, False])
def test_matplotlib_reuses_artists_without_a_pixel_of_difference(kind: Kind, labels: bool) -> None:
    drawn = MatplotlibFamily()
    for index in range(4):
        made = sample_world(Stream("fresh", kind, index), (kind,), value_labels=labels)
        # The same sheet several times over, with more and fewer marks in between.
        for hide in (None, Hide((made.positions[0],), "patch"), None, Hide((made.positions[-1],), "gap")):
            drawing = scene(made, drawn.style, hide)
            assert (drawn.render(drawing) == drawn.fresh(drawing)).all()


@pytest.mark.parametrize("make", [SkiaFamily, MatplotlibFamily])
def test_a_family_forgets_what_it_drew_before(make: type[SkiaFamily | MatplotlibFamily]) -> None:
    worlds = [sample_world(Stream("before", index)) for index in range(9)]
    used: Family = make()
    first = [used.render(scene(made, used.style)).tobytes() for made in worlds]
    shuffled = [*reversed(range(9)), *range(9)]
    assert all(used.render(scene(worlds[index], used.style)).tobytes() == first[index] for index in shuffled)
    for made, expected in zip(worlds[:3], first, strict=False):
        other: Family = make()
        assert other.render(scene(made, other.style)).tobytes() == expected


def elsewhere(surroundings: Mapping[str, str], names: str, *, backwards: bool = False) -> dict[str, str]:
    """Digests from a fresh process with these environment variables on top."""
    code = [
        sys.executable,
        "-m",
        "tests.domains.chart.families.draw_some",
        names,
        *(["backwards"] if backwards else []),
    ]
    done = subprocess.run(
        code, capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ | dict(surroundings)
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


HOSTILE = """
text.usetex: True
text.hinting: force_autohint
text.hinting_factor: 1
text.antialiased: False
text.kerning_factor: 6
text.color: red
font.family: cursive
font.size: 30
font.weight: bold
path.sketch: 5, 10, 2
path.simplify_threshold: 1.0
path.snap: True
agg.path.chunksize: 100
lines.antialiased: False
lines.linestyle: --
lines.marker: o
lines.markersize: 20
lines.dash_capstyle: round
lines.markerfacecolor: red
patch.antialiased: False
patch.force_edgecolor: True
patch.edgecolor: red
patch.linewidth: 9
hatch.linewidth: 9
figure.facecolor: red
figure.edgecolor: red
figure.dpi: 33
figure.autolayout: True
figure.constrained_layout.use: True
savefig.facecolor: blue
axes.facecolor: green
backend: pdf
"""


def test_other_processes_draw_the_same_pixels(tmp_path: Path) -> None:
    here = digests(["skia", "matplotlib", "vega"])
    fonts = tmp_path / "fonts.conf"
    fonts.write_text('<?xml version="1.0"?>\n<fontconfig></fontconfig>\n', encoding="utf-8")
    hostile = tmp_path / "matplotlibrc"
    hostile.write_text(HOSTILE, encoding="utf-8")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "MPLCONFIGDIR": str(tmp_path / "mpl")}
    no_fonts = {"FONTCONFIG_FILE": str(fonts), "FONTCONFIG_PATH": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    plain = "skia,matplotlib"
    assert elsewhere({"PYTHONHASHSEED": "1"}, "vega,skia,matplotlib") == here
    assert elsewhere({"PYTHONHASHSEED": "2"} | home | no_fonts, "skia,matplotlib,vega", backwards=True) == here
    assert elsewhere({"PYTHONHASHSEED": "3", "MATPLOTLIBRC": str(hostile)}, plain) == {
        name: mark for name, mark in here.items() if not name.startswith("vega")
    }


def test_settings_of_the_user_stay_as_they_were() -> None:
    import matplotlib as mpl

    before = mpl.rcParams["text.hinting"]
    with mpl.rc_context({"text.usetex": True, "lines.antialiased": False}):
        image = pixels(world("line"), None, MatplotlibFamily())
        assert mpl.rcParams["text.usetex"] is True
        assert mpl.rcParams["lines.antialiased"] is False
    assert mpl.rcParams["text.hinting"] == before
    assert (image == pixels(world("line"), None, MatplotlibFamily())).all()


def dark(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where there is ink."""
    return np.asarray((image < 128).all(axis=2), np.bool_)


SHAPES = (
    Rect(10, 10, 60, 40, "#ff0000"),
    Line(((10, 60), (60, 60)), "#00ff00", 6.0),
    Dot(100, 60, 12, "#0000ff"),
    Text(150, 60, "HHHH", 30.0, INK),
)


@pytest.mark.parametrize("name", NAMES)
def test_shapes_stand_where_they_say(name: str) -> None:
    image = family(name).render(Drawing(300, 100, "#ffffff", (), SHAPES))
    assert image.shape == (100, 300, 3)
    red = same(image, "#ff0000")
    assert red[10:40, 10:60].all()
    assert red.sum() == 30 * 50
    assert tuple(image[60, 35]) == (0, 255, 0)
    assert tuple(image[60, 100]) == (0, 0, 255)
    assert tuple(image[60, 85]) == (255, 255, 255)
    # The dot is round: 12 pixels to each side, and not to its corners.
    blue = same(image, "#0000ff")
    assert blue[49:71, 100].all()
    assert not blue[50, 90]
    # Capitals reach from the baseline up by 0.73 of the size, and start at the anchor.
    ink = dark(image[:, 130:290])
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert rows.max() in (58, 59, 60)
    assert rows.max() - rows.min() == pytest.approx(0.73 * 30, abs=1.5)
    assert columns.min() + 130 == pytest.approx(153, abs=2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("align", "middle"), [("left", 125), ("center", 100), ("right", 75)])
def test_texts_are_aligned_alike(name: str, align: str, middle: int) -> None:
    from answerable.domains.chart.text import width

    text = "H" * 8
    size = 50 / width(text, 1.0)
    choices = {"left": Text(100, 50, text, size, INK, "left"), "center": Text(100, 50, text, size, INK, "center"),
               "right": Text(100, 50, text, size, INK, "right")}  # fmt: skip
    image = family(name).render(Drawing(200, 100, "#ffffff", (), (choices[align],)))
    columns = np.flatnonzero(dark(image).any(axis=0))
    assert (columns.min() + columns.max()) / 2 == pytest.approx(middle, abs=1.5)


@pytest.mark.parametrize("name", NAMES)
def test_a_turned_text_reads_upwards_from_its_anchor(name: str) -> None:
    image = family(name).render(Drawing(200, 200, "#ffffff", (), (Text(100, 150, "HHHH", 20.0, INK, upright=False),)))
    ink = dark(image)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert rows.max() == pytest.approx(148, abs=2)
    assert columns.max() == pytest.approx(99, abs=1)
    assert rows.max() - rows.min() > 2 * (columns.max() - columns.min())


@pytest.mark.parametrize("name", ["skia", "matplotlib"])
@pytest.mark.parametrize("kind", KINDS)
def test_negative_zero_and_raised_axes_are_drawn(name: str, kind: Kind) -> None:
    drawn = family(name)
    low = world(kind, rows=1, axis=Axis(Fraction(-100), Fraction(100), Fraction(50)),
                values=((Fraction(-90), Fraction(0), Fraction(45), Fraction(-10), Fraction(100)),))  # fmt: skip
    raised = world(kind, rows=1, axis=Axis(Fraction(10), Fraction(60), Fraction(10)), values=((Fraction(30),) * 5,))
    for made in (low, raised, world(kind, rows=1)):
        assert count(pixels(made, None, drawn), made.colours[0]) > 50


def test_names_in_other_scripts_change_the_picture() -> None:
    one = pixels(world(series=("Łódź", "Zürich")), None, "skia")
    other = pixels(world(series=("Lodz", "Zurich")), None, "skia")
    assert (one != other).any()


def test_dropping_alpha_keeps_the_colours() -> None:
    rng = np.random.default_rng(3)
    image = rng.integers(0, 256, (7, 5, 4), np.uint8)
    assert (drop_alpha(image) == image[:, :, :3]).all()
