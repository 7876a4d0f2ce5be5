"""Adapters: what they do to a model, and the folders they are saved in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from answerable.core.errors import SettingsError
from answerable.models.adapter import (
    CARD,
    PEFT,
    WEIGHTS,
    AdapterShape,
    Losses,
    check_model,
    load_on,
    put_on,
    read_card,
    save,
)
from answerable.models.folder import find_model
from answerable.models.local import LocalModel, Question, Sampler
from answerable.models.lora import LoraShape
from answerable.models.prefix import Prefix, PrefixShape

RED, BLUE = Image.new("RGB", (8, 6), "red"), Image.new("RGB", (8, 6), "blue")
ASKED = Question("Be brief.", "What is the value?", RED)
SHAPES = {
    "prefix": AdapterShape(prefix=PrefixShape(prefix=3, layers=2, hidden=8)),
    "lora": AdapterShape(lora=LoraShape(rank=2, alpha=4)),
}


def opened(model: Path) -> LocalModel:
    """The tiny model, open."""
    return LocalModel(find_model(str(model)), device="cpu")


def moved(local: LocalModel, shape: AdapterShape) -> Any:
    """An adapter whose weights are no first weights any more."""
    import torch

    adapter = put_on(local, shape, 1)
    with torch.no_grad():
        for value in adapter.parameters().values():
            value.add_(0.3)
    return adapter


@pytest.mark.torch
def test_the_prefix_takes_the_place_of_placeholders_before_the_prompt(model: Path) -> None:
    import torch

    local = opened(model)
    seen: list[Any] = []
    plain = local.encode(ASKED)["input_ids"]
    adapter = put_on(local, SHAPES["prefix"], 0)
    assert isinstance(adapter, Prefix)
    local.decoder.register_forward_pre_hook(lambda _, __, given: seen.append(given["inputs_embeds"]), with_kwargs=True)
    inputs = local.encode(ASKED)
    assert inputs["input_ids"].tolist() == [[*[int(plain[0, -1])] * 3, *plain[0].tolist()]]
    assert inputs["attention_mask"].tolist() == [[1] * (3 + plain.shape[1])]
    local.loss(ASKED, "42")
    local.reply(ASKED, Sampler(3))
    with torch.no_grad():
        # Made of the prompt alone, and the same with a reply behind it as without.
        expected = adapter.vectors(seen[1][:, 3 : inputs["input_ids"].shape[1]])
        assert all(given[:, :3].allclose(expected, atol=1e-6) for given in seen[:2])
        assert not adapter.vectors(seen[1][:, 5:]).allclose(expected)
    assert (seen[0].shape[1] - seen[1].shape[1], seen[2].shape[1]) == (len(local.target_tokens("42")), 1)


@pytest.mark.torch
def test_a_prefix_changes_what_is_said_and_taken_off_it_does_not(model: Path) -> None:
    local = opened(model)
    plain = local.reply(ASKED, Sampler(8))
    adapter = moved(local, SHAPES["prefix"])
    assert local.reply(ASKED, Sampler(8)).text != plain.text
    adapter.remove()
    assert local.reply(ASKED, Sampler(8)) == plain


@pytest.mark.torch
def test_lora_begins_as_the_model_and_touches_the_text_decoder_only(model: Path) -> None:
    local = opened(model)
    plain = float(local.loss(ASKED, "42"))
    adapter = put_on(local, SHAPES["lora"], 0)
    assert float(local.loss(ASKED, "42").detach()) == plain
    names = adapter.parameters()
    assert len(names) == 2 * 2 * 2
    assert all(".language_model." in name and ("q_proj" in name or "v_proj" in name) for name in names)


@pytest.mark.torch
@pytest.mark.parametrize("method", SHAPES)
def test_only_the_adapter_has_gradients(model: Path, method: str) -> None:
    local = opened(model)
    adapter = moved(local, SHAPES[method])
    own = {id(value) for value in adapter.parameters().values()}
    local.loss(ASKED, "42").backward()
    assert all(value.grad is not None and bool(value.grad.abs().sum() > 0) for value in adapter.parameters().values())
    assert all(value.grad is None for value in local.model.parameters() if id(value) not in own)


@pytest.mark.torch
@pytest.mark.parametrize("method", SHAPES)
def test_first_weights_come_from_the_seed(model: Path, method: str) -> None:
    import torch

    one, same, other = (put_on(opened(model), SHAPES[method], seed).parameters() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert any(not torch.equal(one[name], other[name]) for name in one)


@pytest.mark.torch
@pytest.mark.parametrize("method", SHAPES)
def test_a_saved_adapter_says_the_same(model: Path, tmp_path: Path, method: str) -> None:
    local = opened(model)
    adapter = moved(local, SHAPES[method])
    said, loss = local.reply(ASKED, Sampler(8)), float(local.loss(ASKED, "42").detach())
    card = save(tmp_path / "a", adapter, "tiny", local.folder.sha256, Losses(1, 2.0, 1.0), b"{}")
    again = opened(model)
    assert load_on(again, tmp_path / "a") == card == read_card(tmp_path / "a")
    assert again.reply(ASKED, Sampler(8)) == said
    assert float(again.loss(ASKED, "42")) == loss
    assert not [path for path in (tmp_path / "a").iterdir() if path.suffix not in (".json", ".safetensors")]
    assert (tmp_path / "a" / PEFT).exists() == (method == "lora")


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning")
def test_other_tools_read_the_lora_folder(model: Path, tmp_path: Path) -> None:
    import peft

    local = opened(model)
    adapter = moved(local, SHAPES["lora"])
    loss = float(local.loss(ASKED, "42").detach())
    save(tmp_path / "a", adapter, "tiny", local.folder.sha256, Losses(1, 2.0, 1.0), b"{}")
    again = opened(model)
    again.model = peft.PeftModel.from_pretrained(again.model, str(tmp_path / "a"))
    assert float(again.loss(ASKED, "42").detach()) == pytest.approx(loss, rel=1e-6)


def saved(model: Path, path: Path) -> Path:
    """A prefix adapter's folder."""
    local = opened(model)
    adapter = put_on(local, SHAPES["prefix"], 1)
    save(path, adapter, "tiny", local.folder.sha256, Losses(1, 2.0, 1.0), b"{}")
    return path


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the card by hand."""
    card = json.loads((path / CARD).read_text())
    change(card)
    (path / CARD).write_text(json.dumps(card))


@pytest.mark.torch
def test_damaged_folders(model: Path, tmp_path: Path) -> None:
    path = saved(model, tmp_path / "a")
    whole = (path / CARD).read_bytes()
    for change, words in (
        (lambda card: card.update(format=2), "format 1; got format=2"),
        (lambda card: card.update(more=1), "a readable adapter.json"),
        (lambda card: card.update(weights_sha256="0" * 64), "weights with sha256=0000"),
        (lambda card: card["shape"]["prefix"].update(hidden=9), "of shape .*; got"),
        (lambda card: card["shape"]["prefix"].update(layers=1), "a difference: lstm"),
        (lambda card: card["shape"]["prefix"].update(prefix=10**9), "from 1 to 64"),
        (lambda card: card["shape"].update(lora={}), "both or none"),
        (lambda card: card.update(model_sha256="1" * 64), "the model that the adapter was trained on, 'tiny'"),
    ):
        rewrite(path, change)
        with pytest.raises(SettingsError, match=words):
            load_on(opened(model), path)
        (path / CARD).write_bytes(whole)
    (path / WEIGHTS).write_bytes(b"\x80\x04K\x01.")
    from answerable.models.folder import file_digest

    rewrite(path, lambda card: card.update(weights_sha256=file_digest(path / WEIGHTS)))
    with pytest.raises(SettingsError, match="a whole safetensors file"):
        load_on(opened(model), path)


@pytest.mark.torch
def test_lora_names_layers_that_are_there(model: Path) -> None:
    with pytest.raises(SettingsError, match=r"linear layers, of down_proj, gate_proj, .*; got fc1"):
        put_on(opened(model), AdapterShape(lora=LoraShape(targets=("fc1",))), 0)


def test_a_folder_without_a_card(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"an adapter folder with adapter\.json(.|\n)*repeat that command"):
        read_card(tmp_path)


def test_another_model(tmp_path: Path) -> None:
    import msgspec

    from answerable.models.adapter import AdapterCard

    card = AdapterCard(1, SHAPES["lora"], "tiny", "a" * 64, "b" * 64, Losses(1, 1.0, 1.0), msgspec.Raw(b"{}"))
    check_model(card, "a" * 64)
    with pytest.raises(SettingsError, match="one with sha256=cccc"):
        check_model(card, "c" * 64)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (AdapterShape(), "one kind of adapter"),
        (AdapterShape(prefix=PrefixShape(prefix=0)), "from 1 to 64; got 0"),
        (AdapterShape(prefix=PrefixShape(layers=9)), "from 1 to 8; got 9"),
        (AdapterShape(prefix=PrefixShape(hidden=-1)), "got -1"),
        (AdapterShape(lora=LoraShape(rank=0)), "--rank"),
        (AdapterShape(lora=LoraShape(alpha=5000)), "--alpha"),
        (AdapterShape(lora=LoraShape(targets=("a.*",))), "names of linear layers"),
        (AdapterShape(lora=LoraShape(targets=())), "names of linear layers"),
    ],
)
def test_sizes_that_make_no_sense(shape: AdapterShape, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        shape.check()
