"""Finding a model on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.models.folder import MAX_CONFIG, file_digest, find_model, folder_digest


def folder(path: Path, config: bytes = b'{"model_type": "llava"}') -> Path:
    """What a model folder looks like from outside."""
    path.mkdir()
    (path / "config.json").write_bytes(config)
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def test_a_folder_is_found_by_path_and_named_without_it(tmp_path: Path) -> None:
    found = find_model(str(folder(tmp_path / "mine")))
    assert (found.name, found.path) == ("mine", str(tmp_path / "mine"))
    assert find_model(f"{tmp_path}/mine/../mine/").name == "mine"


def test_the_digest_is_of_names_and_contents_and_of_nothing_else(tmp_path: Path) -> None:
    one, two = folder(tmp_path / "one"), folder(tmp_path / "two")
    assert folder_digest(one) == folder_digest(two)
    (two / "notes.md").write_text("no part of the model")
    assert folder_digest(one) == folder_digest(two)
    (two / "model.safetensors").write_bytes(b"weightz")
    assert folder_digest(one) != folder_digest(two)
    (one / "model.safetensors").rename(one / "other.safetensors")
    (two / "model.safetensors").write_bytes(b"weights")
    assert folder_digest(one) != folder_digest(two)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (b"{", "a config.json that names its model_type"),
        (b"{}", "names its model_type"),
        (b'{"model_type": "t5", "is_encoder_decoder": true}', "decoder only.*model_type='t5'"),
        (b" " * (MAX_CONFIG + 1), "a model folder with config.json"),
    ],
)
def test_a_folder_that_is_no_model(tmp_path: Path, config: bytes, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        find_model(str(folder(tmp_path / "m", config)))


def test_pickled_weights_are_no_weights(tmp_path: Path) -> None:
    path = folder(tmp_path / "m")
    (path / "model.safetensors").rename(path / "pytorch_model.bin")
    with pytest.raises(SettingsError, match="other formats can run code when they are read"):
        find_model(str(path))


def test_no_folder_and_no_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="a folder with a model, or the name of a downloaded one"):
        find_model(str(tmp_path / "nothing here"))
    with pytest.raises(SettingsError, match=r"--adapter"):
        find_model("../../etc", where="--adapter")


def test_a_name_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r'pip install "answerable\[train\]"'):
        find_model("owner/name")


@pytest.mark.torch
def test_a_name_that_was_never_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def empty(name: str, file: str) -> None:
        return None

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", empty)
    with pytest.raises(SettingsError, match="run 'hf download owner/name' first"):
        find_model("owner/name")


@pytest.mark.torch
def test_a_name_that_was_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    path = folder(tmp_path / "snapshot")
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda name, file: str(path / file))
    found = find_model("owner/name")
    assert (found.name, found.path, found.sha256) == ("owner/name", str(path), folder_digest(path))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="a file that can be read"):
        file_digest(tmp_path / "none")
