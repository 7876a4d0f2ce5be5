"""How alike two texts are: by a sentence embedder, or only whether they are equal.

To add an embedder: a class with the protocol below, a function that makes one, and a line in ``EMBEDDERS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from answerable.core.errors import InputError, SettingsError
from answerable.core.registry import Registry
from answerable.score.consistency.cache import EmbeddingCache
from answerable.score.consistency.text import plain
from answerable.score.stratum import Ints

Rows = npt.NDArray[np.float32]
#: Called with how many texts were embedded since the last call.
Tick = Callable[[int], None]

#: Similarities are whole numbers of millionths: what two machines round differently in a float's last digits is not
#: kept, and sums are exact.
UNIT = 1_000_000
#: Name of what needs nothing.
EXACT = "exact"
#: Texts embedded between two calls of ``tick``, and pairs multiplied at once.
_BATCH, _BLOCK = 512, 1024
_SHORTEST = 1e-6


class Embedder(Protocol):
    """Turns texts into vectors."""

    name: str
    """As it is asked for."""
    model: str
    """Names the model by its content: stored embeddings go by it."""
    words: str
    """What it is, for people."""

    def embed(self, texts: Sequence[str], /) -> Rows:
        """A unit row a text, of shape (texts, dimensions); the row depends on its text alone."""


class Similarity(Protocol):
    """Says how alike texts are."""

    name: str
    model: str
    words: str

    def of_pairs(self, texts: Sequence[str], left: Ints, right: Ints, tick: Tick, /) -> Ints:
        """The similarity of ``texts[left]`` and ``texts[right]`` in millionths, from -1,000,000 to 1,000,000.

        Raises:
            InputError: a text has no usable embedding.
        """


class Exact:
    """1 for texts that are equal after normalising, 0 for all others."""

    name, model = EXACT, ""
    words = (
        "exact match: 1 for texts that are equal after NFKC, lower case, collapsed white space and without marks at"
        " either end, 0 for all others; no measure of meaning"
    )

    def of_pairs(self, texts: Sequence[str], left: Ints, right: Ints, tick: Tick, /) -> Ints:
        """Equal or not."""
        numbers: dict[str, int] = {}
        kinds = np.array([numbers.setdefault(plain(text), len(numbers)) for text in texts], dtype=np.int64)
        tick(len(texts))
        if not len(left):
            return np.zeros(0, dtype=np.int64)
        return np.where(kinds[left] == kinds[right], UNIT, 0).astype(np.int64)


class Embedded:
    """The cosine of two embeddings; each distinct text is embedded once.

    Args:
        embedder: makes the embeddings.
        cache: keeps them between runs; None keeps none.
    """

    def __init__(self, embedder: Embedder, cache: EmbeddingCache | None = None) -> None:
        self.name, self.model, self.words = embedder.name, embedder.model, embedder.words
        self._embedder, self._cache = embedder, cache

    def of_pairs(self, texts: Sequence[str], left: Ints, right: Ints, tick: Tick, /) -> Ints:
        """Rounded cosines."""
        if not len(left):
            return np.zeros(0, dtype=np.int64)
        distinct = list(dict.fromkeys(texts))
        place = {text: number for number, text in enumerate(distinct)}
        row_of = np.array([place[text] for text in texts], dtype=np.int64)
        rows = self.rows(distinct, tick)
        one, other = row_of[left], row_of[right]
        found = np.empty(len(left), dtype=np.int64)
        for start in range(0, len(left), _BLOCK):
            part = slice(start, start + _BLOCK)
            cosines = np.einsum("ij,ij->i", rows[one[part]], rows[other[part]], dtype=np.float64)
            found[part] = np.rint(np.clip(cosines, -1.0, 1.0) * UNIT)
        found[one == other] = UNIT
        return found

    def rows(self, texts: Sequence[str], tick: Tick) -> Rows:
        """A unit row for each of these different texts: from the cache where it has them.

        Raises:
            InputError: an embedding is not finite, has no length, or has another shape; the text is named.
        """
        stored = {} if self._cache is None else self._cache.load(texts)
        tick(len(stored))
        missing = [place for place, text in enumerate(texts) if text not in stored]
        parts: list[Rows] = []
        for start in range(0, len(missing), _BATCH):
            batch = [texts[place] for place in missing[start : start + _BATCH]]
            parts.append(unit_rows(self._embedder.embed(batch), batch, self.name))
            tick(len(batch))
        widths = {part.shape[1] for part in parts} | {len(row) for row in stored.values()}
        if len(widths) > 1:
            raise InputError(
                "embeddings of one width", f"{', '.join(map(str, sorted(widths)))}", where=f"--embedder {self.name}",
                fix="name another --cache folder: the one here holds embeddings of another model",
            )  # fmt: skip
        made = np.concatenate(parts) if parts else np.empty((0, widths.pop()), dtype=np.float32)
        if self._cache is not None and parts:
            self._cache.store({texts[place]: row for place, row in zip(missing, made, strict=True)})
        if not stored:
            return made
        found = np.empty((len(texts), made.shape[1]), dtype=np.float32)
        found[missing] = made
        for place, text in enumerate(texts):
            if text in stored:
                found[place] = stored[text]
        return found


def unit_rows(rows: Rows, texts: Sequence[str], name: str) -> Rows:
    """The rows with length 1.

    Raises:
        InputError: they are no matrix with a row a text, or a row is not finite or has no length.
    """
    matrix = np.asarray(rows, dtype=np.float32)
    where = f"--embedder {name}"
    if matrix.ndim != 2 or len(matrix) != len(texts) or not matrix.shape[1]:
        raise InputError(f"embeddings of shape ({len(texts)}, dimensions)", f"shape={matrix.shape}", where=where)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths < _SHORTEST))
    if len(bad):
        first = int(bad[0])
        got = "a length of 0" if np.isfinite(lengths[first]) else "NaN or infinity"
        raise InputError(
            "embeddings of finite numbers with a length",
            f"{got} for {len(bad)} of {len(texts)} texts, the first {texts[first][:80]!r}",
            where=where, fix="this embedder cannot read such texts: choose another one, or 'exact'",
        )  # fmt: skip
    return np.asarray(matrix / lengths[:, None], dtype=np.float32)


#: Name -> a function that makes an embedder. Other packages add theirs under the entry-point group
#: ``answerable.embedders``.
EMBEDDERS: Registry[Callable[[], Embedder]] = Registry(
    "embedder",
    "answerable.embedders",
    {"minilm": "answerable.score.consistency.sentences:minilm"},
    {"minilm": "consistency"},
)


def names() -> tuple[str, ...]:
    """Every name that needs no folder or hub."""
    return (EXACT, *EMBEDDERS.names())


def open_similarity(name: str, cache: Path | None = None) -> Similarity:
    """The similarity of this name.

    Args:
        name: one of ``names()``, or a sentence-transformers model: a local folder, or ``owner/model``.
        cache: a folder that keeps embeddings; None keeps none.

    Raises:
        SettingsError: no embedder has this name, or the model cannot be had.
        MissingExtraError: the optional part is not installed.
    """
    if name == EXACT:
        return Exact()
    if name in EMBEDDERS.names():
        embedder = EMBEDDERS.load(name)()
    elif Path(name).is_dir() or _is_hub_name(name):
        from answerable.score.consistency.sentences import named

        embedder = named(name)
    else:
        raise SettingsError(
            f"an embedder, one of {', '.join(names())}, a folder with a sentence-transformers model, or owner/model",
            f"{name[:200]!r}", "--embedder", "see docs/how-to/measure-consistency.md",
        )  # fmt: skip
    return Embedded(embedder, None if cache is None else EmbeddingCache(cache, embedder.model))


def _is_hub_name(name: str) -> bool:
    owner, slash, model = name.partition("/")
    parts = (owner, model)
    return bool(slash) and all(part.replace("-", "").replace("_", "").replace(".", "").isalnum() for part in parts)
