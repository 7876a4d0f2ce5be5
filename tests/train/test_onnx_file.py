"""The ONNX file of a style network: what a runtime makes of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from answerable.build.variations.networks import open_network, restyled
from answerable.train.johnson import Conv, Layer, Residual, convolutions, layers, shapes
from answerable.train.onnx_file import onnx_bytes

SMALL = layers(4)


def weights(network: tuple[Layer, ...], seed: int = 0) -> Any:
    """Random weights of a useful size."""
    draw = np.random.default_rng(seed)
    return {
        name: (draw.normal(size=shape) * (0.2 if name.endswith("weight") else 1)).astype(np.float32)
        for name, shape in shapes(network).items()
    }


def session(data: bytes) -> Any:
    """The network in a runtime."""
    ort = pytest.importorskip("onnxruntime")
    return ort.InferenceSession(data, providers=["CPUExecutionProvider"])


def test_every_width_is_a_chain() -> None:
    for width in (4, 16, 32):
        out = 3
        for layer in layers(width):
            first, last = (layer, layer) if isinstance(layer, Conv) else (layer.first, layer.second)
            assert first.into == out
            if isinstance(layer, Residual):
                assert layer.second.out == layer.first.into
            out = last.out
        assert out == 3
    names = [conv.name for conv in convolutions(layers(16))]
    assert len(set(names)) == len(names) == 14


def test_the_same_bytes_each_time_and_the_notes_are_in_them() -> None:
    data = onnx_bytes(SMALL, weights(SMALL), {"style": "ab12"})
    assert data == onnx_bytes(SMALL, weights(SMALL), {"style": "ab12"})
    assert session(data).get_modelmeta().custom_metadata_map == {"style": "ab12"}


@pytest.mark.parametrize(("height", "width"), [(16, 16), (64, 48), (33, 50), (18, 97)])
def test_a_picture_of_any_size_comes_back_in_that_size(height: int, width: int) -> None:
    given = np.random.default_rng(1).uniform(0, 255, (1, 3, height, width)).astype(np.float32)
    (found,) = session(onnx_bytes(SMALL, weights(SMALL), {})).run(None, {"picture": given})
    assert found.shape == given.shape
    assert found.min() >= 0
    assert found.max() <= 255
    assert np.ptp(found) > 1


def test_one_convolution_is_what_it_should_be() -> None:
    network = (Conv("only", 3, 3, 3, normalise=False, relu=False),)
    given = {"only.weight": np.zeros((3, 3, 3, 3), np.float32), "only.bias": np.array([0, 1, -1], np.float32)}
    given["only.weight"][0, 0, 1, 0] = 0.01
    picture = np.arange(3 * 4 * 5, dtype=np.float32).reshape(1, 3, 4, 5)
    (found,) = session(onnx_bytes(network, given, {})).run(None, {"picture": picture})
    left = np.concatenate([picture[0, 0, :, 1:2], picture[0, 0, :, :-1]], axis=1)
    expected = np.stack([left * 0.01, np.full((4, 5), 1), np.full((4, 5), -1)])
    assert np.allclose(found[0], 255 / (1 + np.exp(-expected)), atol=1e-3)


def test_our_own_styler_takes_it(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    (tmp_path / "mine.onnx").write_bytes(onnx_bytes(SMALL, weights(SMALL), {}))
    network = open_network(tmp_path / "mine.onnx")
    assert (network.layout, network.span, network.stated, network.width) == ("NCHW", "0..255", False, 0)
    pixels = np.random.default_rng(2).integers(0, 256, (37, 50, 3), np.uint8)
    assert restyled(network, pixels).shape == pixels.shape


def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(ValueError, match=re.escape("expected the weights of this network")):
        onnx_bytes(layers(8), weights(SMALL), {})


@pytest.mark.torch
@pytest.mark.parametrize(("height", "width"), [(64, 48), (33, 50)])
def test_torch_and_the_file_give_the_same_picture(height: int, width: int) -> None:
    import torch

    from answerable.train.johnson import stylised

    numbers = weights(SMALL)
    given = np.random.default_rng(3).uniform(0, 255, (1, 3, height, width)).astype(np.float32)
    (found,) = session(onnx_bytes(SMALL, numbers, {})).run(None, {"picture": given})
    tensors = {name: torch.from_numpy(value) for name, value in numbers.items()}
    expected = stylised(SMALL, tensors, torch.from_numpy(given)).numpy()
    assert np.abs(found - expected).max() < 0.05
