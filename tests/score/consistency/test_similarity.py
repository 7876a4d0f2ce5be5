"""Similarity of texts: exact, by embeddings, cached, and what is refused."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.core.errors import InputError, MissingExtraError, SettingsError
from answerable.score.consistency import sentences
from answerable.score.consistency.cache import EmbeddingCache
from answerable.score.consistency.similarity import (
    EMBEDDERS,
    UNIT,
    Embedded,
    Exact,
    Rows,
    Similarity,
    names,
    open_similarity,
)
from tests.score.consistency.fake import HashEmbedder, TableEmbedder

WORDS = ("columbia", "north face", "no")


def quiet(_: int) -> None:
    return None


def alike(similarity: Similarity, texts: Sequence[str]) -> list[float]:
    left, right = np.triu_indices(len(texts), 1)
    return [value / UNIT for value in similarity.of_pairs(texts, left, right, quiet)]


def test_exact_tells_equal_after_normalising() -> None:
    assert alike(Exact(), ["A  Cat.", "a cat", "dog"]) == [1, 0, 0]
    assert "no measure of meaning" in Exact().words
    assert open_similarity("exact").name == "exact"


def test_cosines_of_a_table() -> None:
    table = TableEmbedder({WORDS[:2]: 0.27, (WORDS[0], WORDS[2]): 0.14, WORDS[1:]: -0.24})
    assert alike(Embedded(table), WORDS) == pytest.approx([0.27, 0.14, -0.24], abs=2e-6)


def test_each_distinct_text_is_embedded_once() -> None:
    embedder = HashEmbedder()
    texts = ["a", "b", "a", "c", "b"]
    left, right = np.triu_indices(5, 1)
    found = Embedded(embedder).of_pairs(texts, left, right, quiet)
    assert embedder.calls == ["a", "b", "c"]
    # Equal texts are exactly alike, whatever the rounding of their rows.
    assert [found[at] for at in range(len(found)) if texts[left[at]] == texts[right[at]]] == [UNIT, UNIT]


class Broken:
    """Rows that no similarity can be made of."""

    name, model, words = "broken", "broken", "broken"

    def __init__(self, rows: object) -> None:
        self._rows = rows

    def embed(self, texts: Sequence[str], /) -> Rows:
        """The rows given, whatever the texts."""
        return np.array(self._rows, dtype=np.float32)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 0], [np.nan, 0], [0, 1]], "NaN or infinity for 1 of 3 texts, the first 'north face'"),
        ([[1, 0], [0, np.inf], [np.nan, 1]], "NaN or infinity for 2 of 3 texts, the first 'north face'"),
        ([[1, 0], [0, 1], [0, 0]], "a length of 0 for 1 of 3 texts, the first 'no'"),
        ([[1, 0], [0, 1]], r"shape=\(2, 2\)"),
        ([1, 0, 1], r"shape=\(3,\)"),
    ],
)
def test_an_embedding_that_is_no_direction_is_an_error_that_names_the_text(rows: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        alike(Embedded(Broken(rows)), WORDS)
    assert "--embedder broken" in str(caught.value)


def test_rows_of_any_length_are_made_unit() -> None:
    assert alike(Embedded(Broken([[3, 0], [0.01, 0], [0, 5]])), WORDS) == [1, 0, 0]


def test_embeddings_are_kept_by_content(tmp_path: Path) -> None:
    first, again, other = HashEmbedder(), HashEmbedder(), HashEmbedder(model="hash-2")
    once = alike(Embedded(first, EmbeddingCache(tmp_path, first.model)), WORDS)
    assert alike(Embedded(again, EmbeddingCache(tmp_path, again.model)), (*WORDS[:2], "no")) == once
    assert again.calls == []
    alike(Embedded(again, EmbeddingCache(tmp_path, again.model)), (*WORDS, "new"))
    assert again.calls == ["new"]
    alike(Embedded(other, EmbeddingCache(tmp_path, other.model)), WORDS)
    assert other.calls == list(WORDS)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_cache_holds_the_same_bytes_for_the_same_texts(tmp_path: Path) -> None:
    for folder, texts in (("a", WORDS), ("b", WORDS[::-1])):
        embedder = HashEmbedder()
        alike(Embedded(embedder, EmbeddingCache(tmp_path / folder, embedder.model)), texts)
    [one], [other] = (list((tmp_path / folder).iterdir()) for folder in "ab")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("damage", ["cut", "head", "nan", "model", "empty"])
def test_a_damaged_cache_is_an_error_never_a_number(tmp_path: Path, damage: str) -> None:
    embedder = HashEmbedder()
    cache = EmbeddingCache(tmp_path, embedder.model)
    alike(Embedded(embedder, cache), WORDS)
    data = cache.path.read_bytes()
    head, _, body = data.partition(b"\n")
    nan = np.full(16, np.nan, dtype="<f4").tobytes()
    cache.path.write_bytes(
        {
            "cut": data[:-3], "head": b"[" + data, "nan": head + b"\n" + body[:-64] + nan,
            "model": data.replace(b"hash-1", b"hash-9"), "empty": b"",
        }[damage]
    )  # fmt: skip
    with pytest.raises(InputError, match="a readable file of embeddings") as caught:
        alike(Embedded(embedder, EmbeddingCache(tmp_path, embedder.model)), WORDS)
    assert "remove the file" in str(caught.value)


def test_an_unknown_name_lists_the_choices(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="one of exact, minilm, a folder"):
        open_similarity("minlm")
    assert names() == ("exact", "minilm")
    assert EMBEDDERS.names() == ("minilm",)
    # A path that leads nowhere is no name on a hub.
    with pytest.raises(SettingsError, match="an embedder"):
        open_similarity("../models/x")


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="the optional part 'consistency'") as caught:
        open_similarity("minilm")
    assert caught.value.exit_code == 3
    assert 'pip install "answerable[consistency]"' in str(caught.value)


def test_a_folder_without_safetensors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(SettingsError, match="weights in safetensors"):
        sentences.digest_of(tmp_path)


def test_a_model_is_named_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "model.safetensors").write_bytes(b"one")
    first = sentences.digest_of(tmp_path)
    (tmp_path / "notes.md").write_text("not read")
    assert sentences.digest_of(tmp_path) == first
    (tmp_path / "model.safetensors").write_bytes(b"two")
    assert sentences.digest_of(tmp_path) != first


@given(st.lists(st.text(max_size=6), min_size=2, max_size=8))
def test_vectorised_equals_a_call_per_pair(texts: list[str]) -> None:
    whole = alike(Embedded(HashEmbedder()), texts)
    left, right = np.triu_indices(len(texts), 1)
    single = [alike(Embedded(HashEmbedder()), (texts[a], texts[b]))[0] for a, b in zip(left, right, strict=True)]
    assert whole == pytest.approx(single, abs=2e-6)


needs_model = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in (sentences.LIBRARY, sentences.CARRIER)),
    reason="needs the extra 'consistency'",
)


@pytest.mark.torch
@needs_model
@pytest.mark.filterwarnings("default")
def test_the_papers_similarities_are_those_of_minilm(tmp_path: Path) -> None:
    """Appendix A.5: 0.27, 0.14, 0.24; section 4: person and baseball player 54.4."""
    found = alike(open_similarity("minilm", tmp_path), WORDS)
    assert [round(value, 2) for value in found] == [0.27, 0.14, 0.24]
    [person] = alike(open_similarity("minilm", tmp_path), ("person", "baseball player"))
    assert round(100 * person, 1) == 54.4
    # The second time nothing is embedded.
    assert alike(open_similarity("minilm", tmp_path), WORDS) == found
