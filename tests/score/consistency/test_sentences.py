"""Sentence-transformers models behind the embedder's protocol, with stand-ins for the libraries."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from answerable.core.errors import SettingsError
from answerable.score.consistency import sentences
from answerable.score.consistency.similarity import Embedded, open_similarity


class FakeTransformer:
    """Remembers how it was made and asked; a row of ones and the text's length."""

    made: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    asked: ClassVar[list[tuple[list[str], dict[str, Any]]]] = []

    def __init__(self, folder: str, **settings: Any) -> None:
        self.made.append((folder, settings))

    def encode(self, texts: Sequence[str], **settings: Any) -> np.ndarray:
        """Rows of two numbers."""
        self.asked.append((list(texts), settings))
        return np.array([[1.0, len(text)] for text in texts])


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Stand-ins for the libraries, and a model folder."""
    FakeTransformer.made, FakeTransformer.asked = [], []
    logging = SimpleNamespace(disable_progress_bar=lambda: None)
    for name, content in (
        (sentences.LIBRARY, {"SentenceTransformer": FakeTransformer}),
        ("transformers.utils.logging", vars(logging)),
        (sentences.CARRIER, {"get_model_path": lambda: tmp_path / "model"}),
    ):
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sentences, "find_spec", lambda name: SimpleNamespace(name=name))
    folder = tmp_path / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    for name in ("modules.json", "model.safetensors", "1_Pooling/config.json"):
        (folder / name).write_text("{}")
    return folder


def test_the_package_that_carries_minilm_is_used_without_a_hub(libraries: Path) -> None:
    embedder = sentences.minilm()
    assert (embedder.name, embedder.model) == ("minilm", sentences.digest_of(libraries))
    assert "all-MiniLM-L6-v2" in embedder.words
    assert FakeTransformer.made == []
    assert embedder.embed(["a", "bcd"]).tolist() == [[1, 1], [1, 3]]
    [(folder, settings)] = FakeTransformer.made
    assert folder == str(libraries)
    # No code and no pickle of the model's own.
    assert settings["trust_remote_code"] is False
    assert settings["local_files_only"] is True
    assert settings["model_kwargs"] == {"use_safetensors": True}
    assert settings["device"] == "cpu"


def test_a_folder_is_an_embedder(libraries: Path) -> None:
    found = open_similarity(str(libraries))
    assert isinstance(found, Embedded)
    assert (found.name, found.model) == ("model", sentences.digest_of(libraries))
    pair = found.of_pairs(["a", "bcd"], np.array([0]), np.array([1]), lambda _: None)
    assert pair.tolist() == [round(1e6 * 4 / (2**0.5 * 10**0.5))]
    assert FakeTransformer.asked[0][0] == ["a", "bcd"]


def test_a_changed_pooling_is_another_model(libraries: Path) -> None:
    before = sentences.digest_of(libraries)
    (libraries / "1_Pooling" / "config.json").write_text("[]")
    assert sentences.digest_of(libraries) != before


def test_a_model_that_the_hub_does_not_give(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, **_: object) -> str:
        raise OSError(f"no connection for {name}")

    hub = ModuleType("huggingface_hub")
    vars(hub)["snapshot_download"] = refuse
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    with pytest.raises(SettingsError, match="the sentence-transformers model 'owner/model'") as caught:
        open_similarity("owner/model")
    assert "no connection" in str(caught.value)
    assert "name a local folder" in str(caught.value)


def test_only_files_of_the_model_are_asked_of_the_hub(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def give(_: str, allow_patterns: list[str]) -> str:
        asked.append(allow_patterns)
        return str(libraries)

    hub = ModuleType("huggingface_hub")
    vars(hub)["snapshot_download"] = give
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert open_similarity("owner/model").name == "owner/model"
    assert "*.bin" not in asked[0]
    assert "*.safetensors" in asked[0]
