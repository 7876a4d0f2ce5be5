"""A style network as an ONNX file, written by hand: a few messages of protocol buffers, the same bytes every time.

Format: onnx.proto of ONNX 1.12 (operator set 17, IR version 8), of which eight operators are used. Input and output are
``float32``, (1, 3, height, width) with both sides free, RGB from 0 to 255.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING

from answerable.train.johnson import EPSILON, Conv, Layer, shapes

if TYPE_CHECKING:
    from answerable.train.johnson import Weights

_IR, _OPSET = 8, 17
#: Numbers of ``TensorProto.DataType`` and ``AttributeProto.AttributeType``.
_FLOAT, _INT64 = 1, 7
_A_FLOAT, _AN_INT, _A_STRING, _INTS = 1, 2, 3, 7
INPUT, OUTPUT = "picture", "stylised"
Attribute = float | int | str | tuple[int, ...]


def onnx_bytes(network: tuple[Layer, ...], weights: Weights, notes: dict[str, str]) -> bytes:
    """The file.

    Args:
        network: the layers.
        weights: 32-bit floats by the names of ``johnson.shapes``.
        notes: kept in the file as metadata.

    Raises:
        ValueError: a weight is missing or of another shape.
    """
    wanted = shapes(network)
    if {name: value.shape for name, value in weights.items()} != wanted:
        raise ValueError("expected the weights of this network; got others")
    graph = _Graph()
    for name, value in weights.items():
        graph.tensor(name, _FLOAT, value.shape, value.astype("<f4").tobytes())
    found = INPUT
    for layer in network:
        if isinstance(layer, Conv):
            found = graph.conv(layer, found)
        else:
            inner = graph.conv(layer.second, graph.conv(layer.first, found))
            found = graph.node("Add", [found, inner])
    graph.finish(found)
    return b"".join(
        (
            _number(1, _IR),
            _text(2, "answerable"),
            _bytes(7, graph.message()),
            _bytes(8, _number(2, _OPSET)),
            *(_bytes(14, _text(1, name) + _text(2, notes[name])) for name in sorted(notes)),
        )
    )


class _Graph:
    """Nodes and constants of a graph under way."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: dict[str, bytes] = {}

    def tensor(self, name: str, kind: int, shape: Iterable[int], data: bytes) -> str:
        """A constant; its name."""
        dims = b"".join(_number(1, side) for side in shape)
        self._tensors[name] = dims + _number(2, kind) + _text(8, name) + _bytes(9, data)
        return name

    def integers(self, *values: int) -> str:
        """A constant of whole numbers, one dimension."""
        name = "int64:" + ",".join(map(str, values))
        return self.tensor(name, _INT64, (len(values),), struct.pack(f"<{len(values)}q", *values))

    def floats(self, *values: float) -> str:
        """A constant of 32-bit floats, one dimension."""
        name = "float:" + ",".join(map(str, values))
        return self.tensor(name, _FLOAT, (len(values),), struct.pack(f"<{len(values)}f", *values))

    def node(self, operator: str, inputs: list[str], result: str = "", **attributes: Attribute) -> str:
        """An operator; the name of its result."""
        name = result or f"{operator}:{len(self._nodes)}"
        body = b"".join(_text(1, one) for one in inputs) + _text(2, name) + _text(3, f"node:{len(self._nodes)}")
        body += _text(4, operator) + b"".join(_bytes(5, _attribute(key, attributes[key])) for key in sorted(attributes))
        self._nodes.append(body)
        return name

    def conv(self, conv: Conv, given: str) -> str:
        """A convolution and what belongs to it."""
        found = given
        if conv.grow == 2:
            scales = self.floats(1, 1, 2, 2)
            found = self.node(
                "Resize", [found, "", scales], mode="nearest", nearest_mode="floor",
                coordinate_transformation_mode="asymmetric",
            )  # fmt: skip
        border = conv.kernel // 2
        found = self.node("Pad", [found, self.integers(0, 0, border, border, 0, 0, border, border)], mode="reflect")
        weights = [f"{conv.name}.weight", *([] if conv.normalise else [f"{conv.name}.bias"])]
        found = self.node(
            "Conv", [found, *weights], kernel_shape=(conv.kernel, conv.kernel), strides=(conv.stride, conv.stride)
        )
        if conv.normalise:
            parts = [found, f"{conv.name}.scale", f"{conv.name}.shift"]
            found = self.node("InstanceNormalization", parts, epsilon=EPSILON)
        return self.node("Relu", [found]) if conv.relu else found

    def finish(self, found: str) -> None:
        """Cut to the size of what came in, and bring between 0 and 255."""
        size = self.node("Shape", [INPUT], start=2, end=4)
        cut = self.node("Slice", [found, self.integers(0, 0), size, self.integers(2, 3)])
        self.node("Mul", [self.node("Sigmoid", [cut]), self.floats(255)], OUTPUT)

    def message(self) -> bytes:
        """``GraphProto``."""
        return b"".join(
            (
                *(_bytes(1, node) for node in self._nodes),
                _text(2, "style"),
                *(_bytes(5, self._tensors[name]) for name in sorted(self._tensors)),
                _bytes(11, _value(INPUT)),
                _bytes(12, _value(OUTPUT)),
            )
        )


def _value(name: str) -> bytes:
    """``ValueInfoProto`` of a picture."""
    sides = (_number(1, 1), _number(1, 3), _text(2, "height"), _text(2, "width"))
    shape = b"".join(_bytes(1, side) for side in sides)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, shape)))


def _attribute(name: str, value: Attribute) -> bytes:
    """``AttributeProto``."""
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, _A_STRING)
    if isinstance(value, tuple):
        return _text(1, name) + b"".join(_number(8, one) for one in value) + _number(20, _INTS)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _AN_INT)
    return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, _A_FLOAT)


def _number(field: int, value: int) -> bytes:
    """A whole number from 0, as a varint."""
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
