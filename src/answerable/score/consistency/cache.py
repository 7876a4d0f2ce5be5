"""Embeddings kept between runs, by the digest of model and text: one file a model.

A line of JSON that says model and width, then records of 32 bytes of digest and one float32 a dimension, little end
first. The file is replaced whole; it holds no text and no code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from answerable.core.codec import decode, encode
from answerable.core.errors import InputError
from answerable.core.files import replacing
from answerable.core.records import Record

FORMAT = 1
#: Of the first line, of the width of a row, and of the whole file.
MAX_HEAD, MAX_WIDTH, MAX_BYTES = 4096, 65_536, 1 << 33
_UNIT_WITHIN = 1e-3


class Head(Record, frozen=True):
    """The first line."""

    format: int
    model: str
    width: int
    """Dimensions of an embedding."""


class EmbeddingCache:
    """The embeddings of one model in a folder.

    Args:
        folder: made when there is something to keep.
        model: names the model by its content.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self.path = folder / f"embeddings-{hashlib.sha256(model.encode()).hexdigest()[:16]}.bin"
        self._model = model
        self._kept: dict[bytes, npt.NDArray[np.float32]] | None = None

    def load(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The embeddings there are of these texts.

        Raises:
            InputError: the file is damaged or of another model.
        """
        kept = self._read()
        return {text: kept[key] for text in texts if (key := self.key(text)) in kept}

    def key(self, text: str) -> bytes:
        """What an embedding is kept under."""
        return hashlib.sha256(f"{self._model}\0{text}".encode("utf-8", "surrogatepass")).digest()

    def store(self, made: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Add embeddings, all of one width.

        Raises:
            InputError: the file there is damaged, or of another width.
            StorageError: the disk refused; the file keeps its old content.
        """
        kept = self._read()
        kept.update((self.key(text), row) for text, row in made.items())
        widths = {len(row) for row in kept.values()}
        if len(widths) != 1:
            raise self._damaged(f"embeddings {', '.join(map(str, sorted(widths)))} wide")
        width = widths.pop()
        records = np.empty(len(kept), dtype=_record(width))
        # Sorted, so that the same embeddings are the same bytes.
        keys = sorted(kept)
        records["key"] = np.frombuffer(b"".join(keys), dtype="V32")
        records["row"] = np.stack([kept[key] for key in keys])
        with replacing(self.path) as path, path.open("wb") as file:
            file.write(encode(Head(FORMAT, self._model, width)) + b"\n")
            file.write(records.tobytes())

    def _read(self) -> dict[bytes, npt.NDArray[np.float32]]:
        if self._kept is None:
            self._kept = self._from_file() if self.path.is_file() else {}
        return self._kept

    def _from_file(self) -> dict[bytes, npt.NDArray[np.float32]]:
        if self.path.stat().st_size > MAX_BYTES:
            raise self._damaged("a larger file than any of ours")
        with self.path.open("rb") as file:
            line = file.readline(MAX_HEAD + 1)
            try:
                head = decode(line, Head)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise self._damaged(str(error)[:120]) from error
            if head.format != FORMAT or head.model != self._model or not 0 < head.width <= MAX_WIDTH:
                raise self._damaged(f"format={head.format} model={head.model[:40]!r} width={head.width}")
            body = file.read()
        kind = _record(head.width)
        if len(body) % kind.itemsize:
            raise self._damaged(f"{len(body)} bytes after the first line")
        records = np.frombuffer(body, dtype=kind)
        rows = np.ascontiguousarray(records["row"], dtype=np.float32)
        lengths = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
        if not (np.isfinite(lengths) & (np.abs(lengths - 1) < _UNIT_WITHIN)).all():
            raise self._damaged("rows that are no unit vectors")
        return dict(zip((bytes(key) for key in records["key"].tolist()), rows, strict=True))

    def _damaged(self, got: str) -> InputError:
        return InputError(
            "a readable file of embeddings of this model", got, where=str(self.path),
            fix="remove the file: embeddings are made again",
        )  # fmt: skip


def _record(width: int) -> np.dtype[np.void]:
    return np.dtype([("key", "V32"), ("row", "<f4", (width,))])
