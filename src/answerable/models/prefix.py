"""The prefix adapter of MM-R3 (section 5 and its implementation details): a few vectors before the prompt.

The embeddings of the prompt, text and picture as the model merges them, pass a bidirectional LSTM; the maximum over all
places passes two linear layers, and the result stands in front of the same embeddings. The model itself is frozen.

The vectors take the places of placeholder tokens that the prompt begins with, just before the model's text decoder
reads it. So positions, masks and caches are the model's own business, and a model needs no class of ours. The adapter
never sees the reply: it reads the prompt only, in training as in use.
"""

from __future__ import annotations

from typing import Any

from answerable.core.errors import SettingsError
from answerable.core.records import Record
from answerable.core.seeds import seed_from
from answerable.models.engine import Module, Tensor, deterministic, torch_or_missing
from answerable.models.local import LocalModel


class PrefixShape(Record, frozen=True):
    """The adapter's sizes. The paper's are 3, 2 and 4096 (its models' own width)."""

    prefix: int = 3
    """Vectors."""
    layers: int = 2
    """Of the LSTM, each in both directions."""
    hidden: int = 0
    """Numbers of the LSTM's state in one direction; 0: as wide as the model's embeddings."""

    def check(self) -> None:
        """Raise ``SettingsError`` for the first size that makes no sense."""
        for flag, value, low, high in (
            ("--prefix", self.prefix, 1, 64), ("--layers", self.layers, 1, 8), ("--hidden", self.hidden, 0, 1 << 14),
        ):  # fmt: skip
            if not low <= value <= high:
                raise SettingsError(f"a whole number from {low} to {high}", f"{value}", where=flag)


class Prefix:
    """An adapter on a model, until ``remove``.

    Args:
        local: the model; its prompts get placeholders from now on.
        shape: the adapter's sizes.
        seed: of its first weights.
    """

    method = "prefix"

    def __init__(self, local: LocalModel, shape: PrefixShape, seed: int) -> None:
        shape.check()
        self.shape, self._local = shape, local
        self._width, self._hidden = local.width, shape.hidden or local.width
        with deterministic(seed_from("prefix adapter", seed)):
            self.network = self._build().to(local.device)
        self._prompt = 0
        self._hook = local.decoder.register_forward_pre_hook(self._put, with_kwargs=True)
        local.placeholders = shape.prefix
        local.before_prompt, local.after_prompt = self._begin, self._end

    def _build(self) -> Module:
        nn, hidden = torch_or_missing().nn, self._hidden
        lstm = nn.LSTM(self._width, hidden, self.shape.layers, batch_first=True, bidirectional=True)
        head = nn.Linear(hidden, self.shape.prefix * self._width)
        return nn.ModuleDict({"lstm": lstm, "mlp": nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), head)})

    def parameters(self) -> dict[str, Tensor]:
        """What is trained and saved, by name."""
        return dict(self.network.named_parameters())

    def vectors(self, embeddings: Tensor) -> Tensor:
        """The prefix for a prompt.

        Args:
            embeddings: of the prompt without placeholders, shape (1, tokens, width).

        Returns:
            Shape (1, prefix, width), in the same number format.
        """
        seen, _ = self.network["lstm"](embeddings.float())
        made = self.network["mlp"](seen.amax(dim=1))
        return made.reshape(1, self.shape.prefix, self._width).to(embeddings.dtype)

    def remove(self) -> None:
        """Take the adapter off; the model is as before."""
        self._hook.remove()
        self._local.placeholders = 0
        self._local.before_prompt, self._local.after_prompt = (lambda _: None), (lambda: None)

    def _begin(self, prompt: int) -> None:
        self._prompt = prompt

    def _end(self) -> None:
        if self._prompt:
            raise SettingsError(
                "a model that hands merged embeddings to its text decoder", "one whose decoder never met the prompt",
                where=self._local.folder.name, fix="use --method lora, or another model",
            )  # fmt: skip

    def _put(self, _module: Module, args: tuple[Any, ...], given: dict[str, Any]) -> tuple[Any, dict[str, Any]] | None:
        """Before the decoder runs: the placeholders of a new prompt become the prefix."""
        if not self._prompt:
            return None
        embeddings = given.get("inputs_embeds")
        if embeddings is None or embeddings.shape[0] != 1 or embeddings.shape[1] < self._prompt:
            # Left to ``_end``, which says so.
            return None
        count, prompt = self.shape.prefix, self._prompt
        self._prompt = 0
        made = self.vectors(embeddings[:, count:prompt].detach())
        whole = torch_or_missing().cat([made, embeddings[:, count:]], dim=1)
        return args, {**given, "inputs_embeds": whole}
