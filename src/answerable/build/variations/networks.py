"""Feed-forward style networks in ONNX files: what one takes and gives, found out before any photo is touched.

A network takes one picture of three channels, in either order of axes, as 32-bit floats, and gives a picture of the
same size. Whether its numbers run from 0 to 255 or from 0 to 1 stands nowhere in a file, so it is probed with a picture
of ours; where that decides nothing, the user says it. Numbers that were centred or scaled otherwise look like neither
and are refused. It runs on one thread of the CPU, so that a picture is the same on every number of workers.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from answerable.build.sources.mcq import read_bytes
from answerable.core.codec import digest_bytes
from answerable.core.errors import ImageError, MissingExtraError, SourceError
from answerable.core.records import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    Floats = NDArray[np.float32]

#: Bytes a network's file may have. The networks of the paper have 7 MB.
MAX_NETWORK = 1 << 28
#: A network's side may be this short or long, where it is fixed.
SIDES = (16, 4096)
#: Networks that halve the picture twice give back another size unless its sides are multiples of this.
_STEP = 4
#: Sides of the probe where a network leaves them free.
_PROBE = 64
Layout = Literal["NCHW", "NHWC"]
Span = Literal["0..255", "0..1"]
_EXTRA = "styles"


class Network(Record, frozen=True):
    """A style network, as it was found to be."""

    path: str
    sha256: str
    """Of its file; where it differs later, nothing is styled."""
    layout: Layout
    """The order of the axes: batch, then channels, height and width, or the channels last."""
    span: Span
    """What its numbers run over, in and out."""
    stated: bool
    """Whether the user said so; otherwise it was probed."""
    width: int = 0
    """Pixels, where it is fixed; 0: any."""
    height: int = 0

    def words(self) -> str:
        """For the ledger."""
        size = f"{self.width}x{self.height}" if self.width else "any size"
        return f"{self.layout}, {size}, {self.span} ({'stated' if self.stated else 'probed'})"


def open_network(path: Path, span: Span | None = None) -> Network:
    """Look at a network.

    Args:
        path: an ONNX file.
        span: what its numbers run over; None probes it.

    Raises:
        SourceError: it is no network from a picture to a picture, or the probe does not decide.
        MissingExtraError: onnxruntime is not installed.
    """
    if not path.is_file():
        raise SourceError("an ONNX file", f"{path}, which is not there", where="--style")
    if path.stat().st_size > MAX_NETWORK:
        raise SourceError(f"a network of at most {MAX_NETWORK} bytes", f"{path.stat().st_size}", where=str(path))
    mark = digest_bytes(read_bytes(path))
    session = _session(str(path), mark)
    layout, width, height = _axes(session, str(path))
    found = Network(str(path), mark, layout, span or "0..1", span is not None, width, height)
    return found if span is not None else _probed(found)


def restyled(network: Network, pixels: Pixels) -> Pixels:
    """A picture in the network's style, of the same size.

    A network of fixed size is given the picture scaled to it, and its result is scaled back.

    Args:
        pixels: shape (height, width, 3), uint8, RGB.

    Raises:
        SourceError: the file is another one than was looked at.
        ImageError: the network fails on this picture, or gives anything but a picture of its size.
    """
    import numpy as np

    height, width = pixels.shape[:2]
    shown = _scaled(pixels, network.width, network.height) if network.width else pixels
    made = _run(network, shown.astype(np.float32) / np.float32(1 if network.span == "0..255" else 255))
    full = made if network.span == "0..255" else made * np.float32(255)
    if not np.isfinite(full).all():
        raise ImageError("a picture of finite numbers", "others", where=network.path)
    result = np.rint(np.clip(full, 0, 255)).astype(np.uint8)
    return _scaled(result, width, height) if network.width else result


def _run(network: Network, picture: Floats) -> Floats:
    """From (height, width, 3) to the same shape, in the network's own numbers."""
    import numpy as np

    session = _session(network.path, network.sha256)
    height, width = picture.shape[:2]
    more = ((0, -height % _STEP), (0, -width % _STEP), (0, 0)) if not network.width else ((0, 0),) * 3
    given = np.pad(picture, more, mode="edge")
    first = network.layout == "NCHW"
    batch = np.ascontiguousarray((given.transpose(2, 0, 1) if first else given)[None])
    try:
        (found,) = session.run([session.get_outputs()[0].name], {session.get_inputs()[0].name: batch})
    except _failures() as error:
        raise ImageError("a network that takes this picture", f"{str(error)[:160]}", where=network.path) from error
    result = np.asarray(found)
    if result.shape != batch.shape:
        got = f"shape {result.shape} from {batch.shape}"
        raise ImageError("a picture of the same size from the network", got, where=network.path)
    back = result[0].transpose(1, 2, 0) if first else result[0]
    return np.asarray(back[:height, :width], np.float32)


def _scaled(pixels: Pixels, width: int, height: int) -> Pixels:
    import numpy as np
    from PIL import Image

    if pixels.shape[:2] == (height, width):
        return pixels
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS))


@lru_cache(maxsize=16)
def _session(path: str, sha256: str) -> Any:
    """The network, opened once a process.

    Raises:
        SourceError: the file changed, or is no network that can be run.
        MissingExtraError: onnxruntime is not installed.
    """
    ort = runtime()
    data = read_bytes(Path(path))
    if digest_bytes(data) != sha256:
        raise SourceError(f"the network with sha256={sha256[:16]}...", "another file", where=path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 4
    try:
        # From bytes: a file that keeps its numbers in other files cannot reach for them.
        return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except _failures() as error:
        raise SourceError(
            "an ONNX network with its numbers in the same file", str(error)[:160], where=path,
            fix="export it again as one file, with the usual operators",
        ) from error  # fmt: skip


def runtime() -> Any:
    """onnxruntime.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError.for_extra(_EXTRA, "onnxruntime") from error
    return onnxruntime


def _failures() -> tuple[type[Exception], ...]:
    """What the runtime raises; its own errors share no base but ``Exception``, so they are named."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = (
        "Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoSuchFile", "NoModel", "NotImplemented",
        "RuntimeException", "EPFail", "ModelLoaded", "EngineError",
    )  # fmt: skip
    return (*(found for name in names if (found := getattr(state, name, None))), RuntimeError, ValueError)


def _axes(session: Any, where: str) -> tuple[Layout, int, int]:
    """The order of the axes, and width and height where they are fixed."""
    inputs, outputs = session.get_inputs(), session.get_outputs()
    fix = "export a network that takes one picture and gives one, batch of 1, 3 channels, 32-bit floats"
    if len(inputs) != 1 or len(outputs) != 1:
        got = f"{len(inputs)} inputs ({', '.join(str(one.name)[:40] for one in inputs[:4])}), {len(outputs)} outputs"
        raise SourceError("a network with one input and one output", got, where=where, fix=fix)
    for what, found in (("input", inputs[0]), ("output", outputs[0])):
        if found.type != "tensor(float)":
            raise SourceError(f"an {what} of 32-bit floats", f"{found.type}", where=where, fix=fix)
    shape = list(inputs[0].shape)
    if len(shape) != 4:
        raise SourceError("an input with 4 axes", f"{len(shape)}: {shape}", where=where, fix=fix)
    if isinstance(shape[0], int) and shape[0] != 1:
        raise SourceError("a batch of 1, or of any size", f"{shape[0]}", where=where, fix=fix)
    first, last = shape[1] == 3, shape[3] == 3
    if first == last:
        raise SourceError(
            "3 channels, on the second axis or on the last", f"the shape {shape}", where=where, fix=fix
        )  # fmt: skip
    height, width = shape[2:] if first else shape[1:3]
    fixed = [side for side in (height, width) if isinstance(side, int)]
    if len(fixed) == 1 or any(not SIDES[0] <= side <= SIDES[1] for side in fixed):
        expected = f"both sides free, or both fixed from {SIDES[0]} to {SIDES[1]} pixels"
        raise SourceError(expected, f"the shape {shape}", where=where, fix=fix)
    return ("NCHW" if first else "NHWC"), (width if fixed else 0), (height if fixed else 0)


def _probe_picture(width: int, height: int) -> Floats:
    """Slopes, a checkerboard and a bright disc, from 0 to 1; shape (height, width, 3)."""
    import numpy as np

    rows, columns = np.mgrid[0:height, 0:width]
    across, down = columns / max(1, width - 1), rows / max(1, height - 1)
    squares = ((columns // 8 + rows // 8) % 2) * 0.25
    disc = (np.hypot(across - 0.6, down - 0.4) < 0.25) * 0.5
    layers = (across * 0.75 + squares, down * 0.75 + squares, (1 - across) * 0.5 + disc)
    return np.stack([np.clip(layer, 0, 1) for layer in layers], axis=-1).astype(np.float32)


#: The output may reach so far beyond its range before it counts as another: networks overshoot where a picture is
#: very bright or dark, and are cut off there.
_OVER, _UNDER = 0.5, 0.3
#: A picture that spans less than this share of its range is none.
_LEAST = 0.02


def _probed(network: Network) -> Network:
    """The network with the range that a picture of ours shows.

    Raises:
        SourceError: the outputs fit neither range, or do not decide between them.
    """
    import msgspec
    import numpy as np

    picture = _probe_picture(network.width or _PROBE, network.height or _PROBE)
    try:
        small, large = _run(network, picture), _run(network, picture * np.float32(255))
    except ImageError as error:
        raise SourceError(error.expected, error.got, where=network.path) from error
    one, other = _fits(small, 1), _fits(large, 255)
    if one and not other:
        span: Span = "0..1"
    elif other and not one:
        span = "0..255"
    elif one and other and np.allclose(small * 255, large, rtol=1e-3, atol=0.5):
        # The same picture either way.
        span = "0..1"
    else:
        what = "both ranges" if one and other else "neither range"
        raise SourceError(
            "a network whose numbers run from 0 to 255, or from 0 to 1, in and out",
            f"outputs that fit {what}: from {_seen(small)} for a picture of 0 to 1, {_seen(large)} for one of 0 to 255",
            where=network.path,
            fix="if you know the range, say so: --style NAME=FILE@255 or NAME=FILE@1; other ranges, such as -1 to 1 or "
            "numbers less a mean, must be put right inside the network",
        )
    return msgspec.structs.replace(network, span=span)


def _fits(found: Floats, top: int) -> bool:
    """Whether numbers are those of a picture that runs from 0 to ``top``."""
    import numpy as np

    if not np.isfinite(found).all():
        return False
    low, high = (float(value) for value in np.percentile(found, (2, 98)))
    return low >= -_UNDER * top and high <= (1 + _OVER) * top and high - low >= _LEAST * top


def _seen(found: Floats) -> str:
    import numpy as np

    if not np.isfinite(found).all():
        return "numbers that are not finite"
    low, high = np.percentile(found, (2, 98))
    return f"{low:.4g} to {high:.4g}"
