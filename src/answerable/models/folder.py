"""Where a model lies on this machine, and the digest that says which one it is.

A model is a folder in the form of Hugging Face ``transformers``, or the name of one that was downloaded before. Nothing
is ever fetched. Weights are read from safetensors files only: the older ``.bin`` files can run code when they are read.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from answerable.core.codec import decode, digest
from answerable.core.errors import MissingExtraError, SettingsError
from answerable.core.records import Record

#: The extra that brings torch and transformers.
EXTRA = "train"
CONFIG = "config.json"
MAX_CONFIG = 1 << 22
#: Files that decide what a model says.
_KINDS = (".json", ".jinja", ".model", ".safetensors", ".tiktoken", ".txt")
#: A folder of more files than this is no model.
_MAX_FILES = 4096
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}(/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?")


class ModelFolder(Record, frozen=True):
    """A model on this machine."""

    name: str
    """What it is called in records: the name that was given, or the folder's own; never a path."""
    path: str
    sha256: str
    """Over the names and contents of its settings, vocabulary and weights."""


class _Config(msgspec.Struct, frozen=True):
    """What is looked at in ``config.json`` before anything is loaded."""

    model_type: str
    is_encoder_decoder: bool = False


def find_model(given: str, where: str = "--model") -> ModelFolder:
    """The model that a path or a name means.

    Args:
        given: a folder, or a name such as ``owner/name`` that lies in the local cache of ``huggingface_hub``.
        where: the flag, for messages.

    Raises:
        SettingsError: nothing is there, or it is no model whose weights can be read safely.
        MissingExtraError: a name was given and ``huggingface_hub`` is not installed.
    """
    folder = Path(given)
    if not folder.is_dir():
        folder = _cached(given, where)
    _check_config(folder, where)
    weights = sorted(path.name for path in folder.glob("*.safetensors"))
    if not weights:
        raise SettingsError(
            "a model with weights in .safetensors files", f"none in {folder}", where,
            fix="save it again with save_pretrained(FOLDER); other formats can run code when they are read",
        )  # fmt: skip
    name = given if not Path(given).is_dir() else folder.resolve().name
    return ModelFolder(name=name, path=str(folder), sha256=folder_digest(folder))


def _cached(given: str, where: str) -> Path:
    """The folder of a model that was downloaded earlier."""
    if not _NAME.fullmatch(given):
        raise SettingsError("a folder with a model, or the name of a downloaded one", f"{given!r}", where)
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, "huggingface_hub") from error
    found = try_to_load_from_cache(given, CONFIG)
    if not isinstance(found, str):
        raise SettingsError(
            "a folder with a model, or the name of one in the local cache", f"{given!r}, which is neither", where,
            fix=f"nothing is downloaded here: run 'hf download {given}' first, or name the model's folder",
        )  # fmt: skip
    return Path(found).parent


def _check_config(folder: Path, where: str) -> None:
    path = folder / CONFIG
    if not path.is_file() or path.stat().st_size > MAX_CONFIG:
        raise SettingsError(f"a model folder with {CONFIG}", f"{folder}", where)
    try:
        config = decode(path.read_bytes(), _Config)
    except msgspec.MsgspecError as error:
        raise SettingsError(f"a {CONFIG} that names its model_type", str(error), where=str(path)) from error
    if config.is_encoder_decoder:
        raise SettingsError(
            "a model whose reply continues its prompt (decoder only)", f"model_type={config.model_type!r}, which has an"
            " encoder for text", where,
            fix="serve it by any OpenAI-compatible server and use --base-url",
        )  # fmt: skip


def folder_digest(folder: Path) -> str:
    """sha256 over the names and contents of the files of a model that decide what it says.

    Raises:
        SettingsError: there are too many, or one cannot be read.
    """
    files = sorted(path for path in folder.iterdir() if path.suffix in _KINDS and path.is_file())
    if len(files) > _MAX_FILES:
        raise SettingsError(f"a model of at most {_MAX_FILES} files", f"{len(files)}", where=str(folder))
    return digest([[path.name, file_digest(path)] for path in files])


def file_digest(path: Path) -> str:
    """sha256 of a file, read in pieces.

    Raises:
        SettingsError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SettingsError("a file that can be read", error.strerror or str(error), where=str(path)) from error
