"""The adapter folder: ``adapter.json``, written last, and ``adapter_model.safetensors``.

No pickle anywhere: a folder from a stranger is a bounded JSON record and a file of plain numbers, whose names and
shapes must be those of the adapter that the record describes.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from answerable.core.codec import decode, encode_pretty
from answerable.core.errors import SettingsError
from answerable.core.files import write_bytes
from answerable.core.records import Record
from answerable.models.folder import file_digest
from answerable.models.local import LocalModel
from answerable.models.lora import Lora, LoraShape
from answerable.models.prefix import Prefix, PrefixShape
from answerable.models.tensors import fill, load_tensors, save_tensors

FORMAT = 1
CARD, WEIGHTS, PEFT = "adapter.json", "adapter_model.safetensors", "adapter_config.json"
MAX_CARD = 1 << 20
Adapter = Prefix | Lora


class AdapterShape(Record, frozen=True):
    """Which adapter, and its sizes; exactly one of the two."""

    prefix: PrefixShape | None = None
    lora: LoraShape | None = None

    def check(self) -> None:
        """Raise ``SettingsError`` when it is none, both, or of a size that makes no sense."""
        if (self.prefix is None) == (self.lora is None):
            raise SettingsError("one kind of adapter, prefix or lora", "both or none", where="--method")
        for shape in (self.prefix, self.lora):
            if shape is not None:
                shape.check()


class Losses(Record, frozen=True):
    """What training came to: mean losses of the first and the last step."""

    steps: int
    first: float
    last: float


class AdapterCard(Record, frozen=True):
    """``adapter.json``."""

    format: int
    shape: AdapterShape
    model: str
    """Name of the model it was trained on."""
    model_sha256: str
    """Its digest: an adapter is put on no other."""
    weights_sha256: str
    """Of the file of weights."""
    losses: Losses
    plan: msgspec.Raw
    """Everything that decided the weights."""


def put_on(local: LocalModel, shape: AdapterShape, seed: int) -> Adapter:
    """A new adapter, with its first weights.

    Raises:
        SettingsError: a size makes no sense, or the model has no layer of that name.
    """
    shape.check()
    if shape.prefix is not None:
        return Prefix(local, shape.prefix, seed)
    return Lora(local, shape.lora or LoraShape(), seed)


def read_card(folder: Path) -> AdapterCard:
    """What an adapter folder says of itself; its weights are digested, not loaded.

    Raises:
        SettingsError: it is no finished adapter, or its weights are others than it says.
    """
    path, where = folder / CARD, "--adapter"
    if not path.is_file():
        raise SettingsError(
            f"an adapter folder with {CARD}", f"{folder}", where,
            fix="name the folder given to 'answerable train adapter --out'; repeat that command if it was stopped",
        )  # fmt: skip
    if path.stat().st_size > MAX_CARD:
        raise SettingsError(f"a {CARD} of at most {MAX_CARD} bytes", f"{path.stat().st_size}", where=str(path))
    try:
        card = decode(path.read_bytes(), AdapterCard)
    except msgspec.MsgspecError as error:
        raise SettingsError(f"a readable {CARD}", str(error), where=str(path)) from error
    if card.format != FORMAT:
        raise SettingsError(f"format {FORMAT}", f"format={card.format}", where=str(path))
    found = file_digest(folder / WEIGHTS)
    if found != card.weights_sha256:
        raise SettingsError(
            f"weights with sha256={card.weights_sha256[:16]}...", f"sha256={found[:16]}...", str(folder / WEIGHTS),
            fix="the file was changed or belongs elsewhere: train again, or take the folder from where it came",
        )  # fmt: skip
    return card


def check_model(card: AdapterCard, sha256: str) -> None:
    """Refuse a model that the adapter was not trained on.

    Raises:
        SettingsError: it is another one.
    """
    if card.model_sha256 != sha256:
        raise SettingsError(
            f"the model that the adapter was trained on, {card.model!r} with sha256={card.model_sha256[:16]}...",
            f"one with sha256={sha256[:16]}...", "--model",
        )  # fmt: skip


def load_on(local: LocalModel, folder: Path) -> AdapterCard:
    """Put a saved adapter on its model.

    Raises:
        SettingsError: the folder is unfinished or damaged, or of another model.
    """
    card = read_card(folder)
    check_model(card, local.folder.sha256)
    adapter = put_on(local, card.shape, 0)
    fill(adapter.parameters(), load_tensors(folder / WEIGHTS)[0], folder / WEIGHTS)
    for value in adapter.parameters().values():
        value.requires_grad_(False)
    return card


def save(folder: Path, adapter: Adapter, model: str, model_sha256: str, losses: Losses, plan: bytes) -> AdapterCard:
    """Write an adapter folder; ``adapter.json`` comes last.

    Raises:
        StorageError: the disk refused a write.
    """
    save_tensors(folder / WEIGHTS, adapter.parameters(), {})
    if isinstance(adapter, Lora):
        write_bytes(folder / PEFT, encode_pretty(adapter.peft_settings(model)))
    shape = AdapterShape(lora=adapter.shape) if isinstance(adapter, Lora) else AdapterShape(prefix=adapter.shape)
    card = AdapterCard(FORMAT, shape, model, model_sha256, file_digest(folder / WEIGHTS), losses, msgspec.Raw(plan))
    write_bytes(folder / CARD, encode_pretty(card))
    return card
