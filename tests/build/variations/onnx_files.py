"""ONNX files made by hand: the few messages of the format that a small network needs, without the library for it.

Field numbers are those of ``onnx.proto``. A message is its fields one after another: a tag, then a number or bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

FLOAT, INT64 = 1, 7
Shape = Sequence[int | str]


def _number(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while True:
        value, low = value >> 7, value & 127
        out.append(low | (128 if value else 0))
        if not value:
            return bytes(out)


def _int(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _number(field << 3 | 2) + _number(len(data)) + data


def tensor(name: str, shape: Sequence[int], values: Sequence[float]) -> bytes:
    """A constant of 32-bit floats, or a number without axes."""
    raw = struct.pack(f"<{len(values)}f", *values)
    return b"".join(_int(1, side) for side in shape) + _int(2, FLOAT) + _bytes(8, name) + _bytes(9, raw)


def value(name: str, shape: Shape, kind: int = FLOAT) -> bytes:
    """An input or output; a side that is a text is free."""
    sides = b"".join(
        _bytes(1, _int(1, side) if isinstance(side, int) else _bytes(2, side)) for side in shape
    )  # fmt: skip
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, sides)))


def node(operator: str, inputs: Sequence[str], output: str, **numbers: int | Sequence[int]) -> bytes:
    """An operator with whole numbers, or lists of them, as attributes."""
    made = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(4, operator)
    for name, given in numbers.items():
        if isinstance(given, int):
            made += _bytes(5, _bytes(1, name) + _int(3, given) + _int(20, 2))
        else:
            made += _bytes(5, _bytes(1, name) + b"".join(_int(8, each) for each in given) + _int(20, 7))
    return made


def model(
    nodes: Sequence[bytes], inputs: Sequence[bytes], outputs: Sequence[bytes], constants: Sequence[bytes] = ()
) -> bytes:  # fmt: skip
    """A file with one graph."""
    graph = b"".join(_bytes(1, one) for one in nodes) + _bytes(2, "g")
    graph += b"".join(_bytes(5, one) for one in constants)
    graph += b"".join(_bytes(11, one) for one in inputs) + b"".join(_bytes(12, one) for one in outputs)
    return _int(1, 8) + _bytes(8, _bytes(1, "") + _int(2, 13)) + _bytes(7, graph)


NCHW: Shape = (1, 3, "h", "w")
NHWC: Shape = (1, "h", "w", 3)


def scaled(times: float, plus: float = 0.0, shape: Shape = NCHW, out: Shape | None = None) -> bytes:
    """``x * times + plus``."""
    return model(
        [node("Mul", ["x", "a"], "m"), node("Add", ["m", "b"], "y")],
        [value("x", shape)],
        [value("y", shape if out is None else out)],
        [tensor("a", (), [times]), tensor("b", (), [plus])],
    )


def clipped(top: float, shape: Shape = NCHW) -> bytes:
    """``top - x``, cut to 0 and ``top``: a negative of a picture whose numbers run from 0 to ``top``."""
    return model(
        [node("Sub", ["top", "x"], "m"), node("Clip", ["m", "zero", "top"], "y")],
        [value("x", shape)],
        [value("y", shape)],
        [tensor("top", (), [top]), tensor("zero", (), [0.0])],
    )


def blurred() -> bytes:
    """Instance normalisation, then a convolution over 3x3 of each channel, scaled to 0 to 255: like a style network."""
    kernel = [1 / 9] * 27
    return model(
        [
            node("InstanceNormalization", ["x", "one", "nought"], "n"),
            node("Conv", ["n", "k"], "c", pads=[1, 1, 1, 1], group=3),
            node("Mul", ["c", "spread"], "s"), node("Add", ["s", "middle"], "y"),
        ],
        [value("x", NCHW)],
        [value("y", NCHW)],
        [
            tensor("one", (3,), [1.0] * 3), tensor("nought", (3,), [0.0] * 3), tensor("k", (3, 1, 3, 3), kernel),
            tensor("spread", (), [50.0]), tensor("middle", (), [128.0]),
        ],
    )  # fmt: skip


def put(folder: Path, name: str, data: bytes) -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(data)
    return path
