"""The style network as data: a small one of the form of Johnson et al. (2016), with instance normalisation.

The picture is halved twice, passes residual blocks, is doubled twice, and ends between 0 and 255. One list of layers is
what torch trains and what the ONNX file is written from, so the two cannot differ. Borders are mirrored before each
convolution. The first normalisation takes any scale and offset out of the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerable.core.records import Record
from answerable.core.seeds import seed_from
from answerable.models.engine import Tensor, deterministic, torch_or_missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = dict[str, NDArray[np.float32]]

#: Added to the variance.
EPSILON = 1e-5
RESIDUALS = 4
#: Channels of the first layer may be from and to.
WIDTHS = (4, 64)


class Conv(Record, frozen=True):
    """A convolution of a mirrored border, and what follows it."""

    name: str
    into: int
    out: int
    kernel: int
    stride: int = 1
    grow: int = 1
    """2: the picture is doubled first, each pixel to four."""
    normalise: bool = True
    relu: bool = True


class Residual(Record, frozen=True):
    """Two convolutions whose result is added to what came in."""

    first: Conv
    second: Conv


Layer = Conv | Residual


def layers(width: int) -> tuple[Layer, ...]:
    """The network of a width.

    Args:
        width: channels of the first layer; the middle has four times as many.
    """
    middle = 4 * width
    return (
        Conv("in", 3, width, 9),
        Conv("down1", width, 2 * width, 3, stride=2),
        Conv("down2", 2 * width, middle, 3, stride=2),
        *(
            Residual(
                Conv(f"residual{number}a", middle, middle, 3), Conv(f"residual{number}b", middle, middle, 3, relu=False)
            )
            for number in range(1, RESIDUALS + 1)
        ),
        Conv("up1", middle, 2 * width, 3, grow=2),
        Conv("up2", 2 * width, width, 3, grow=2),
        Conv("out", width, 3, 9, normalise=False, relu=False),
    )


def convolutions(network: tuple[Layer, ...]) -> tuple[Conv, ...]:
    """Every convolution, in order."""
    found: list[Conv] = []
    for layer in network:
        found += [layer] if isinstance(layer, Conv) else [layer.first, layer.second]
    return tuple(found)


def shapes(network: tuple[Layer, ...]) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the weights. A bias before a normalisation would be taken out again, so there is none."""
    found: dict[str, tuple[int, ...]] = {}
    for conv in convolutions(network):
        found[f"{conv.name}.weight"] = (conv.out, conv.into, conv.kernel, conv.kernel)
        found |= {f"{conv.name}.scale": (conv.out,), f"{conv.name}.shift": (conv.out,)} if conv.normalise else {}
        found |= {} if conv.normalise else {f"{conv.name}.bias": (conv.out,)}
    return found


def first_weights(network: tuple[Layer, ...], seed: int) -> dict[str, Tensor]:
    """Weights to begin with, 32-bit floats that are trained."""
    found: dict[str, Tensor] = {}
    with deterministic(seed_from("style network", seed)) as torch:
        for name, shape in shapes(network).items():
            kind = name.rpartition(".")[2]
            value = torch.ones(shape) if kind == "scale" else torch.zeros(shape)
            if kind == "weight":
                fan = shape[1] * shape[2] * shape[3]
                # Uniform, with the variance that keeps signals alive behind a rectifier (He et al., 2015).
                torch.nn.init.uniform_(value, -((6 / fan) ** 0.5), (6 / fan) ** 0.5)
            found[name] = value.requires_grad_(True)
    return found


def stylised(network: tuple[Layer, ...], weights: dict[str, Tensor], picture: Tensor) -> Tensor:
    """A picture in the network's style.

    Args:
        network: its layers.
        weights: by name.
        picture: shape (batch, 3, height, width), RGB from 0 to 255; sides of at least 16 pixels.

    Returns:
        The same shape and range.
    """
    height, width = picture.shape[2:]
    found = picture
    for layer in network:
        if isinstance(layer, Conv):
            found = _conv(layer, weights, found)
        else:
            found = found + _conv(layer.second, weights, _conv(layer.first, weights, found))
    # Sides that are no multiples of 4 come back longer.
    return torch_or_missing().sigmoid(found[:, :, :height, :width]) * 255


def _conv(conv: Conv, weights: dict[str, Tensor], picture: Tensor) -> Tensor:
    functional = torch_or_missing().nn.functional
    found = _doubled(picture) if conv.grow == 2 else picture
    found = _mirrored(found, conv.kernel // 2)
    found = functional.conv2d(
        found, weights[f"{conv.name}.weight"], weights.get(f"{conv.name}.bias"), stride=conv.stride
    )
    if conv.normalise:
        scale, shift = weights[f"{conv.name}.scale"], weights[f"{conv.name}.shift"]
        found = functional.instance_norm(found, weight=scale, bias=shift, eps=EPSILON)
    return functional.relu(found) if conv.relu else found


def _mirrored(picture: Tensor, border: int) -> Tensor:
    """With a border that mirrors the picture; of operations whose gradients repeat on every device."""
    cat = torch_or_missing().cat
    wide = cat([picture[..., 1 : border + 1].flip(-1), picture, picture[..., -border - 1 : -1].flip(-1)], -1)
    return cat([wide[:, :, 1 : border + 1].flip(2), wide, wide[:, :, -border - 1 : -1].flip(2)], 2)


def _doubled(picture: Tensor) -> Tensor:
    batch, channels, height, width = picture.shape
    spread = picture[:, :, :, None, :, None].expand(batch, channels, height, 2, width, 2)
    return spread.reshape(batch, channels, 2 * height, 2 * width)
