"""LoRA on the text decoder's linear layers, by the package ``peft``; the paper's alternative to the prefix.

Saved under the names that ``peft`` itself gives, beside its own settings file, so that other tools load the folder too.
"""

from __future__ import annotations

from typing import Any

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.core.records import Record
from answerable.core.seeds import seed_from
from answerable.models.engine import Tensor, deterministic, torch_or_missing
from answerable.models.folder import EXTRA
from answerable.models.local import LocalModel

#: What ``peft`` puts before and into the names of weights: once in memory, once in files.
_IN_MEMORY, _IN_FILE = ".default.", "base_model.model."


class LoraShape(Record, frozen=True):
    """The adapter's sizes."""

    rank: int = 8
    alpha: int = 16
    """Weights are scaled by alpha / rank."""
    targets: tuple[str, ...] = ("q_proj", "v_proj")
    """Last names of the linear layers that get an adapter; only those in the text decoder do."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first size that makes no sense."""
        for flag, value in (("--rank", self.rank), ("--alpha", self.alpha)):
            if not 1 <= value <= 1 << 12:
                raise SettingsError(f"a whole number from 1 to {1 << 12}", f"{value}", where=flag)
        if not self.targets or not all(name.isidentifier() for name in self.targets):
            raise SettingsError("names of linear layers", f"{','.join(self.targets)!r}", where="--targets")


class Lora:
    """An adapter on a model. ``peft`` changes the model in place; open it again to be rid of it."""

    method = "lora"

    def __init__(self, local: LocalModel, shape: LoraShape, seed: int) -> None:
        shape.check()
        peft = _peft()
        self.shape = shape
        self._names = _matching(local, shape.targets)
        config = peft.LoraConfig(
            r=shape.rank, lora_alpha=shape.alpha, lora_dropout=0.0, target_modules=list(self._names), bias="none"
        )
        with deterministic(seed_from("lora adapter", seed)):
            peft.inject_adapter_in_model(config, local.model)
        local.model.eval()
        self._parameters: dict[str, Tensor] = {}
        for name, value in local.model.named_parameters():
            if value.requires_grad:
                # Small steps are lost in 16 bits.
                value.data = value.data.float()
                self._parameters[_IN_FILE + name.replace(_IN_MEMORY, ".")] = value

    def parameters(self) -> dict[str, Tensor]:
        """What is trained and saved, by name."""
        return self._parameters

    def peft_settings(self, model: str) -> dict[str, Any]:
        """``adapter_config.json`` as ``peft`` reads it."""
        return {
            "peft_type": "LORA",
            "base_model_name_or_path": model,
            "r": self.shape.rank,
            "lora_alpha": self.shape.alpha,
            "lora_dropout": 0.0,
            "bias": "none",
            "target_modules": sorted(self._names),
            "inference_mode": True,
        }


def _peft() -> Any:
    torch_or_missing()
    try:
        import peft
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, error.name or "peft") from error
    return peft


def _matching(local: LocalModel, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Full names of the linear layers of the text decoder that a target names.

    Raises:
        SettingsError: there is none.
    """
    linear = torch_or_missing().nn.Linear
    inside = {id(module) for module in local.decoder.modules()}
    layers = [
        name for name, module in local.model.named_modules() if isinstance(module, linear) and id(module) in inside
    ]
    found = tuple(name for name in layers if name.rpartition(".")[2] in targets)
    if not found:
        known = sorted({name.rpartition(".")[2] for name in layers})
        raise SettingsError(
            f"names of the decoder's linear layers, of {', '.join(known) or 'which there are none'}",
            ",".join(targets), where="--targets",
        )  # fmt: skip
    return found
